"""Who can reach whom: a small file, or a mapping from attackers to targets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.files import parse_toml

TABLES = ("can", "cannot")
LARGEST = 1_000_000  # bytes of a file


@dataclass(frozen=True, slots=True)
class Reach:
    """Pairs of attackers and targets: those with an entry in `can` reach nobody else.

    >>> reach = Reach.of({"Rats": ["Orcs"]}, ["Rats", "Cats"], ["Orcs", "Elves"])
    >>> reach.allows("Rats", "Elves"), reach.allows("Rats", "Orcs"), reach.allows("Cats", "Elves")
    (False, True, True)
    """

    can: tuple[tuple[str, frozenset[str]], ...] = ()
    cannot: tuple[tuple[str, frozenset[str]], ...] = ()

    def allows(self, attacker: str, target: str) -> bool:
        """Whether a unit can attack a target."""
        named = dict(self.can)
        if attacker in named and target not in named[attacker]:
            return False
        return target not in dict(self.cannot).get(attacker, ())

    @staticmethod
    def of(given: Any, attackers: Collection[str], targets: Collection[str], where: str = "reach") -> Reach:
        """From a mapping with attackers, or with the tables `can` and `cannot`; names are checked."""
        if given is None:
            return Reach()
        if not isinstance(given, Mapping):
            raise BadInputError(f"{where}: {given!r:.60} is not a mapping (give attacker = [targets])")
        tables = given if given and set(given) <= set(TABLES) else {"can": given}
        read = {name: _table(tables.get(name, {}), attackers, targets, f"{where}: {name}") for name in TABLES}
        for attacker, refused in read["cannot"].items():
            both = sorted(refused & read["can"].get(attacker, frozenset()))
            if both:
                raise BadInputError(
                    f"{where}: {attacker} can and cannot reach {both[0]} (leave one of them out)"
                )
        return Reach(tuple(read["can"].items()), tuple(read["cannot"].items()))


def _table(
    given: Any, attackers: Collection[str], targets: Collection[str], where: str
) -> dict[str, frozenset[str]]:
    if not isinstance(given, Mapping):
        raise BadInputError(f"{where}: {given!r:.60} is not a table (give attacker = [targets])")
    return {
        _known(where, "attacker", name, attackers): frozenset(
            _known(f"{where}: {name}", "target", one, targets) for one in _words(where, name, reached)
        )
        for name, reached in given.items()
    }


def _words(where: str, name: str, given: Any) -> Iterable[str]:
    words = [given] if isinstance(given, str) else given
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise BadInputError(f"{where}: {name}: {given!r:.60} (give a list of targets)")
    return words


def _known(where: str, what: str, name: str, known: Collection[str]) -> str:
    for one in known:
        if one.lower() == name.strip().lower():
            return one
    raise UnknownNameError(where, what, name, known)


def reach_file(path: str) -> dict[str, Any]:
    """The tables of a file: `[can]` and `[cannot]`, each with lines `attacker = [targets]`."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read ({error.strerror or error})") from None
    if len(data) > LARGEST:
        raise BadInputError(f"{path}: {len(data)} bytes (at most {LARGEST})")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path}: not UTF-8 text ({error})") from None
    return parse_toml(text, path)
