"""Sphinx: `python -m sphinx -W docs docs/_build`. Nothing is fetched, here or by a browser."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from pages import write_pages  # noqa: E402 (found only now)
from pages.commands import show_examples  # noqa: E402
from pages.docstrings import end_parameters  # noqa: E402

from mathhammer import __version__  # noqa: E402

write_pages(HERE / "generated")

project = "mathhammer"
author = "the mathhammer authors"
copyright = author
version = release = __version__
language = "en"
smartquotes = False  # two hyphens begin an option

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
exclude_patterns = ["_build", "jupyter_execute", "_static", "**/.ipynb_checkpoints"]
napoleon_use_param = False
napoleon_use_rtype = False
default_role = "code"  # docstrings write `names` in single backticks
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
maximum_signature_line_length = 80
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks are committed executed, and the tests run them again
nb_merge_streams = True
nb_ipywidgets_js = {}  # scripts of widgets would come from another host

html_theme = "pydata_sphinx_theme"
html_title = f"mathhammer {version}"
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "navbar_start": ["navbar-logo"],
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
    "header_links_before_dropdown": 7,
    "logo": {"text": "mathhammer"},
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars: dict[str, list[str]] = {
    page: [] for page in ("index", "tutorial", "generated/gallery", "coverage", "conformance", "changelog")
}


def setup(app: object) -> None:
    """Examples of commands become blocks of code, and lists of parameters end before the examples."""
    app.connect("autodoc-process-docstring", end_parameters, priority=400)  # type: ignore[attr-defined]
    for part in ("description", "epilog"):
        app.connect(f"sphinx-click-process-{part}", show_examples)  # type: ignore[attr-defined]
