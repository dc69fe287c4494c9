"""What lists do: against single fights, small enumerations and hand-made cases."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import ROOT

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.compare.landed import VALUES
from mathhammer.compare.optimise import best_lists, best_loadouts, loadouts, objective, score
from mathhammer.datasheets.library import reference_targets
from mathhammer.frames import list_damage, list_exchange, list_health
from mathhammer.lists.army import army_of, army_values, carriers, damage_rows, lacks, ways_to_attack
from mathhammer.lists.durability import health_rows, hits_to_destroy
from mathhammer.lists.exchange import assignment, exchange_of, trade
from mathhammer.units.unit import Unit

KILNS = str(ROOT / "tests" / "fixtures" / "rosters" / "kilns.ros")
SHARED = ROOT.parent / "shared" / "data" / "rosters"


def unit(name: str, **fields: Any) -> mh.Unit:
    sword = {"name": "Sword", "attacks": 4, "hit": 3, "wound": 3, "damage": 1}
    return mh.make_unit(
        "aos4", {"name": name, "models": 5, "health": 2, "save": 4, "points": 100, "weapon": [sword]} | fields
    )


def test_damage_rows_are_single_fights_with_friends_gifts() -> None:
    leader = unit("Leader", models=1, effect=[{"name": "Zeal", "on": "friends", "hit_roll": "+1"}])
    army = army_of([unit("Line"), leader])
    targets = list(reference_targets("aos4"))
    rows = damage_rows(army_values(army))
    assert len(rows) == 2 * 8
    for row in rows:
        attacker = next(u for u in army.units if u.name == row["unit"])
        target = next(t for t in targets if t.name == row["target"])
        result = mh.fight(attacker, target, friends=[leader] if row["unit"] == "Line" else [])
        assert row["damage"] == pytest.approx(result.damage.mean())
        assert row["p_destroyed"] == pytest.approx(result.p_destroyed)
        assert row["per_100"] == pytest.approx(row["damage"])


@pytest.mark.rule("WH40K-ATTACKS")
def test_a_model_of_40k_strikes_with_the_better_of_its_weapons() -> None:
    """WH40K-ATTACKS: the report, a fight and a matrix choose alike, for each target by itself."""
    knife = {"name": "Knife", "attacks": 4, "skill": 3, "strength": 4, "ap": 0, "damage": 1}
    fist = {"name": "Fist", "models": 1, "attacks": 2, "skill": 3, "strength": 8, "ap": -2, "damage": 3}
    body = {"name": "Squad", "models": 5, "toughness": 4, "wounds": 2, "points": 100}
    squad = mh.make_unit("wh40k10", body | {"weapon": [knife, fist]})
    horde = mh.make_unit(
        "wh40k10", {"name": "Horde", "models": 20, "toughness": 3, "wounds": 1, "points": 60}
    )
    tank = mh.make_unit("wh40k10", {"name": "Tank", "toughness": 10, "wounds": 12, "save": 3, "points": 150})

    def with_knives(number: int) -> mh.Unit:
        arms = [knife | {"models": number}, fist] if number < 5 else [knife]
        return mh.make_unit("wh40k10", body | {"weapon": arms})

    values = army_values(army_of([squad]), [horde, tank]).kinds["melee"][0, :, VALUES.index("lost")]
    for target, number, seen in ((horde, 5, values[0]), (tank, 4, values[1])):
        wanted = mh.fight(with_knives(number), target).lost.mean()
        other = mh.fight(with_knives(9 - number), target).lost.mean()
        assert other < wanted
        assert mh.fight(squad, target).lost.mean() == pytest.approx(wanted, abs=1e-12)
        assert mh.fight(squad, target, weapons="melee").lost.mean() == pytest.approx(wanted, abs=1e-12)
        assert seen == pytest.approx(wanted, abs=1e-12)
        assert score(squad, objective([target])) == pytest.approx(
            (target.points or 0) * wanted / target.health
        )


@pytest.mark.parametrize(("pierce", "damage"), list(itertools.product((0, 2), (1, 2, "D6"))))
def test_hits_to_destroy_match_dice_rolled_to_the_end(pierce: int, damage: int | str) -> None:
    rng = np.random.default_rng(3)
    games = 20_000
    tough = mh.make_unit(
        "wh40k10", {"name": "T", "models": 3, "toughness": 4, "wounds": 3, "save": 3, "fnp": 5}
    )
    wall = unit("W", models=3, health=3, save=3, ward=5)
    for target, spills in ((tough, False), (wall, True)):
        left = np.full(games, 9)
        hits = np.zeros(games)
        while (left > 0).any():
            alive = left > 0
            hits += alive
            unsaved = rng.integers(1, 7, games) - pierce < 3
            points = rng.integers(1, 7, games) if damage == "D6" else np.full(games, int(damage))
            kept = rng.binomial(points, 4 / 6)
            dealt = np.where(alive & unsaved, kept if spills else np.minimum(kept, (left - 1) % 3 + 1), 0)
            left = np.maximum(0, left - dealt)
        spread = hits.std() / games**0.5
        assert abs(hits.mean() - hits_to_destroy(target, pierce, damage)) < 6.2 * spread


def test_health_rows_cover_piercing_and_damage() -> None:
    rows = health_rows(army_of([unit("Line")]))
    assert {(row["pierce"], row["damage"]) for row in rows} == set(
        itertools.product((0, 1, 2, 3), (1, 2, 3, "D6"))
    )
    assert rows[0]["hits"] == pytest.approx(20.0)  # ten wounds, half of the hits saved
    assert rows[0]["effective_health"] == rows[0]["per_100"] == pytest.approx(20.0)


def test_carriers_and_lacks() -> None:
    twig = {"name": "Twig", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}
    army = army_of(
        [
            unit(
                "Strong",
                weapon=[{"name": "Axe", "attacks": 20, "hit": 2, "wound": 2, "rend": 3, "damage": 3}],
            ),
            unit("Weak", weapon=[twig]),
        ]
    )
    values = army_values(army)
    shares = carriers(values)
    assert [name for name, _, _ in shares] == ["Strong", "Weak"]
    assert sum(done for _, done, _ in shares) == pytest.approx(1.0)
    assert shares[0][2] == pytest.approx(0.5)
    assert lacks(values) == []
    weak = lacks(army_values(army_of([unit("Weak", weapon=[twig])])))
    assert len(weak) == 8
    assert weak[0].startswith("no answer to Horde: the three best attackers (Weak) take 0.")


def test_the_assignment_is_the_best_of_all() -> None:
    rng = np.random.default_rng(5)
    other = army_of([unit(f"T{n}", points=int(p)) for n, p in enumerate((60, 100, 150))])
    for _ in range(10):
        removed = rng.uniform(0, 80, (4, 3))

        def worth(picks: Any, removed: Any = removed) -> float:
            return sum(
                min(u.points or 0, sum(removed[a, t] for a, t in picks if t == j))
                for j, u in enumerate(other.units)
            )

        best = max(worth(list(enumerate(choice))) for choice in itertools.product(range(3), repeat=4))
        assert worth(assignment(removed, other)) == pytest.approx(best, abs=0.01)


def test_an_exchange_of_one_unit_each_can_be_done_by_hand() -> None:
    a, b = army_of([unit("A")], "A"), army_of([unit("B", models=10, points=200)], "B")
    found = exchange_of(a, b)
    hit_b = mh.fight(a.units[0], b.units[0]).lost.mean() / 20
    hit_a = mh.fight(b.units[0], a.units[0]).lost.mean() / 10
    assert found.a.removed[0, 0] == pytest.approx(200 * hit_b)
    first = trade(found, "a")
    assert first["b_loses"] == pytest.approx(200 * hit_b)
    assert first["a_loses"] == pytest.approx(100 * hit_a * (1 - hit_b))
    second = trade(found, "b")
    assert second["a_loses"] == pytest.approx(100 * hit_a)
    table = list_exchange([unit("A")], [unit("B", models=10, points=200)])
    assert table["points_removed"].tolist() == pytest.approx([200 * hit_b, 100 * hit_a])
    assert table["assigned"].all()


def test_frames() -> None:
    assert len(list_damage(["Liberators"], ["Clanrats"], system="aos4")) == 1
    assert len(list_health("Liberators", system="aos4")) == 16


@pytest.mark.rule("AOS4-AC-3.4")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: army_of([], "x.ros"),
            "x.ros: no unit with a profile (import its catalogue, or add datasheets)",
        ),
        (
            lambda: army_of([unit("A"), mh.load_unit("Necron Warriors", "wh40k10")], "x"),
            "x: units of aos4 and wh40k10 (one list, one game)",
        ),
        (
            lambda: exchange_of(
                army_of([unit("A")], "A"), army_of([mh.load_unit("Necron Warriors", "wh40k10")], "B")
            ),
            "list compare: A plays aos4, B plays wh40k10 (compare lists of one game)",
        ),
        (
            lambda: army_of([Unit("diskwars", "Boyz", (), "toughness")], "x"),
            "x: Warhammer: Diskwars has no lists of this kind (give units of a game with hit, wound and save rolls)",
        ),
        (lambda: objective([]), "optimise: no target (say against whom)"),
        (
            lambda: best_lists([unit("A", points=0)], objective([unit("B")]), 1000),
            "optimise: no unit of the pool has points (give some of them points)",
        ),
        (lambda: objective([unit("A")], [0.5, 0.5]), "optimise: 2 weights for 1 targets (give one for each)"),
        (
            lambda: objective([unit("A")], [0.5]),
            "optimise: weights add up to 0.5 (they must be at least 0 and add up to 1)",
        ),
        (
            lambda: objective([mh.make_unit("aos4", {"name": "A", "health": 1})]),
            "optimise: A has no points (targets need points to be removed)",
        ),
        (
            lambda: best_loadouts(unit("A", weapon=[]), objective([unit("B")])),
            "optimise: no loadout of A can hurt these targets (choose others, or another kind of attack)",
        ),
        (
            lambda: best_lists([unit("A", weapon=[])], objective([unit("B")]), 1000),
            "optimise: no unit of the pool can hurt these targets (choose others)",
        ),
        (
            lambda: best_lists([unit("A")], objective([unit("B")]), 1000),
            "optimise: no legal list within 1000 points (the pool needs a hero or Character that fits)",
        ),
        (
            lambda: best_lists([unit("A")], objective([unit("B")]), 0),
            "optimise: limit 0 (give points from 1 to 100000)",
        ),
        (
            lambda: best_lists([unit("A")], objective([unit("B")]), 1000, solutions=0),
            "optimise: 0 solutions (give 1 to 20)",
        ),
        (
            lambda: best_lists([unit("A")], objective([unit("B")]), 1000, fixed={"C": 1}),
            "optimise: 'C' is not in the pool (or has no points)",
        ),
        (
            lambda: best_lists(
                [unit("A", keywords=["unique"])], objective([unit("B")]), 1000, fixed={"A": 2}
            ),
            "optimise: 2 A are more than a list of 1000 points may hold (1)",
        ),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        call()
    assert str(caught.value) == message


# --- optimise -------------------------------------------------------------------------------------------------------------


def test_loadouts_swap_what_most_models_carry() -> None:
    squad = mh.load_unit("Intercessor Squad", "wh40k10")
    fist = loadouts(squad)["Power fist"]
    assert {w.name: w.bearers for w in fist.weapons if w.kind == "melee"} == {
        "Close combat weapon": 4,
        "Power fist": 1,
    }
    goal = objective(list(reference_targets("wh40k10"))[:2], [0.7, 0.3])
    ranked = best_loadouts(squad, goal)
    assert ranked[0][0] == "Power fist"
    assert ranked[0][1] == pytest.approx(score(fist, goal))
    assert [value for _, value in ranked] == sorted((value for _, value in ranked), reverse=True)


@pytest.mark.rule("AOS4-AC-3.1", "AOS4-AC-3.2")
def test_the_best_list_is_the_best_of_an_enumeration() -> None:
    hero = unit("Hero", models=1, points=90, keywords=["hero"])
    pool = [hero, unit("Cheap", models=3, points=70), unit("Dear", models=10, points=210)]
    goal = objective([unit("Wall", models=10, points=200)])
    values = [score(u, goal) for u in pool]
    best = 0.0
    for numbers in itertools.product(range(8), repeat=3):
        points = sum(n * (u.points or 0) for n, u in zip(numbers, pool, strict=True))
        heroes, others = numbers[0], numbers[1] + numbers[2]
        if points <= 600 and 1 <= heroes <= 5 and others <= 3 * heroes + 1:
            best = max(best, sum(n * v for n, v in zip(numbers, values, strict=True)))
    found = best_lists(pool, goal, 600, solutions=4)
    assert found[0].score == pytest.approx(best)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert len({one.units for one in found}) == 4
    forced = best_lists(pool, goal, 600, solutions=1, fixed={"Cheap": 2})
    assert dict(forced[0].units)["Cheap"] >= 2


@pytest.mark.rule("AOS4-AC-1.2", "AOS4-AC-3.1", "AOS4-AC-3.2", "AOS4-AC-3.4")
def test_the_best_list_is_a_legal_one() -> None:
    """AC-3.1: five heroes at most, and three others for each; AC-3.2: a fourth for the general; AC-1.2: nothing above half of the limit; AC-3.4."""
    goal = objective([unit("Wall", models=10, points=200)])

    def best(limit: int, *pool: mh.Unit) -> dict[str, int]:
        (found,) = best_lists(list(pool), goal, limit, solutions=1)
        return dict(found.units)

    hero = unit("Hero", models=1, points=100, keywords=["hero"])
    line = unit("Line", models=10, points=100)
    assert best(2000, hero) == {"Hero": 5}
    assert best(500, hero, line) == {"Hero": 1, "Line": 4}
    assert best(600, hero, line) == {"Hero": 2, "Line": 4}
    giant = unit("Giant", models=30, points=501)
    assert best(1002, hero, giant) == {"Hero": 5, "Giant": 1}
    assert best(1000, hero, giant) == {"Hero": 5}
    assert best(1000, hero, unit("Legend", models=30, points=100, keywords=["unique"])) == {
        "Hero": 5,
        "Legend": 1,
    }


def enumerated(pool: list[mh.Unit], most: list[int], values: list[float], limit: int) -> float:
    """The best sum of values with at least one of the first unit, tried one list after the other."""
    best = 0.0
    for numbers in itertools.product(*(range(number + 1) for number in most)):
        points = sum(number * (each.points or 0) for number, each in zip(numbers, pool, strict=True))
        if points <= limit and numbers[0]:
            best = max(best, sum(number * value for number, value in zip(numbers, values, strict=True)))
    return best


@pytest.mark.rule("WH40K-ROSTER")
def test_lists_of_40k_hold_a_datasheet_so_many_times() -> None:
    """WH40K-ROSTER: an Epic Hero once, Battleline and Dedicated Transports six times, everything else three times."""

    def squad(name: str, points: int, skill: int, *keywords: str) -> mh.Unit:
        gun = {
            "name": "Gun",
            "kind": "ranged",
            "range": 24,
            "attacks": 2,
            "skill": skill,
            "strength": 4,
            "ap": 0,
            "damage": 1,
        }
        fields = {
            "name": name,
            "models": 5,
            "toughness": 4,
            "wounds": 1,
            "save": 4,
            "points": points,
            "keywords": list(keywords),
        }
        return mh.make_unit("wh40k10", {**fields, "weapon": [gun]})

    pool = [
        squad("Lord", 40, 2, "Character", "Epic Hero"),
        squad("Line", 60, 4, "Battleline"),
        squad("Elite", 70, 3),
    ]
    goal = objective([squad("Wall", 100, 4)])
    values = [score(each, goal) for each in pool]
    for limit in (500, 5000):
        (found,) = best_lists(pool, goal, limit, solutions=1)
        assert found.score == pytest.approx(enumerated(pool, [1, 6, 3], values, limit))
    assert dict(found.units) == {"Lord": 1, "Line": 6, "Elite": 3}


@pytest.mark.rule("WH40K-WARLORD")
def test_the_best_list_of_40k_has_a_warlord() -> None:
    """WH40K-WARLORD: a Character leads, though the points would be better spent on a third squad."""
    body = {"models": 5, "toughness": 4, "wounds": 1, "save": 4, "points": 100}
    gun = {"name": "Gun", "kind": "ranged", "range": 24, "attacks": 2, "skill": 3, "strength": 4, "damage": 1}
    line = mh.make_unit("wh40k10", {"name": "Line", **body, "weapon": [gun]})
    lord = mh.make_unit(
        "wh40k10", {"name": "Lord", **body, "models": 1, "keywords": ["Character"], "weapon": [gun]}
    )
    (found,) = best_lists([lord, line], objective([line]), 300, solutions=1)
    assert dict(found.units) == {"Lord": 1, "Line": 2}


def test_lists_of_the_first_age_of_sigmar_have_no_such_rules() -> None:
    sword = {"name": "Sword", "attacks": 1, "hit": 3, "wound": 3, "damage": 1}
    hero, rats = (
        mh.make_unit("aos1", {"name": name, "wounds": 1, "points": 10, "keywords": words, "weapon": [sword]})
        for name, words in (("Hero", ["hero"]), ("Rats", []))
    )
    (found,) = best_lists([hero, rats], objective([rats]), 1000, solutions=1)
    assert dict(found.units) == {"Hero": 20, "Rats": 20}  # twenty of each are the most that is tried


# --- commands -------------------------------------------------------------------------------------------------------------


def test_list_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "report", KILNS]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Night kilns: 6 of 6 units, 900 of 900 points have a datasheet\n")
    assert "Wounding hits that it takes to destroy the unit" in out
    assert main(["list", "report", KILNS, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "mathhammer-list-report/1"
    assert len(found["damage"]) == 48
    assert main(["list", "report", str(ROOT / "nothing.ros")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_list_compare(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "compare", KILNS, KILNS]) == 0
    out = capsys.readouterr().out
    assert out.count("Best assignment") == 2
    assert "strikes first, it removes" in out
    assert main(["list", "compare", KILNS, KILNS, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["a"]["points_removed"] == found["b"]["points_removed"]


def test_optimise_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["optimise", "Intercessor Squad", "--vs", "Marines", "Guardsmen", "--weights", "0.7,0.3"]) == 0
    )
    captured = capsys.readouterr()
    assert captured.out.splitlines()[2].startswith("Power fist")
    assert (
        captured.err
        == "maximised: mean points removed in one action (the better of melee and shooting), averaged over 70% Marines, 30% Guardsmen\n"
    )
    assert (
        main(
            [
                "optimise",
                "Skaven",
                "--system",
                "aos4",
                "--limit",
                "1000",
                "--include",
                "Rat Ogors",
                "--format",
                "json",
            ]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert all("Rat Ogors" in row["list"] for row in found["rows"])
    for words, message in (
        (
            ["Skaven", "--system", "aos4"],
            "optimise: name one unit for its loadouts, or give --limit for a list\n",
        ),
        (
            ["Liberators", "--weights", "a,b"],
            "optimise: weights 'a,b' (write numbers with commas, such as 0.7,0.3)\n",
        ),
    ):
        assert main(["optimise", *words]) == 2
        assert capsys.readouterr().err.endswith(message)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real lists of ../shared/data are not here")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("aos4/kruleboyz-2k.rosz", "aos4/sons-of-behemat-all-units.ros"),
        ("wh40k10/necrons-battlescribe.rosz", "wh40k10/votann-battlescribe.rosz"),
    ],
)
def test_real_lists_are_compared_both_ways(capsys: pytest.CaptureFixture[str], a: str, b: str) -> None:
    assert main(["list", "compare", str(SHARED / a), str(SHARED / b), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert np.array(found["a"]["points_removed"]).min() >= 0
    assert found["a"]["points"] > 0


# --- each thing is worked out once ----------------------------------------------------------------------------------------


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """Every integer program that is solved, and every (unit, targets, weapons) that is worked out."""
    import scipy.optimize

    from mathhammer.lists import army

    calls: dict[str, list[Any]] = {"programs": [], "fillings": []}
    solve, fill = scipy.optimize.milp, army.fill_matrix

    def milp(*args: Any, **options: Any) -> Any:
        calls["programs"].append(options)
        return solve(*args, **options)

    def fill_matrix(attackers: Any, targets: Any, **options: Any) -> Any:
        calls["fillings"].append((id(attackers[0]), tuple(map(id, targets)), tuple(options["weapons"])))
        return fill(attackers, targets, **options)

    monkeypatch.setattr(scipy.optimize, "milp", milp)
    monkeypatch.setattr(army, "fill_matrix", fill_matrix)
    return calls


HAMMERS = ("Liberators", "Stormdrake Guard")  # the second also shoots
RATS = ("Clanrats", "Ratling Guns")  # the second shoots, too


def list_file(folder: Path, name: str, units: tuple[str, ...]) -> str:
    path = folder / f"{name}.toml"
    body = "".join(f'[[regiment.unit]]\nname = "{unit}"\n' for unit in units)
    path.write_text(f'system = "aos4"\nname = "{name}"\n[[regiment]]\n{body}', encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("command", "lists", "programs", "purposes"),
    [
        (("list", "report"), 1, 0, 1),  # against the reference targets
        (("list", "compare"), 2, 2, 2),  # each against the other
        (("list", "compare", "--format", "json"), 2, 2, 2),
        (("report",), 1, 0, 1),
        (("report",), 2, 2, 4),  # each against the other, and each against the reference targets
    ],
)
def test_army_values_and_assignments_are_worked_out_once(
    command: tuple[str, ...],
    lists: int,
    programs: int,
    purposes: int,
    counted: dict[str, list[Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [list_file(tmp_path, "Hammers", HAMMERS), list_file(tmp_path, "Rats", RATS)][:lists]
    assert main([*command, *files]) == 0
    capsys.readouterr()
    assert len(counted["programs"]) == programs
    armies = [army_of([mh.load_unit(name, "aos4") for name in names]) for names in (HAMMERS, RATS)[:lists]]
    attacks = sum(len(ways_to_attack(army, one)) for army in armies for one in army.units)
    assert attacks == 3 * lists
    assert len(counted["fillings"]) == attacks * purposes // lists
    assert len(set(counted["fillings"])) == len(counted["fillings"])


def test_a_probe_is_built_from_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Durability does not write a line of text for a parser to read."""
    from mathhammer.games import one_line
    from mathhammer.lists import durability

    def refuse(*_: object) -> None:
        raise AssertionError("a line was parsed")

    durability._probe.cache_clear()
    monkeypatch.setattr(one_line, "scan", refuse)
    folders = {"aos1": "aos1", "aos4": "aos4", "wh40k10": "wh40k", "wh40k11": "wh40k"}
    for system, folder in folders.items():
        monkeypatch.setattr(f"mathhammer.games.{folder}.quick.scan", refuse)
        attack = durability._probe(system, 2, "D3").weapons[0]
        assert (str(attack.attacks), str(attack.damage)) == ("1", "D3")
        assert attack.stat("rend", 0) == 2 or attack.stat("ap", 0) == -2
    with pytest.raises(mh.BadInputError) as caught:
        durability._probe("diskwars", 1, 1)
    assert str(caught.value).startswith(
        "durability: Warhammer: Diskwars has no units with weapons (ask mathhammer"
    )
