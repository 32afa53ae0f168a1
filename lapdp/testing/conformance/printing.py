"""Cases of laws as Python that runs when it is pasted."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import fields, make_dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

MANY = 4
"""So many equal things are written as one and their number."""


class Case:
    """What a law is tried on: a frozen dataclass whose text is Python, a name for every field.

    >>> from dataclasses import dataclass
    >>> from lapdp import laplace
    >>> @dataclass(frozen=True)
    ... class At(Case):
    ...     pair: object
    ...     alpha: Fraction
    >>> print(At(laplace("1/3"), Fraction(1, 2)))
    from fractions import Fraction
    from lapdp import laplace
    from sympy import Rational
    pair = laplace(Rational(1, 3), 1)
    alpha = Fraction(1, 2)
    """

    def shown(self) -> dict[str, Any]:
        """What the case is made of, by name: its fields."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        return pasted(self.shown())

    def smaller(self) -> Iterator[Case]:
        """Cases with less in them, the smallest first, that may fail as well; none by default."""
        return iter(())

    def latex(self) -> str:
        """The numbers of the case, for a line of LaTeX; pairs and other things are left out."""
        return r",\ ".join(f"{_letter(name)} = {sp.latex(sp.sympify(value))}"
                            for name, value in self.shown().items()
                            if isinstance(value, (int, float, Fraction, sp.Expr)))


def given(**values: Any) -> Case:
    """A case with these fields, for laws that share no type of case.

    >>> given(alpha=Fraction(1, 2)).alpha
    Fraction(1, 2)
    """
    made: Case = _type_of(tuple(values))(**values)
    return made


@lru_cache
def _type_of(names: tuple[str, ...]) -> Any:
    return make_dataclass("Given", names, bases=(Case,), frozen=True)


def _letter(name: str) -> str:
    """A field as a letter of the field, with an index where it ends in a digit."""
    word, index = (name[:-1], f"_{name[-1]}") if name[-1].isdigit() else (name, "")
    if word not in _LETTERS:
        return r"\text{" + name.replace("_", " ") + "}"
    return _LETTERS[word].replace("?", index)


_LETTERS = {"alpha": r"e^{\varepsilon?}", "eps": r"\varepsilon?", "delta": r"\delta?",
            **{letter: f"{letter}?" for letter in "akqt"}}
"""Alpha stands for e^eps everywhere here."""


def pasted(values: Mapping[str, Any]) -> str:
    """Assignments, after the imports that they need.

    Fractions of whole numbers inside a mechanism become ``Rational``: 1/3 would be a double.
    """
    lines = [f"{name} = {_python(value)}" for name, value in values.items()]
    return "\n".join([*_imports("\n".join(lines), set(values)), *lines])


def _python(value: Any) -> str:
    text = repr(value)
    if isinstance(value, Fraction):
        return text.replace(", 1)", ")")
    if isinstance(value, (int, str, float)):
        return text
    if isinstance(value, (tuple, list)) and len(value) >= MANY and len(set(map(repr, value))) == 1:
        return f"{_python(type(value)(value[:1]))} * {len(value)}"
    if isinstance(value, (tuple, list)):
        inside = ", ".join(map(_python, value))
        return f"[{inside}]" if isinstance(value, list) else (
            f"({inside}{',' * (len(value) == 1)})")
    try:
        return _with_rationals(text)
    except SyntaxError:
        # an object that Python cannot write, such as a record of a user's own class
        return repr(text)


def _with_rationals(text: str) -> str:
    """Quotients of integers replaced, where they stand, from the right."""
    found = []
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and all(
                isinstance(side, ast.Constant) and isinstance(side.value, int)
                for side in (node.left, node.right)):
            found.append((node.col_offset, node.end_col_offset, ast.unparse(node)))
    for start, end, quotient in sorted(found, reverse=True):
        text = f"{text[:start]}Rational({quotient.replace(' / ', ', ')}){text[end:]}"
    return text


_AUDITED = ("Query", "Release")
"""What accountants are asked."""


def _imports(code: str, given: set[str]) -> list[str]:
    """The imports of the names that the code uses; a letter that nothing exports is a symbol."""
    import lapdp

    names = {node.id for node in ast.walk(ast.parse(code))
             if isinstance(node, ast.Name)} - given - set(dir(builtins))
    homes: dict[str, list[str]] = {}
    symbols = []
    for name in sorted(names):
        if name == "Fraction":
            homes.setdefault("fractions", []).append(name)
        elif name in _AUDITED:
            homes.setdefault("lapdp.accounting.audit", []).append(name)
        elif name in lapdp.__all__:
            homes.setdefault("lapdp", []).append(name)
        elif hasattr(sp, name):
            homes.setdefault("sympy", []).append(name)
        else:
            symbols.append(name)
    if symbols:
        homes.setdefault("sympy", []).append("Symbol")
    lines = [f"from {home} import {', '.join(sorted(homes[home]))}" for home in sorted(homes)]
    return [*lines, *(f'{name} = Symbol("{name}", real=True)' for name in symbols)]


__all__ = ["Case", "given", "pasted"]
