"""The code without a rule: what an entry, an argument, a statement or a function becomes when it is taken away."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from knockout_source import Function, Source, is_text


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
        numbers = [without(one) for one in value.elts if isinstance(one, ast.Constant) and not is_text(one)]
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
