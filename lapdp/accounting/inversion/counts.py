"""The privacy profile of many releases with few losses on no common lattice: a sum over counts.

How often each loss of a release occurs in k copies is multinomial.  All counts but one are summed
over, the last one has binomial tails; no term is negative, so the relative error stays small.

Tilted by e^((gamma - 1) z), gamma >= 1, masses are those of another multinomial law, in which sums
near eps are likely.  Counts outside a window are left out: by Chernoff's bound their tilted mass is
at most e^-goal at each step, and what they contribute that times E_gamma e^((1 - gamma) eps).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import flint

from lapdp.accounting.inversion import lattice
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.saddle import saddle, weighed
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.binomial_tails import two_losses

MOST_TERMS = 15_000_000
"""Terms of all binomial tails together: about half a minute."""
FEW_BITS, QUICK = 48, 300_000
"""Of a choice; terms that take no time."""
PAIR = 2
START = 20
"""A tail is begun in the time of so many terms."""
CIRCLE = 500
"""A sum around the circle takes the time of so many."""


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, where all of them are atoms.

    Beside discrete Gaussians, whose atoms are infinitely many, all other counts are summed over.
    """
    ready = _prepared(factors, float(eps), bits)
    if ready.terms > MOST_TERMS:
        raise Unsupported(f"the sum over counts of losses has about {ready.terms:.1e} terms, more "
                          f"than {MOST_TERMS:.0e}")
    inner, laws, gamma = ready.inner, ready.laws, ready.gamma
    with workprec(ready.precision):
        total = flint.arb(0)
        for loss, weight, left in _all(laws, PAIR if inner is None else 0):
            total += weight * (laws[-1].tail(left, eps - loss) if inner is None
                               else lattice.delta(inner, eps - loss, bits + 10))
        size = ((1 - flint.arb(gamma)) * eps).exp()
        if inner is not None:
            size *= moment_bound(inner, gamma)
        for law in laws:
            size *= law.size ** law.count
        rest = ready.steps * flint.arb(-ready.goal).exp() * size
        return total + flint.arb(0).union(rest.upper())


class _Ready(NamedTuple):
    """A line, the laws on it, and how much is summed over."""

    inner: Factors | None
    laws: list[_Law]
    gamma: float
    goal: float
    steps: int
    precision: int
    terms: float


def _prepared(factors: Factors, eps: float, bits: int) -> _Ready:
    inner, parts = _split(factors)
    chosen = saddle(factors, eps, bits * LOG2)
    gamma, more = weighed(factors, eps, bits, chosen)
    steps = sum(len(atoms) for atoms, _ in parts)
    if not steps:
        raise Unsupported("no counts are to be summed over")
    goal = more * LOG2 + math.log(steps) + 3
    precision = bits + 3 * factors.count.bit_length() + int(gamma).bit_length() + 40
    with workprec(precision):
        laws = sorted((_Law.of(atoms, k, gamma, goal) for atoms, k in parts),
                      key=lambda law: law.count)
        return _Ready(inner, laws, gamma, goal, steps, precision, _terms(laws, inner is not None))


def is_quick(factors: Factors, eps: float) -> bool:
    """Are few terms summed over?  A choice."""
    with suppress(Unsupported):
        return _prepared(factors, eps, FEW_BITS).terms < QUICK
    return False


def has_many_losses(factors: Factors) -> bool:
    """Has a factor more than two atoms?  Else all sums, met in the middle, are fewer terms."""
    return any(isinstance(s, ExactSpectrum) and len(s.loss.impulses) > PAIR
               for s, _ in factors.parts)


def _split(factors: Factors) -> tuple[Factors | None, list[tuple[list[tuple[Any, Any]], int]]]:
    """Discrete Gaussians with all that lies on their lattice, and the atoms of the others."""
    inside = [part for part in factors.parts if isinstance(part[0], ThetaSpectrum)]
    others = [part for part in factors.parts if part not in inside]
    if inside:
        if lattice.lattice(Factors(tuple(inside))) is None:
            raise Unsupported("the discrete Gaussians lie on no common lattice")
        for part in list(others):
            if lattice.lattice(Factors((*inside, part))) is not None:
                inside.append(part)
                others.remove(part)
    atoms = [(_atoms(s), k) for s, k in others]
    return Factors(tuple(inside)) if inside else None, atoms


def _atoms(spectrum: Any) -> list[tuple[Any, Any]]:
    if not isinstance(spectrum, ExactSpectrum) or not spectrum.is_atomic:
        raise Unsupported("the losses are no finite number of atoms")
    return list(spectrum.loss.impulses.items())


@dataclass(frozen=True)
class _Law:
    """The losses of one release, its masses, and how many copies there are."""

    count: int
    losses: Sequence[Any]
    masses: Sequence[Any]
    tilted: Sequence[Any]
    goal: float

    @staticmethod
    def of(atoms: Sequence[tuple[Any, Any]], count: int, gamma: float, goal: float) -> _Law:
        rows = []
        for place, orders in atoms:
            z, mass = enclose(place, {}).real, enclose(orders[0], {}).real
            rows.append((z, mass, mass * ((flint.arb(gamma) - 1) * z).exp()))
        # the two likeliest stay for the binomial tail
        rows.sort(key=lambda row: row[2].mid())
        losses, masses, tilted = zip(*rows, strict=True)
        return _Law(count, losses, masses, tilted, goal)

    @property
    def size(self) -> Any:
        """E_gamma."""
        return sum(self.tilted, flint.arb(0))

    def width(self, level: int, left: int) -> int:
        """How many counts of one loss are summed over."""
        low, high = self.window(level, left)
        return high - low + 1

    def window(self, level: int, left: int) -> tuple[int, int]:
        """Counts of the loss ``level`` among ``left`` copies, tilted mass e^-goal left out."""
        rest = sum(self.tilted[level + 1:], flint.arb(0))
        share = self.tilted[level] / (self.tilted[level] + rest)
        return (left - _largest(left, 1 - share, self.goal + LOG2),
                _largest(left, share, self.goal + LOG2))

    def spread(self, keep: int, level: int = 0, left: int | None = None
               ) -> Iterator[tuple[Any, Any, int]]:
        """(sum of losses, mass, copies left) for all counts but those of the last ``keep``."""
        left = self.count if left is None else left
        if level >= len(self.losses) - keep:
            yield flint.arb(0), flint.arb(1), left
            return
        if level == len(self.losses) - 1:
            yield left * self.losses[level], self.masses[level] ** left, 0
            return
        low, high = self.window(level, left)
        weight = _ways(left, low) * self.masses[level] ** low
        for n in range(low, high + 1):
            for loss, mass, rest in self.spread(keep, level + 1, left - n):
                yield n * self.losses[level] + loss, weight * mass, rest
            weight = weight * self.masses[level] * (left - n) / (n + 1)

    def tail(self, left: int, eps: Any) -> Any:
        """The mean of max(0, 1 - e^(eps - Z)) over the last two losses of ``left`` copies."""
        last = list(zip(self.losses[-2:], self.masses[-2:], strict=True))
        return two_losses(last, left, eps)


def _all(laws: Sequence[_Law], keep: int) -> Iterator[tuple[Any, Any, int]]:
    """Those of all laws; the last one keeps some losses."""
    if len(laws) == 1:
        yield from laws[0].spread(keep)
        return
    for loss, mass, _ in laws[0].spread(0):
        for more, weight, left in _all(laws[1:], keep):
            yield loss + more, mass * weight, left


def _terms(laws: Sequence[_Law], on_lattice: bool) -> float:
    """About how many terms the sum has."""
    found = 1.0
    for law in laws:
        keep = PAIR if law is laws[-1] and not on_lattice else 1
        for level in range(len(law.losses) - keep):
            found *= law.width(level, law.count)
    if on_lattice:
        return found * CIRCLE
    last = laws[-1]
    return found * (START + (last.width(len(last.losses) - 2, last.count)
                             if len(last.losses) > 1 else 1))


def _largest(count: int, share: Any, goal: float) -> int:
    """A number of successes that is exceeded with probability e^-goal at most.

    Chernoff: Pr[X >= n] <= e^(-count KL(n/count, share)) for n/count >= share.
    """
    if not count:
        return 0

    def beyond(n: int, number: Callable[[Any], Any], log: Callable[[Any], Any]) -> Any:
        """The exponent of the bound."""
        p, rest = number(share), number(1 - share)
        if number is float and not (p and rest):
            return math.inf  # below all doubles: a choice, which balls then prove or move
        failed = (count - n) * log(number(count - n) / (count * rest)) if n < count else 0
        return n * log(number(n) / (count * p)) + failed

    low, high = min(count, math.floor(count * float(share.mid())) + 1), count + 1
    while low < high:
        middle = (low + high) // 2
        if middle > count or beyond(middle, float, math.log) > goal + 1e-6 * abs(goal):
            high = middle
        else:
            low = middle + 1
    # high is chosen in doubles; the bound is proved in balls
    while high <= count and not (high > count * share
                                 and beyond(high, flint.arb, flint.arb.log) > goal):
        high += 1
    return high - 1


def _ways(count: int, n: int) -> Any:
    """The binomial coefficient."""
    with workprec(flint.ctx.prec + 2 * count.bit_length() + 20):
        return (flint.arb(count + 1).lgamma() - flint.arb(n + 1).lgamma()
                - flint.arb(count - n + 1).lgamma()).exp()


__all__ = ["delta", "has_many_losses"]
