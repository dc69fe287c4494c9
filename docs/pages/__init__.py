"""The pages of the documentation that are worked out: games, commands, names, gallery, notebooks.

What the package knows of itself is written down nowhere else, so it cannot drift apart from it.
"""

from __future__ import annotations

from pathlib import Path

from pages.commands import command_pages
from pages.gallery import gallery_pages
from pages.games import game_pages
from pages.names import name_pages
from pages.notebooks import notebook_pages

ROOT = Path(__file__).parents[2]


def text_pages() -> dict[str, str]:
    """Every worked-out page of text by its path below `generated/`."""
    return {**game_pages(), **command_pages(), **name_pages(), **gallery_pages()}


def write_pages(folder: Path) -> None:
    """Writes all of them, the notebooks and the pictures of the gallery; what has not changed keeps its
    date, so that Sphinx does not read it again.
    """
    from pages.pictures import gallery_pictures  # matplotlib only here

    files = {name: text.encode() for name, text in text_pages().items()}
    files |= notebook_pages(ROOT / "notebooks")
    files |= gallery_pictures()
    for name, data in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    for path in folder.rglob("*"):
        if path.is_file() and str(path.relative_to(folder).as_posix()) not in files:
            path.unlink()
