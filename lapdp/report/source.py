"""The source of lapdp as a reader finds it: modules, lines of code, what each is for."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[1]


def modules() -> dict[str, Path]:
    """All modules of lapdp by their dotted names.

    >>> "lapdp.core.verdict" in modules()
    True
    """
    root = PACKAGE.parent
    return {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
            for path in sorted(PACKAGE.rglob("*.py"))}


class Import(NamedTuple):
    """An import statement; does it wait until a function runs, and does only a type checker read
    it?"""

    node: ast.Import | ast.ImportFrom
    late: bool
    typed: bool


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """All imports of a module."""
    return tuple(_imports(ast.parse(path.read_text(encoding="utf-8")), False, False))


def _imports(node: ast.AST, late: bool, typed: bool) -> Iterator[Import]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield Import(node, late, typed)
    typed = typed or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    late = late or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, ast.expr):  # which holds no statement
            yield from _imports(inner, late, typed)


def code_lines(source: str) -> int:
    """Lines of code: no blank lines, no comments, no docstrings.

    >>> code_lines('x = 1  # one\\n\\n# two\\ndef f():\\n    "says"\\n    return x\\n')
    3
    """
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
              tokenize.ENCODING, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in silent:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - _string_lines(ast.parse(source)))


def _string_lines(tree: ast.Module) -> set[int]:
    """Lines of docstrings, those of attributes too."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def purpose(source: str) -> str:
    """The first sentence of a module's docstring, on one line."""
    first = (ast.get_docstring(ast.parse(source)) or "").split("\n\n")[0]
    plain = re.sub(r":\w+:`([^`]*)`", r"``\1``", " ".join(first.split()))
    return plain.replace("``", "`").replace("|", "\\|")


def markdown(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """A table in Markdown, a line a row."""
    cells = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(str(c) for c in row) + " |" for row in cells]
