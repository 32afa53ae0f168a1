"""How much is trusted: lines of code of the kernel and of the elaborator, and what they import."""

from __future__ import annotations

import ast
import sys
import tokenize
from pathlib import Path

import pytest

import lapdp

HOME = Path(lapdp.__file__).parent
CEILINGS = {"kernel": 2000, "theory/sentences": 1000}
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
           tokenize.ENDMARKER}


def code_lines(path):
    """Lines of a file that hold code: no blank lines, comments or docstrings."""
    texts = {n for node in ast.walk(ast.parse(path.read_text()))
             if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
             for n in range(node.lineno, node.end_lineno + 1)}
    with path.open("rb") as file:
        code = {n for token in tokenize.tokenize(file.readline)
                if token.type not in NO_CODE and token.type != tokenize.ENCODING
                for n in range(token.start[0], token.end[0] + 1)}
    return len(code - texts)


@pytest.mark.parametrize("folder", CEILINGS)
def test_the_budget_of_lines(folder):
    assert sum(map(code_lines, (HOME / folder).glob("*.py"))) <= CEILINGS[folder]


def test_lines_are_counted(tmp_path):
    path = tmp_path / "x.py"
    path.write_text('"""Doc\nstring."""\n\n# comment\nx = (1,\n     2)\n\n\n'
                    'def f():\n    """Doc."""\n    return """one\ntwo"""\n')
    assert code_lines(path) == 5


@pytest.mark.parametrize("path", sorted((HOME / "kernel").glob("*.py")), ids=lambda p: p.name)
def test_the_kernel_imports_the_standard_library_and_flint_only(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module]
        else:
            continue
        for name in names:
            assert name.startswith("lapdp.kernel") or name == "flint" or (
                name.split(".")[0] in sys.stdlib_module_names)
