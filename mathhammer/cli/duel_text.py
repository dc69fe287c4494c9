"""A duel as people read it: tables of both sides, of the rounds and of the advice, and a few lines below."""

from __future__ import annotations

from collections.abc import Sequence

from mathhammer.cli.answer import Block, spread, tenths
from mathhammer.cli.output import sparkline
from mathhammer.duel.advice import Advice
from mathhammer.duel.commands import SIDES
from mathhammer.duel.result import Duel

SIDE_COLUMNS = ("Side", "Models left", "10/50/90 %", "Gone", "Points lost", "Distribution")
ROUND_COLUMNS = (
    "Round",
    "Win",
    "Lose",
    "Models a",
    "Models b",
    "Points lost a",
    "Points lost b",
    "In combat",
)
UNIT_COLUMNS = ("Unit", "Side", "Models left", "Gone")
ADVICE_COLUMNS = ("Command", "Win", "Gain", "Points", "What it does")


def duel_blocks(fought: Duel) -> list[Block]:
    """Both sides, then the rounds; every unit where there are several."""
    several = max(map(len, fought.setup.fighters)) > 1
    priced = [any(fighter.unit.points for fighter in side) for side in fought.setup.fighters]
    gone = (fought.p_lose, fought.p_win)  # nobody dies together: who is gone has lost
    rows = []
    for place, name in enumerate(fought.names):
        lost = f"{fought.points_lost[place]:.1f}" if priced[place] else "-"
        law = fought.models[place]
        rows.append((name, spread(law), tenths(law), f"{gone[place]:.1%}", lost, sparkline(law)))
    course = [
        (
            str(point.round),
            f"{point.p_win:.1%}",
            f"{point.p_lose:.1%}",
            *(f"{models:.2f}" for models in point.models),
            *(f"{lost:.1f}" if known else "-" for lost, known in zip(point.points_lost, priced, strict=True)),
            f"{point.p_engaged:.1%}",
        )
        for point in fought.by_round
    ]
    blocks = [
        Block(SIDE_COLUMNS, rows, (False, True, True, True, True, False)),
        Block(ROUND_COLUMNS, course, (True,) * len(ROUND_COLUMNS)),
    ]
    if several:
        fates = [(f.name, f.side, f"{f.models.mean():.2f}", f"{f.p_gone:.1%}") for f in fought.fates]
        blocks.append(Block(UNIT_COLUMNS, fates, (False, False, True, True)))
    return blocks


def duel_lines(fought: Duel, several: bool) -> list[str]:
    """Who wins, on the table and on points; the charge; what going first is worth."""
    error = f" ±{fought.standard_error(fought.p_win):.2%} s.e." if fought.trials else ""
    lines = [
        (
            f"{fought.names[0]}: win {fought.p_win:.1%}{error}, lose {fought.p_lose:.1%}, draw "
            f"{fought.p_draw:.1%}"
        )
    ]
    if all(any(fighter.unit.points for fighter in side) for side in fought.setup.fighters):
        lines.append(
            f"Points: ahead {fought.p_ahead:.1%}, behind {fought.p_behind:.1%}, trade {fought.trade:+.1f}"
        )
    if fought.first_charge is not None and not several:
        arrives = ", ".join(
            f"{fought.names[SIDES.index(side)] if side in SIDES else 'either'} {p:.1%}"
            for side, p in fought.p_charge.items()
        )
        lines.append(
            f"Charge at {fought.first_charge_distance:g} inches: {fought.first_charge:.1%} a roll; charges "
            f"made: {arrives}"
        )
    if not several:
        lines.append(f"Going first is worth {fought.going_first:+.1%} to win for {fought.names[0]}")
    if fought.trials:
        lines.append(f"Simulated, {fought.trials} trials, seed {fought.seed}")
    return lines


def advice_blocks(fought: Duel, advice: Sequence[Advice]) -> list[Block]:
    """Each use of a command and what it changes; the first row is the duel as it is."""
    rows = [("as it is", f"{fought.p_win:.1%}", "", "", f"{fought.names[0]} uses nothing more")]
    for one in advice:
        if one.refused:
            rows.append((str(one.use), "-", "-", "-", one.refused))
        else:
            rows.append((str(one.use), f"{one.wins:.1%}", f"{one.gain:+.1%}", f"{one.trade:+.1f}", one.rule))
    return [Block(ADVICE_COLUMNS, rows, (False, True, True, True, False))]
