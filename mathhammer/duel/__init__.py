"""`duel`: units shoot, charge, fight and strike back, round after round, and the answer is a `Duel`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mathhammer.datasheets.asked import as_unit
from mathhammer.units.unit import Unit

if TYPE_CHECKING:
    from mathhammer.duel.result import Duel


def duel(
    a: Unit | str | Sequence[Unit],
    b: Unit | str | Sequence[Unit],
    *,
    system: str | None = None,
    first: str = "a",
    rounds: int | None = 5,
    distance: float | None = None,
    charge: str = "both",
    approach: str | None = None,
    commands: Mapping[str, Any] | Sequence[str] | str = (),
    weapons: Mapping[str, Any] | Sequence[str] | str | None = None,
    situation: Mapping[str, Any] | Sequence[str] | str = (),
    friends: Mapping[str, Sequence[Unit]] | Sequence[Unit] = (),
    choices: Mapping[str, Mapping[str, str]] | None = None,
    use: Mapping[str, Any] | Sequence[str] | str = (),
    options: Mapping[str, Any] | None = None,
    rally: str = "none",
    heal: Mapping[str, str | int] | None = None,
    priority: str | None = None,
    policy: str | None = None,
    method: str | None = None,
    trials: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Duel:
    """What becomes of two units that fight it out: who wins, what is left, and when.

    In its turn a side helps itself (Rally, healing), shoots, charges if the units are apart, and then both
    fight in the order of the game. Where an argument is for each side, give a mapping with "a" and "b", or
    words with a prefix such as "b:target_in_cover"; a plain value is for a.

    Parameters
    ----------
    a, b
        Units, names of datasheets (of the game `system`, where a name alone does not tell), or lists of
        units: with several on a side the duel is simulated.
    first
        The side that has the first turn of a round, "a" or "b".
    rounds
        Battle rounds, both sides' turns in each; None: until one side is gone, at most 50.
    distance
        Inches between the units. Default: two units begin in combat, armies 24 inches apart.
    charge, approach
        Which sides charge, and which sides move towards the enemy: "both", "a", "b" or "none". Default:
        both charge, and armies move.
    commands
        Commands in use: "all_out_attack" always, "all_out_attack@1" in round 1, "...@1b-melee" in b's turn,
        in melee; "reroll_charge" rolls a charge again.
    weapons, situation, friends, choices, use, options
        As for `fight`; melee and ranged weapons may be named together. "charged" means in the first turn.
        Options about a unit that is attacked belong to its side: {"a": {"mystic_shields": 1}}.
    rally, heal
        Which sides use Rally in their hero phase while free; wounds healed in each of a side's turns, such as
        {"a": "D3"}.
    priority
        "fixed", or "roll" where players roll for the first turn of later rounds. Default: as the game has it.
    policy
        Whom a unit attacks when there are several: "points" (the most expected points, the default),
        "nearest" (as listed), "weakest".
    method
        "exact" or "simulate" with `trials`, `seed` and `threads`. Default: exact for two units.

    >>> import mathhammer as mh
    >>> axe = {"name": "Axe", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    >>> orc = mh.make_unit("aos4", {"name": "Orc", "health": 1, "weapon": [axe]})
    >>> # it strikes first and wins 1/4, else the other wins 1/4, and again in the other's turn
    >>> result = mh.duel(orc, orc, rounds=1)
    >>> round(result.p_win, 6), round(result.p_lose, 6), round(result.p_draw, 6)
    (0.355469, 0.328125, 0.316406)
    """
    from mathhammer.duel.arguments import Request, run_duel  # loaded with the first duel
    from mathhammer.duel.stances import words_as_orders

    orders: dict[str, Any] = {
        "commands": commands,
        "weapons": weapons,
        "situation": situation,
        "friends": friends,
        "use": use,
    }
    one, other, orders = words_as_orders(_named(a, b, system), orders)
    request = Request(
        first=first,
        rounds=rounds,
        distance=distance,
        charge=charge,
        approach=approach,
        **orders,
        choices=choices,
        options=options,
        rally=rally,
        heal=heal,
        priority=priority,
        policy=policy,
        method=method,
        trials=trials,
        seed=seed,
        threads=threads,
    )
    return run_duel(one, other, request)


def _named(a: Any, b: Any, system: str | None) -> tuple[Any, Any]:
    """Names become units; what is neither is looked at where the sides are read."""
    if not (isinstance(a, str) or isinstance(b, str)):
        return a, b
    units = [
        unit
        for side in (a, b)
        for unit in ([side] if isinstance(side, Unit) else side)
        if isinstance(unit, Unit)
    ]
    game = units[0].system if units else system
    first = as_unit(a, game, "duel") if isinstance(a, str) else a
    game = first.system if isinstance(first, Unit) else game
    return first, as_unit(b, game, "duel") if isinstance(b, str) else b
