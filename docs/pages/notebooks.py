"""The notebooks as pages, as they are committed: executed."""

from __future__ import annotations

import json
from pathlib import Path

from pages.markdown import contents, table


def notebook_pages(folder: Path) -> dict[str, bytes]:
    """The list of notebooks, and each of them."""
    paths = sorted(folder.glob("*.ipynb"))
    files = {f"notebooks/{path.name}": path.read_bytes() for path in paths}
    rows = [(f"[{title(path)}]({path.name})", f"`{path.name}`") for path in paths]
    text = "\n\n".join(
        (
            "# Notebooks",
            "Each begins with a question that players ask, and ends with an answer in words. They are in the "
            'folder `notebooks`; `pip install -e ".[notebooks]"` brings what they need.',
            table(("Question", "File"), rows),
            contents((path.stem for path in paths), hidden=True),
        )
    )
    return files | {"notebooks/index.md": text.encode()}


def title(path: Path) -> str:
    """The question of a notebook."""
    first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
    return "".join(first).splitlines()[0].removeprefix("# ")
