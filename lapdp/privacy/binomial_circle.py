"""The same profile for many copies: a sum around a circle, as long for ten copies as for 10^9.

Y is Binomial(k, p) under P, the losses are z_n = a (2 n - k), their step is h = 2a, and E_q =
(cosh((q - 1/2) a)/cosh(a/2))^k.  Under the masses that are weighed by e^((gamma - 1) z) Y is
Binomial(k, s) with the odds e^(2a(gamma - 1/2)), so that with N nodes, L = N h, v = e^(-2 pi i j/N)
and the first loss z_m above t

    (1/N) E_gamma e^((1-gamma) z_m) sum_j (1 - s + s/v)^k v^m (1/(1 - A v) - e^(t - z_m)/(1 - B v)),

A = e^(-(gamma-1) h), B = e^(-gamma h), is the sum over all whole n of g(t + n L) e^((gamma-1) n L),
g being delta for gamma > 1 and delta - 1 for 0 < gamma < 1: the rule of Chourasia et al. 2024,
(37), on a lattice (:mod:`lapdp.accounting.inversion.lattice` has it for any losses). The aliases n
!= 0 are bounded by Chernoff: delta(x) for q >= 1, 1 - delta(x) for 0 <= q <= 1 and delta(x) - 1 +
e^x for q <= 0 lie between 0 and e^((1-q) x) E_q; where g is not the one that q bounds, they differ
by 1 or e^x, whose aliases are geometric series. No term but the first one is larger than the
product of that one with |1 - s + s/v|^k, which falls up to half a turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.balls.decimals import MOST_POWER
from lapdp.balls.evaluate import GUARD
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

LOG2 = math.log(2)
FEWEST, MORE, SPARE = 24, 4, 12
"""Bits: of an answer, beyond those asked for, and for rounding."""
MANY = 1 << 16
"""Copies from which on a power is taken by the logarithm."""
FALLS = 4.0
"""Logarithm by which the first node that is left out falls below the goal."""
CLEAR = 1.5
"""Widths of the integrand between its line and the pole at 1."""
SHARES = (1.0, 0.6)
"""Of the distance at which a normal law has an order for its aliases: others that are tried."""


def above(k: int, a: Any, t: Any, first: int) -> Any:
    """E_P[max(0, 1 - e^(t - Z)); Y >= first] for t >= 0, where all of these lie above t.

    ``first`` is at most k; of the working precision :data:`~lapdp.balls.evaluate.GUARD` bits
    are for rounding. Raises :class:`Unsupported` where doubles do not reach far enough to
    choose a line, or delta is too small to be written.
    """
    bits = max(FEWEST, flint.ctx.prec - GUARD + MORE)
    try:
        line = _line(k, float(a), float(t), bits * LOG2)
    except (ArithmeticError, ValueError):
        raise Unsupported("doubles do not reach far enough to choose a line") from None
    if line.size < -MOST_POWER * LOG2:
        raise Unsupported(f"delta is below 2^-{MOST_POWER}: too small to be written")
    with workprec(bits + line.spare):
        return _sum(k, a, t, first, line)


def mass_bound(k: int, a: Any, place: int) -> Any:
    """An upper bound of P(Y = place): e^((1-q) z) E_q at an order near the best one."""
    x = min(max((2 * place - k) / k, -1 + 2.0**-40), 1 - 2.0**-40)
    order = flint.arb(0.5 + math.atanh(x) / float(a))
    return (((1 - order) * a * (2 * place - k)).exp() * _moment(k, a, order)).upper()


@dataclass(frozen=True)
class _Line:
    """Chosen in doubles; whatever is chosen, the answer is proved."""

    gamma: float
    nodes: int
    last: int
    """The last node that is worked out."""
    left: float
    right: float
    """Orders for the aliases on both sides."""
    spare: int
    """Bits."""
    size: float
    """About the logarithm of the answer."""


def _line(k: int, a: float, t: float, goal: float) -> _Line:
    """A line near the saddle, right of 1 or between 0 and 1, whose sum is short."""
    share = t / (k * a)
    curve = k * a * a * (1 - share * share)
    width, at = 1 / math.sqrt(curve), 0.5 + math.atanh(share) / a
    if at - 1 > -CLEAR * width:
        at = 1 + (at - 1 + math.hypot(at - 1, 2 * width)) / 2
    gamma = at if at != 1 else 1 + width

    base = _log_cosh(a / 2)

    def size(q: float) -> float:
        return (1 - q) * t + k * (_log_cosh((q - 0.5) * a) - base)

    whole = 0.0 if gamma < 1 else size(gamma) - math.log(gamma * (gamma - 1)) - math.log(
        2 * math.pi * max(1.0, curve)) / 2
    reach = math.sqrt(2 * goal) * width

    def period(order: float) -> float:
        return (size(order) + 2 + goal - whole) / abs(order - gamma)

    orders = [gamma + sign * reach * x for x in SHARES for sign in (-1, 1)] + [0.0, 1.0]
    left = min((q for q in orders if q < gamma), key=period)
    right = min((q for q in orders if q > gamma), key=period)
    nodes = math.ceil(max(period(left), period(right)) / (2 * a)) + 1
    # what is taken off cancels where it is larger than the answer
    lost = max(0.0, -abs(gamma - 1) * 2 * a * nodes - whole if left < 1 < gamma else 0.0,
               t - gamma * 2 * a * nodes - whole if left <= 0 else 0.0)
    spread = 1 / (2 + 2 * math.cosh(min(600.0, 2 * a * (gamma - 0.5))))
    falls = (goal + lost + FALLS) / (2 * k * spread)
    last = nodes // 2 if falls >= 1 else min(nodes // 2, math.ceil(
        nodes / math.pi * math.asin(math.sqrt(falls))))
    # a power loses log2 k bits, (1 - A v)(1 - B v) near 1 twice those of the number of nodes
    spare = (SPARE + max(k.bit_length(), 2 * nodes.bit_length()) + math.ceil(lost / LOG2)
             + int(abs(gamma) + width).bit_length() + int(abs(size(gamma))).bit_length() // 2)
    return _Line(gamma, nodes, last, left, right, spare, whole)


def _log_cosh(x: float) -> float:
    return abs(x) + math.log1p(math.exp(-2 * abs(x))) - LOG2


def _moment(k: int, a: Any, q: Any) -> Any:
    """E_q."""
    return (((q - flint.arb(1) / 2) * a).cosh() / (a / 2).cosh()) ** k


def _sum(k: int, a: Any, t: Any, first: int, line: _Line) -> Any:
    gamma, nodes, step = flint.arb(line.gamma), line.nodes, 2 * a
    loss = a * (2 * first - k)
    share = 1 / (1 + (-step * (gamma - flint.arb(1) / 2)).exp())
    near, far = ((1 - gamma) * step).exp(), (-gamma * step).exp()
    # over the product of both denominators the difference is c - d v with c >= 0 and d <= 0
    c = -(t - loss).expm1()
    d = near * (t - loss).exp() * (loss - t - step).expm1()
    other = 1 - share
    one, down = _turn(1, nodes), _turn(-first, nodes)
    up = turned = flint.acb(1)
    greatest = (c - d) / ((1 - near) * (1 - far))
    total = greatest / 2
    both, last, less = near + far, near * far, -d
    for j in range(1, line.last + 1):
        up, turned = up * one, turned * down
        back = up.conjugate()
        # complex numbers first: python-flint takes several times as long the other way round
        value = (_power(up * share + other, k) * turned * (back * less + c)
                 / ((back * last - both) * back + 1)).real
        total += value if 2 * j != nodes else value / 2
    total = 2 * total + flint.arb(0, (_others(k, share, line) * abs(greatest)).upper())
    return (total * _moment(k, a, gamma) * ((1 - gamma) * loss).exp() / nodes
            + _aliases(k, a, t, line))


def _power(z: Any, k: int) -> Any:
    """z^k: squares take longer than a logarithm from many copies on."""
    return z ** k if k < MANY else (z.log() * k).exp()


def _turn(part: int, nodes: int) -> Any:
    """e^(2 pi i part/nodes)."""
    sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * (part % nodes), nodes))
    return flint.acb(cosine, sine)


def _others(k: int, share: Any, line: _Line) -> Any:
    """A bound of the sum of |1 - s + s/v|^k over the nodes that are left out: of those up to twice
    as far the first one is the largest, as it is of all others."""
    total, before = flint.arb(0), line.last
    half = line.nodes // 2
    for last in (min(2 * line.last + 1, half), half):
        if last > before:
            sine = flint.arb.sin_pi_fmpq(flint.fmpq(before + 1, line.nodes))
            square = (1 - 4 * share * (1 - share) * sine * sine).max(flint.arb(0))
            total += 2 * (last - before) * square.upper() ** (k // 2)
            before = last
    return total


def _aliases(k: int, a: Any, t: Any, line: _Line) -> Any:
    """What is to be added to the sum for delta."""
    gamma, period = flint.arb(line.gamma), 2 * a * line.nodes
    if not line.left < line.gamma < line.right or line.gamma == 1 or line.gamma <= 0:
        raise Unsupported("the orders chosen in doubles are not on both sides of the line")
    found = flint.arb(0 if line.gamma > 1 else 1)
    for order in (line.left, line.right):
        q = flint.arb(order)
        between = (order >= 1) - (line.gamma > 1)
        if between:
            near = (-abs(1 - gamma) * period).exp()
            found += between * near / (1 - near)
        if order <= 0:
            far = (-gamma * period).exp()
            found += t.exp() * far / (1 - far)
        fall = (-abs(q - gamma) * period).exp()
        rest = flint.arb(0).union((((1 - q) * t).exp() * _moment(k, a, q) * fall / (1 - fall)
                                   ).upper())
        found += rest if 0 < order < 1 else -rest
    return found


__all__ = ["above", "mass_bound"]
