"""Warhammer 40,000 as a user asks about it: weapons that may fire, stratagems, attached units, other dice, messages."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import pytest
from wh40k_units import blade, gun, squad

import mathhammer as mh
from mathhammer.games.abilities import strongest
from mathhammer.games.discovery import attacks_of
from mathhammer.games.wh40k.characteristics import wound_needs
from mathhammer.games.wh40k10.abilities import ABILITIES

TARGET = squad(name="Target", keywords=["infantry", "smoke"])


def funnel(attacker: mh.Unit, key: str, target: mh.Unit = TARGET, **how: Any) -> float:
    return mh.fight(attacker, target, **how).funnel[key]


# --- abilities and situations ---------------------------------------------------------------------------------------------


def test_melee_abilities() -> None:
    assert funnel(squad(blade(abilities=["Lance"])), "wounds", situation="charged") == pytest.approx(
        15 * 4 / 6 * 4 / 6
    )
    both = squad(blade(), blade(name="Horns", attacks=1, abilities=["Extra Attacks"]))
    assert funnel(both, "attacks") == 20
    assert funnel(both, "attacks", effects=[{"attacks": "+1"}]) == 25
    assert funnel(both, "attacks", effects=[{"attacks": "+1", "weapon": "Horns"}]) == 25


@pytest.mark.rule("WH40K-CRIT")
def test_the_same_ability_twice_counts_once() -> None:
    assert strongest(ABILITIES.of(("Sustained Hits 1", "Sustained Hits D3"))) == (
        ABILITIES.find("Sustained Hits D3"),
    )
    assert strongest(ABILITIES.of(("Anti-INFANTRY 4+", "Anti-infantry 3+", "Anti-VEHICLE 5+"))) == (
        ABILITIES.find("Anti-INFANTRY 3+"),
        ABILITIES.find("Anti-VEHICLE 5+"),
    )
    assert strongest(ABILITIES.of(("Conversion 24", "Conversion 12"))) == (ABILITIES.find("Conversion 12"),)
    gifted = {"gain": ["Sustained Hits 2"]}
    assert funnel(squad(gun(abilities=["Sustained Hits 1"])), "hits", effects=[gifted]) == pytest.approx(
        10 * (4 / 6 + 2 / 6)
    )


@pytest.mark.rule("WH40K-ATTACKS", "WH40K-EXTRA")
def test_the_best_weapon_and_those_with_extra_attacks() -> None:
    """Each model strikes with its better weapon, and with its horns besides."""
    horns = blade(name="Horns", attacks=1, abilities=["Extra Attacks"])
    armed = squad(blade(), blade(name="Axe", damage=2), horns)
    result = mh.fight(armed, TARGET)
    assert [volley.name for volley in result.plan.volleys] == ["Axe", "Horns"]
    assert result.funnel["attacks"] == 5 * 3 + 5 * 1


@pytest.mark.parametrize(
    ("strength", "needs"), [(8, 2), (9, 2), (7, 3), (5, 3), (4, 4), (3, 5), (2, 6), (1, 6)]
)
def test_strength_against_toughness_4(strength: int, needs: int) -> None:
    assert wound_needs(strength, 4) == needs


def test_go_to_ground_gives_infantry_a_save() -> None:
    bare = squad(name="Bare", save=7, keywords=["infantry"])
    assert funnel(squad(gun(ap=-3)), "unsaved", bare, commands="go_to_ground") == pytest.approx(
        10 * 4 / 6 * 0.5 * 5 / 6
    )
    tank = squad(name="Tank", save=7, keywords=["vehicle"])
    loose = {"stratagem_keywords": "ignored"}
    assert funnel(
        squad(gun(ap=-3)), "unsaved", tank, commands="go_to_ground", options=loose
    ) == pytest.approx(10 * 4 / 6 * 0.5)


def test_both_readings_of_the_save_cap() -> None:
    effects = [{"save_roll": "+1", "on": "target"}, {"armour_save_roll": "+1", "on": "target"}]
    net = funnel(squad(gun(ap=-2)), "unsaved", effects=effects)
    bonus = funnel(squad(gun(ap=-2)), "unsaved", effects=effects, options={"save_cap": "bonus"})
    assert net == pytest.approx(10 * 4 / 6 * 0.5 * 3 / 6)
    assert bonus == pytest.approx(10 * 4 / 6 * 0.5 * 4 / 6)


@pytest.mark.parametrize(
    ("effect", "key", "wanted"),
    [
        ({"toughness": "+1"}, "wounds", 10 * 4 / 6 * 2 / 6),
        ({"save": "-1"}, "unsaved", 10 * 4 / 6 * 0.5 * 2 / 6),
        ({"invuln": 2}, "unsaved", 10 * 4 / 6 * 0.5 / 6),
        ({"fnp": 4}, "damage", 10 * 4 / 6 * 0.5 * 0.5 * 0.5),
        ({"reroll_save": "failed"}, "unsaved", 10 * 4 / 6 * 0.5 * 0.25),
        ({"ignore": ["save_penalties"]}, "unsaved", 10 * 4 / 6 * 0.5 * 0.5),
    ],
)
def test_what_a_unit_does_for_its_own_defence(effect: dict[str, Any], key: str, wanted: float) -> None:
    guarded = squad(name="Guarded", effect=[{"name": "Guard"} | effect])
    shot = squad(gun(ap=-1)) if "ignore" in effect else squad(gun())
    assert funnel(shot, key, guarded) == pytest.approx(wanted)


def test_damage_that_is_reduced_or_halved_by_an_effect() -> None:
    cannon = squad(gun(damage=4), models=1)
    for effect, left in (
        ({"damage_reduction": 1}, 3),
        ({"halve_damage": True}, 2),
        ({"halve_damage": True, "damage_reduction": 1}, 1),
    ):
        tank = squad(name="Tank", models=1, wounds=20, effect=[{"name": "Hull"} | effect])
        assert funnel(cannon, "damage", tank) == pytest.approx(2 * 4 / 6 * 0.5 * 0.5 * left)


# --- who may fire ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "WH40K-SEQ",
    "WH40K-LONEOP",
    "WH40K-ASSAULT",
    "WH40K-PISTOL",
    "WH40K-BGNT",
    "WH40K-BLAST",
    "WH40K-INDIRECT",
    "WH40K-TORRENT",
)
@pytest.mark.parametrize(
    ("weapon", "attacker", "target", "how", "reason"),
    [
        ({}, {}, {}, {"distance": 30}, "30 inches away, range 24 (WH40K-SEQ)"),
        (
            {},
            {},
            {"lone_operative": True},
            {"distance": 13},
            "a Lone Operative cannot be picked from more than 12 inches (WH40K-LONEOP)",
        ),
        (
            {},
            {},
            {},
            {"situation": "advanced"},
            "the unit Advanced, and this is not an Assault weapon (WH40K-ASSAULT)",
        ),
        ({}, {}, {}, {"situation": "engaged"}, "in Engagement Range only Pistols are fired (WH40K-PISTOL)"),
        (
            {},
            {"keywords": ["vehicle"]},
            {},
            {"situation": ("engaged", "overwatch")},
            "an engaged unit cannot use Fire Overwatch (WH40K-BGNT)",
        ),
        ({}, {}, {}, {"situation": "target_engaged"}, "the target is engaged with friends (WH40K-BGNT)"),
        (
            {"abilities": ["Blast"]},
            {"keywords": ["monster"]},
            {},
            {"situation": "engaged"},
            "Blast cannot be used at an engaged target (WH40K-BLAST)",
        ),
        (
            {},
            {},
            {},
            {"situation": "target_unseen"},
            "nobody sees the target, and this is not Indirect Fire (WH40K-INDIRECT)",
        ),
        (
            {"abilities": ["Indirect Fire", "Torrent"]},
            {},
            {},
            {"situation": "target_unseen"},
            "Torrent cannot be used through Indirect Fire (WH40K-TORRENT)",
        ),
    ],
)
def test_why_a_weapon_does_not_fire(
    weapon: dict[str, Any], attacker: dict[str, Any], target: dict[str, Any], how: dict[str, Any], reason: str
) -> None:
    result = mh.fight(squad(gun(**weapon), **attacker), squad(name="Target", **target), **how)
    assert dict(result.skipped) == {"Gun": reason}
    assert result.lost.to_dict() == {0: pytest.approx(1.0)}


@pytest.mark.rule("WH40K-PISTOL")
def test_pistols_or_the_other_weapons() -> None:
    pistol = gun(name="Pistol", range=12, attacks=1, abilities=["Pistol"])
    everyone = mh.fight(squad(gun(), pistol), TARGET)
    assert dict(everyone.skipped) == {"Pistol": "its bearers fire their other weapons (WH40K-PISTOL)"}
    some = mh.fight(squad(gun(models=3), pistol), TARGET)
    assert some.funnel["attacks"] == 3 * 2 + 2
    tank = mh.fight(squad(gun(), pistol, keywords=["vehicle"]), TARGET)
    assert tank.funnel["attacks"] == 15
    engaged = mh.fight(squad(gun(), pistol), TARGET, situation="engaged")
    assert engaged.funnel["attacks"] == 5
    assert set(engaged.skipped) == {"Gun"}
    big = mh.fight(squad(gun(), pistol, keywords=["vehicle"]), TARGET, situation="engaged")
    assert big.funnel["hits"] == pytest.approx(10 * 3 / 6 + 5 * 4 / 6)


# --- allocation -------------------------------------------------------------------------------------------------------------


def leader(**fields: Any) -> mh.Unit:
    return mh.make_unit(
        "wh40k10",
        {
            "name": "Captain",
            "toughness": 4,
            "wounds": 5,
            "save": 2,
            "points": 80,
            "keywords": ["character", "psyker"],
            "weapon": [gun(attacks=1), blade(name="Sword")],
        }
        | fields,
    )


@pytest.mark.rule("WH40K-ANTI", "WH40K-LEADER")
def test_attached_units() -> None:
    gift = {"name": "Lead", "on": "friends", "hit_roll": "+1"}
    own = {"name": "Rage", "attacks": "+1"}
    tough = {"name": "Iron", "fnp": 2}
    joined = mh.attach(leader(effect=[gift, own, tough]), squad(gun(), blade(), points=100))
    assert (joined.name, joined.models, joined.points, joined.health) == ("Squad with Captain", 6, 180, 15)
    assert "PSYKER" in joined.keywords
    assert [(effect.weapon, effect.group) for effect in joined.effects if effect.name == "Iron"] == [
        ((), "Captain")
    ]
    shots = mh.fight(joined, TARGET, weapons="ranged")
    assert shots.funnel["attacks"] == 5 * 2 + 2  # his own rule is his own
    assert shots.funnel["hits"] == pytest.approx(12 * 5 / 6)  # his gift is for all, himself included
    assert mh.fight(joined, TARGET, weapons="melee").funnel["attacks"] == 5 * 3 + 4
    hail = squad(gun(attacks=30, ap=-6, damage=2, strength=8))
    volley = mh.fight(hail, joined)
    assert volley.groups["Squad"].p_destroyed > 0.99
    assert volley.groups["Captain"].p_destroyed < volley.groups["Squad"].p_destroyed
    sniper = squad(gun(attacks=2, ap=-6, damage=3, abilities=["Precision"]))
    assert mh.fight(sniper, joined).groups["Squad"].p_destroyed < 1e-4
    plain = mh.attach(leader(), squad())
    assert mh.fight(sniper, plain).groups["Captain"].p_destroyed > 0.5
    assert (
        mh.fight(sniper, joined).groups["Captain"].p_destroyed
        < mh.fight(sniper, plain).groups["Captain"].p_destroyed
    )  # his own FNP
    assert mh.fight(sniper, plain, options={"precision_choice": "none"}).groups["Captain"].p_destroyed < 0.05
    duel = squad(blade(damage=3, ap=-6), models=1, keywords=["character"])
    assert (
        mh.fight(duel, plain, commands="epic_challenge").groups["Captain"].p_destroyed
        > mh.fight(duel, plain).groups["Captain"].p_destroyed
    )


def test_what_a_leader_does_to_attackers_covers_the_whole_unit() -> None:
    mist = {"name": "Mist", "on": "attacker", "hit_roll": "-1"}
    volley = mh.fight(squad(gun()), mh.attach(leader(effect=[mist]), squad()))
    assert volley.funnel["hits"] == pytest.approx(10 * 3 / 6)  # 3+ and one worse


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (squad(), squad(), "attach: Squad is not a Character (give the leader first, then the bodyguard)"),
        (
            leader().with_lost(1),
            squad(),
            "attach: Captain has lost wounds (attach first, then say with_lost for the whole unit)",
        ),
        (
            mh.load_unit("Liberators", "aos4"),
            squad(),
            "attach: Liberators of Warhammer Age of Sigmar, 4th edition cannot join Squad of Warhammer 40,000, "
            "10th edition (leaders join units of their own game, in Warhammer 40,000)",
        ),
    ],
)
def test_what_cannot_be_attached(first: mh.Unit, second: mh.Unit, message: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        mh.attach(first, second)
    assert str(caught.value) == message


def test_a_wounded_model_of_a_later_group_is_nearly_dead() -> None:
    groups = [
        {"name": "guard", "models": 1, "wounds": 1},
        {"name": "captain", "models": 1, "wounds": 5, "wounded": 4, "character": True},
    ]
    pair = mh.make_unit("wh40k10", {"name": "Pair", "toughness": 4, "group": groups})
    sure = squad(gun(attacks=1, skill=2, strength=8, abilities=["Torrent"]), models=2)
    assert mh.fight(sure, pair).p_destroyed == pytest.approx((5 / 6) ** 2)
    assert mh.fight(sure, pair).lost.mean() == pytest.approx(2 * 5 / 6)


# --- Command Re-roll ----------------------------------------------------------------------------------------------------------


def brute_reroll(roll: str) -> float:
    """Mean wounds of two attacks, 4+ to hit, 4+ to wound, no save, with one failed die rolled again after the batch."""
    total = 0.0
    for hits in itertools.product(range(1, 7), repeat=2):
        for spare_hit in range(1, 7):
            scored = sum(h >= 4 for h in hits)
            if roll == "hit" and scored < 2:
                scored += spare_hit >= 4
            for wounds in itertools.product(range(1, 7), repeat=2):
                for spare_wound in range(1, 7):
                    landed = sum(w >= 4 for w in wounds[:scored])
                    if roll == "wound" and landed < scored:
                        landed += spare_wound >= 4
                    total += landed / 6**6
    return total


@pytest.mark.rule("WH40K-CMDREROLL")
@pytest.mark.parametrize("roll", ["hit", "wound"])
def test_command_reroll_is_a_step_of_the_whole_batch(roll: str) -> None:
    """WH40K-CMDREROLL of a failed Hit or Wound roll, picked after the batch."""
    shooter = squad(gun(skill=4), models=1)
    bare = squad(name="Bare", models=10, wounds=1, save=7)
    exact = mh.fight(shooter, bare, commands=f"command_reroll_{roll}")
    assert exact.lost.mean() == pytest.approx(brute_reroll(roll))
    played = mh.fight(shooter, bare, commands=f"command_reroll_{roll}", method="simulate", trials=400_000)
    assert played.lost.mean() == pytest.approx(exact.lost.mean(), abs=6.2 * played.lost.standard_error())


@pytest.mark.rule("WH40K-CMDREROLL")
def test_nothing_to_roll_again() -> None:
    """WH40K-CMDREROLL of a Hit roll that is not made: Torrent hits without one, and a weapon without attacks has none."""
    torrent, idle = squad(gun(abilities=["Torrent"])), squad(gun(attacks=0))
    plain, again = (
        mh.fight(torrent, TARGET, commands=commands).lost for commands in ((), "command_reroll_hit")
    )
    assert again == plain
    assert "hit: automatic" in mh.fight(torrent, TARGET).explain()
    assert mh.fight(idle, TARGET, commands="command_reroll_hit").lost.to_dict() == {0: 1.0}


@pytest.mark.parametrize(
    "target", [TARGET, squad(name="Warded", fnp_mortal=4), mh.attach(leader(), squad(fnp_mortal=5))]
)
def test_the_second_try_keeps_its_queue(target: mh.Unit) -> None:
    """Devastating wounds of the die that is rolled again wait like all others, also where they are a kind of their own."""
    devastating = squad(
        gun(skill=4, attacks=3, damage=2, abilities=["Devastating Wounds", "Sustained Hits 1"]), models=2
    )
    exact = mh.fight(devastating, target, commands="command_reroll_hit")
    played = mh.fight(
        devastating, target, commands="command_reroll_hit", method="simulate", trials=400_000, seed=3
    )
    assert exact.lost.mean() > mh.fight(devastating, target).lost.mean()
    assert played.lost.mean() == pytest.approx(exact.lost.mean(), abs=6.2 * played.lost.standard_error())
    assert played.lost.var() == pytest.approx(
        exact.lost.var(), abs=6.2 * exact.lost.var() * math.sqrt(3 / 400_000)
    )
    assert exact.lost.probs.sum() == pytest.approx(1.0)


@pytest.mark.rule("WH40K-CMDREROLL")
def test_one_failed_save_rolled_again() -> None:
    """WH40K-CMDREROLL of a saving throw."""
    shooter = squad(gun(attacks=1, abilities=["Torrent"], strength=8), models=2)
    bare = squad(name="Bare", models=10, wounds=1, save=4)
    dice = itertools.product(range(1, 7), repeat=5)
    total = 0.0
    for w1, w2, s1, s2, spare in dice:
        failed = [s < 4 for w, s in ((w1, s1), (w2, s2)) if w >= 2]
        total += (sum(failed) - (any(failed) and spare >= 4)) / 6**5
    assert mh.fight(shooter, bare, commands="command_reroll_save").lost.mean() == pytest.approx(total)


@pytest.mark.rule("WH40K-CMDREROLL")
def test_the_lowest_number_of_attacks_rolled_again() -> None:
    """WH40K-CMDREROLL: two weapons of D6 attacks; the lower roll again if it is 1, 2 or 3."""
    shooter = squad(gun(attacks="D6", skill=2, strength=20, abilities=["Torrent"]), models=2)
    horde = squad(name="Horde", models=20, wounds=1, save=7, toughness=4)
    total = [0.0] * 13
    for first, second, new in itertools.product(range(1, 7), repeat=3):
        low, high = sorted((first, second))
        total[high + (new if low < 3.5 else low)] += 1 / 6**3
    mean = sum(number * chance for number, chance in enumerate(total)) * 5 / 6
    exact = mh.fight(shooter, horde, commands="command_reroll_attacks")
    assert exact.lost.mean() == pytest.approx(mean)
    assert exact.lost[0] == pytest.approx(sum(chance / 6**number for number, chance in enumerate(total)))
    played = mh.fight(shooter, horde, commands="command_reroll_attacks", method="simulate", trials=400_000)
    assert played.lost.mean() == pytest.approx(mean, abs=6.2 * played.lost.standard_error())


def brute_damage(attacks: int, wounds: int, models: int, fnp: int) -> list[float]:
    """D6 damage that always wounds; the first roll that takes less than a new one would on average is rolled again."""

    @functools.cache
    def kept(damage: int, left: int) -> dict[int, float]:
        """Wounds lost to a damage roll, each of its points ignored on `fnp` or more."""
        law: dict[int, float] = {}
        for dice in itertools.product(range(1, 7), repeat=damage):
            loss = min(left, sum(die < fnp for die in dice))
            law[loss] = law.get(loss, 0.0) + 1 / 6**damage
        return law

    law = {(0, True): 1.0}
    for _ in range(attacks):
        after: dict[tuple[int, bool], float] = {}
        for (lost, left_use), chance in law.items():
            if lost == wounds * models:
                after[lost, left_use] = after.get((lost, left_use), 0.0) + chance
                continue
            left = wounds - lost % wounds
            worth = [sum(loss * p for loss, p in kept(damage, left).items()) for damage in range(1, 7)]
            for damage in range(1, 7):
                again = left_use and worth[damage - 1] < sum(worth) / 6 - 1e-9
                for final in range(1, 7) if again else [damage]:
                    for loss, p in kept(final, left).items():
                        key = (lost + loss, left_use and not again)
                        after[key] = after.get(key, 0.0) + chance * p / (36 if again else 6)
        law = after
    return [law.get((lost, True), 0.0) + law.get((lost, False), 0.0) for lost in range(wounds * models + 1)]


@pytest.mark.rule("WH40K-CMDREROLL")
@pytest.mark.parametrize("fnp", [7, 5])
def test_one_damage_roll_again(fnp: int) -> None:
    """WH40K-CMDREROLL: not wasted on a model that any roll would slay."""
    shooter = squad(
        gun(attacks=3, strength=20, damage="D6", abilities=["Torrent", "Anti-Infantry 2+"], crit_wound_on=2),
        models=1,
    )
    bare = squad(
        name="Bare",
        models=2,
        wounds=4,
        save=7,
        toughness=4,
        keywords=["Infantry"],
        **({"fnp": fnp} if fnp < 7 else {}),
    )
    sure = [brute_damage(attacks, 4, 2, fnp) for attacks in range(4)]
    wounding = [math.comb(3, n) * 5**n / 6**3 for n in range(4)]
    expected = [sum(p * law[lost] for p, law in zip(wounding, sure, strict=True)) for lost in range(9)]
    exact = mh.fight(shooter, bare, commands="command_reroll_damage")
    assert [exact.lost[lost] for lost in range(9)] == pytest.approx(expected, abs=1e-12)
    played = mh.fight(shooter, bare, commands="command_reroll_damage", method="simulate", trials=400_000)
    assert played.lost.mean() == pytest.approx(exact.lost.mean(), abs=6.2 * played.lost.standard_error())
    assert played.p_destroyed == pytest.approx(
        exact.p_destroyed, abs=6.2 * math.sqrt(exact.p_destroyed / 400_000)
    )


def test_one_damage_roll_again_with_devastating_wounds_and_several_weapons() -> None:
    shooter = squad(
        gun(damage="D6", abilities=["Devastating Wounds"]), gun(name="Other", damage="D3"), models=3
    )
    plain, exact = (
        mh.fight(shooter, TARGET, commands=commands) for commands in ((), "command_reroll_damage")
    )
    played = mh.fight(
        shooter, TARGET, commands="command_reroll_damage", method="simulate", trials=400_000, seed=5
    )
    assert exact.lost.mean() > plain.lost.mean()
    assert played.lost.mean() == pytest.approx(exact.lost.mean(), abs=6.2 * played.lost.standard_error())
    fixed = squad(gun(damage=2), models=3)
    again, plain = (
        mh.fight(fixed, TARGET, commands=commands).lost for commands in ("command_reroll_damage", ())
    )
    assert again.probs.tolist() == pytest.approx(plain.probs.tolist(), abs=1e-12)  # nothing is rolled


# --- other dice ---------------------------------------------------------------------------------------------------------------


def ask(question: str, **details: Any) -> Any:
    return mh.odds("wh40k10", question, **details)


def test_charges_and_tests() -> None:
    assert ask("charge", needed=9)["p_success"] == pytest.approx(10 / 36)
    assert ask("charge", distance=9)["needed"] == 8
    assert ask("charge", distance=9, barricade=True)["needed"] == 7
    assert ask("charge", distance=8.5, pivot=2)["needed"] == 10
    assert ask("charge", needed=9, reroll=True)["p_success"] == pytest.approx(1 - (26 / 36) ** 2)
    assert ask("battle_shock", leadership=7)["p_passed"] == pytest.approx(21 / 36)
    assert ask("battle_shock", leadership=7, insane_bravery=True)["p_battle_shocked"] == 0.0
    assert ask("leadership", leadership=6)["p_passed"] == pytest.approx(26 / 36)
    assert ask("advance", move=6)["mean_reach"] == pytest.approx(9.5)
    assert ask("advance", reroll=True)["mean_reach"] == pytest.approx(4.25)
    assert ask("surge")["mean_reach"] == pytest.approx(3.5)


@pytest.mark.rule("WH40K-DZERO", "WH40K-SETTWO")
def test_a_limited_use_of_damage_0_beats_a_set_damage() -> None:
    """WH40K-DZERO, WH40K-SETTWO: the first wound does nothing, later ones the damage that is set."""
    shooter = squad(gun(attacks=2, strength=20, damage=6, crit_wound_on=2, abilities=["Torrent"]), models=1)
    odd = squad(name="Odd", models=1, wounds=9, save=7, damage_zero_uses=1, damage_set=3)
    exact = mh.fight(shooter, odd)
    assert exact.lost.to_dict() == pytest.approx({0: 11 / 36, 3: 25 / 36})
    reduced = squad(name="Reduced", models=1, wounds=9, save=7, damage_set=0, damage_reduction=1)
    assert mh.fight(shooter, reduced).lost.to_dict() == pytest.approx({0: 1.0})


def one_failure_again(dice: int, fails_up_to: int) -> list[float]:
    """How many of some tests fail when one failed test is rolled again, by enumeration."""
    law = [0.0] * (dice + 1)
    for *rolled, new in itertools.product(range(1, 7), repeat=dice + 1):
        failed = sum(die <= fails_up_to for die in rolled)
        law[failed - (failed > 0 and new > fails_up_to)] += 1 / 6 ** (dice + 1)
    return law


@pytest.mark.rule("WH40K-SMOKE")
def test_smoke_is_for_smoke_units() -> None:
    """WH40K-SMOKE: no cover and no Stealth for a unit without the keyword."""
    shooter, bare = squad(gun(), models=5), squad(name="Bare", models=5, save=4)
    loose = {"stratagem_keywords": "ignored"}
    assert mh.fight(shooter, bare, commands="smokescreen", options=loose).lost == mh.fight(shooter, bare).lost


@pytest.mark.rule("WH40K-HAZ")
def test_psychic_hazards() -> None:
    """WH40K-HAZ: the tests of a Psychic weapon meet the Feel No Pain against Psychic attacks."""
    witch = squad(name="Witch", models=1, wounds=3, fnp_psychic=4)
    assert ask("hazardous", target=witch, tests=1)["mean_wounds_lost"] == pytest.approx(3 / 6)
    assert ask("hazardous", target=witch, tests=1, psychic=True)["mean_wounds_lost"] == pytest.approx(1.5 / 6)
    assert ask("transport_destroyed", target=witch)["mean_wounds_lost"] == pytest.approx(
        1 / 6
    )  # a crash is not Psychic


@pytest.mark.rule("WH40K-CMDREROLL", "WH40K-REROLL")
def test_one_test_again() -> None:
    """WH40K-CMDREROLL of a Desperate Escape or Hazardous test: one die of the batch."""
    escaped = ask("desperate_escape", tests=4, models=5, command_reroll=True)
    assert [escaped["models_slain_pmf"][n] for n in range(5)] == pytest.approx(one_failure_again(4, 2))
    hurt = ask("hazardous", target=squad(models=3, wounds=3), tests=3, command_reroll=True)
    assert [hurt["models_slain_pmf"][n] for n in range(4)] == pytest.approx(one_failure_again(3, 1))
    with pytest.raises(mh.MathhammerError, match="reroll_tests and command_reroll together"):
        ask("hazardous", target=TARGET, tests=3, reroll_tests=True, command_reroll=True)


@pytest.mark.rule("WH40K-GRENADE", "WH40K-TANKSHOCK", "WH40K-DEADLY", "WH40K-MORTAL")
def test_mortal_wounds_outside_of_attacks() -> None:
    assert ask("grenade", target=TARGET)["mean_mortal_wounds"] == pytest.approx(3.0)
    shock = ask("tank_shock", target=squad(models=10, wounds=1), toughness=12)
    assert shock["mean_mortal_wounds"] == pytest.approx(shock["mean_wounds_lost"])
    assert shock["mean_wounds_lost"] < 4.0
    assert ask("deadly_demise", target=TARGET, mortals="D6")["mean_mortal_wounds"] == pytest.approx(3.5 / 6)
    assert ask("hazardous", target=TARGET, tests=1)["mean_models_slain"] == pytest.approx(1 / 6)
    assert ask("hazardous", target=TARGET, tests=1, reroll_tests=True)["mean_models_slain"] == pytest.approx(
        1 / 36
    )
    assert ask("desperate_escape", tests=6, models=10)["mean_models_slain"] == pytest.approx(2.0)
    assert ask("transport_destroyed", target=TARGET)["mean_wounds_lost"] == pytest.approx(5 / 6)
    assert ask("transport_destroyed", target=TARGET, emergency=True)["mean_wounds_lost"] == pytest.approx(2.5)
    assert ask("mortal_dice", target=TARGET, dice=3, success_on=4, mortals_each="D3")[
        "mean_mortal_wounds"
    ] == pytest.approx(3.0)
    for dice, success_on, mean in ((4, 1, 4.0), (4, 7, 0.0), (0, 4, 0.0), (1000, 7, 0.0)):
        assert ask("mortal_dice", target=TARGET, dice=dice, success_on=success_on)[
            "mean_mortal_wounds"
        ] == pytest.approx(mean)
    for dice, success_on in ((4, 0), (4, 8), (-1, 4), (1001, 4)):
        with pytest.raises(mh.BadInputError, match=r"^mortal dice: "):
            ask("mortal_dice", target=TARGET, dice=dice, success_on=success_on)


def test_reserves_of_nothing() -> None:
    assert ask("reserves", limit=0, points=0) == {"most_points": 0, "allowed": True}
    assert ask("reserves", limit=0, points=1)["allowed"] is False
    for limit, points in ((-1, 0), (0, -1)):
        with pytest.raises(mh.BadInputError, match=r"^reserves: "):
            ask("reserves", limit=limit, points=points)


def test_rolls_that_an_effect_may_change() -> None:
    """A Feel No Pain is not a ward: there is nothing to add to, and nothing to roll again."""
    known = {field.name for field in attacks_of("wh40k10").effect_fields}
    assert {"hit_roll", "wound_roll", "save_roll", "reroll_save"} <= known
    assert not {"ward_roll", "reroll_ward"} & known
    for low in (1, 7):
        with pytest.raises(mh.BadInputError, match="crit_on"):
            squad(gun(crit_on=low))


@pytest.mark.rule("WH40K-CHARGE", "WH40K-ATTACKS", "WH40K-CPLIMIT", "WH40K-REROLL")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ask("charge"),
            "charge: give either needed= (the total on 2D6) or distance= (inches between the units)",
        ),
        (
            lambda: ask("charge", distance=13),
            "charge: 13 inches (a charge is declared within 12 inches, WH40K-CHARGE)",
        ),
        (lambda: ask("roll_2d6", need=7, reroll="some"), "roll_2d6: reroll 'some' (give 'none' or 'failed')"),
        (
            lambda: ask("battle_shock", leadership=1),
            "battle_shock: Leadership 1+ (give 5 to 8, WH40K-LIMITS)",
        ),
        (
            lambda: ask("mortal_dice", target=TARGET, dice=-1, success_on=4),
            "mortal dice: -1 dice (give 0 to 1000)",
        ),
        (
            lambda: ask("mortal_dice", target=TARGET, dice=1, success_on=9),
            "mortal dice: success on 9+ (give 1 to 7)",
        ),
        (lambda: ask("hazardous", target=TARGET, tests=5000), "tests: 5000 (give 0 to 1000)"),
        (lambda: ask("desperate_escape", tests=5, models=0), "desperate escape: 0 models (give 1 to 1000)"),
        (lambda: ask("grenade"), "odds: grenade needs target"),
        (
            lambda: ask("grenade", target="Marines"),
            "odds: grenade: target is 'Marines' (give a unit, from load_unit or make_unit)",
        ),
        (
            lambda: mh.fight(squad(gun(), blade()), TARGET, weapons=["Gun", "Blade"]),
            "fight: melee and ranged weapons attack in different phases (choose one kind)",
        ),
        (
            lambda: mh.fight(squad(blade(), blade(name="Axe")), TARGET, weapons=["Blade", "Axe"]),
            "fight: a model strikes with one melee weapon (WH40K-ATTACKS; name those you want: 'Blade', 'Axe')",
        ),
        (
            lambda: mh.fight(squad(blade()), TARGET, situation="overwatch"),
            "fight: overwatch is shooting (use it with ranged weapons)",
        ),
        (
            lambda: mh.fight(squad(gun()), TARGET, commands=("command_reroll_hit", "command_reroll_save")),
            "fight: a stratagem is used once per phase (WH40K-CPLIMIT; choose one command_reroll)",
        ),
        (
            lambda: mh.fight(
                squad(gun(attacks="D3"), gun(name="B")), TARGET, commands="command_reroll_attacks"
            ),
            "fight: command_reroll_attacks is for one roll of one weapon (name a single weapon)",
        ),
        (
            lambda: mh.fight(squad(gun()), squad(name="Tank"), commands="go_to_ground"),
            "fight: go_to_ground is for Infantry units, and Tank is none (WH40K-GOTOGROUND)",
        ),
        (
            lambda: mh.fight(squad(gun()), squad(name="Tank"), commands="smokescreen"),
            "fight: smokescreen is for Smoke units, and Tank is none (WH40K-SMOKE)",
        ),
        (
            lambda: mh.fight(squad(blade()), TARGET, commands="epic_challenge"),
            "fight: epic_challenge is for a Character, and Squad has none (WH40K-EPIC)",
        ),
        (
            lambda: mh.fight(
                squad(gun(damage="D6"), effect=[{"name": "Lucky", "reroll_damage": "ones"}]),
                TARGET,
                commands="command_reroll_damage",
            ),
            "fight: command_reroll_damage and reroll_damage together are not covered (drop one of them)",
        ),
        (
            lambda: mh.fight(squad(gun()), squad(damage_zero_uses=1), commands="command_reroll_save"),
            "fight: command_reroll_save and damage_zero_uses together are not covered (drop one of them)",
        ),
        (
            lambda: mh.fight(squad(gun()), TARGET).damage,
            "damage: this game has no damage pool (ask for lost instead)",
        ),
        (
            lambda: mh.fight(squad({k: v for k, v in gun().items() if k != "skill"}), TARGET),
            "fight: Gun has no skill (give it one, or the ability Torrent)",
        ),
        (
            lambda: mh.fight(squad(gun()), mh.load_unit("Liberators", "aos4")),
            "fight: Squad plays wh40k10, Liberators plays aos4 (choose one game)",
        ),
        (lambda: squad(gun(ap=2)), "Squad, Gun: ap 2 (give a whole number from -10 to 0)"),
        (
            lambda: mh.make_unit("wh40k10", {"name": "X", "toughness": 4, "group": [{"name": "a"}]}),
            "X, a: wounds is missing (give it for the unit or for each group)",
        ),
        (
            lambda: squad(models=3, group=[{"name": "a", "models": 2}]),
            "Squad: models is 3 but the groups have 2 (make them agree)",
        ),
        (
            lambda: mh.attach(leader(), squad()).with_models(3),
            "Squad with Captain: has several kinds of models (say how many of each in the datasheet)",
        ),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        call()
    assert str(caught.value) == message


def test_what_is_too_large_says_so() -> None:
    weapons = [
        gun(name=f"Gun {n}", attacks=10, models=5, damage=n + 1, abilities=["Devastating Wounds"])
        for n in range(4)
    ]
    horde = squad(name="Horde", models=30, wounds=3)
    with pytest.raises(
        mh.TooLargeError,
        match=r'^fight: exact needs \d+ million states for this target \(use method="simulate"\)$',
    ):
        mh.fight(squad(*weapons), horde)
    assert mh.fight(squad(*weapons), horde, method="simulate", trials=20_000).lost.mean() > 10


@pytest.mark.rule(
    "WH40K-BLAST",
    "WH40K-RAPID",
    "WH40K-PLUNGE",
    "WH40K-SVT",
    "WH40K-MELTA",
    "WH40K-COVER",
    "WH40K-SAVE",
    "WH40K-FNP",
    "WH40K-HEAVY",
    "WH40K-STEALTH",
)
def test_explain_cites_the_rules() -> None:
    told = mh.fight(
        squad(gun(ap=-1, damage="D3", abilities=["Heavy", "Melta 2", "Blast", "Rapid Fire 1"])),
        squad(name="Tank", save=3, fnp=5, stealth=True),
        situation=("stationary", "half_range", "target_in_cover", "plunging_fire"),
    ).explain()
    for line in (
        "Attacks: 5 x 2, +1 Blast (WH40K-BLAST), +1 Rapid Fire 1 (WH40K-RAPID)",
        "AP: as written, -1 Plunging Fire (WH40K-PLUNGE)",
        "Strength 4 against Toughness 4 (WH40K-SVT)",
        "Damage: D3, +2 Melta 2 (WH40K-MELTA)",
        "Armour save: 3+, -2 AP (WH40K-SAVE), +1 Cover (WH40K-COVER); saved with chance 0.5",
        "Feel No Pain ignores each wound with chance 0.3333 (WH40K-FNP)",
        "-1 Stealth (WH40K-STEALTH); +1 Heavy (WH40K-HEAVY)",
    ):
        assert line in told


# --- rules that no vector looks at ------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-MORTAL", "WH40K-MORTALADD")
def test_mortal_wounds_on_top_of_the_attacks() -> None:
    """WH40K-MORTALADD: two more wounds, whatever the attacks do; WH40K-MORTAL: no save stops them, and they spill."""
    horde = squad(name="Horde", models=60, wounds=1, save=2)
    for weapon in (gun(), gun(skill=6, strength=1)):
        plain = mh.fight(squad(weapon), horde).lost.mean()
        assert mh.fight(squad(weapon), horde, effects=[{"mortal_damage": 2}]).lost.mean() == pytest.approx(
            plain + 2
        )


@pytest.mark.rule("WH40K-REROLL")
def test_a_d3_that_shows_a_1_is_rolled_again() -> None:
    """WH40K-REROLL (d): judged on the halved value: 1 stays in a third of a third; 2 and 3 have 1/3 + 1/9 each."""
    target = squad(name="Rock", models=1, wounds=9, save=7)
    sure = squad(gun(attacks=1, damage="D3", abilities=["Torrent"]), models=1)
    lost = mh.fight(sure, target, effects=[{"reroll_damage": "ones"}, {"auto_wound": True}]).lost
    assert lost.to_dict() == pytest.approx({1: 1 / 9, 2: 4 / 9, 3: 4 / 9})


@pytest.mark.rule("WH40K-REROLL", "WH40K-CMDREROLL")
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_a_die_is_rolled_again_once(method: str) -> None:
    """WH40K-REROLL (a): wounds on 4+; a die that Twin-linked rolled again is not picked for Command Re-roll, nor is the new die rolled again.

    With re-rolls of ones a 2 or 3 is still free: 1/2 at once, 1/6 * 1/2 for a one, 2/6 * 1/2 for a 2 or 3.
    """
    rock = squad(name="Rock", models=1, wounds=9, save=7)
    how = {"commands": "command_reroll_wound"} | (
        {"method": "simulate", "trials": 400_000} if method == "simulate" else {}
    )

    def wounds(*abilities: str, **more: Any) -> float:
        one = squad(gun(attacks=1, abilities=["Torrent", *abilities]), models=1)
        return mh.fight(one, rock, **how, **more).lost.mean()

    tolerance = 1e-12 if method == "exact" else 6.2 * 0.5 / 400_000**0.5
    assert wounds() == pytest.approx(3 / 4, abs=tolerance)
    assert wounds("Twin-linked") == pytest.approx(3 / 4, abs=tolerance)
    assert wounds(effects=[{"reroll_wound": "ones"}]) == pytest.approx(3 / 4, abs=tolerance)
    two = squad(gun(attacks=2, abilities=["Torrent"]), models=1)
    rolled = mh.fight(two, rock, **how, effects=[{"reroll_wound": "ones"}]).lost
    # of one die: wounds with 7/12, fails for good with 1/12 (after a one), fails and is free with 4/12
    sure, gone, free = 7 / 12, 1 / 12, 4 / 12
    twice = {0: gone**2 + (1 - (1 - free) ** 2 - 2 * sure * free) / 2}
    assert rolled[0] == pytest.approx(twice[0], abs=tolerance)


def saves_again(reroll: str, saves: int) -> float:
    """Mean failed saves of 4+ when 1s or all failures are rolled again, and then one more die that was not,
    by going through all dice.
    """
    total = 0.0
    for dice in itertools.product(range(1, 7), repeat=2 * saves + 1):
        failed, free = 0, False
        for first, second in zip(dice[:saves], dice[saves : 2 * saves], strict=True):
            again = first == 1 if reroll == "ones" else first < 4
            failed += (second if again else first) < 4
            free = free or (first < 4 and not again)
        total += failed - (free and dice[-1] >= 4)
    return total / 6 ** (2 * saves + 1)


@pytest.mark.rule("WH40K-REROLL", "WH40K-CMDREROLL")
@pytest.mark.parametrize("reroll", ["ones", "failed"])
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_a_save_is_rolled_again_once(reroll: str, method: str) -> None:
    """WH40K-REROLL: Command Re-roll takes a failed save that no other rule has rolled again."""
    sure = [{"auto_hit": True}, {"auto_wound": True}]
    guard = squad(name="Guard", save=4, reroll_saves=reroll)
    for number in (1, 2):
        shooter = squad(gun(attacks=number), models=1)
        fought = mh.fight(shooter, guard, commands="command_reroll_save", effects=sure, method=method)
        assert fought.lost.mean() == pytest.approx(
            saves_again(reroll, number), abs=1e-9 if method == "exact" else 3e-3
        )


@pytest.mark.rule("WH40K-LONEOP")
def test_a_lone_operative_is_picked_from_12_inches() -> None:
    """WH40K-LONEOP: within 12 inches like anybody else."""
    alone = squad(name="Spy", models=1, lone_operative=True)
    assert not mh.fight(squad(gun()), alone, distance=12).skipped
    assert mh.fight(squad(gun()), alone, distance=12.1).skipped
