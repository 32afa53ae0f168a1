"""Moments of the discrete Gaussian: infinitely many atoms on a lattice.

With noise of mass proportional to e^(-x^2/(2 v)) on Z and shift d the losses are d^2/(2 v) - x d/v.
Completing the square, with kappa = d^2/(2 v),

    E_(gamma + iu) = e^(kappa gamma (gamma - 1) + iu kappa) S(t)/theta_3(0),  t = u d/v,
    S(t) = sum over x of e^(-(x - m)^2/(2 v) - i t x),                        m = (1 - gamma) d,

a theta function of complex argument.  By Jacobi's triple product its modulus is a product of
factors |1 + r e^(it)|^2 and |1 + r e^(-it)|^2 with r > 0: it falls as t goes from 0 to half a turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.moments.exact import multiple
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.rings import least_angle
from lapdp.calculus.convert import to_form
from lapdp.calculus.form import Form
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported


@dataclass(frozen=True)
class ThetaSpectrum:
    """The moments of one copy, with variance parameter v and shift d, for every order."""

    variance: Number
    shift: int
    lower: float = -math.inf
    upper: float = math.inf
    poles: tuple[float, ...] = ()
    largest: Form | None = None

    @cached_property
    def _kappa(self) -> float:
        return self.shift**2 / (2 * float(self.variance))

    @cached_property
    def lattice(self) -> tuple[Form, Form] | None:
        """Offset d^2/(2 v) and step d/v; None where v lies outside the exact class."""
        try:
            step = to_form(sp.expand(self.shift / self.variance.exact))
        except Unsupported:
            return None
        return step * Form.of(sp.Rational(self.shift, 2)), step

    def log_moment(self, order: float) -> float:
        """kappa q (q - 1) and the log of two sums over x around 0."""
        move = (1 - order) * self.shift % 1.0
        return self._kappa * order * (order - 1) + self._log_sum(move) - self._log_sum(0.0)

    def _log_sum(self, move: float) -> float:
        v = float(self.variance)
        if v > 0.2:
            # by Poisson's formula, up to the factor sqrt(2 pi v)
            return math.log(1 + 2 * sum(math.exp(-2 * (math.pi * n) ** 2 * v)
                                        * math.cos(2 * math.pi * n * move) for n in (1, 2, 3)))
        least = min(move, 1 - move) ** 2
        return -least / (2 * v) + math.log(sum(
            math.exp((least - (x - move) ** 2) / (2 * v)) for x in range(-4, 6)))

    def log_decay(self, gamma: float, height: float) -> float:
        """The moduli are periodic."""
        return self.log_moment(gamma)

    def finite_mass(self) -> Any:
        """All whole numbers have mass on both sides."""
        return flint.arb(1)

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """A theta function takes about as long as so many terms."""
        return 8

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> ThetaLine:
        """At any height."""
        return ThetaLine(self.variance.ball(), self.shift, gamma)

    def ring(self, gamma: Any, step: Form) -> ThetaRing:
        """Around the circle, losses counted in parts of the lattice's step."""
        assert self.lattice is not None
        return ThetaRing(self.line(gamma, 0.0, 0), multiple(self.lattice[1], step))


class ThetaLine:
    """S in balls; m is split into a whole number and a rest, for which no term is large."""

    def __init__(self, variance: Any, shift: int, gamma: Any) -> None:
        self.variance, self.shift = variance, shift
        move = (1 - gamma) * shift
        self.whole = int(move.mid().floor().unique_fmpz())
        self._rest = move - self.whole
        self._tau = flint.acb(0, 1 / (2 * flint.arb.pi() * variance))
        kappa = flint.arb(shift) ** 2 / (2 * variance)
        self._start, self._kappa = self._theta(flint.arb(0)), kappa
        # e^(-rest^2/(2 v)) theta(rest)/theta(0)
        weight = (-self._rest**2 / (2 * variance)).exp() / all_masses(variance)
        self.size = (kappa * gamma * (gamma - 1)).exp() * weight * self._start.real

    def _theta(self, turns: Any) -> Any:
        """The sum of e^(-x^2/(2 v) + x rest/v - 2 pi i x turns)."""
        spend(27)
        tilt = self._rest / (2 * flint.arb.pi() * self.variance)
        return flint.acb.modular_theta(flint.acb(-turns, -tilt), self._tau)[2]

    def phi(self, turns: Any) -> Any:
        """S over its value at 0, at an angle in turns, x counted from ``whole``."""
        return self._theta(turns) / self._start

    def at(self, u: Any) -> Any:
        """E_(gamma + iu)."""
        angle = u * self.shift / self.variance
        phase = flint.acb(0, u * self._kappa - angle * self.whole).exp()
        return self.size * phase * self.phi(angle / (2 * flint.arb.pi()))

    def grid(self, step: Any, count: int) -> list[Any]:
        """One by one."""
        return [self.at(step * j) for j in range(count + 1)]

    def decay(self, height: Any) -> Any:
        """No bound but that on the real line holds at all heights."""
        return self.size.upper()


@dataclass(frozen=True)
class ThetaRing:
    """phi(t) = S(parts t)/S(0), with places -x counted from -whole."""

    on: ThetaLine
    parts: int

    @property
    def size(self) -> Any:
        """E_gamma."""
        return self.on.size

    @property
    def lowest(self) -> int:
        """The place of x = whole."""
        return -self.on.whole * self.parts

    def at(self, part: int, turn: int) -> Any:
        """At an angle folded to half a turn."""
        place = part * self.parts % turn
        place -= turn if 2 * place > turn else 0
        return self.on.phi(flint.arb(flint.fmpq(place, turn)))

    def fall(self, first: int, last: int, turn: int) -> Any:
        """The modulus falls with the distance from whole turns."""
        angle = least_angle(first * self.parts, last * self.parts, turn)
        if not angle:
            return flint.arb(0)
        return -abs(self.on.phi(flint.arb(flint.fmpq(angle, turn)))).upper().log()


def all_masses(variance: Any) -> Any:
    """theta_3(0): the sum of e^(-x^2/(2 v)) over all whole numbers x.

    >>> print(all_masses(flint.arb(1)).str(10, radius=False))
    2.506628288
    """
    tau = flint.acb(0, 1 / (2 * flint.arb.pi() * variance))
    return flint.acb.modular_theta(flint.acb(0), tau)[2].real


def mass_beyond(variance: Any, m: int) -> Any:
    """A bound of the mass from m > 0 on, all masses being e^(-x^2/(2 v)) over the sum of them: each
    is at most e^(-m/v) times the one before it.

    >>> print(mass_beyond(flint.arb(1), 2).upper().str(3, radius=False))
    0.0624
    """
    tail = (-flint.arb(m) ** 2 / (2 * variance)).exp() / all_masses(variance)
    return (tail / -(-m / variance).expm1()).upper()


__all__ = ["ThetaSpectrum", "all_masses", "mass_beyond"]
