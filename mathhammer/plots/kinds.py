"""The kinds of charts, known without loading matplotlib: each file of this folder registers its own."""

from __future__ import annotations

from pathlib import Path

from mathhammer.registry import registered

CHART_KINDS = registered(Path(__file__).parent, "chart")
