"""One piece of a trade-off function: level and error as functions of the threshold, eliminated.

On an interval where the loss has the density g, the threshold z has level l + integral of g and
error m - integral of g e^-z, both from the lower end on.  The level is an increasing function of z;
where it can be solved for z by known functions, the error becomes a function of the level:

* k e^(c z): a power of an affine function of the level; for c = 1 a logarithm, for c = 0 an
  exponential;
* A + B z, and k e^(c z) + m e^(2 c z): by the quadratic formula;
* (A + B z) e^(c z): by the Lambert W function.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import sympy as sp

from lapdp.calculus.exact import Terms
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported

ONE = Form.of(1)
REACHED = "k e^(c z), A + B z, (A + B z) e^(c z) and k e^(c z) + m e^(2 c z)"


def beyond() -> Unsupported:
    """No closed form of a piece is known."""
    return Unsupported("a closed form of a trade-off function where the density of the loss is "
                       f"none of {REACHED}: use tradeoff.parametrised() or tradeoff.at(level)")


def straight(a: Any, level: Scalar, missed: Scalar, z: Form) -> Any:
    """The error on the piece of an atom at loss z, which starts at (level, missed)."""
    slope = Scalar.exp(-z)
    return (missed + slope * level).to_sympy() - slope.to_sympy() * a


def curved(terms: Terms, here: Form | None, a: Any, level: Scalar, missed: Scalar, cell: Cell
           ) -> Any:
    """The error on the piece of a density from ``here`` on (None: from -oo on).

    Raises :class:`Unsupported` where no closed form is known.
    """
    by_rate: dict[Form, dict[int, Scalar]] = {}
    for (rate, n), c in terms.items():
        by_rate.setdefault(rate.substitute(cell.values), {})[n] = c
    gained = a - level.to_sympy()
    if len(by_rate) == 1:
        ((rate, powers),) = by_rate.items()
        if set(powers) == {0}:
            return _one_exponential(rate, powers[0], here, a, level, missed, cell)
        if set(powers) <= {0, 1}:
            z = _affine_times_exponential(rate, powers, here, gained, cell)
            return missed.to_sympy() - _integral(terms, z, here, cell)
    if len(by_rate) == 2 and all(set(powers) == {0} for powers in by_rate.values()):
        for first, second in permutations(by_rate):
            if second == first + first:
                z = _two_exponentials(first, by_rate[first][0], by_rate[second][0], here, gained)
                return missed.to_sympy() - _integral(terms, z, here, cell)
    raise beyond()


def _one_exponential(rate: Form, k: Scalar, here: Form | None, a: Any, level: Scalar,
                     missed: Scalar, cell: Cell) -> Any:
    """The error of k e^(c z), with u = e^(c z) eliminated; constants are added up in the field."""
    if cell.sign(rate) == 0:
        # bounded on both sides: the integral of k converges
        assert here is not None
        lost = k * Scalar.exp(-here)
        fallen = sp.exp((level / k).to_sympy() - (1 / k).to_sympy() * a)
        return (missed - lost).to_sympy() + lost.to_sympy() * fallen
    c = Scalar.of(rate)
    start = Scalar.of(0) if here is None else Scalar.exp(rate * here)
    u = (start - level * c / k).to_sympy() + (c / k).to_sympy() * a
    tilted = rate - ONE
    if cell.sign(tilted) == 0:
        assert here is not None
        return missed.to_sympy() - k.to_sympy() * (sp.log(u) - here.to_sympy())
    weight = k / Scalar.of(tilted)
    first = Scalar.of(0) if here is None else Scalar.exp(tilted * here)
    power = ((c - 1) / c).to_sympy()
    return (missed + weight * first).to_sympy() - weight.to_sympy() * u**power


def _affine_times_exponential(rate: Form, powers: dict[int, Scalar], here: Form | None,
                              gained: Any, cell: Cell) -> Any:
    """The threshold of (A + B z) e^(c z), a density >= 0 on its interval.

    For c = 0 the level is quadratic.  Else, with u = c (z + A/B) - 1, its primitive is
    (B/c^2) u e^u e^(1 - c A/B), and A + B z >= 0 says that (u + 1) B/c >= 0, which tells the branch
    of the inverse of u e^u.
    """
    slope = powers[1]
    offset = powers.get(0, Scalar.of(0)) / slope
    # z + A/B, where the density vanishes at 0
    shift = offset.to_sympy()
    if cell.sign(rate) == 0:
        side = cell.sign_of(slope)
        start = _end(here) + shift
        return side * sp.sqrt(start**2 + 2 * gained / slope.to_sympy()) - shift
    c = rate.to_sympy()
    weight = (slope / Scalar.of(rate) ** 2).to_sympy()
    branch = 0 if cell.sign_of(slope) * cell.sign(rate) > 0 else -1
    if here is None:
        start = sp.Integer(0)
    else:
        u = c * (here.to_sympy() + shift) - 1
        start = u * sp.exp(c * here.to_sympy())
    target = sp.exp(sp.expand(c * shift - 1)) * (start + gained / weight)
    return (sp.LambertW(target, branch) + 1) / c - shift


def _two_exponentials(rate: Form, k: Scalar, m: Scalar, here: Form | None, gained: Any) -> Any:
    """The threshold of k u + m u^2, u = e^(c z): the level is quadratic in u and k + m u >= 0."""
    c, first, second = rate.to_sympy(), k.to_sympy(), m.to_sympy()
    start = sp.Integer(0) if here is None else Scalar.exp(rate * here).to_sympy()
    root = sp.sqrt((first + second * start) ** 2 + 2 * c * second * gained)
    return sp.log((root - first) / second) / c


def _integral(terms: Terms, z: Any, here: Form | None, cell: Cell) -> Any:
    """The integral of the density times e^-z from ``here`` to an expression z."""
    total = sp.Integer(0)
    for (rate, n), k in terms.items():
        tilted, scale = rate - ONE, k.to_sympy()
        start = _end(here)
        if cell.sign(tilted) == 0:
            total += scale * (z ** (n + 1) - start ** (n + 1)) / (n + 1)
            continue
        b = tilted.to_sympy()

        def primitive(x: Any, b: Any = b, n: int = n) -> Any:
            """Of x^n e^(b x)."""
            return sp.exp(b * x) * sum((-1) ** j * sp.ff(n, j) * x ** (n - j) / b ** (j + 1)
                                       for j in range(n + 1))

        total += scale * (primitive(z) - (0 if here is None else primitive(start)))
    return total


def _end(here: Form | None) -> Any:
    return -sp.oo if here is None else here.to_sympy()


__all__ = ["beyond", "curved", "straight"]
