"""A duel in one line: the conditions that its numbers hold under, and the rules that it leaves out."""

from __future__ import annotations

from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Fighter
from mathhammer.duel.result import Duel
from mathhammer.games.telling import command_text, flag_text, rules_left_out


def duel_conditions(duel: Duel, names: tuple[str, str] = ("a", "b")) -> str:
    """Game, method, sizes, where the sides begin, who has the first turn, and what each side brings.

    `names` is what the sides are called: by their letters, as the options of the command line do.

    >>> import mathhammer as mh
    >>> print(duel_conditions(mh.duel("10 Liberators: all-out attack", "Rat Ogors", rounds=2)))
    Age of Sigmar 4 · exact · 10 against 3 models, begun in combat, 2 rounds, a first · a All-out Attack
    """
    setup = duel.setup
    rolled = f"simulated, {duel.trials:,} trials, seed {duel.seed}" if duel.trials else "exact"
    several = setup.several
    counts = [len(side) if several else side[0].unit.models_left for side in setup.fighters]
    thing = "unit" if several else "model"
    sizes = f"{counts[0]} against {counts[1]} {thing}{'' if counts[1] == 1 else 's'}"
    start = "begun in combat" if setup.distance is None else f"{setup.distance:g} inches apart"
    last = "to the end" if setup.open_end else f"{setup.rounds} {'round' if setup.rounds == 1 else 'rounds'}"
    parts = [sizes, start, last, f"{names[SIDES.index(setup.first)]} first"]
    brought = [
        f"{name} {', '.join(words)}"
        for name, side in zip(names, setup.fighters, strict=True)
        if (words := _brought(duel, side[0]))
    ]
    options = [f"{name} {value}" for name, value in (setup.options or {}).items()]
    return " · ".join([setup.system.short_title, rolled, ", ".join(parts), *brought, *options])


def _brought(duel: Duel, fighter: Fighter) -> list[str]:
    """What a side brings besides its unit."""
    attacks = duel.setup.attacks
    uses = [
        f"{command_text(attacks, use.command)}{str(use).removeprefix(use.command)}"
        for use in fighter.commands
    ]
    flags = [flag_text(flag) for flag in (*(("charged",) if fighter.charged else ()), *fighter.flags)]
    friends = [f"with {friend.name}" for friend in fighter.friends]
    used = [f"using {use}" for use in fighter.uses]
    return [*flags, *uses, *used, *friends, *fighter.unit.stance.buffs]


def duel_not_counted(duel: Duel) -> tuple[str, ...]:
    """The rules of both sides that are not in the answer."""
    fighters = [fighter for side in duel.setup.fighters for fighter in side]
    found = [rules_left_out((one.unit, *one.friends), one.used, in_duel=True) for one in fighters]
    return tuple(dict.fromkeys(rule for rules in found for rule in rules))
