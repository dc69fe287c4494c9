"""Where a rule can be knocked out: the functions, statements and entries of the package that cite its id, each with its code without it."""

from __future__ import annotations

import ast
import copy
import io
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from places import PACKAGE
from rule_citations import ids_in
from rule_markers import known_rules

Function = ast.FunctionDef | ast.AsyncFunctionDef
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


@dataclass(frozen=True, slots=True)
class Source:
    """A module: its text, its tree, and who is inside whom."""

    path: str
    text: str
    tree: ast.Module
    above: dict[ast.AST, ast.AST]

    def line_of(self, node: ast.AST) -> int:
        return int(getattr(node, "lineno", 0))

    def parents(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """(child, parent) from a node upwards."""
        while node in self.above:
            yield node, self.above[node]
            node = self.above[node]

    def function_of(self, node: ast.AST) -> Function | None:
        return next((up for _, up in self.parents(node) if isinstance(up, Function)), None)

    def owner(self, node: ast.AST) -> str:
        """The dotted name of the functions and classes around a node, or of the table that it is in."""
        named = (*(up for _, up in self.parents(node)),)
        names = [up.name for up in (node, *named) if isinstance(up, (*_defining(), ast.ClassDef))]
        if not names:
            statement = next(
                (up for up in (node, *named) if isinstance(up, (ast.Assign, ast.AnnAssign))), None
            )
            target = getattr(statement, "target", None) or getattr(statement, "targets", [None])[0]
            names = [target.id] if isinstance(target, ast.Name) else []
        return ".".join(reversed(names))


def _defining() -> tuple[type[ast.FunctionDef], type[ast.AsyncFunctionDef]]:
    return ast.FunctionDef, ast.AsyncFunctionDef


def read(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return Source(path.relative_to(PACKAGE).as_posix(), text, tree, above)


def sites_in(path: Path) -> list[Site]:
    """All places of a module that can be knocked out."""
    if not ids_in(path.read_text(encoding="utf-8")) & known_rules():
        return []
    source = read(path)
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
    if _is_text(child):
        return False
    return not any(_said(above) for _, above in source.parents(up) if isinstance(above, ast.stmt))


def _is_text(node: ast.AST | None) -> bool:
    """Whether an expression is a text, whatever is filled in."""
    if isinstance(node, ast.IfExp):
        return _is_text(node.body) and _is_text(node.orelse)
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


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
    if isinstance(statement, (ast.Assign, ast.AnnAssign)) and _is_text(statement.value):
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


# --- without the rule -----------------------------------------------------------------------------------------------------


def knock_out(source: Source, node: ast.AST, change: bool = False) -> str | None:
    """What would be knocked out, and with `change` the tree without it; None where nothing can be."""
    up = source.above.get(node)
    if isinstance(node, Function):
        return _do(change, "function", lambda: _empty_function(node))
    if isinstance(node, ast.stmt):
        return _statement(source, node, change)
    if (
        isinstance(node, ast.keyword)
        and isinstance(up, ast.Call)
        and isinstance(node.value, (ast.Constant, ast.BinOp))
    ):
        return _do(change, f"argument {node.arg} -> 0", lambda: setattr(node, "value", ast.Constant(0)))
    if isinstance(node, ast.keyword) and isinstance(node.value, ast.Tuple) and _calls(node.value):
        empty = ast.Tuple([], ast.Load())
        return _do(change, f"argument {node.arg} -> ()", lambda: setattr(node, "value", empty))
    if isinstance(node, ast.keyword) and isinstance(up, ast.Call):
        return _do(change, f"argument {node.arg}", lambda: up.keywords.remove(node))
    if isinstance(up, ast.Dict):
        place = next(i for i, pair in enumerate(zip(up.keys, up.values, strict=True)) if node in pair)
        return _do(
            change,
            f"entry {ast.unparse(up.keys[place])[:40] if up.keys[place] else '**'}",
            lambda: (up.keys.pop(place), up.values.pop(place)),
        )
    if isinstance(up, (ast.List, ast.Tuple, ast.Set)):
        return _do(change, f"element {ast.unparse(node)[:40]}", lambda: up.elts.remove(node))  # type: ignore[arg-type]
    if isinstance(up, ast.BoolOp):
        return _do(change, f"condition {ast.unparse(node)[:40]}", lambda: _drop_condition(up, node))
    if isinstance(up, ast.IfExp):
        other = up.orelse if node is up.body else up.body
        return _do(change, "alternative", lambda: (setattr(up, "body", other), setattr(up, "orelse", other)))
    return None


def _calls(table: ast.Tuple) -> bool:
    return any(isinstance(one, ast.Call) for one in table.elts)


def _do(change: bool, what: str, action: Callable[[], object]) -> str:
    if change:
        action()
    return what


def _drop_condition(up: ast.BoolOp, node: ast.AST) -> None:
    up.values.remove(node)  # type: ignore[arg-type]
    if len(up.values) == 1:
        up.values.append(up.values[0])


def _statement(source: Source, node: ast.stmt, change: bool) -> str:
    if isinstance(node, (ast.If, ast.While)):
        return _do(
            change,
            "if" if isinstance(node, ast.If) else "while",
            lambda: setattr(node, "test", ast.Constant(False)),
        )
    if isinstance(node, ast.For):
        return _do(change, "for", lambda: setattr(node, "iter", ast.Tuple([], ast.Load())))
    value = getattr(node, "value", None)
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return)) and value is not None:
        plain = without(value)
        if plain is None and isinstance(node, ast.Return):
            function = source.function_of(node)
            plain = ast.Constant(None) if function is None else neutral(function)
        if plain is None and source.function_of(node) is None:
            plain = ast.Constant(None)
        if plain is not None:
            return _do(
                change,
                f"{ast.unparse(node)[:60]} -> {ast.unparse(plain)[:30]}",
                lambda: setattr(node, "value", plain),
            )
    return _do(change, f"{ast.unparse(node).splitlines()[0][:60]}", lambda: _wrap(source, node))


def _wrap(source: Source, node: ast.stmt) -> None:
    """`if False:` around a statement: names and generators stay what they are."""
    up = source.above[node]
    for name in ("body", "orelse", "finalbody"):
        block = getattr(up, name, None)
        if isinstance(block, list) and node in block:
            block[block.index(node)] = ast.If(ast.Constant(False), [node], [])


def _empty_function(node: Function) -> None:
    """The neutral value first of all; what follows stays, so that closures and generators are what they were."""
    value = None if _is_generator(node) else neutral(node)
    start = 1 if ast.get_docstring(node) is not None else 0
    node.body.insert(start, ast.Return(value))


def _is_generator(node: Function) -> bool:
    return any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(node))


NEUTRAL = {
    "bool": "False", "int": "0", "float": "0.0", "str": "''", "list": "[]", "Sequence": "()", "tuple": "()", "dict": "{}",
    "Mapping": "{}", "set": "set()", "frozenset": "frozenset()", "Iterator": "iter(())", "Iterable": "()",
}  # fmt: skip


def neutral(function: Function) -> ast.expr:
    """A value of the function's return type that says nothing: no number, no text, or what came in."""
    given = "None" if function.returns is None else ast.unparse(function.returns)
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    same = [a.arg for a in arguments if a.annotation is not None and ast.unparse(a.annotation) == given]
    if same and given not in ("Any", "object"):
        return ast.Name(same[0], ast.Load())
    if given.endswith("| None"):
        return ast.Constant(None)
    text = NEUTRAL.get(given.partition("[")[0], "None")
    return ast.parse(text, mode="eval").body


class _Zeros(ast.NodeTransformer):
    """Every number is zero, and every change of a characteristic none."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, str):
            return ast.Constant("+0") if node.value[:1] in "+-" and node.value[1:].isdigit() else node
        return ast.Constant(type(node.value)()) if isinstance(node.value, (int, float)) else node


def without(value: ast.expr) -> ast.expr | None:
    """A calculation without what its last part adds; None where nothing simpler is left."""
    if isinstance(value, ast.IfExp):
        return value.orelse
    if isinstance(value, ast.BinOp):
        return value.left
    if isinstance(value, (ast.Compare, ast.BoolOp)) or (
        isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
    ):
        return ast.Constant(False)
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("int", "bool", "any", "all"):
        return ast.Constant(False)
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("max", "min") and len(value.args) == 2:
        return next(a for a in reversed(value.args) if not isinstance(a, ast.Constant) or a is value.args[0])
    if isinstance(value, (ast.ListComp, ast.DictComp, ast.SetComp)):
        empty = copy.deepcopy(value)  # of nothing, but its names stay what they are
        empty.generators[0].ifs.insert(0, ast.Constant(False))
        return empty
    if isinstance(value, (ast.Dict, ast.List, ast.Set)):
        return ast.parse(
            {"Dict": "{}", "Set": "set()"}.get(type(value).__name__, "[]"),
            mode="eval",
        ).body
    if isinstance(value, ast.Tuple):
        numbers = [without(one) for one in value.elts if isinstance(one, ast.Constant) and not _is_text(one)]
        same = len(numbers) == len(value.elts)
        return ast.Tuple([one for one in numbers if one is not None] if same else [], ast.Load())
    if isinstance(value, ast.Call) and ast.unparse(value.func) in (
        "frozenset",
        "set",
        "tuple",
        "list",
        "dict",
    ):
        return ast.Call(value.func, [], [])
    if isinstance(value, ast.Call) and value.keywords and ast.unparse(value.func)[0].isupper():
        zeros = _Zeros()
        return zeros.visit(ast.parse(ast.unparse(value), mode="eval").body)  # type: ignore[no-any-return]
    if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)):
        return ast.Constant(type(value.value)())
    return None
