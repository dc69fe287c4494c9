"""40k lists as text: lines sorted into units, models and wargear, for every exporter that writes bullets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from mathhammer.errors import BadInputError
from mathhammer.lists.documents import Document
from mathhammer.names import normal, singular
from mathhammer.text import clip
from mathhammer.units.roster import Block, BlockKind, Entry, Extra, Item, Kind, Roster

POINTS = r"([\d,. ]{1,7}?) ?(?:points|Points|pts|POINTS)"
UNIT = re.compile(
    rf"(?:(?:Char|Batt|Inf|Veh)?\w{{0,12}}?\d{{1,2}}: )?(?:(\d{{1,3}})x )?(.+?) \({POINTS}\)(?::\s*(.*))?"
)
NATIVE_UNIT = re.compile(r"(?:(\d{1,3})x )?(.+?) \[([\d,]{1,7}) ?pts\](?::\s*(.*))?")
BULLET = re.compile(r"( *)([•◦▪·‣*–-])\s*(.+)")
WITH = re.compile(r"(\d{1,3}) with (.+)")
COUNTED = re.compile(r"(\d{1,3})x (.+)")
SIZES = ("combat patrol", "incursion", "strike force", "onslaught", "force de frappe", "force d'assaut")
_ENHANCED = re.compile(
    r"(?:enhancements?|optimisations?|e) ?: (.+?)(?: \(\+?(\d{1,3}) ?(?:pts|points)\))?", re.IGNORECASE
)
_BONUS = re.compile(r"(.+?) \(\+(\d{1,3}) ?(?:pts|points)\)", re.IGNORECASE)
_WARLORD = ("warlord", "seigneur de guerre")
_ELEVENTH = re.compile(
    r"\(\d+ detachment points?\)|force dispositions?:|attached unit \d+|attached as:", re.IGNORECASE
)
_OLDER = re.compile(
    r"\[\d+ PL\b|\b\d+ ?PL,|\b(?:battalion|patrol|brigade|spearhead|vanguard) detachment\b.*\dCP|\[\d+ CP",
    re.IGNORECASE,
)


def amount(text: str) -> int:
    """Points with or without a thousands separator.

    >>> amount("1,995"), amount("1 995")
    (1995, 1995)
    """
    return int(re.sub(r"\D", "", text) or 0)


def refuse_other_editions(document: Document) -> None:
    """Lists of another edition are refused by name."""
    for line in document.plain:
        if _ELEVENTH.search(line):
            raise BadInputError(
                f"{document.where}: is for Warhammer 40,000, 11th edition (lists of the 10th edition are "
                "read)"
            )
        if _OLDER.search(line):
            raise BadInputError(
                f"{document.where}: is for Warhammer 40,000, 9th edition or older (lists of the 10th "
                "edition are read)"
            )


@dataclass(slots=True)
class Part:
    """One bullet: how deep it stands, its text, and what stands below it."""

    level: int
    text: str
    number: int = 1
    loadouts: list[tuple[int, list[Item]]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    counted: bool = False


@dataclass(slots=True)
class UnitLines:
    """A unit while its lines pass by."""

    name: str
    points: int
    models: int | None
    line: int
    role: str
    parts: list[Part] = field(default_factory=list)
    loadouts: list[tuple[int, list[Item]]] = field(default_factory=list)
    enhancements: list[Extra] = field(default_factory=list)
    general: bool = False

    def add(self, part: Part) -> None:
        """Puts a bullet below the last one that stands less deep."""
        here = self.parts
        while here and part.level > here[-1].level:
            here = here[-1].parts
        here.append(part)

    @property
    def last(self) -> Part | None:
        """The last bullet of the first level."""
        return self.parts[-1] if self.parts else None


def level_of(indent: int, glyph: str) -> int:
    """How deep a bullet stands: exporters indent by two or four, and sites that strip spaces leave the glyph.

    >>> level_of(2, "•"), level_of(4, "•"), level_of(0, "◦"), level_of(6, "•")
    (1, 2, 2, 3)
    """
    level = 1 if indent < 4 else 2 if indent < 6 else 3
    return max(2, level) if glyph == "◦" else level


def split_items(text: str) -> list[str]:
    """Items between commas, those in brackets kept together.

    >>> split_items("Warlord, 2 magma cutters (2x Magma cutter, Fist), Claw")
    ['Warlord', '2 magma cutters (2x Magma cutter, Fist)', 'Claw']
    """
    parts, depth, start = [], 0, 0
    for at, mark in enumerate(text):
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth = max(0, depth - 1)
        elif mark == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def items_of(text: str, times: int = 1, depth: int = 0) -> list[Item]:
    """Items of a line, each multiplied; a choice with its content in brackets gives the content.

    >>> [str(item) for item in items_of("2 magma cutters (2x Magma cutter), Fist", 3)]
    ['6x Magma cutter', '3x Fist']
    """
    parts = []
    for part in split_items(text):
        inner = re.fullmatch(r"[^(]+ \((.+)\)", part)
        if inner and depth < 4 and not re.search(r"\+\d+ ?pts", part):
            parts += items_of(inner[1], times, depth + 1)
            continue
        counted = COUNTED.fullmatch(part)
        parts.append(Item(counted[2], int(counted[1]) * times) if counted else Item(part, times))
    return parts


def bullet_part(raw: str, level: int | None = None) -> Part:
    """A bullet line, or a continuation at the level of the bullet above."""
    match = BULLET.fullmatch(raw)
    text = match[3] if match else raw.strip()
    depth = level if level is not None else level_of(len(match[1]), match[2]) if match else 1
    name, colon, rest = text.partition(": ")
    counted = COUNTED.fullmatch(name if colon else text)
    part = Part(
        depth, counted[2] if counted else text, int(counted[1]) if counted else 1, counted=counted is not None
    )
    if counted and colon:
        several = WITH.fullmatch(rest)
        part.loadouts.append(
            (int(several[1]), items_of(several[2])) if several else (part.number, items_of(rest))
        )
    return part


def finish(sheaf: UnitLines) -> Entry:
    """The unit with its bullets sorted into models, wargear, enhancements and the mark of the warlord."""
    kinds: list[Kind] = []
    items: list[Item] = [
        Item(item.name, item.number * times) for times, listed in sheaf.loadouts for item in listed
    ]
    state = _Sorted(kinds, items, list(sheaf.enhancements), sheaf.general)
    for part in sheaf.parts:
        _sort(part, state)
    plain = []
    for item in state.items:
        if item.name.lower() in _WARLORD:
            state.general = True
        else:
            plain.append(item)
    given = {normal(extra.name) for extra in state.enhancements}
    plain = [item for item in plain if normal(item.name) not in given]
    models = sheaf.models if sheaf.models is not None else sum(kind.number for kind in kinds) or 1
    return Entry(
        name=sheaf.name,
        points=sheaf.points,
        models=models,
        kinds=tuple(kinds),
        items=tuple(plain),
        enhancements=tuple(state.enhancements),
        general=state.general,
        role=sheaf.role,
        line=sheaf.line,
    )


@dataclass(slots=True)
class _Sorted:
    kinds: list[Kind]
    items: list[Item]
    enhancements: list[Extra]
    general: bool


def _sort(part: Part, state: _Sorted) -> None:
    if part.text.lower().startswith("b: ") and part.parts:
        for inner in part.parts:
            _sort(inner, state)
        return
    inside = list(_inside(part))
    if inside:
        if _wraps(part):
            state.items += inside
            return
        name = part.text.partition(" w/ ")[0]
        state.kinds.append(Kind(name, part.number, tuple(_without_flags(inside, state))))
        return
    if part.counted:
        state.items.append(Item(part.text, part.number))
        return
    if match := _ENHANCED.fullmatch(part.text) or _BONUS.fullmatch(part.text):
        state.enhancements.append(Extra(match[1], int(match[2]) if match[2] else None, "enhancement"))
        return
    state.items += _without_flags(items_of(part.text), state)


def _without_flags(items: Sequence[Item], state: _Sorted) -> Iterator[Item]:
    for item in items:
        if item.name.lower() in _WARLORD:
            state.general = True
        else:
            yield item


def _inside(part: Part) -> Iterator[Item]:
    for times, items in part.loadouts:
        yield from (Item(item.name, item.number * times) for item in items)
    for inner in part.parts:
        deeper = list(_inside(inner))
        if deeper and not inner.counted:
            yield from deeper
        elif inner.counted:
            yield Item(inner.text, inner.number)
        else:
            yield from items_of(inner.text)
        if deeper and inner.counted:
            yield from deeper


def _wraps(part: Part) -> bool:
    """Whether a bullet with others below is a choice of wargear and no model: it repeats what is below, or
    begins with a bare number.
    """
    if part.counted or " w/ " in part.text or part.loadouts:
        return False
    if re.match(r"\d+ ", part.text):
        return True
    label = set(singular(normal(part.text)).split())
    return any(set(singular(normal(inner.text)).split()) < label for inner in part.parts)


def blocks_of(entries: Sequence[Entry]) -> tuple[Block, ...]:
    """The units under their headings, in the order of the list."""
    blocks: list[Block] = []
    for entry in entries:
        kind: BlockKind = "allied" if entry.role.lower().startswith(("allied", "allies")) else "detachment"
        name = entry.role.capitalize() or "Army"
        if not blocks or blocks[-1].name != name:
            blocks.append(Block(name, kind))
        blocks[-1] = replace(blocks[-1], entries=(*blocks[-1].entries, entry))
    return tuple(blocks)


def not_understood(number: int, text: str) -> str:
    """The complaint about a line nobody knows."""
    return f"line {number}: not understood: {clip(text.strip())}"


def unit_of(found: re.Match[str], line: int, role: str) -> UnitLines:
    """A unit line: count, name, points, and items behind a colon."""
    sheaf = UnitLines(found[2], amount(found[3]), int(found[1]) if found[1] else None, line, role)
    if found[4]:
        sheaf.loadouts.append((1, items_of(found[4])))
    return sheaf


def finished(roster: Roster, sheaves: Sequence[UnitLines], warnings: Sequence[str]) -> Roster:
    """The list with its units."""
    return replace(roster, blocks=blocks_of([finish(sheaf) for sheaf in sheaves]), warnings=tuple(warnings))
