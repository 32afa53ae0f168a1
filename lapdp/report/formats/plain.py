"""Closed forms to read and to paste: text, LaTeX, SymPy."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.precedence import precedence
from sympy.printing.str import StrPrinter

from lapdp.core.errors import Unsupported
from lapdp.privacy.notions.loss import LossDistribution
from lapdp.privacy.notions.notion import Notion
from lapdp.report.formats.readable import equation, readable, readable_latex


def text(notion: Notion, at: Any = None) -> str:
    """An equation; the loss distribution in words, with its atoms and densities.

    >>> from lapdp import geometric
    >>> print(text(geometric(sp.log(2)).loss))
    Pr[Z = oo] = 0
    Pr[Z = -log(2)] = 1/3
    Pr[Z = log(2)] = 2/3
    """
    if at is not None:
        return _number(notion, at)
    if isinstance(notion, LossDistribution):
        try:
            return _in_words(notion)
        except Unsupported:
            # infinitely many atoms
            return _equation(notion, notion.to_sympy())
    return _equation(notion, notion.value())


def _number(notion: Notion, at: Any) -> str:
    try:
        return readable(notion.value(at))
    except Unsupported:
        enclosed = getattr(notion, "at", None)
        if enclosed is None:
            raise
        # without closed form: a number with a proved error bound
        return str(enclosed(at))


def _equation(notion: Notion, value: Any) -> str:
    return equation(f"{notion.sign.lstrip(chr(92))}({notion.letter})", value)


def _in_words(loss: LossDistribution) -> str:
    lines = [f"Pr[Z = oo] = {readable(loss.mass_at_infinity)}"]
    lines += [f"Pr[Z = {readable(atom.loss)}] = {readable(atom.mass)}" for atom in loss.atoms]
    lines += [f"density on ({readable(piece.lower)}, {readable(piece.upper)}): "
              f"{readable(piece.expression)}"
              for piece in loss.pieces]
    return "\n".join(lines)


def latex(notion: Notion, at: Any = None) -> str:
    """The closed form in LaTeX, cases for a piecewise one."""
    return readable_latex(notion.to_sympy() if at is None else notion.value(at))


class Paste(StrPrinter):
    """Products in an order in which SymPy, reading from the left, builds the same product again.

    A number times a sum would be multiplied out; so numbers come after sums, and each factor below
    the line is divided by on its own.
    """

    def _print_Function(self, e: Any) -> str:
        # what is not SymPy's own is written out
        own = type(e).__module__.startswith("sympy")
        return str(super()._print_Function(e) if own else self._print(e.doit()))

    def _print_Mul(self, e: Any) -> str:
        number, rest = e.as_coeff_Mul()
        above: list[str] = []
        below: list[str] = []
        level = precedence(e)
        factors = sorted(sp.Mul.make_args(rest), key=lambda f: (bool(f.is_Add), f.sort_key()))
        for f in factors:
            if f.is_Pow and f.exp.is_Rational and f.exp < 0 and not isinstance(f, sp.exp):
                below.append(self.parenthesize(1 / f, level, strict=False))
            else:
                above.append(self.parenthesize(f, level))
        scale = self._print(sp.Integer(abs(number.p)))
        parts = [scale] if (not above and number.q == 1) or abs(number.p) != 1 else []
        late = bool(above) and factors[0].is_Add
        if late:
            parts = [self._print(sp.Integer(number.p))] if number.p != 1 else []
        if number.q != 1:
            below.insert(0, self._print(sp.Integer(number.q)))
        text = "*".join([*above, *parts] if late else [*parts, *above]) or self._print(sp.S.One)
        sign = "-" if number < 0 and not late else ""
        return sign + "/".join([text, *below])


def sympy(notion: Notion, at: Any = None) -> str:
    """Paste-ready after ``from sympy import *``: numbers stay exact, products keep their factors.

    >>> from lapdp import laplace
    >>> form = laplace(1).moment.to_sympy()
    >>> sp.sympify(sympy(laplace(1).moment), {"q": sp.Symbol("q", real=True)}) == form
    True
    """
    printer = Paste({"sympy_integers": True})
    return str(printer.doprint(notion.to_sympy() if at is None else notion.value(at)))


__all__ = ["Paste", "latex", "sympy", "text"]
