"""`Series`: distributions with their names, what they count and how far they can go."""

from __future__ import annotations

from collections.abc import Sequence

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.plan import Target
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError, UnknownNameError

LABELS = {"slain": "models slain", "lost": "wounds lost", "damage": "damage"}


@dataclass(frozen=True, slots=True)
class Series:
    """A distribution, and what a chart needs to know of it.

    `most` is the most that can happen, where there is such a number; `dead` how many wounds destroy the
    target; `panel` names the small chart that it belongs to.
    """

    name: str
    pmf: Pmf
    what: str
    most: int | None = None
    dead: int | None = None
    single: bool = False  # the target is one model
    panel: str = ""
    place: int | None = None  # of its colour; None: where it stands in the chart


def series_of(
    where: str, results: Sequence[Result], of: str | None, names: Sequence[str] = ()
) -> list[Series]:
    """One series of each result. Without `of` models are counted, and wounds where a target is one model."""
    if not results:
        raise BadInputError(f"{where}: nothing to draw (give at least one result)")
    if of is not None and of not in LABELS:
        raise UnknownNameError(where, "quantity", str(of), LABELS)
    told = names or names_of(results)
    if len(told) != len(results):
        raise BadInputError(f"{where}: {len(told)} labels for {len(results)} results (give one for each)")
    shown = of or fitting([result.plan.target for result in results])
    return [one_series(result, shown, name) for result, name in zip(results, told, strict=True)]


def one_series(result: Result, of: str, name: str, pmf: Pmf | None = None) -> Series:
    """A quantity of one result; `pmf` where it has been worked out already."""
    target = result.plan.target
    models = sum(group.models for group in target.groups)
    wounds = sum(group.models * group.wounds - group.hurt for group in target.groups)
    return Series(
        name,
        getattr(result, of) if pmf is None else pmf,
        LABELS[of],
        {"slain": models, "lost": wounds}.get(of),
        None if of == "slain" else wounds,
        models == 1,
        result.target,
    )


def fitting(targets: Sequence[Target]) -> str:
    """What is counted where it is not said: models, but wounds where any target is a single model."""
    single = any(sum(group.models for group in target.groups) == 1 for target in targets)
    return "lost" if single else "slain"


def plain_series(pmfs: Sequence[Pmf], names: Sequence[str], what: str) -> list[Series]:
    """Distributions of anything, without a most."""
    return [Series(name, pmf, what) for pmf, name in zip(pmfs, names, strict=True)]


def dead_text(one: Series) -> str:
    """How the wounds that destroy a target are marked.

    >>> dead_text(Series("Rats", Pmf.of([1.0]), "wounds lost", dead=7, single=True))
    'dead at 7'
    """
    return f"{'dead' if one.single else 'all dead'} at {one.dead}"


def describe(pmf: Pmf, name: str, what: str) -> str:
    """A distribution in one sentence.

    >>> describe(Pmf.of([0.25, 0.5, 0.25]), "Rats", "models slain")
    'Rats: 1 models slain on average, between 0 and 2 in eight of ten rolls.'
    """
    low, high = pmf.quantile(0.1), pmf.quantile(0.9)
    return f"{name}: {pmf.mean():.3g} {what} on average, between {low} and {high} in eight of ten rolls."


def described(series: Sequence[Series]) -> str:
    """All of them in words, with the chance to destroy where a chart marks it."""
    told = []
    for one in series:
        dead = (
            "" if one.dead is None else f" {dead_text(one).capitalize()}: {one.pmf.at_least(one.dead):.1%}."
        )
        told.append(f"{describe(one.pmf, one.name, one.what)}{dead}")
    return " ".join(told)


def names_of(results: Sequence[Result]) -> list[str]:
    """As short as they can be told apart: attackers, targets, or both; with their weapons where one attacker
    uses several.
    """
    attackers, targets = {r.attacker for r in results}, {r.target for r in results}
    if len({(r.attacker, r.target) for r in results}) < len(results):
        whom = [""] * len(results) if len(targets) == 1 else [f" against {r.target}" for r in results]
        return [f"{r.attacker} ({r.weapons}){of}" for r, of in zip(results, whom, strict=True)]
    if len(targets) == 1 and len(attackers) == len(results):
        return [r.attacker for r in results]
    if len(attackers) == 1 and len(targets) == len(results):
        return [f"against {r.target}" for r in results]
    return [f"{r.attacker} against {r.target}" for r in results]


def subject(results: Sequence[Result], what: str) -> str:
    """What a chart of these results is about."""
    attackers = list(dict.fromkeys(r.attacker for r in results))
    targets = list(dict.fromkeys(r.target for r in results))
    whom = f"{len(targets)} targets" if len(targets) > 3 else listed(targets)
    return f"{listed(attackers)} against {whom}: {what}"


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them; more than three are counted.

    >>> listed(["A", "B", "C"]), listed(["A", "B", "C", "D"])
    ('A, B and C', '4 units')
    """
    if len(names) > 3:
        return f"{len(names)} units"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
