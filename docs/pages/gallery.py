"""The gallery: every kind of chart with the command that draws it."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path
from typing import Any

from mathhammer.plots.kinds import CHART_KINDS

ENTRIES = Path(__file__).parents[1] / "gallery.toml"


def entries() -> dict[str, dict[str, Any]]:
    """What the gallery shows of each kind, in the order of the kinds; a kind without an entry is an error."""
    written = tomllib.loads(ENTRIES.read_text(encoding="utf-8"))
    if set(written) != set(CHART_KINDS):
        odd = sorted(set(written) ^ set(CHART_KINDS))
        raise ValueError(f"docs/gallery.toml: {', '.join(odd)} (write one entry for each kind of chart)")
    return {kind: written[kind] for kind in CHART_KINDS}


def gallery_pages() -> dict[str, str]:
    """The page."""
    opening = (
        "# Gallery\n\nEvery kind of chart, with the command that draws it. All of them take `--dark`, "
        "`--title`, `-o FILE.png` or `.svg`, and `--alt` for the words of readers who cannot see it; "
        "without `-o` an SVG goes to stdout. [`post`](../howto/post.md) draws the same kinds from a file.\n"
    )
    return {"gallery.md": "\n".join([opening, *(_entry(kind, entry) for kind, entry in entries().items())])}


def _entry(kind: str, entry: dict[str, Any]) -> str:
    line = CHART_KINDS[kind].line
    pictures = "\n".join(
        f"```{{image}} gallery/{kind}{dark}.png\n:alt: {kind}: {line}\n:class: only-{theme}\n```"
        for theme, dark in (("light", ""), ("dark", "-dark"))
    )
    command = f"mathhammer chart {kind} {entry['command']} > {kind}.svg"
    words = f"{line[:1].upper()}{line[1:]}. {entry['when']}"
    return f"## {kind}\n\n{words}\n\n{pictures}\n\n```bash\n{command}\n```\n"


def words_of(kind: str) -> list[str]:
    """The words of an entry's command, behind `chart`."""
    return [kind, *shlex.split(entries()[kind]["command"])]
