"""The effect language: conditions, scopes and changes, each with a number worked out by counting dice."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from wh40k_units import blade, gun, squad

import mathhammer as mh
from mathhammer.compare.matrix import fill_matrix

D6 = range(1, 7)
SURE = [{"auto_hit": True}, {"auto_wound": True}]


def clan(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    """Five models of Age of Sigmar with two Health and a Save of 4+."""
    return mh.make_unit(
        "aos4", {"name": "Clan", "models": 5, "health": 2, "save": 4, "weapon": list(weapons)} | fields
    )


def sword(**fields: Any) -> dict[str, Any]:
    return {"name": "Sword", "attacks": 2, "hit": 4, "wound": 4, "damage": 1} | fields


def hits(effect: dict[str, Any], target: mh.Unit | None = None, **how: Any) -> float:
    """Hits of ten shots at 3+ with one effect."""
    return mh.fight(squad(gun(), effect=[effect]), target or squad(name="Foe"), **how).funnel["hits"]


BETTER, PLAIN = 10 * 5 / 6, 10 * 4 / 6


# --- conditions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "how", "holds"),
    [
        ("closest_target", {"situation": "closest_target"}, True),
        ("closest_target", {}, False),
        ("on_objective", {"situation": "on_objective"}, True),
        ("target_on_objective", {"situation": "target_on_objective"}, True),
        ("battle_shocked", {"situation": "battle_shocked"}, True),
        ("not target_battle_shocked", {"situation": "target_battle_shocked"}, False),
        ("target_within 12", {"distance": 12}, True),
        ("target_within 12", {"distance": 12.1}, False),
        ("target_within 12", {}, False),
        ("not target_within 12", {"distance": 13}, True),
        ("not target_within 12", {}, False),  # nobody said how far
        ("within 6", {}, True),  # its own rule is near enough
        ("strength <= 4", {}, True),
        ("strength > toughness", {}, False),
        ("ap <= 1", {}, True),
        ("damage == 1", {}, True),
        ("damage == 2", {}, False),
        ("wounds <= 10", {}, True),
        ("wounds <= 9", {}, False),
        ("weapon has Assault", {}, False),
        ("weapon lacks Assault", {}, True),
        ("contains Squad", {}, True),
        ("contains Banner", {}, False),
        ("led", {}, False),
        ("if under orders", {"use": "Under Orders"}, True),
        ("if under orders", {}, False),
        ("not if under orders", {}, True),
        ("used Dark Pact", {"use": ["dark-pact"]}, True),
        ("target is marked", {"use": "marked"}, True),
        ("target_picked 18", {"use": "target picked"}, True),
        ("destroyed", {}, False),
        ("phase shooting", {}, True),
        ("phase command", {}, False),
    ],
)
def test_conditions(condition: str, how: dict[str, Any], holds: bool) -> None:
    effect = {"name": "Rule", "when": [condition], "hit_roll": "+1"}
    assert hits(effect, **how) == pytest.approx(BETTER if holds else PLAIN)


@pytest.mark.rule("WH40K-HALF")
@pytest.mark.parametrize(
    ("lost", "below_half", "below_starting"),
    [(0, False, False), (1, False, False), (2, False, True), (6, True, True)],
)
def test_strength_of_either_side(lost: int, below_half: bool, below_starting: bool) -> None:
    """WH40K-HALF: two of five models are below half, four below the starting strength."""
    for flag, holds in (("below_half", below_half), ("below_starting", below_starting)):
        foe = squad(name="Foe").with_lost(lost)
        target = {"name": "Rule", "when": [f"target_{flag}"], "hit_roll": "+1"}
        assert hits(target, foe) == pytest.approx(BETTER if holds else PLAIN)
        hurt = squad(
            gun(attacks=6, skill=4), effect=[{"name": "Rage", "when": [flag], "hit_roll": "+1"}]
        ).with_lost(lost)
        shots = mh.fight(hurt, squad(name="Foe")).funnel
        assert shots["hits"] == pytest.approx(shots["attacks"] * (4 if holds else 3) / 6)


@pytest.mark.rule("WH40K-AGAINST")
def test_rules_that_look_at_damage_and_ap() -> None:
    """WH40K-AGAINST: +1 to saves against attacks of Damage 1 and AP 0, looked at after all changes."""
    guard = squad(
        name="Guard", effect=[{"name": "Thick", "when": ["damage == 1", "ap <= 0"], "save_roll": "+1"}]
    )

    def unsaved(**fields: Any) -> float:
        how = fields.pop("how", {})
        return mh.fight(squad(gun(**fields)), guard, effects=[*SURE, *how.pop("effects", [])], **how).funnel[
            "unsaved"
        ]

    assert unsaved() == pytest.approx(10 * 2 / 6)
    assert unsaved(damage=2) == pytest.approx(10 * 3 / 6)
    assert unsaved(damage="D3") == pytest.approx(10 * 3 / 6)  # a rolled Damage is not Damage 1
    assert unsaved(ap=-1) == pytest.approx(10 * 4 / 6)
    assert unsaved(how={"effects": [{"damage": "+1"}]}) == pytest.approx(10 * 3 / 6)
    assert unsaved(damage=2, how={"effects": [{"damage": "-1"}]}) == pytest.approx(10 * 2 / 6)
    assert unsaved(abilities=["Melta 1"], how={"situation": "half_range"}) == pytest.approx(10 * 3 / 6)


def test_models_of_a_name() -> None:
    """`model NAME`: only those models, and their weapons."""
    groups = [{"name": "Men", "models": 2, "wounds": 1}, {"name": "Sergeant", "models": 1, "wounds": 1}]
    arms = [
        gun(name="Rifle", models=2, group="Men", attacks=1),
        gun(name="Pistol", models=1, group="Sergeant", attacks=1),
    ]
    rules = [
        {"name": "Aim", "when": ["model Sergeant"], "hit_roll": "+1"},
        {"name": "Plate", "when": ["model Sergeant"], "invuln": 4},
    ]
    unit = mh.make_unit(
        "wh40k10",
        {"name": "Team", "toughness": 4, "save": 7, "group": groups, "weapon": arms, "effect": rules},
    )
    assert mh.fight(unit, squad(name="Foe")).funnel["hits"] == pytest.approx(2 * 4 / 6 + 5 / 6)
    three = squad(gun(attacks=3), models=1)
    lost = mh.fight(three, unit, effects=SURE).lost.to_dict()
    assert lost == pytest.approx({2: 1 / 2, 3: 1 / 2})


# --- scopes -----------------------------------------------------------------------------------------------


def test_scopes() -> None:
    """Who is meant: friends, those they lead, enemies that attack them, and enemies near them."""
    foe = squad(name="Foe", keywords=["beast"])
    for scope in ("friends", "led"):
        herald = squad(
            name="Herald", effect=[{"name": "Call", "on": scope, "when": ["within 6"], "hit_roll": "+1"}]
        )
        assert mh.fight(squad(gun()), foe, friends=[herald]).funnel["hits"] == pytest.approx(BETTER)
    fog = {"name": "Fog", "when": ["ranged"], "hit_roll": "-1"}
    shroud = squad(name="Shroud", effect=[fog | {"on": "friends_attacker"}])
    assert mh.fight(squad(gun()), foe, target_friends=[shroud]).funnel["hits"] == pytest.approx(10 * 3 / 6)
    gloom = squad(name="Gloom", effect=[fog | {"on": "enemies"}])
    assert mh.fight(squad(gun()), gloom).funnel["hits"] == pytest.approx(10 * 3 / 6)
    assert mh.fight(squad(gun()), foe, target_friends=[gloom]).funnel["hits"] == pytest.approx(10 * 3 / 6)
    near = squad(name="Gloom", effect=[fog | {"on": "enemies", "when": ["within 9"]}])
    assert mh.fight(squad(gun()), near, distance=9).funnel["hits"] == pytest.approx(10 * 3 / 6)
    assert mh.fight(squad(gun()), near, distance=10).funnel["hits"] == pytest.approx(PLAIN)
    curse = {"name": "Curse", "on": "enemies", "when": ["has BEAST"], "save_roll": "-1"}
    witch = squad(gun(), effect=[curse])
    assert mh.fight(witch, foe, effects=SURE).funnel["unsaved"] == pytest.approx(10 * 4 / 6)
    assert mh.fight(witch, squad(name="Man"), effects=SURE).funnel["unsaved"] == pytest.approx(10 * 3 / 6)


def test_what_must_be_used() -> None:
    """`use`: off until it is used."""
    pact = {"name": "Dark Pact", "use": "choice once per battle", "hit_roll": "+1"}
    assert hits(pact) == pytest.approx(PLAIN)
    assert hits(pact, use="Dark Pact") == pytest.approx(BETTER)


# --- changes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "where", "unsaved"),
    [
        ({"hit_fails_up_to": 4}, "attacker", 10 * 2 / 6 / 4),
        ({"wound_fails_up_to": 4}, "attacker", 10 * 4 / 6 * 2 / 6 / 2),
        ({"ignore": ["save_bonuses"]}, "target", 10 * 4 / 6 / 4),
        ({"cover": True}, "unit", 10 * 4 / 6 / 2 * 2 / 6),
        ({"cover": False}, "target", 10 * 4 / 6 / 4),
        ({"gain_unit": ["Stealth"]}, "unit", 10 * 3 / 6 / 4),
        ({"attacks": "+1 per 5 models"}, "unit of the attacker", 15 * 4 / 6 / 4),
        ({"attacks": "+1 per 2 target models limit 1"}, "unit of the attacker", 15 * 4 / 6 / 4),
        ({"attacks": "+1 per 6 models"}, "unit of the attacker", 10 * 4 / 6 / 4),
        ({"attacks": "+D3"}, "unit of the attacker", 20 * 4 / 6 / 4),
        ({"ap": "-1", "weapon": ["Gun", "Bow"]}, "unit of the attacker", 10 * 4 / 6 / 2 * 4 / 6),
        ({"lose": ["all"]}, "attacker", 10 * 4 / 6 / 4),
    ],
)
def test_changes_of_40k(change: dict[str, Any], where: str, unsaved: float) -> None:
    """Ten shots at 3+, wounding on 4+, saved on 4+."""
    own = where == "unit of the attacker"
    on = {"on": "unit" if own else where}
    rule = [{"name": "Rule"} | on | change]
    whose = own or where == "target"
    boon = [{"name": "Boon", "save_roll": "+1"}] if "ignore" in change else []
    shooter = squad(gun(), gun(name="Bow", models=1, optional=True), effect=rule if whose else [])
    foe = squad(name="Foe", effect=boon if whose else rule)
    situation = "target_in_cover" if change == {"cover": False} else ()
    if change == {"lose": ["all"]}:
        shooter = squad(gun(abilities=["Torrent"]), effect=[])
    assert mh.fight(shooter, foe, weapons="Gun", situation=situation).funnel["unsaved"] == pytest.approx(
        unsaved
    )


@pytest.mark.rule("WH40K-FNP")
def test_feel_no_pain_by_rules() -> None:
    """fnp_mortal, fnp_psychic and no_ward as effects."""

    def damage(rule: dict[str, Any], *abilities: str, how: dict[str, Any] | None = None) -> float:
        foe = squad(name="Foe", save=7, models=20, effect=[{"name": "Hide"} | rule])
        return mh.fight(squad(gun(abilities=list(abilities))), foe, effects=SURE, **(how or {})).lost.mean()

    assert damage({"fnp_psychic": 4}) == pytest.approx(10)
    assert damage({"fnp_psychic": 4}, "Psychic") == pytest.approx(5)
    assert damage({"fnp_mortal": 4}) == pytest.approx(10)
    burn = [{"name": "Burn", "mortal_damage": 2}]
    foe = squad(name="Foe", save=7, models=20, effect=[{"name": "Hide", "fnp_mortal": 4}])
    assert mh.fight(squad(gun(), effect=burn), foe, effects=SURE).lost.mean() == pytest.approx(11)
    stop = {"name": "Stop", "on": "enemies", "no_ward": True}
    assert mh.fight(
        squad(gun(), effect=[stop]), squad(name="Foe", save=7, models=20, fnp=4), effects=SURE
    ).lost.mean() == pytest.approx(10)


@pytest.mark.rule("WH40K-DMGRED", "WH40K-DZERO")
def test_damage_by_rules() -> None:
    """damage_set and damage_zero_uses as effects."""
    shooter = squad(gun(attacks=1, damage=3), models=3)
    foe = {"name": "Foe", "save": 7, "models": 20, "wounds": 3}
    one = squad(**foe, effect=[{"name": "Ghost", "damage_set": 1}])
    assert mh.fight(shooter, one, effects=SURE).lost.mean() == pytest.approx(3)
    zero = squad(**foe, effect=[{"name": "Luck", "damage_zero_uses": 1}])
    for method in ("exact", "simulate"):
        assert mh.fight(shooter, zero, effects=SURE, method=method).lost.mean() == pytest.approx(6)


def test_no_criticals_and_no_rerolls() -> None:
    """no_crit: a 6 hits and is nothing more; no_reroll: what is rolled stands."""
    foe = squad(name="Foe", effect=[{"name": "Dull", "on": "attacker", "no_crit": True}])
    shooter = squad(gun(skill=6, abilities=["Sustained Hits 2"]))
    assert mh.fight(shooter, foe).funnel["hits"] == pytest.approx(10 / 6)
    still = squad(name="Foe", effect=[{"name": "Dull", "on": "attacker", "no_reroll": ["wound"]}])
    twin = squad(gun(abilities=["Twin-linked"]))
    assert mh.fight(twin, still, effects=[{"auto_hit": True}]).funnel["wounds"] == pytest.approx(5)
    sworn = squad(name="Foe", reroll_saves="failed", effect=[{"name": "Dull", "no_reroll": ["save"]}])
    assert mh.fight(twin, sworn, effects=SURE).funnel["unsaved"] == pytest.approx(5)


@pytest.mark.rule("WH40K-IGNOREMOD")
def test_ignored_penalties() -> None:
    """WH40K-IGNOREMOD: penalties of rolls, and of the Skill, one kind or all."""
    fog = [
        {"name": "Fog", "on": "attacker", "hit_roll": "-1"},
        {"name": "Mud", "on": "attacker", "skill": "+1"},
    ]
    foe = squad(name="Foe", effect=fog)
    for kinds, faces in (([], 2), (["hit_penalties"], 3), (["skill_penalties"], 3), (["all_penalties"], 4)):
        rule = [{"name": "Eye", "ignore": kinds}] if kinds else []
        assert mh.fight(squad(gun(), effect=rule), foe).funnel["hits"] == pytest.approx(10 * faces / 6)


# --- one die again ----------------------------------------------------------------------------------------


def one_again(number: int, needs: tuple[int, int], rolls: tuple[bool, bool]) -> float:
    """Mean wounds of so many attacks when one failed hit, then one failed wound, is rolled again: all dice."""
    total = 0.0
    faces = 3  # a die of three faces stands for thirds: 1 fails on 2+, 1 and 2 on 3+
    for dice in itertools.product(range(1, faces + 1), repeat=2 * number + 2):
        hit_dice, wound_dice = list(dice[:number]), list(dice[number + 1 : 2 * number + 2])
        hit = sum(die >= needs[0] for die in hit_dice)
        if rolls[0] and hit < number:
            hit += dice[number] >= needs[0]
        wounds = [die >= needs[1] for die in wound_dice[:hit]]
        done = sum(wounds)
        if rolls[1] and done < len(wounds):
            done += dice[-1] >= needs[1]
        total += done
    return total / faces ** (2 * number + 2)


@pytest.mark.rule("WH40K-REROLL", "WH40K-FASTDICE")
@pytest.mark.parametrize("rolls", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_one_die_of_a_batch_again(rolls: tuple[bool, bool], method: str) -> None:
    """A unit's rule: one hit roll and one wound roll of all its dice, seen together."""
    rule = {"name": "Fate"} | {
        f"reroll_{roll}": "one die" for roll, on in zip(("hit", "wound"), rolls, strict=True) if on
    }
    for number in (1, 2, 3):
        shooter = squad(gun(attacks=number, skill=3, strength=5), models=1, effect=[rule])
        lost = mh.fight(shooter, squad(name="Foe", save=7), method=method).lost.mean()
        wanted = one_again(number, (2, 2), rolls)  # 3+ on a D6 is 2+ of thirds
        assert lost == pytest.approx(wanted, abs=1e-12 if method == "exact" else 6e-3)


@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_one_die_again_in_a_pool(method: str) -> None:
    """Age of Sigmar: the same where damage pools."""
    fate = [{"name": "Fate", "reroll_hit": "one die"}]
    for number in (1, 2):
        fighter = clan(sword(attacks=number, hit=3, wound=3, rend=6), models=1, effect=fate)
        damage = mh.fight(fighter, clan(name="Foe"), method=method).damage.mean()
        assert damage == pytest.approx(
            one_again(number, (2, 2), (True, False)), abs=1e-12 if method == "exact" else 6e-3
        )


def test_one_die_of_several_weapons() -> None:
    """It goes to the weapon for which it is worth most."""
    small, big = gun(attacks=2), gun(name="Cannon", attacks=2, damage=2)
    both = squad(small, big, models=1, effect=[{"name": "Fate", "reroll_hit": "one die"}])
    foe = squad(name="Foe", models=20, save=7, wounds=30)
    rolled = mh.fight(both, foe).lost.mean()
    alone = mh.fight(both, foe, weapons="Cannon").lost.mean()
    plain = mh.fight(squad(small, models=1), foe).lost.mean()
    assert rolled == pytest.approx(alone + plain)


# --- dice for mortal wounds -------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-MORTAL", "AOS4-17.2")
@pytest.mark.parametrize(
    ("mortal", "points"),
    [
        ({"each": "D3"}, [1, 1, 2, 2, 3, 3]),
        ({"each": 2}, [2]),
        (
            {"dice": "models", "on": "4+", "each": "1"},
            [sum(die >= 4 for die in dice) for dice in itertools.product(D6, D6)],
        ),
        ({"dice": "1 per 2 models", "on": "2+", "each": "1"}, [die >= 2 for die in D6]),
        ({"dice": "1", "on": "D3 2+", "each": "roll"}, [0, 0, 2, 2, 3, 3]),
        ({"dice": "1", "on": "2-3", "each": "3"}, [0, 3, 3, 0, 0, 0]),
        ({"dice": "1", "on": ">= save", "each": "2"}, [0, 0, 0, 2, 2, 2]),
        ({"dice": "1", "on": "6", "each": "1"}, [0, 0, 0, 0, 0, 1]),
    ],
)
def test_mortal_wounds_by_dice(mortal: dict[str, Any], points: list[int]) -> None:
    """After a charge, two models against a target of Save 4+: in both games and both engines."""
    rule = {"name": "Impact", "on": "enemies", "when": ["charged", "melee"], "mortal": mortal}
    wanted = {int(value): points.count(value) / len(points) for value in points}
    rider = squad(blade(attacks=1, skill=6), models=2, effect=[rule])
    foe = squad(name="Foe", models=3, wounds=1, save=4)
    fought = mh.fight(rider, foe, situation="charged")
    assert fought.plan.volleys[0].attacks.to_dict() == pytest.approx(wanted)
    assert mh.fight(rider, foe).plan.volleys[0].name == "Blade"  # no charge, no impact
    horse = clan(sword(), models=2, effect=[rule])
    landed = mh.fight(horse, clan(name="Foe", models=9), situation="charged").plan.volleys[0]
    assert landed.packets[0].damage[0].to_dict() == pytest.approx(wanted)
    played = mh.fight(rider, foe, situation="charged", method="simulate", trials=200_000, seed=8)
    error = 6.2 * fought.lost.sd() / 200_000**0.5
    assert abs(played.lost.mean() - fought.lost.mean()) < error + 1e-12


def test_in_the_place_of_attacks() -> None:
    """`no_attack` and `own_roll`: dice instead of blows, better after a charge."""
    rules = [
        {
            "name": "Trample",
            "use": "choice",
            "on": "enemies",
            "no_attack": True,
            "mortal": {"dice": "models", "on": "5+", "each": "1"},
        },
        {"name": "Trample", "when": ["charged"], "own_roll": "+1"},
    ]
    beast = clan(sword(), models=3, effect=rules)
    foe = clan(name="Foe", models=9)
    assert mh.fight(beast, foe).damage.mean() == pytest.approx(6 / 8)
    assert mh.fight(beast, foe, use="trample").damage.mean() == pytest.approx(3 * 2 / 6)
    assert mh.fight(beast, foe, use="trample", situation="charged").damage.mean() == pytest.approx(3 * 3 / 6)
    assert mh.fight(beast, foe, use="trample").skipped == {"Sword": "Trample is used in its place"}
    # what is used while others attack takes the place of no attack of one's own
    for scope, lost in (("attacker", 6 / 8), ("unit", 0.0)):
        pikes = clan(sword(), models=3, effect=[{"name": "Pikes", "on": scope, "no_attack": True}])
        assert mh.fight(pikes, foe).damage.mean() == pytest.approx(lost)
        assert fill_matrix([pikes], [foe]).values[0, 0, 0] == pytest.approx(lost)


def test_mortal_wounds_back() -> None:
    """What an attack costs the attacker: its own rules and those of the target."""
    spikes = {
        "name": "Spikes",
        "on": "attacker",
        "when": ["melee"],
        "mortal": {"dice": "models", "on": "6", "each": "1"},
    }
    thorny = clan(name="Thorny", effect=[spikes])
    cost = mh.fight(clan(sword()), thorny).own_lost
    assert cost is not None
    assert cost.mean() == pytest.approx(5 / 6)
    warded = mh.fight(clan(sword(), ward=4), thorny).own_lost
    assert warded is not None
    assert warded.mean() == pytest.approx(5 / 12)
    rage = {"name": "Frenzy", "mortal": {"each": "D3"}}
    own = mh.fight(squad(blade(), effect=[rage], fnp=4), squad(name="Foe"))
    assert own.own_lost is not None
    assert own.own_lost.mean() == pytest.approx(1)
    assert "Wounds lost by Squad: 1 on average" in own.explain()
    assert mh.fight(squad(blade()), squad(name="Foe")).own_lost is None


@pytest.mark.rule("WH40K-HAZ")
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_hazardous_weapons_hurt_their_bearers(method: str) -> None:
    """WH40K-HAZ: three bearers after one volley lose half a model on average; five others stay."""
    plasma = gun(name="Plasma", abilities=["Hazardous"])
    how = {"method": method} | ({} if method == "exact" else {"trials": 100_000, "seed": 5})
    three = mh.fight(squad(plasma, models=3), squad(name="Foe"), **how)
    assert three.own_slain is not None
    assert three.own_slain.mean() == pytest.approx(0.5, abs=1e-12 if method == "exact" else 0.02)
    one = mh.fight(squad(gun(), plasma | {"models": 1, "copies": 2}, models=8), squad(name="Foe"), **how)
    assert one.own_slain is not None
    failed = 1 - (5 / 6) ** 2
    assert one.own_slain[1] == pytest.approx(failed, abs=1e-12 if method == "exact" else 0.02)


# --- rolls of rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("needs", "chance"),
    [
        ("3+", 4 / 6),
        ("2-3", 2 / 6),
        ("6", 1 / 6),
        ("D3 2+", 4 / 6),
        ("2D6 7+", 21 / 36),
        ("cast 7", 21 / 36),
        ("cast 2", 35 / 36),
        ("chant 4", 3 / 6),
        ("chant 1", 5 / 6),
        (">= save", 3 / 6),
        ("> health", 4 / 6),
        ("< save", 3 / 6),
    ],
)
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_a_rule_behind_a_roll(needs: str, chance: float, method: str) -> None:
    """A mixture: with the chance of the roll the attack is better, else it is plain."""
    luck = {"name": "Luck", "on": "enemies", "needs": needs, "save_roll": "-1"}
    fighter, foe = clan(sword(), effect=[luck]), clan(name="Foe")
    how = {} if method == "exact" else {"method": method, "trials": 200_000, "seed": 12}
    plain, better = 10 / 4 / 2, 10 / 4 * 4 / 6
    damage = mh.fight(fighter, foe, **how).damage
    assert damage.mean() == pytest.approx(
        chance * better + (1 - chance) * plain, abs=1e-12 if not how else 0.02
    )
    assert mh.fight(fighter, foe).funnel["unsaved"] == pytest.approx(chance * better + (1 - chance) * plain)


def test_bands_of_one_roll() -> None:
    """On a 1 it is worse, on 2 to 4 nothing, on 5+ better: one die for all of them."""
    bands = [
        {"name": "Omen", "needs": "1", "attacks": "-1"},
        {"name": "Omen", "needs": "5+", "attacks": "+1"},
        {"name": "Omen", "when": ["charged"], "own_roll": "+1"},
    ]
    fighter, foe = clan(sword(), effect=bands), clan(name="Foe")
    attacks = mh.fight(fighter, foe).funnel["attacks"]
    assert attacks == pytest.approx(5 * (1 / 6 + 2 * 3 / 6 + 3 * 2 / 6))
    assert mh.fight(fighter, foe, situation="charged").funnel["attacks"] == pytest.approx(
        5 * (2 * 3 / 6 + 3 * 3 / 6)
    )
    assert "With chance 0.1667 (Omen: 1)" in mh.fight(fighter, foe).explain()


def test_a_matrix_mixes_too() -> None:
    luck = {"name": "Luck", "on": "enemies", "needs": ">= save", "save_roll": "-1"}
    impact = {"name": "Impact", "on": "enemies", "mortal": {"dice": "target models", "on": "5+", "each": "1"}}
    for units in (
        [clan(sword(), effect=[luck]), clan(sword(), effect=[impact], models=2), clan(sword(), save=5)],
        [squad(blade(), effect=[luck]), squad(blade(), effect=[impact], models=2), squad(blade(), save=5)],
    ):
        filled = fill_matrix(units, units, workers=1)
        wanted = [[mh.fight(a, b).slain.mean() for b in units] for a in units]
        for row, means in zip(filled.of("slain"), wanted, strict=True):
            assert list(row) == pytest.approx(means, abs=1e-10)


# --- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        (
            {"name": "E", "when": ["chargd"], "hit_roll": "+1"},
            "Clan, E: unknown condition 'chargd' (did you mean 'charged'?)",
        ),
        (
            {"name": "E", "needs": "maybe", "hit_roll": "+1"},
            "Clan, E: needs 'maybe' (write 3+, 2-3, 6, 2D6 7+, cast 6, chant 4 or >= save)",
        ),
        (
            {"name": "E", "use": "often", "hit_roll": "+1"},
            "Clan, E: use 'often' (write choice, or choice once per battle)",
        ),
        (
            {"needs": "3+", "hit_roll": "+1"},
            "Clan, an effect: name is missing (a rule that is used, or rolls, needs one)",
        ),
        (
            {"name": "E", "mortal": {"dice": "2"}},
            "Clan, E: mortal {'dice': '2'} (give a table with each, and dice and on where it rolls)",
        ),
        (
            {"name": "E", "mortal": {"each": "lots"}},
            "Clan, E: mortal: each: 'lots' is not dice text (write a number, D3, D6, 2D6 or D6+1)",
        ),
        ({"name": "E", "wound": "+D3"}, "Clan, E: wound: '+D3' is rolled (only attacks and damage may be)"),
        ({"name": "E", "fight_on_death": "7+"}, "Clan, E: fight_on_death '7+' (give true, or 2+ to 6+)"),
        (
            {"name": "E", "weapon": 3, "hit_roll": "+1"},
            "Clan, E: weapon 3 (give the name of a weapon, or a list of them)",
        ),
        ({"name": "E", "banish": ""}, "Clan, E: banish '' (give a short text)"),
    ],
)
def test_messages(effect: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        clan(sword(), effect=[effect])
    assert str(caught.value) == message


def test_rolls_that_cannot_be_mixed() -> None:
    two = [
        {"name": "Omen", "needs": "4+", "attacks": "+1"},
        {"name": "Omen", "needs": "2D6 7+", "hit_roll": "+1"},
    ]
    with pytest.raises(
        mh.BadInputError, match=r"^fight: Omen needs two different rolls \(give them two names\)$"
    ):
        mh.fight(clan(sword(), effect=two), clan())
    luck = clan(sword(), effect=[{"name": "Luck", "needs": "4+", "attacks": "+1"}])
    with pytest.raises(mh.BadInputError, match=r"^fight: a rule rolls a die of its own, so give trials"):
        mh.fight(luck, clan(), method="simulate", samples=True)


# --- single dice that hurt the attacker -------------------------------------------------------------------


@pytest.mark.parametrize("method", ["exact", "simulate"])
@pytest.mark.parametrize(
    ("when", "rolled"),
    [
        ("save_roll 6", 10 / 4 / 6),  # ten blows, a quarter of them saved against, each 6 hurts
        ("hit_roll 1", 10 / 6),
        ("wound_roll 6", 10 / 2 / 6),
    ],
)
def test_dice_that_hurt_the_attacker(when: str, rolled: float, method: str) -> None:
    """Mortal wounds to the attacker for each die of its attacks that shows a face, in both games."""
    thorns = {"name": "Thorns", "on": "attacker", "when": ["melee", when], "mortal": {"each": "1"}}
    how = {} if method == "exact" else {"method": method, "trials": 100_000, "seed": 6}
    near = pytest.approx(rolled, abs=1e-9 if method == "exact" else 0.03)
    fought = mh.fight(clan(sword(), health=9), clan(name="Thorny", effect=[thorns]), **how)
    assert fought.own_lost is not None
    assert fought.own_lost.mean() == near
    blows = squad(blade(attacks=2, skill=4), wounds=9)
    struck = mh.fight(blows, squad(name="Thorny", effect=[thorns]), **how)
    assert struck.own_lost is not None
    assert struck.own_lost.mean() == near
    assert mh.fight(clan(sword() | {"kind": "ranged", "range": 9}), clan(effect=[thorns])).own_lost is None


def test_a_die_that_is_rolled_again_counts_in_the_end() -> None:
    """A 1 that is rolled again is a 1 only if the second die is one."""
    thorns = {"name": "Thorns", "on": "attacker", "when": ["hit_roll 1"], "mortal": {"each": "D3"}}
    sworn = clan(sword(), health=9, effect=[{"name": "Oath", "reroll_hit": "ones"}])
    cost = mh.fight(sworn, clan(name="Thorny", effect=[thorns])).own_lost
    assert cost is not None
    assert cost.mean() == pytest.approx(10 / 36 * 2)


# --- doubtful readings ------------------------------------------------------------------------------------


@pytest.mark.rule("AOS4-20.0")
def test_a_friendly_set_on_a_companion_weapon() -> None:
    """AOS4-20.0: a "set to" that worsens it counts, unless the option says never; one that improves it never does."""
    beast = clan(sword(attacks=3, abilities=["Companion"]))
    for value, option, attacks in (("=1", "worse", 5), ("=1", "never", 15), ("=9", "worse", 15)):
        rule = [{"name": "Rule", "attacks": value}]
        fought = mh.fight(beast, clan(name="Foe"), effects=rule, options={"companion_set": option})
        assert fought.funnel["attacks"] == attacks


@pytest.mark.rule("AOS4-AMB-20", "AOS4-C-5.0")
def test_which_dice_of_a_charge_are_rolled_again() -> None:
    """AOS4-AMB-20: nine inches with Forward to Victory: all dice 47.8 %, any subset 56.9 %."""
    for option, chance in (("all", 155 / 324), ("subset", 41 / 72)):
        duel = mh.duel(
            clan(sword()),
            clan(sword(), name="Foe"),
            distance=9,
            rounds=1,
            commands="reroll_charge",
            options={"charge_reroll": option},
        )
        assert duel.first_charge == pytest.approx(chance)


@pytest.mark.rule("WH40K-PLUNGE", "WH40K-LIMITS")
def test_plunging_fire_and_a_worse_ap() -> None:
    """AP 0 worsened by 1 and improved by Plunging Fire is 0, or -1 where the limit comes first."""
    mud = squad(name="Foe", effect=[{"name": "Mud", "on": "attacker", "ap": "+1"}])
    for option, unsaved in (("sum", 10 * 3 / 6), ("after_limit", 10 * 4 / 6)):
        shot = mh.fight(
            squad(gun()), mud, situation="plunging_fire", effects=SURE, options={"plunging_fire": option}
        )
        assert shot.funnel["unsaved"] == pytest.approx(unsaved)


@pytest.mark.rule("AOS4-20.0")
def test_a_worse_rend_and_anti() -> None:
    """A friendly -1 Rend reaches a Companion weapon of Rend 0, so Anti brings it back to 0."""
    beast = clan(sword(abilities=["Companion", "Anti-HERO (+1 Rend)"]))
    hero = clan(name="Hero", keywords=["hero"])
    rule = [{"name": "Blunt", "rend": "-1"}]
    assert mh.fight(beast, hero, effects=rule).funnel["unsaved"] == pytest.approx(10 / 4 / 2)
    assert mh.fight(beast, hero).funnel["unsaved"] == pytest.approx(10 / 4 * 4 / 6)


@pytest.mark.rule("AOS4-C-4.0")
@pytest.mark.parametrize("keyword", ["manifestation", "faction terrain"])
def test_covering_fire_picks_no_manifestation(keyword: str) -> None:
    bow = sword() | {"kind": "ranged", "range": 18}
    with pytest.raises(
        mh.BadInputError, match=r"^fight: covering_fire may not pick Thing, a manifestation or faction"
    ):
        mh.fight(clan(bow), clan(name="Thing", keywords=[keyword]), commands="covering_fire")


def lowest_again(number: int, wounds: int) -> float:
    """Mean wounds lost by so many D6 when the lowest is rolled again if it is below 3.5 and the model lives."""
    total = 0.0
    for dice in itertools.product(D6, repeat=number + 1):
        rolls, new = list(dice[:-1]), dice[-1]
        if sum(rolls) < wounds and min(rolls) < 3.5:
            rolls[rolls.index(min(rolls))] = new
        total += min(wounds, sum(rolls))
    return total / 6 ** (number + 1)


@pytest.mark.rule("WH40K-CMDREROLL")
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_the_lowest_damage_of_all_again(method: str) -> None:
    """WH40K-CMDREROLL: option damage_reroll after_all: all damage rolls are seen first."""
    tank = squad(name="Tank", models=1, wounds=12, save=7)
    how = {"commands": "command_reroll_damage", "effects": SURE, "options": {"damage_reroll": "after_all"}}
    for number in (1, 2, 3):
        cannon = squad(gun(attacks=number, damage="D6"), models=1)
        lost = mh.fight(cannon, tank, **how, method=method).lost.mean()
        assert lost == pytest.approx(lowest_again(number, 12), abs=1e-9 if method == "exact" else 0.02)
    with pytest.raises(
        mh.BadInputError, match=r"^fight: damage_reroll after_all is for one weapon against one model"
    ):
        mh.fight(squad(gun(damage="D6")), squad(name="Men"), **how)


@pytest.mark.rule("WH40K-FIGHTORDER")
def test_fights_first_of_some_models() -> None:
    """WH40K-FIGHTORDER: every model of an Attached unit must have it, or by the option any."""
    sure = {"attacks": 1, "skill": 2, "strength": 8, "ap": -6, "damage": 9}
    boss = squad(
        blade(name="Axe", **sure), name="Boss", models=1, wounds=1, keywords=["character"], fights_first=True
    )
    led = mh.attach(boss, squad(blade(attacks=0), models=1, wounds=1))
    foe = squad(blade(attacks=12, skill=2, strength=8, ap=-6), name="Foe", models=1, wounds=1)
    # in its own turn the other player picks first, so only Fights First lets the leader slay the foe with 25/36
    slow, quick = (
        mh.duel(led, foe, rounds=1, options={"attached_fights_first": how}).course[0].p_win
        for how in ("all", "any")
    )
    assert quick == pytest.approx(25 / 36)
    assert slow < 0.01


@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_a_die_that_counts_as_a_six(method: str) -> None:
    """one_six: one failed hit is a critical one: with Sustained Hits 1 two more hits where any failed."""
    fate = [{"name": "Miracle", "one_six": ["hit"]}]
    shooter = squad(gun(attacks=2, abilities=["Sustained Hits 1"]), models=1, effect=fate)
    rock = squad(name="Rock", save=7, wounds=30)
    lost = mh.fight(shooter, rock, effects=[{"auto_wound": True}], method=method).lost.mean()
    plain = 2 * (4 / 6 + 1 / 6)
    assert lost == pytest.approx(plain + 2 * (1 - (4 / 6) ** 2), abs=1e-9 if method == "exact" else 0.02)
    orruk = clan(sword(attacks=1), models=1, effect=fate)
    assert mh.fight(orruk, clan(name="Foe"), method=method).funnel["attacks"] == 1
    hits = mh.fight(orruk, clan(name="Foe"), effects=[{"auto_wound": True}], method=method).damage.mean()
    assert hits == pytest.approx(1 / 2, abs=1e-9 if method == "exact" else 0.02)  # always a hit, saved on 4+


def test_mortal_wounds_back_behind_a_roll() -> None:
    """Half of the time nothing is rolled, and then nothing is lost."""
    rage = {"name": "Frenzy", "needs": "4+", "mortal": {"each": "D3"}}
    cost = mh.fight(squad(blade(), effect=[rage], models=3), squad(name="Foe"))
    assert cost.own_lost is not None
    assert cost.own_slain is not None
    assert cost.own_lost.to_dict() == pytest.approx({0: 0.5, 1: 1 / 6, 2: 1 / 6, 3: 1 / 6})
    wounds = squad(models=3).stat("wounds")
    assert cost.own_slain.mean() == pytest.approx(sum(n // wounds for n in (1, 2, 3)) / 6)
