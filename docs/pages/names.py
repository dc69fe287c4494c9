"""The pages of public names, from their docstrings."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from types import ModuleType

import mathhammer as mh
from mathhammer import lists, plots
from pages.markdown import code, contents, table

# In the order in which they are read; every name of `mathhammer.__all__` stands in one group.
GROUPS: dict[str, tuple[str, str, str]] = {
    "units": (
        "Units",
        "What there is, and how to get at it.",
        "units factions unit load_unit make_unit attach reference_targets Unit Weapon ModelGroup Stance "
        "Effect",
    ),
    "answers": (
        "Fights, duels and other dice",
        "One question, one answer.",
        "fight split odds duel Result GroupResult Pmf Conditions Duel Point Fate",
    ),
    "tables": (
        "Tables",
        "Many questions at once, as pandas data frames.",
        "compare matrix value atlas Atlas",
    ),
    "decisions": (
        "Decisions",
        "What to do with the units at hand.",
        "choices pile kill survive plan reroll threat Choices Pile PileStep Kill KillSet TurnPlan "
        "PlannedAttack Reroll Threat Threatened",
    ),
    "rosters": (
        "Army lists",
        "Lists from files and pasted text.",
        "read_roster read_rosters check_list list_damage list_health list_exchange Roster Block Entry "
        "Finding lists",
    ),
    "pictures": (
        "Pictures and knobs",
        "For posts and notebooks.",
        "chart plot_pmf plots explore Explorer",
    ),
    "errors": (
        "Errors and the version",
        "Everything that goes wrong is a `MathhammerError` with one sentence.",
        "MathhammerError BadInputError UnknownNameError TooLargeError __version__",
    ),
}


def name_pages() -> dict[str, str]:
    """A page for each group of public names, and one for each public module below."""
    pages = {
        f"python/{key}.md": _page(title, line, "mathhammer", names.split())
        for key, (title, line, names) in GROUPS.items()
    }
    for module in (plots, lists):
        short = module.__name__.rpartition(".")[2]
        doc = " ".join((module.__doc__ or "").split())
        pages[f"python/{short}.md"] = _page(f"mathhammer.{short}", doc, module.__name__, module.__all__)
    rows = [
        (f"[{title}]({key}.md)", ", ".join(code(name) for name in names.split()))
        for key, (title, _, names) in GROUPS.items()
    ]
    rows += [(f"[mathhammer.{short}]({short}.md)", "what is behind it") for short in ("plots", "lists")]
    pages["python/index.md"] = "\n\n".join(
        (
            "# Python",
            "`import mathhammer as mh`, and `mh.` has all there is to use: `mathhammer.__all__` is the "
            "promise, everything else may move. Units are asked for by name, as an "
            "[expression](../../reference/expressions.md), or as a `Unit`; options are keyword "
            "arguments; nothing is set globally.",
            table(("Page", "Names"), rows),
            contents([*GROUPS, "plots", "lists"], hidden=True),
        )
    )
    return pages


def _page(title: str, line: str, module: str, names: Sequence[str]) -> str:
    mine = [name for name in names if module == "mathhammer" or name not in mh.__all__]
    rest = [name for name in names if name not in mine]
    also = [f"Also here, as `mh.NAME`: {', '.join(map(code, rest))}."] if rest else []
    parts = [f"# {title}", line, *also, *(_entry(module, name) for name in mine)]
    return "\n\n".join(parts) + "\n"


def _entry(module: str, name: str) -> str:
    thing = getattr(importlib.import_module(module), name)
    if isinstance(thing, ModuleType):
        return f"## {name}\n\nA module of its own: see [{thing.__name__}]({name}.md)."
    if inspect.isclass(thing):
        directive, options = "autoclass", ["   :members:"]
    elif inspect.isfunction(thing):
        directive, options = "autofunction", []
    else:
        return f"## {name}\n\n`{module}.{name}` is {_value(thing)}."
    lines = [f"## {name}", "", "```{eval-rst}", f".. {directive}:: {module}.{name}", *options, "```"]
    return "\n".join(lines)


def _value(thing: object) -> str:
    if isinstance(thing, str):
        return f"the text `{thing}`"
    return f"`{thing!r}`" if len(repr(thing)) < 200 else f"a {type(thing).__name__}"
