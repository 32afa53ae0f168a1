"""The privacy profile of many releases by the inversion integral, Chourasia et al. 2024, (37).

Let E_q be the product of the moments of all factors, finite losses only, and M, N the P-mass and
Q-mass that they hold.  On a vertical line Re q = gamma the trapezoidal rule of step h gives

    (h/2 pi) sum_j e^((1-q_j) eps) E_{q_j}/(q_j (q_j - 1)) = sum_n g(eps + n L) e^((gamma-1) n L),

L = 2 pi/h, by Poisson's summation formula, where g is delta for gamma > 1, delta - M for 0 < gamma
< 1 and delta - M + N e^eps for gamma < 0 (finite losses only): the residues at q = 1 and q = 0.  So
the error of the rule is the sum over n != 0, of one sign, and is bounded by Chernoff's bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.lines import LOG2, Spectrum
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported

MOST_NODES = 200_000
MOST_TERMS = 30_000_000
"""Terms of all moments on a line: about a minute."""


@dataclass(frozen=True, eq=False)
class Factors:
    """Independent releases: (moments, how many of them)."""

    parts: tuple[tuple[Spectrum, int], ...]

    @property
    def count(self) -> int:
        """How many releases there are."""
        return sum(k for _, k in self.parts)

    def finite_mass(self) -> Any:
        """Pr[Z < oo], the product over all releases."""
        mass = flint.arb(1)
        for s, k in self.parts:
            mass *= s.finite_mass() ** k
        return mass

    def largest(self) -> Form | None:
        """The largest finite loss of the product; None where there is none."""
        total = Form({})
        for s, k in self.parts:
            here = s.largest
            if here is None:
                return None
            total = total + here * Form.of(k)
        return total

    def refuse_many_terms(self, nodes: int, gamma: float, height: float, bits: int) -> None:
        """:class:`Unsupported` where the moments at the nodes would take minutes."""
        inner = sum(s.terms(gamma, height, bits) for s, _ in self.parts)
        if nodes * inner > MOST_TERMS:
            raise Unsupported(f"the rule needs {nodes} nodes times {inner} terms of their moments, "
                              f"more than {MOST_TERMS}")

    @property
    def lower(self) -> float:
        """Orders above it have finite moments."""
        return max(s.lower for s, _ in self.parts)

    @property
    def upper(self) -> float:
        """Orders below it have finite moments."""
        return min(s.upper for s, _ in self.parts)

    def log_moment(self, order: float) -> float:
        """log E at a real order, nearly."""
        return sum(k * s.log_moment(order) for s, k in self.parts)

    def log_decay(self, gamma: float, height: float) -> float:
        """log |E| at a complex order, nearly or somewhat above."""
        return sum(k * s.log_decay(gamma, height) for s, k in self.parts)


@dataclass(frozen=True)
class Saddle:
    """A line and a period, chosen in doubles; whatever is chosen, the answer is proved."""

    gamma: float
    period: float
    other: float
    """Another order, for the aliases to the right."""
    width: float
    """About the width of the integrand."""


def saddle(factors: Factors, eps: float, goal: float) -> Saddle:
    """A line near the saddle of the integrand, right of 1 where delta is small, with a period whose
    aliases are below e^-goal, relatively."""
    def exponent(g: float) -> float:
        return (1 - g) * eps + factors.log_moment(g) - math.log(abs(g * (g - 1)))

    gamma = _least(exponent, 1.0, factors.upper)
    spread = _curvature(exponent, gamma)
    if (gamma - 1) * math.sqrt(spread) < 1.5:
        # delta is no small number: keep clear of the pole at 1
        inside = _least(exponent, 0.0, 1.0)
        gamma = inside if exponent(inside) < exponent(gamma) + 2 else gamma
    gamma = _rounded(gamma, _curvature(exponent, gamma))
    curvature = _curvature(exponent, gamma)
    if not math.isfinite(exponent(gamma)):
        raise Unsupported("no line is found: its order is too large for doubles")
    size = exponent(gamma) - math.log(2 * math.pi * max(1.0, curvature)) / 2
    period, other = _period(factors, eps, gamma, size - goal)
    return Saddle(gamma, 2.0 ** (math.ceil(8 * math.log2(period)) / 8), other,
                  1 / math.sqrt(curvature))


def _rounded(gamma: float, curvature: float) -> float:
    """A line nearby, the same for a range of eps: what is known on it serves them all."""
    room = abs(gamma - 1) if gamma > 1 else min(gamma, 1 - gamma)
    finest = min(room, 1 / math.sqrt(curvature)) / 4
    if not finest > 0:
        raise Unsupported("no line is found: its order is too large for doubles")
    grid = 2.0 ** math.floor(math.log2(finest))
    return grid * round(gamma / grid)


def _least(f: Any, low: float, high: float) -> float:
    """Nearly the least place of a convex function on an open interval, high may be infinite."""
    if math.isinf(high):
        far = 1.0
        while f(low + 2 * far) < f(low + far):
            far *= 2
        high = low + 2 * far
    else:
        width = high - low
        low, high = low + 1e-9 * width, high - 1e-9 * width
    golden = (math.sqrt(5) - 1) / 2
    a, b = (low + 1e-300 if low == 0 else low * (1 + 1e-12)), high
    c, d = b - golden * (b - a), a + golden * (b - a)
    fc, fd = f(c), f(d)
    for _ in range(60):
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - golden * (b - a)
            fc = f(c)
        else:
            a, c, fc = c, d, fd
            d = a + golden * (b - a)
            fd = f(d)
        if b - a < 1e-4 * abs(a - 1):
            break
    return (a + b) / 2


def _curvature(f: Any, x: float) -> float:
    h = 1e-3 * min(abs(x - 1), abs(x)) or 1e-9
    found: float = (f(x + h) - 2 * f(x) + f(x - h)) / (h * h)
    return max(1e-12, found)


def _period(factors: Factors, eps: float, gamma: float, goal: float) -> tuple[float, float]:
    """The least period, nearly, whose aliases are below e^goal, and the order to prove it with."""
    if 0 < gamma < 1:
        # (M, N <= 1): e^(-(1-gamma) L) and e^eps e^(-gamma L)
        return max((2 - goal) / (1 - gamma), (2 - goal + max(0.0, eps)) / gamma), gamma
    left = (2 - goal) / (gamma - 1)
    best = (math.inf, gamma)
    gap = gamma - 1
    for k in range(-8, 12):
        other = gamma + gap * 2.0 ** (k / 2)
        if not other < factors.upper:
            continue
        right = (factors.log_moment(other) + (1 - other) * eps + 2 - goal) / (other - gamma)
        if right < best[0]:
            best = (right, other)
    if math.isinf(best[0]):
        raise Unsupported("the line lies too near the order from which moments are infinite")
    return max(left, best[0]), best[1]


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses: E_P[max(0, 1 - e^(eps - Z)); Z finite].

    ``eps`` is a real ball.  Raises :class:`Unsupported` where no factor's moments decay.
    """
    chosen = saddle(factors, float(eps), bits * LOG2)
    top = height(factors, chosen, bits * LOG2)
    nodes = 2 ** math.ceil(2 * math.log2(top * chosen.period / (2 * math.pi)))
    nodes = math.isqrt(nodes) + 1
    bits = 32 * -(-bits // 32)
    if nodes > MOST_NODES:
        raise Unsupported(f"the rule needs {nodes} nodes, more than {MOST_NODES}")
    factors.refuse_many_terms(nodes, chosen.gamma, 2 * math.pi / chosen.period * nodes,
                              bits + factors.count.bit_length() + 10)
    table = _table(factors, chosen.gamma, chosen.period, nodes, bits)
    with flint.ctx.workprec(table.precision):
        return unfold(factors, eps, chosen, table.total(eps))


def height(factors: Factors, chosen: Saddle, goal: float) -> float:
    """Where the integrand has fallen by e^-goal, nearly."""
    top, whole = chosen.width, factors.log_moment(chosen.gamma)
    while factors.log_decay(chosen.gamma, top) - whole > -goal - 2:
        top *= 1.2
        if top > 1e12:
            raise Unsupported("the moments do not decay along the line: atoms are left")
    return top


@dataclass(frozen=True)
class Table:
    """E_q/(q (q - 1)) at the nodes of a rule, for every eps."""

    gamma: Any
    step: Any
    values: tuple[tuple[Any, Any], ...]
    """(q, value); the first has half the weight."""
    rest: Any
    """A bound of the sum over all further nodes, without the factor e^((1 - gamma) eps)."""
    precision: int

    def total(self, eps: Any) -> Any:
        """The rule at one eps."""
        found = flint.arb(0)
        for j, (q, value) in enumerate(self.values):
            term = (((1 - q) * eps).exp() * value).real
            found += term if j else term / 2
        rest = (((1 - self.gamma) * eps).exp() * self.rest).upper()
        return found * self.step / flint.arb.pi() + flint.arb(0, rest)


@lru_cache(maxsize=32)
def _table(factors: Factors, gamma: float, period: float, nodes: int, bits: int) -> Table:
    inner = bits + factors.count.bit_length() + 10
    precision = inner + 20 + int(abs(gamma)).bit_length()
    with flint.ctx.workprec(precision):
        abscissa = flint.arb(gamma)
        step = 2 * flint.arb.pi() / flint.arb(period)
        lines = [(s.line(abscissa, 2 * math.pi / period * nodes, inner), k)
                 for s, k in factors.parts]
        values = []
        for j in range(nodes + 1):
            u = step * j
            q = flint.acb(abscissa, u)
            value = 1 / (q * (q - 1))
            for line, k in lines:
                value *= line.at(u) ** k
            values.append((q, value))
        # |q (q - 1)| >= u^2, and the sum over j > N of 1/(h j)^2 is at most 1/(h^2 N)
        rest = 1 / (flint.arb.pi() * step * nodes)
        for line, k in lines:
            rest *= line.decay(step * nodes) ** k
        return Table(abscissa, step, tuple(values), rest, precision)


def unfold(factors: Factors, eps: Any, chosen: Saddle, total: Any) -> Any:
    """delta from the sum of the rule: residues added, aliases taken off."""
    gamma, period = flint.arb(chosen.gamma), flint.arb(chosen.period)
    if 0 < chosen.gamma < 1:
        right = (-(1 - gamma) * period).exp()
        left = (-gamma * period).exp()
        alias = right / (1 - right) + eps.exp() * left / (1 - left)
        return factors.finite_mass() + total + _between(flint.arb(0), alias)
    left = (-(gamma - 1) * period).exp()
    alias = left / (1 - left)
    other = flint.arb(chosen.other)
    # Chernoff's bound of Pr[Z > eps + n L], which is no smaller than delta there
    size = ((1 - other) * eps).exp() * _moment(factors, chosen.other)
    right = (-(other - gamma) * period).exp()
    alias += size * right / (1 - right)
    return total - _between(flint.arb(0), alias)


@lru_cache(maxsize=256)
def _moment(factors: Factors, order: float) -> Any:
    """An upper bound of E at a real order."""
    size = flint.arb(1)
    with flint.ctx.workprec(64 + factors.count.bit_length()):
        for s, k in factors.parts:
            size *= s.line(flint.arb(order), 0.0, 20).decay(flint.arb(0)) ** k
    return size.upper()


def _between(low: Any, high: Any) -> Any:
    """A ball around all numbers from one to the other."""
    return low.union(high)


__all__ = ["Factors", "Saddle", "delta", "saddle", "unfold"]
