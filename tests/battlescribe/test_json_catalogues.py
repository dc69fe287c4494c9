"""Catalogues as JSON: the same tree as XML, the same datasheets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from roster_files import FIXTURES, SHARED, needs_shared

import mathhammer as mh
from mathhammer.battlescribe.catalogues import MOST_JSON, read_root
from mathhammer.battlescribe.convert import convert
from mathhammer.battlescribe.tree import Node
from mathhammer.cli import main


def as_json(data: bytes) -> str:
    """A catalogue in the newer form: containers as lists, attributes as keys with their types, texts as `$text`."""
    root = ElementTree.fromstring(data)

    def converted(element: ElementTree.Element) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for child in element:
            tag = child.tag.rpartition("}")[2]
            if len(child) or tag.endswith("s"):
                made[tag] = [converted(item) for item in child]
            else:
                made[tag] = child.text or ""
        for key, value in element.attrib.items():
            made[key] = (
                value == "true" if value in ("true", "false") else int(value) if value.isdigit() else value
            )
        if element.text and element.text.strip():
            made["$text"] = element.text
        return made

    return json.dumps({root.tag.rpartition("}")[2]: converted(root)})


def in_json(system: str, folder: Path) -> Path:
    """The catalogues of the fixtures in the newer form."""
    for file in sorted((FIXTURES / "bsdata" / system).iterdir()):
        (folder / f"{file.name}.json").write_text(as_json(file.read_bytes()), encoding="utf-8")
    return folder


@pytest.mark.parametrize("system", ["aos4", "wh40k10"])
def test_both_forms_give_the_same_datasheets(system: str, tmp_path: Path) -> None:
    xml = convert(FIXTURES / "bsdata" / system, system)
    both = convert(in_json(system, tmp_path), system)
    assert both.units == xml.units > 0
    plain = {
        name: text.replace(".cat.json", ".cat").replace(".gst.json", ".gst")
        for name, text in both.files.items()
    }
    assert plain == xml.files
    assert (both.left_out, both.problems, both.dangling) == (xml.left_out, xml.problems, xml.dangling)


def test_both_forms_give_the_same_tree() -> None:
    file = FIXTURES / "bsdata" / "wh40k10" / "Xenos - Glass Choir.cat"

    def shape(node: Node) -> Any:
        own = {key: value for key, value in node.attrs.items() if key != "xmlns"}
        texts = {
            child.tag: child.text
            for child in node.children
            if not child.children and not child.attrs and child.text
        }
        inner = [
            shape(child)
            for child in node.children
            if child.tag not in texts and (child.children or child.attrs)
        ]
        return (node.tag, own | texts, node.text, sorted(inner, key=repr))

    xml = read_root(file.read_bytes(), "x.cat")
    assert shape(read_root(as_json(file.read_bytes()).encode(), "x.json")) == shape(xml)


def test_other_json_beside_catalogues_is_passed_over(tmp_path: Path) -> None:
    folder = in_json("aos4", tmp_path)
    (folder / "package.json").write_text('{"name": "x"}', encoding="utf-8")
    assert convert(folder, "aos4").units == convert(FIXTURES / "bsdata" / "aos4", "aos4").units
    with pytest.raises(
        mh.BadInputError, match=r"package\.json: is not a catalogue \(give a \.gst, \.cat or \.json"
    ):
        convert(folder / "package.json", "aos4")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"catalogue": [1]}', "is JSON without a catalogue (give a catalogue of BSData)"),
        ('{"catalogue": {"name": ', "line 1 is not JSON: Expecting value (export the file again)"),
        (
            '{"catalogue": ' + '{"a": ' * 300 + "1" + "}" * 301,
            "nested more than 200 levels deep (real files have about 20)",
        ),
    ],
)
def test_json_that_is_no_catalogue(text: str, message: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        read_root(text.encode(), "x.json")
    assert str(caught.value) == f"x.json: {message}"


def test_huge_json_is_refused() -> None:
    with pytest.raises(mh.BadInputError, match=r"^x\.json: larger than 25 MB \(no real file is\)$"):
        read_root(b'{"catalogue": "' + b"x" * MOST_JSON + b'"}', "x.json")


def test_another_edition_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue = {"catalogue": {"name": "Xenos - Glass Choir", "gameSystemId": "sys-352e-adc2-7639-d610"}}
    (tmp_path / "glass.json").write_text(json.dumps(catalogue), encoding="utf-8")
    assert main(["import", str(tmp_path), "--system", "wh40k10", "--dry-run"]) == 2
    told = "is for Warhammer 40,000, 11th edition (give catalogues of Warhammer 40,000, 10th edition)"
    assert capsys.readouterr().err == f"{tmp_path / 'glass.json'}: {told}\n"


def test_a_folder_above_the_catalogues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inner = tmp_path / "aos4"
    inner.mkdir()
    in_json("aos4", inner)
    assert main(["import", str(tmp_path), "--system", "aos4", "--dry-run"]) == 2
    assert capsys.readouterr().err == f"{tmp_path}: holds no catalogues (give one of its folders: aos4)\n"


@needs_shared
def test_real_json_catalogues_are_read_into_the_tree() -> None:
    files = sorted((SHARED / "catalogues" / "wh40k11").glob("*.json"))
    roots = [read_root(file.read_bytes(), file.name) for file in files]
    assert {root.tag for root in roots} == {"catalogue", "gameSystem"}
    assert all(any(root.items("sharedSelectionEntries")) for root in roots)
    necrons = next(root for root in roots if root.name.endswith("Necrons"))
    immortals = next(node for node in necrons.items("sharedSelectionEntries") if node.name == "Immortals")
    assert [cost.get("value") for cost in immortals.items("costs") if cost.name == "pts"] == ["70"]


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize(("system", "units"), [("aos4", 1987), ("wh40k10", 1534), ("wh40k11", 313)])
def test_all_real_catalogues_import_whole(system: str, units: int) -> None:
    report = convert(SHARED / "catalogues" / system, system)
    assert (report.units, report.left_out) == (units, [])
