"""Combats in words: terrain, the dice of both sides, what their bolts do, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.games.uprising.combat import Combat, colours_of, rerolls_of
from mathhammer.games.uprising.forces import Now
from mathhammer.games.uprising.pools import SYMBOLS, in_words

NO_TERRAIN = "no effect (UP-TER-1, UP-TER-6)"
TERRAIN_TEXT = {
    "badlands": "riders also roll in archery (UP-TER-2)",
    "highlands": "one archery die for each side, the strongest (UP-TER-3)",
    "marsh": "red dice become white (UP-TER-4)",
    "forest": "each side rerolls up to 2 blanks in archery (UP-TER-5)",
    "cursed": "bolts of players and Empire do nothing (UP-TER-7)",
}
BEST_TEXT = {
    "chance": "Players use bolts, give up units and choose their highlands die for the best chance to win "
    "(UP-BOLT-2, UP-CAS-1, UP-TER-3).",
    "points": "Players use bolts, give up units and choose their highlands die for the most points "
    "(UP-BOLT-2, UP-CAS-1, UP-TER-3).",
}


def terrain_line(terrain: str) -> str:
    """What the terrain does.

    >>> terrain_line("marsh")
    'Terrain marsh: red dice become white (UP-TER-4).'
    """
    return f"Terrain {terrain}: {TERRAIN_TEXT.get(terrain, NO_TERRAIN)}."


def number_text(value: float | None, form: str = ".4f") -> str:
    """A number, or that it is not known.

    >>> number_text(1.5), number_text(None)
    ('1.5000', 'not known')
    """
    return "not known" if value is None else format(value, form)


def points_line(points: Mapping[str, float | None]) -> str:
    """The points of every faction."""
    shown = ", ".join(f"{name} {number_text(vp)}" for name, vp in points.items())
    return f"Expected points (UP-VP-1, UP-VP-2): {shown}."


def side_lines(combat: Combat, place: int) -> list[str]:
    """The dice of a side in each round, its casualties and its bolts."""
    side, enemy = combat.sides[place], combat.sides[1 - place]
    start = combat.start()
    pools = []
    for phase in ("archery", "first", "clash"):
        if phase == "archery" and start.phase == "first":
            pools.append("no archery round")
            continue
        now = Now(phase, start.forces)
        colours = colours_of(side, enemy, now, place, combat.terrain)
        again = "".join(f", rerolls up to {n} blanks" for n in rerolls_of(side, now, combat.terrain))
        pools.append(f"{'first clash' if phase == 'first' else phase}: {in_words(colours)}{again}")
    lines = [
        (
            f"Side {'ab'[place]}, {side.name} ({side.faction}), {side.strength} {side.piece}: "
            f"{'; '.join(pools)} (UP-CMB-4, UP-CMB-5)."
        )
    ]
    for window, counts in side.symbols.items():
        shown = [f"{n} {s}{'s' * (n > 1)}" for n, s in zip(counts, SYMBOLS, strict=True) if n]
        lines.append(f"  Cards add {', '.join(shown)} ({window.replace('_', ' ')}).")
    if side.kind == "units" and not combat.best:
        order = ", ".join(dict.fromkeys(figure.name for figure in side.figures))
        lines.append(f"  Casualties in this order (UP-CAS-2): {order}.")
    for power in side.powers:
        first = "Bolts may feed" if side.policy == "best" else "Bolts feed"
        lines.append(
            f"  {first} its god power first ({power.often}): {power}; the rest cancels shields."
            if side.policy != "best"
            else f"  {first} a god power ({power.often}): {power}; the others cancel shields."
        )
    if not side.powers:
        lines.append("  Bolts cancel enemy shields (UP-BOLT-1).")
    if side.stops_shields or side.stops_bolts:
        lines.append(f"  Its enemy cannot use {'shields' if side.stops_shields else 'bolts'} (UP-THR-5).")
    return lines


def combat_text(combat: Combat, answer: Mapping[str, Any]) -> str:
    """One combat rule by rule."""
    lines = [
        f"Dice set: {combat.box.used}.",
        terrain_line(combat.terrain),
        *side_lines(combat, 0),
        *side_lines(combat, 1),
        *([BEST_TEXT[answer["best"]]] if answer["best"] else []),
        (
            "Each round both sides roll at once; skulls less shields that are not cancelled are losses "
            "(UP-SYM-1, UP-SYM-2)."
        ),
        f"a wins {answer['p_win']:.4f}, loses {answer['p_lose']:.4f}, both gone "
        f"{answer['p_draw']:.4f}, horde formed "
        f"{answer['p_horde_formed']:.4f} (UP-SKE-3), the enemy leaves {answer['p_left']:.4f}; "
        f"{answer['expected_clash_rounds']:.4f} clash rounds (UP-CMB-3).",
        points_line(answer["expected_vp"]),
        *scoring_lines(answer),
    ]
    if answer["method"] == "simulate":
        lines.append(f"Played {answer['trials']} times.")
    return "\n".join(lines)


def scoring_lines(answer: Mapping[str, Any]) -> list[str]:
    """What the scoring of the chapter gets from it: graveyards and the haven."""
    lines = [
        f"Graveyard of {faction}: at scoring {vp:.4f} points on average (UP-VP-3, UP-VP-4)."
        for faction, vp in answer["expected_graveyard_vp"].items()
    ]
    if answer["p_haven_lost"] is not None:
        lines.append(
            f"The haven is lost with {answer['p_haven_lost']:.4f} (UP-AFT-1); at scoring it brings "
            f"{answer['expected_haven_vp']:.4f} points on average (UP-VP-4)."
        )
    return lines
