"""delta of releases whose losses have atoms and continuous parts: the few continuous draws apart.

With A and D the moments of the atoms and of the rest, E^k is the sum of C(k, j) A^(k-j) D^j.  Along
a vertical line A does not decay, and D like 1/u.  So what j <= J draws from the continuous part
contribute is computed on the line of losses, from polynomial approximants of the density and all
sums of atoms; what is left decays like u^-(J+1), beside the 1/u^2 of the inversion integral, and is
a measure of its own, to which the rule applies as it stands.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import contour
from lapdp.accounting.inversion.contour import Table, unfold
from lapdp.accounting.inversion.few import few, is_bounded, pieced
from lapdp.accounting.inversion.near_end import more_draws
from lapdp.accounting.inversion.saddle import Saddle, beside, in_steps, saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_DRAWS, FEW = (14, 7, 4, 2), 5
"""Draws that are taken apart, fewer where they take too long; so many releases need no line."""
MOST_NODES, MOST_TERMS = 20_000, 10_000
ENOUGH = 250
"""Nodes of a rule for which no more draws are taken apart."""
SHIFTS = (0.0, 1.0, 2.0, 3.0, 4.5)
"""Lines tried, in standard deviations of the loss right of the saddle: where little decays, a short
period is worth the digits that it costs."""
GROWTH, MOST_STEPS = 1.2, 80
NODE, DRAW = 60, 70
"""Microseconds for a node beside one for each term of its moments, and for one draw apart, which
grow with the fifth power of their number, nearly."""
TINY = 1e-300


def splits(factors: Factors) -> bool:
    """Are all factors of atoms and pieces, and some of them outside the exact class?"""
    return reaches(factors) and any(isinstance(s, PiecewiseSpectrum) for s, _ in factors.parts)


def reaches(factors: Factors) -> bool:
    """Can all factors be taken as atoms and pieces?"""
    return in_pieces(factors) is not None


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    ``eps`` is a ball of more bits than :data:`~lapdp.accounting.inversion.few.MOST_BITS`, or exact.
    Raises :class:`Unsupported` where too many sums or nodes are needed.
    """
    taken = in_pieces(factors)
    if taken is None:
        raise Unsupported("some losses have neither atoms nor pieces")
    factors, bits = taken, 8 * -(-bits // 8)
    bounded = is_bounded(factors)
    if factors.count <= FEW and bounded:
        # else with fewer draws apart
        with suppress(Unsupported):
            return few(factors, factors.count, eps, bits)
    all_apart = bounded and FEW < factors.count <= MOST_DRAWS[0]
    if all_apart:
        # next to the largest loss the laws hardly cancel
        with suppress(Unsupported):
            return few(factors, factors.count, eps, bits, once=True)
    line = saddle(factors, float(eps), bits * LOG2)
    if line.size < contour.LEAST:
        return contour.delta(factors, eps, bits)
    problems: list[Unsupported] = []
    try:
        # a few releases without atoms may be too few for a line
        if _vanishes(factors, line.gamma, bits * LOG2):
            return contour.delta(factors, eps, bits)
    except Unsupported as problem:
        problems.append(problem)
    for most in MOST_DRAWS if bounded else (0,):
        try:
            return _apart(factors, line, eps, bits, most)
        except Unsupported as problem:
            problems.append(problem)
    if all_apart:
        with suppress(Unsupported):
            return few(factors, factors.count, eps, bits)
    raise problems[0]


def _apart(factors: Factors, line: Saddle, eps: Any, bits: int, most: int) -> Any:
    """With at most so many draws apart."""
    choice = _choice(factors, line, float(eps), bits * LOG2, most)
    if choice.draws >= factors.count:
        return few(factors, factors.count, eps, bits)
    found = few(factors, choice.draws, eps, bits, math.exp(max(-700.0, line.size - 5)))
    rest = without_atoms(factors, choice.draws)
    table = _table(rest, choice.line.gamma, choice.line.period, choice.nodes,
                   bits + 16 * math.ceil(choice.lost / LOG2 / 16))
    with workprec(table.precision):
        return found + unfold(rest, eps, choice.line, table.total(eps))


@dataclass(frozen=True, eq=False)
class _Rest(Factors):
    """The releases with more than a number of draws from the continuous parts."""

    draws: int = 0

    def finite_mass(self) -> Any:
        """The probability of that, all losses being finite."""
        masses = []
        for s, k in pieced(self):
            atoms = sum((atom.balls()[1] for atom in s.atoms), flint.arb(0))
            masses.append((atoms, s.finite_mass() - atoms, k))
        return _beyond(masses, self.draws)

    def bound(self, gamma: float, height: float) -> Any:
        """A bound of its moment at gamma + iu for all u >= height."""
        decays = [(s.decay(gamma), k) for s, k in pieced(self)]
        return more_draws([(d.atoms, d.pieces(height), k) for d, k in decays], self.draws).upper()


@lru_cache(maxsize=32)
def without_atoms(factors: Factors, draws: int) -> _Rest:
    """The releases with more than so many draws: the same object each time, tables are kept by it.
    """
    return _Rest(factors.parts, draws)


def _beyond(moments: Sequence[tuple[Any, Any, int]], draws: int) -> Any:
    """The sum over more than so many draws of the product of C(k, j) A^(k-j) D^j."""
    whole, few = None, None
    for a, d, k in moments:
        power, row = (a + d) ** k, _row(a, d, k, min(k, draws))
        whole = power if whole is None else whole * power
        few = row if few is None else [
            sum(few[i] * row[j - i] for i in range(len(few)) if 0 <= j - i < len(row))
            for j in range(min(draws, len(few) + len(row) - 2) + 1)]
    assert whole is not None and few is not None
    return whole - sum(few)


def _row(a: Any, d: Any, k: int, most: int) -> list[Any]:
    """C(k, j) a^(k-j) d^j for j up to ``most``."""
    left = [a ** (k - most)]
    for _ in range(most):
        left.append(left[-1] * a)
    found, right = [], 1
    for ways, power in zip(_ways(k, most), reversed(left), strict=True):
        found.append(power * right * ways)
        right = right * d
    return found


@lru_cache(maxsize=64)
def _ways(k: int, most: int) -> list[int]:
    return [math.comb(k, j) for j in range(most + 1)]


def _vanishes(factors: Factors, gamma: float, goal: float) -> bool:
    """Are the atoms of all releases together negligible?"""
    fall = 0.0
    for s, k in pieced(factors):
        decay = s.decay(gamma)
        fall -= k * math.log(max(1e-300, float(decay.atoms / decay.whole)))
    return fall > goal + 5


# -- choices ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Choice:
    draws: int
    line: Saddle
    nodes: int
    lost: float
    """By how much, as a logarithm, the integrand is larger than at the saddle."""
    terms: float
    """Of the moments at one node, nearly."""

    @property
    def cost(self) -> float:
        """Microseconds, nearly."""
        return self.nodes * (NODE + self.terms) + DRAW * self.draws**5


def _choice(factors: Factors, line: Saddle, eps: float, goal: float, most: int) -> _Choice:
    """How many draws are taken apart, and the line and the nodes for the rest."""
    def exponent(g: float) -> float:
        return (1 - g) * eps + factors.log_moment(g) - math.log(abs(g * (g - 1)))

    best: _Choice | None = None
    spans = [s.span for s, _ in pieced(factors)]
    for shift in SHIFTS:
        if shift and line.gamma < 1:
            break
        # in steps: one table serves many points
        gamma = line.gamma + math.ceil(8 * shift * line.width) / 8
        lost = max(0.0, exponent(gamma) - exponent(line.gamma))
        if shift and not (gamma < factors.upper and lost < goal):
            break
        other = beside(factors, eps, gamma, line.size, goal) if shift else line
        for draws, height in draws_and_heights(factors, other, goal + lost, most):
            nodes = math.ceil(min(height * other.period / (2 * math.pi), 1e9))
            terms = sum(20 + height * span / 2 for span in spans)
            if draws < factors.count and terms > MOST_TERMS:
                continue
            found = _Choice(draws, other, nodes, lost, terms)
            if best is None or found.cost < best.cost:
                best = found
            if nodes < ENOUGH:
                break
    if best is None:
        raise Unsupported(f"with at most {most} draws from the continuous part apart the moments "
                          f"need more than {MOST_TERMS} terms")
    if best.nodes > MOST_NODES and best.draws < factors.count:
        raise Unsupported(f"with {best.draws} draws from the continuous part apart the rule needs "
                          f"{best.nodes} nodes, more than {MOST_NODES}")
    return replace(best, nodes=in_steps(best.nodes + 1))


def on_line(factors: Factors, line: Saddle, goal: float) -> _Choice:
    """The same on a line that is given."""
    spans = [s.span for s, _ in pieced(factors)]
    found = []
    most = MOST_DRAWS[0] if is_bounded(factors) else 0
    for draws, height in draws_and_heights(factors, line, goal, most):
        nodes = math.ceil(min(height * line.period / (2 * math.pi), 1e9))
        terms = sum(20 + height * span / 2 for span in spans)
        if draws == factors.count or (nodes <= MOST_NODES and terms <= MOST_TERMS):
            found.append(_Choice(draws, line, nodes + 1, 0.0, terms))
        if nodes < ENOUGH:
            break
    if not found:
        raise Unsupported("on the line for all places the moments hardly decay")
    return min(found, key=lambda choice: choice.cost)


def draws_and_heights(factors: Factors, line: Saddle, goal: float, most: int
             ) -> Iterator[tuple[int, float]]:
    """For each number of draws the height where the bound of the rest has fallen by e^-goal,
    nearly; 0 where no rest is left."""
    draws, limit = 0, math.exp(max(-700.0, -goal - 2))
    # the nodes left out have 1/u^2 where those at the saddle have 1/(q (q - 1))
    kernel = 1.25 * line.width / abs(line.gamma * (line.gamma - 1))
    decays = [(s.decay(line.gamma), k) for s, k in pieced(factors)]

    def fallen(j: int) -> bool:
        height = line.width * GROWTH**j
        return _share(rows, _pieces(factors, line.gamma, height), draws) < limit * max(
            1.0, kernel * height)

    rows = [(float(d.atoms / d.whole), k) for d, k in decays]
    while draws <= min(most, factors.count):
        if draws == factors.count:
            yield draws, 0.0
        else:
            # the bound falls with the height
            low = bisect_left(range(MOST_STEPS), True, key=fallen)
            yield draws, line.width * GROWTH**low if low < MOST_STEPS else 1e12
        draws += 1


@lru_cache(maxsize=2048)
def _pieces(factors: Factors, gamma: float, height: float) -> list[float]:
    """Bounds of what the continuous parts contribute from a height on, as shares of the whole."""
    return [float(d.pieces(height) / d.whole) for d in (
        s.decay(gamma) for s, _ in pieced(factors))]


def _share(rows: Sequence[tuple[float, int]], shares: Sequence[float], draws: int) -> float:
    """The bound of the rest as a share of the whole, in doubles."""
    total = [1.0]
    for (a, k), d in zip(rows, shares, strict=True):
        last = min(k, 3 * draws + 60)
        spend(1.5 * last)
        row = [_term(a, d, k, j) for j in range(last + 1)]
        if last < k and a + d > 0 and d > 0:
            # all further terms together: C(k, j) <= C(k, n) C(k - n, j - n) for j >= n
            n = last + 1
            log = min(_log_ways(k, n) + n * math.log(d / (a + d)), 0.0) + k * math.log(a + d)
            row.append(math.exp(min(log, 700.0)))
        while len(row) > 1 and row[-1] < TINY:
            row.pop()
        total = _product(total, row)
    return sum(total[draws + 1:])


def _product(one: list[float], other: list[float]) -> list[float]:
    """Of two polynomials."""
    found = [0.0] * (len(one) + len(other) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(other, i):
            found[j] += x * y
    return found


def _term(a: float, d: float, k: int, j: int) -> float:
    """C(k, j) a^(k-j) d^j."""
    if (a <= 0 and j < k) or (d <= 0 and j):
        return 0.0
    log = _log_ways(k, j)
    log += ((k - j) * math.log(a) if j < k else 0.0) + (j * math.log(d) if j else 0.0)
    return math.exp(min(log, 700.0))


@lru_cache(maxsize=4096)
def _log_ways(k: int, j: int) -> float:
    return math.lgamma(k + 1) - math.lgamma(j + 1) - math.lgamma(k - j + 1)


# -- the contour ------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _table(rest: _Rest, gamma: float, period: float, nodes: int, bits: int) -> Table:
    inner = bits + rest.count.bit_length() + 6
    precision = inner + 16 + int(abs(gamma)).bit_length()
    top = 2 * math.pi / period * nodes
    rest.work(nodes, gamma, top, inner)
    kinds, draws = len(pieced(rest)), rest.draws
    spend(nodes * (kinds * (10 + 1.5 * draws) + (kinds - 1) * draws**2 / 4))
    with workprec(precision):
        abscissa = flint.arb(gamma)
        step = 2 * flint.arb.pi() / flint.arb(period)
        grids = [(*s.line(abscissa, top, inner).parts(step, nodes), k)
                 for s, k in pieced(rest)]
        values = []
        for j in range(nodes + 1):
            q = flint.acb(abscissa, step * j)
            value = _beyond([(a[j], d[j], k) for a, d, k in grids], rest.draws) / (q * (q - 1))
            values.append(value if j else value / 2)
        low = math.nextafter(float((step * nodes).lower()), 0.0)
        bound = rest.bound(gamma, low) / (flint.arb.pi() * step * nodes)
        width = math.isqrt(nodes) + 1
        values += [flint.acb(0)] * (-len(values) % width)
        return Table(abscissa, step, flint.acb_mat(len(values) // width, width, values), bound,
                     precision)


__all__ = ["FEW", "delta", "draws_and_heights", "on_line", "reaches", "splits", "without_atoms"]
