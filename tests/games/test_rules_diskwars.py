"""Diskwars: rules one by one, each with a number worked out by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.games.diskwars.disk import end_phase, read_disk

FACES = {"hit": 2, "crit": 1, "miss": 1, "scatter": 1, "chaos": 1}
SHOWN = ["hit", "hit", "crit", "miss", "scatter", "chaos"]


def ask(question: str, **details: Any) -> dict[str, Any]:
    return dict(mh.odds("diskwars", question, **details))


def shot(**changes: Any) -> dict[str, Any]:
    return {
        "faces": FACES,
        "dice": 2,
        "strength": 3,
        "range": "long",
        "target": {"id": "t", "stamina": 4},
        **changes,
    }


def disk(name: str, owner: str = "1", **fields: Any) -> dict[str, Any]:
    return {"id": name, "owner": owner, "stamina": 9, **fields}


def final(disks: list[dict[str, Any]], pins: list[tuple[str, str]], **more: Any) -> dict[str, Any]:
    return dict(ask("melee", disks=disks, pins=[list(pin) for pin in pins], **more)["final"])


# --- dice and ranged attacks ------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-DIE-1")
def test_one_die_shows_one_of_five_symbols() -> None:
    """DW-DIE-1: a die that scatters does not hit as well, and every face counts alike."""
    row = ask("ranged", **shot(dice=1, neighbours=[{"id": "n", "stamina": 9}]))
    target, near = row["disks"]
    assert target["damage"].to_dict() == pytest.approx({0: 3 / 6, 3: 3 / 6})
    assert near["damage"].to_dict() == pytest.approx({0: 1 - 1 / 6 * 3 / 6, 3: 1 / 6 * 3 / 6})
    with pytest.raises(mh.UnknownNameError, match="unknown symbol 'skull'"):
        ask("ranged", **shot(faces={"skull": 6}))


@pytest.mark.rule("DW-DIE-2", "DW-RNG-7", "DW-TER-6")
def test_the_d6_is_even() -> None:
    """DW-DIE-2, DW-TER-6, DW-RNG-7: as damage of dangerous terrain, and as the one strength of a whole attack."""
    assert ask("dangerous_terrain", disk={"stamina": 9})["damage"].to_dict() == pytest.approx(
        dict.fromkeys(range(1, 7), 1 / 6)
    )
    law: dict[int, Fraction] = {}
    for strength, *dice in itertools.product(range(1, 7), SHOWN, SHOWN):
        damage = strength * sum(symbol in ("hit", "crit") for symbol in dice)
        law[damage] = law.get(damage, Fraction(0)) + Fraction(1, 216)
    found = ask("ranged", **shot(strength="d6", target={"id": "t", "stamina": 50}))["disks"][0]["damage"]
    assert found.to_dict() == pytest.approx({damage: float(chance) for damage, chance in law.items()})


@pytest.mark.rule("DW-RNG-6")
def test_misses_and_chaos_do_nothing() -> None:
    """DW-RNG-6."""
    told = ask("ranged_roll", rolled=["miss", "chaos"], **shot())
    assert told["disks"] == [
        {"id": "t", "damage": 0, "wound": 0, "destroyed": False, "activation_token": False}
    ]


@pytest.mark.rule("DW-RNG-8")
def test_all_hits_of_an_attack_are_one_packet() -> None:
    """DW-RNG-8: two hits of 3 on stamina 3 are one wound, not two."""
    told = ask("ranged_roll", rolled=["hit", "hit"], **shot(target={"id": "t", "stamina": 3, "toughness": 2}))
    assert told["disks"][0] == {
        "id": "t",
        "damage": 6,
        "wound": 1,
        "destroyed": False,
        "activation_token": False,
    }


@pytest.mark.rule("DW-RNG-10")
def test_friends_may_be_shot_at_like_enemies() -> None:
    """DW-RNG-10."""
    for owner in ("friend", "enemy"):
        row = ask("ranged", **shot(target={"id": "t", "owner": owner, "stamina": 4}))["disks"][0]
        assert row["damage"].to_dict() == pytest.approx({0: 1 / 4, 3: 1 / 2, 6: 1 / 4})


@pytest.mark.rule("DW-RNG-11")
def test_one_profile_of_several_is_used() -> None:
    """DW-RNG-11: a disk with one known profile shoots with it; where none or several are known, the player says which."""
    named = ask("ranged", range="siege", target={"stamina": 4}, shooter="Bolt Thrower", faces=FACES)
    assert named["dice_rolled"] == 3
    with pytest.raises(mh.BadInputError, match="Steam Tank has 0 known ranged profiles"):
        ask("ranged", range="long", target={"stamina": 4}, shooter="Steam Tank")
    chosen = ask("ranged", range="long", target={"stamina": 4}, dice=2, strength=5, faces=FACES)
    assert chosen["disks"][0]["damage"].to_dict() == pytest.approx({0: 1 / 4, 5: 1 / 2, 10: 1 / 4})


@pytest.mark.rule("DW-SCA-5")
def test_cover_takes_no_scattered_die() -> None:
    """DW-SCA-5: the target's cover takes one die of the first roll, no cover one of the second."""
    for terrain in ([], ["cover"]):
        near = {"id": "n", "stamina": 9, "terrain": terrain}
        told = ask("ranged_roll", rolled=["scatter"], rerolled=["hit"], cover=True, **shot(neighbours=[near]))
        assert [row["damage"] for row in told["disks"]] == [0, 3]
        law = ask("ranged", **shot(cover=True, neighbours=[near]))["disks"][1]["damage"]
        assert law.to_dict() == pytest.approx({0: 1 - 1 / 6 * 3 / 6, 3: 1 / 6 * 3 / 6})


@pytest.mark.rule("DW-SCA-6")
def test_a_scattered_die_has_the_strength_of_the_attack() -> None:
    """DW-SCA-6: a D6 that came up 5."""
    told = ask(
        "ranged_roll",
        rolled=["hit", "scatter"],
        rerolled=["crit"],
        **shot(strength=5, neighbours=[{"id": "n", "stamina": 9}]),
    )
    assert [row["damage"] for row in told["disks"]] == [5, 5]


# --- disks and melee --------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-GEN-6")
def test_the_profile_of_a_disk() -> None:
    """DW-GEN-6: toughness is 0 where it is not given; a disk of that name brings its figures."""
    plain, _ = read_disk("test", {"stamina": 3})
    assert (plain.toughness, plain.attack, plain.counter) == (0, 0, 0)
    karl, _ = read_disk("test", {"disk": "Karl Franz", "stamina": 7})
    assert (karl.attack, karl.stamina, karl.toughness) == (5, 7, 1)


@pytest.mark.rule("DW-DMG-1")
def test_melee_damage_is_physical() -> None:
    """DW-DMG-1: resistance to physical or melee damage halves it, to magic or ranged damage does not."""
    for tag, taken in (("physical", 3), ("melee", 3), ("magic", 5), ("ranged", 5), ("impact", 5)):
        assert (
            final([disk("a", attack=5), disk("b", "2", resist=[tag])], [("a", "b")])["b"]["damage"] == taken
        )
    assert final([disk("a", attack=5), disk("b", "2", immune=["physical"])], [("a", "b")])["b"]["damage"] == 0


@pytest.mark.rule("DW-KW-SLOW", "DW-KW-SWIFT")
def test_swift_before_normal_before_slow() -> None:
    """DW-KW-SWIFT, DW-KW-SLOW: whoever is destroyed in an earlier step does not strike."""
    deadly: dict[str, Any] = {"attack": 9, "counter": 9, "stamina": 9}
    for fields, others, left in (
        ({"swift": ["attack"]}, {}, {"a"}),
        ({"slow": ["attack"]}, {}, {"b"}),
        ({}, {"swift": ["counter"]}, {"b"}),
        ({}, {"slow": ["counter"]}, {"a"}),
        ({"swift": ["counter"]}, {}, set()),  # it attacks here, so its counter is not asked for
        ({"slow": ["attack"]}, {"slow": ["counter"]}, set()),
    ):
        end = final([disk("a", **deadly | fields), disk("b", "2", **deadly | others)], [("a", "b")])
        assert {name for name, state in end.items() if not state["destroyed"]} == left


@pytest.mark.rule("DW-MEL-2", "DW-MEL-3", "DW-MEL-4")
def test_a_clash_is_all_that_hangs_together() -> None:
    """DW-MEL-2, DW-MEL-3, DW-MEL-4: two attackers on one defender, one of them on a second one; each strikes one disk."""
    disks = [disk("a", attack=2), disk("b", attack=3), disk("c", "2", counter=4), disk("d", "2", counter=5)]
    end = final(
        disks, [("a", "c"), ("b", "c"), ("b", "d")], targets={"attack": {"b": "d"}, "counter": {"c": "a"}}
    )
    assert {name: state["damage"] for name, state in end.items()} == {"a": 4, "b": 5, "c": 2, "d": 3}
    text = ask("melee", disks=disks, pins=[["a", "c"], ["b", "c"], ["b", "d"]])["explain"]
    assert "Clash 1" in text
    assert "Clash 2" not in text


@pytest.mark.rule("DW-MEL-5")
def test_independent_clashes_may_be_fought_in_any_order() -> None:
    """DW-MEL-5."""
    disks = [
        disk("a", attack=2, counter=1),
        disk("b", "2", counter=3),
        disk("c", attack=4),
        disk("d", "2", counter=5),
    ]
    one, other = final(disks, [("a", "b"), ("c", "d")]), final(disks, [("c", "d"), ("a", "b")])
    assert one == other
    assert {name: state["damage"] for name, state in one.items()} == {"a": 3, "b": 2, "c": 5, "d": 4}


@pytest.mark.rule("DW-MASS-3", "DW-MEL-6")
def test_no_clash_begins_while_the_phase_runs() -> None:
    """DW-MEL-6, DW-MASS-3: with the middle of the pile gone the top lies on the bottom, its enemy, and does not strike it."""
    pile = [
        disk("top", attack=9),
        disk("middle", "2", stamina=2, attack=9, counter=1),
        disk("bottom", "3", counter=8),
    ]
    end = final(pile, [("top", "middle"), ("middle", "bottom")])
    assert end["middle"]["destroyed"]
    assert end["bottom"]["damage"] == 0
    assert end["top"]["damage"] == 1


@pytest.mark.rule("DW-MASS-1", "DW-MASS-2", "DW-MEL-7")
def test_a_contested_disk_fights_twice_in_one_role_each() -> None:
    """DW-MASS-1, DW-MASS-2, DW-MEL-7: it counters the disk above with 1, then attacks the one below with 4."""
    pile = [disk("top", attack=2), disk("middle", "2", attack=4, counter=1), disk("bottom", counter=3)]
    end = final(pile, [("top", "middle"), ("middle", "bottom")])
    assert {name: state["damage"] for name, state in end.items()} == {"top": 1, "middle": 2 + 3, "bottom": 4}
    with pytest.raises(
        mh.BadInputError, match="two clashes each have to be fought before the other"
    ):  # in both roles in one clash
        final(
            [disk("top", "3"), disk("middle", "2"), disk("bottom")],
            [("top", "middle"), ("middle", "bottom"), ("top", "bottom")],
        )


@pytest.mark.rule("DW-DMG-4", "DW-MEL-8")
def test_owners_do_not_split_a_clash() -> None:
    """DW-MEL-8: players 1 and 2 lie on the same disk of player 3, and their strikes come as one packet (DW-DMG-4)."""
    disks = [
        disk("a", "1", attack=3),
        disk("b", "2", attack=3),
        disk("c", "3", stamina=3, toughness=1, counter=4),
    ]
    end = final(disks, [("a", "c"), ("b", "c")], targets={"counter": {"c": "b"}})
    assert end["c"] == {"damage": 0, "wounds": 1, "destroyed": False}
    assert (end["a"]["damage"], end["b"]["damage"]) == (0, 4)


@pytest.mark.rule("DW-INI-1")
def test_the_training_game_has_no_bonus() -> None:
    """DW-INI-1: three players, one die each, the tied leaders again."""
    assert ask("initiative", bonuses=[0, 0, 0])["p_win"] == pytest.approx([1 / 3] * 3)


# --- tokens, order and words ------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-DMG-7", "DW-EMP-1")
def test_the_end_phase_takes_every_token_but_wounds() -> None:
    """DW-DMG-7, DW-EMP-1: also the empowerment, so the next damage meets the bare stamina."""
    steps = ask(
        "damage_sequence",
        disk={"stamina": 4, "toughness": 2, "empowered": True},
        packets=[{"amount": 3}, {"event": "end_phase"}, {"amount": 4}],
    )
    assert [(step["applied"], step["wound"], step["damage"]) for step in steps["steps"]] == [
        (3, 0, 3),
        (0, 0, 0),
        (4, 1, 0),
    ]
    assert steps["explain"].splitlines()[0].startswith("Packet 1: 3 damage;")
    now, _ = read_disk("disk", {"stamina": 4, "empowered": True, "activated": True, "damage": 2, "wounds": 0})
    assert end_phase(now) == replace(now, damage=0, empowered=False, activated=False)


def test_the_order_of_cards_in_words() -> None:
    lines = ask("command_order", strategies=["bold", "devious"])["explain"].splitlines()
    assert lines[1:] == ["1. player 2: devious.", "2. player 1: bold."]


@pytest.mark.rule("DW-SCA-1", "DW-SCA-2")
def test_where_a_scatter_may_go_is_said() -> None:
    """DW-SCA-1, DW-SCA-2."""
    alone, beside = (
        ask("ranged", **shot(neighbours=others))["explain"] for others in ([], [{"id": "x", "stamina": 4}])
    )
    assert "No neighbour in short range" in alone
    assert "dealt out in turn to: x (" in beside
    assert "No neighbour" not in beside
    disks = ask("ranged", **shot(neighbours=[{"id": "x", "stamina": 4}]))["disks"]
    assert [disk["id"] for disk in disks] == ["t", "x"]
    assert disks[1]["expected_damage"] > 0


def test_disks_are_counted_from_1_in_messages() -> None:
    with pytest.raises(mh.BadInputError, match=r"^melee: disk 1"):
        ask("melee", disks=[{"stamina": "x"}], pins=[])


@pytest.mark.parametrize(("change", "refused"), [(-100, False), (100, False), (-101, True), (101, True)])
def test_stamina_changes_have_a_limit(change: int, refused: bool) -> None:
    packets = [{"event": "stamina", "change": change}]
    if refused:
        with pytest.raises(mh.BadInputError, match="change"):
            ask("damage_sequence", disk={"stamina": 4}, packets=packets)
    else:
        assert ask("damage_sequence", disk={"stamina": 4}, packets=packets)["steps"][0]["applied"] == 0
