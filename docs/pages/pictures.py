"""The pictures of the gallery, drawn by the commands that stand below them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from mathhammer.cli import main
from pages.gallery import entries, words_of

ROOT = Path(__file__).parents[2]


def gallery_pictures() -> dict[str, bytes]:
    """Each kind, light and dark."""
    return {
        f"gallery/{kind}{'-dark' if dark else ''}.png": drawn(kind, dark)
        for kind in entries()
        for dark in (False, True)
    }


def drawn(kind: str, dark: bool) -> bytes:
    """The picture of a kind; a command that fails stops the build with its sentence."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(ROOT):
        path = Path(folder) / "picture.png"
        words = ["chart", *words_of(kind), *(["--dark"] if dark else []), "-o", str(path)]
        with open(os.devnull, "w", encoding="utf-8") as remarks, contextlib.redirect_stderr(remarks):
            code = main(words)
        if code:
            raise ValueError(f"docs/gallery.toml, {kind}: mathhammer {' '.join(words)} ended with {code}")
        return path.read_bytes()
