"""Laws as identities and signs in the exact class, in every case of the parameters."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.calculus.exact import Exact
from lapdp.calculus.export import by_cases
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.positivity import is_nonnegative, never_negative
from lapdp.calculus.transform import bilateral, convolve
from lapdp.core.errors import Unsupported
from lapdp.privacy.comparison import profile_signs
from lapdp.privacy.finite import finite
from lapdp.privacy.model import Infinite, Model
from lapdp.privacy.notions import cases
from lapdp.privacy.pair import Pair

ONE = Form.of(1)
ORDERS = (Fraction(1, 3), Fraction(2, 5), Fraction(4, 5))


def partner() -> Pair:
    """The other factor of products: atoms, infinite losses in both directions."""
    from lapdp.privacy.mechanisms import CARDS

    return CARDS["randomized_response"].make(sp.log(2), "1/10")


class _Violated(Exception):
    """A law fails in one case of the parameters."""


def _everywhere(pair: Pair, test: Callable[[Model, Cell], str]) -> str:
    """The first violation over all cases of the parameters."""
    def build(cell: Cell) -> Any:
        found = test(pair.model_in(cell), cell)
        if found:
            raise _Violated(found)
        return sp.true

    try:
        by_cases(pair.constraints(), build)
    except _Violated as violated:
        return str(violated)
    return ""


def _profile(pair: Pair, cell: Cell) -> Exact:
    return pair.model_in(cell).profile(cell)


def limits(pair: Pair) -> str:
    """Constants and rates of the profile far to the left and far to the right."""
    def test(model: Model, cell: Cell) -> str:
        for direction in (model, pair.reverse().model_in(cell)):
            profile = direction.profile(cell).merged(cell)
            for terms, side, limit in ((profile.germ, 1, 1), (profile.tail(), -1,
                                                              direction.p_infinite)):
                rest = Exact(dict(terms)) - Exact.term(limit)
                # t^n e^(a t) vanishes where a has the sign of the side
                for (a, _), c in rest.germ.items():
                    if cell.nonzero(c) and side * cell.sign(a.real_part()) <= 0:
                        return f"the limit at {'-' * (side > 0)}oo is not {limit}"
        return ""

    return _everywhere(pair, test)


def convexity(pair: Pair) -> str:
    """delta'' - delta' is a measure; it is falling, being convex with a limit at oo."""
    def test(model: Model, cell: Cell) -> str:
        slope = model.profile(cell).derivative()
        density = slope.derivative() - slope
        points = density.breakpoints(cell)
        for k in range(len(points) + 1):
            lower, upper = (points[k - 1] if k else None,
                            points[k] if k < len(points) else None)
            behind = [p for p in density.jumps if any(cell.sign(p - b) == 0 for b in points[:k])]
            if not is_nonnegative(density.piece(behind), lower, upper, cell):
                return f"delta'' - delta' is negative between {lower} and {upper}"
        for at, orders in density.impulses.items():
            if any(order or not never_negative(mass, cell) for order, mass in orders.items()):
                return f"the slope of delta falls at {at}"
        return ""

    return _everywhere(pair, test)


def bounds(pair: Pair) -> str:
    """Signs of the differences, by certified zeros."""
    if not profile_signs(pair, finite([1], [1])).nonnegative:
        return "the profile lies below max(0, 1 - e^t) somewhere"
    if not profile_signs(finite([1, 0], [0, 1]), pair).nonnegative:
        return "the profile exceeds 1 somewhere"
    return ""


def reversal(pair: Pair) -> str:
    """Equality of exact functions; both sides are continuous."""
    backward = pair.reverse()

    def test(model: Model, cell: Cell) -> str:
        claimed = (Exact.term(1) - Exact.term(1, ONE)
                   + model.profile(cell).reflect().tilt(ONE))
        same = _profile(backward, cell).equals(claimed, cell)
        return "" if same else "the profile of the reversed pair is another one"

    return _everywhere(pair, test)


def loss(pair: Pair) -> str:
    """The law of the finite losses, atoms included."""
    def test(model: Model, cell: Cell) -> str:
        slope = model.profile(cell).derivative()
        same = (slope.derivative() - slope).equals(model.loss, cell)
        return "" if same else "delta'' - delta' is not the law of the loss"

    return _everywhere(pair, test)


def dual_loss(pair: Pair) -> str:
    """From the profile of the reversed pair, so that its loss is not asked."""
    backward = pair.reverse()

    def test(model: Model, cell: Cell) -> str:
        slope = _profile(backward, cell).derivative()
        same = (slope.derivative() - slope).equals(model.loss.reflect().tilt(ONE), cell)
        return "" if same else "the loss of the reversed pair is not e^y f_Z(-y)"

    return _everywhere(pair, test)


def moments_reversed(pair: Pair) -> str:
    """E_q(P||Q) and E_(1-q)(Q||P) as field elements at three orders."""
    backward = pair.reverse()

    def test(model: Model, cell: Cell) -> str:
        for order in ORDERS:
            one, two = (cases.moment_value(p.model_in(cell), Form.of(q), cell)
                        for p, q in ((pair, order), (backward, 1 - order)))
            if isinstance(one, Infinite) or isinstance(two, Infinite):
                raise Unsupported("an infinite moment")
            if one != two:
                return f"E_q of the reversed pair is another one at 1 - q, q = {order}"
        return ""

    return _everywhere(pair, test)


def from_profile(pair: Pair) -> str:
    """E_q = q (q - 1) B{delta - 1}(1 - q) as field elements at three orders in (0, 1)."""
    def test(model: Model, cell: Cell) -> str:
        below = model.profile(cell) - Exact.term(1)
        for order in ORDERS:
            found = cases.moment_value(model, Form.of(order), cell)
            if isinstance(found, Infinite):
                raise Unsupported("an infinite moment")
            claimed = bilateral(below, Form.of(1 - order), cell) * (order * (order - 1))
            if cell.nonzero(found - claimed):
                return f"E_q is no transform of the profile at q = {order}"
        return ""

    return _everywhere(pair, test)


def commutes(pair: Pair, other: Pair | None = None) -> str:
    """The profiles of both products."""
    other = other or partner()
    swapped = other * pair
    product = pair * other

    def test(model: Model, cell: Cell) -> str:
        same = _profile(swapped, cell).equals(_profile(product, cell), cell)
        return "" if same else "the factors in the other order have another profile"

    return _everywhere(pair, test)


def composition(pair: Pair, other: Pair | None = None) -> str:
    """The convolution of the first loss with the second profile."""
    other = other or partner()
    product = pair * other

    def test(model: Model, cell: Cell) -> str:
        claimed = convolve(model.loss, _profile(other, cell), cell) + Exact.term(model.p_infinite)
        same = _profile(product, cell).equals(claimed, cell)
        return "" if same else f"the profile of {product!r} is no mean of profiles"

    return _everywhere(pair, test)


def moments(pair: Pair, other: Pair | None = None) -> str:
    """Field elements at three orders, from the loss of the product."""
    other = other or partner()
    product = pair * other

    def test(model: Model, cell: Cell) -> str:
        for order in ORDERS:
            q = Form.of(order)
            whole, first, second = (cases.moment_value(p.model_in(cell), q, cell)
                                    for p in (product, pair, other))
            if isinstance(whole, Infinite) or isinstance(first, Infinite) or isinstance(
                    second, Infinite):
                raise Unsupported("an infinite moment")
            if whole != first * second:
                return f"E_q of {product!r} at q = {order} is not the product"
        return ""

    return _everywhere(pair, test)


def dominance(pair: Pair, other: Pair | None = None) -> str:
    """The sign of the difference of profiles."""
    product = pair * (other or partner())
    if profile_signs(product, pair).nonnegative:
        return ""
    return f"{product!r} does not dominate {pair!r}"


__all__ = ["ORDERS", "bounds", "commutes", "composition", "convexity", "dominance", "dual_loss",
           "from_profile", "limits", "loss", "moments", "moments_reversed", "partner", "reversal"]
