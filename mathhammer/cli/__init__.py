"""The command line: `mathhammer COMMAND`. Each command is a file that is loaded only when it is used."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from mathhammer._version import __version__
from mathhammer.errors import MathhammerError
from mathhammer.registry import Registered, one_registered, registered

FOLDER = Path(__file__).parent
INTERRUPTED = 130  # what shells give a program that Ctrl-C has ended


def commands() -> dict[str, Registered]:
    """All commands, in their order."""
    return registered(FOLDER, "command")


class Lazy(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click gives it)
        """All commands, in the order of the table."""
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, loaded now."""
        entry = one_registered(FOLDER, "command", cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"mathhammer.cli.{entry.module}")
        known = (thing for thing in vars(module).values() if isinstance(thing, click.Command))
        return next(command for command in known if command.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands, without loading any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.line) for name, entry in commands().items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a suggestion for a mistyped command."""
        unknown = args and not args[0].startswith("-") and one_registered(FOLDER, "command", args[0]) is None
        if unknown:
            from mathhammer.errors import did_you_mean

            raise click.UsageError(f"no command {args[0]!r}{did_you_mean(args[0], commands())}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=Lazy,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="mathhammer")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Combat statistics for tabletop wargames, exact and simulated.

    \b
    Example:
      mathhammer compare Liberators "Rat Ogors" --vs Clanrats "Clawlord on Gnaw-beast"
      mathhammer compare "10 Liberators: charged, all-out attack" --vs "40 Clanrats: in cover"
      mathhammer help compare
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; gives the exit code: 0 done, 1 faults found, 2 bad input, 130 interrupted."""
    try:
        code = cli.main(
            args=None if argv is None else list(argv), prog_name="mathhammer", standalone_mode=False
        )
        sys.stdout.flush()
    except MathhammerError as error:
        _complain(str(error))
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "mathhammer"
        # one sentence on one line, also where click lists choices below
        message = " ".join(error.format_message().split())
        _complain(f"{command.removeprefix('mathhammer ')}: {message} (see {command} --help)")
        return 2
    except click.ClickException as error:
        _complain(f"mathhammer: {error.format_message()}")
        return 2
    except (click.Abort, KeyboardInterrupt):
        _complain("mathhammer: interrupted")
        return INTERRUPTED
    # `| head` has seen enough: end quietly, and keep the interpreter from complaining
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        _complain(f"mathhammer: {error.filename or 'output'}: {error.strerror}")
        return 2
    return code if isinstance(code, int) else 0


def _complain(sentence: str) -> None:
    """One sentence to stderr."""
    from mathhammer.cli.output import remark  # a command has loaded it, or nothing else was needed

    remark(sentence)
