"""What faint factors add at most beside a loss that has a bounded density.

As in :mod:`lapdp.accounting.inversion.faint`, R is the likelihood ratio of the faint factors, G the
product of all others, and delta(eps) the mean under Q of g(R),

    g(r) = the mean under P of max(0, r - e^(eps - L)),   L the loss of G.

Let P' be the law of L under P tilted by e^((q - 1) L)/E_q[G], q > 0, and let it be a part with a
density of at most M and a rest of mass m.  With C = e^((1 - q) eps) E_q[G] the first part adds at
most M C r^(q - 2) to g''(r), and the mean of R is 1: so it adds at most

    M C (E_q[F] - 1)/(q (q - 1))

to delta(eps) - delta_G(eps).  A loss in the rest, of mass p and at z, adds p psi(eps - z), where
psi(t) is the mean of max(0, R - e^t) for t >= 0 and of max(0, e^t - R) for t < 0, and both are

    psi(t) <= V,   psi(t) <= chi2/(4 |e^t - 1|),   e^((q - 1) t) psi(t) <= V + |E_q[F] - 1|/q,

V being the total variation of F and chi2 = E_2[F] - 1.  The second one is max(0, x - a) <= x^2/(4a)
for a > 0.  The third one: where t and q - 1 have one sign, s = e^t and r lies beyond s,
s^(q - 1) |r - s| <= |r^q - 1|/q as r^q is convex, or concave, in r; of |R^q - 1|/q the other side
of 1 has at most V.  Otherwise it is the first one.

Of k independent losses with the mass a in atoms and a density of at most M each, all lie on atoms
with probability a^k, and the first that does not makes the density of the sum M (1 + a + ... +
a^(k - 1)) at most, whatever is added to it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.inversion.atom_sums import pieced, sums_of_atoms
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, NormalSpectrum
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import fraction_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

BITS, SPARE, BOXES = 256, 32, 24
"""Bits of bounds, and fewer of moments; intervals on which a density is bounded."""
SHARES = (1.0, 0.5, 0.2)
"""Of the distance of the order of the line from 1."""
STEEPEST = 1e4
"""Of the logarithm by which a weight grows over the losses of a release."""
MOST_ATOMS, MOST_QUERIES, FEWEST, SEEN = 2_000, 4, 8, 60
"""Sums of atoms of the others that are looked at, and that are queries; bits of these at least, and
of their places."""

Profile = Callable[[Pair, Any, int], Any]


def added(little: Pair, others: Pair, variation: Any, eps: Any, bits: int, profile: Profile
          ) -> Any | None:
    """A ball around delta(eps) less that of the others, eps exact, where it is known to about
    2^-bits of delta(eps); else None.

    ``variation`` is a bound of the total variation of the first.  Raises :class:`Unsupported` where
    moments are not reached.
    """
    factors, rest = releases(little), releases(others)
    with workprec(BITS + factors.count.bit_length()):
        point = exact_ball(eps).real
        line = saddle(rest, float(point), bits * LOG2)
        goal = (flint.arb(line.size) - bits * flint.arb(2).log()).exp()
        for share in SHARES:
            order = 1 + share * (line.gamma - 1)
            if not (rest.lower < order < rest.upper and order > 0):
                continue
            most, left = _density(rest, order)
            if not most.is_finite():
                return None
            size = ((1 - flint.arb(order)) * point).exp() * moment(rest, order)
            moved = abs(moment(factors, order) - 1) / order
            smooth = (size * most * moved / abs(order - 1)).upper()
            if not smooth < goal:
                continue
            rough = (size * left * (variation + moved)).upper()
            if smooth + rough < goal:
                return flint.arb(0).union(smooth + rough)
            found = _at_atoms(little, rest, variation, point, goal, profile)
            return None if found is None else found + flint.arb(0).union(smooth)
    return None


def moment(factors: Factors, order: float) -> Any:
    """A ball, at the working precision."""
    total = flint.arb(1)
    for s, k in factors.parts:
        spectrum: Any = s
        total *= _single(spectrum, order) ** k
    return total


@lru_cache(maxsize=64)
def _single(spectrum: Any, order: float) -> Any:
    if isinstance(spectrum, PiecewiseSpectrum) and abs(order - 1) * spectrum.extent > STEEPEST:
        raise Unsupported("the order is so large that little but the end of the losses counts")
    with workprec(BITS):
        return spectrum.line(flint.arb(order), 0.0, BITS - SPARE).at(flint.arb(0)).real


def _density(factors: Factors, order: float) -> tuple[Any, Any]:
    """M, infinite where none is found, and the mass of the rest."""
    most, left = flint.arb(0), flint.arb(1)
    for s, k in factors.parts:
        if isinstance(s, NormalSpectrum):
            most += left / (4 * flint.arb.pi() * k * s.kappa.ball()).sqrt()
            return most.upper(), flint.arb(0)
        found = in_pieces(Factors(((s, 1),)))
        if found is None or not pieced(found)[0][0].pieces:
            continue
        height, atoms = _tilted(pieced(found)[0][0], order)
        sums = sum((atoms**j for j in range(k)), flint.arb(0)) if k < BITS else (
            flint.arb(k).min(1 / (1 - atoms)) if atoms < 1 else flint.arb(k))
        most, left = most + left * height * sums, left * atoms**k
    return (most.upper(), left.upper()) if left < 1 else (flint.arb.pos_inf(), flint.arb(1))


@lru_cache(maxsize=64)
def _tilted(s: PiecewiseSpectrum, order: float) -> tuple[Any, Any]:
    """Bounds of the density of one tilted loss, and of the mass of its atoms."""
    whole = _single(s, order)
    atoms = sum((mass * ((order - 1) * loss).exp() for loss, mass in (
        atom.balls() for atom in s.atoms)), flint.arb(0)) / whole
    height = flint.arb(0)
    for piece in s.pieces:
        if None in piece.breakpoints:
            return flint.arb.pos_inf(), flint.arb(1)
        low, high = (piece.loss(flint.acb(end)).real for end in piece.ends())
        for j in range(BOXES):
            box = low + (high - low) * flint.arb(flint.fmpq(2 * j + 1, 2 * BOXES),
                                                 flint.fmpq(1, 2 * BOXES))
            height = height.max(abs(piece.law(flint.acb(box))) * ((order - 1) * box).exp())
    return (height / whole).upper(), atoms.upper()


def _at_atoms(little: Pair, others: Factors, variation: Any, point: Any, goal: Any,
              profile: Profile) -> Any | None:
    """What the sums of atoms add, each by a bound or by a query of its own."""
    pieces = in_pieces(others)
    if pieces is None:
        return None
    try:
        sums = sums_of_atoms(pieces, BITS)
    except Unsupported:
        return None
    if len(sums) > MOST_ATOMS:
        return None
    spread = abs(moment(releases(little), 2.0) - 1)
    bounds: list[tuple[Any, Any, Any]] = []
    for place, mass in sums:
        gap = abs((point - place).expm1()).lower()
        here = variation.min(spread / (4 * gap)) if gap > 0 else variation
        bounds.append(((mass * here).upper(), point - place, mass))
    bounds.sort(key=lambda row: -float(row[0].log()) if row[0] > 0 else 1e9)
    total, far = flint.arb(0), flint.arb(0)
    for count, (bound, t, mass) in enumerate(bounds):
        if bound * len(bounds) < goal:
            far += bound
        elif count >= MOST_QUERIES:
            return None
        else:
            wanted = max(FEWEST, FEWEST + int(float((bound / goal).log()) / LOG2))
            total += mass * psi(little, t, wanted, profile)
    return total + flint.arb(0).union(far)


def psi(little: Pair, t: Any, bits: int, profile: Profile) -> Any:
    """psi(t), at a place near t, from which it differs by at most the distance of e^t from it."""
    low = t.mid() * 2**SEEN
    near = Fraction(int(low.floor().unique_fmpz()), 2**SEEN)
    at = sp.Rational(near.numerator, near.denominator)
    value = (profile(little, at, bits) if near >= 0 else
             fraction_ball(near).exp() * profile(little.reverse(), -at, bits))
    return value + flint.arb(0, abs(t.exp() - fraction_ball(near).exp()).upper())


__all__ = ["BITS", "Profile", "added", "moment", "psi"]
