"""The situations of an atlas: read from a file, and checked against a game before the long work begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.asked import asked_unit, with_words
from mathhammer.errors import BadInputError, MathhammerError, UnknownNameError, did_you_mean
from mathhammer.fight import check_use, make_question
from mathhammer.files import parse_toml
from mathhammer.games.discovery import attacks_of, game_keys
from mathhammer.games.game import Attacks
from mathhammer.games.weapon_choice import BEST, KINDS, NoWeaponError, words_of
from mathhammer.games.words import command_named, flag_named
from mathhammer.units.unit import Unit

MOST_SITUATIONS = 10_000
MOST_BYTES = 5_000_000
WORDS = ("situation", "commands", "use")
SIDES = ("buffs", "target_buffs", "friends", "target_friends")
KEYS = ("name", "system", "weapons", *WORDS, "distance", "round", "phase", "options", *SIDES)


@dataclass(frozen=True, slots=True)
class Situation:
    """One situation of an atlas: what `fight` takes, and the words that attackers and targets get besides."""

    name: str
    how: Mapping[str, Any] = field(default_factory=dict)
    buffs: tuple[str, ...] = ()
    target_buffs: tuple[str, ...] = ()


def read_situations(path: str | Path) -> list[dict[str, Any]]:
    """The tables of a file of situations, one `[[situation]]` each; or an error that names the file."""
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise BadInputError(f"{path}: larger than {MOST_BYTES // 10**6} MB (split it)")
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{path}: not UTF-8 text (save it as UTF-8)") from None
    content = parse_toml(text, path)
    for key in content:
        if key != "situation":
            raise BadInputError(f"{path}: unknown table {key!r} (write [[situation]])")
    return check_situations(content.get("situation", []), str(path))


def check_situations(given: Any, where: str = "atlas") -> list[dict[str, Any]]:
    """The situations as they are, once names, keys and kinds of values are right.

    >>> check_situations([{"name": "charge", "raund": 2}])
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: atlas, situation 'charge': unknown key 'raund' (did you mean 'round'?)
    """
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence) or not given:
        raise BadInputError(f"{where}: no situation in it (write one or more [[situation]] with a name)")
    if len(given) > MOST_SITUATIONS:
        raise BadInputError(f"{where}: {len(given)} situations (at most {MOST_SITUATIONS})")
    names: set[tuple[str, str]] = set()
    for number, one in enumerate(given, 1):
        if not isinstance(one, Mapping):
            raise BadInputError(
                f"{where}: situation {number} is {one!r:.60} (write [[situation]] with a name)"
            )
        name = one.get("name")
        if not isinstance(name, str) or not name.strip():
            raise BadInputError(f'{where}: situation {number} has no name (write name = "...")')
        at = f"{where}, situation {name!r}"
        for key in one:
            if key not in KEYS:
                raise BadInputError(f"{at}: unknown key {key!r}{did_you_mean(str(key), KEYS)}")
        system = one.get("system")
        if system is not None and system not in game_keys():
            raise UnknownNameError(at, "system", str(system), game_keys())
        for key in game_keys() if system is None else (system,):
            if (key, name) in names:
                raise BadInputError(f"{at}: there are two of that name (give each its own)")
            names.add((key, name))
    return [dict(one) for one in given]


def fitted(one: Mapping[str, Any], system: str, units: Sequence[Unit], own: str | Path | None) -> Situation:
    """A situation as `fight` takes it, with every word checked against the game and its units."""
    attacks, at = attacks_of(system), f"atlas, {system}, situation {one['name']!r}"
    how: dict[str, Any] = {}
    with _At(at):
        if "weapons" in one:
            how["weapons"] = _weapons(one["weapons"])
        for key in WORDS:
            if words := words_of(key, one.get(key, ())):
                how[key] = tuple(_meant(attacks, key, word) for word in words)
        for key in ("distance", "round", "phase", "options"):
            if key in one:
                how[key] = one[key]
        for key in ("friends", "target_friends"):
            if names := words_of(key, one.get(key, ())):
                how[key] = tuple(asked_unit(name, system, own, key) for name in names)
        if how.get("use"):
            beside = (*how.get("friends", ()), *how.get("target_friends", ()))
            check_use(how["use"], (*units, *beside))
        _try(how, units)
        buffs = [words_of(key, one.get(key, ())) for key in ("buffs", "target_buffs")]
        for key, words in zip(("buffs", "target_buffs"), buffs, strict=True):
            for word in words:
                _takes(word, key, units)
    return Situation(str(one["name"]), how, buffs[0], buffs[1])


class _At:
    """Puts the place of a situation before what is wrong with it."""

    def __init__(self, at: str) -> None:
        self.at = at

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, MathhammerError):
            said = str(error)
            for head in ("fight: ", "unit: "):
                said = said.removeprefix(head)
            raise BadInputError(f"{self.at}: {said}") from None


def _weapons(given: Any) -> str:
    if given not in (*KINDS, BEST):
        hint = did_you_mean(str(given), (*KINDS, BEST))
        raise BadInputError(f"weapons is {given!r:.60}{hint or ' (write best, melee or ranged)'}")
    return str(given)


def _meant(attacks: Attacks, key: str, word: str) -> str:
    reading: Callable[[Attacks, str], str] | None
    reading = {"situation": flag_named, "commands": command_named}.get(key)
    return word if reading is None else reading(attacks, word)


def _try(how: Mapping[str, Any], units: Sequence[Unit]) -> None:
    """Puts the question once: what is wrong with a distance, a round or an option is said at the start."""
    for unit in units:
        try:
            make_question(unit, unit, **{**how, "weapons": "melee"})
        except NoWeaponError:
            continue
        return


def _takes(word: str, key: str, units: Sequence[Unit]) -> None:
    """Refuses a word that no unit understands, and one that changes sizes: an atlas has units as they are."""
    refused: MathhammerError | None = None
    for unit in units:
        try:
            changed = with_words(unit, [word], key)
        except MathhammerError as error:
            refused = refused or error
            continue
        if (changed.models, changed.lost) != (unit.models, unit.lost):
            raise BadInputError(f"{key}: {word!r} is a size (give situations, commands or buffs)")
        return
    if refused is not None:
        raise refused
