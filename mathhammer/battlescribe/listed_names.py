"""What army lists call the models of a unit, and what they carry that is no weapon."""

from __future__ import annotations

from mathhammer.battlescribe.catalogues import MOST_LINKS, Library
from mathhammer.battlescribe.entry_facts import is_noise, kind_of, name_of
from mathhammer.battlescribe.tree import Node
from mathhammer.games.discovery import family_of

FLAGS = ("warlord", "general", "reinforced", "champion", "musician", "standard bearer")
MOST_NAMES = 60


def listed_names(library: Library, node: Node) -> tuple[list[str], list[str]]:
    """The names of all models of a unit, and of the wargear that holds no weapon, each once.

    In Age of Sigmar what is no weapon is an enhancement, and lists tell those by themselves.
    """
    models: dict[str, None] = {}
    wargear: dict[str, None] = {}
    if kind_of(library, node) == "model":
        models[name_of(library, node)] = None
    _walk(library, node, (models, wargear), frozenset())
    other = [] if family_of(library.system) == "sigmar" else [name for name in wargear if name not in models]
    return list(models)[:MOST_NAMES], other[:MOST_NAMES]


def _walk(
    library: Library, node: Node, names: tuple[dict[str, None], dict[str, None]], seen: frozenset[int]
) -> None:
    if len(seen) > MOST_LINKS or id(node) in seen:
        return
    for child in library.children(node):
        if is_noise(library, child):
            continue
        kind, name = kind_of(library, child), name_of(library, child)
        if kind == "model":
            names[0][name.partition(" w/")[0]] = None
        elif kind == "upgrade" and name.lower() not in FLAGS and not library.reach(child).weapons:
            if not any(kind_of(library, inner) == "model" for inner in library.children(child)):
                names[1][name] = None
            continue
        _walk(library, child, names, seen | {id(node)})
