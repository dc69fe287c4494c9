"""Sentences that name options of the command line or of Python, in the words of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mathhammer.report.parts import Report

ON_THE_PAGE = {
    "--anyway": "the switch 'a verdict anyway'",
    "--no-auras": "the switch 'auras reach all friends'",
    "give --limit": "write one into its file",
    'approach="both"': "let both move closer",
    'use method="simulate"': "choose the method simulate",
}


def page_words(text: str) -> str:
    """A sentence with the names that the page has for what it speaks of.

    >>> page_words('duel: too far (give a smaller distance, or approach="both")')
    'duel: too far (give a smaller distance, or let both move closer)'
    """
    for word, there in ON_THE_PAGE.items():
        text = text.replace(word, there)
    return text


def report_in_page_words(parts: Report) -> Report:
    """A report whose sentences name the switches of the page."""
    return replace(
        parts,
        verdict=[page_words(line) for line in parts.verdict],
        lists=[_with(_with(one, "known"), "remarks") for one in parts.lists],
        lasting=[_with(one, "lacks") for one in parts.lasting],
    )


def _with(part: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {**part, name: [page_words(line) for line in part[name]]}
