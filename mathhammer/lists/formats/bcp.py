"""The 40k app's text after Best Coast Pairings stripped its indentation: only the glyph
tells models from wargear.
"""

from __future__ import annotations

from mathhammer.lists.documents import Document
from mathhammer.lists.registry import reader
from mathhammer.lists.text_wh40k_titled import is_titled, read_titled


def _matches(document: Document) -> bool:
    return is_titled(document) and not any(raw.startswith(" ") for _, raw in document.lines)


read = reader("bcp", "40k app text from Best Coast Pairings", rank=25, matches=_matches)(read_titled)
