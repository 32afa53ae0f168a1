"""Closed forms as a person writes them: e^((t - 1)/2), what is added first, one line a case."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter

_LAST = chr(0x10FFFF)
"""Begins the name of a letter that comes after all others."""


class _Readable(StrPrinter):
    """SymPy's printer with one exponential in a product, and sums that begin with what is added."""

    def _print_exp(self, e: Any) -> str:
        power = sp.together(e.args[0])
        bare = power.is_Symbol or (power.is_Integer and power > 0)
        return f"e^{self._print(power)}" if bare else f"e^({self._print(power)})"

    def _print_Exp1(self, _: Any) -> str:
        return "e"

    def _print_Mul(self, e: Any) -> str:
        powers = [f for f in e.args if isinstance(f, sp.exp) or f is sp.E]
        if len(powers) < 2:
            return str(super()._print_Mul(e))
        rest = sp.Mul(*(f for f in e.args if f not in powers))
        joined = self._print(sp.exp(sp.Add(*(f.as_base_exp()[1] for f in powers)), evaluate=False))
        # as a letter that comes after all others, so that the rest of the product is as it was
        return str(self._print(rest * sp.Symbol(f"{_LAST}{joined}"))).replace(_LAST, "")

    def _print_Equality(self, e: Any) -> str:
        return f"{self._print(e.lhs)} = {self._print(e.rhs)}"

    def _print_Add(self, e: Any, order: Any = None) -> str:
        terms = self._as_ordered_terms(e, order=order)
        printed = [str(self._print(term)) for term in terms]
        # each kind keeps its order: numbers, what is added, what is taken away
        ranked = sorted(zip(terms, printed, strict=True), key=lambda part: (
            part[1].startswith("-"), not part[0].is_number))
        line = ranked[0][1]
        for term, text in ranked[1:]:
            minus = text.startswith("-")
            inner = text[1:] if minus else text
            line += f" {'-' if minus else '+'} {f'({inner})' if term.is_Piecewise else inner}"
        return line


def readable(value: Any) -> str:
    """One formula on one line.

    >>> t = sp.Symbol("t", real=True)
    >>> readable(1 - sp.exp(-sp.Rational(1, 2)) * sp.exp(t / 2))
    '1 - e^((t - 1)/2)'
    >>> readable(sp.exp(2) * t**2 / 3 - sp.sqrt(t) * sp.exp(-t))
    't^2*e^2/3 - sqrt(t)*e^(-t)'
    """
    return str(_Readable().doprint(value)).replace("**", "^")


def equation(left: str, value: Any) -> str:
    """``left = value``, a case a line where the value is piecewise.

    >>> t = sp.Symbol("t", real=True)
    >>> print(equation("delta(t)", sp.Piecewise((1 - sp.exp(t), t < 0), (0, True))))
    delta(t) = 1 - e^t  if t < 0
             = 0        if t >= 0
    """
    if not isinstance(value, sp.Piecewise):
        return f"{left} = {readable(value)}"
    cases = [readable(said) for said, _ in value.args]
    wide = max(map(len, cases))
    heads = [left, *[" " * len(left)] * (len(cases) - 1)]
    return "\n".join(f"{head} = {case:{wide}}  {where}" for head, case, where in zip(
        heads, cases, _places([where for _, where in value.args]), strict=True))


def _places(conditions: list[Any]) -> list[str]:
    """Where each case holds, by itself where the conditions cut a line from left to right."""
    ends = [c for c in conditions if isinstance(c, sp.StrictLessThan) and c.lhs.is_Symbol]
    cuts = len(ends) == len(conditions) - 1 and conditions[-1] == sp.true and ends
    if not cuts or len({c.lhs for c in ends}) > 1:
        return ["otherwise" if c == sp.true else f"if {readable(c)}" for c in conditions]
    points, letter = [readable(c.rhs) for c in ends], ends[0].lhs
    inner = [f"if {a} <= {letter} < {b}" for a, b in pairwise(points)]
    return [f"if {letter} < {points[0]}", *inner, f"if {letter} >= {points[-1]}"]


__all__ = ["equation", "readable"]
