"""A page for each game: its words, its questions and the ids of its rules."""

from __future__ import annotations

import inspect

from mathhammer.conformance import Rule, counts, rules
from mathhammer.games.discovery import game_keys, get_game
from mathhammer.games.game import Attacks, Game
from mathhammer.games.telling import command_text, flag_text
from mathhammer.games.words import OTHER_SIDE, commands_of, defensive
from pages.markdown import code, contents, table


def game_pages() -> dict[str, str]:
    """The list of games, and a page for each."""
    pages = {f"games/{key}.md": _page(get_game(key)) for key in game_keys()}
    rows = [
        (
            f"[{get_game(key).title}]({key}.md)",
            code(key),
            _kinds(get_game(key)),
            *(str(number) for number in (count.ids, count.covered, count.out)),
        )
        for key in game_keys()
        for count in counts(rules_of(key))
    ]
    pages["games/index.md"] = "\n\n".join(
        (
            "# Games",
            "Every rule that a number depends on has an id, which `mathhammer explain` cites. These pages "
            "list the words that each game knows and the ids of its rules. A few words say what a rule is "
            "about; the rule itself stands in the publisher's rulebook. *Covered* rules have a test that "
            "fails when the rule is taken away; *out of scope* are movement, line of sight and the like.",
            table(("Game", "Key", "What is answered", "Rules", "Covered", "Out of scope"), rows),
            contents(game_keys(), hidden=True),
        )
    )
    return pages


def rules_of(system: str) -> list[Rule]:
    """The rules of a game, in the order of its list."""
    return list(rules(system))


def _kinds(game: Game) -> str:
    dice = f"{len(game.questions)} other dice questions"
    return f"attacks, duels, lists, {dice}" if game.attacks else dice


def _page(game: Game) -> str:
    parts = [f"# {game.title}", _opening(game)]
    if game.attacks is not None:
        parts += _words(game.key, game.attacks)
    parts += ["## Other dice", _questions(game), "## Rules by their ids", _rules(game.key)]
    return "\n\n".join(parts) + "\n"


def _opening(game: Game) -> str:
    words = f'Known to every command as `--system {game.key}`, and in Python as `system="{game.key}"`.'
    if game.attacks is None:
        return f"{words} Its dice show symbols: it has commands and questions of its own."
    return f"{words} How well each rule is tested stands in the [table of conformance](../../conformance.md)."


def _words(key: str, attacks: Attacks) -> list[str]:
    situations = [
        (flag_text(flag), what, "the target" if flag.startswith(OTHER_SIDE) else "the attacker", code(flag))
        for flag, what in attacks.situations.items()
    ]
    commands = [
        (command_text(attacks, name), what, _whose(attacks, name), code(name))
        for name, what in commands_of(attacks, reactions=True).items()
    ]
    options = [
        (
            code(name),
            str(option.default),
            option.what,
            f"{option.other}: {option.otherwise}",
            code(option.rule),
        )
        for name, option in attacks.readings.items()
    ]
    abilities = [
        (code(ability.example), code(ability.rule), ability.doc) for ability in attacks.abilities.known
    ]
    return [
        _heading("Situations", "`--situation`, and as words of an expression", f"situations {key}"),
        table(("Word", "Means", "About", "Key"), situations),
        _heading("Commands", "`--command`, and as words of an expression", f"commands {key}"),
        table(("Word", "Means", "Used by", "Key"), commands) if commands else "This game has none.",
        _heading("Readings of unclear rules", "`--option NAME=VALUE`", f"options {key}"),
        table(("Option", "Default", "Means", "Or", "Rule"), options) if options else "This game has none.",
        "## Weapon abilities\n\nAs datasheets and profiles spell them; numbers and keywords are examples.",
        table(("Spelling", "Rule", "Does"), abilities),
    ]


def _heading(title: str, use: str, command: str) -> str:
    return f"## {title}\n\nFor {use}. `mathhammer {command}` prints them."


def _whose(attacks: Attacks, name: str) -> str:
    if name not in attacks.commands:
        return "a side of a duel"
    return "the target" if name in defensive(attacks) else "the attacker"


def _questions(game: Game) -> str:
    rows = []
    for name, ask in sorted(game.questions.items()):
        line = " ".join((ask.__doc__ or "").split("\n\n")[0].split(">>>")[0].split())
        details = ", ".join(code(detail) for detail in inspect.signature(ask).parameters)
        rows.append((code(name), line, details))
    heading = (
        f'`mathhammer chance QUESTION --system {game.key}`, in Python `mh.odds("{game.key}", "QUESTION")`.'
    )
    return f"{heading}\n\n{table(('Question', 'Answers', 'Details'), rows)}"


def _rules(system: str) -> str:
    rows = [
        (code(rule.id), rule.label, f"out of scope: {rule.out}" if rule.out else rule.status)
        for rule in rules_of(system)
    ]
    return table(("Rule", "About", "Status"), rows)
