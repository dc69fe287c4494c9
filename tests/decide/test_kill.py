"""The cheapest sets that destroy a target: every set tried the long way, bad input, what the command says."""

from __future__ import annotations

import json
from itertools import combinations, product
from typing import Any

import pytest
from small_armies import COMMANDS, GAMES, SEEDS, Commanded, best_order, unit

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.datasheets.asked import faction_units

Key = tuple[frozenset[str], int]  # the units, and the command points


def every_set(
    units: list[mh.Unit], target: mh.Unit, chance: float, commands: tuple[str, ...]
) -> dict[Key, tuple[int, float]]:
    """All sets that are enough, each in its best order and with its best use of one command; none that holds
    more than another.
    """
    enough: dict[Key, tuple[int, float]] = {}
    for size in range(1, len(units) + 1):
        for some in combinations(units, size):
            for uses in product([(), *((command,) for command in commands)], repeat=size):
                spent = sum(map(len, uses))
                if spent > 1:
                    continue
                attackers: tuple[Commanded, ...] = tuple(zip(some, uses, strict=True))
                p = best_order(attackers, target)
                key = (frozenset(one.name for one in some), spent)
                if p >= chance - 1e-9 and p > enough.get(key, (0, 0.0))[1]:
                    enough[key] = (sum(one.points or 0 for one in some), p)
    return {
        key: value
        for key, value in enough.items()
        if not any(names <= key[0] and spent <= key[1] and (names, spent) != key for names, spent in enough)
    }


def told(sets: tuple[mh.KillSet, ...]) -> dict[Key, tuple[Any, Any]]:
    return {
        (frozenset(name.split(" (")[0] for name in one.units), one.command_points): (
            one.points,
            pytest.approx(one.p_destroyed, abs=1e-9),
        )
        for one in sets
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_kill_finds_what_trying_everything_finds(game: str, seed: int) -> None:
    units = [unit(game, 1000 + 10 * seed + place) for place in range(3 + seed % 2)]
    target = unit(game, 1000 + 10 * seed + 9)
    chance = (0.3, 0.6, 0.9)[seed % 3]
    found = mh.kill(target, units, chance=chance, best=100)
    assert told(found.sets) == every_set(units, target, chance, ())
    assert told(found.with_commands) == every_set(units, target, chance, COMMANDS[game])
    assert found.complete
    by_cost = [one.points for one in found.sets]
    assert by_cost == sorted(by_cost)  # type: ignore[type-var]
    few = mh.kill(target, units, chance=chance, best=2)
    assert [one.points for one in few.sets] == by_cost[:2]
    if found.sets:
        assert found.fewest is not None
        assert len(found.fewest.units) == min(len(one.units) for one in found.sets)


def test_copies_of_a_faction_and_units_of_a_list() -> None:
    faction = mh.kill("Clanrats", "Stormcast Eternals", system="aos4", chance=0.9)
    assert any(len(set(one.units)) < len(one.units) for one in faction.sets)
    text = 'system = "aos4"\n[[regiment]]\n' + '[[regiment.unit]]\nname = "Liberators"\n' * 2
    listed = mh.kill("Clanrats", mh.read_roster(text), chance=0.9)
    assert (listed.sets, listed.units) == ((), 2)
    pair = mh.pile(["Liberators", "Liberators"], "Clanrats").p_destroyed
    assert listed.p_all == pytest.approx(pair, abs=1e-12)
    assert mh.survive("Clanrats", mh.read_roster(text), chance=pair - 1e-6).sets[0].points == 180


def test_of_a_faction_a_hero_is_there_once() -> None:
    """Else two Guillimans were among the sets."""
    once = mh.kill("Deff Dread", "Space Marines", chance=0.9, best=1, points=0)
    assert once.fewest is not None
    assert once.fewest.units.count("Roboute Guilliman") <= 1
    assert max(map(once.fewest.units.count, once.fewest.units)) <= 3
    twice = mh.kill("Deff Dread", "Space Marines", chance=0.9, best=1, points=0, copies=2)
    assert twice.fewest is not None
    assert twice.fewest.units == ("Roboute Guilliman", "Roboute Guilliman")


def test_a_chance_that_a_set_just_has_is_enough() -> None:
    p = mh.pile(["Liberators", "Rat Ogors"], "Clanrats").p_destroyed
    units = ["Liberators", "Rat Ogors"]
    assert len(mh.kill("Clanrats", units, chance=p).sets) == 1
    assert mh.kill("Clanrats", units, chance=p + 1e-6).sets == ()


def test_each_command_is_used_once_in_a_phase() -> None:
    units = ["Liberators", "Liberators", "Liberators"]
    one, more = (mh.kill("Clanrats", units, chance=0.4, points=points) for points in (1, 5))
    assert (one.sets, [found.command_points for found in one.with_commands]) == ((), [1])
    assert one.with_commands == more.with_commands
    shouting = ["Liberators: all-out attack"] * 3  # as nobody may: three times in one phase
    assert mh.pile(shouting, "Clanrats").p_destroyed > one.with_commands[0].p_destroyed + 0.1


def test_units_without_points_and_without_weapons_are_named() -> None:
    axe = {"name": "Axe", "attacks": 9, "hit": 2, "wound": 2, "damage": 2}
    free = mh.make_unit("aos4", {"name": "Free", "health": 1, "weapon": [axe]})
    paid = mh.make_unit("aos4", {"name": "Paid", "health": 1, "points": 50, "weapon": [axe]})
    tree = mh.make_unit("aos4", {"name": "Tree", "health": 1, "points": 50})
    found = mh.kill("Rat Ogors", [free, paid, tree], chance=0.1, system="aos4")
    assert [name for name, _ in found.skipped] == ["Tree", "Free"]
    assert found.sets[0].units == ("Paid",)
    assert mh.kill("Rat Ogors", [free], chance=0.1, system="aos4").sets[0].points is None
    with pytest.raises(mh.BadInputError, match="kill: no unit can attack Rat Ogors"):
        mh.kill("Rat Ogors", [tree], system="aos4")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["kill", "Clanrats"], "kill: nothing to attack with (give --with LIST, a faction or units)"),
        (
            ["survive", "Clanrats"],
            "survive: nothing to attack with (give --against LIST, a faction or units)",
        ),
        (["kill", "Clanratz", "--with", "Skaven"], "kill: no unit 'Clanratz' in "),
        (
            ["kill", "Clanrats", "--with", "Skavne"],
            "kill: no unit or faction 'Skavne' (did you mean 'Skaven'?)",
        ),
        (
            ["kill", "Clanrats", "--with", "my.rosz"],
            "kill: my.rosz: no such file (give a list, or the name of",
        ),
        (
            ["kill", "Clanrats", "--with", "Skaven", "--chance", "0"],
            "kill: chance 0 % (give more than 0 and at",
        ),
        (
            ["kill", "Clanrats", "--with", "Skaven", "--best", "0"],
            "kill: best is 0 (give a whole number from 1",
        ),
        (
            ["kill", "Clanrats", "--with", "Skaven", "--most", "99"],
            "kill: most is 99 (give a whole number from",
        ),
        (["kill", "Boyz", "--with", "Skaven", "--system", "aos4"], "kill: no unit 'Boyz' in aos4"),
    ],
)
def test_bad_questions_give_a_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(message)


def test_an_empty_list_is_a_sentence(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.toml"
    path.write_text('system = "aos4"\nname = "Nobody"\n[[regiment]]\n')
    assert main(["kill", "Clanrats", "--with", str(path)]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("Nobody: no unit with a profile")


def test_the_command_says_what_python_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kill", "Clanrats", "--with", "Liberators", "Rat Ogors", "Stormvermin", "--chance", "50"]
    assert main([*words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = mh.kill("Clanrats", ["Liberators", "Rat Ogors", "Stormvermin"], chance=0.5)
    assert document["rows"] == json.loads(json.dumps(found.rows()))
    assert main(words) == 0
    assert "Destroyed with at least 50%, the cheapest first" in capsys.readouterr().out
    assert main(["survive", "Rat Ogors", "--against", "Liberators", "--chance", "99"]) == 0
    alone = mh.fight("Liberators", "Rat Ogors").p_destroyed
    together = f"Nothing destroys it with 99%: all of them together come to {alone:.1%}"
    assert together in capsys.readouterr().out
    assert main(["kill", "Clanrats", "--with", "Rat Ogors", "--chance", "99.99", "--copies", "2"]) == 0
    assert "Nothing destroys it with 99.99%: no set of them is enough" in capsys.readouterr().out


def test_the_sizes_are_those_of_the_list(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "band.toml"
    units = "".join(
        f'[[regiment.unit]]\nname = "{name}"\nmodels = {models}\n'
        for name, models in (("Rat Ogors", 6), ("Clanrats", 40))
    )
    path.write_text(f'system = "aos4"\nname = "Band"\n[[regiment]]\n{units}', encoding="utf-8")
    for words in (["kill", "Liberators", "--with", str(path)], ["plan", str(path), "Liberators"]):
        assert main(words) == 0
        first = capsys.readouterr().out.splitlines()[0]
        assert first == "Age of Sigmar 4 · exact · melee, sizes as in the list"


def test_ones_own_sheet_stands_for_the_shipped_one_of_its_name(tmp_path: Any) -> None:
    shipped = faction_units("Stormcast Eternals", "aos4", None, "kill")
    folder = tmp_path / "aos4"
    folder.mkdir()
    (folder / "own.toml").write_text(
        'system = "aos4"\nfaction = "Stormcast Eternals"\n[[unit]]\nname = "Liberators"\npoints = 7\nhealth = 2\n'
        '[[unit.weapon]]\nname = "Hammer"\nattacks = 1\nhit = 3\nwound = 3\ndamage = 1\n'
    )
    own = faction_units("Stormcast Eternals", "aos4", tmp_path, "kill")
    assert [unit.points for unit in own if unit.name == "Liberators"] == [7]
    assert sorted(unit.name for unit in own) == sorted(unit.name for unit in shipped)
