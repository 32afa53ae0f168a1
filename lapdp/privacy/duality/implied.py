"""What Renyi bounds imply for the privacy profile: the best conversion, proved.

Suppose R_q(P||Q) <= r_q for some orders q > 1.  For every eps, telling apart the outcomes with loss
above eps from the others is post-processing, keeps delta(eps), and increases no R_q.  So the
largest delta(eps) under the bounds is attained, or approached, by pairs on two outcomes with masses
(u, 1 - u) and (v, 1 - v):

    sup { u - e^eps v :  u^q v^(1-q) + (1-u)^q (1-v)^(1-q) <= e^((q-1) r_q) for all given q },

a linear function on a convex set in the plane.  A point of the set is a lower bound.  For an upper
bound take any point w and weights m_q >= 0: by convexity of the constraints G_q and on the square,

    u - e^eps v <= value at w + sum of m_q (e^((q-1) r_q) - G_q(w)) + |rest|,

where rest is the most that (1, -e^eps) - sum of m_q G_q'(w) gains on the square.  A search finds w
and m_q, just so much beside the optimum that both coordinates of that vector are negative: the rest
is then as small as w is, and relative digits survive however small delta is.  Balls check it all.
The bound of Canonne, Kamath and Steinke 2020 (Proposition 12) for one order drops the second term
of the constraint, so it is never smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx

from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure, certified
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.notions.moment import RenyiDivergence
from lapdp.privacy.parameters import exact_parameter

MOST_ORDERS = 100
MOST_BITS = 1 << 10
SMALLEST = -100_000
"""The least logarithm of a mass that is looked at."""


@dataclass(frozen=True)
class ImpliedProfile:
    """The largest profile value at each eps under Renyi bounds; made by :func:`implied_profile`."""

    bounds: tuple[tuple[Any, Any], ...]
    """(q, r) for each bound R_q <= r."""

    def conversion(self, t: Any = None) -> Any:
        """The least of the one-order bounds of Canonne, Kamath, Steinke 2020, Proposition 12.

        It is an upper bound of :meth:`at`, in closed form: e^((q-1)(r-t)) (1 - 1/q)^(q-1)/q.

        >>> implied_profile([(2, "1/2")]).conversion()
        Min(1, exp(1/2 - t)/4)
        """
        x = sp.Symbol("t", real=True) if t is None else exact_parameter("t", t)
        return sp.Min(1, *(sp.exp(sp.expand((q - 1) * (r - x))) * (1 - 1 / q)**(q - 1) / q
                           for q, r in self.bounds))

    def at(self, eps: Any, digits: int = 15) -> Enclosure:
        """The supremum of delta(eps) over all pairs with these bounds, with a proved error bound.

        >>> print(implied_profile([(2, "1/2")]).at(1, digits=10))
        0.089702291036 +/- 5.01e-13
        """
        t = exact_parameter("eps", eps)
        if t.free_symbols:
            raise InputError(f"eps = {t} must be a number")
        if any(r == 0 for _, r in self.bounds):
            # then P = Q
            return certified(lambda bits: _positive(1 - exact_ball(t).real.exp()), digits) if (
                t < 0) else Enclosure(Fraction(0), Fraction(0))
        return certified(lambda bits: self._supremum(t, bits), digits, MOST_BITS)

    def _supremum(self, t: Any, bits: int) -> Any:
        # half of the digits are spent on the distance from the optimum
        with workprec(2 * bits + 64):
            x = exact_ball(t).real.exp()
            found = _search([_Bound.of(q, r) for q, r in self.bounds], x.mid(), 2 * bits)
            return _lower(found, x).union(_upper(found, x, arb(2) ** -bits))


@dataclass(frozen=True, eq=False)
class _Bound:
    """G(u, v) <= most for masses u under P and v under Q of one of two outcomes."""

    q: Any
    most: Any

    @staticmethod
    def of(q: Any, r: Any) -> _Bound:
        return _Bound(exact_ball(q).real, exact_ball((q - 1) * r).real.exp())

    def value(self, u: Any, v: Any) -> Any:
        """E_q of the pair on two outcomes."""
        rest = arb(0) if u == 1 else (1 - u) ** self.q * (1 - v) ** (1 - self.q)
        return u ** self.q * v ** (1 - self.q) + rest

    def gradient(self, u: Any, v: Any) -> tuple[Any, Any]:
        """Its derivatives, in the likelihood ratios a = u/v and b = (1 - u)/(1 - v)."""
        a, b = u / v, (1 - u) / (1 - v)
        low, high = (arb(0), arb(0)) if u == 1 else (b ** (self.q - 1), b ** self.q)
        return (self.q * (a ** (self.q - 1) - low), (1 - self.q) * (a ** self.q - high))

    def largest(self, v: Any, bits: int) -> Any:
        """The largest u in [v, 1] with G(u, v) <= most, about: by bisection of log u."""
        if self.value(arb(1), v).mid() <= self.most.mid():
            return arb(1)
        low, high = v.log().mid(), arb(0)
        for _ in range(bits):
            middle = ((low + high) / 2).mid()
            if self.value(middle.exp().mid(), v).mid() <= self.most.mid():
                low = middle
            else:
                high = middle
        return low.exp().mid()


@dataclass(frozen=True)
class _Found:
    """Where the search ends: a point, and the constraints on both sides of it."""

    u: Any
    v: Any
    bounds: Sequence[_Bound]
    active: tuple[_Bound, ...]


def _search(bounds: Sequence[_Bound], x: Any, bits: int) -> _Found:
    """The maximum of the concave function max u - x v of v, by the sign of its derivative.

    What comes out is checked by balls afterwards: no rounding here can spoil the bounds.
    """
    def tightest(w: Any) -> tuple[Any, Any, _Bound | None]:
        v = w.exp().mid()
        rows = [(bound.largest(v, bits + 16), bound) for bound in bounds]
        u, bound = min(rows, key=lambda row: row[0])
        return u, v, None if u == 1 else bound

    def rises(u: Any, v: Any, bound: _Bound | None) -> bool:
        if bound is None:
            return False
        by_u, by_v = bound.gradient(u, v)
        return bool((-by_v / by_u).mid() > x)

    low, high = arb(-1), -arb(2) ** -bits
    while not rises(*tightest(low)):
        low = 2 * low
        if low < SMALLEST:
            raise Unsupported("the bounds are too near to their ends")
    for _ in range(bits + 16):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if rises(*tightest(middle)) else (low, middle)
    u, v, first = tightest(low)
    active = [b for b in (first, tightest(high)[2]) if b is not None]
    return _Found(u, v, bounds, tuple(dict.fromkeys(active)))


def _lower(found: _Found, x: Any) -> Any:
    """The value at a point that satisfies all constraints for certain, or at (0, 0) or (1, 1)."""
    best = _positive(1 - x).lower()
    for k in range(8, ctx.prec - 8, 8):
        # G falls as u comes nearer to v
        u = (found.u + (found.v - found.u) * arb(2) ** (8 + k - ctx.prec)).mid()
        if all(bound.value(u, found.v) <= bound.most for bound in found.bounds):
            return best.max((u - x * found.v).lower())
    return best


def _upper(found: _Found, x: Any, off: Any) -> Any:
    """The least of the bounds that the constraints at hand give, each with its own weights."""
    best = arb(1)
    beside = (found.v * (1 + off)).mid()
    above = min(bound.largest(beside, ctx.prec) for bound in found.bounds)
    for u, v in ((found.u, found.v), (above, beside)):
        rows = [(*bound.gradient(u, v), bound.most - bound.value(u, v)) for bound in found.active]
        for trial in _weights(rows, x, off):
            value = _bounded(u, v, x, rows, trial)
            if value.is_finite():
                best = best.min(value)
    return best.upper()


def _weights(rows: Sequence[tuple[Any, Any, Any]], x: Any, off: Any) -> Iterator[list[Any]]:
    """Candidates for the weights m_q of the constraints, near the solution of both equations."""
    for k, (by_u, by_v, _) in enumerate(rows):
        for m in ((1 / by_u - x / by_v) / 2, -x * (1 - off) / by_v):
            yield [m if j == k else arb(0) for j in range(len(rows))]
    if len(rows) == 2:
        (a, b, _), (c, d, _) = rows
        det, p, q = a * d - b * c, 1 + off, -x * (1 - off)
        yield [(p * d - q * c) / det, (q * a - p * b) / det]


def _bounded(u: Any, v: Any, x: Any, rows: Sequence[tuple[Any, Any, Any]], trial: list[Any]) -> Any:
    weights = [_positive(m.mid()) for m in trial]
    by_u, by_v, slack = (_sum(m * row[k] for m, row in zip(weights, rows, strict=True))
                         for k in range(3))
    value = u - x * v + slack
    for slope, here in ((1 - by_u, u), (-x - by_v, v)):
        value = value + (-slope * here).max(slope * (1 - here))
    return value


def _positive(x: Any) -> Any:
    return x.max(arb(0))


def _sum(terms: Iterable[Any]) -> Any:
    return sum(terms, arb(0))


@fitting
def implied_profile(bounds: Iterable[Any] | RenyiDivergence, orders: Iterable[Any] | None = None
                    ) -> ImpliedProfile:
    """The best privacy profile that Renyi bounds imply, for comparison with the true one.

    ``bounds`` is a list of (q, r), exact numbers with q > 1 and r >= 0, meaning R_q <= r; or the
    Renyi divergence of a pair, of which the values at ``orders`` are taken.  Raises
    :class:`InputError` for other numbers, :class:`Undefined` where R_q is infinite.

    >>> from lapdp import gaussian
    >>> implied = implied_profile(gaussian(1).renyi, orders=[2, 4])
    >>> implied.bounds
    ((2, 1), (4, 2))
    >>> implied.at(2).lower > gaussian(1).profile.at(2).upper
    True
    """
    if isinstance(bounds, RenyiDivergence):
        if orders is None:
            raise InputError("name the orders of the Renyi divergence: orders=[2, 4, 8]")
        listed: list[Any] = [(q, bounds(q)) for q in orders]
    elif orders is not None:
        raise InputError("orders go with the Renyi divergence of a pair, not with a list of bounds")
    elif isinstance(bounds, str) or not isinstance(bounds, Iterable):
        raise InputError("bounds must be a list of pairs (q, r)")
    else:
        listed = list(bounds)
    found = []
    for k, bound in enumerate(listed):
        if not isinstance(bound, (tuple, list, sp.Tuple)) or len(bound) != 2:
            raise InputError(f"bounds[{k}] must be a pair (q, r)")
        q, r = exact_parameter("q", bound[0]), exact_parameter("r", bound[1])
        if q.free_symbols or r.free_symbols or not (q > 1 and r >= 0):
            raise InputError(f"bounds[{k}] = ({q}, {r}) needs numbers q > 1 and r >= 0")
        found.append((q, r))
    if not 1 <= len(found) <= MOST_ORDERS:
        raise InputError(f"give between 1 and {MOST_ORDERS} bounds (q, r)")
    return ImpliedProfile(tuple(found))


__all__ = ["ImpliedProfile", "implied_profile"]
