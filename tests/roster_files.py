"""Where the lists of the tests are, and how one list is turned into its other formats."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any
from xml.etree import ElementTree

import pytest
from places import ROOT, TESTS

FIXTURES = TESTS / "fixtures"
ROSTERS = FIXTURES / "rosters"
SHEETS = FIXTURES / "datasheets"
SHARED = ROOT.parent / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the real lists and catalogues (../shared/data) are not here"
)
CONTAINERS = {
    "costs",
    "costLimits",
    "forces",
    "selections",
    "profiles",
    "characteristics",
    "categories",
    "rules",
    "associations",
}


def zipped(data: bytes, name: str = "inner.ros", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive with one file, the same bytes at any time: they are part of a test's name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def as_new_recruit_json(xml: bytes) -> str:
    """The JSON that New Recruit makes of a roster: containers as lists, attributes as keys, texts as `$text`."""

    def converted(element: ElementTree.Element) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in element.attrib.items():
            made[key] = value == "true" if value in ("true", "false") else _typed(value)
        for child in element:
            tag = child.tag.rpartition("}")[2]
            assert tag in CONTAINERS, tag
            made[tag] = [converted(item) for item in child]
        if element.text and element.text.strip():
            made["$text"] = element.text
        return made

    return json.dumps({"roster": converted(ElementTree.fromstring(xml))})


def _typed(value: str) -> Any:
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() else number
