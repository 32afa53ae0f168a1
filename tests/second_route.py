"""Forms, field elements and exact objects as numbers, by mpmath: a route beside the calculus.

Nothing here simplifies, compares or orders: every term is evaluated as its definition reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import factorial
from typing import Any

import sympy as sp
from mpmath import mp, mpc, mpf

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form

Values = Mapping[Any, Any]


def number(q: Any) -> Any:
    """A fraction, or what is a number already, in working precision."""
    return mpf(q.numerator) / q.denominator if isinstance(q, Fraction) else mp.mpmathify(q)


def atom_value(atom: Any, values: Values) -> Any:
    """A parameter, the imaginary unit, pi, or the logarithm of an integer."""
    if atom in values:
        return number(values[atom])
    if isinstance(atom, (sp.re, sp.im)):
        part = mp.re if isinstance(atom, sp.re) else mp.im
        return part(number(values[atom.args[0]]))
    if atom is sp.I:
        return mpc(0, 1)
    return mp.pi if atom == sp.pi else mp.log(int(atom.args[0]))


def form_value(form: Form, values: Values | None = None) -> Any:
    """A Laurent polynomial, term by term."""
    total = mpf(0)
    for monomial, c in form.terms.items():
        term = number(c)
        for atom, power in monomial:
            term *= atom_value(atom, values or {}) ** power
        total += term
    return total


def scalar_value(x: Scalar, values: Values | None = None) -> Any:
    """A quotient of polynomials in generators, read off its dictionary of exponents."""
    generators = []
    for key in x.keys:
        if key[0] == "e":
            generators.append(mp.exp(form_value(Form({key[1]: Fraction(1)}), values) / key[2]))
        elif key[0] == "r":
            generators.append(mp.root(key[1], key[2]))
        else:
            generators.append(mpc(0, 1) if key[0] == "i" else atom_value(key[1], values or {}))

    def polynomial(poly: Any) -> Any:
        total = mpf(0)
        for powers, c in poly.to_dict().items():
            term = mpf(int(c))
            for g, k in zip(generators, powers, strict=True):
                term *= g ** int(k)
            total += term
        return total

    return polynomial(x.num) / polynomial(x.den)


def function_of(f: Exact, values: Values | None = None) -> Callable[[Any], Any]:
    """The function part, to be asked at points that are no breakpoints."""
    def numbers(terms: Any) -> list[tuple[Any, int, Any]]:
        return [(form_value(a, values), n, scalar_value(c, values)) for (a, n), c in terms.items()]

    # far to the right the germ and the jumps cancel: digits are held in reserve
    reserve = mp.dps + 120
    with mp.workdps(reserve):
        germ = numbers(f.germ)
        jumps = [(form_value(at, values), numbers(terms)) for at, terms in f.jumps.items()]

    def value(t: Any) -> Any:
        with mp.workdps(reserve):
            total = mpf(0)
            for a, n, c in germ:
                total += c * t**n * mp.exp(a * t)
            for at, terms in jumps:
                if t > at:
                    for a, n, c in terms:
                        total += c * (t - at) ** n / factorial(n) * mp.exp(a * (t - at))
            return total

    return value


def function_value(f: Exact, t: Any, values: Values | None = None) -> Any:
    """The function part at one point that is no breakpoint."""
    return function_of(f, values)(t)


def cuts(f: Exact, values: Values | None = None) -> list[Any]:
    """Breakpoints and places of impulses, in order."""
    return sorted({form_value(c, values) for c in [*f.jumps, *f.impulses]})


def integral(g: Callable[[Any], Any], points: list[Any], reach: Any) -> Any:
    """The integral over the line, cut at the points, with the tails up to ``reach`` beyond."""
    inner = sorted(p for p in points if -reach < p < reach)
    grid = [mpf(-reach), *inner, mpf(reach)]
    total = mpf(0)
    for a, b in pairwise(grid):
        pieces = max(1, int((b - a) / 6))
        total += mp.quad(g, mp.linspace(a, b, pieces + 1), method="gauss-legendre", maxdegree=5)
    return total


def action(f: Exact, phi: Callable[[Any], Any], reach: Any = 9, values: Values | None = None
           ) -> Any:
    """The value of the generalised function f at a test function that is negligible far out."""
    g = function_of(f, values)
    total = integral(lambda t: g(t) * phi(t), cuts(f, values), reach)
    for at, orders in f.impulses.items():
        for k, c in orders.items():
            total += scalar_value(c, values) * (-1) ** k * mp.diff(phi, form_value(at, values), k)
    return total


def transform(f: Exact, s: Any, reach: Any = 60, values: Values | None = None) -> Any:
    """The two-sided Laplace transform by quadrature; impulses by the definition."""
    return action(f, lambda t: mp.exp(-s * t), reach, values)


def close(a: Any, b: Any, digits: int = 12) -> bool:
    """Do two numbers agree to so many digits (absolutely below 1)?"""
    return bool(abs(a - b) <= mpf(10) ** -digits * (1 + abs(a)))
