"""The rules text of a unit: ability profiles and rules of rosters and catalogues, as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathhammer.battlescribe.abilities import is_weapon_rule
from mathhammer.battlescribe.catalogues import Library
from mathhammer.battlescribe.profiles import FLAGS, is_ability
from mathhammer.battlescribe.saves import carried_save, feel_no_pain, invulnerable
from mathhammer.battlescribe.tree import Node
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.reading import LONGEST_TEXT
from mathhammer.games.discovery import family_of
from mathhammer.rulestext import RulesText
from mathhammer.text import clean, fold

# what catalogues hang on units as rules and is none of the game
BOOKKEEPING = frozenset({"base size", "enhancement restrictions", "path restrictions"})
ATTACHING = "leader"  # the core rule of Attached units: who leads whom is said when units are joined
# rules of certain models that keywords say in Age of Sigmar
COMMAND_MODELS = frozenset({"champion", "standard bearer"})
TEXT = ("Effect", "Description")
BESIDE = ("Casting Value", "Chanting Value", "Cost")
_MARKUP = re.compile(r"\*\*|\^\^|\^")
# words by which a rule of some models reaches their whole unit, or others
_WHOLE = re.compile(
    r"\b(?:bearer['\u2019]s unit|this unit|that unit|models in|friendly|enemy|leading)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class HungRule:
    """A rule on an entry of a catalogue or roster, and the models it hangs on (empty: the whole unit)."""

    rule: RulesText
    models: str = ""

    @property
    def of_some(self) -> bool:
        """Whether it speaks of its bearers only."""
        return bool(self.models) and _WHOLE.search(self.rule.text) is None


def plain_text(text: str) -> str:
    """A text without the marks of catalogues, line by line.

    >>> plain_text("Each **^^Ember^^** unit\\n\\n  burns.")
    'Each Ember unit\\nburns.'
    """
    lines = map(clean, _MARKUP.sub("", text[:LONGEST_TEXT]).split("\n"))
    return "\n".join(line for line in lines if line)


def profile_rule(node: Node) -> RulesText | None:
    """The rule that an ability profile describes; None where it describes something else, or is hidden."""
    if not is_ability(node) or node.get("hidden") == "true":
        return None
    values = {item.name: item.text or item.get("value") for item in node.items("characteristics")}
    texts = [values[name] for name in TEXT if values.get(name)] or [
        value for name, value in values.items() if name not in ("Keywords", "Timing", "Declare", *BESIDE)
    ]
    return RulesText(
        plain_text("\n".join(texts)),
        name=clean(fold(node.get("name"))),
        kind=clean(node.get("typeName")),
        timing=plain_text(values.get("Timing", "")),
        declare=plain_text(values.get("Declare", "")),
        keywords=plain_text(values.get("Keywords", "")),
        more={name: plain_text(values[name]) for name in BESIDE if values.get(name)},
    )


def named_rule(node: Node, name: str = "") -> RulesText:
    """The rule in a `rule` element, under the name of the link that leads to it."""
    text = plain_text(node.get("description"))
    return RulesText(text, name=clean(fold(name or node.get("name"))), kind="rule")


def wanted(system: str, rule: RulesText | None) -> bool:
    """Whether a rule says more than the fields of a datasheet and the abilities of weapons do.

    >>> wanted("wh40k10", RulesText("...", name="Stealth")), wanted("wh40k10", RulesText("...", name="Song"))
    (False, True)
    """
    if rule is None or not rule.text or rule.name.lower() in BOOKKEEPING:
        return False
    if rule.kind == "rule" and rule.name.lower() == ATTACHING:
        return False
    if family_of(system) == "sigmar" and rule.name.lower() in COMMAND_MODELS:
        return False
    if feel_no_pain(rule.name) is not None or rule.name.lower() in FLAGS:
        return False
    if rule.name.lower().startswith("deadly demise") or is_weapon_rule(system, rule.name):
        return False
    save = invulnerable(rule.name, rule.text) or carried_save(rule.text)
    return save is None or save.conditional


def rules_of_selection(system: str, node: Node, models: str = "") -> Iterator[HungRule]:
    """The rules that hang on a selection of a roster."""
    rules = [*map(profile_rule, node.items("profiles")), *map(named_rule, node.items("rules"))]
    yield from (HungRule(rule, models) for rule in rules if rule is not None and wanted(system, rule))


def rules_of_entry(library: Library, node: Node, models: str = "") -> Iterator[HungRule]:
    """The rules that hang on an entry of a catalogue, also through links and groups of information."""
    for rule in _of_entry(library, node):
        if rule is not None and wanted(library.system, rule):
            yield HungRule(rule, models)


def _of_entry(library: Library, node: Node) -> Iterator[RulesText | None]:
    for face in library.faces(node):
        yield from _of_node(face)
        yield from (rule for group in face.items("infoGroups") for rule in _of_node(group))
        for link in face.items("infoLinks"):
            target = library.index.get(link.get("targetId"))
            if target is None or link.get("hidden") == "true":
                continue
            if target.tag == "profile":
                yield profile_rule(target)
            elif target.tag == "rule":
                yield named_rule(target, link.name)
            else:
                yield from _of_node(target)


def _of_node(node: Node) -> Iterator[RulesText | None]:
    yield from map(profile_rule, node.items("profiles"))
    yield from map(named_rule, node.items("rules"))
