"""A subsampled Gaussian as usual losses and hits, and the moments of the former as power series.

With z = 1 - w + w e^l, l = sqrt(2 kappa) n - kappa and n normal under Q, L = log z is usual while
-far < n < c, on panels of length 1 on which Gauss-Legendre rules have proved errors: z has no zero
inside their ellipses, for balls see that its real part is positive on them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.accounting.moments.panel_series import Integrand, add_panel
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

ROUGH = 64
"""Bits of bounds."""


@dataclass(frozen=True)
class Release:
    """One kind of release, in doubles and in balls."""

    spectrum: MixedNormalSpectrum
    copies: int
    cut: float
    """c."""
    far: float
    """Losses with n < -far are left out first."""
    cell: float = 0.0
    """Of n, for intervals of hits."""

    @property
    def weight(self) -> Any:
        """w."""
        return _numbers(self.spectrum, flint.ctx.prec)[0]

    @property
    def kappa(self) -> Any:
        """That of the normal loss."""
        return _numbers(self.spectrum, flint.ctx.prec)[1]

    @property
    def root(self) -> Any:
        """Its deviation."""
        return _numbers(self.spectrum, flint.ctx.prec)[2]

    @property
    def single(self) -> Release:
        """One of it."""
        return self.times(1)

    def times(self, copies: int) -> Release:
        """So many of it."""
        return replace(self, copies=copies)

    def ratio(self, n: Any) -> Any:
        """z."""
        return _ratio(_numbers(self.spectrum, flint.ctx.prec), n)

    @property
    def ends(self) -> tuple[Any, Any]:
        """Of L without a hit, and with n >= -far."""
        return (self.ratio(flint.arb(-self.far)).log(), self.ratio(flint.arb(self.cut)).log())

    @property
    def left_out(self) -> Any:
        """The Q-mass of n < -far over that between there and c."""
        mass = right_tail(flint.arb(self.far))
        return mass / (1 - mass - right_tail(flint.arb(self.cut)))

    def place(self, loss: Any) -> Any:
        """n where L is so large."""
        return (((loss.exp() - 1 + self.weight) / self.weight).log() + self.kappa) / self.root

    def likely(self, n: Any) -> tuple[Any, Any]:
        """The P-mass and the Q-mass beyond n."""
        tail, other = right_tail(n), right_tail(n - self.root)
        return self.weight * other + (1 - self.weight) * tail, tail


@lru_cache(maxsize=256)
def _numbers(spectrum: MixedNormalSpectrum, bits: int) -> tuple[Any, Any, Any]:
    """w, kappa and sqrt(2 kappa), at a working precision."""
    kappa = spectrum.kappa.ball()
    return spectrum.first.ball(), kappa, (2 * kappa).sqrt()


def _ratio(numbers: tuple[Any, Any, Any], n: Any) -> Any:
    w, kappa, root = numbers
    spend(23)
    return 1 - w + w * (root * n - kappa).exp()


def center(release: Release) -> Any:
    """About the middle of the range of L, an exact number."""
    with workprec(53):
        low, high = release.ends
        return ((low + high) / 2).mid()


@lru_cache(maxsize=4096)
def log_usual(s: MixedNormalSpectrum, far: float, cut: float, order: float) -> float:
    """About log U, in doubles."""
    return s.log_between(order, -far, cut)


@lru_cache(maxsize=256)
def usual(release: Release, order: float, terms: int, bits: int, around: Any = None) -> list[Any]:
    """The coefficients of E[e^(order L + x (L - m)); -far < n < c], m the middle of its range, or
    another number."""
    with workprec(bits + 48):
        middle = center(release) if around is None else flint.arb(around)
        # relative to what it is, where that is much
        goal = (bits + 16) * LOG2 - max(0.0, log_usual(
            release.spectrum, release.far, release.cut, order))
        start, end = flint.arb(-release.far), flint.arb(release.cut)
        sums, errors = [flint.arb(0)] * terms, [flint.arb(0)] * terms
        count = math.ceil(release.far + release.cut)
        half = (end - start) / (2 * count)
        integrands = (_integrand(release.spectrum, order, ROUGH),
                      _integrand(release.spectrum, order, flint.ctx.prec))
        for i in range(count):
            add_panel(integrands, (start + (2 * i + 1) * half, half), middle,
                      (goal, math.inf, ROUGH), sums, errors)
        return [x + flint.arb(0, off.upper()) for x, off in zip(sums, errors, strict=True)]


def _integrand(spectrum: MixedNormalSpectrum, order: float, bits: int) -> Integrand:
    with workprec(bits):
        numbers = _numbers(spectrum, bits)

    def found(n: Any) -> tuple[Any, Any]:
        z = _ratio(numbers, n)
        if isinstance(z, flint.acb) and not z.real > 0:
            # its real part is harmonic: positive inside
            raise Unsupported("the moments of usual losses are not seen to be analytic")
        log = z.log()
        return order * log, log
    return found


def bound(release: Release, order: float) -> Any:
    """A bound of U at an order: where n < -far, z is at most its value there."""
    start = flint.arb(-release.far)
    low = (order * release.ratio(start).log()).exp() * right_tail(-start)
    return (bound_within(release, order) + low).upper()


def bound_within(release: Release, order: float) -> Any:
    """The same for -far < n < c."""
    return usual(release.single, order, 1, 32 + release.copies.bit_length())[0].upper()


__all__ = ["ROUGH", "Release", "bound", "bound_within", "center", "log_usual", "usual"]
