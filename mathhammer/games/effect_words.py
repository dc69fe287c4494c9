"""The words of the effect language: what a rule may change, for datasheets, `check` and `schema`.

One language for all games whose attacks run hit, wound, save; a game says which words it has. What a word
does to an attack is in `applying_effects`; some words act in duels only, some are noted and act nowhere yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.engine.chain import Reroll
from mathhammer.errors import BadInputError, MathhammerError
from mathhammer.games.game import Field
from mathhammer.games.needs import parse_needs
from mathhammer.units.effects import Mortal, Scaled, parse_change

ROLLS = ("hit", "wound", "save", "ward")
ONE_DIE = "one die"
# Changes that act when the unit is attacked; all others act when it attacks.
DEFENCE = frozenset(
    (
        "save toughness invuln fnp fnp_mortal fnp_psychic ward no_ward save_roll armour_save_roll ward_roll "
        "reroll_save reroll_ward damage_reduction halve_damage damage_set damage_zero_uses cover gain_unit "
        "lose_unit bravery"
    ).split()
)
# Words about other moments of a turn: a duel acts on them, an attack does not.
IN_DUELS = frozenset(
    "heal return return_health reanimate fight_on_death strike_again charge_roll reroll_charge".split()
)
# Words that are kept and shown, and change no number here.
NOTED = frozenset(
    (
        "health move control leadership range run_roll advance_roll cast_roll unbind_roll chant_roll "
        "banish_roll battleshock_roll reroll_run reroll_advance reroll_cast reroll_chant reroll_battleshock "
        "reroll_hazardous reroll_escape no_heal no_return charge_dice rally_dice rally_points "
        "battleshock_test damage_ignored survives slay fights_after gain_weapon lose_weapon banish companion"
    ).split()
)
# Words about other things than what attacks do: no answer about an attack lacks them.
BESIDE_COMBAT = frozenset(
    (
        "move control leadership range run_roll advance_roll cast_roll unbind_roll chant_roll banish_roll "
        "battleshock_roll reroll_run reroll_advance reroll_cast reroll_chant reroll_battleshock "
        "reroll_escape battleshock_test charge_dice banish rally_dice rally_points companion"
    ).split()
)
# All words of the language of rules: in an ability, one that a game lacks is kept as a note.
LANGUAGE = (
    DEFENCE
    | IN_DUELS
    | NOTED
    | frozenset(
        (
            "attacks damage strength ap skill hit wound rend hit_roll wound_roll reroll_hit reroll_wound "
            "reroll_attacks reroll_damage crit_on crit_wound_on gain lose auto_hit auto_wound "
            "wound_fails_up_to hit_fails_up_to ignore mortal mortal_damage mortal_on_crit "
            "mortal_on_crit_wound own_roll no_reroll no_crit no_attack one_six"
        ).split()
    )
)
PENALTIES = "hit_penalties wound_penalties save_penalties skill_penalties all_penalties save_bonuses".split()


def effect_fields(
    stats: Mapping[str, str],
    defence_stats: Mapping[str, str],
    rerolls: Mapping[str, Reroll],
    *,
    wards: bool = True,
    crits: tuple[str, ...] = ("hit",),
) -> tuple[Field, ...]:
    """The words of the effect language that this game allows: `wards` where a ward is a roll, `crits` rolls
    that can be critical.
    """
    rolls = ROLLS if wards else ROLLS[:-1]
    words = {
        roll: tuple(word for word, reroll in rerolls.items() if reroll != "non_crit" or roll in crits)
        for roll in rolls
    }
    once = {roll: (ONE_DIE,) if roll in ("hit", "wound") else () for roll in rolls}
    return (
        *(Field(name, "change", doc=doc) for name, doc in {**stats, **defence_stats}.items()),
        *(Field(f"{roll}_roll", "modifier", low=-6, high=6, doc=f"added to {roll} rolls") for roll in rolls),
        *(
            Field(
                f"reroll_{roll}",
                "reroll",
                choices=(*words[roll], *once[roll]),
                doc=f"which {roll} rolls are rolled again",
            )
            for roll in rolls
        ),
        *(
            Field(f"reroll_{what}", "choice", choices=("ones", "low", "any"), doc=f"re-roll of random {what}")
            for what in ("attacks", "damage")
        ),
        Field("crit_on", "number", low=2, high=6, doc="unmodified hit rolls from here on are critical"),
        Field("auto_hit", "flag", doc="attacks hit without a roll"),
        Field("auto_wound", "flag", doc="hits wound without a roll"),
        Field("hit_fails_up_to", "number", low=1, high=5, doc="unmodified hit rolls up to this fail"),
        Field("wound_fails_up_to", "number", low=1, high=5, doc="unmodified wound rolls up to this fail"),
        Field("one_six", "words", choices=("hit", "wound"), doc="one failed die of this roll counts as a 6"),
        Field("no_crit", "flag", doc="attacks score no critical hits"),
        Field("no_reroll", "words", choices=(*rolls, "invuln"), doc="rolls that are never rolled again"),
        Field("gain", "words", doc="weapon abilities gained"),
        Field("lose", "words", doc="weapon abilities lost; 'all' or 'all but NAME'"),
        Field("ignore", "words", choices=tuple(PENALTIES), doc="a kind of modifier that is ignored"),
        Field("mortal_damage", "dice", doc="mortal damage on top, once for the whole action"),
        Field("mortal", "checked", check=_mortal, doc="dice, on, each: mortal damage by dice"),
        Field("mortal_on_crit", "dice", doc="mortal damage on top of each critical hit"),
        Field("no_attack", "flag", doc="it makes no attacks then, because it uses this in their place"),
        Field("own_roll", "modifier", low=-6, high=6, doc="added to the roll that the rule itself needs"),
    )


def unit_words(wounds: str) -> tuple[Field, ...]:
    """Words about the unit and about other moments of a turn, for games with units of models."""
    return (
        Field("cover", "flag", doc="it has cover, or cannot have it"),
        Field("gain_unit", "words", doc="unit abilities and keywords gained, such as Stealth"),
        Field("lose_unit", "words", doc="unit abilities and keywords lost"),
        Field("heal", "dice", doc=f"{wounds} healed in its own turn"),
        Field("return", "dice", doc="models brought back in its own turn"),
        Field(
            "reanimate",
            "dice",
            doc=f"{wounds} given back in its own turn: to wounded models, then slain ones",
        ),
        Field("return_health", "dice", doc=f"models brought back in its own turn, by their {wounds}"),
        Field("fight_on_death", "checked", check=_on_death, doc="slain models attack first: '4+' or true"),
        Field("strike_again", "flag", doc="it fights or shoots a second time"),
        Field("charge_roll", "modifier", low=-12, high=12, doc="added to charge rolls"),
        Field("reroll_charge", "choice", choices=("ones", "failed", "any", ONE_DIE), doc="of charge rolls"),
        *(Field(name, "checked", check=_noted, doc="noted, not modelled") for name in sorted(NOTED)),
    )


def scaled_change(name: str, value: Any) -> str:
    """A change of a characteristic, also one that is counted: `+1 per 5 models limit 3`."""
    if not isinstance(value, str):
        parse_change(name, value)
    scaled = Scaled.read(str(value))
    if scaled.limit is not None and not scaled.per:
        raise BadInputError(f"{name}: {value!r} has a limit (only what is counted may have one)")
    change = parse_change(name, scaled.text if scaled.per or scaled.limit is not None else value)
    if change.dice is not None and name not in ("attacks", "damage"):
        raise BadInputError(f"{name}: {value!r} is rolled (only attacks and damage may be)")
    return str(value).strip()


def _mortal(_where: str, name: str, value: Any) -> Mortal:
    """Mortal wounds by dice: what is dealt, by how many dice, on what."""
    if not isinstance(value, Mapping) or not set(value) <= {"dice", "on", "each"} or "each" not in value:
        raise BadInputError(f"{name} {value!r:.60} (give a table with each, and dice and on where it rolls)")
    parts = {key: str(part).strip() for key, part in value.items()}
    if parts["each"] != "roll":
        _dice(f"{name}: each", parts["each"])
    if parts.get("on"):
        parse_needs(f"{name}: on", parts["on"])
    number = Scaled.read(parts.get("dice", "1"))
    if number.text not in ("models", "target models"):
        _dice(f"{name}: dice", number.text)
    return Mortal(**parts)


def _dice(name: str, text: str) -> None:
    try:
        parse_dice(text)
    except MathhammerError as error:
        raise BadInputError(f"{name}: {str(error).removeprefix('dice: ')}") from None


def _on_death(_where: str, name: str, value: Any) -> int:
    """The die that a slain model needs to attack; 1: it always does."""
    if value is True:
        return 1
    needed = str(value).removesuffix("+")
    if not (needed.isascii() and needed.isdigit() and 2 <= int(needed) <= 6):
        raise BadInputError(f"{name} {value!r:.60} (give true, or 2+ to 6+)")
    return int(needed)


def _noted(_where: str, name: str, value: Any) -> str:
    """Any value that can be shown."""
    text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    if not text.strip() or len(text) > 100 or not text.isprintable():
        raise BadInputError(f"{name} {value!r:.60} (give a short text)")
    return text
