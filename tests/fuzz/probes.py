"""Edges of the program, each seen once: a probe stands at the start of every branch.

A module that is imported after `install` is compiled from its syntax tree with probes in it. A
probe is one look into a list of the module. An edge that was not met has an object there, which
notes itself and leaves False in its place, so an edge that was met costs a few nanoseconds.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

EDGES = "__edges__"
"""The name of the list in a module. Python leaves names with two underscores at the end alone."""


class Probe:
    """An edge that was not met; its truth is that it now is."""

    __slots__ = ("_at", "_edges", "number")

    def __init__(self, edges: list[Probe | bool], at: int, number: int) -> None:
        """Stand at a place in the list of a module."""
        self._edges, self._at, self.number = edges, at, number
        edges[at] = self

    def __bool__(self) -> bool:
        """Note the edge, and do not ask again."""
        self._edges[self._at] = False
        MET.append(self.number)
        return False

    def arm(self, *, armed: bool) -> None:
        """Count the edge as not met, or as met."""
        self._edges[self._at] = self if armed else False


PROBES: list[Probe] = []
"""All probes, by number."""
MET: list[int] = []
"""The edges that were met since this was last cleared."""


def met(work: Callable[[], None], edges: Iterable[int]) -> frozenset[int]:
    """Do something, and return which of some edges, all met before, it meets again."""
    armed = [PROBES[number] for number in edges]
    for probe in armed:
        probe.arm(armed=True)
    MET.clear()
    work()
    for probe in armed:
        probe.arm(armed=False)
    return frozenset(MET)


def install(package: str, without: Collection[str] = ()) -> None:
    """Put probes into every module of a package that is imported from now on, but for some."""
    sys.meta_path.insert(0, _Finder(package, without))


class _Finder(MetaPathFinder):
    def __init__(self, package: str, without: Collection[str]) -> None:
        self._package, self._without = package, without

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != self._package or fullname in self._without:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    _code: CodeType | None = None

    def exec_module(self, module: ModuleType) -> None:
        tree = ast.parse(self.get_data(self.path), self.path)
        planter = _Planter()
        tree = ast.fix_missing_locations(planter.visit(tree))
        self._code = compile(tree, self.path, "exec", dont_inherit=True)
        edges: list[Probe | bool] = [False] * planter.count
        start = len(PROBES)
        PROBES.extend(Probe(edges, at, start + at) for at in range(planter.count))
        setattr(module, EDGES, edges)
        super().exec_module(module)

    def get_code(self, fullname: str) -> CodeType | None:
        return self._code or super().get_code(fullname)


class _Planter(ast.NodeTransformer):
    """Puts probes into a syntax tree."""

    def __init__(self) -> None:
        self.count = 0

    def _probe(self) -> ast.expr:
        probe = ast.Subscript(ast.Name(EDGES, ast.Load()), ast.Constant(self.count), ast.Load())
        self.count += 1
        return probe

    def _before(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A branch of statements, with a probe at its start."""
        planted = ast.If(self._probe(), [ast.Pass()], [])
        return [ast.copy_location(planted, body[0]) if body else planted, *body]

    def _or(self, value: ast.expr) -> ast.expr:
        """A value, and a probe that is asked before it."""
        return ast.copy_location(ast.BoolOp(ast.Or(), [self._probe(), value]), value)

    def visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        after = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body = [*node.body[:after], *self._before(node.body[after:])]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_function

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = self._or(node.body)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.body, node.orelse = self._before(node.body), self._before(node.orelse)
        return node

    def visit_loop(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body = self._before(node.body)
        return node

    visit_For = visit_AsyncFor = visit_While = visit_loop

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        node.body = self._before(node.body)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        self.generic_visit(node)
        node.body = self._before(node.body)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.body, node.orelse = self._or(node.body), self._or(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        node.values = [node.values[0], *map(self._or, node.values[1:])]
        return node

    def visit_comprehension_of_one(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp
    ) -> ast.AST:
        self.generic_visit(node)
        node.elt = self._or(node.elt)
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_comprehension_of_one

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        node.value = self._or(node.value)
        return node
