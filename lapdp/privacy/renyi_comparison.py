"""The sign of a difference of moments E_q as a function of the real order q.

The moment of a pair of the exact class is an exponential polynomial in q over powers of s - a with
s = 1 - q, equation (26).  Times even powers of these the difference is an exponential polynomial
of the same sign; where a pole lies among the orders it cancels, and is looked at alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from math import comb
from typing import Any

import sympy as sp

from lapdp.balls.smooth import Compiled
from lapdp.calculus.enclose import sign_of_number
from lapdp.calculus.exact import Terms, _put
from lapdp.calculus.exponentials import Exponentials
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.sign_patterns import SignPattern, sign_pattern
from lapdp.calculus.zeros import Smooth, Zero
from lapdp.core.errors import Unsupported
from lapdp.privacy.comparison import check_length
from lapdp.privacy.letters import Letters
from lapdp.privacy.model import Infinite, Model
from lapdp.privacy.operations import factors
from lapdp.privacy.pair import Pair

ZERO, ONE = Form({}), Form.of(1)
MAX_TERMS = 2000


@dataclass(frozen=True)
class MomentFunction:
    """numerator(q) over the product of (1 - q - a)^m, for the a and m of ``poles``."""

    numerator: Terms
    poles: Mapping[Form, int]

    @staticmethod
    def of_model(model: Model) -> MomentFunction:
        """The transform of the finite losses at s = 1 - q."""
        poles: dict[Form, int] = {}
        for terms in model.loss.jumps.values():
            for a, n in terms:
                poles[a] = max(poles.get(a, 0), n + 1)
        numerator: Terms = {}
        for at, terms in model.loss.jumps.items():
            for (a, n), c in terms.items():
                missing = {b: m - (n + 1 if b == a else 0) for b, m in poles.items()}
                _add(numerator, _times(_shifted(c, at), denominator(missing)))
        for at, orders in model.loss.impulses.items():
            _add(numerator, _times(_shifted(orders[0], at), denominator(poles)))
        return MomentFunction(numerator, poles)

    def __mul__(self, other: MomentFunction) -> MomentFunction:
        poles = dict(self.poles)
        for a, m in other.poles.items():
            poles[a] = poles.get(a, 0) + m
        return MomentFunction(_times(self.numerator, other.numerator), poles)


def _shifted(c: Scalar, at: Form) -> Terms:
    """c e^(-at s) as a function of q."""
    return {(at, 0): c * Scalar.exp(-at)}


def denominator(poles: Mapping[Form, int]) -> Terms:
    """The product of (1 - q - a)^m as a polynomial in q."""
    total: Terms = {(ZERO, 0): Scalar.of(1)}
    for a, m in poles.items():
        level = Scalar.of(ONE - a)
        power: Terms = {}
        for k in range(m + 1):
            _put(power, (ZERO, k), level ** (m - k) * comb(m, k) * (-1) ** k)
        total = _times(total, power)
    return total


def _times(f: Terms, g: Terms) -> Terms:
    if len(f) * len(g) > MAX_TERMS**2:
        raise Unsupported(f"a moment of more than {MAX_TERMS} terms")
    total: Terms = {}
    for (a, n), c in f.items():
        for (b, m), d in g.items():
            _put(total, (a + b, n + m), c * d)
    if len(total) > MAX_TERMS:
        raise Unsupported(f"a moment of more than {MAX_TERMS} terms")
    return total


def _add(f: Terms, g: Terms, sign: int = 1) -> None:
    for key, c in g.items():
        _put(f, key, c * sign)


def moment_function(pair: Pair) -> MomentFunction:
    """E_q as a function of q, wherever it converges; moments of independent factors multiply."""
    total = MomentFunction({(ZERO, 0): Scalar.of(1)}, {})
    for factor, count in factors(pair):
        if not isinstance(count, int):
            raise Unsupported("the moment of a symbolic power")
        one = MomentFunction.of_model(factor.model())
        for _ in range(count):
            total = total * one
    return total


def renyi_signs(first: Pair, second: Pair, lower: Fraction, upper: Form | None) -> SignPattern:
    """The sign of E_q(first) - E_q(second) for real q in (lower, upper), where both are finite.

    >>> from lapdp import gaussian, laplace, randomized_response
    >>> renyi_signs(randomized_response(1), laplace(1), Fraction(1), None)
    +
    >>> renyi_signs(gaussian(1), randomized_response(1), Fraction(1), None)
    +
    """
    problem: Unsupported | None = None
    for change in (_as_it_is, Letters().pair):
        try:
            check_length(*(factor.model() for pair in (first, second)
                           for factor, _ in factors(change(pair))))
            one, two = (moment_function(change(pair)) for pair in (first, second))
            return _exact_signs(one, two, lower, upper, (first, second))
        except Unsupported as found:
            problem = problem or found
    q = sp.Symbol("q", real=True)
    try:
        f, g = (_written(pair, q) for pair in (first, second))
    except Unsupported:
        assert problem is not None
        raise problem from None
    return sign_pattern([(upper, None if f == g else Compiled(f - g, q))], lower=lower)


def _as_it_is(pair: Pair) -> Pair:
    return pair


def _written(pair: Pair, q: Any) -> Any:
    found = pair.moment(q)
    if isinstance(found, sp.Piecewise):
        # the other cases are single points, where poles cancel
        found = found.args[-1][0]
    if found.has(sp.Piecewise):
        raise Unsupported(f"the moment of {pair!r} is no plain formula")
    return found


def _exact_signs(first: MomentFunction, second: MomentFunction, lower: Fraction,
                 upper: Form | None, pairs: tuple[Pair, Pair]) -> SignPattern:
    even = {a: m + m % 2 for a in {*first.poles, *second.poles}
            for m in [max(first.poles.get(a, 0), second.poles.get(a, 0))]}
    total: Terms = {}
    for function, sign in ((first, 1), (second, -1)):
        missing = {a: m - function.poles.get(a, 0) for a, m in even.items()}
        _add(total, _times(function.numerator, denominator(missing)), sign)
    f: Smooth | None = Exponentials(total) if total else None
    inside = [ONE - a for a in even if _is_between(ONE - a, lower, upper)]
    inside.sort(key=cmp_to_key(_order))
    found = sign_pattern([*((q, f) for q in inside), (upper, f)], lower=lower)
    return _without(found, [q for q in inside if f is not None and not _equal_at(pairs, q)])


def _order(a: Form, b: Form) -> int:
    return sign_of_number(a - b)


def _is_between(q: Form, lower: Fraction, upper: Form | None) -> bool:
    return sign_of_number(q - Form.of(lower)) > 0 and (
        upper is None or sign_of_number(upper - q) > 0)


def _equal_at(pairs: tuple[Pair, Pair], q: Form) -> bool:
    values = [pair.moment_at(q, Cell()) for pair in pairs]
    if any(isinstance(value, Infinite) for value in values):
        raise Unsupported(f"a moment is infinite at q = {q}")
    return sign_of_number(Scalar.of(values[0]) - Scalar.of(values[1])) == 0


def _without(pattern: SignPattern, points: list[Form]) -> SignPattern:
    """The pattern without zeros that come from the common denominator alone."""
    zeros: list[Zero] = []
    signs = [pattern.signs[0]]
    for zero, sign in zip(pattern.zeros, pattern.signs[1:], strict=True):
        if zero.exact in points and sign == signs[-1]:
            continue
        zeros.append(zero)
        signs.append(sign)
    return SignPattern(tuple(zeros), tuple(signs))


__all__ = ["MomentFunction", "moment_function", "renyi_signs"]
