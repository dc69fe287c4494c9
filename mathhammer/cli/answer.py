"""`Answer`: what a command has to say, written as the user wants it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.cli.output import as_json, on_terminal, print_parts, write_text
from mathhammer.dataclass import dataclass
from mathhammer.tables import Table, as_csv

Part = str | Table


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer for people (lines and tables), as a JSON document, and as records for CSV.

    Each is worked out only when it is asked for. `records` are the names of the columns, and the rows.
    """

    parts: Callable[[], Sequence[Part]]
    document: Callable[[], Mapping[str, Any]]
    records: Callable[[], tuple[Sequence[str], Sequence[Sequence[Any]]]] | None = None

    def write(self, options: Mapping[str, Any]) -> None:
        """Writes it in the form, and to the place, that the options of the command say.

        >>> answer = Answer(lambda: ["Rats: 5"], lambda: {"rats": 5})
        >>> answer.write({"form": "table"})
        Rats: 5
        >>> answer.write({"form": "json"})
        {
         "rats": 5
        }
        """
        form, output = options["form"], options.get("output")
        if form == "json":
            write_text(as_json(self.document()), output)
        elif form == "csv" and self.records is not None:
            write_text(as_csv(*self.records()), output)
        elif form != "md" and output is None and on_terminal(sys.stdout):
            print_parts(self.parts(), "json" if self.records is None else "csv")
        else:
            write_text("\n".join(_text(part, form) for part in self.parts()), output)


def _text(part: Part, form: str) -> str:
    """A part as text; in Markdown a line ends its paragraph, so that a table can follow it."""
    if isinstance(part, str):
        return f"{part}\n" if form == "md" and part else part
    return part.markdown() if form == "md" else part.plain()
