"""40k lists as text: lines sorted into units, models and wargear, for every exporter that writes bullets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from mathhammer.dataclass import dataclass
from mathhammer.lists.documents import Document
from mathhammer.lists.flat import nested
from mathhammer.lists.text_parts import Part
from mathhammer.names import normal, singular
from mathhammer.text import clip
from mathhammer.units.roster import Block, BlockKind, Entry, Extra, Item, Kind, Roster

POINTS = r"([\d,. ]{1,7}?) ?(?:points|Points|pts|POINTS)"
# a bracket may be lost, and players write remarks behind the points
UNIT = re.compile(
    rf"(?:(?:Char|Batt|Inf|Veh)?\w{{0,12}}?\d{{1,2}}: )?(?:(\d{{1,3}})x )?(.+?) "
    rf"(?:\({POINTS}\)?|(?<=\w ){POINTS}\))(?: ?:\s*(.*)|(?: ?[-–—;,*<>=!]| (?=[(\[])).*)?"
)
NATIVE_UNIT = re.compile(
    r"(?:(\d{1,3})x )?(.+?) (?:\[([\d,]{1,7}) ?pts\]?|(?<=\w )([\d,]{1,7}) ?pts\])"
    r"(?: ?:\s*(.*)|(?: ?[-–—;,*<>=!]| (?=[(\[])).*)?"
)
BULLET = re.compile(r"( *)([•◦▪·‣*–-])\s*(.+)")
WITH = re.compile(r"(\d{1,3}) with (.+)")
_POINTS_END = re.compile(r" ?(?:points|pts)[)\]]?", re.IGNORECASE)
_NEXT_WITH = re.compile(r", (?=\d{1,3} with )")
COUNTED = re.compile(r"(\d{1,3})x (.+)")
SIZES = ("combat patrol", "incursion", "strike force", "onslaught")
_ENHANCED = re.compile(r"(?:enhancements?|e) ?: (.+?)(?: \(\+?(\d{1,3}) ?(?:pts|points)\))?", re.IGNORECASE)
_BONUS = re.compile(r"(.+?) \(\+(\d{1,3}) ?(?:pts|points)\)", re.IGNORECASE)
_WARLORD = ("warlord",)


def amount(text: str) -> int:
    """Points with or without a thousands separator.

    >>> amount("1,995"), amount("1 995")
    (1995, 1995)
    """
    return int(re.sub(r"\D", "", text) or 0)


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
    remark: str = ""  # behind the points
    party: str = ""  # the attached unit that it is a part of
    joined: str = ""  # as what: leader, support or bodyguard
    leads: str = ""  # the unit that it joins

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
        depth,
        counted[2] if counted else text,
        int(counted[1]) if counted else 1,
        counted=counted is not None,
        bullet=match is not None,
    )
    if counted and colon:
        part.loadouts += loadouts_of(rest, part.number)
    return part


def loadouts_of(text: str, number: int) -> list[tuple[int, list[Item]]]:
    """What models carry, as it stands behind a colon: for all of them, or for so many with this or that.

    >>> [(times, [str(item) for item in items]) for times, items in loadouts_of("2 with A, B, 1 with C", 3)]
    [(2, ['A', 'B']), (1, ['C'])]
    """
    parts = _NEXT_WITH.split(text)
    several = [WITH.fullmatch(part) for part in parts]
    if not all(several):
        return [(number, items_of(text))]
    return [(int(match[1]), items_of(match[2])) for match in several if match is not None]


def finish(sheaf: UnitLines, flat: bool = False, continued: bool = False) -> Entry:
    """The unit with its bullets sorted into models, wargear, enhancements and the mark of the warlord.

    `flat`: the indentation that tells models from wargear is lost; `continued`: bullets have further lines.
    """
    kinds: list[Kind] = []
    items: list[Item] = [
        Item(item.name, item.number * times) for times, listed in sheaf.loadouts for item in listed
    ]
    state = _Sorted(kinds, items, list(sheaf.enhancements), sheaf.general)
    one_level = not any(part.parts or part.loadouts for part in sheaf.parts)
    for part in nested(sheaf.name, sheaf.parts, continued) if flat and one_level else sheaf.parts:
        _sort(part, state)
    plain = []
    for item in state.items:
        if item.name.lower() in _WARLORD:
            state.general = True
        else:
            plain.append(item)
    given = {normal(extra.name) for extra in state.enhancements}
    plain = [item for item in plain if normal(item.name) not in given]
    told = bool(kinds) or sheaf.models is not None
    return Entry(
        name=sheaf.name,
        points=sheaf.points,
        models=sheaf.models if sheaf.models is not None else sum(kind.number for kind in kinds) or None,
        told=told,
        flat=flat and sheaf.models is None,
        kinds=tuple(kinds),
        items=tuple(plain),
        enhancements=tuple(state.enhancements),
        general=state.general,
        role=sheaf.role,
        line=sheaf.line,
        leads=sheaf.leads,
        details=(("joined", sheaf.joined),) if sheaf.joined else (),
        id=sheaf.party,
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
        state.items += _without_flags(_counted(part), state)
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
            yield from _counted(inner)
        else:
            yield from items_of(inner.text)
        if deeper and inner.counted:
            yield from deeper


def _counted(part: Part) -> list[Item]:
    """What a bullet with a number names; some exporters write several after one bullet."""
    return items_of(f"{part.number}x {part.text}") if ", " in part.text else [Item(part.text, part.number)]


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


ATTACHED_AS = re.compile(r"attached as: (leader|support|bodyguard)\b(?: ?\((.*)\))?", re.IGNORECASE)
LEADING = re.compile(r"leading (.+?)(?:\[\d{1,2}\])?", re.IGNORECASE)
LED_BY = re.compile(r"attached to (.+?)(?:\[\d{1,2}\])?", re.IGNORECASE)


def attached_line(sheaf: UnitLines, text: str) -> bool:
    """Takes a line that says how a unit is attached; False when it says something else."""
    if match := ATTACHED_AS.fullmatch(text):
        sheaf.joined = match[1].lower()
        sheaf.role = match[2].upper() if match[2] else sheaf.role
        return True
    if match := LEADING.fullmatch(text):
        sheaf.leads = match[1]
        return True
    return LED_BY.fullmatch(text) is not None


def join_parties(sheaves: Sequence[UnitLines]) -> None:
    """Says of each leader and support unit which unit it joins."""
    guards = {sheaf.party: sheaf.name for sheaf in sheaves if sheaf.joined == "bodyguard"}
    for sheaf in sheaves:
        if sheaf.party and sheaf.joined in ("leader", "support"):
            sheaf.leads = guards.get(sheaf.party, "")


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
    """A unit line: count, name, points, and items or a remark behind them."""
    price, items = found[3] or found[4], found[5]
    sheaf = UnitLines(found[2], amount(price), int(found[1]) if found[1] else None, line, role)
    if items:
        sheaf.loadouts += loadouts_of(items, 1)
    else:
        behind = found.string[max(found.end(3), found.end(4)) :]
        sheaf.remark = _POINTS_END.sub("", behind, count=1).strip(" *-–—;,:")
    return sheaf


def is_flat(document: Document) -> bool:
    """Whether the indentation of a text is lost: no line has any, and no glyph stands for it."""
    rows = [raw for _, raw in document.lines]
    return not any(raw.startswith(" ") or raw.startswith("◦") for raw in rows)


def finished(
    roster: Roster, sheaves: Sequence[UnitLines], warnings: Sequence[str], flat: bool = False
) -> Roster:
    """The list with its units."""
    remarks = [
        f"line {sheaf.line}: a remark behind the points is left out: {clip(sheaf.remark)}"
        for sheaf in sheaves
        if sheaf.remark
    ]
    continued = any(not part.bullet for sheaf in sheaves for part in sheaf.parts)
    entries = [finish(sheaf, flat, continued) for sheaf in sheaves]
    if flat and any(entry.kinds or not entry.told for entry in entries):
        remarks.append("the indentation is lost: models are told from their wargear by order and name")
    return replace(roster, blocks=blocks_of(entries), warnings=(*warnings, *remarks))
