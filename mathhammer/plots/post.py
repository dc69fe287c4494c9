"""Blog posts: one TOML file lists charts and tables; all of them are made in one go.

Everything is worked out before the first file is written, and all files are replaced in one go: an
interrupted run leaves the old ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from mathhammer.compare.matchups import named_units, targets_of
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, MathhammerError, UnknownNameError
from mathhammer.files import parse_toml, replace_files
from mathhammer.lists.loading import load_list
from mathhammer.plots.asking import Chart
from mathhammer.plots.chart import draw_chart
from mathhammer.plots.post_fields import HOW, PLAIN, check_fields, check_places
from mathhammer.plots.post_tables import KINDS, post_table
from mathhammer.plots.saving import alt_text, picture_form, render_figure
from mathhammer.plots.style import THEMES
from mathhammer.units.unit import Unit


@dataclass(frozen=True, slots=True)
class Post:
    """What a post's file says: where it stands, its settings, its charts and its tables."""

    path: Path
    settings: Mapping[str, Any]
    charts: tuple[Mapping[str, Any], ...]
    tables: tuple[Mapping[str, Any], ...]

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes in which each chart is made; all but the first get the theme's name into the file's."""
        return tuple(self.settings.get("themes", ("light",)))

    def files(self) -> list[str]:
        """Every file that the post makes, in order."""
        entries = []
        for asked in self.charts:
            for theme in self.themes:
                name = self.picture(asked["file"], theme)
                entries += [name, *([f"{name}.txt"] if self.settings.get("alt") else [])]
        return [*entries, *(str(asked["file"]) for asked in self.tables)]

    def picture(self, name: str, theme: str) -> str:
        """The name of a chart's file in a theme."""
        stem, dot, form = name.rpartition(".")
        return name if theme == self.themes[0] else f"{stem}-{theme}{dot}{form}"


def read_post(path: str | Path) -> Post:
    """A post's file, checked: fields that nobody knows, files named twice or outside its
    folder are errors.
    """
    where = Path(path)
    try:
        text = where.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror} (give the TOML file of a post)") from None
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path}: {error} (see notebooks/post.toml for an example)") from None
    document = parse_toml(text, str(path))
    check_fields(str(path), "post", document)
    for theme in _words(f"{path}, themes", document.get("themes", ["light"])):
        if theme not in THEMES:
            raise UnknownNameError(f"{path}", "theme", theme, THEMES)
    parts = {}
    for kind in ("chart", "table"):
        listed = document.get(kind, [])
        if not isinstance(listed, list) or not all(isinstance(asked, dict) for asked in listed):
            raise BadInputError(f"{path}: {kind} (write [[{kind}]] above each of them)")
        for number, asked in enumerate(listed, 1):
            check_fields(f"{path}, {kind} {number}", kind, asked)
            _check_file(f"{path}, {kind} {number}", kind, asked)
        parts[kind] = tuple(listed)
    post = Post(
        where,
        {key: value for key, value in document.items() if key not in parts},
        parts["chart"],
        parts["table"],
    )
    files = post.files()
    if not files:
        raise BadInputError(f"{path}: neither a [[chart]] nor a [[table]]")
    check_places(
        where, files, [name for asked in post.charts for name in _words("lists", asked.get("lists", []))]
    )
    return post


def make_post(post: Post, progress: Callable[[int, int], None] = lambda _done, _wanted: None) -> list[Path]:
    """Works out every chart and table of the post, then writes them all; gives the files."""
    files: dict[Path, bytes] = {}
    folder, wanted = post.path.parent, len(post.charts) + len(post.tables)
    for number, asked in enumerate((*post.charts, *post.tables), 1):
        kind = "chart" if number <= len(post.charts) else "table"
        place = number if kind == "chart" else number - len(post.charts)
        try:
            if kind == "table":
                files[folder / asked["file"]] = (_table(post, asked) + "\n").encode()
            else:
                files |= _pictures(post, asked)
        except MathhammerError as error:
            raise BadInputError(f"{post.path}, {kind} {place}: {error}") from error
        progress(number, wanted)
    for path in files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInputError(
                f"{path.parent}: cannot be written ({error.strerror}; nothing was changed)"
            ) from None
    replace_files(files)
    return list(files)


def _pictures(post: Post, asked: Mapping[str, Any]) -> dict[Path, bytes]:
    """A chart in every theme of the post, with its words where the post wants them."""
    pictures: dict[Path, bytes] = {}
    everywhere = {name: post.settings[name] for name in ("credit", "preset") if name in post.settings}
    plain = everywhere | {name: asked[name] for name in PLAIN if name in asked}
    who: dict[str, Any]
    if asked["kind"] == "armies":
        lists = [
            load_list(post.path.parent / file, datasheets=_own(post))
            for file in _words("lists", asked.get("lists", []))
        ]
        if len(lists) != 2:
            raise BadInputError(f"{len(lists)} lists for armies (give two list files)")
        one, other = lists
        who = {"attackers": one.units, "targets": other.units, "names": (one.name, other.name)}
    else:
        attackers, targets, fight_options = _fight(post, asked)
        who = {"attackers": tuple(attackers), "targets": tuple(targets), "fight_options": fight_options}
    for theme in post.themes:
        path = post.path.parent / post.picture(asked["file"], theme)
        ax = draw_chart(Chart(theme=theme, **plain, **who))
        pictures[path] = render_figure(ax, picture_form(path))
        if post.settings.get("alt"):
            pictures[path.with_name(f"{path.name}.txt")] = (alt_text(ax) + "\n").encode()
    return pictures


def _fight(post: Post, asked: Mapping[str, Any]) -> tuple[list[Unit], list[Unit], dict[str, Any]]:
    system = asked.get("system", post.settings.get("system"))
    attackers = named_units(_words("attackers", asked.get("attackers", [])), system, _own(post), "post")
    if not attackers:
        raise BadInputError("nobody attacks (give attackers)")
    if "models" in asked:
        attackers = [unit.with_models(asked["models"]) for unit in attackers]
    targets = named_units(
        _words("targets", asked.get("targets", [])), system or attackers[0].system, _own(post), "post"
    )
    return attackers, targets, {name: asked[name] for name in HOW if name in asked}


def _own(post: Post) -> Path | None:
    return post.path.parent / post.settings["datasheets"] if "datasheets" in post.settings else None


def _table(post: Post, asked: Mapping[str, Any]) -> str:
    """A table, and below it the conditions that it holds under."""
    attackers, targets, fight_options = _fight(post, asked)
    chosen = _words("columns", asked.get("columns", []))
    return post_table(asked, chosen, attackers, targets_of(attackers, targets, _own(post)), fight_options)


def _words(where: str, value: Any) -> list[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise BadInputError(f"{where}: {value!r} (give a list of names)")
    return list(words)


def _check_file(where: str, kind: str, asked: Mapping[str, Any]) -> None:
    """Each chart and table has a file inside the post's folder, and a kind."""
    for name in ("file", "kind"):
        if not isinstance(asked.get(name), str):
            raise BadInputError(f'{where}: no {name} (write {name} = "...")')
    if not asked["file"].isprintable():
        raise BadInputError(
            f"{where}: {asked['file']!r} holds characters that no file's name should (use letters and digits)"
        )
    for path in (PurePosixPath(asked["file"]), PureWindowsPath(asked["file"])):
        if path.drive or path.root or ".." in path.parts:
            raise BadInputError(
                f"{where}: {asked['file']!r} is outside the post's folder (name a file inside it)"
            )
    if kind == "chart":
        picture_form(asked["file"])
    elif asked["kind"] not in KINDS:
        raise UnknownNameError(where, "kind", asked["kind"], KINDS)
    if not isinstance(asked.get("rows", 1), int) or asked.get("rows", 1) < 1:
        raise BadInputError(f"{where}: rows {asked['rows']!r} (give a whole number from 1 on)")
