"""`answer`: a question as JSON in, everything that the page shows out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.compare.answering import Compared, compared_document, work_out
from mathhammer.compare.asking import asked, conditions_parts
from mathhammer.compare.columns import columns
from mathhammer.compare.matchups import COLUMNS, Matchup, matchups
from mathhammer.compare.varying import RANGES, varied
from mathhammer.engine.result import Result
from mathhammer.games.profile_text import defence_text
from mathhammer.serve.limits import time_limit
from mathhammer.serve.question import Question, command_line, python_line, read_question
from mathhammer.tables import Table, as_csv
from mathhammer.units.unit import Unit

SAVE = "save"


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """What units do to targets, by the same path as `mathhammer compare`, with all that the page shows.

    The question is checked and bounded (`mathhammer.serve.question.FIELDS`); what is wrong with it is one
    sentence. The answer begins as `mathhammer compare --format json` does.

    >>> found = answer({"attackers": ["Liberators"], "targets": ["Clanrats"]})
    >>> round(found["rows"][0]["slain"], 2), round(found["rows"][0]["at_least"][6], 3)
    (6.06, 0.603)
    >>> found["command"]
    'mathhammer compare Liberators --vs Clanrats --system aos4'
    """
    read, in_time = read_question(question), time_limit()
    found = work_out(read.attackers, read.targets, read.how, tell=in_time)
    results = [one.result for one in found.fights if one.result is not None]
    options = {name: value for name, value in read.given.items() if name != "by_save"}
    document = compared_document(found.compared, asked(read.attackers, read.targets, options))
    for shown, (matchup, _) in zip(document["rows"], found.compared, strict=True):
        shown |= {"health": matchup.target.health}
        shown |= {} if matchup.result is None else more_of(matchup.result)
    return document | {
        "remarks": list(found.remarks),
        "lines": conditions_parts(results, read.system),
        "targets": [{"label": unit.label, "text": defence_text(unit)} for unit in read.targets],
        "attackers": [{"label": unit.label, "points": unit.points} for unit in read.attackers],
        "by_save": table_by_save(read, in_time),
        "command": command_line(read),
        "python": python_line(read),
        "csv": as_csv(list(COLUMNS), [[row[name] for name in COLUMNS] for _, row in found.compared]),
        "markdown": markdown(found.compared, results, read.system),
    }


def more_of(result: Result) -> dict[str, Any]:
    """What a page shows of a fight besides its numbers: chances of at least k, rules, the account of it."""
    slain, lost = result.slain, result.lost
    return {
        "at_least": [slain.at_least(models) for models in range(len(slain))],
        "lost_at_least": [lost.at_least(wounds) for wounds in range(len(lost))],
        "rules": list(result.rules),
        "explain": result.explain(),
    }


def table_by_save(question: Question, in_time: Callable[..., None]) -> dict[str, Any] | None:
    """Mean damage of every attacker to one target if its save were another; None where it has no save."""
    target: Unit = question.targets[min(question.given["by_save"], len(question.targets) - 1)]
    if SAVE not in dict(target.stats) or question.how["method"] != "exact":
        return None
    saves = RANGES[SAVE]
    struck = [varied(target, SAVE, value if value < 7 else None) for value in saves]
    found: list[Matchup] = []
    for one in matchups(question.attackers, struck, **question.how):
        found.append(one)
        in_time()
    rows = [found[start : start + len(saves)] for start in range(0, len(found), len(saves))]
    return {
        "target": target.label,
        "save": target.stat(SAVE),
        "saves": [f"{value}+" if value < 7 else "none" for value in saves],
        "rows": [
            {
                "attacker": row[0].attacker.label,
                "kind": row[0].kind,
                "damage": [None if one.result is None else one.harm.mean() for one in row],
            }
            for row in rows
        ],
    }


def markdown(compared: Sequence[Compared], results: Sequence[Result], system: str) -> str:
    """The table for a blog post, below its conditions."""
    lines = [f"{line}\n" for line in conditions_parts(results, system)]
    return "\n".join([*lines, Table(columns(compared, False, full=False), compared).markdown()])
