"""The official 40k app (10th edition), older and newer layout."""

from __future__ import annotations

from mathhammer.lists.registry import reader
from mathhammer.lists.text_wh40k_titled import is_titled, read_titled

read = reader("wh40k-app", "official 40k app text", rank=26, matches=is_titled)(read_titled)
