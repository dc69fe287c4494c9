"""Rolls and chains: edits commute, and a roll's chances match an enumeration of faces."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from ability_rows import spellings
from hypothesis import given
from hypothesis import strategies as st

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Gate, Modifier, Roll, Stage, chances, flow
from mathhammer.engine.plan import Packet, Volley
from mathhammer.engine.table import compile_volley, outcomes, volley_funnel
from mathhammer.errors import MathhammerError, TooLargeError
from mathhammer.games.abilities import Abilities, Draft
from mathhammer.games.discovery import attacks_of
from mathhammer.units.conditions import Facts

HIT = Roll(needs=4, limit=(-1, 1), crit_on=6, fails_up_to=1, on_success=("wound",))
WOUND = Roll(needs=4, limit=(-1, 1), crit_on=6, fails_up_to=1, on_success=("save",))
SAVE = Roll(needs=4, limit=(None, 1), fails_up_to=1, on_fail=("damage",))
CHAIN = Chain("hit", (("hit", HIT), ("save", SAVE), ("wound", WOUND)))
EDITS: list[tuple[str, dict[str, Any]]] = [
    ("hit", {"modifiers": (Modifier(1, "a"),)}),
    ("hit", {"modifiers": (Modifier(-1, "b"),)}),
    ("hit", {"reroll": frozenset({"ones"})}),
    ("hit", {"reroll": frozenset({"unmodified_fails"})}),
    ("hit", {"reroll": frozenset({"non_crit"})}),
    ("hit", {"crit_on": 5}),
    ("hit", {"crit_on": 4}),
    ("hit", {"fails_up_to": 3}),
    ("hit", {"only": frozenset({6})}),
    ("hit", {"only": frozenset({5, 6})}),
    ("hit", {"auto": True}),
    ("hit", {"drop_negative": True}),
    ("hit", {"on_crit": ("save",)}),
    ("hit", {"added_on_crit": ("wound",)}),
    ("hit", {"added_on_crit": ("wound", "wound")}),
    ("wound", {"plain_fails_up_to": 3}),
    ("wound", {"reroll": frozenset({1, 2})}),
    ("wound", {"crit_on": 2}),
    ("wound", {"modifiers": (Modifier(1, "c"),)}),
    ("save", {"modifiers": (Modifier(-2, "rend"), Modifier(1, "d", capped=False))}),
]


@given(st.permutations(EDITS), st.integers(0, len(EDITS)))
def test_edits_commute(edits: list[tuple[str, dict[str, Any]]], number: int) -> None:
    chosen = edits[:number]
    one = two = CHAIN
    for lane, fields in chosen:
        one = one.edit(lane, **fields)
    for lane, fields in reversed(chosen):
        two = two.edit(lane, **fields)
    assert one == two
    assert hash(one) == hash(two)


def test_two_different_replacements_of_a_critical_are_an_error() -> None:
    with pytest.raises(MathhammerError) as caught:
        CHAIN.edit("hit", on_crit=("mortal",)).edit("hit", on_crit=("save",))
    assert str(caught.value) == "chain: a critical cannot be both mortal and save (choose one ability)"


# One text for each ability, so that a new one cannot be forgotten here.
FACTS = Facts(
    frozenset({"charged", "melee", "half_range", "stationary", "target_unseen"}),
    frozenset(),
    frozenset({"HERO", "INFANTRY"}),
    5,
    10,
    distance=30.0,
)


@pytest.mark.rule("AOS4-20.0")
@pytest.mark.parametrize("game", ["aos4", "wh40k10"])
def test_every_pair_of_abilities_commutes(game: str) -> None:
    abilities: Abilities = attacks_of(game).abilities
    pairs = 0
    for a, b in itertools.combinations(spellings(game), 2):
        first, second = abilities.find(a), abilities.find(b)
        if first.ability.critical and second.ability.critical:
            continue  # AOS4-20.0: only one of them is ever used
        forward = second.edit(first.edit(Draft(CHAIN), FACTS), FACTS)
        backward = first.edit(second.edit(Draft(CHAIN), FACTS), FACTS)
        assert forward.chain == backward.chain
        assert sorted(map(str, forward.changes)) == sorted(map(str, backward.changes))
        pairs += 1
    assert pairs > 10


def judged(roll: Roll, face: int) -> str:
    """The rules of a roll told once more, plainly, for one face."""
    total = sum(m.value for m in roll.modifiers if m.value > 0 or not roll.drop_negative)
    low, high = roll.limit
    total = max(low, total) if low is not None else total
    total = min(high, total) if high is not None else total
    is_crit = roll.crit_on is not None and face >= roll.crit_on
    if face <= roll.fails_up_to or (roll.only and face not in roll.only):
        return "fail"
    if is_crit and roll.crit_succeeds:
        return "crit"
    if face <= roll.plain_fails_up_to or roll.needs is None or face + total < roll.needs:
        return "fail"
    return "crit" if is_crit else "success"


@given(
    st.builds(
        Roll,
        needs=st.one_of(st.none(), st.integers(2, 6)),
        modifiers=st.lists(st.builds(Modifier, st.integers(-2, 2), st.just("m")), max_size=3).map(tuple),
        limit=st.sampled_from([(None, None), (-1, 1), (None, 1)]),
        drop_negative=st.booleans(),
        crit_on=st.one_of(st.none(), st.integers(2, 6)),
        crit_succeeds=st.booleans(),
        fails_up_to=st.integers(0, 3),
        plain_fails_up_to=st.integers(0, 4),
        only=st.one_of(st.none(), st.just(frozenset({6}))),
        reroll=st.sets(st.sampled_from(["ones", "fails", "non_crit", 2])).map(frozenset),
    )
)
def test_chances_match_an_enumeration_of_two_dice(roll: Roll) -> None:
    count = {"fail": 0, "success": 0, "crit": 0}
    for first, second in itertools.product(range(1, 7), repeat=2):
        outcome = judged(roll, first)
        failed = outcome == "fail"
        again = (
            ("non_crit" in roll.reroll and outcome != "crit")
            or (failed and "fails" in roll.reroll)
            or (failed and "ones" in roll.reroll and first == 1)
            or (failed and first in roll.reroll)
        )
        count[judged(roll, second) if again else outcome] += 1
    got = chances(roll)
    assert (got.fail, got.success, got.crit) == tuple(
        pytest.approx(count[name] / 36) for name in ("fail", "success", "crit")
    )


def test_an_automatic_success_is_never_critical() -> None:
    assert chances(Roll(needs=6, crit_on=2, auto=True)).crit == 0.0
    assert chances(Roll(needs=6, auto=True)).passed == 1.0


def volley(chain: Chain, *kinds: str) -> Volley:
    one = (Pmf.constant(1),)
    return Volley("w", Pmf.constant(1), chain, tuple(Packet(kind, one, (1.0,), (0.0,)) for kind in kinds))


def test_the_faces_of_one_die_stay_joint() -> None:
    hit = Roll(needs=4, crit_on=6, fails_up_to=1, on_success=("a",), on_crit=("b",), added_on_crit=("extra",))
    chain = Chain("hit", (("extra", Fan(parse_dice("D3"), "a")), ("hit", hit)))
    table = compile_volley(volley(chain, "a", "b"))
    law = {tuple(counts): p for counts, p in zip(table.packets.tolist(), table.probs.tolist(), strict=True)}
    assert law == pytest.approx(
        {(0, 0): 1 / 2, (1, 0): 1 / 3, (1, 1): 1 / 18, (2, 1): 1 / 18, (3, 1): 1 / 18}
    )
    assert table.probs.tolist() == sorted(table.probs.tolist(), reverse=True)
    assert flow(chain).leaving["hit"] == pytest.approx(1 / 2)  # packets on top are no further hits


def test_the_funnel_counts_hits_before_they_split() -> None:
    hit = Roll(needs=4, crit_on=6, fails_up_to=1, on_success=("wound",), added_on_crit=("wound",))
    wound = Roll(needs=2, auto=True, on_success=("a",))
    chain = Chain(
        "hit",
        (("hit", hit), ("wound", wound)),
        (Stage("hits", leaving="hit"), Stage("landed", entering=("a",))),
    )
    means = volley_funnel(volley(chain, "a"))
    assert means["hits"] == means["landed"] == pytest.approx(1 / 2 + 1 / 6)
    assert means["criticals"] == pytest.approx(1 / 6)


def test_the_funnel_counts_damage_with_the_first_groups_save_and_ward() -> None:
    hit = Roll(needs=4, crit_on=6, fails_up_to=1, on_success=("a",), added_on_crit=("b",))
    chain = Chain(
        "hit",
        (("hit", hit),),
        (Stage("hits", leaving="hit"), Stage("unsaved", entering=("a", "b"), past_save=True)),
    )
    wounds = Packet("a", (parse_dice("D3").pmf(), parse_dice("D6").pmf()), (0.75, 0.25), (1 / 3, 1 / 6))
    mortals = Packet("b", (Pmf.constant(3), Pmf.constant(1)), (1.0, 0.5), (0.5, 0.0))
    never = Packet("c", (Pmf.constant(9),), (1.0,), (0.0,))
    means = volley_funnel(Volley("Axe", Pmf.constant(12), chain, (wounds, mortals, never)))
    assert means == pytest.approx(
        {
            "attacks": 12.0,
            "hits": 6.0,
            "criticals": 2.0,
            "unsaved": 4.5 + 2.0,
            "damage before ward": 9.0 + 6.0,
            "damage": 6.0 + 3.0,
        }
    )


@pytest.mark.parametrize(("packets", "refused"), [(255, False), (256, True)])
def test_one_attack_makes_at_most_255_packets(packets: int, refused: bool) -> None:
    attack = volley(Chain("hit", (("hit", Roll(needs=2, auto=True, on_success=("a",) * packets)),)), "a")
    if refused:
        with pytest.raises(TooLargeError, match="too many outcomes"):
            compile_volley(attack)
    else:
        assert compile_volley(attack).packets.max() == packets


def test_a_1_fails_only_where_a_rule_says_so() -> None:
    plain = Roll(needs=2, modifiers=(Modifier(1, "help"),))
    assert chances(plain).passed == 1.0
    assert (
        chances(replace(plain, fails_up_to=1)).passed
        == chances(replace(plain, plain_fails_up_to=1)).passed
        == pytest.approx(5 / 6)
    )


def test_keys_of_tables_are_worked_out_once_and_show_nothing_of_it() -> None:
    packet = Packet("damage", (Pmf.constant(2),), (1.0,), (0.0,))
    for value, other in (
        (CHAIN, replace(CHAIN, start="wound")),
        (packet, replace(packet, ward=(0.5,))),
        (Volley("Axe", Pmf.constant(3), CHAIN, (packet,)), Volley("Axe", Pmf.constant(4), CHAIN, (packet,))),
    ):
        twin = replace(value)
        assert hash(value) == hash(twin) != hash(other)
        assert value._hash == hash(value) != 0
        assert value == replace(value)  # one of them knows its key, the other does not yet
        assert "_hash" not in repr(value)


def test_a_1_is_rolled_again_also_where_2_succeeds() -> None:
    again = Roll(needs=2, fails_up_to=1, reroll=frozenset({"ones"}))
    assert chances(again).passed == pytest.approx(35 / 36)
    assert chances(replace(again, needs=1, reroll=frozenset({"unmodified_fails"}))).passed == pytest.approx(
        35 / 36
    )


def test_a_gate_lets_a_share_of_tokens_through() -> None:
    hit = Roll(needs=4, fails_up_to=1, on_success=("save",))
    chain = Chain("hit", (("hit", hit), ("save", Gate(0.25, "damage"))))
    assert flow(chain).entering == pytest.approx({"hit": 1.0, "save": 1 / 2, "damage": 1 / 8})
    assert outcomes(chain, ("damage",))[0].tolist() == pytest.approx([7 / 8, 1 / 8])
