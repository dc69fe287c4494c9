"""BSData catalogues: a folder of `.gst` and `.cat` files, or of JSON, with one index of everything that
links can point at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path

from mathhammer.battlescribe.profiles import PRICES, Profile, game_ids, other_games, read_profile
from mathhammer.battlescribe.tree import MOST_BYTES, Node, Skipped, json_node, parse_json, parse_xml
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game

MOST_FILES = 1000
MOST_TOTAL = 500_000_000
MOST_STEPS = 20_000  # entries below one unit, each path counted; real units have up to 150
MOST_LINKS = 64  # how deep links may lead; the deepest real one is 11
MOST_JSON = 25_000_000  # characters of one catalogue; the largest real one has a third of that
HIDDEN = "hidden"
ENDINGS = (".gst", ".cat", ".json")
FORMS = "a folder of .gst and .cat files, or of .json catalogues"
# what the numbers of a unit do not need; the conditions of prices by size are needed, those of limits, and
# those that hide what another choice replaces
SKIPPED = Skipped(
    frozenset(
        (
            "conditions conditionGroups localConditionGroups repeats attributes attributeTypes "
            "publications forceEntries comment costTypes"
        ).split()
    ),
    frozenset((*PRICES, HIDDEN)),
)
_JSON_ROOT = re.compile(r'\s{0,20}\{\s{0,20}"(catalogue|gameSystem)"\s{0,20}:')
INDEXED = ("selectionEntry", "selectionEntryGroup", "profile", "rule", "infoGroup", "categoryEntry")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One file: its name, revision, and root element."""

    path: Path
    root: Node

    @property
    def name(self) -> str:
        """The catalogue's name, which is its faction's."""
        return self.root.name

    def roots(self) -> Iterator[Node]:
        """What a player can pick from it: entries and links at the top."""
        yield from self.root.items("selectionEntries")
        yield from self.root.items("entryLinks")


@dataclass(frozen=True, slots=True)
class Reach:
    """What can be reached from an entry."""

    unit: bool
    weapons: frozenset[str]


NOTHING = Reach(False, frozenset())


@dataclass(slots=True)
class Library:
    """All catalogues of a game, and the index over them; the first definition of an id wins."""

    system: str
    catalogues: list[Catalogue] = field(default_factory=list)
    index: dict[str, Node] = field(default_factory=dict)
    duplicates: int = 0
    dangling: set[str] = field(default_factory=set)
    steps: int = 0  # entries looked at for the unit in hand
    within: frozenset[str] = frozenset()  # the ids of the unit in hand, and of its categories
    depth: int = 0
    reached: dict[int, Reach] = field(default_factory=dict)
    read: dict[int, Profile] = field(default_factory=dict)

    def add(self, catalogue: Catalogue) -> None:
        """Takes a catalogue into the index."""
        self.catalogues.append(catalogue)
        stack = [catalogue.root]
        while stack:
            node = stack.pop()
            if node.tag in INDEXED and (identity := node.attrs.get("id")):
                if identity in self.index:
                    self.duplicates += 1
                else:
                    self.index[identity] = node
            stack.extend(reversed(node.children))

    def target(self, link: Node) -> Node | None:
        """What a link points at; None, and noted, when it is not loaded."""
        target = self.index.get(link.get("targetId"))
        if target is None:
            self.dangling.add(link.get("targetId"))
        return target

    def faces(self, node: Node) -> tuple[Node, ...]:
        """An entry as one or two nodes: a link and its target, each with children of its own."""
        if node.tag in ("entryLink", "infoLink"):
            target = self.target(node)
            return (node,) if target is None else (node, target)
        return (node,)

    def children(self, node: Node) -> Iterator[Node]:
        """The entries and groups below an entry, those of a link's target included."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise BadInputError(
                f"catalogues: links of one unit lead to more than {MOST_STEPS} entries (the files are "
                "damaged)"
            )
        for face in self.faces(node):
            yield from face.items("selectionEntries")
            yield from face.items("selectionEntryGroups")
            yield from face.items("entryLinks")

    def profiles(self, node: Node) -> Iterator[Profile]:
        """The profiles that hang on an entry, also through links and groups of information."""
        for face in self.faces(node):
            yield from map(self._profile, face.items("profiles"))
            for link in face.items("infoLinks"):
                target = self.target(link)
                if target is not None and target.tag == "profile":
                    yield self._profile(target)
                elif target is not None and target.tag == "infoGroup":
                    yield from map(self._profile, target.items("profiles"))
            for group in face.items("infoGroups"):
                yield from map(self._profile, group.items("profiles"))

    def _profile(self, node: Node) -> Profile:
        if id(node) not in self.read:
            self.read[id(node)] = read_profile(node)
        return self.read[id(node)]

    def rules(self, node: Node) -> Iterator[str]:
        """The names of the rules that hang on an entry, with the values that links append to them."""
        for face in self.faces(node):
            for link in face.items("infoLinks"):
                if link.get("type") != "rule":
                    continue
                added = [
                    m.get("value")
                    for m in link.items("modifiers")
                    if m.get("field") == "name" and m.get("type") == "append"
                ]
                yield " ".join([link.name, *added])
            yield from (rule.name for rule in face.items("rules"))

    def reach(self, node: Node) -> Reach:
        """Whether a Unit profile can be reached from an entry, and the names of all weapons that can be; each
        entry is looked at once.
        """
        key = id(node)
        if key in self.reached:
            return self.reached[key]
        self.reached[key] = NOTHING  # what leads back to itself adds nothing
        units = False
        weapons: set[str] = set()
        for profile in self.profiles(node):
            units = units or profile.kind == "unit"
            if profile.kind in ("melee", "ranged"):
                weapons.add(profile.name)
        depth = self.depth = self.depth + 1
        for child in self.children(node) if depth < MOST_LINKS else ():
            below = self.reach(child)
            units = units or below.unit
            weapons |= below.weapons
        self.depth -= 1
        self.reached[key] = Reach(units, frozenset(weapons))
        return self.reached[key]


def load(
    path: Path, system: str, tell: Callable[[int, int], None] | None = None
) -> tuple[Library, list[Catalogue]]:
    """The library of a folder, or of the folder around one file; and the catalogues that were asked for."""
    files = _files(path)
    library = Library(system)
    wanted: list[Catalogue] = []
    total = 0
    for done, file in enumerate(files, 1):
        data = _read(file)
        total += len(data)
        if total > MOST_TOTAL:
            raise BadInputError(
                f"{path}: more than {MOST_TOTAL // 10**6} MB of catalogues (give one game's folder)"
            )
        root = read_root(data, str(file))
        if root.tag not in ("catalogue", "gameSystem"):
            raise BadInputError(f"{file}: is <{root.tag[:40]}>, no catalogue (give a .gst or .cat file)")
        _check_game(root, file, system)
        catalogue = Catalogue(file, root)
        library.add(catalogue)
        if path.is_dir() or file == path:
            wanted.append(catalogue)
        if tell is not None:
            tell(done, len(files))
    return library, wanted


def read_root(data: bytes, where: str) -> Node:
    """The root of a catalogue, XML or JSON: both forms give the same tree.

    >>> xml = b'<catalogue name="Rats"><profiles><profile name="Claws"/></profiles></catalogue>'
    >>> json = b'{"catalogue": {"name": "Rats", "profiles": [{"name": "Claws"}]}}'
    >>> read_root(xml, "rats.cat") == read_root(json, "rats.json")
    True
    """
    tag = _json_tag(data[:200])
    if not tag:
        return parse_xml(data, where, SKIPPED)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInputError(f"{where}: its encoding cannot be read (save it as UTF-8)") from None
    root = parse_json(text, where, MOST_JSON)[tag]
    if not isinstance(root, dict):
        raise BadInputError(f"{where}: is JSON without a catalogue (give a catalogue of BSData)")
    return json_node(root, tag, where, skip=SKIPPED)


def _json_tag(start: bytes) -> str:
    """What the only key of a JSON catalogue says it is; empty where the first bytes are of something else."""
    found = _JSON_ROOT.match(start.decode("utf-8", "replace").removeprefix("\ufeff"))
    return found[1] if found else ""


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        folder = path
    elif path.is_file():
        folder = path.parent
        if path.suffix.lower() not in ENDINGS or not _is_catalogue(path):
            raise BadInputError(
                f"{path}: is not a catalogue (give a .gst, .cat or .json catalogue, or a folder of them)"
            )
    else:
        raise BadInputError(f"{path}: no such file or folder (give {FORMS})")
    catalogues = [file for file in folder.iterdir() if _is_catalogue(file)]
    if not catalogues:
        below = [
            inner.name for inner in sorted(folder.iterdir()) if inner.is_dir() and holds_catalogues(inner)
        ]
        hint = f"give one of its folders: {', '.join(below[:6])}" if below else f"give {FORMS}"
        raise BadInputError(f"{path}: holds no catalogues ({hint})")
    if len(catalogues) > MOST_FILES:
        raise BadInputError(f"{path}: {len(catalogues)} catalogues (a game has at most {MOST_FILES})")
    return sorted(catalogues, key=lambda file: (file.suffix.lower() != ".gst", file.name))


def _is_catalogue(file: Path) -> bool:
    """Whether a file is named like a catalogue and, where it is JSON, begins like one."""
    if file.suffix.lower() not in ENDINGS or not file.is_file():
        return False
    if file.suffix.lower() != ".json":
        return True
    try:
        with file.open("rb") as opened:
            return bool(_json_tag(opened.read(200)))
    except OSError:
        return True  # reading it says why


def holds_catalogues(path: Path) -> bool:
    """Whether a path is a catalogue, or a folder that holds some."""
    try:
        return any(_is_catalogue(file) for file in path.iterdir()) if path.is_dir() else _is_catalogue(path)
    except OSError:
        return False


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInputError(f"{file}: cannot be read ({error.strerror})") from None
    if len(data) > MOST_BYTES:
        raise BadInputError(f"{file}: larger than {MOST_BYTES // 10**6} MB (no real catalogue is)")
    return data


def game_of_folder(path: Path) -> str:
    """The game of a folder of catalogues, or of one of them."""
    first = _files(path)[0]
    root = read_root(_read(first), str(first))
    game = game_ids().get(_game_id(root))
    if game is None:
        known = " and ".join(get_game(key).title for key in dict.fromkeys(game_ids().values()))
        raise BadInputError(
            f"{first}: is for another game ({root.name[:60]}; catalogues of {known} are read)"
        )
    return game


def _game_id(root: Node) -> str:
    return root.get("id") if root.tag == "gameSystem" else root.get("gameSystemId")


def _check_game(root: Node, file: Path, system: str) -> None:
    identity = _game_id(root)
    game = game_ids().get(identity)
    if game == system:
        return
    named = get_game(game).title if game else other_games().get(identity)
    named = named or f"another game ({root.name[:60]})"
    raise BadInputError(f"{file}: is for {named} (give catalogues of {get_game(system).title})")
