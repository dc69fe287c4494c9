"""Lists of names: abilities, keywords."""

from __future__ import annotations

import re

_AND = re.compile(r",? (?:and|or) (?:the )?|, (?:the )?|\] \[", re.IGNORECASE)


_NOUN = re.compile(r" (?:weapon )?abilit(?:y|ies)$", re.IGNORECASE)


def listed(text: str, pattern: re.Pattern[str]) -> list[str] | None:
    """All names of a list that the pattern knows; None where one is not known."""
    text = _NOUN.sub("", text.strip())
    found = []
    for part in _AND.split(text):
        part = part.strip(" []")
        if not part:
            continue
        match = pattern.fullmatch(part) or pattern.fullmatch(f"[{part}]")
        if match is None:
            return None
        found.append(match["name"])
    return found or None


_KEYWORD_NAME = re.compile(r"[A-Z0-9][\w'()+!-]*(?: (?:of|the|to|in|on|(?:[A-Z0-9(][\w'()+!-]*)))*")


def keyword_names(text: str) -> list[str] | None:
    """The keywords of a list; None where a part of it does not look like one."""
    words = [word.strip() for word in _AND.split(text) if word.strip()]
    return words if words and all(_KEYWORD_NAME.fullmatch(word) for word in words) else None
