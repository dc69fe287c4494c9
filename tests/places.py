"""Where things lie: the project, its tests and fixtures, and the folder beside the project."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PACKAGE = ROOT / "mathhammer"
DATASHEETS = ROOT / "datasheets"
OWN_VECTORS = TESTS / "vectors"
