"""Profiles of many releases in every format: one line for each row of the sum over breakpoints."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.privacy.notions.notion import Notion
from lapdp.privacy.notions.summed import Summed
from lapdp.report.formats import mpmath_code, numpy_code, plain
from lapdp.report.formats.functions import summary
from lapdp.report.formats.readable import readable

_CODE = '''
_ROWS = (
{rows}
)
"""Breakpoint c, whether the row counts for t < c, weight, growth, and the a_n of a_n x^n/n!."""


def _total(t):
    total = {lost}
    for place, before, weight, (above, below), terms in _ROWS:
        x = t - place()
        if (x < 0) == before:
            value = mp.mpf(0)
            for n in range(len(terms), 0, -1):
                value = terms[n - 1] + x*value/n
            total += weight()*mp.exp(x*above/below)*value
    return total


def profile(t):
    t = mp.mpmathify(t)
    return _fine(lambda: _total(t))
'''


MOST_DEGREE = 30
"""Of polynomials that are multiplied out for doubles."""
_OVER = r"\frac{{x}}{{{}}}"


def text(notion: Notion, found: Summed) -> str:
    """A line for each row; [t < c] is 1 where that holds, and 0 elsewhere.

    The polynomials are in Horner's form: whole numbers, and x over 1, 2, 3 and so on.
    """
    lines = [f"delta({notion.letter}) = {readable(found.lost)}"]
    for row in found.rows:
        side = "<" if row.before else ">="
        grown = "" if not row.growth else "*" + readable(sp.exp(row.growth * sp.Symbol("x")))
        lines.append(f"  + [t {side} {readable(row.at)}] {_product(readable(row.weight))}{grown}*("
                     f"{_horner(row.coefficients, 'x/{}', '*')}), x = {_gap(readable(row.at))}")
    return "\n".join(lines)


def latex(notion: Notion, found: Summed) -> str:
    """The same, in an aligned block."""
    lines = [rf"{sp.latex(found.lost)} & "]
    for row in found.rows:
        side, at = "<" if row.before else r"\geq", sp.latex(row.at)
        grown = sp.latex(sp.exp(row.growth * sp.Symbol("x"))) if row.growth else ""
        polynomial = _horner(row.coefficients, _OVER, " ")
        lines.append(rf"& + [t {side} {at}]\, {sp.latex(row.weight)}\, {grown} "
                     rf"\left({polynomial}\right)_{{x = t - \left({at}\right)}}")
    return "\\begin{aligned} " + " \\\\ ".join(lines) + r" \end{aligned}"


def sympy(notion: Notion, found: Summed) -> str:
    """Paste-ready after ``from sympy import *``, with ``t`` a symbol or a number."""
    rows = ", ".join(f"({_paste(row.at)}, {row.before}, {_paste(row.weight)}, "
                     f"{_paste(row.growth)}, {row.coefficients})" for row in found.rows)
    return (f"{_paste(found.lost)} + Add(*[Piecewise((w*exp(a*(t - c))*Add(*[Integer(k)*(t - c)**n/"
            "factorial(n) for n, k in enumerate(p)]), (t < c) if before else (t >= c)), (0, True)) "
            f"for c, before, w, a, p in [{rows}]])")


def mpmath(notion: Notion, found: Summed) -> str:
    """A module with one table and the function that adds it up."""
    printed = mpmath_code.printed
    rows = "\n".join(
        f"    (lambda: {printed(row.at)}, {row.before}, lambda: {printed(row.weight)},\n"
        f"     ({row.growth.p}, {row.growth.q}), {row.coefficients!r})," for row in found.rows)
    return mpmath_code.head(summary(notion)) + _CODE.format(
        rows=rows, lost=printed(found.lost)).rstrip()


def numpy(notion: Notion, found: Summed) -> str:
    """By pieces; :class:`Unsupported` where their powers would cancel in doubles."""
    if found.degree <= MOST_DEGREE:
        return numpy_code.source(notion)
    raise Unsupported(f"{notion!r} is a sum of {len(found.rows)} rows that cancel in doubles: "
                      "m.deltas gives its values in arrays, and mpmath code any number of digits")


def _horner(terms: tuple[int, ...], over: str, times: str) -> str:
    """a_0 + x (a_1 + x/2 (a_2 + ...)), for the sum of a_n x^n/n!; ``over`` writes x/n."""
    whole = ""
    for n in range(len(terms) - 1, -1, -1):
        step = over.format(n + 1) if n else "x"
        inner = f"{step}{times}({whole})" if whole else ""
        number = str(terms[n]) if terms[n] or not inner else ""
        whole = f"{number} + {inner}" if number and inner else number or inner
    return whole


def _product(weight: str) -> str:
    return f"({weight})" if " + " in weight or " - " in weight else weight


def _gap(at: str) -> str:
    return f"t + {at[1:]}" if at.startswith("-") and " " not in at else f"t - ({at})" if (
        " " in at or at.startswith("-")) else f"t - {at}"


def _paste(value: Any) -> str:
    return str(plain.Paste({"sympy_integers": True}).doprint(value))


WRITERS: dict[str, Any] = {
    "text": text, "latex": latex, "sympy": sympy, "mpmath": mpmath, "numpy": numpy}

__all__ = ["WRITERS", "latex", "mpmath", "numpy", "sympy", "text"]
