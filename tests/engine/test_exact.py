"""The exact engine on targets that lose excess damage: against walks written out packet by packet."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Roll
from mathhammer.engine.exact import end_states, pool, walk_from
from mathhammer.engine.landing import land, step
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.engine.queues import MANY, _fold
from mathhammer.engine.result import Result
from mathhammer.engine.simplify import merged
from mathhammer.engine.simulate import simulate
from mathhammer.errors import TooLargeError

ONE, TWO, THREE = (Pmf.constant(n) for n in (1, 2, 3))


def shot(needs: int, **tokens: tuple[str, ...]) -> Chain:
    return Chain("hit", (("hit", Roll(needs=needs, crit_on=6, fails_up_to=1, **tokens)),))


def result(plan: Plan) -> Result:
    return Result("a", "t", plan, end_states(plan))


def played(plan: Plan, trials: int = 400_000) -> Result:
    return simulate(plan, attacker="a", target="t", trials=trials, seed=1)


def test_excess_damage_is_lost_with_the_model() -> None:
    plan = Plan(
        (
            Volley(
                "w",
                Pmf.constant(3),
                shot(2, on_success=("wound",)),
                (Packet("wound", (THREE,), (1.0,), (0.0,)),),
            ),
        ),
        Target((Group("g", 5, 2),)),
    )
    assert result(plan).slain[3] == pytest.approx((5 / 6) ** 3)
    assert result(plan).lost.mean() == pytest.approx(2 * 3 * 5 / 6)


def test_a_hurt_first_model_dies_first() -> None:
    plan = Plan(
        (Volley("w", Pmf.constant(1), Chain("wound"), (Packet("wound", (TWO,), (1.0,), (0.0,)),)),),
        Target((Group("g", 2, 3, hurt=2),)),
    )
    assert result(plan).lost.to_dict() == {1: 1.0}
    assert result(plan).slain.to_dict() == {1: 1.0}


def brute_force(plan: Plan) -> dict[tuple[int, int], float]:
    """Every sequence of dice of a tiny action, told with the rules of landing and queues only."""
    (first, second) = plan.target.groups
    laws: dict[tuple[int, int], float] = {}
    (volley,) = plan.volleys
    for faces in itertools.product(range(1, 7), repeat=len(volley.attacks) - 1):
        branches = [((0, 0), 1 / 6 ** len(faces))]
        for kind in [
            k for face in faces for k in (["plain"] if 3 <= face < 6 else ["better"] if face == 6 else [])
        ]:
            packet = next(p for p in volley.packets if p.kind == kind)
            spread: list[tuple[tuple[int, int], float]] = []
            for (lost_first, lost_second), chance in branches:
                in_first = lost_first < first.models * first.wounds
                group, wounds, lost = (
                    (0, first.wounds, lost_first) if in_first else (1, second.wounds, lost_second)
                )
                if not in_first and lost_second >= second.models * second.wounds:
                    spread.append(((lost_first, lost_second), chance))
                    continue
                harm = min(int(packet.damage[group].mean()), wounds - lost % wounds)
                hurt = (lost_first + harm, lost_second) if in_first else (lost_first, lost_second + harm)
                spread.append((hurt, chance * packet.through[group]))
                spread.append(((lost_first, lost_second), chance * (1 - packet.through[group])))
            branches = spread
        for place, chance in branches:
            laws[place] = laws.get(place, 0.0) + chance
    return laws


def mixed_plan() -> Plan:
    """Better AP on a critical wound against groups with different saves: two kinds that land at once."""
    packets = (
        Packet("plain", (TWO, TWO), (1 / 3, 5 / 6), (0.0, 0.0)),
        Packet("better", (TWO, TWO), (1.0, 1.0), (0.0, 0.0)),
    )
    target = Target((Group("shields", 2, 3), Group("crew", 2, 1)), tracks=((0, 1),))
    return Plan(
        (Volley("w", Pmf.constant(4), shot(3, on_success=("plain",), on_crit=("better",)), packets),), target
    )


def test_two_kinds_that_land_at_once_land_attack_by_attack() -> None:
    plan = mixed_plan()
    landing, end = land(plan.target), end_states(plan)
    for (first, second), chance in brute_force(plan).items():
        assert end[first + second] == pytest.approx(chance, abs=1e-12)
    assert landing.states == 9
    assert not np.allclose(
        step(plan.volleys[0].packets[0], plan.target) @ step(plan.volleys[0].packets[1], plan.target),
        step(plan.volleys[0].packets[1], plan.target) @ step(plan.volleys[0].packets[0], plan.target),
    )
    seen = played(plan)
    assert seen.lost.mean() == pytest.approx(
        result(plan).lost.mean(), abs=6.2 * result(plan).lost.sd() / 400_000**0.5
    )


def test_queued_packets_wait_for_all_others() -> None:
    late = Packet("late", (THREE,), (1.0,), (0.0,), rank=0)
    now = Packet("now", (ONE,), (1.0,), (0.0,))
    target = Target((Group("g", 1, 4),))
    both = Volley(
        "w",
        Pmf.constant(1),
        Chain("both", (("both", Roll(needs=2, auto=True, on_success=("late", "now"))),)),
        (late, now),
    )
    after = Volley("v", Pmf.constant(1), Chain("now"), (now,))
    # 1 + 1 at once, then 3 on a model with 2 wounds left: dead, nothing more; in the other order it is the same total
    assert result(Plan((both, after), target)).lost.to_dict() == {4: 1.0}
    two = Target((Group("g", 2, 4),))
    assert result(Plan((both, after), two)).lost.to_dict() == {4: 1.0}  # not 3 + 1 + 1 = 5
    assert played(Plan((both, after), two), 2000).lost.to_dict() == {4: 1.0}


def test_packets_that_do_the_same_become_one_kind() -> None:
    """One hit is three packets: the first two differ in their save only, the third deals less and lands last."""
    wound = Packet("wound", (TWO,), (0.5,), (0.0,))
    devastating = Packet("devastating", (TWO,), (1.0,), (0.0,), rank=0)
    mortal = Packet("mortal", (ONE,), (1.0,), (0.0,), rank=1)
    packets = (wound, devastating, mortal)
    hit = Chain(
        "hit", (("hit", Roll(needs=2, auto=True, on_success=tuple(packet.kind for packet in packets))),)
    )
    plan = Plan((Volley("w", Pmf.constant(1), hit, packets),), Target((Group("g", 5, 2),)))
    assert [packet.kind for packet in merged(plan).volleys[0].packets] == ["landed", "mortal"]
    assert result(plan).lost.to_dict() == pytest.approx({3: 0.5, 5: 0.5})
    assert played(plan, 5000).lost.mean() == pytest.approx(4.0, abs=6.2 / 5000**0.5)


def test_kinds_that_land_at_once_and_differ_stay_apart() -> None:
    plain, better = Packet("plain", (ONE,), (0.5,), (0.0,)), Packet("better", (TWO,), (1.0,), (0.0,))
    hit = shot(2, on_success=("plain",), on_crit=("better",))
    plan = Plan((Volley("w", Pmf.constant(1), hit, (plain, better)),), Target((Group("g", 5, 2),)))
    assert merged(plan) == plan
    assert result(plan).lost.to_dict() == pytest.approx({0: 1 / 6 + 4 / 6 / 2, 1: 4 / 6 / 2, 2: 1 / 6})


def test_packets_wait_while_others_land_attack_by_attack() -> None:
    """A critical hit that lands at once and leaves a packet for later: one such attack takes 2 wounds of a shield, then the last one."""
    late = Packet("late", (TWO, TWO), (1.0, 1.0), (0.0, 0.0), rank=0)
    (mixed,) = mixed_plan().volleys
    volley = replace(
        mixed,
        chain=shot(3, on_success=("plain",), on_crit=("better", "late")),
        packets=(*mixed.packets, late),
    )
    one = result(Plan((replace(volley, attacks=Pmf.constant(1)),), mixed_plan().target)).lost
    assert one.to_dict() == pytest.approx({0: 2 / 6 + 3 / 6 * 2 / 3, 2: 3 / 6 / 3, 3: 1 / 6})
    exact, seen = (
        result(Plan((volley,), mixed_plan().target)).lost,
        played(Plan((volley,), mixed_plan().target)).lost,
    )
    assert seen.mean() == pytest.approx(exact.mean(), abs=6.2 * exact.sd() / 400_000**0.5)


def test_a_cap_counts_packets() -> None:
    capped = Packet("m", (ONE,), (1.0,), (0.0,), rank=0, cap=6)
    plan = Plan(
        (Volley("w", Pmf.constant(12), shot(5, on_success=("m",)), (capped,)),), Target((Group("g", 20, 1),))
    )
    wanted = Pmf.binomial(12, 1 / 3).cut(6)
    assert result(plan).lost.probs[:7] == pytest.approx(wanted.probs)
    assert played(plan).lost.mean() == pytest.approx(wanted.mean(), abs=6.2 * wanted.sd() / 400_000**0.5)


def test_a_character_on_a_track_of_its_own_can_be_picked() -> None:
    target = Target((Group("bodyguard", 2, 1), Group("captain", 1, 3)), tracks=((0,), (1,)))
    pick = Packet("wound", (TWO, TWO), (1.0, 1.0), (0.0, 0.0), tracks=(1, 0))
    plain = Packet("wound", (TWO, TWO), (1.0, 1.0), (0.0, 0.0), tracks=(0, 1))
    picked = result(Plan((Volley("w", Pmf.constant(2), Chain("wound"), (pick,)),), target))
    assert picked.groups["captain"].p_destroyed == 1.0
    assert picked.groups["bodyguard"].p_destroyed == 0.0
    spared = result(Plan((Volley("w", Pmf.constant(3), Chain("wound"), (plain,)),), target))
    assert (spared.groups["bodyguard"].p_destroyed, spared.groups["captain"].p_destroyed) == (1.0, 0.0)
    assert spared.lost.to_dict() == {4: 1.0}
    assert spared.slain.to_dict() == {2: 1.0}


def test_limited_uses_are_spent_by_packets_that_get_through() -> None:
    packet = Packet("wound", (TWO,), (0.5,), (0.0,), spared=(Pmf.constant(0),))
    plan = Plan(
        (Volley("w", Pmf.constant(2), Chain("wound"), (packet,)),), Target((Group("g", 1, 9),), uses=1)
    )
    assert result(plan).lost.to_dict() == pytest.approx({0: 0.75, 2: 0.25})
    assert played(plan).lost.mean() == pytest.approx(0.5, abs=0.01)


def test_random_numbers_of_attacks_are_walked_once() -> None:
    packet = Packet("wound", (TWO,), (0.5,), (1 / 3,))

    def plan(attacks: Pmf) -> Plan:
        return Plan(
            (Volley("w", attacks, shot(3, on_success=("wound",)), (packet,)),), Target((Group("g", 4, 3),))
        )

    mixed = end_states(plan(Pmf.of({2: 0.25, 5: 0.75})))
    assert mixed == pytest.approx(
        0.25 * end_states(plan(Pmf.constant(2))) + 0.75 * end_states(plan(Pmf.constant(5)))
    )
    seen = played(plan(Pmf.of({2: 0.25, 5: 0.75})))
    law = result(plan(Pmf.of({2: 0.25, 5: 0.75}))).lost
    assert seen.lost.mean() == pytest.approx(law.mean(), abs=6.2 * law.sd() / 400_000**0.5)


def test_what_is_too_large_is_refused_with_a_way_out() -> None:
    late = tuple(Packet(f"late {n}", (Pmf.constant(n + 1),), (1.0,), (0.0,), rank=n) for n in range(4))
    volleys = tuple(
        Volley(f"w{n}", Pmf.constant(60), shot(3, on_success=(packet.kind,)), (packet,))
        for n, packet in enumerate(late)
    )
    with pytest.raises(TooLargeError) as caught:
        end_states(Plan(volleys, Target((Group("g", 10, 2),))))
    assert (
        str(caught.value) == 'fight: exact needs 291 million states for this target (use method="simulate")'
    )
    pooled = Volley(
        "w",
        Pmf.constant(10**6),
        shot(3, on_success=("m",)),
        (Packet("m", (Pmf.constant(1000),), (1.0,), (0.0,)),),
    )
    with pytest.raises(
        TooLargeError,
        match=r'^fight: exact needs .* multiplications for this many attacks \(use method="simulate"\)$',
    ):
        end_states(Plan((pooled,), Target((Group("g", 1000, 1000),), spills=True)))


def test_an_attack_has_a_largest_number_of_packets() -> None:
    chain = Chain(
        "hit", (("hit", Roll(needs=2, on_success=("many",))), ("many", Fan(parse_dice(256), "wound")))
    )
    plan = Plan(
        (Volley("w", Pmf.constant(1), chain, (Packet("wound", (ONE,), (1.0,), (0.0,)),)),),
        Target((Group("g", 3, 1),)),
    )
    with pytest.raises(TooLargeError) as caught:
        end_states(plan)
    assert (
        str(caught.value) == "fight: one attack of this weapon has too many outcomes (use fewer extra hits)"
    )


def test_a_kind_of_packets_has_a_largest_number() -> None:
    packet = Packet("wound", (ONE,), (1.0,), (0.0,))
    plan = Plan(
        (Volley("w", Pmf.constant(70_000), shot(3, on_success=("wound",)), (packet,)),),
        Target((Group("g", 3, 1),)),
    )
    with pytest.raises(TooLargeError) as caught:
        played(plan, 10)
    assert str(caught.value) == "simulate: 70000 packets of one kind are too many (split the attacks)"


def test_attack_by_attack_has_a_largest_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "mathhammer.engine.stages.MOST_ROW_ENTRIES", 60
    )  # 3 outcomes on 9 states are 243 entries
    (volley,) = mixed_plan().volleys
    with pytest.raises(TooLargeError) as caught:
        played(Plan((replace(volley, name="other"),), mixed_plan().target), 10)
    assert str(caught.value) == "simulate: 3 outcomes on 9 states are too many (split the target)"


def test_a_packet_that_may_reach_one_track_only() -> None:
    """What is aimed at the captain alone does nothing once he is gone, whoever is left."""
    aimed = Packet("wound", (TWO, TWO), (1.0, 1.0), (0.0, 0.0), tracks=(1,))
    target = Target((Group("squad", 2, 2), Group("captain", 1, 3)), ((0,), (1,)))
    end = result(Plan((Volley("w", Pmf.constant(4), Chain("wound"), (aimed,)),), target))
    assert end.lost.to_dict() == {3: 1.0}
    assert (end.groups["squad"].p_destroyed, end.groups["captain"].p_destroyed) == (0.0, 1.0)


def test_a_save_of_packets_that_pool() -> None:
    saved = Packet("wound", (TWO,), (0.25,), (0.5,))
    end = result(
        Plan(
            (Volley("w", Pmf.constant(1), Chain("wound"), (saved,)),),
            Target((Group("g", 3, 2),), spills=True),
        )
    )
    assert end.lost.to_dict() == pytest.approx({0: 0.75 + 0.25 * 0.25, 1: 0.25 * 0.5, 2: 0.25 * 0.25})


def test_packets_of_several_kinds_of_one_attack_all_go_into_the_pool() -> None:
    packets = (Packet("a", (parse_dice("D3").pmf(),), (1.0,), (0.0,)), Packet("b", (TWO,), (1.0,), (0.0,)))
    every = Chain("hit", (("hit", Roll(needs=2, auto=True, on_success=("a", "b", "b"))),))
    law = pool(Plan((Volley("w", ONE, every, packets),), Target((Group("g", 3, 4),), spills=True)), None)
    assert law == pytest.approx([0, 0, 0, 0, 0, 1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize(
    ("cap", "work"),
    [
        (
            None,
            21 * 21 + 1 * 21 + 3 * 4 * 2 + 4 * 22,
        ),  # powers of 10 attacks, then 1 to 3 of another weapon joined to them
        (5, 6 * 6 + 1 * 6 + 3 * 4 * 2 + 4 * 6),
    ],
)
def test_the_work_of_a_pool_is_foreseen(monkeypatch: pytest.MonkeyPatch, cap: int | None, work: int) -> None:
    first = Volley("w", Pmf.constant(10), shot(3, on_success=("m",)), (Packet("m", (TWO,), (1.0,), (0.0,)),))
    second = Volley(
        "v", Pmf.of({1: 0.5, 3: 0.5}), shot(4, on_success=("m",)), (Packet("m", (ONE,), (1.0,), (0.0,)),)
    )
    plan = Plan((first, second), Target((Group("g", 5, 1),), spills=True))
    monkeypatch.setattr("mathhammer.engine.exact.MOST_WORK", work)
    assert pool(plan, cap).sum() == pytest.approx(1.0)
    monkeypatch.setattr("mathhammer.engine.exact.MOST_WORK", work - 1)
    with pytest.raises(TooLargeError):
        pool(plan, cap)


def test_many_attacks_from_many_states_are_those_of_one_state_after_the_other() -> None:
    gun = {"name": "Gun", "attacks": 100, "skill": 5, "strength": 4, "ap": 0, "damage": 1}
    attacker = mh.make_unit("wh40k10", {"name": "A", "wounds": 1, "toughness": 4, "weapon": [gun]})
    target = mh.make_unit("wh40k10", {"name": "T", "models": 10, "wounds": 2, "toughness": 4, "save": 3})
    plan = mh.fight(attacker, target).plan
    each = np.eye(land(plan.target).states)
    assert len(plan.volleys[0].attacks) - 1 > MANY
    alone = np.concatenate([walk_from(plan, row[None, :]) for row in each])
    assert np.abs(walk_from(plan, each) - alone).max() < 1e-13


@pytest.mark.parametrize("empty", range(4))
def test_the_end_of_a_queue_is_cut_where_no_mass_is(empty: int) -> None:
    mass = np.zeros((3 + empty, 2))
    mass[:3] = [[0.1, 0.2], [0.3, 0.0], [0.0, 0.4]]
    assert np.array_equal(_fold(mass, 0, None), mass[:3])
    assert np.array_equal(_fold(mass.T, 1, None), mass[:3].T)
    assert _fold(mass.copy(), 0, 1).tolist() == pytest.approx(np.array([[0.1, 0.2], [0.3, 0.4]]))
    assert len(_fold(np.zeros((3, 2)), 0, None)) == 1
