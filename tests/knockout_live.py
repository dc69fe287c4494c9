"""A module's code without a rule, put in place of what is loaded: new code for its functions, new values for its tables."""

from __future__ import annotations

import ast
import functools
import gc
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

from knockout_sites import Site
from places import PACKAGE


class Loaded:
    """The functions and caches of the package that are alive, looked up once before any process is forked."""

    def __init__(self) -> None:
        self.functions: dict[str, list[FunctionType]] = {}
        self.caches: list[Any] = []
        self.tables: list[Any] = []
        for path in sorted(PACKAGE.rglob("*.py")):
            if "_datasheets" not in path.parts and path.name != "__main__.py":
                import_module(_name(path.relative_to(PACKAGE).as_posix()))
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(str(PACKAGE)):
                self.functions.setdefault(thing.__code__.co_filename, []).append(thing)
            elif isinstance(thing, functools._lru_cache_wrapper) and thing.__module__.startswith(
                "mathhammer"
            ):
                self.caches.append(thing)
            elif (
                is_dataclass(thing)
                and not isinstance(thing, type)
                and type(thing).__module__.startswith("mathhammer")
            ):
                self.tables.append(thing)

    def swap(self, site: Site) -> None:
        """Puts a site's code in place; an error where nothing changes by it."""
        module = sys.modules[_name(site.path)]
        pairs = zip(site.tree.body, _tree(site).body, strict=True)
        changed = [new for new, old in pairs if ast.dump(new) != ast.dump(old)]
        if len(changed) != 1:
            raise ValueError(f"{site}: {len(changed)} statements change")
        if isinstance(changed[0], (ast.FunctionDef, ast.ClassDef)):
            self._swap_functions(site, str(module.__file__))
        else:
            self._swap_values(changed[0], module)
        self.forget()

    def forget(self) -> None:
        """Empties all caches."""
        for cached in self.caches:
            cached.cache_clear()

    def _swap_functions(self, site: Site, file: str) -> None:
        """New code for every living function of the file whose code changes."""
        old, new = (
            {_key(code): code for code in _codes(compile(tree, file, "exec"))}
            for tree in (_tree(site), site.tree)
        )
        keys = {key for key in old if key in new and old[key] != new[key]}
        living = [one for one in self.functions[file] if _key(one.__code__) in keys]
        for function in living:
            function.__code__ = new[_key(function.__code__)]
        if not living:
            raise ValueError(f"{site}: no function changes")

    def _swap_values(self, statement: ast.stmt, module: ModuleType) -> None:
        """The statement run anew; its values fill the objects that everybody holds, or take their place."""
        before = dict(vars(module))
        exec(compile(ast.Module([statement], []), str(module.__file__), "exec"), vars(module))
        renewed = [
            name for name, value in vars(module).items() if name in before and value is not before[name]
        ]
        if not renewed:
            raise ValueError(f"{module.__name__}: no value changes")
        for name in renewed:
            old, new = before[name], vars(module)[name]
            if fill(old, new):
                vars(module)[name] = old
            else:
                self._replace(name, old, new)

    def _replace(self, name: str, old: Any, new: Any) -> None:
        """The new object wherever modules have the old one by that name, or a table has it in a field."""
        for module in list(sys.modules.values()):
            if getattr(module, "__dict__", {}).get(name) is old:
                setattr(module, name, new)
        if isinstance(old, (int, float, str)):
            return
        for thing in self.tables:
            for one in fields(thing):
                if getattr(thing, one.name, None) is old:
                    object.__setattr__(thing, one.name, new)


def _name(path: str) -> str:
    return ("mathhammer." + path.removesuffix(".py").replace("/", ".")).removesuffix(".__init__")


def _tree(site: Site) -> ast.Module:
    return ast.parse((PACKAGE / site.path).read_text(encoding="utf-8"))


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def fill(old: Any, new: Any) -> bool:
    """Whether the old object could take over all that the new one holds."""
    if type(old) is not type(new):
        return False
    if isinstance(old, dict):
        old.clear()
        old.update(new)
    elif isinstance(old, list):
        old[:] = new
    elif is_dataclass(old):
        for one in fields(old):
            object.__setattr__(old, one.name, getattr(new, one.name))
    else:
        return False
    return True
