"""`mathhammer post`: all pictures and tables of a blog post."""

from __future__ import annotations

import click

from mathhammer.cli.completion import complete_files
from mathhammer.cli.output import progress, remark, say
from mathhammer.cli.registering import command


@command("post", "All pictures and tables of a blog post, from one file.", rank=160)
@click.argument("file", shell_complete=complete_files)
@click.option("--dry-run", is_flag=True, help="Only list the files.")
def post(file: str, dry_run: bool) -> None:
    """Makes every chart and table that FILE.toml lists, beside it; files are replaced whole, at the end.

    \b
    Examples:
      mathhammer post notebooks/post.toml --dry-run
    \b
    The file:
      system = "aos4"
      themes = ["light", "dark"]     # dark ones are called slain-dark.png
      alt = true                     # words for readers who cannot see: slain.png.txt
      credit = "Chart: Anna"         # at the bottom of every chart
      preset = "blog"                # or phone, card
      [[chart]]
      file = "slain.png"
      kind = "at_least"              # see mathhammer chart --help
      title = "How many fall"        # also subtitle; the conditions always stand below
      attackers = ["Liberators", "Rat Ogors"]
      targets = ["Clanrats"]
      [[table]]
      file = "slain.md"
      kind = "compare"               # or matrix, value; with the columns of --format md
      attackers = ["Liberators", "Rat Ogors"]
      targets = ["Clanrats"]
    """
    from mathhammer.plots.post import make_post, read_post  # matplotlib only when asked for

    asked = read_post(file)
    if dry_run:
        say("\n".join(asked.files()))
        return
    with progress("drawing") as tell:
        files = make_post(asked, tell)
    remark(f"{len(files)} {'file' if len(files) == 1 else 'files'} written to {asked.path.parent}")
