"""`explain`: how each number of a result came about, in words, with rule ids."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mathhammer.engine.chain import FACES, Fan, Lane, Roll, chances
from mathhammer.engine.plan import Plan, Volley
from mathhammer.engine.table import volley_funnel
from mathhammer.units.circumstances import not_counted_text

if TYPE_CHECKING:
    from mathhammer.engine.result import Result


def explain(result: Result) -> str:
    """The whole account: each weapon, each roll, then what the target loses."""
    lines = [f"{result.attacker} against {result.target}", str(result.conditions)]
    if missing := not_counted_text(result.not_counted, most=99):
        lines.append(missing)
    if result.rules:
        lines.append(f"Rules: {'; '.join(result.rules)}")
    if result.options:
        lines.append(f"Options: {', '.join(result.options)}")
    for share, plan in result.branches or ((1.0, result.plan),):
        if result.branches:
            lines += [
                "",
                f"With chance {share:.4g} ({', '.join(plan.notes) or 'no roll of a rule comes up'})",
            ]
        lines += explain_plan(result, plan)
    for name, reason in result.skipped.items():
        lines += ["", f"{name}: does not attack, {reason}"]
    if result.own_lost is not None and result.plan.own is not None:
        lines += ["", f"What it costs {result.attacker}"]
        lines += [f"  {volley.name}: {note}" for volley in result.plan.own.volleys for note in volley.notes]
        lines.append(f"  Wounds lost by {result.attacker}: {result.own_lost.mean():.4g} on average")
    error = (
        ""
        if result.trials is None
        else f" (standard error {result.lost.standard_error():.2g}, {result.trials} trials)"
    )
    lines += [
        "",
        f"Wounds lost: {result.lost.mean():.4g} on average{error}, spread {result.lost.sd():.4g}",
        f"Models slain: {result.slain.mean():.4g} on average",
        f"Target destroyed: {result.p_destroyed:.2%}",
    ]
    if result.aftermath:
        after = ", ".join(
            f"{distribution.mean():.4g} {name.replace('_', ' ')}"
            for name, distribution in result.aftermath.items()
        )
        lines.append(f"After the fight, on average: {after}")
    return "\n".join(lines)


def explain_plan(result: Result, plan: Plan) -> list[str]:
    """Each weapon of a plan, and each of its rolls."""
    lines: list[str] = []
    for volley in plan.volleys:
        lines += ["", volley.name]
        lines += [f"  {note}" for note in volley.notes]
        chosen = result.choices.get(volley.name)
        if chosen:
            lines.append(f"  Of several critical abilities: {chosen}")
        lines += [
            f"  {name}: {explain_roll(lane)}" for name, lane in _in_order(volley) if isinstance(lane, Roll)
        ]
        lines += [
            f"  {name}: {lane.dice} times {lane.to}"
            for name, lane in volley.chain.lanes
            if isinstance(lane, Fan)
        ]
        means = volley_funnel(volley)
        lines.append("  On average: " + ", ".join(f"{value:.4g} {label}" for label, value in means.items()))
    return lines


def _in_order(volley: Volley) -> list[tuple[str, Lane]]:
    """Lanes in the order in which an attack meets them."""
    order: list[str] = []

    def visit(name: str) -> None:
        lane = volley.chain.lane(name)
        if name in order or lane is None:
            return
        order.append(name)
        after = (
            (lane.to,)
            if not isinstance(lane, Roll)
            else (*lane.on_success, *(lane.on_crit or ()), *lane.added_on_crit, *lane.on_fail)
        )
        for token in after:
            visit(token)

    visit(volley.chain.start)
    lanes = dict(volley.chain.lanes)
    return [(name, lanes[name]) for name in order]


def explain_roll(roll: Roll) -> str:
    """One roll: characteristic, every modifier with its rule, the limit, the die that is needed, the chance.

    >>> from mathhammer.engine.chain import Modifier
    >>> explain_roll(Roll(needs=4, modifiers=(Modifier(1, "All-out Attack (AOS4-C-6.0)"),), fails_up_to=1))
    '4+; +1 All-out Attack (AOS4-C-6.0); 3+ on the die; chance 0.6667'
    """
    chance = chances(roll)
    if roll.auto:
        return "automatic"
    if roll.needs is None:
        return "none"
    parts = [f"{roll.needs}+", *(f"{m.value:+d} {m.source}" for m in roll.modifiers)]
    plain = sum(
        m.value
        for m in roll.modifiers
        if not (roll.drop_negative and m.value < 0) and not (roll.drop_positive and m.value > 0)
    )
    parts += ["penalties ignored"] if roll.drop_negative else []
    parts += ["bonuses ignored"] if roll.drop_positive else []
    if roll.modifier() != plain:
        parts.append(
            f"limited to {roll.modifier():+d} ({roll.limit_source})"
            if roll.limit_source
            else f"limited to {roll.modifier():+d}"
        )
    parts.append(_on_the_die(roll))
    if roll.reroll:
        parts.append("re-roll " + ", ".join(sorted(str(kind).replace("_", " ") for kind in roll.reroll)))
    crit = f", critical {chance.crit:.4g}" if roll.on_crit is not None or roll.added_on_crit else ""
    return "; ".join([*parts, f"chance {chance.passed:.4g}{crit}"])


def _on_the_die(roll: Roll) -> str:
    """The faces that succeed before any re-roll."""
    once = chances(replace(roll, reroll=frozenset())).passed
    lowest = round(7 - 6 * once)
    return "impossible" if once == 0.0 else f"{lowest}+ on the die" if lowest in FACES else "any die"
