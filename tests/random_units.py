"""Random legal units of the games with hit, wound and save rolls, made from the fields that the games themselves declare."""

from __future__ import annotations

from typing import Any

from ability_rows import spellings
from hypothesis import strategies as st

from mathhammer.games.discovery import attacks_of
from mathhammer.games.effect_words import NOTED
from mathhammer.games.game import Field
from mathhammer.units.conditions import PHASES

GAMES = ("aos4", "aos1", "wh40k10", "wh40k11")
WH40K = ("wh40k10", "wh40k11")
DICE = st.sampled_from([1, 2, 3, 4, "D3", "D6", "2D3", "D6+1", "2D6"])
KEYWORDS = (
    "HERO",
    "INFANTRY",
    "FLY",
    "MONSTER",
    "VEHICLE",
    "SMOKE",
    "AIRCRAFT",
    "MANIFESTATION",
    "WAR MACHINE",
)
CHANGES = ("+1", "+2", "-1", "x2", "/2", "=1", "=3", "+1 per 2 models", "+1 per target model limit 2")
MORTALS = (
    {"each": "D3"},
    {"dice": "models", "on": "4+", "each": "1"},
    {"dice": "2", "on": "D3 2+", "each": "roll"},
    {"dice": "target models", "on": ">= save", "each": "1"},
)
NEEDS = ("", "", "4+", "2-3", "2D6 7+", "cast 6", "chant 4", ">= save")
FIGHTS_OF_THEIR_OWN = {"damage_set", "wounded"}  # made by hand below, as they depend on other fields


def value_of(field: Field, system: str) -> st.SearchStrategy[Any]:
    """Values that a field may hold."""
    small = st.integers(field.low, min(field.most, field.low + 6))
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "need": st.integers(2, 6),
        "number": small,
        "dice": st.sampled_from([1, 2, "D3"]),
        "flag": st.booleans(),
        "change": st.sampled_from((*CHANGES, *(("+D3",) if field.name in ("attacks", "damage") else ()))),
        "modifier": st.integers(-2, 2).map(lambda value: f"{value:+d}"),
        "reroll": st.sampled_from(field.choices),
        "choice": st.sampled_from(field.choices),
    }
    if field.kind == "words":
        words = field.choices or tuple(spellings(system))
        return st.lists(st.sampled_from(words), min_size=1, max_size=2, unique=True) if words else st.just([])
    if field.kind == "checked":  # what only the words of effects are
        if field.name == "mortal":
            return st.sampled_from(MORTALS)
        return st.just("4+")  # fight_on_death
    return kinds[field.kind]


def fields_of(fields: tuple[Field, ...], system: str) -> st.SearchStrategy[dict[str, Any]]:
    """A table with all required and some other fields."""
    values = {f.name: value_of(f, system) for f in fields if f.name not in FIGHTS_OF_THEIR_OWN}
    required = {f.name: values[f.name] for f in fields if f.required}
    return st.fixed_dictionaries(
        required, optional={name: value for name, value in values.items() if name not in required}
    )


# Any distance on the table; whole inches often, as rules and ranges have them.
INCHES = st.integers(0, 48) | st.floats(0.0, 48.0)


def conditions(system: str) -> st.SearchStrategy[str]:
    """Texts of conditions, some of them about any distance."""
    plain = [
        *attacks_of(system).situations,
        *(f"phase {phase}" for phase in PHASES),
        "has HERO",
        "target lacks FLY",
        "models >= 3",
    ]
    plain += [
        "target models <= 4",
        "lost > 1",
        "round == 2",
        "wounds <= 4",
        "below_half",
        "target_below_starting",
    ]
    plain += ["strength > toughness", "ap <= 1", "damage == 1"] if system in WH40K else []
    signs = st.sampled_from(["<=", "<", ">=", ">"])
    about_distance = st.builds(lambda sign, inches: f"distance {sign} {inches:.2f}", signs, INCHES)
    return st.builds(
        lambda text, against: f"not {text}" if against else text,
        st.sampled_from(plain) | about_distance,
        st.booleans(),
    )


@st.composite
def effects(draw: st.DrawFn, system: str) -> dict[str, Any]:
    """One effect: one or two changes, sometimes under a condition, on either side."""
    fields = draw(
        st.lists(
            st.sampled_from([f for f in attacks_of(system).effect_fields if f.name not in NOTED]),
            min_size=1,
            max_size=2,
            unique_by=lambda f: f.name,
        )
    )
    made: dict[str, Any] = {f.name: draw(value_of(f, system)) for f in fields}
    made = {key: value for key, value in made.items() if value != []} or {"hit_roll": "+1"}
    made["on"] = draw(st.sampled_from(["unit", "target", "attacker", "enemies"]))
    if needs := draw(st.sampled_from(NEEDS)):
        made["needs"] = needs
    if draw(st.booleans()):
        made["when"] = [draw(conditions(system))]
    return {"name": draw(st.sampled_from(["Rage", "Mist", "Oath"]))} | made


@st.composite
def weapons(draw: st.DrawFn, system: str, name: str, kind: str) -> dict[str, Any]:
    """One weapon."""
    made: dict[str, Any] = {"name": name, "kind": kind, "attacks": draw(DICE), "damage": draw(DICE)}
    made |= draw(fields_of(attacks_of(system).weapon_fields, system))
    if kind == "ranged":
        made["range"] = 24
    if system in WH40K:
        made.setdefault("skill", 4)
    words = spellings(system)
    made["abilities"] = draw(st.lists(st.sampled_from(words), max_size=3, unique=True)) if words else []
    if system in WH40K and kind == "melee" and name != "w0":
        made["abilities"] = list({*made["abilities"], "Extra Attacks"})
    for field in ("champions", "leader_attacks"):
        made.pop(field, None) if draw(st.booleans()) else None
    return made


@st.composite
def units(draw: st.DrawFn, system: str, kind: str = "melee", most_models: int = 8) -> dict[str, Any]:
    """One unit as a mapping for `make_unit`."""
    game = attacks_of(system)
    models = draw(st.integers(1, most_models))
    made: dict[str, Any] = {
        "name": "Unit",
        "models": models,
        "keywords": draw(st.lists(st.sampled_from(KEYWORDS), max_size=2, unique=True)),
    }
    made |= draw(fields_of(game.unit_fields, system))
    made["weapon"] = [draw(weapons(system, f"w{n}", kind)) for n in range(draw(st.integers(1, 2)))]
    for weapon in made["weapon"]:
        if "champions" in weapon:
            weapon["champions"] = min(weapon["champions"], models)
    made["effect"] = draw(st.lists(effects(system), max_size=2))
    if game.group_fields and draw(st.booleans()):
        made["damage_set"] = draw(st.integers(0, 4))
    if game.group_fields and draw(st.integers(0, 3)) == 0:
        hero = {"name": "Captain", "models": 1, "wounds": draw(st.integers(2, 5)), "character": True}
        made["group"] = [{"name": "Squad", "models": models, "wounds": made["wounds"]}, hero]
        made["models"] = models + 1
        if system == "wh40k10":
            made["attached"] = draw(st.booleans())
    return made
