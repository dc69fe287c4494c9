"""A duel as people read it: tables of both sides, of the rounds and of the advice, and a few lines below."""

from __future__ import annotations

from collections.abc import Sequence

from mathhammer.cli.answer import Part
from mathhammer.cli.dice_answer import spread, tenths
from mathhammer.cli.output import sparkline
from mathhammer.duel.advice import Advice, is_ability
from mathhammer.duel.assumptions import assumptions
from mathhammer.duel.commands import SIDES, Use
from mathhammer.duel.result import Duel
from mathhammer.duel.telling import duel_conditions, duel_not_counted
from mathhammer.games.telling import command_text
from mathhammer.tables import Column, Table
from mathhammer.text import percent
from mathhammer.units.circumstances import not_counted_text

SIDE_COLUMNS = (
    Column("Side", 0),
    Column("Models left", 1, right=True),
    Column("10/50/90 %", 2, right=True, rank=2),
    Column("Gone", 3, right=True),
    Column("Points lost", 4, right=True, rank=1),
    Column("Distribution", 5, rank=3),
)
ROUND_COLUMNS = (
    Column("Round", 0, right=True),
    Column("Win", 1, right=True),
    Column("Lose", 2, right=True),
    Column("Models a", 3, right=True),
    Column("Models b", 4, right=True),
    Column("Points lost a", 5, right=True, rank=2),
    Column("Points lost b", 6, right=True, rank=3),
    Column("In combat", 7, right=True, rank=1),
)
UNIT_COLUMNS = (
    Column("Unit", 0),
    Column("Side", 1),
    Column("Models left", 2, right=True),
    Column("Gone", 3, right=True),
)
ADVICE_COLUMNS = (
    Column("Command", 0, prose=True),
    Column("Win", 1, right=True),
    Column("Win minus lose", 2, right=True),
    Column("Points", 3, right=True, rank=1),
    Column("What it does", 4, prose=True),
)


def _option(duel: Duel, best: Advice) -> str:
    """The option of the command line that makes a use."""
    if is_ability(duel.setup, 0, best.use):
        return f'--use "a:{best.use}"'
    return f"--command a:{best.use}"


def duel_parts(duel: Duel, advice: Sequence[Advice] | None) -> list[Part]:
    """The whole duel: tables, what they come to, and what a battle of lists assumes."""
    several = max(map(len, duel.setup.fighters)) > 1
    tables = duel_tables(duel) if advice is None else [*duel_tables(duel), advice_table(duel, advice)]
    missing = not_counted_text(duel_not_counted(duel))
    parts: list[Part] = [duel_conditions(duel), *([missing] if missing else [])]
    parts += [part for table in tables for part in (table, "")]
    best = next((one for one in advice or () if not one.refused and one.gain > 0), None)
    parts += [f"Use the best of these with {_option(duel, best)}", ""] if best else []
    parts += duel_lines(duel, several)
    if several:
        parts += ["", "This battle assumes:", *(f"- {line}" for line in assumptions(duel.setup))]
    return parts


def duel_tables(duel: Duel) -> list[Table]:
    """Both sides, then the rounds; every unit where there are several."""
    priced = [any(fighter.unit.points for fighter in side) for side in duel.setup.fighters]
    gone = (duel.p_lose, duel.p_win)  # both never die together: the side that is gone has lost
    sides = []
    for place, name in enumerate(duel.names):
        lost = f"{duel.points_lost[place]:.1f}" if priced[place] else "-"
        left = duel.models[place]
        sides.append((name, spread(left), tenths(left), percent(gone[place]), lost, sparkline(left)))
    rounds = [
        (
            str(point.round),
            percent(point.p_win),
            percent(point.p_lose),
            *(f"{models:.2f}" for models in point.models),
            *(f"{lost:.1f}" if known else "-" for lost, known in zip(point.points_lost, priced, strict=True)),
            percent(point.p_engaged),
        )
        for point in duel.by_round
    ]
    tables = [Table(SIDE_COLUMNS, sides), Table(ROUND_COLUMNS, rounds)]
    if max(map(len, duel.setup.fighters)) > 1:
        fates = [(f.name, f.side, f"{f.models.mean():.2f}", percent(f.p_gone)) for f in duel.fates]
        tables.append(Table(UNIT_COLUMNS, fates))
    return tables


def duel_lines(duel: Duel, several: bool) -> list[str]:
    """Who wins, on the table and on points; the charge; what going first is worth."""
    error = f" (se {duel.standard_error(duel.p_win):.2%})" if duel.trials else ""
    ends = f"win {percent(duel.p_win)}{error}, lose {percent(duel.p_lose)}, draw {percent(duel.p_draw)}"
    lines = [f"{duel.names[0]}: {ends}"]
    if all(any(fighter.unit.points for fighter in side) for side in duel.setup.fighters):
        lines.append(f"Points: ahead {duel.p_ahead:.1%}, behind {duel.p_behind:.1%}, trade {duel.trade:+.1f}")
    if duel.first_charge is not None and not several:
        arrives = ", ".join(
            f"{duel.names[SIDES.index(side)] if side in SIDES else 'either'} {p:.1%}"
            for side, p in duel.p_charge.items()
        )
        lines.append(
            f"Charge at {duel.first_charge_distance:g} inches: {duel.first_charge:.1%} a roll; charges "
            f"made: {arrives}"
        )
    if not several:
        lines.append(f"Going first is worth {duel.going_first:+.1%} to win for {duel.names[0]}")
    if duel.trials:
        lines.append(f"Simulated, {duel.trials} trials, seed {duel.seed}")
    return lines


def advice_table(duel: Duel, advice: Sequence[Advice]) -> Table:
    """Each use of a command and what it changes; the first row is the duel as it is."""
    rows = [("as it is", percent(duel.p_win), "", "", f"{duel.names[0]} uses nothing more")]
    for one in advice:
        if one.refused:
            rows.append((use_text(duel, one.use), "-", "-", "-", one.refused))
        else:
            gain, trade = f"{one.gain:+.1%}", f"{one.trade:+.1f}"
            rows.append((use_text(duel, one.use), percent(one.wins), gain, trade, one.rule))
    return Table(ADVICE_COLUMNS, rows)


def use_text(duel: Duel, use: Use) -> str:
    """A use of a command in words."""
    when = [
        *([f"round {use.round}"] if use.round else []),
        *([f"{use.turn}'s turn"] if use.turn else []),
        *([{"melee": "fighting", "ranged": "shooting"}[use.kind]] if use.kind else []),
    ]
    return ", ".join([command_text(duel.setup.attacks, use.command), *when])
