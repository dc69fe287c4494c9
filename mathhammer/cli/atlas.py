"""`mathhammer atlas`: whole games against themselves, as Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import click

from mathhammer.cli.completion import complete_files
from mathhammer.cli.options import datasheets_option
from mathhammer.cli.output import progress, remark, say
from mathhammer.cli.registering import command
from mathhammer.compare.atlas import Part, Tile
from mathhammer.compare.atlas_run import KINDS, Atlas, atlas, planned, remaining
from mathhammer.games.discovery import get_game


@command("atlas", "Whole games against themselves: Parquet files of every fight.", rank=25)
@click.argument("what", nargs=-1, required=True, metavar="SYSTEM|FOLDER...", shell_complete=complete_files)
@click.option(
    "--situations", metavar="FILE", help="TOML with one [[situation]] each. Default: one plain situation."
)
@click.option("-o", "--output", "folder", required=True, metavar="DIR", help="Where the files go.")
@click.option(
    "--executor", type=click.Choice(KINDS), help="Who does the work. Default: processes of this machine."
)
@click.option("--workers", type=int, metavar="N", help="Processes to use. Default: one for each core.")
@click.option("--scheduler", metavar="ADDRESS", help="A dask cluster that runs, such as host:8786.")
@click.option("--dry-run", is_flag=True, help="Only check, and say how many fights it would be.")
@datasheets_option
def atlas_(what: tuple[str, ...], folder: str, **options: Any) -> None:
    """All units of a game, or of a folder of datasheets, against each other, exact, in every situation.

    The folder gets tiles of Parquet and manifest.json. When it is interrupted, even killed, the same
    command goes on from the finished tiles.

    \b
    Examples:
      mathhammer atlas aos4 -o atlas --dry-run
      mathhammer atlas aos1 wh40k10 -o atlas --dry-run
    """
    if options.pop("dry_run"):
        parts, tiles = planned(list(what), options["situations"], options["datasheets"])
        for line in plan_lines(parts, tiles):
            say(line)
        return
    begun, first = monotonic(), [-1]
    with progress("fighting") as show:

        def tell(done: int, wanted: int) -> None:
            if first[0] < 0:
                first[0] = done
            show(done, wanted, remaining(done, wanted, first[0], monotonic() - begun))

        try:
            made = atlas(list(what), folder, progress=tell, **options)
        except KeyboardInterrupt:
            remark(f"atlas: {folder} keeps the finished tiles; the same command goes on from them")
            raise
    for line in lines(made):
        say(line)


def plan_lines(parts: Sequence[Part], tiles: Sequence[Tile]) -> list[str]:
    """How much work it would be."""
    cells = sum(tile.rows(len(parts[tile.part].units)) for tile in tiles)
    games = [
        f"{get_game(part.system).title}: {len(part.units)} units, {_many(len(part.situations), 'situation')}"
        for part in parts
    ]
    return [
        f"{cells:,} fights in {_many(len(tiles), 'tile')}; nothing was worked out (drop --dry-run)",
        *games,
    ]


def lines(made: Atlas) -> list[str]:
    """What was made, and what could not be computed."""
    manifest = made.manifest
    size = sum(path.stat().st_size for path in made.tiles)
    tiles = _many(len(made.tiles), "tile")
    told = [f"{manifest['cells']:,} fights in {tiles}, {size / 1e6:.1f} MB: {made.folder}"]
    for game in manifest["games"]:
        situations = _many(len(game["situations"]), "situation")
        told.append(f"{game['title']}: {len(game['units'])} units, {situations}")
        told += _some(f"{game['system']}: no weapon", game["no_weapon"])
        told += _some(f"{game['system']}: not read", [one["unit"] for one in game["unread"]])
    names = [one["attacker"] or one["target"] for one in manifest["refused"]]
    told += _some("refused", list(dict.fromkeys(names)))
    if len(told) > 1 + len(manifest["games"]):
        told.append(f"every name and its reason: {Path(made.folder) / 'manifest.json'}")
    return told


def _many(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def _some(head: str, names: list[str], most: int = 8) -> list[str]:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return [f"{head}: {', '.join(names[:most])}{more}"] if names else []
