"""What was handed in: a file, pasted text or bytes, read with limits and cleaned before
any reader looks at it.
"""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
import zlib
from base64 import b64decode
from binascii import Error as Base64Error
from functools import cached_property
from pathlib import Path
from typing import Any

from mathhammer.battlescribe.tree import MOST_BYTES, parse_json
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.text import clean

MOST_RATIO = 200  # real rosters shrink 3 to 12 times
MOST_LINES = 20_000
LONGEST_LINE = 2_000
MOST_TEXT = 1_000_000  # characters of a list as text; the longest real one has a few thousand
ZIP = b"PK\x03\x04"
_SHARED = re.compile(r"(?:.*/listforge/)?(H4sIA[A-Za-z0-9+/=_-]+)\s*", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """The bytes of a list and where they came from; text and JSON are worked out when a
    reader asks for them.
    """

    where: str
    data: bytes

    @property
    def zipped(self) -> bool:
        """Whether it is a zip archive."""
        return self.data.startswith(ZIP)

    @cached_property
    def _decoded(self) -> tuple[str, tuple[str, ...]]:
        return decode(self.data, self.where)

    @property
    def text(self) -> str:
        """The text, whatever its encoding."""
        return self._decoded[0]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What decoding had to guess."""
        return self._decoded[1]

    @cached_property
    def start(self) -> str:
        """The first character that is no space; empty for archives."""
        return "" if self.zipped else self.text.lstrip()[:1]

    @cached_property
    def shared(self) -> bool:
        """Whether it is a ListForge share link."""
        return unpack_shared(self.data, self.where) is not None

    @cached_property
    def json(self) -> Any:
        """The JSON document, also from a ListForge share link."""
        shared = unpack_shared(self.data, self.where)
        return parse_json(shared if shared is not None else self.text, self.where)

    @cached_property
    def lines(self) -> tuple[tuple[int, str], ...]:
        """Numbered lines with their indentation, clean of control characters; blank lines are left out."""
        if len(self.text) > MOST_TEXT:
            raise BadInputError(
                f"{self.where}: {len(self.text)} characters of text (an army list has at most {MOST_TEXT})"
            )
        rows = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if len(rows) > MOST_LINES:
            raise BadInputError(f"{self.where}: {len(rows)} lines (an army list has at most {MOST_LINES})")
        found = []
        for number, row in enumerate(rows, 1):
            if len(row) > LONGEST_LINE:
                raise BadInputError(
                    f"{self.where}: line {number} has {len(row)} characters (an army list has at most "
                    f"{LONGEST_LINE})"
                )
            plain = clean(row)
            if plain and not plain.startswith("```"):
                wide = row.expandtabs(4).replace("\u00a0", " ")
                found.append((number, " " * min(40, len(wide) - len(wide.lstrip())) + plain))
        return tuple(found)

    @property
    def bounded(self) -> str:
        """The text with its lines as numbered, within the limits of a list."""
        rows = dict(self.lines)
        return "\n".join(rows.get(number, "") for number in range(1, max(rows, default=0) + 1))

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The lines without numbers and indentation, for detection."""
        return tuple(row.strip() for _, row in self.lines)

    def unzipped(self) -> bytes:
        """The one roster inside a zip archive, read in memory and never more than the limit."""
        return unzip(self.data, self.where)


def open_document(given: str | bytes | Path) -> Document:
    """The document behind a path, a pasted text or bytes.

    A text of several lines, or one that begins like XML, JSON or a share link, is the list itself; any other
    is a path.
    """
    if isinstance(given, bytes):
        return _limited(Document("list", given))
    if isinstance(given, str) and _is_text(given):
        return _limited(Document("list", given.encode("utf-8", "replace")))
    if isinstance(given, str) and (not given.strip() or "\0" in given):
        raise BadInputError("read_roster: nothing to read (give a file or the text of a list)")
    where = clean(str(given))
    return Document(where, read_bytes(Path(given), where))


def _is_text(given: str) -> bool:
    start = given.lstrip()[:100].replace(" ", "")
    return (
        len(given) > LONGEST_LINE
        or "\n" in given.strip()
        or start.startswith(("<", "{", "[{"))
        or _SHARED.fullmatch(given.strip()) is not None
    )


def read_bytes(path: Path, where: str) -> bytes:
    """A regular file's bytes, or one sentence why not."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise BadInputError(f"{where}: is not a regular file (give an exported list)")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise BadInputError(f"{where}: no such file (give a file or the text of a list)") from None
    except OSError as error:
        raise BadInputError(f"{where}: cannot be read ({error.strerror})") from None
    return _limited(Document(where, data)).data


def _limited(document: Document) -> Document:
    if len(document.data) > MOST_BYTES:
        raise BadInputError(
            f"{document.where}: larger than {MOST_BYTES // 10**6} MB (an army list is far smaller)"
        )
    return document


def decode(data: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    """Bytes as text: UTF-8, with or without a mark; UTF-16 with its mark; else Windows-1252, which is said.

    >>> decode("Khârn".encode("cp1252"), "list.txt")
    ('Khârn', ('list.txt: not UTF-8, read as Windows-1252 (check accents in names)',))
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), ()
        except UnicodeDecodeError:
            raise BadInputError(f"{where}: not text in any usual encoding (save it as UTF-8)") from None
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return _windows(data, where), (f"{where}: not UTF-8, read as Windows-1252 (check accents in names)",)


def _windows(data: bytes, where: str) -> str:
    if b"\0" in data:
        raise BadInputError(f"{where}: not text but bytes (give an exported list)")
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        raise BadInputError(f"{where}: not text in any usual encoding (save it as UTF-8)") from None


def unzip(data: bytes, where: str) -> bytes:
    """The single roster of a zip archive; bombs, passwords and damage are refused."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            listed = archive.infolist()
            if len(listed) > 100:
                raise BadInputError(f"{where}: {len(listed)} files in the archive (a .rosz holds one .ros)")
            rosters = [info for info in listed if not info.is_dir() and not _litter(info.filename)]
            if len(rosters) != 1:
                raise BadInputError(f"{where}: {len(rosters)} files in the archive (a .rosz holds one .ros)")
            info = rosters[0]
            if info.flag_bits & 1:
                raise BadInputError(f"{where}: is locked with a password (export it without one)")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BadInputError(f"{where}: is packed in an unusual way (a .rosz is stored or deflated)")
            most = min(MOST_BYTES, max(1_000_000, MOST_RATIO * len(data)))
            with archive.open(info) as file:
                content = file.read(most + 1)
    except BadInputError:  # said already
        raise
    # all that zipfile raises for garbled bytes
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError):
        raise BadInputError(f"{where}: the archive is damaged or cut off (export it again)") from None
    if len(content) > most:
        raise BadInputError(f"{where}: unpacks to more than {most // 10**6} MB (a roster is far smaller)")
    if content.startswith(ZIP):
        raise BadInputError(f"{where}: holds another archive (a .rosz holds one .ros)")
    return content


def _litter(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1] == ".DS_Store"


def unpack_shared(data: bytes, where: str) -> str | None:
    """The JSON inside a ListForge share link (`H4sIA...`: base64 of gzip); None when it is no such link."""
    if len(data) > MOST_BYTES or (b"H4sIA" not in data[:4096]):
        return None
    match = _SHARED.fullmatch(data.decode("ascii", "replace").strip())
    if match is None:
        return None
    try:
        packed = b64decode(match[1].replace("-", "+").replace("_", "/") + "=" * (-len(match[1]) % 4))
        unpacker = zlib.decompressobj(wbits=31)
        most = min(MOST_BYTES, max(1_000_000, MOST_RATIO * len(packed)))
        text = unpacker.decompress(packed, most + 1)
    except (Base64Error, ValueError, zlib.error):
        raise BadInputError(f"{where}: the share link is damaged or cut off (copy it again)") from None
    if len(text) > most:
        raise BadInputError(
            f"{where}: the share link unpacks to more than {most // 10**6} MB (a roster is far smaller)"
        )
    return decode(text, where)[0]
