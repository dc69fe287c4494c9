"""Effects as edits of a draft: what the changes that act here make of an attack.

Shared by the games whose attacks run hit, wound, save; which words a game allows is in its `effect_fields`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice, DiceReroll
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Modifier, Reroll
from mathhammer.games.abilities import Abilities, Draft, WeaponAbility
from mathhammer.games.effect_words import DEFENCE, IN_DUELS, NOTED, ONE_DIE, ROLLS
from mathhammer.games.game import Fight
from mathhammer.games.gathering import attack_changes
from mathhammer.units.conditions import Facts, switch
from mathhammer.units.effects import Active, Change, parse_change
from mathhammer.units.unit import Weapon

# Words that other steps read: the weapon's abilities, rolled characteristics, mortal damage, wards and saves.
READ_ELSEWHERE = (
    frozenset(
        "gain lose reroll_attacks reroll_damage mortal_damage mortal no_attack own_roll one_six".split()
    )
    | DEFENCE
    | IN_DUELS
    | NOTED
)
PENALIZED = ("hit", "wound")  # rolls whose penalties "all_penalties" takes away


def abilities_of(known: Abilities, weapon: Weapon, changes: Iterable[Active]) -> tuple[WeaponAbility, ...]:
    """The weapon's abilities after gains and losses, each once; printed ones are its own (AOS4-AMB-5)."""
    changed = [change for change in changes if change.key in ("gain", "lose")]
    printed = known.of(weapon.abilities)
    if not changed:
        return printed
    words = {key: tuple(w for c in changed if c.key == key for w in c.value) for key in ("gain", "lose")}
    lost = _lost(known, printed, words["lose"])
    return tuple(dict.fromkeys(held for held in (*printed, *known.of(words["gain"])) if held not in lost))


def _lost(known: Abilities, printed: tuple[WeaponAbility, ...], words: tuple[str, ...]) -> set[WeaponAbility]:
    """The abilities that are lost: those of these words, all, or all but one."""
    lost: set[WeaponAbility] = set()
    for word in words:
        if switch(word) == "all" or switch(word).startswith("all but "):
            but = switch(word).removeprefix("all but ")
            lost |= {held for held in printed if switch(held.ability.name) != but}
        else:
            lost.add(known.find(word))
    return lost


def reaching(weapon: Weapon, abilities: Iterable[WeaponAbility], changes: Iterable[Active]) -> list[Active]:
    """The changes that act on a weapon with these abilities; mortal damage is of the action."""
    filters = [held.ability.reached_by for held in abilities if held.ability.reached_by is not None]
    return [
        change
        for change in changes
        if change.key == "mortal_damage" or all(reached_by(weapon, change) for reached_by in filters)
    ]


@dataclass(frozen=True, slots=True)
class Armed:
    """A weapon in a fight: what it looks at, what acts on it, and the abilities that it then has."""

    weapon: Weapon
    facts: Facts
    changes: tuple[Active, ...]
    abilities: tuple[WeaponAbility, ...]


def arm(known: Abilities, fight: Fight, weapon: Weapon, facts: Facts) -> Armed:
    """A weapon with all that acts on its attacks."""
    changes = reaching(weapon, known.of(weapon.abilities), attack_changes(fight, facts, weapon))
    abilities = abilities_of(known, weapon, changes)
    return Armed(weapon, facts, tuple(reaching(weapon, abilities, changes)), abilities)


def edited(
    draft: Draft, changes: Iterable[Active], rerolls: Mapping[str, Reroll], stats: frozenset[str]
) -> Draft:
    """The draft with the changes made: roll modifiers, re-rolls, criticals, automatic results,
    characteristics.
    """
    chain = draft.chain
    moved, dice, ignored = list(draft.changes), list(draft.dice), list[str]()
    for change in changes:
        roll, _, what = change.key.rpartition("_")
        if change.key in stats:
            parsed = parse_change(change.key, change.value, change.source, change.enemy)
            if parsed.dice is None:
                moved.append(parsed)
            else:
                dice.append((change.key, parsed.dice))
        elif what == "roll" and roll in ROLLS:
            chain = chain.edit(roll, modifiers=(Modifier(change.value, change.source),))
        elif roll == "reroll" and what in ROLLS:
            if change.value != ONE_DIE:  # one die of a whole batch is a step of its own
                chain = chain.edit(what, reroll=as_rerolls(change.value, rerolls))
        elif change.key in ("crit_on", "crit_wound_on"):
            chain = chain.edit("hit" if change.key == "crit_on" else "wound", crit_on=change.value)
        elif roll == "auto":
            chain = chain.edit(what, auto=True)
        elif change.key in ("hit_fails_up_to", "wound_fails_up_to"):
            chain = chain.edit(change.key.partition("_")[0], plain_fails_up_to=change.value)
        elif change.key == "no_crit":
            chain = chain.edit("hit", no_crit=True)
        elif change.key == "no_reroll":
            for name in change.value:
                chain = chain.edit(name, no_reroll=True)
        elif change.key == "ignore":
            ignored += change.value
        elif change.key in ("mortal_on_crit", "mortal_on_crit_wound"):
            lane = f"extra mortal: {change.source} {change.value}"
            chain = chain.with_fan(lane, Fan(change.value, "extra mortal"))
            chain = chain.edit("hit" if change.key == "mortal_on_crit" else "wound", added_on_crit=(lane,))
        elif change.key not in READ_ELSEWHERE:
            raise ValueError(f"no edit for the effect word {change.key!r} (write one in applying_effects)")
    chain, moved = _ignoring(chain, moved, ignored)
    return replace(draft, chain=chain, changes=tuple(moved), dice=tuple(dice))


def with_bonus(dice: Dice, more: Dice | None, changed: Callable[[int, int], int]) -> Pmf:
    """A rolled characteristic after its changes: `changed` gives the value from the roll and from what is
    rolled on top of it.
    """
    if more is None:
        return dice.pmf().map(lambda value: changed(value, 0))
    total: dict[int, float] = {}
    for value, chance in dice.pmf().to_dict().items():
        for extra, share in more.pmf().to_dict().items():
            result = changed(value, extra)
            total[result] = total.get(result, 0.0) + chance * share
    return Pmf.of(total)


def _ignoring(chain: Chain, moved: list[Change], kinds: Iterable[str]) -> tuple[Chain, list[Change]]:
    """The chain and the changes without some kinds of modifiers (WH40K-IGNOREMOD,
    WH40K11-02.02.02), before any limit."""
    for kind in kinds:
        if kind == "save_bonuses":
            chain = chain.edit("save", drop_positive=True)
            continue
        rolls = PENALIZED if kind == "all_penalties" else (kind.removesuffix("_penalties"),)
        for roll in rolls:
            chain = chain.edit(roll, drop_negative=True)
        if kind in ("all_penalties", "skill_penalties"):  # a higher Skill is worse
            moved = [c for c in moved if not (c.stat == "skill" and c.op == "add" and c.value > 0)]
    return chain, moved


def as_rerolls(value: str | tuple[int, ...], rerolls: Mapping[str, Reroll]) -> frozenset[Reroll]:
    """What a re-roll word or a list of faces means in this game."""
    return frozenset([rerolls[value]]) if isinstance(value, str) else frozenset(value)


def rerolled_dice(dice: Dice, key: str, changes: Iterable[Active]) -> Dice:
    """The dice of a characteristic with the re-rolls that `key` grants; the wider one counts."""
    modes: set[DiceReroll] = {change.value for change in changes if change.key == key}
    return dice.with_reroll("ones" if modes == {"ones"} else "low") if modes else dice


def extra_mortals(changes: Iterable[Active]) -> list[tuple[str, Dice]]:
    """Mortal damage that comes on top of the attacks, once for the whole action."""
    return [(change.source, change.value) for change in changes if change.key == "mortal_damage"]


def covered(guards: Iterable[Active]) -> bool | None:
    """Whether rules give the target cover, or take it away; None: no rule does."""
    said = {change.value for change in guards if change.key == "cover"}
    return False if False in said else True if said else None
