"""Where a rule can be knocked out: the functions, statements and entries of the package that cite its id, each with its code without it."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knockout_edits import knock_out
from knockout_source import Function, Source, is_text, read
from places import PACKAGE
from rule_citations import ids_in
from rule_markers import known_rules

# what is only said to a reader: arguments, names and entries
SENTENCES = {"doc", "help", "explain", "note", "notes", "lines", "rules", "text"}


@dataclass(frozen=True, slots=True)
class Site:
    """One place that states a rule, and the module's code without it."""

    path: str  # below the package
    line: int
    owner: str  # the function, method or name that it stands in
    what: str  # what is knocked out
    ids: tuple[str, ...]
    tree: ast.Module

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.owner} ({self.what})"


def sites_in(path: Path) -> list[Site]:
    """All places of a module that can be knocked out."""
    if not ids_in(path.read_text(encoding="utf-8")) & known_rules():
        return []
    source = read(path, PACKAGE)
    targets: dict[tuple[int, int, str], tuple[ast.AST, set[str]]] = {}
    for node, ids in [*_docstrings(source), *_comments(source), *_strings(source)]:
        known = ids & known_rules()
        if known:
            key = (source.line_of(node), getattr(node, "col_offset", 0), type(node).__name__)
            targets.setdefault(key, (node, set()))[1].update(known)
    made = [_site(source, node, ids) for _, (node, ids) in sorted(targets.items(), key=lambda item: item[0])]
    return [site for site in made if site is not None]


def _site(source: Source, node: ast.AST, ids: set[str]) -> Site | None:
    what = knock_out(source, node)
    if what is None:
        return None
    tree = ast.parse(source.text)  # the node's place in a fresh tree
    twin = _twin(source.tree, tree, node)
    knock_out(
        Source(
            source.path, source.text, tree, {c: n for n in ast.walk(tree) for c in ast.iter_child_nodes(n)}
        ),
        twin,
        change=True,
    )
    ast.fix_missing_locations(tree)
    return Site(source.path, source.line_of(node), source.owner(node), what, tuple(sorted(ids)), tree)


def _twin(old: ast.AST, new: ast.AST, node: ast.AST) -> ast.AST:
    return next(b for a, b in zip(ast.walk(old), ast.walk(new), strict=True) if a is node)


# --- citations ------------------------------------------------------------------------------------------------------------


def _docstrings(source: Source) -> Iterator[tuple[ast.AST, set[str]]]:
    for node in ast.walk(source.tree):
        if isinstance(node, Function):
            yield node, ids_in((ast.get_docstring(node) or "").split(">>>")[0])


def _strings(source: Source) -> Iterator[tuple[ast.AST, set[str]]]:
    """Texts of modifiers, reasons and entries; not docstrings, and not what is only said to a reader."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ids_in(node.value):
            target = _unit_around(source, node)
            if target is not None:
                yield target, ids_in(node.value)


def _unit_around(source: Source, node: ast.AST) -> ast.AST | None:
    """The smallest entry, argument, alternative or statement that goes with a text."""
    if _is_account(source, node):
        return None
    for child, up in source.parents(node):
        if isinstance(up, ast.Expr) and isinstance(up.value, ast.Constant):
            return None  # a docstring
        if isinstance(up, ast.keyword) and up.arg == "rule":
            return None  # abilities are knocked out as a whole
        if isinstance(up, ast.keyword) and str(up.arg).endswith("_source"):
            return _named(source.above[up], str(up.arg).removesuffix("_source"))
        if (
            isinstance(up, ast.IfExp)
            and child is not up.test
            and not isinstance(child, (ast.Constant, ast.JoinedStr))
        ):
            return child
        if isinstance(up, ast.keyword) and not isinstance(child, (ast.Constant, ast.JoinedStr)):
            return up
        if isinstance(up, (ast.List, ast.Tuple, ast.Set)) and _removable(source, child, up):
            return child
        if isinstance(up, ast.Dict):
            return child
        if isinstance(up, ast.stmt):
            return None if _said(up) else up
    return None


def _named(call: ast.AST, name: str) -> ast.keyword | None:
    """The argument of that name, whose source another one says."""
    return next((one for one in getattr(call, "keywords", []) if one.arg == name), None)


def _removable(source: Source, child: ast.AST, up: ast.AST) -> bool:
    """Whether a list without the element means something: not a pair such as (rule, what), nor lines of an account."""
    if is_text(child):
        return False
    return not any(_said(above) for _, above in source.parents(up) if isinstance(above, ast.stmt))


def _is_account(source: Source, node: ast.AST) -> bool:
    """Whether a text is part of what is only said to a reader: by the name of its function, argument, entry or table."""
    for child, up in source.parents(node):
        if isinstance(up, Function) and any(word in up.name for word in ("explain", "text")):
            return True
        if isinstance(up, ast.keyword) and up.arg in SENTENCES:
            return True
        if isinstance(up, ast.Dict) and child in up.values:
            key = up.keys[up.values.index(child)]  # type: ignore[arg-type]
            if isinstance(key, ast.Constant) and key.value in SENTENCES:
                return True
        if isinstance(up, ast.Assign) and ast.unparse(up.targets[0]).endswith("_TEXT"):
            return True
    return False


def _said(statement: ast.stmt) -> bool:
    """Whether a statement only adds to what a reader is told."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        return isinstance(called, ast.Attribute) and ast.unparse(called.value) in SENTENCES
    if isinstance(statement, (ast.Assign, ast.AnnAssign)) and is_text(statement.value):
        return True
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return any(isinstance(target, ast.Name) and target.id in SENTENCES for target in targets)


def _comments(source: Source) -> Iterator[tuple[ast.AST, set[str]]]:
    lines = source.text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.COMMENT and ids_in(token.string):
            number = token.start[0]
            while number < len(lines) and (
                not lines[number - 1].strip() or lines[number - 1].strip().startswith("#")
            ):
                number += 1  # a comment of its own speaks of the next line of code
            target = _unit_at(source, number)
            if target is not None:
                yield target, ids_in(token.string)


def _unit_at(source: Source, number: int) -> ast.AST | None:
    """The largest entry, argument or statement that begins on a line; else the smallest around it."""
    units = [node for node in ast.walk(source.tree) if _is_unit(source, node)]
    begins = [node for node in units if source.line_of(node) == number]
    if begins:
        return max(
            begins, key=lambda node: (node.end_lineno, node.end_col_offset, isinstance(node, ast.stmt))
        )  # type: ignore[attr-defined]
    around = [
        node for node in units if source.line_of(node) <= number <= (getattr(node, "end_lineno", 0) or 0)
    ]
    return min(around, key=lambda node: node.end_lineno - node.lineno, default=None)  # type: ignore[attr-defined]


def _is_unit(source: Source, node: ast.AST) -> bool:
    up = source.above.get(node)
    if isinstance(node, ast.stmt):
        if isinstance(up, ast.ClassDef) and isinstance(node, ast.AnnAssign):
            return False  # a field
        return not isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef)) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        )
    if isinstance(node, ast.keyword):
        return True
    if isinstance(up, ast.Dict):
        return node in up.keys
    return isinstance(up, (ast.List, ast.Tuple, ast.Set, ast.BoolOp)) and isinstance(node, ast.expr)
