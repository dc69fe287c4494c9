"""Diskwars: whole rounds, best strikes, regiments and reach, against literal dice and plain enumeration."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import naive_symbols as naive
import pytest

import mathhammer as mh

SIDES = ["hit", "hit", "crit", "miss", "scatter", "chaos"]  # the default die
TRIALS = 200_000


def ask(question: str, **details: Any) -> dict[str, Any]:
    return dict(mh.odds("diskwars", question, **details))


def struck(disk: dict[str, Any], tags: set[str], amount: int, hits: int = 1) -> dict[str, Any]:
    """The disk after a packet, by the referee's rules."""
    if disk["destroyed"]:
        return disk
    taken = naive.packet(disk, tags, amount, hits, "instance")
    wounded, dies = naive.hurt(disk, taken)
    return {
        **disk,
        "damage": 0 if wounded else disk["damage"] + taken,
        "wounds": disk["wounds"] + wounded,
        "destroyed": dies,
    }


def fresh(**figures: Any) -> dict[str, Any]:
    return {"damage": 0, "wounds": 0, "destroyed": False, "toughness": 0, **figures}


# --- reach -------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-RNG-1")
def test_a_weapon_shoots_no_further_than_it_reaches() -> None:
    """DW-RNG-1: crossbows reach medium range, a bolt thrower siege range; a reach that is said counts."""
    target = {"id": "x", "stamina": 4}
    for measured in ("long", "siege"):
        with pytest.raises(mh.BadInputError) as error:
            ask("ranged", shooter="Reikland Crossbowmen", range=measured, target=target)
        assert str(error.value) == (
            f"ranged: Reikland Crossbowmen reaches medium range, the target is at {measured} range "
            "(give a nearer range, or another reach, DW-RNG-1)"
        )
    assert ask("ranged", shooter="Reikland Crossbowmen", range="short", target=target)["dice_rolled"] == 3
    assert (
        ask("ranged", shooter="Reikland Crossbowmen", range="long", reach="long", target=target)[
            "dice_rolled"
        ]
        == 3
    )
    assert ask("ranged", shooter="Bolt Thrower", range="siege", target=target)["dice_rolled"] == 3
    with pytest.raises(
        mh.BadInputError, match=r"^ranged: the weapon reaches short range, the target is at medium"
    ):
        ask("ranged", dice=1, strength=3, range="medium", reach="short", target=target)
    assert (
        ask("ranged", dice=1, strength=3, range="siege", target=target)["dice_rolled"] == 1
    )  # reach not known


# --- a whole round -----------------------------------------------------------------------------------------


@pytest.mark.rule("DW-RNG-8", "DW-DMG-2", "DW-DMG-3", "DW-TER-6", "DW-KW-MAGIC", "DW-MEL-3")
def test_a_whole_round_on_one_disk() -> None:
    """Volley, magic, dangerous ground and a clash, every face of every die; 7776 ways, each damage kept."""
    troll = {"id": "troll", "owner": "A", "attack": 4, "counter": 5, "stamina": 5, "toughness": 1}
    knight = {"id": "knight", "owner": "B", "attack": 3, "counter": 2, "stamina": 5}
    answer = ask(
        "round",
        disks=[troll, knight],
        events=[
            {"shot": {"dice": 2, "strength": 2, "range": "medium"}},
            {"magic": 1},
            {"dangerous": "physical"},
            {"clash": {"pins": [["knight", "troll"]]}},
        ],
    )
    found: dict[tuple[int, int], float] = {}
    gone = other = token = 0.0
    for first, second, ground in product(SIDES, SIDES, range(1, 7)):
        share = 1 / (6 * 6 * 6)
        hits = (first, second).count("hit") + (first, second).count("crit")
        disk = struck(fresh(**troll), {"physical", "ranged"}, 2, hits)
        disk = struck(disk, {"magic", "magic_x"}, 1)
        disk = struck(disk, {"physical", "dangerous_terrain"}, ground)
        foe = fresh(**knight)
        if not disk["destroyed"]:
            disk, foe = struck(disk, {"physical", "melee"}, 3), struck(foe, {"physical", "melee"}, 5)
        gone += share * disk["destroyed"]
        other += share * foe["destroyed"]
        token += share * ("crit" in (first, second) and not disk["destroyed"])
        if not disk["destroyed"]:
            found[disk["wounds"], disk["damage"]] = found.get((disk["wounds"], disk["damage"]), 0.0) + share
    row = answer["disks"]["troll"]
    assert row["states"] == pytest.approx(found)
    assert (row["p_destroyed"], row["p_activation_token"]) == (pytest.approx(gone), pytest.approx(token))
    assert answer["disks"]["knight"]["p_destroyed"] == pytest.approx(other)
    assert 0.05 < gone < 0.95
    assert row["wounds"].to_dict()[2] == pytest.approx(gone)
    assert "3. Dangerous ground under troll: D6 physical damage (DW-TER-6)." in answer["explain"]


@pytest.mark.rule("DW-SCA-1", "DW-SCA-3", "DW-RNG-5", "DW-RNG-7")
def test_a_volley_scatters_to_disks_of_the_table_together() -> None:
    """DW-SCA-3: two scattered dice go to two neighbours in turn; what happens to all three is one distribution."""
    disks = [
        {"id": name, "owner": "A", "stamina": stamina} for name, stamina in (("t", 3), ("n", 2), ("m", 2))
    ]
    shot = {"dice": 2, "strength": "d6", "range": "short", "neighbours": ["n", "m"]}
    answer = ask("round", disks=disks, events=[{"shot": shot}, {"magic": 1, "at": "n"}])
    gone = dict.fromkeys("tnm", 0.0)
    for strength, *rolled in product(range(1, 7), SIDES, SIDES, SIDES, SIDES):
        hits = dict.fromkeys("tnm", 0)
        order = iter("nm")
        for first, again in (rolled[:2], rolled[2:]):
            if first == "scatter":
                hits[next(order)] += again in ("hit", "crit")
            else:
                hits["t"] += first in ("hit", "crit")
        for disk in disks:
            now = struck(fresh(**disk), {"physical", "ranged"}, strength, hits[disk["id"]])
            now = struck(now, {"magic"}, 1) if disk["id"] == "n" else now
            gone[disk["id"]] += now["destroyed"] / 6**5
    assert {name: row["p_destroyed"] for name, row in answer["disks"].items()} == pytest.approx(gone)


@pytest.mark.rule("DW-SCA-2")
def test_a_disk_that_is_gone_takes_no_scatter() -> None:
    """DW-SCA-2: the first neighbour fell before, so the scattered die goes to the second one."""
    disks = [{"id": name, "owner": "A", "stamina": 1} for name in "tnm"]
    shot = {"dice": 1, "strength": 1, "range": "short", "neighbours": ["n", "m"]}
    both = ask("round", disks=disks, events=[{"shot": shot}])["disks"]
    assert (both["n"]["p_destroyed"], both["m"]["p_destroyed"]) == (pytest.approx(1 / 6 * 3 / 6), 0.0)
    alone = ask("round", disks=disks, events=[{"magic": 1, "at": "n"}, {"shot": shot}])["disks"]
    assert alone["m"]["p_destroyed"] == pytest.approx(1 / 6 * 3 / 6)
    gone = ask("round", disks=disks, events=[{"magic": 1}, {"shot": shot}])["disks"]
    assert (gone["t"]["p_destroyed"], gone["n"]["p_destroyed"]) == (1.0, 0.0)  # nobody shoots at it


@pytest.mark.rule("DW-DMG-7", "DW-KW-IMPACT", "DW-TER-1", "DW-DMG-6")
def test_end_phase_impact_and_immunity_in_a_round() -> None:
    """DW-DMG-7: damage leaves between rounds; DW-TER-1, DW-DMG-6: fortified ground takes the impact."""
    disk = {"id": "d", "owner": "A", "stamina": 3}
    kept = ask("round", disks=[disk], events=[{"magic": 2}, {"magic": 2}])
    cleared = ask("round", disks=[disk], events=[{"magic": 2}, "end_phase", {"magic": 2}])
    assert (kept["disks"]["d"]["p_destroyed"], cleared["disks"]["d"]["p_destroyed"]) == (1.0, 0.0)
    assert cleared["disks"]["d"]["states"] == {(0, 2): 1.0}
    hit, safe = (
        ask("round", disks=[{**disk, "terrain": terrain}], events=[{"impact": 3}])["disks"]["d"][
            "p_destroyed"
        ]
        for terrain in ([], ["fortified"])
    )
    assert (hit, safe) == (1.0, 0.0)


@pytest.mark.rule("DW-TER-3", "DW-DMG-5")
def test_cover_and_resistance_hold_in_a_round() -> None:
    """DW-TER-3, DW-DMG-5: a round of one volley is the volley."""
    target = {
        "id": "t",
        "owner": "A",
        "stamina": 4,
        "toughness": 1,
        "resist": ["ranged"],
        "terrain": ["cover"],
    }
    shot = {"dice": 3, "strength": 5, "range": "long"}
    volley = ask("ranged", **shot, target={k: v for k, v in target.items() if k != "owner"})["disks"][0]
    row = ask("round", disks=[target], events=[{"shot": shot}])["disks"]["t"]
    assert row["wounds"].to_dict().get(1, 0.0) == pytest.approx(volley["p_wound"])
    assert row["p_activation_token"] == pytest.approx(volley["p_activation_token"])


def test_a_played_round_agrees() -> None:
    disks = ["Orc Boyz: counter 3, toughness 1, owner A", "Karl Franz: owner B"]
    events = [
        {"shot": {"shooter": "Reikland Crossbowmen", "range": "medium"}},
        {"dangerous": "magic"},
        {"clash": {"pins": [["Karl Franz", "Orc Boyz"]]}},
    ]
    exact = ask("round", disks=disks, events=events)["disks"]
    played = ask("round", disks=disks, events=events, method="simulate", trials=TRIALS, seed=8)
    assert played["trials"] == TRIALS
    for name, row in played["disks"].items():
        error = max(row["standard_error"], 1e-9)
        assert abs(row["p_destroyed"] - exact[name]["p_destroyed"]) / error < 6.2


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({"disks": []}, "round: no disks (give at least one)"),
        (
            {"events": [{"magic": 1, "impact": 1}]},
            "round: event 1: 2 kinds of event (give one of shot, magic, ",
        ),
        ({"events": [{"at": "d"}]}, "round: event 1: 0 kinds of event (give one of shot, magic, "),
        ({"events": [{"magic": 1, "at": "e"}]}, "round: event 1: unknown disk 'e' (known: 'd')"),
        (
            {"events": [{"dangerous": "acid"}]},
            "round: event 1: unknown damage type 'acid' (known: 'magic', 'physical')",
        ),
        ({"events": [{"clash": {"pins": [["d", "f"]]}}]}, "round: event 1: unknown disk 'f' (known: 'd')"),
        ({"events": [{"shot": {"dice": 1, "strength": 1}}]}, "round: event 1: range is missing"),
    ],
)
def test_round_messages(details: dict[str, Any], message: str) -> None:
    asked: dict[str, Any] = {"disks": [{"id": "d", "owner": "A", "stamina": 3}], "events": []} | details
    with pytest.raises(mh.MathhammerError) as error:
        ask("round", **asked)
    assert str(error.value).startswith(message)


# --- best strikes ------------------------------------------------------------------------------------------


def outcome(final: dict[str, dict[str, Any]], owners: dict[str, str], me: str) -> tuple[int, int, int]:
    total = [0, 0, 0]
    for name, disk in final.items():
        sign = -1 if owners[name] == me else 1
        total[0] += sign * disk["destroyed"]
        total[1] += sign * disk["wounds"]
        total[2] += sign * (0 if disk["destroyed"] else disk["damage"])
    return total[0], total[1], total[2]


@pytest.mark.rule("DW-MEL-4")
def test_the_best_strikes_of_one_player() -> None:
    """DW-MEL-4: every choice of A's two disks is tried against B's usual counters, by the question itself."""
    disks = [
        {"id": "a1", "owner": "A", "attack": 3, "counter": 1, "stamina": 4},
        {"id": "a2", "owner": "A", "attack": 2, "counter": 1, "stamina": 4},
        {"id": "b1", "owner": "B", "attack": 1, "counter": 2, "stamina": 6},
        {"id": "b2", "owner": "B", "attack": 1, "counter": 4, "stamina": 5},
        {"id": "b3", "owner": "B", "attack": 1, "counter": 1, "stamina": 2},
    ]
    owners = {disk["id"]: disk["owner"] for disk in disks}
    pins = [["a1", "b1"], ["a1", "b2"], ["a2", "b2"], ["a2", "b3"]]
    values = {}
    for one, two in product(("b1", "b2"), ("b2", "b3")):
        final = ask("melee", disks=disks, pins=pins, targets={"attack": {"a1": one, "a2": two}})["final"]
        values[one, two] = outcome(final, owners, "A")
    best = ask("melee", disks=disks, pins=pins, best="A")
    assert outcome(best["final"], owners, "A") == max(values.values())
    chosen = {strike["disk"]: strike["victim"] for strike in best["strikes"]}
    assert values[chosen["a1"], chosen["a2"]] == max(values.values())
    assert max(values.values()) > outcome(ask("melee", disks=disks, pins=pins)["final"], owners, "A")
    assert f"a1 strikes {chosen['a1']} with its attack (DW-MEL-4)." in best["explain"]


@pytest.mark.rule("DW-MEL-4", "DW-MASS-2")
def test_the_best_strikes_of_both_players() -> None:
    """DW-MEL-4: attackers choose first, then defenders; in a pile the upper clash looks ahead to the lower one."""
    disks = [
        {"id": "a1", "owner": "A", "attack": 3, "counter": 2, "stamina": 3},
        {"id": "a2", "owner": "A", "attack": 2, "counter": 2, "stamina": 5},
        {"id": "b1", "owner": "B", "attack": 5, "counter": 3, "stamina": 5},
        {"id": "b2", "owner": "B", "attack": 2, "counter": 3, "stamina": 3},
        {"id": "c1", "owner": "A", "attack": 1, "counter": 1, "stamina": 4},
        {"id": "c2", "owner": "A", "attack": 1, "counter": 4, "stamina": 5},
    ]
    owners = {disk["id"]: disk["owner"] for disk in disks}
    pins = [["a1", "b1"], ["a1", "b2"], ["a2", "b1"], ["a2", "b2"], ["b1", "c1"], ["b1", "c2"]]

    def final(attack: dict[str, str], counter: dict[str, str]) -> tuple[int, int, int]:
        told = {"attack": attack, "counter": counter}
        return outcome(ask("melee", disks=disks, pins=pins, targets=told)["final"], owners, "A")

    best_for_a = max(
        min(
            min(final({"a1": x, "a2": y, "b1": low}, {"b1": u, "b2": v}) for low in ("c1", "c2"))
            for u, v in product(("a1", "a2"), repeat=2)
        )
        for x, y in product(("b1", "b2"), repeat=2)
    )
    both = ask("melee", disks=disks, pins=pins, best="both")
    assert outcome(both["final"], owners, "A") == best_for_a


@pytest.mark.parametrize(
    ("best", "owner", "message"),
    [
        ("C", "B", "melee: best is 'C' (give both, or the owner of disks: A or B)"),
        ("both", "A", "melee: best strikes of 1 owners (two players have best strikes)"),
    ],
)
def test_best_strike_messages(best: str, owner: str, message: str) -> None:
    disks = [{"id": "a", "owner": "A", "stamina": 1}, {"id": "b", "owner": owner, "stamina": 1}]
    with pytest.raises(mh.BadInputError) as error:
        ask("melee", disks=disks, pins=[["a", "b"]], best=best)
    assert str(error.value) == message


# --- regiments ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-MEL-3")
def test_regiments_against_each_other() -> None:
    """DW-MEL-3: each pair is a clash by the referee, and no pairing is better than the one given."""
    figures = {
        "Orc Boyz": (5, 3, 4),
        "River Troll": (4, 5, 5),
        "Wolf Riders": (3, 1, 3),
        "Greatswords": (4, 3, 4),
        "Huntsmen": (2, 2, 2),
        "Knights Panther": (6, 2, 5),
    }
    texts = [f"{name}: attack {x}, counter {y}, stamina {z}" for name, (x, y, z) in figures.items()]
    ours, theirs = list(figures)[:3], list(figures)[3:]
    found = ask("regiments", a=ours, b=theirs, figures=texts)
    fates = {}
    for a, b in product(ours, theirs):
        pair = [
            {"id": "a", "owner": "A", **dict(zip(("attack", "counter", "stamina"), figures[a], strict=True))},
            {"id": "b", "owner": "B", **dict(zip(("attack", "counter", "stamina"), figures[b], strict=True))},
        ]
        pair[0]["toughness"] = 1 if a == "River Troll" else 0  # as its datasheet says
        end = naive.melee(pair, [["a", "b"]])
        assert end is not None
        fates[f"{a} (a)", f"{b} (b)"] = (end["a"], end["b"])
    for row in found["clashes"]:
        a, b = fates[row["a"], row["b"]]
        assert (row["a_destroyed"], row["b_destroyed"]) == (a["destroyed"], b["destroyed"])
        assert (row["a_wounds"], row["b_wounds"]) == (a["wounds"], b["wounds"])
        if not a["destroyed"]:
            assert row["a_damage"] == a["damage"]

    def value(pairs: Any) -> tuple[int, int]:
        ends = [fates[tuple(pair)] for pair in pairs]
        return sum(b["destroyed"] - a["destroyed"] for a, b in ends), sum(
            b["wounds"] - a["wounds"] for a, b in ends
        )

    names = [f"{name} (a)" for name in ours]
    best = max(value(zip(names, [f"{n} (b)" for n in order], strict=True)) for order in permutations(theirs))
    assert value(found["pairing"]) == best
    assert found["b_lost"] - found["a_lost"] == best[0]


def test_ready_made_regiments_by_name() -> None:
    assumed = {"attack": 3, "counter": 3, "stamina": 4}
    found = ask("regiments", a="Grimgor", b="karl franz regiment", assume=assumed)
    assert len(found["clashes"]) == 36
    assert "Orc Boyz: counter 3" in found["assumed"]
    assert "Marienburg Swordsmen: attack 3, stamina 4" in found["assumed"]
    assert found["b_lost"] == 3  # three Orc Boyz with attack 5 on stamina 4


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({"a": "Grimgork"}, "regiments: a: unknown regiment 'Grimgork' (did you mean 'Grimgor'?)"),
        (
            {"a": ["Orc Boyz"]},
            "regiments: a: Orc Boyz: counter not known (give figures such as 'Orc Boyz: counter 4', or say what to assume)",
        ),
        ({"a": []}, "regiments: a: no disks (give a regiment, or a list of disks)"),
        (
            {"a": ["Orc Boyz"] * 9, "b": ["Orc Boyz"] * 9, "assume": {"counter": 1}},
            "regiments: more than 100000 ways",
        ),
        (
            {"assume": {"speed": 1}},
            "regiments: assume: unknown figure 'speed' (known: 'attack', 'counter', 'stamina')",
        ),
    ],
)
def test_regiment_messages(details: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as error:
        ask("regiments", **({"a": ["Orc Boyz"], "b": ["Orc Boyz"]} | details))
    assert str(error.value).startswith(message)


# --- army legality -----------------------------------------------------------------------------------------


@pytest.mark.rule("DW-ARMY-7", "DW-ARMY-9")
def test_an_army_says_where_sizes_are_assumed() -> None:
    """DW-ARMY-7, DW-ARMY-9: Bloodthirster and Plaguebearers have assumed sizes, Kurgan Marauders a known one."""
    units = ["Bloodthirster", "Plaguebearers", "Kurgan Marauders", "Kurgan Marauders"]
    found = ask("army", regiments=[{"hero": "Kairos Fateweaver", "units": units}])
    assert found["violations"] == []
    assert found["assumed_sizes"] == ["Bloodthirster (large)", "Plaguebearers (medium)"]
    assert "Sizes that are assumed: Bloodthirster (large), Plaguebearers (medium)" in found["explain"]
    known = ask("army", regiments=[{"hero": "Kairos Fateweaver", "units": ["Kurgan Marauders"]}])
    assert known["assumed_sizes"] == []
    assert "assumed" not in known["explain"]
