"""Runs all notebooks and stores what they show: `python tests/notebook_runs.py [NAME...]`.

Only what a reader sees is stored: no times, no versions of the machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from places import ROOT

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def read(path: Path) -> Any:
    """A notebook from its file."""
    return nbformat.read(path, as_version=4)


def executed(path: Path) -> Any:
    """A notebook as it comes out when it is run from the top, in its folder."""
    from nbclient import NotebookClient

    notebook = read(path)
    resources = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    return notebook


def plain(notebook: Any) -> Any:
    """A notebook without what differs from run to run."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


if __name__ == "__main__":
    for notebook_path in NOTEBOOKS:
        if len(sys.argv) == 1 or any(word in notebook_path.name for word in sys.argv[1:]):
            nbformat.write(plain(executed(notebook_path)), notebook_path)
            print(notebook_path.relative_to(ROOT))
