"""delta next to the largest loss of releases of atoms and pieces: more draws are bounded, no line.

Let Z be the loss, A and D the moments of order q > 1 of the atoms and of the rest of one release.
For x > 0 and q > 1

    1 - e^-x <= c e^((q - 1) x),    c = (1/q) (1 - 1/q)^(q - 1),

for (1 - e^-x) e^(-(q - 1) x) is largest where e^-x = 1 - 1/q.  So what more than J draws from the
continuous parts contribute to delta(eps) lies between 0 and c e^((1 - q) eps) times the sum over
more than J draws of the product of C(k, j) A^(k-j) D^j.  With ``gap`` = the largest loss less eps,
q - 1 about J/gap sees only losses that near to the largest one: where the gap is short few draws
lie there, and no line is needed, on which moments hardly fall.  What few draws contribute is worked
out as :mod:`lapdp.accounting.inversion.few` does: it is at least 0, so that fewer of them tell how
small the others must be.  Releases without atoms are draws always.

A largest loss may be rare and far above the usual ones: then the gap says little.  So the bound is
a sum over how many releases have it, of bounds for the others, whose losses end where the usual
ones do: with m its probability, those in which exactly j of k releases have it have the weight
C(k, j) m^j, and so have at most those in which at least j do.  Where it is too rare to count it is
left out (:mod:`lapdp.accounting.moments.rare_atoms`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from contextlib import suppress
from itertools import count, pairwise
from math import comb
from typing import Any

import flint

from lapdp.accounting.inversion.few import few, is_bounded, pieced
from lapdp.accounting.inversion.saddle import beyond_one
from lapdp.accounting.moments import rare_atoms
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_DRAWS, SOON = 8, 5
"""Work grows with the fifth power of their number; so many take next to no time."""
SPARE, ROOM = 3, 100
"""Bits less of what is left out; what more draws add to fewer, at most."""
DEVIATIONS = 4
"""Of the number of draws, from its mean where most of delta is."""
MOST_RARE, RARE = 4, 0.01
"""Releases with a rare largest loss that are told apart; how many have it on average, at most."""
ROUGH_BITS, MOST_GAP = 64, 0.25
"""Of the bounds; the gap is no larger a share of what the losses of all pieces spread over."""
MOST_CELLS, CLOSE = 200, 1.2
"""Of a piece, which are halved until the bound of all is so little above the sum at their middles.
"""


def quickly(factors: Factors, eps: Any, bits: int) -> Any:
    """As :func:`delta`, where fewer draws do."""
    return delta(factors, eps, bits, SOON)


def delta(factors: Factors, eps: Any, bits: int, most: int = MOST_DRAWS) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    ``eps`` is a ball of more bits than :data:`~lapdp.accounting.inversion.few.MOST_BITS`, or exact.
    Raises :class:`Unsupported` where losses have neither atoms nor bounded pieces, and where more
    than a few draws lie between eps and the largest one.
    """
    taken = in_pieces(factors)
    if taken is None or not is_bounded(taken):
        raise Unsupported("some losses have neither atoms nor bounded pieces")
    rare = rare_atoms.without(taken, flint.arb(1))
    if rare is not None:
        with suppress(Unsupported):
            found = _delta(rare[0], eps, bits, most)
            if rare[1] < found.lower() * flint.arb(2) ** -(bits - SPARE):
                return found + flint.arb(0).union(rare[1])
    return _delta(taken, eps, bits, most)


def _delta(factors: Factors, eps: Any, bits: int, most: int) -> Any:
    """The same with all losses."""
    top, sure = factors.largest(), sum(k for s, k in pieced(factors) if not s.atoms)
    if top is None or sure >= most:
        raise Unsupported("losses have no largest one, or no atoms in too many releases")
    with workprec(max(ROUGH_BITS, flint.ctx.prec)):
        gap = enclose(top, {}).real - eps
        usual = gap - sum(k * _drop(s) for s, k in pieced(factors))
    if not (gap > 0 and usual < MOST_GAP * sum(k * s.span for s, k in pieced(factors))):
        raise Unsupported("eps is not next to the largest loss")
    if sure + _likely(factors, float(eps)) > most:
        raise Unsupported(f"more than {most} draws seem to lie next to the largest loss")
    # what is left over may be so large, of what is found
    share = flint.arb(2) ** -(bits - SPARE)
    last = rest(factors, most, gap)
    if not last < share * rest(factors, sure - 1, gap):
        raise Unsupported(f"more than {most} draws lie next to the largest loss")
    least = flint.arb(0)
    for draws in range(sure, most + 1):
        over = rest(factors, draws, gap) if draws < most else last
        if least > 0 and not over < share * least:
            if not last < share * ROOM * least:
                break
            if draws < most:
                continue
        found = few(factors, draws, eps, bits, float(least))
        least = found.lower().max(flint.arb(0))
        if over < share * least:
            return found + flint.arb(0).union(over)
    raise Unsupported(f"more than {most} draws lie next to the largest loss")


def _likely(factors: Factors, eps: float) -> float:
    """So many draws of releases with atoms are to be seen, nearly: a choice."""
    with suppress(Unsupported, ArithmeticError, ValueError):
        order = 1 + beyond_one(factors, eps)[0]
        mean = sum(-k * math.expm1(s.log_atoms(order) - s.log_moment(order))
                   for s, k in pieced(factors) if s.atoms)
        return mean + DEVIATIONS * math.sqrt(max(mean, 0.0))
    return 0.0


def rest(factors: Factors, draws: int, gap: Any) -> Any:
    """A bound of what more than so many draws contribute to delta, ``gap`` below the largest loss.

    >>> from lapdp import laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> sampled = releases(poisson(laplace(2), "0.1", direction="remove") ** 30)
    >>> [f"{float(rest(sampled, n, flint.arb('0.001'))):.0e}" for n in (0, 2, 4)]
    ['2e-19', '3e-23', '7e-28']
    """
    # the largest losses of some releases, weight and gap of the others
    cases: list[tuple[list[tuple[PiecewiseSpectrum, int]], Any, Any]] = [([], flint.arb(1), gap)]
    for s, k in pieced(factors):
        drop = _drop(s)
        if not drop > 0 or not k * s.mass_of_largest() < RARE:
            cases = [([*parts, (s, k)], weight, short) for parts, weight, short in cases]
            continue
        mass, most = s.mass_of_largest(), min(k, MOST_RARE)
        others = rare_atoms.usual(s)
        cases = [([*parts, (s if j == most else others, k - j)], weight * comb(k, j) * mass**j,
                  short if j == most else short - (k - j) * drop)
                 for parts, weight, short in cases for j in range(most + 1)]
    return sum((weight * _rest(parts, draws, short) for parts, weight, short in cases
                if not short <= 0), flint.arb(0)).upper()


def _rest(parts: Sequence[tuple[PiecewiseSpectrum, int]], draws: int, gap: Any) -> Any:
    """The bound of order q."""
    short = float(gap)
    order = 1 + (draws + 2.0) / short if short > 0 else math.inf
    if not order < math.inf:
        raise Unsupported("eps is too near to the largest loss for doubles")
    count = sum(k for _, k in parts)
    with workprec(ROUGH_BITS + count.bit_length() + int(order).bit_length()):
        q = flint.arb(order)
        size = (1 - 1 / q) ** (q - 1) / q * ((q - 1) * gap).exp()
        return (size * more_draws([(*_moments(s, q), k) for s, k in parts], draws)).upper()


def _drop(s: PiecewiseSpectrum) -> Any:
    """From the largest loss to the usual ones, where these are known."""
    if s.usual is None or s.largest is None:
        return flint.arb(0)
    return enclose(s.largest, {}).real - enclose(s.usual, {}).real


def _moments(s: PiecewiseSpectrum, q: Any) -> tuple[Any, Any]:
    """Bounds of what the atoms and the pieces contribute to E_q, divided by e^((q - 1) top)."""
    assert s.largest is not None
    top = enclose(s.largest, {}).real
    atoms = sum((mass * ((q - 1) * (loss - top)).exp() for loss, mass in (
        atom.balls() for atom in s.atoms)), flint.arb(0))
    return atoms.upper(), sum((_integral(piece, q, top) for piece in s.pieces), flint.arb(0))


def _integral(piece: Any, q: Any, top: Any) -> Any:
    """A bound of the integral of the density times e^((q - 1) (loss - top)): the sum over cells of
    their lengths times bounds there."""
    def cell(a: Any, b: Any) -> tuple[float, int, Any, Any, Any, Any]:
        places = flint.acb((a + b) / 2), flint.acb((a + b) / 2 + flint.arb(0, 1) * (b - a) / 2)
        middle, most = ((b - a) * piece.density(x).real * (
            (q - 1) * (piece.loss(x).real - top)).exp() for x in places)
        bound = most.upper()
        over = float(bound) - float(middle)
        return (-over if math.isfinite(over) else -math.inf, next(turn), a, b, bound, middle)

    turn, (low, high) = count(), piece.ends()
    cells = [cell(low.real, high.real)]
    while len(cells) < MOST_CELLS:
        bound, middle = (sum(float(c[i]) for c in cells) for i in (4, 5))
        if bound <= CLOSE * middle:
            break
        _, _, a, b, _, _ = heapq.heappop(cells)
        for ends in pairwise((a, (a + b) / 2, b)):
            heapq.heappush(cells, cell(*ends))
    return sum((c[4] for c in cells), flint.arb(0)).upper()


def more_draws(moments: Sequence[tuple[Any, Any, int]], draws: int) -> Any:
    """A bound of the sum over more than so many draws of the product of C(k, j) A^(k-j) D^j, from
    (A, D, k) for each factor, A, D >= 0: without a difference, its first terms and a bound of all
    others."""
    rows = []
    for a, d, k in moments:
        last = min(k, 4 * draws + 40)
        row = [comb(k, j) * a ** (k - j) * d**j for j in range(last + 1)]
        if last < k:
            # C(k, j) <= C(k, n) C(k - n, j - n) for j >= n
            row.append(comb(k, last + 1) * d ** (last + 1) * (a + d) ** (k - last - 1))
        rows.append(row)
    total = rows[0]
    for row in rows[1:]:
        total = [sum((total[i] * row[j - i] for i in range(len(total)) if 0 <= j - i < len(row)),
                     flint.arb(0)) for j in range(len(total) + len(row) - 1)]
    return sum(total[draws + 1:], flint.arb(0))


__all__ = ["delta", "more_draws", "quickly", "rest"]
