"""Polynomials that a density of the loss does not differ from by more than a small share.

On an interval where |f| <= B on the Bernstein ellipse of rho, the interpolant of degree N - 1 in
the Chebyshev points errs by at most 4 B rho^(1-N)/(rho - 1), since the Chebyshev coefficients of f
are at most 2 B rho^-k and every one from the N-th on counts at most twice.  Divided by the least f
this is a share, and all convolutions of the laws keep it: what is computed of many releases has the
same relative accuracy, however small it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import flint

from lapdp.accounting.moments.legendre import arc
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.pieces import Piece
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

LENGTH = 2.5
"""Of x on one interval."""
ARCS, STEPS = 96, 32
RHOS = (8.0, 6.0, 5.0, 4.0, 3.4, 2.9, 2.5, 2.2, 2.0, 1.85, 1.7, 1.55, 1.42, 1.33, 1.25, 1.18, 1.12)
MOST_DEGREE = 400
ROUGH, ARC, START = 40, 20, 30
"""A logarithm by which an ellipse is chosen; steps of an arc, and of a value."""


@dataclass(frozen=True)
class Approximant:
    """A polynomial on an interval of losses, and its relative error."""

    coefficients: tuple[Any, ...]
    """Of powers of (2 z - lower - upper)/(upper - lower); exact numbers."""
    share: Any
    """|f - p| is at most this times f."""

    def derivatives(self, side: int, lower: Any, upper: Any) -> list[Any]:
        """Those of all orders at the lower end (-1) or the upper one (1)."""
        scale = 2 / (upper - lower)
        around = flint.arb_poly(list(self.coefficients))(flint.arb_poly([side, 1]))
        found, factor = [], flint.arb(1)
        for i, c in enumerate(around.coeffs()):
            factor = factor * scale * i if i else factor
            found.append(c * factor)
        return found


def edges(piece: Piece) -> list[Any]:
    """The losses between the intervals on which a bounded piece is approximated."""
    low, high = piece.ends()
    if low is None or high is None:
        raise Unsupported("a piece of the loss is not bounded")
    count = max(1, math.ceil(float(high - low) / LENGTH))
    return [piece.loss(flint.acb(low + (high - low) * j / count)).real for j in range(count + 1)]


def approximants(piece: Piece, bits: int) -> list[Approximant]:
    """The density of the loss on a bounded piece, from left to right, to 2^-bits of itself.

    Raises :class:`Unsupported` for an unbounded piece, and where the density vanishes or the loss
    is not inverted.
    """
    return [_interpolant(piece, a, b, bits) for a, b in pairwise(edges(piece))]


def _interpolant(piece: Piece, lower: Any, upper: Any, bits: int) -> Approximant:
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    least = flint.arb.pos_inf()
    for k in range(STEPS):
        x = middle + half * flint.arb(2 * k + 1 - STEPS, 1) / STEPS
        least = least.min(piece.law(flint.acb(x)).real.lower())
    if not least > 0:
        raise Unsupported("the density of a piece of the loss is not seen to be positive")
    rho, size = _ellipse(piece, middle, half)
    goal = (bits + 2) * LOG2 + math.log(float(4 * size / least) / (rho - 1))
    degree = max(1, math.ceil(goal / math.log(rho)))
    if degree > MOST_DEGREE:
        raise Unsupported(f"a density of the loss needs a polynomial of degree {degree}, more than "
                          f"{MOST_DEGREE}")
    count = degree + 1
    spend(count * (START + count / 2))
    turns = [flint.arb(flint.fmpq(n, 2 * count)).cos_pi() for n in range(4 * count)]
    values = [piece.law(flint.acb(middle + half * turns[2 * j + 1])).real for j in range(count)]
    sums = flint.arb_mat([[turns[k * (2 * j + 1) % (4 * count)] for j in range(count)]
                          for k in range(count)]) * flint.arb_mat(count, 1, values)
    spread = flint.arb(0)
    coefficients = []
    for k in range(count):
        c = sums[k, 0] * (2 if k else 1) / count
        coefficients.append(c.mid())
        spread += flint.arb(c.rad())
    error = 4 * size * flint.arb(rho) ** -degree / (flint.arb(rho) - 1) + spread
    return Approximant(tuple(_powers(coefficients)), (error / least).upper())


def _ellipse(piece: Piece, middle: Any, half: Any) -> tuple[float, Any]:
    """The ellipse that needs the lowest degree, and a bound of the density on it."""
    best: tuple[float, float, Any] | None = None
    for rho in RHOS:
        if best is not None and best[0] <= ROUGH / math.log(rho):
            break  # nor does a smaller one cost less
        size = flint.arb(0)
        for j in range(ARCS):
            spend(ARC)
            size = size.max(abs(piece.law(middle + half * arc(flint.arb(rho), j, ARCS))).upper())
            if not size.is_finite():
                break
        else:
            cost = (ROUGH + max(0.0, float(size.log()))) / math.log(rho)
            if best is None or cost < best[0]:
                best = (cost, rho, size)
    if best is None:
        raise Unsupported("the density of the loss is not seen to be analytic around a piece")
    return best[1], best[2]


def _powers(coefficients: Sequence[Any]) -> list[Any]:
    """Chebyshev coefficients, exact numbers, to those of powers, exactly."""
    scale = max(0, *(-int(c.man_exp()[1]) for c in coefficients))
    whole = [_scaled(c, scale) for c in coefficients]
    before, now = flint.fmpz_poly([1]), flint.fmpz_poly([0, 1])
    total = flint.fmpz_poly([whole[0]])
    for c in whole[1:]:
        total += c * now
        before, now = now, flint.fmpz_poly([0, 2]) * now - before
    with workprec(max(2, *(int(c).bit_length() for c in total.coeffs()))):
        return [flint.arb(c) * flint.arb(2) ** -scale for c in total.coeffs()]


def _scaled(c: Any, scale: int) -> Any:
    mantissa, exponent = c.man_exp()
    return flint.fmpz(mantissa) << (int(exponent) + scale)


__all__ = ["Approximant", "approximants", "edges"]
