"""Catalogues of the 11th edition: the invulnerable save has a column, roles are rules, scopes stand behind abilities."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from roster_files import SHARED
from wh40k_units import blade

import mathhammer as mh
from mathhammer.battlescribe.abilities import read_abilities
from mathhammer.battlescribe.convert import convert, sheets_of
from mathhammer.battlescribe.saves import column_save

GAME = "sys-352e-adc2-7639-d610"
UNIT, MELEE = "c547-1836-d8a-ff4f", "8a40-4aaa-c780-9046"


def profile(name: str, kind: str, **values: str) -> dict[str, Any]:
    listed = [{"name": key, "$text": value} for key, value in values.items()]
    return {"name": name, "typeId": kind, "characteristics": listed}


def catalogue(save: str, invuln: str, rule: str) -> dict[str, Any]:
    body = profile("Cantor", UNIT, M='6"', T="4", Sv=save, W="4", LD="6+", OC="1", InSv=invuln)
    baton = profile(
        "Baton",
        MELEE,
        Range="Melee",
        A="4",
        WS="2+",
        S="5",
        AP="-1",
        D="2",
        Keywords="Cleave 1, Lethal Hits: non-MONSTER/VEHICLE",
    )
    weapon = {
        "id": "w",
        "type": "upgrade",
        "name": "Baton",
        "profiles": [baton],
        "constraints": [{"type": "min", "value": 1, "field": "selections", "scope": "parent"}],
    }
    entry = {
        "id": "u",
        "type": "model",
        "name": "Cantor",
        "profiles": [body],
        "rules": [{"id": "r", "name": rule, "description": ""}],
        "costs": [{"name": "pts", "typeId": "51b2-306e-1021-d207", "value": 80}],
        "selectionEntries": [weapon],
    }
    return {"catalogue": {"name": "Xenos - Glass Choir", "gameSystemId": GAME, "selectionEntries": [entry]}}


@pytest.mark.rule("WH40K11-02.02")
@pytest.mark.parametrize(
    ("save", "invuln", "fields"),
    [
        ("3+", "4+", {"save": 3, "invuln": 4}),
        ("3+", "", {"save": 3}),
        ("2+", "5+ (Ranged)", {"save": 2}),
    ],
)
def test_the_column_of_the_invulnerable_save(
    tmp_path: Path, save: str, invuln: str, fields: dict[str, int]
) -> None:
    (tmp_path / "glass.json").write_text(json.dumps(catalogue(save, invuln, "Leader")), encoding="utf-8")
    (sheet,) = sheets_of(convert(tmp_path, "wh40k11"))
    unit = sheet.unit()
    assert {key: unit.groups[0].stat(key) for key in ("save", "invuln") if unit.groups[0].stat(key)} == fields
    assert (unit.points, unit.stat("role")) == (80, "leader")
    assert unit.weapons[0].abilities == ("Cleave 1", "Lethal Hits: non-MONSTER/VEHICLE")
    if "Ranged" in invuln:
        striker = mh.make_unit(
            "wh40k11",
            {
                "name": "S",
                "toughness": 4,
                "wounds": 1,
                "weapon": [blade(ap=-6), blade(name="Gun", kind="ranged", ap=-6)],
            },
        )
        funnels = [mh.fight(striker, unit, weapons=name).funnel for name in ("Gun", "Blade")]
        assert [f["unsaved"] / f["wounds"] for f in funnels] == pytest.approx([4 / 6, 1.0])


@pytest.mark.rule("WH40K11-MFM-TIERS")
def test_later_copies_cost_more(tmp_path: Path) -> None:
    earlier = {"type": "atLeast", "value": 2, "conditions": [{"type": "before", "childId": "any"}]}
    rise = {
        "type": "increment",
        "value": 10,
        "field": "51b2-306e-1021-d207",
        "conditionGroups": [{"type": "and", "localConditionGroups": [earlier]}],
    }
    given = catalogue("3+", "", "Support")
    given["catalogue"]["selectionEntries"][0]["modifiers"] = [rise]
    (tmp_path / "glass.json").write_text(json.dumps(given), encoding="utf-8")
    (sheet,) = sheets_of(convert(tmp_path, "wh40k11"))
    unit = sheet.unit()
    assert (unit.points, unit.stat("surcharge_from"), unit.stat("surcharge")) == (80, 3, 10)
    assert unit.stat("role") == "support"


def test_a_star_points_to_a_text() -> None:
    starred, ranged = column_save("5+*"), column_save("4+ (ranged)")
    assert starred is not None
    assert starred.conditional
    assert ranged is not None
    assert (ranged.value, ranged.ranged) == (None, 4)
    assert column_save("") is None
    assert column_save("-") is None


def test_abilities_that_are_not_core_are_named() -> None:
    assert read_abilities("wh40k11", "Conversion, Anti-FLY 2, Close-quarters") == (
        ("Anti-Fly 2+", "Close-quarters"),
        ("Conversion",),
    )


@pytest.mark.skipif(
    not (SHARED / "catalogues" / "wh40k11").is_dir(), reason="the real catalogues are not here"
)
def test_real_catalogues_of_the_11th_edition() -> None:
    report = convert(SHARED / "catalogues" / "wh40k11", "wh40k11")
    assert report.units > 300
    marks = next(sheet.unit() for sheet in sheets_of(report) if sheet.name == "Deathmarks")
    assert (marks.stat("surcharge_from"), marks.stat("surcharge")) == (3, 10)
    assert report.share > 0.98
    assert len(report.left_out) <= 1


def gun(name: str, attacks: str) -> dict[str, Any]:
    values = {"Range": '18"', "A": attacks, "BS": "3+", "S": "6", "AP": "-2", "D": "1", "Keywords": "-"}
    return profile(name, "0000-1111-2222-3333", **values) | {"typeName": "Star Songs"}


@pytest.mark.parametrize(("said", "used"), [("", 1), ("Select up to 2 different Star Songs weapons.", 2)])
def test_weapons_in_a_profile_of_another_name(tmp_path: Path, said: str, used: int) -> None:
    """What has the characteristics of a weapon is one; of several in one entry so many are used as a text
    says, else the first, and the others are choices.
    """
    book = catalogue("3+", "", "Deep Strike")
    entry = book["catalogue"]["selectionEntries"][0]
    text = profile("Songs of the Star", "9cc3-6d83-4dd3-9b64", Description=said)
    entry["profiles"] += [text] if said else []
    songs = [gun("Dawn", "D6"), gun("Noon", "2"), gun("Dusk", "3")]
    entry["selectionEntries"].append(
        entry["selectionEntries"][0] | {"id": "s", "name": "Star Songs", "profiles": songs}
    )
    (tmp_path / "choir.json").write_text(json.dumps(book), encoding="utf-8")
    (sheet,) = sheets_of(convert(tmp_path, "wh40k11"))
    cantor = sheet.unit()
    shot = [(w.name, w.optional) for w in cantor.weapons if w.kind == "ranged"]
    names = ["Star Songs (Dawn)", "Star Songs (Noon)", "Star Songs (Dusk)"]
    assert shot == [(name, place >= used) for place, name in enumerate(names)]
    fought = mh.fight(cantor, "Marines", system="wh40k11", weapons="ranged")
    alone = mh.fight(cantor, "Marines", system="wh40k11", weapons=names[:used])
    assert fought.lost.to_dict() == alone.lost.to_dict()
