"""Moments of complex order on vertical lines, with proved errors and proved decay.

A line is what the inversion integral (37) needs of a factor: E_q in balls at q = gamma + iu, a
bound of |E_q| for all large u, and E_gamma in doubles, for choosing the line.  Only the choice uses
doubles: every ball is right whatever they say.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import flint

from lapdp.balls.compiler import exact_ball
from lapdp.calculus.form import Form

LOG2 = math.log(2)
MOST_SIZES = 10_000
"""Logarithms of moments that are kept."""


class Sizes(dict[float, float]):
    """log E at real orders, each worked out once: places of a lattice ask for the same ones."""

    def __init__(self, size: Callable[[float], float]) -> None:
        super().__init__()
        self.size = size

    def __missing__(self, order: float) -> float:
        if len(self) > MOST_SIZES:
            self.clear()
        found = self[order] = self.size(order)
        return found


@dataclass(frozen=True)
class Number:
    """An exact real number as a ball at the precision of the moment."""

    exact: Any

    def ball(self) -> Any:
        """The ball (arb)."""
        return exact_ball(self.exact).real

    def __float__(self) -> float:
        return self._double

    @cached_property
    def _double(self) -> float:
        return float(self.ball())


class Line(Protocol):
    """E_q of one factor for q on the line Re q = gamma, at one working precision."""

    def at(self, u: Any) -> Any:
        """A ball that contains E_(gamma + iu), for a real ball u."""

    def grid(self, step: Any, count: int) -> list[Any]:
        """Balls that contain E_(gamma + i step j), for j = 0, ..., count."""

    def decay(self, height: Any) -> Any:
        """A real ball whose upper end is at least |E_(gamma + iu)| for every |u| >= height."""


class Spectrum(Protocol):
    """The moments of one factor."""

    @property
    def lower(self) -> float:
        """E_q is finite for orders above this one."""

    @property
    def upper(self) -> float:
        """E_q is finite for orders below this one."""

    @property
    def largest(self) -> Form | None:
        """A bound that the finite losses reach or come near; None for oo."""

    @property
    def poles(self) -> tuple[float, ...]:
        """Real orders next to which a moment is a difference of large terms."""

    def log_moment(self, order: float) -> float:
        """log E_order, nearly: used for choices only."""

    def log_decay(self, gamma: float, height: float) -> float:
        """log |E_(gamma + i height)|, nearly or somewhat above: used for choices only."""

    def finite_mass(self) -> Any:
        """A ball around Pr[Z < oo]."""

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """How many terms one moment on the line is a sum of."""

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> Line:
        """The line, to about ``bits`` bits relative to E_gamma up to a height.

        At u it may err by e^(fall (u/height)^2) times as much: so far are the other factors down.
        """


@dataclass(frozen=True)
class NormalSpectrum:
    """The loss N(kappa, 2 kappa): E_q = e^(kappa q (q - 1)) for every complex q."""

    kappa: Number
    lower: float = -math.inf
    upper: float = math.inf
    largest: Form | None = None
    poles: tuple[float, ...] = ()

    def log_moment(self, order: float) -> float:
        """kappa q (q - 1)."""
        return float(self.kappa) * order * (order - 1)

    def log_decay(self, gamma: float, height: float) -> float:
        """Exactly that of the line."""
        return self.log_moment(gamma) - float(self.kappa) * height * height

    def finite_mass(self) -> Any:
        """1: normal distributions have the same null sets."""
        return flint.arb(1)

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """One."""
        return 1

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> NormalLine:
        """The closed form."""
        return NormalLine(self.kappa.ball(), gamma)


@dataclass(frozen=True)
class NormalLine:
    """|E_(gamma + iu)| = E_gamma e^(-kappa u^2)."""

    kappa: Any
    gamma: Any

    def at(self, u: Any) -> Any:
        """E_(gamma + iu)."""
        q = flint.acb(self.gamma, u)
        return (self.kappa * q * (q - 1)).exp()

    def grid(self, step: Any, count: int) -> list[Any]:
        """One after another."""
        return [self.at(step * j) for j in range(count + 1)]

    def decay(self, height: Any) -> Any:
        """The size at the height: it falls beyond."""
        return (self.kappa * (self.gamma * (self.gamma - 1) - height * height)).exp()


__all__ = ["LOG2", "Line", "NormalSpectrum", "Number", "Spectrum"]
