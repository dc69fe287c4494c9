"""Catalogues as they really are: kinds of models that are not there, saves in words, prices by size, what is replaced."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from catalogue_shapes import BODY, GUARD, PICK, blade, carried, converted, entry, made, profile

import mathhammer as mh
from mathhammer.battlescribe.convert import convert, store
from mathhammer.battlescribe.saves import Defence, carried_save, invulnerable
from mathhammer.lists import check_list

COSTS = '<costs><cost name="pts" value="{}"/></costs>'
PTS = "51b2-306e-1021-d207"


def bare(name: str, body: dict[str, str] = BODY) -> str:
    return profile(name, "Unit", body)


def step(points: int, *conditions: str, group: str = "") -> str:
    """A price that holds under conditions, all of them or, with `group`, in a group of them."""
    inside = f"<conditions>{''.join(conditions)}</conditions>"
    if group:
        inside = (
            f'<conditionGroups><conditionGroup type="{group}">{inside}</conditionGroup></conditionGroups>'
        )
    return f'<modifier type="set" value="{points}" field="{PTS}">{inside}</modifier>'


def asks(kind: str, value: int, child: str = "model", scope: str = "u") -> str:
    return f'<condition type="{kind}" value="{value}" field="selections" scope="{scope}" childId="{child}"/>'


def modifiers(*inside: str) -> str:
    return f"<modifiers>{''.join(inside)}</modifiers>"


# --- units that were left out -----------------------------------------------------------------------------------------------


def test_a_kind_of_models_that_is_not_there_opens_no_group(tmp_path: Path) -> None:
    riders = entry("Outrider", "model", profiles=bare("Outrider", BODY | {"W": "4"}), least=0, most=2)
    unit = made(tmp_path, entry("Warden", "model", profiles=bare("Warden"), least=5, most=5), riders)
    assert (unit["models"], unit["wounds"], "group" in unit) == (5, 1, False)


def test_a_profile_on_a_group_is_that_of_its_models(tmp_path: Path) -> None:
    group = entry(
        "Wolves",
        "group",
        entry("Wolf", "model", most=10),
        profiles=bare("Wolf", BODY | {"T": "5"}),
        least=3,
        most=10,
    )
    report = converted(tmp_path, entry("Wolves", "unit", group, id="u"))
    assert report.left_out == []
    (text,) = report.files.values()
    (unit,) = tomllib.loads(text)["unit"]
    assert (unit["models"], unit["toughness"]) == (3, 5)


def test_crusaders_are_no_campaign(tmp_path: Path) -> None:
    """Groups named Crusade hold upgrades of a campaign; one named Crusaders holds models."""
    assert (
        made(tmp_path, entry("Crusaders", "group", entry("Crusader", "model", most=20), least=10))["models"]
        == 10
    )
    assert made(tmp_path, entry("Crusade: Relics", "group", entry("Relic", "model"), least=10))["models"] == 1


def test_kill_teams_are_filled_from_the_group_with_the_default(tmp_path: Path) -> None:
    gravis = entry("Gravis", "group", entry("Gravis Veteran", "model", most=3), most=3)
    plain = entry("Plain", "group", entry("Veteran", "model", least=2, most=10, id="v"), least=3, most=10)
    team = entry("Team", "group", gravis, plain, least=10, most=10, defaultSelectionEntryId="v")
    assert made(tmp_path, team)["models"] == 10


def test_a_choice_between_whole_sets_of_models(tmp_path: Path) -> None:
    small = entry("5 models", "upgrade", entry("Warden", "model", least=5, most=5), id="five")
    large = entry("10 models", "upgrade", entry("Warden", "model", least=10, most=10), id="ten")
    more = COSTS.format(100) + modifiers(step(190, asks("atLeast", 1, "ten")))
    unit = made(tmp_path, entry("Composition", "group", small, large, least=1, most=1), more=more)
    assert (unit["models"], unit["points"], unit["prices"]) == (5, 100, {"5": 100, "10": 190})


def test_limits_may_name_the_group_above(tmp_path: Path) -> None:
    inside = '<constraint type="min" value="3" field="selections" scope="g"/>'
    warden = (
        f'<selectionEntry name="Warden" type="model"><constraints>{inside}</constraints></selectionEntry>'
    )
    assert made(tmp_path, entry("Wardens", "group", warden, id="g"))["models"] == 3


def test_a_model_that_comes_later_is_not_there(tmp_path: Path) -> None:
    pilot = bare("Pilot") + profile("Using Pilot", "Abilities", {"Description": "x"})
    engine = entry("Engine", "model", profiles=bare("Engine"), least=1, most=1)
    assert made(tmp_path, engine, entry("Pilot", "model", profiles=pilot, least=1, most=1))["models"] == 1


# --- prices by size ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "prices"),
    [
        ((step(150, asks("atLeast", 6)),), {"5": 70, "10": 150}),
        ((step(150, asks("greaterThan", 5, scope="self")),), {"5": 70, "10": 150}),
        ((step(150, asks("atLeast", 6, "m")),), {"5": 70, "10": 150}),
        (
            (step(110, asks("atLeast", 6), asks("lessThan", 9), group="and"), step(150, asks("atLeast", 9))),
            {"5": 70, "8": 110, "10": 150},
        ),
        ((step(150, asks("equalTo", 10)),), {"9": 70, "10": 150}),
        ((step(90, asks("atLeast", 1, scope="force")),), None),  # of the army, not of the unit
        ((step(70, asks("atLeast", 6)),), None),
    ],
)
def test_prices_by_size(tmp_path: Path, steps: tuple[str, ...], prices: dict[str, int] | None) -> None:
    models = entry("Wardens", "group", entry("Warden", "model", most=10, id="m"), least=5, most=10)
    unit = made(tmp_path, models, more=COSTS.format(70) + modifiers(*steps))
    assert (unit["points"], unit.get("prices")) == (70, prices)


def test_imported_prices_are_used(tmp_path: Path) -> None:
    models = entry("Wardens", "group", entry("Warden", "model", most=10), least=5, most=10)
    more = COSTS.format(70) + modifiers(step(150, asks("atLeast", 6)))
    made(tmp_path, models, more=more)
    store(convert(tmp_path, "wh40k10"), tmp_path / "sheets")
    unit = mh.unit("10 Wardens", "wh40k10", datasheets=tmp_path / "sheets")
    assert (unit.models, unit.points) == (10, 150)
    assert mh.unit("6 Wardens", "wh40k10", datasheets=tmp_path / "sheets").points == 150


# --- saves in words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "defence"),
    [
        ("Invulnerable Save (5+*)", "This model, when it dozes, has a 5+ invulnerable save.", Defence(5)),
        (
            "Invulnerable Save (5+*)",
            "It has a 5+ invulnerable save against ranged attacks.",
            Defence(ranged=5),
        ),
        ("Invulnerable Save (5+*)", "", Defence(conditional=True)),
        (
            "Invulnerable Save",
            "6+ against ranged attacks, and 4+ against melee attacks.",
            Defence(ranged=6, melee=4),
        ),
        (
            "Invulnerable Save",
            "This unit has a 6+ one.\nIt has a 4+ one against melee attacks.",
            Defence(6, melee=4),
        ),
        ("Invulnerable Save", "A 5+ one, improved to 4+ against melee attacks.", Defence(5, melee=4)),
        ("Invulnerable Save*", "4+\n* it has a 4+ one against melee attacks", Defence(melee=4)),
        ("Invunerable Save", "This model has a 5+ one.", Defence(5)),
        ("Stealth", "5+", None),
    ],
)
def test_saves_in_words(name: str, text: str, defence: Defence | None) -> None:
    assert invulnerable(name, text) == defence


def shield(text: str = "The bearer has a 3+ invulnerable save.", **limits: object) -> str:
    return entry("Dome", "upgrade", profiles=profile("Dome", "Abilities", {"Description": text}), **limits)  # type: ignore[arg-type]


def test_a_shield_that_all_carry_gives_its_save(tmp_path: Path) -> None:
    unit = made(tmp_path, entry("Warden", "model", shield(least=1), least=5))
    assert (unit["invuln"], unit["problems"]) == (3, [])


def test_a_shield_that_some_carry_is_a_group_of_its_own(tmp_path: Path) -> None:
    sworn = entry("Sworn Warden", "model", shield(least=1), least=2)
    unit = made(tmp_path, entry("Warden", "model", least=3), sworn)
    assert [(group["name"], group["models"], group.get("invuln")) for group in unit["group"]] == [
        ("Wardens", 3, None),
        ("Sworn Warden", 2, 3),
    ]


def test_a_shield_that_nobody_carries_is_told(tmp_path: Path) -> None:
    unit = made(tmp_path, entry("Warden", "model", shield(most=1), least=5))
    assert "invuln" not in unit
    assert unit["problems"] == [
        "C, Wardens: Dome is not carried by default, its save counts where a list names it"
    ]
    assert unit["shields"] == {"Dome": 3}


def test_a_shield_that_a_list_names_gives_its_save(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    sworn = entry("Sworn Warden", "model", shield(most=1), profiles=bare("Sworn", BODY | {"W": "2"}), least=2)
    squad = entry("Wardens", "unit", entry("Warden", "model", shield(most=1), least=3), sworn, id="u")
    body = squad.replace("<profiles></profiles>", f"<profiles>{bare('Warden')}</profiles>", 1)
    store(converted(tmp_path / "in", body), tmp_path / "out")
    text = (
        "+ FACTION KEYWORD: C\n+ DETACHMENT: D\n+ TOTAL ARMY POINTS: 90pts\n\nWardens (90 pts)\n"
        "• 3x Warden\n    • {}x Dome\n• 2x Sworn\n    • {}x Dome\n"
    )

    def saves(wardens: int, sworn: int) -> tuple[list[int | None], tuple[str, ...]]:
        army = mh.read_roster(text.format(wardens, sworn), datasheets=tmp_path / "out")
        return [group.stat("invuln") for group in army.units[0].groups], army.warnings

    assert saves(3, 2) == ([3, 3], ())
    assert saves(0, 2) == ([None, 3], ())
    told = "Wardens: 1 of 5 models carry Dome, its invulnerable save of 3+ is left out"
    assert saves(1, 0) == ([None, None], (told,))


def test_what_is_no_shield() -> None:
    assert (
        carried_save("While the bearer is leading a unit, models in that unit have a 2+ invulnerable save.")
        is None
    )
    assert carried_save("This model has a 2+ invulnerable save against ranged attacks.") == Defence(ranged=2)


# --- bearers ----------------------------------------------------------------------------------------------------------------


def hides(*ids: str) -> str:
    inside = "".join(asks("atLeast", 1, each, "parent") for each in ids)
    groups = f'<conditionGroups><conditionGroup type="or"><conditions>{inside}</conditions></conditionGroup></conditionGroups>'
    return modifiers(f'<modifier type="set" value="true" field="hidden">{groups}</modifier>')


def pick(name: str) -> str:
    return profile(name, "Melee Weapon", PICK)


def test_special_weapons_replace_what_they_hide(tmp_path: Path) -> None:
    usual = entry("Pick", "upgrade", profiles=pick("Pick"), least=1, more=hides("h"), id="p")
    special = entry("Hammer", "upgrade", profiles=pick("Hammer"), id="h", defaultAmount="0,1")
    model = entry("Guard", "model", usual, special, least=5, most=5, defaultAmount="4,1")
    assert carried(made(tmp_path, model, system="aos4")) == {"Pick": (4, False), "Hammer": (1, False)}


@pytest.mark.parametrize("split", ["1,0", "1,0,"])
def test_champions_of_undivided_models(tmp_path: Path, split: str) -> None:
    """`1,0` on what they carry divides models that have no numbers of their own."""
    horn = entry("Horn", "upgrade", profiles=pick("Horn"), id="h", defaultAmount="0,1")
    usual = entry("Pick", "upgrade", profiles=pick("Pick"), least=1, id="p")
    champion = entry("Champion", "upgrade", defaultAmount=split, id="c")
    model = entry("Guard", "model", usual, horn, champion, least=5, most=5)
    unit = made(tmp_path, model, system="aos4")
    assert carried(unit) == {"Pick": (None, False), "Horn": (4, False)}
    assert [(weapon["name"], weapon["champions"]) for weapon in unit["weapon"]] == [("Pick", 1), ("Horn", 0)]


# --- names that lists use ---------------------------------------------------------------------------------------------------


def test_names_of_models_and_wargear(tmp_path: Path) -> None:
    icon = entry("Icon", "upgrade", most=1)
    sword = entry("Sword", "upgrade", profiles=blade("Sword"), least=1)
    unit = made(
        tmp_path,
        entry("Warden w/ sword", "model", sword, icon, least=4),
        entry("Cantor", "model", sword, least=1),
    )
    assert (unit["model_names"], unit["wargear"]) == (["Warden", "Cantor"], ["Icon"])


def test_a_unit_with_points_comes_before_its_copy_without(tmp_path: Path) -> None:
    body = profile("Guard", "Unit", GUARD)
    unit = entry("Guard", "unit", entry("Guard", "model", least=3), profiles=body, more="{}")
    for folder, file, price in (
        (tmp_path / "a", "Bundles", ""),
        (tmp_path / "b", "Guards", COSTS.format(90)),
    ):
        folder.mkdir()
        report = converted(folder, unit.replace("{}", price), system="aos4")
        report.files = {f"{file.lower()}.toml": next(iter(report.files.values()))}
        store(report, tmp_path / "sheets")
    assert mh.load_unit("Guard", "aos4", datasheets=tmp_path / "sheets").points == 90
    text = 'system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "Guard"\n'
    assert mh.read_roster(text, datasheets=tmp_path / "sheets").units[0].points == 90


# --- smaller variants of a unit ---------------------------------------------------------------------------------------------

SMALL = '<categoryLinks><categoryLink name="Small" targetId="small"/></categoryLinks>'


def fewer(constraint: str, scope: str, more: str = "") -> str:
    """A limit that is 2 for units of the category Small."""
    ask = f'<condition type="instanceOf" value="1" field="selections" scope="{scope}" childId="small"/>'
    return (
        f'<modifier type="set" value="2" field="{constraint}"><conditions>{ask}{more}</conditions></modifier>'
    )


def three_or_two(more: str = "") -> str:
    """Three models, or two in units of the category Small."""
    limits = "".join(
        f'<constraint type="{kind}" value="3" field="selections" scope="parent" id="{kind}-3"/>'
        for kind in ("min", "max")
    )
    changed = modifiers(fewer("min-3", "parent", more), fewer("max-3", "root-entry", more))
    model = entry("Warden", "model", profiles=profile("Pick", "Melee Weapon", PICK), more=changed)
    return model.replace("<constraints></constraints>", f"<constraints>{limits}</constraints>")


def link(points: int, more: str = "") -> str:
    return f'<entryLink name="Wardens" targetId="w" type="selectionEntry">{more}{COSTS.format(points)}</entryLink>'


def variants(folder: Path, *links: str, more: str = "") -> dict[str, tuple[int, int]]:
    """Name, models and points of the units that these links to one entry give, in the order of the file."""
    unit = entry("Wardens", "unit", three_or_two(more), profiles=bare("Wardens", GUARD), id="w")
    shared = (
        f"<sharedSelectionEntries>{unit}</sharedSelectionEntries><entryLinks>{''.join(links)}</entryLinks>"
    )
    report = converted(folder, system="aos4", shared=shared)
    assert not report.left_out
    return {
        made["name"]: (made["models"], made["points"])
        for made in tomllib.loads(report.files["c.toml"])["unit"]
    }


def test_a_smaller_variant_has_its_own_size_and_the_plain_name_is_the_full_unit(tmp_path: Path) -> None:
    wanted = [("Wardens", (3, 160)), ("Wardens (2 models)", (2, 90))]
    assert list(variants(tmp_path, link(90, SMALL), link(160)).items()) == wanted
    assert list(variants(tmp_path, link(160), link(90, SMALL)).items()) == wanted


def test_a_limit_that_asks_for_more_than_the_variant_stays(tmp_path: Path) -> None:
    other = '<condition type="atLeast" value="1" field="selections" scope="roster" childId="x"/>'
    assert variants(tmp_path, link(90, SMALL), more=other) == {"Wardens": (3, 90)}


def test_a_unit_that_a_catalogue_has_twice_is_told(tmp_path: Path) -> None:
    unit = entry("Wardens", "unit", three_or_two(), profiles=bare("Wardens", GUARD), id="w")
    shared = f"<sharedSelectionEntries>{unit}</sharedSelectionEntries><entryLinks>{link(90)}{link(90)}</entryLinks>"
    report = converted(tmp_path, system="aos4", shared=shared)
    assert (report.units, report.twice) == (1, ["C, Wardens"])


def test_a_list_finds_the_full_unit_by_its_plain_name(tmp_path: Path) -> None:
    unit = entry("Wardens", "unit", three_or_two(), profiles=bare("Wardens", GUARD), id="w")
    shared = f"<sharedSelectionEntries>{unit}</sharedSelectionEntries><entryLinks>{link(90, SMALL)}{link(160)}</entryLinks>"
    (tmp_path / "in").mkdir()
    report = converted(tmp_path / "in", system="aos4", shared=shared)
    store(report, tmp_path / "out")
    text = "Two 250/2000 pts\n-----\nC | Forge\nDrops: 1\n-----\nRegiment 1\nWardens (160)\nWardens (2 models) (90)\n"
    army = mh.read_roster(text, datasheets=tmp_path / "out")
    assert [(unit.models, unit.points) for unit in army.units] == [(3, 160), (2, 90)]
    assert army.warnings == ()
    broken = [finding for finding in check_list(army) if finding.rule == "AC-3.3"]
    assert broken == []  # the smaller size is one that may be bought
    told = check_list(mh.read_roster(text.replace("(2 models)", "(1 model)"), datasheets=tmp_path / "out"))
    assert [finding.rule for finding in told if finding.verdict == "broken"][-1:] == ["AC-3.3"]
