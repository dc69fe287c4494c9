"""A module of the package as a tree that knows who is inside whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef


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
        names = [
            up.name
            for up in (node, *named)
            if isinstance(up, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ]
        if not names:
            statement = next(
                (up for up in (node, *named) if isinstance(up, (ast.Assign, ast.AnnAssign))), None
            )
            target = getattr(statement, "target", None) or getattr(statement, "targets", [None])[0]
            names = [target.id] if isinstance(target, ast.Name) else []
        return ".".join(reversed(names))


def read(path: Path, package: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return Source(path.relative_to(package).as_posix(), text, tree, above)


def is_text(node: ast.AST | None) -> bool:
    """Whether an expression is a text, whatever is filled in."""
    if isinstance(node, ast.IfExp):
        return is_text(node.body) and is_text(node.orelse)
    if isinstance(node, ast.BinOp):
        return is_text(node.left) or is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
