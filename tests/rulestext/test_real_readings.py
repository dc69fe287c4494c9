"""Every real ability text is read as it was when it was last looked at. What is stored are fingerprints alone: of the texts, and of
their readings in buckets. `python tests/rulestext/test_real_readings.py` writes them anew; look at what has changed first
(`mathhammer coverage`, the labelled readings).
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from mathhammer.rulestext.reader import read
from mathhammer.rulestext.reading import RulesText

ABILITIES = ROOT.parent / "shared" / "abilities"
STORED = Path(__file__).with_name("real_readings.json")
FAMILIES = {"aos4": "sigmar", "wh40k10": "wh40k"}
BUCKETS = 64


def fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def texts_of(system: str) -> list[dict[str, Any]]:
    lines = (ABILITIES / f"{system}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def of_texts(system: str) -> str:
    return fingerprint(json.dumps(texts_of(system)))


def of_readings(system: str) -> list[str]:
    """A fingerprint of the readings of each bucket of texts."""
    buckets: dict[int, list[str]] = defaultdict(list)
    for row in texts_of(system):
        asked = RulesText(
            row["text"],
            row.get("name", ""),
            row.get("type", ""),
            row.get("timing", ""),
            row.get("declare", ""),
        )
        reading = read(asked, FAMILIES[system])
        said = json.dumps([reading.about, reading.effects, reading.rest], default=str, sort_keys=True)
        buckets[int(fingerprint(row["text"]), 16) % BUCKETS].append(said)
    return [fingerprint("\n".join(buckets[number])) for number in range(BUCKETS)]


@pytest.mark.parametrize("system", FAMILIES)
def test_real_texts_are_read_as_before(system: str) -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))[system]
    if not ABILITIES.is_dir():
        pytest.skip("the real texts are not here")
    if of_texts(system) != stored["texts"]:
        pytest.skip("the real texts are others than those that were looked at")
    assert of_readings(system) == stored["readings"]


if __name__ == "__main__":
    found = {system: {"texts": of_texts(system), "readings": of_readings(system)} for system in FAMILIES}
    STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
