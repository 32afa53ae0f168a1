"""Moments of overlapping mixtures of two discrete Gaussians: atoms on no lattice.

Under Q a whole number x has a mass proportional to e^(-x^2/(2 v)), and log(P/Q) is l = x d/v -
kappa there, kappa = d^2/(2 v).  So E_q of (w P + (1 - w) Q, u P + (1 - u) Q) is

    sum over x of e^(-x^2/(2 v)) z1^q z2^(1-q)/theta_3(0),  z1 = 1 - w + w e^l, z2 = 1 - u + u e^l,

a sum of powers of e^(iu(log z1 - log z2)) with positive weights.  What is left out on either side
is below a sum of c e^(s l), whose terms are c e^(kappa s (s-1)) e^(-(x - s d)^2/(2 v)): from a
distance r of s d on they fall by e^(-r/v) at least from one to the next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint

from lapdp.accounting.moments.coarse_atoms import CoarseAtoms
from lapdp.accounting.moments.lines import LOG2, Number, Sizes
from lapdp.accounting.moments.mixed_bounds import bounds
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.accounting.moments.theta import all_masses
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 20_000
"""Atoms of one release."""
ROOM, ROUGH = 8, 40
"""Bits beyond those that are asked for; bits of choices."""
STRIDE = 4
"""Atoms to a deviation that choices look at."""
ATOM, NEW_ATOM = 1.5, 4
"""Steps for each atom of a line, and for one that no line has had."""


@dataclass(frozen=True)
class MixedThetaSpectrum:
    """The moments of the two mixtures, for every order."""

    first: Number
    second: Number
    variance: Number
    shift: int
    lower: float = -math.inf
    upper: float = math.inf
    poles: tuple[float, ...] = ()

    @property
    def largest(self) -> Form | None:
        """The losses stay below log(w/u)."""
        w, u = self.first.exact, self.second.exact
        return log_form(to_scalar(w / u)) if u != 0 else None

    @cached_property
    def doubles(self) -> tuple[float, float, float]:
        """The weights and the variance, for choices only."""
        return float(self.first), float(self.second), float(self.variance)

    def log_moment(self, order: float) -> float:
        """By some of the atoms, in doubles."""
        return self._sizes[order]

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self._log_size)

    def _log_size(self, order: float) -> float:
        stride = self._stride
        middle = max(self._coarse.log_term(round(x), order) for x in self._middles(order))
        low, high = self._ends(order, middle - ROUGH * LOG2)
        if not 0 <= high - low <= MOST_NODES * stride:
            # too many, or doubles do not tell the ends
            return math.inf
        return self._coarse.log_sum(order, low // stride, -(-high // stride))

    @cached_property
    def atoms(self) -> Atoms:
        """Those that lines have asked for."""
        return Atoms(self)

    @cached_property
    def _coarse(self) -> CoarseAtoms:
        return CoarseAtoms(*self.doubles, self.shift, self._stride)

    @property
    def _stride(self) -> int:
        return max(1, math.floor(math.sqrt(self.doubles[2]) / STRIDE))

    def _bounds(self, order: float, side: int) -> list[tuple[float, float]]:
        """(log c, s) for the sum of c e^(s l) that bounds the terms on a side."""
        w, u, _ = map(flint.arb, self.doubles)
        # a power of so high an order takes as many bits more
        with workprec(64 + max(0, math.frexp(order)[1])):
            return [(float(c.log()), float(s)) for c, s in bounds(
                (w, u), (flint.arb(order), flint.arb(1 - order)), side) if not c.is_zero()]

    def _middles(self, order: float) -> tuple[float, float]:
        """The first and the last place around which a bound falls on both sides."""
        found = [s * self.shift for side in (-1, 1) for _, s in self._bounds(order, side)]
        return min(found), max(found)

    def _ends(self, order: float, size: float) -> tuple[int, int]:
        """Beyond which the bounds of all terms are below e^size, without the constant of Q."""
        return self._end(order, size, -1), self._end(order, size, 1)

    def _end(self, order: float, size: float, side: int) -> int:
        v, terms = self.doubles[2], self._bounds(order, side)
        start = side * math.ceil(max(side * s * self.shift for _, s in terms))

        def stands(gap: int) -> bool:
            x = start + side * gap
            return any(c + s * (x - self.shift / 2) * self.shift / v - x * x / (2 * v) > size
                       for c, s in terms)

        high = 1
        while stands(high):
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if stands(middle) else (low, middle)
        return start + side * high

    def log_decay(self, gamma: float, height: float) -> float:
        """The atoms lie on no lattice: they may come back to where they were at any height."""
        return self.log_moment(gamma)

    def finite_mass(self) -> Any:
        """1: all whole numbers have mass on both sides."""
        return flint.arb(1)

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """The atoms that count."""
        low, high = self._taken(gamma, bits)
        return high - low + 1

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> MixedThetaLine:
        """At any height."""
        return MixedThetaLine(self, gamma, *self._taken(float(gamma), bits))

    def _taken(self, gamma: float, bits: int) -> tuple[int, int]:
        """The first and the last atom of a sum to so many bits."""
        whole = math.log(2 * math.pi * max(self.doubles[2], 0.2)) / 2
        low, high = self._ends(gamma, self.log_moment(gamma) + whole - (bits + ROOM) * LOG2)
        if high < low:
            raise Unsupported("doubles do not tell which atoms count")
        if high - low >= MOST_NODES:
            raise Unsupported(f"a release has {high - low + 1} atoms, more than {MOST_NODES}")
        return low, high


class Atoms:
    """log(z1/z2) and log z2 - x^2/(2 v) of atoms x next to each other, which serve all orders, at
    the precision at hand or a higher one."""

    def __init__(self, spectrum: MixedThetaSpectrum) -> None:
        self.spectrum, self.bits = spectrum, 0
        self.first, self.known = 0, []  # type: int, list[tuple[Any, Any]]

    def between(self, first: int, last: int) -> list[tuple[Any, Any]]:
        """From the first to the last, which are kept."""
        end = self.first + len(self.known)
        far = max(last + 1, end) - min(first, self.first) > 2 * MOST_NODES
        if flint.ctx.prec > self.bits or far:
            self.first, self.known, self.bits = first, self._made(first, last), flint.ctx.prec
            end = last + 1
        if first < self.first or last >= end:
            # what lies between is made too, so that they are next to each other
            with workprec(self.bits):
                before, after = self._made(first, self.first - 1), self._made(end, last)
            self.first, self.known = min(first, self.first), [*before, *self.known, *after]
        return self.known[first - self.first:last + 1 - self.first]

    def _made(self, first: int, last: int) -> list[tuple[Any, Any]]:
        spend(NEW_ATOM * max(0, last - first + 1))
        s = self.spectrum
        variance, weights = s.variance.ball(), (s.first.ball(), s.second.ball())
        kappa, found = flint.arb(s.shift) ** 2 / (2 * variance), []
        for x in range(first, last + 1):
            loss = s.shift * x / variance - kappa
            one, two = (_log_ball(w, loss) for w in weights)
            found.append((one - two, two - flint.arb(x) ** 2 / (2 * variance)))
        return found


class MixedThetaLine(NodalLine):
    """The sum in balls, with a bound of what it leaves out on some sides."""

    def __init__(self, spectrum: MixedThetaSpectrum, gamma: Any, first: int, last: int,
                 sides: tuple[int, ...] = (-1, 1)) -> None:
        self.spectrum, self.gamma = spectrum, gamma
        self.variance, self.shift = spectrum.variance.ball(), spectrum.shift
        self.kappa = flint.arb(self.shift) ** 2 / (2 * self.variance)
        weights = spectrum.first.ball(), spectrum.second.ball()
        self.whole = all_masses(self.variance)
        atoms = spectrum.atoms.between(first, last)
        spend(ATOM * len(atoms))
        over = 1 / self.whole
        self.nodes = Nodes([((gamma * loss + rest).exp() * over, loss) for loss, rest in atoms])
        exponents = gamma, 1 - gamma
        self.left_out = sum((self._beyond(side, last if side > 0 else first, bounds(
            weights, exponents, side)) for side in sides), flint.arb(0)).upper()
        if not self.left_out.is_finite():
            raise Unsupported("the sum over atoms is cut too early")

    def _beyond(self, side: int, last: int, terms: list[tuple[Any, Any]]) -> Any:
        """What all atoms beyond the last one on a side add up to, at most."""
        total = flint.arb(0)
        for c, s in terms:
            if c.is_zero():
                continue
            far = side * (last + side - s * self.shift)
            if not far > 0:
                return flint.arb.pos_inf()
            fall = (-far / self.variance).exp()
            total += c * (self.kappa * s * (s - 1) - far * far / (2 * self.variance)).exp() / (
                self.whole * (1 - fall))
        return total

    def error(self, u: Any) -> Any:
        """All atoms that are left out, at every height."""
        return self.left_out

    def decay(self, height: Any) -> Any:
        """No bound but that on the real line holds at all heights."""
        return (self.nodes.total() + self.left_out).upper()


def _log_ball(w: Any, loss: Any) -> Any:
    return w * loss if w in (0, 1) else (1 - w + w * loss.exp()).log()


__all__ = ["MixedThetaLine", "MixedThetaSpectrum"]
