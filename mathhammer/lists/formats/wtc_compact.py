"""New Recruit's compact WTC style: single models with their wargear on one line."""

from __future__ import annotations

import re

from mathhammer.lists.documents import Document
from mathhammer.lists.registry import reader
from mathhammer.lists.text_wh40k_headed import is_headed, read_headed

_LINE = re.compile(r"(?:\w{1,12}: )?\d{1,3}x .+ \(\d{1,5} pts\): .+")


def _matches(document: Document) -> bool:
    return is_headed(document) and any(_LINE.fullmatch(line) for line in document.plain)


read = reader("wtc-compact", "New Recruit text (WTC compact)", rank=20, matches=_matches)(read_headed)
