"""Losses of the exact class on a vertical line: atoms, and pieces c t^n e^(a t), in doubles.

What does not depend on the height is computed in balls, and rounded once: the terms of E_gamma over
their sum, and the places of the losses less their mean.  A term of the transform at the height u is
that at 0 times e^(iu x - m log(1 - iu/r)) with r = 1 - gamma - a, and what is summed up is its
distance from 1.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.accounting.doubles.bounded import LIBRARY, UNIT, Bounded, tree_sum
from lapdp.accounting.doubles.tilted import logs_of
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

BITS = 200
SAFE = 1 + 1e-9
MOST_CELLS = 20_000_000


@lru_cache(maxsize=64)
def _terms(spectrum: ExactSpectrum) -> tuple[list[Any], list[Any]]:
    """(place, mass) of the atoms and (place, a, c, n + 1) of the pieces, in balls."""
    loss = spectrum.loss
    with workprec(BITS):
        atoms = [(enclose(at, {}).real, enclose(orders[0], {}).real)
                 for at, orders in loss.impulses.items()]
        pieces = []
        for at, terms in loss.jumps.items():
            for (a, n), c in terms.items():
                ball, size = enclose(a, {}), enclose(c, {})
                if not (ball.imag.is_zero() and size.imag.is_zero()):
                    raise Unsupported("complex poles have no path in doubles")
                pieces.append((enclose(at, {}).real, ball.real, size.real, n + 1))
    return atoms, pieces


def tilt(spectrum: ExactSpectrum, gamma: float, height: float, goal: float, size: float
         ) -> ExactTilt:
    """The law tilted to gamma."""
    return ExactTilt(spectrum, gamma)


class ExactTilt:
    """Shares of the terms of E_gamma, and their places less the mean of the tilted law."""

    def __init__(self, spectrum: ExactSpectrum, gamma: float) -> None:
        self.spectrum = spectrum
        atoms, pieces = _terms(spectrum)
        with workprec(BITS):
            s = 1 - flint.arb(gamma)
            parts = [(c * (-at * s).exp(), at) for at, c in atoms]
            poles = [(c * (-at * s).exp() / (s - a) ** m, at, s - a, m) for at, a, c, m in pieces]
            total = sum((x for x, *_ in (*parts, *poles)), flint.arb(0))
            if not total > 0:
                raise Unsupported("the line meets a pole that cancels in the sum")
            mean = sum((x * at for x, at in parts), flint.arb(0)) + sum(
                (x * (at + m / r) for x, at, r, m in poles), flint.arb(0))
            self.log_mean = Bounded.of_ball(total.log())
            self.centre = float(mean / total)
            shares = [Bounded.of_ball(x / total) for x, *_ in (*parts, *poles)]
            places = [Bounded.of_ball(at - self.centre) for _, at, *_ in (*parts, *poles)]
            rates = [Bounded.of_ball(1 / r) for _, _, r, _ in poles]
        self.shares, self.places, self.rates = _row(shares), _row(places), _row(rates)
        self.atoms, self.powers = len(parts), np.array([m for *_, m in poles], dtype=float)

    def log_mean_at(self, order: float, most: float, size: float) -> Bounded:
        """log E at another order."""
        return ExactTilt(self.spectrum, order).log_mean

    def decay(self, height: float) -> float:
        """|s - a| >= u: a piece falls at least like u^-m."""
        sizes = SAFE * (np.abs(self.shares.value) + self.shares.error)
        falls = np.abs(height * self.rates.value) / SAFE
        bound = sizes[:self.atoms].sum() + (sizes[self.atoms:] / falls ** self.powers).sum()
        return min(0.0, math.log(SAFE * float(bound)))

    def logs(self, heights: Any) -> tuple[Any, Any]:
        """log phi at heights >= 0, and relative errors of phi."""
        if len(heights) * len(self.shares.value) > MOST_CELLS:
            raise Unsupported("the moments need too many terms in doubles")
        turn = np.outer(heights, self.places.value)
        # the terms less their values at 0: e^w - 1 with Re w <= 0, which is at most |w|
        reach, slips = np.abs(self.places.value), self.places.error.copy()
        real = np.zeros_like(turn)
        if len(self.powers):
            bent = np.outer(heights, self.rates.value)
            real[:, self.atoms:] = -self.powers / 2 * np.log1p(bent * bent)
            turn[:, self.atoms:] += self.powers * np.arctan(bent)
            reach[self.atoms:] += self.powers * np.abs(self.rates.value)
            slips[self.atoms:] += self.powers * self.rates.error
        half, sine = np.sin(turn / 2), np.sin(turn)
        grown = np.expm1(real) if len(self.powers) else real
        shares = self.shares.value
        one, depth = tree_sum(shares * (grown * np.cos(turn) - 2 * half * half
                                        if len(self.powers) else -2 * half * half))
        two, _ = tree_sum(shares * ((1 + grown) * sine if len(self.powers) else sine))
        slope = float((np.abs(shares) * (reach * (12 * LIBRARY + 2 * depth * UNIT) + slips)
                       + self.shares.error * reach).sum())
        return logs_of(one + 1j * two, SAFE * slope * heights)


def _row(items: list[Bounded]) -> Bounded:
    return Bounded(np.array([float(x.value) for x in items]),
                   np.array([float(x.error) for x in items]))


class Cumulants:
    """log E and its first two derivatives, nearly: for choices."""

    def __init__(self, spectrum: ExactSpectrum) -> None:
        atoms, pieces = _terms(spectrum)
        rows = [(float(at), 0.0, float(c), 0.0) for at, c in atoms] + [
            (float(at), float(a), float(c), float(m)) for at, a, c, m in pieces]
        self.places, self.poles, self.sizes, self.powers = np.array(rows).T
        self.known: dict[float, tuple[float, float, float]] = {}

    def __call__(self, gamma: float) -> tuple[float, float, float]:
        if gamma not in self.known:
            if len(self.known) > 10_000:
                self.known.clear()
            self.known[gamma] = self._found(gamma)
        return self.known[gamma]

    def fall(self, gamma: float, heights: Any) -> Any:
        """log |E_(gamma + iu)|/E_gamma."""
        s = 1 - gamma - 1j * np.concatenate([[0.0], heights])[:, None]
        reach = (gamma - 1) * self.places
        terms = np.exp(-self.places * s - reach.max()) * self.sizes
        terms = np.where(self.powers == 0, terms, terms / (s - self.poles) ** self.powers)
        size = np.abs(terms.sum(axis=1))
        return np.log(np.maximum(size[1:] / size[0], 1e-300))

    def _found(self, gamma: float) -> tuple[float, float, float]:
        gap = 1 - gamma - self.poles
        # next to a pole that cancels: a little beside it will do
        gap = np.where(self.powers == 0, 1.0, np.where(np.abs(gap) < 1e-3, 1e-3, gap))
        reach = (gamma - 1) * self.places
        top = float(reach.max())
        terms = self.sizes * np.exp(reach - top) / gap ** self.powers
        total = float(terms.sum())
        if not total > 0:
            return math.inf, math.inf, math.inf
        shares = terms / total
        places = self.places + self.powers / gap
        mean = float(shares @ places)
        variance = float(shares @ ((places - mean) ** 2 + self.powers / gap**2))
        return top + math.log(total), mean, max(variance, 1e-300)


__all__ = ["Cumulants", "ExactTilt", "tilt"]
