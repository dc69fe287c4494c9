"""Sentences of our own, and what they say."""

from __future__ import annotations

from typing import Any

import pytest

from mathhammer.rulestext import RulesText, read_rule
from mathhammer.rulestext.normal import LONGEST

FORTY_K: list[tuple[str, list[dict[str, Any]]]] = [
    ("Each time this unit makes an attack, re-roll a Hit roll of 1.", [{"reroll_hit": "ones"}]),
    (
        "While this model is leading a unit, each time a model in that unit makes a melee attack, add 1 to the Wound roll.",
        [{"on": "led", "when": ["melee"], "wound_roll": "+1"}],
    ),
    (
        "While this model is leading a unit, each time an attack targets that unit, subtract 1 from the Wound roll.",
        [{"on": "attacker", "when": ["leading"], "wound_roll": "-1"}],
    ),
    (
        "Each time an attack targets this unit, if the Strength characteristic of that attack is greater than the Toughness "
        "characteristic of this unit, subtract 3 from the Wound roll.",
        [{"on": "attacker", "when": ["strength > toughness"], "wound_roll": "-3"}],
    ),
    (
        "Each time this model makes an attack that targets a Monster or Beast unit, add 4 to the Damage characteristic of that attack.",
        [{"when": ["target has MONSTER"], "damage": "+4"}, {"when": ["target has BEAST"], "damage": "+4"}],
    ),
    (
        'While a friendly Boulder Guard unit is within 6" of this model, models in that unit have the Feel No Pain 5+ ability.',
        [{"on": "friends", "when": ["has BOULDER GUARD", "within 6"], "fnp": 5}],
    ),
    (
        'Once per battle, at the start of the Fight phase, select one enemy unit within 6" of this unit and roll one D6: on a 2-5, '
        "that enemy unit suffers D3 mortal wounds; on a 6, that enemy unit suffers 3 mortal wounds.",
        [
            {
                "on": "enemies",
                "when": ["within 6"],
                "use": "choice once per battle",
                "mortal": {"dice": "1", "on": on, "each": each},
            }
            for on, each in (("2-5", "D3"), ("6", "3"))
        ],
    ),
    (
        "Each time this model makes an attack, re-roll a Wound roll of 1. If that attack targets a Titanic unit, you can re-roll the "
        "Wound roll instead.",
        [{"reroll_wound": "ones"}, {"when": ["target has TITANIC"], "reroll_wound": "any"}],
    ),
    (
        "Each time this model makes an attack that targets an enemy unit, re-roll a Wound roll of 1 and, if that enemy unit is "
        "Below Half-strength, you can re-roll the Wound roll instead.",
        [{"reroll_wound": "ones"}, {"when": ["target_below_half"], "reroll_wound": "any"}],
    ),
    (
        "While this model is leading a unit, models in this unit have the Feel No Pain 2+ ability.",
        [{"on": "led", "fnp": 2}],
    ),
    (
        'Select one enemy unit within 3" of this unit and roll one D6 for each model in this unit that is within Engagement Range of '
        "that enemy unit, adding 2 to the result if this unit charged this turn. For each 5+, that enemy unit suffers 1 mortal wound.",
        [
            {"when": ["charged"], "own_roll": "+2"},
            {
                "on": "enemies",
                "when": ["within 3", "engaged"],
                "use": "choice",
                "mortal": {"dice": "models", "on": "5+", "each": "1"},
            },
        ],
    ),
    (
        "If your Army Faction is Singers, each time a unit with this ability is selected to fight, it can make a Dark Pact. If it does, it "
        "must first take a Leadership test; if that test is failed, that unit suffers 2 mortal wounds. Then, select one of the following "
        "abilities for that unit's weapons to gain: [LANCE]; [PRECISION].",
        [
            {"when": ["failed test"], "use": "choice", "mortal": {"each": "2"}},
            *(
                {"when": [f"if {name}", "melee"], "use": "choice", "gain": [name]}
                for name in ("Lance", "Precision")
            ),
        ],
    ),
    (
        "Each time this model makes an attack that targets a unit Below Half-strength, add 2 to the Hit roll.",
        [{"when": ["target_below_half"], "hit_roll": "+2"}],
    ),
    (
        "Each time an attack is allocated to this model, subtract 3 from the Damage characteristic of that attack.",
        [{"damage_reduction": 3}],
    ),
    (
        "The bearer's melee weapons have the [LANCE] and [ANTI-BEAST 4+] abilities.",
        [{"when": ["melee"], "gain": ["Lance", "Anti-BEAST 4+"]}],
    ),
    (
        "Each time a model in this unit makes a melee attack, re-roll a Wound roll of 1. If the target of that attack is within range of "
        "an objective marker, you can re-roll the Wound roll instead.",
        [
            {"when": ["melee"], "reroll_wound": "ones"},
            {"when": ["melee", "target_on_objective"], "reroll_wound": "any"},
        ],
    ),
    (
        "Add 1 to the Strength characteristic of this unit's melee weapons. While this unit is Below Half-strength, add 2 to the "
        "Strength characteristic of this unit's melee weapons instead.",
        [
            {"when": ["melee", "not below_half"], "strength": "+1"},
            {"when": ["below_half", "melee"], "strength": "+2"},
        ],
    ),
    ("Improve the Save characteristic of models in this unit by 1.", [{"save": "-1"}]),
    (
        "Models in this unit have a 4+ invulnerable save against ranged attacks.",
        [{"when": ["ranged"], "invuln": 4}],
    ),
    (
        "In your Shooting phase, after this unit has shot, select one enemy unit hit by any of its attacks. Until the end of the "
        "turn, each time a friendly Clockwork model makes an attack that targets that enemy unit, add 1 to the Hit roll.",
        [{"on": "friends", "when": ["target_picked", "has CLOCKWORK"], "use": "choice", "hit_roll": "+1"}],
    ),
    (
        "This unit is eligible to shoot in a turn in which it Fell Back, and you can re-roll Charge rolls made for it.",
        [{"reroll_charge": "any"}],
    ),
    ("That enemy unit cannot have the Benefit of Cover.", []),
]
SIGMAR: list[tuple[str, list[dict[str, Any]]]] = [
    (
        "Add 3 to hit rolls for this unit's combat attacks if it charged this turn.",
        [{"when": ["charged", "melee"], "hit_roll": "+3"}],
    ),
    (
        "Subtract 1 from wound rolls for attacks that target this unit.",
        [{"on": "attacker", "wound_roll": "-1"}],
    ),
    (
        'Add 1 to the Attacks characteristic of melee weapons used by friendly Moss Guard units while they are wholly within 12" of this unit.',
        [{"on": "friends", "when": ["melee", "has MOSS GUARD", "within 12"], "attacks": "+1"}],
    ),
    ("This unit's Thorn Clubs have Crit (2 Hits).", [{"weapon": "Thorn Clubs", "gain": ["Crit (2 Hits)"]}]),
    (
        "Add 2 to the Attacks characteristic of this unit's melee weapons, including Companion weapons.",
        [{"when": ["melee"], "attacks": "+2", "companion": True}],
    ),
    (
        "Each time a model in this unit is slain by a combat attack, roll a dice. On a 5+, inflict 1 mortal damage on the attacking unit.",
        [
            {
                "on": "attacker",
                "when": ["model_slain", "melee"],
                "mortal": {"dice": "1", "on": "5+", "each": "1"},
            }
        ],
    ),
    (
        "While this unit has 10 or more damage points, the Attacks characteristic of its Stone Fists is 3.",
        [{"when": ["lost >= 10"], "weapon": "Stone Fists", "attacks": "=3"}],
    ),
    (
        "Ignore the first 7 damage points that would be allocated to this unit each phase.",
        [{"damage_ignored": "7 per phase"}],
    ),
    (
        "Subtract 4 from the Rend characteristic of weapons used for attacks that target this unit.",
        [{"on": "attacker", "rend": "-4"}],
    ),
    ("This unit's attacks score critical hits on unmodified hit rolls of 5+.", [{"crit_on": 5}]),
    (
        'Pick a friendly Guard unit within 12" of this unit. Roll a dice. On a 4+, ignore negative modifiers to save rolls for that unit.',
        [
            {
                "on": "friends",
                "when": ["has GUARD", "within 12"],
                "use": "choice",
                "needs": "4+",
                "ignore": ["save_penalties"],
            }
        ],
    ),
    (
        'Pick an enemy unit within 9" of this unit to be the target. Roll a dice for each model in the target unit. If there are 2 '
        "models in this unit, add 1 to each roll. If this unit charged this turn, add 2 to each roll. For each 6+, inflict 1 mortal "
        "damage on the target.",
        [
            {"when": ["models == 2"], "own_roll": "+1"},
            {"when": ["charged"], "own_roll": "+2"},
            {
                "on": "enemies",
                "when": ["within 9"],
                "use": "choice",
                "mortal": {"dice": "target models", "on": "6+", "each": "1"},
            },
        ],
    ),
    (
        'Pick a friendly unit within 9" of this unit to be the target. Roll a dice. On a 5+, if the target is a Priest, Heal (3) the '
        "target. If the target is a Beast, return 2 slain models to it.",
        [
            {"on": "friends", "when": [kind, "within 9"], "use": "choice", "needs": "5+", **change}
            for kind, change in (("has PRIEST", {"heal": "3"}), ("has BEAST", {"return": "2"}))
        ],
    ),
    (
        'Roll a dice. On a 2+, this unit can move 2D6". It can move through the combat ranges of enemy units. Then, pick an enemy '
        "unit that this unit passed across during that move. Inflict 4 mortal damage on that enemy unit.",
        [
            {
                "on": "enemies",
                "when": ["moved_over"],
                "use": "choice",
                "mortal": {"dice": "1", "on": "2+", "each": "4"},
            }
        ],
    ),
    (
        "Ward rolls cannot be made for enemy units in combat with this unit.",
        [{"on": "enemies", "when": ["in_combat"], "no_ward": True}],
    ),
]


def said(text: str, system: str, **beside: Any) -> list[dict[str, Any]]:
    reading = read_rule(RulesText(text, **beside), system)
    return [dict(effect) for effect in reading.effects]


def same(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> bool:
    def plain(effect: dict[str, Any]) -> dict[str, Any]:
        return {key: sorted(value) if key == "when" else value for key, value in effect.items()}

    return [plain(effect) for effect in found] == [plain(effect) for effect in wanted]


@pytest.mark.parametrize(
    ("text", "effects"), FORTY_K, ids=lambda value: value[:40] if isinstance(value, str) else ""
)
def test_sentences_of_40k(text: str, effects: list[dict[str, Any]]) -> None:
    assert same(said(text, "wh40k10"), effects), said(text, "wh40k10")


@pytest.mark.parametrize(
    ("text", "effects"), SIGMAR, ids=lambda value: value[:40] if isinstance(value, str) else ""
)
def test_sentences_of_age_of_sigmar(text: str, effects: list[dict[str, Any]]) -> None:
    assert same(said(text, "aos4"), effects), said(text, "aos4")


def test_what_stands_beside_a_spell_counts() -> None:
    found = said(
        "Inflict 7 mortal damage on the target. If the chanting roll was 8+, ward rolls cannot be made for the target.",
        "aos4",
        kind="Ability (Prayer)",
        timing="Once Per Turn (Army), Your Hero Phase",
        declare='Pick a friendly Moss Priest to chant this prayer, pick a visible enemy unit within 12" of them to be the target, '
        "then make a chanting roll of D6.",
        more={"Chanting Value": "4"},
    )
    head = {"on": "enemies", "when": ["within 12"], "use": "choice once per turn"}
    assert found == [
        {**head, "needs": "chant 4", "mortal": {"each": "7"}},
        {**head, "needs": "chant 8", "no_ward": True},
    ]


def test_conditions_of_a_declaration() -> None:
    found = said(
        "Roll a dice. On a 3+, subtract 4 from hit rolls for the target's combat attacks for the rest of the turn.",
        "aos4",
        kind="Ability (Activated)",
        timing="Any Combat Phase",
        declare="If this unit charged this turn, pick an enemy unit in combat with this unit to be the target.",
    )
    assert same(
        found,
        [
            {
                "on": "enemies",
                "when": ["charged", "in_combat", "melee"],
                "use": "choice",
                "needs": "3+",
                "hit_roll": "-4",
            }
        ],
    )


def test_a_choice_between_points() -> None:
    found = said(
        "Pick 1 of the following effects:\n• Iron Skin: This unit has Ward (2+).\n• Red Mist: Add 1 to wound rolls for this unit.",
        "aos4",
    )
    assert found == [
        {"when": ["if Iron Skin"], "use": "choice", "ward": 2},
        {"when": ["if Red Mist"], "use": "choice", "wound_roll": "+1"},
    ]


def test_one_roll_that_decides_more_is_needed_by_all() -> None:
    found = said(
        "You can roll one D6: on a 1, this unit suffers D3 mortal wounds; on a 2+, models in this unit have a 4+ invulnerable save.",
        "wh40k10",
    )
    assert found == [
        {"use": "choice", "needs": "1", "mortal": {"each": "D3"}},
        {"use": "choice", "needs": "2+", "invuln": 4},
    ]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        # a limit that is not understood: nothing is half applied
        (
            "Add 1 to the Damage characteristic of this unit's melee weapons for attacks that target the loudest singer.",
            "Add 1 to the Damage characteristic of this unit's melee weapons for attacks that target the loudest singer",
        ),
        (
            "Add 1 to hit rolls for this unit, unless somebody sings.",
            "Add 1 to hit rolls for this unit, unless somebody sings",
        ),
        (
            "On a full moon, this unit's attacks wound better.",
            "On a full moon, this unit's attacks wound better",
        ),
        # one of two: both at once would be too much
        (
            "Add 1 to the Attacks characteristic of this unit's Clubs or add 2 to the Attacks characteristic of this unit's Bows.",
            "Add 1 to the Attacks characteristic of this unit's Clubs or add 2 to the Attacks characteristic of this unit's Bows",
        ),
        # better or worse: the text does not say
        ("Add 1 to this unit's Save characteristic.", "Add 1 to this unit's Save characteristic"),
        # somebody is brought in who is not understood: what follows is not about this unit
        (
            "While a friendly thing unit is upside down near this unit, that unit has Ward (4+).",
            "While a friendly thing unit is upside down near this unit, that unit has Ward (4+)",
        ),
    ],
)
def test_what_is_not_understood_is_named(text: str, rest: str) -> None:
    reading = read_rule(RulesText(text), "aos4")
    assert rest in reading.rest
    assert reading.state in ("part", "unread")


def test_nothing_half_applied() -> None:
    text = "Add 1 to the Damage characteristic of this unit's melee weapons for attacks that target the loudest singer."
    assert said(text, "aos4") == []


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("At the end of your Movement phase, you gain 1CP.", "none"),
        ("Add 78 to this unit's control score.", "none"),
        ('This model has the Scouts 13" ability.', "none"),
        ("Add 1 to Charge rolls made for this unit.", "dice"),
        ("This model has the Stealth ability.", "combat"),
    ],
)
def test_what_a_text_is_about(text: str, about: str) -> None:
    assert read_rule(RulesText(text), "wh40k10").about == about


def test_what_is_too_long_is_named() -> None:
    """A text is read up to a length, and its reading is not whole when there is more."""
    whole = read_rule(RulesText("Add 1 to hit rolls for attacks made by this unit."), "aos4")
    rest = " ".join(["It has a long tale."] * 400)
    long = read_rule(RulesText(f"Add 1 to hit rolls for attacks made by this unit. {rest}"), "aos4")
    assert len(rest) > LONGEST
    assert (whole.state, whole.rest) == ("whole", ())
    assert long.effects == whole.effects
    assert long.state == "part"
    assert "long tale" in long.rest[-1]
