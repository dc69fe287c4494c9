"""New Recruit's GW style: the tournament header, then units with bulleted wargear."""

from __future__ import annotations

from mathhammer.lists.registry import reader
from mathhammer.lists.text_wh40k_headed import is_headed, read_headed

read = reader("newrecruit-gw", "New Recruit text (GW style)", rank=22, matches=is_headed)(read_headed)
