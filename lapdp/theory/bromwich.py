"""Inversion integrals: symbolic in s, closed by residues on the chosen line."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.nodes import Indicator
from lapdp.calculus.rational import transform_parts
from lapdp.calculus.transform import invert
from lapdp.core.errors import Undefined, Unsupported

if TYPE_CHECKING:
    from lapdp.theory.interpret import Graded, Interpreter


NOT_ANALYTIC = (sp.re, sp.im, sp.conjugate, sp.Abs, sp.arg, sp.sign, sp.Piecewise, sp.Max, sp.Min,
                sp.Heaviside, sp.DiracDelta, Indicator)


def inversion(i: Interpreter, e: Any) -> Graded:
    """(1/2 pi i) lim of the integral of e^(s x) G(s) over Re s = gamma: the mean of the limits of
    the inverted function at x, equation (17)."""
    from lapdp.theory.interpret import Exchange, Graded

    body, s, x, gamma = e.args
    if any(s in node.free_symbols for node in body.atoms(*NOT_ANALYTIC)):
        raise Unsupported("an inversion integral of a function that is not analytic in s")
    line = i.form(gamma)
    frequency = sp.Dummy(str(s), complex=True)
    # on the line the real part of s is gamma; one point of it has no weight, and the two halves
    # are conjugate
    cell = i.cell.narrowed({sp.re(frequency): line}, (Form.atom(sp.im(frequency)), ">"))
    inner = replace(i, cell=cell, exchanges=[], line=(frequency, line))
    g = inner.value(body.subs(s, frequency))
    on_line = line + Form.atom(sp.I) * Form.atom(sp.Dummy("w", real=True))
    i.exchanges.extend(replace(x, frequency=on_line) for x in inner.exchanges)
    if not isinstance(g.x, Scalar):
        raise Undefined("the transform is infinite on the line")
    jumps, impulses, decay = transform_parts(g.x, frequency, cell)
    if any(impulses.values()):
        raise Undefined("the inversion integral does not converge: G does not vanish at infinity")
    f = invert(jumps, {}, line, i.cell)
    if g.grade:
        steps = g.grade & frozenset(i.functions) or ("functions" in g.grade)
        if decay < (1 if steps else 2):
            raise Unsupported("the inversion integral of a mixture converges only conditionally")
        sizes = tuple(c * Scalar.exp(-(line * at)) for at, terms in jumps.items()
                      for c in terms.values())
        i.exchanges.append(Exchange(g.grade, None, on_line, "inversion", sizes))
    point = i.form(x)
    value = (f.limit(point, -1, i.cell) + f.limit(point, 1, i.cell)) * Fraction(1, 2)
    return Graded(g.grade, value)
