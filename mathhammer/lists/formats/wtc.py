"""New Recruit's WTC style: `5 with Bolt pistol, Chainblade` gives the exact loadout of each model."""

from __future__ import annotations

from mathhammer.lists.documents import Document
from mathhammer.lists.registry import reader
from mathhammer.lists.text_wh40k import WITH
from mathhammer.lists.text_wh40k_headed import is_headed, read_headed


def _matches(document: Document) -> bool:
    return is_headed(document) and any(WITH.fullmatch(line) for line in document.plain)


read = reader("wtc", "New Recruit text (WTC style)", rank=21, matches=_matches)(read_headed)
