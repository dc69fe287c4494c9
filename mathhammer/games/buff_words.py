"""Buffs as people type them: `+1 to hit`, `reroll wound rolls of 1`, `ward 5+`, `Crit (Mortal)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Abilities, Ability
from mathhammer.games.game import Attacks

Change = dict[str, Any]
EXAMPLES = (
    "+1 to hit",
    "-1 to be hit",
    "+1 to wound",
    "+1 to save",
    "reroll hits",
    "reroll wound rolls of 1",
    "+1 attack",
    "+1 damage",
    "+1 rend",
    "ap -1",
    "ward 5+",
    "fnp 5+",
    "4+ invuln",
    "crit on 5+",
    "half damage",
)
ATTACK_BUFFS = (
    "+1 to hit",
    "reroll hit rolls of 1",
    "reroll hits",
    "+1 to wound",
    "reroll wound rolls of 1",
    "reroll wounds",
    "+1 attack",
    "+1 strength",
    "+1 rend",
    "ap -1",
    "+1 damage",
    "crit on 5+",
)
DEFENCE_BUFFS = (
    "-1 to be hit",
    "-1 to be wounded",
    "+1 to save",
    "reroll save rolls of 1",
    "4+ invuln",
    "ward 6+",
    "ward 5+",
    "fnp 6+",
    "fnp 5+",
    "half damage",
    "-1 damage taken",
)
ROLL = r"(hit|wound|save|ward)"
STATS = {
    "attack": "attacks",
    "attacks": "attacks",
    "damage": "damage",
    "rend": "rend",
    "strength": "strength",
}
STATS |= {"toughness": "toughness"}


def _modifier(found: re.Match[str]) -> Change:
    return {f"{found[2]}_roll": int(found[1])}


def _to_be(found: re.Match[str]) -> Change:
    return {f"{'hit' if found[2] == 'hit' else 'wound'}_roll": int(found[1]), "on": "attacker"}


def _reroll(roll: int, which: int) -> Callable[[re.Match[str]], Change]:
    def read(found: re.Match[str]) -> Change:
        what = (found[which] or "").strip()
        faces = "ones" if what in ("1", "1s", "ones", "one") else "any" if what == "any" else "failed"
        return {f"reroll_{found[roll]}": faces}

    return read


def _stat(number: int, name: int) -> Callable[[re.Match[str]], Change]:
    return lambda found: {STATS[found[name]]: f"{int(found[number]):+d}"}


def _need(field: str) -> Callable[[re.Match[str]], Change]:
    return lambda found: {field: int(found[1])}


# a pattern of the whole word, and the effect that it is
WORDS: tuple[tuple[str, Callable[[re.Match[str]], Change]], ...] = (
    (rf"([+-]\d) (?:to |on )?{ROLL}s?(?: rolls?)?", _modifier),
    (r"([+-]\d) to be (hit|wounded)", _to_be),
    (rf"(?:full )?re ?roll (?:(1s?|ones|all|failed|any) )?(?:to )?{ROLL}s?(?: rolls?)?", _reroll(2, 1)),
    (rf"re ?roll (?:to )?{ROLL}s?(?: rolls?)? of (1s?|ones?)", _reroll(1, 2)),
    (rf"re ?roll (1s?|ones) (?:to |for |on ){ROLL}", _reroll(2, 1)),
    (rf"([+-]\d) ({'|'.join(STATS)})", _stat(1, 2)),
    (rf"({'|'.join(STATS)}) ([+-]\d)", _stat(2, 1)),
    (r"ap ?-(\d)|[+-](\d) ap", lambda found: {"ap": f"-{found[1] or found[2]}"}),  # both improve it
    (r"(?:better|improved?) (?:ap|rend)(?: by 1)?", lambda _: {"ap": "-1", "rend": "+1"}),
    (r"ward ?(?:save )?(?:of )?(\d)\+?", _need("ward")),
    (r"(\d)\+ ?ward(?: save)?", _need("ward")),
    (r"(?:fnp|feel no pain) ?(?:of )?(\d)\+?", _need("fnp")),
    (r"(\d)\+ ?(?:fnp|feel no pain)", _need("fnp")),
    (r"(?:inv|invuln|invulnerable)(?: save)? ?(\d)\+?", _need("invuln")),
    (r"(\d)\+ ?(?:inv|invuln|invulnerable)(?: save)?|(\d)\+\+", lambda f: {"invuln": int(f[1] or f[2])}),
    (r"crit(?:ical)?s?(?: hits?)? on (\d)\+?", _need("crit_on")),
    (r"(\d)\+ crit(?:ical)?s?(?: hits?)?", _need("crit_on")),
    (r"crit(?:ical)? wounds? on (\d)\+?", _need("crit_wound_on")),
    (r"hal(?:f|ve|ved) damage", lambda _: {"halve_damage": True}),
    (
        r"-(\d) damage (?:taken|suffered)|damage reduction (\d)",
        lambda f: {"damage_reduction": int(f[1] or f[2])},
    ),
    (r"auto(?:matic(?:ally)?)? ?hits?", lambda _: {"auto_hit": True}),
    (r"auto(?:matic(?:ally)?)? ?wounds?", lambda _: {"auto_wound": True}),
)


@cache
def _patterns() -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], Change]]]:
    """The words, compiled when the first one is read: most questions have none."""
    return [(re.compile(pattern, re.IGNORECASE), read) for pattern, read in WORDS]


def _evened(word: str) -> str:
    """Hyphens between letters and underscores are spaces, signs stand at their number."""
    text = " ".join(re.sub(r"(?<=[a-z])-(?=[a-z])", " ", word.strip().lower().replace("_", " ")).split())
    return re.sub(r"([+-]) (?=\d)", r"\1", text.replace("−", "-"))


def buff_of(attacks: Attacks, word: str) -> Change | None:
    """The effect that a word is, with the fields of a datasheet's effect; None where it is none.

    >>> from mathhammer.games.discovery import attacks_of
    >>> buff_of(attacks_of("aos4"), "re-roll wound rolls of 1"), buff_of(attacks_of("aos4"), "crit(mortal)")
    ({'reroll_wound': 'ones'}, {'gain': ['Crit (Mortal)']})
    """
    text = _evened(word)
    known = {field.name for field in attacks.effect_fields} | {"on"}
    for pattern, read in _patterns():
        if match := pattern.fullmatch(text):
            change = {name: value for name, value in read(match).items() if name in known}
            if not set(change) - {"on"}:
                raise BadInputError(
                    f"{word!r} is not a buff of this game (it has no {', '.join(read(match))})"
                )
            return change
    spelled = ability_named(attacks.abilities, word)
    return None if spelled is None or "gain" not in known else {"gain": [spelled]}


def offered_buffs(attacks: Attacks, side: str) -> list[str]:
    """The buffs that a game has among those that people ask for most, of an attacker or a target.

    >>> from mathhammer.games.discovery import attacks_of
    >>> offered_buffs(attacks_of("aos4"), "target")[:3]
    ['-1 to be hit', '-1 to be wounded', '+1 to save']
    """
    fields = {field.name for field in attacks.effect_fields} | {"on"}
    words = DEFENCE_BUFFS if side == "target" else ATTACK_BUFFS
    return [word for word in words if all(name in fields for name in _change_of(word))]


def _change_of(word: str) -> Change:
    matches = ((pattern.fullmatch(_evened(word)), read) for pattern, read in _patterns())
    return next(read(match) for match, read in matches if match is not None)


def ability_named(abilities: Abilities, text: str) -> str | None:
    """The spelling of a weapon ability that a text means; spaces and hyphens do not matter.

    >>> from mathhammer.games.discovery import attacks_of
    >>> ability_named(attacks_of("wh40k10").abilities, "anti infantry 4+")
    'Anti-INFANTRY 4+'
    """
    plain = " ".join(text.split())
    for ability in abilities.known:
        if match := loose_pattern(ability).fullmatch(plain):
            return spelled_out(ability, match.groupdict())
    return None


@cache
def loose_pattern(ability: Ability) -> re.Pattern[str]:
    """The pattern of an ability in which spaces and hyphens may be left out, and may stand at brackets."""
    whole = ability.pattern.pattern.replace(r"\ ", " ").replace(r"\-", "-")
    parts = re.split(r"(\(\?P<[^)]*\))", whole)  # every second one is a number or a keyword
    for place, part in enumerate(parts):
        if place % 2:
            parts[place] = part.replace(".{1,40}", r"[\w -]{1,30}")
        else:
            spaced = re.sub(r"\[- \]|[ -]", r"[\\s_-]*", part)
            parts[place] = re.sub(r"(\\[()])", r"\\s*\1\\s*", spaced)
    return re.compile("".join(parts).strip(), re.IGNORECASE)


def spelled_out(ability: Ability, parts: Mapping[str, str | None]) -> str:
    """The name of an ability with its keyword and number in it."""
    blank = parts.get("keyword") or parts.get("number") or "X"
    text = ability.name.replace("n+", f"{parts.get('number')}+")
    return re.sub(r"\bX\b", blank.strip().upper(), text)
