"""The nodes of a rule with a little normal noise, in doubles or longer numbers, rounding bounded.

See :mod:`lapdp.accounting.inversion.smoothed`.  The noise makes moments fall; far up atoms may make
them fall before, and come back only next to few heights
(:mod:`lapdp.accounting.inversion.far_cells`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
import numpy as np
import sympy as sp

from lapdp.accounting.inversion import far_cells
from lapdp.accounting.inversion.cut_spectra import Cut, CutNormal
from lapdp.accounting.inversion.far_cells import FEW_ROWS, WIDTH, together
from lapdp.accounting.inversion.machine import TOGETHER, poles, tree
from lapdp.accounting.inversion.machine_edges import edges_of
from lapdp.accounting.inversion.machine_factors import INNER_BITS, moments_of
from lapdp.accounting.inversion.machine_lines import Listed, Seeded, Transformed
from lapdp.accounting.inversion.machine_parts import Ended
from lapdp.accounting.moments.doubled import (
    DOUBLE,
    SAFE,
    Format,
    Heights,
    bits_for,
    joined,
    powered,
    sizes,
    turns,
    turns_on,
)
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import NormalSpectrum, Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.balls.decimals import fraction_ball
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES, MOST_TERMS, SCANNED = 1 << 22, 1 << 28, 1 << 17
"""Nodes; terms of moments; nodes from which on it is looked how far moments come back."""
FALL = 64
"""Units that a product with a fall, over q (q - 1), is off."""
GROWTH, LOWEST = 1.1, 1e-4
"""Of heights that are tried, and their least share."""


def _top(kappa: float, goal: float) -> float:
    """The height from which on the rule for the density counts for less than e^-goal."""
    top = 1 / math.sqrt(kappa)
    for _ in range(8):
        # what is left out is about e^(-kappa top^2)/top
        top = math.sqrt(max(1.0, goal - math.log(top)) / kappa)
    return top


@dataclass(frozen=True, eq=False)
class Part:
    """E_q e^(kappa q (q - 1))/(q (q - 1)) at gamma + i step j for the numbers j of some rows, those
    from WIDTH times one of these on, below WIDTH times the next; divided by the ``size`` of a
    table and turned by kappa (2 gamma - 1) less, for every eps."""

    rows: Any
    form: Format
    """Of the values: if it is not that of doubles, rows are the first ones."""
    values: Any
    errors: tuple[float, float]
    """Bounds of the errors of all values, and of them times q (q - 1)."""
    weights: tuple[float, float]
    """At least the sums of their sizes."""

    def sums(self, gamma: float, step: float, turn: Any) -> list[Any]:
        """Of values, and of them times q (q - 1), turned by e^(turn j): balls."""
        found, block = [flint.arb(0), flint.arb(0)], TOGETHER // WIDTH
        long = None if self.form is DOUBLE else turns(turn.exp(), len(self.values), self.form)
        for first in range(0, len(self.rows), block):
            rows = self.rows[first:first + block]
            heights, part = Heights(0, WIDTH, rows, WIDTH), slice(
                WIDTH * first, WIDTH * (first + len(rows)))
            terms = self.values[part] * (turns_on(turn, heights) if long is None else long[part])
            if not rows[0]:
                terms[0] /= 2
            found[0] += _exact(tree(terms.real))
            found[1] += _exact(tree((terms * poles(gamma, _up(step, heights, self.form))).real))
        # of each term: three turns and their products, two products more, and a sum
        passes = 44 + 2 * math.ceil(math.log2(TOGETHER))
        return [x + flint.arb(0, SAFE * (off + self.form.unit * passes * weight))
                for x, off, weight in zip(found, self.errors, self.weights, strict=True)]


def _up(step: float, heights: Heights, form: Format) -> Any:
    """Heights in a format, each rounded once."""
    real = form.complex(0).real.dtype.type
    return real(step) * heights.numbers.astype(real)


def _exact(x: Any) -> Any:
    """A ball of a number of any format: no format has more digits than two doubles."""
    high = float(x)
    return flint.arb(high) + flint.arb(float(x - high))


@dataclass(frozen=True, eq=False)
class Table:
    """The nodes of a rule with noise."""

    factors: Factors
    """With the noise."""
    gamma: float
    step: float
    kappa: Any
    size: Any
    parts: list[Part]
    rests: tuple[Any, Any]
    """Bounds of what both rules leave out, divided by ``size`` and the step."""

    @property
    def count(self) -> int:
        """Of nodes."""
        return sum(len(part.values) for part in self.parts)

    def totals(self, eps: Any) -> tuple[Any, Any, Any]:
        """The rules for delta_kappa and for the density, at one eps, and what is rounded off in the
        first one."""
        spend(self.count / 8)
        step, gamma = flint.arb(self.step), flint.arb(self.gamma)
        place = eps - self.kappa * (2 * gamma - 1)
        turn = flint.acb(0, -step * place)
        sums = [part.sums(self.gamma, self.step, turn) for part in self.parts]
        found = [sum(parts, flint.arb(0)) for parts in zip(*sums, strict=True)]
        scale = ((1 - gamma) * eps).exp() * self.size / flint.arb.pi()
        totals = [scale * (step * x + flint.arb(0, rest)) for x, rest in zip(
            found, self.rests, strict=True)]
        return totals[0], totals[1], (scale * step * found[0].rad()).upper()


@lru_cache(maxsize=2)
def noisy_table(factors: Factors, gamma: float, period: float, kappa: Fraction, goal: float,
                form: Format) -> Table:
    """The rule of a period on the line of order ``gamma``, for noise of variance 2 ``kappa``, that
    leaves out e^-``goal`` of its integrand, nearly; the first heights in a format.

    Raises :class:`Unsupported` where too many nodes are needed, some losses are of no kind that
    doubles know, or doubles do not reach so far.
    """
    step = 2 * math.pi / period
    rows, rests = _heights(factors, gamma, step, float(kappa), goal)
    count, end = WIDTH * len(rows), WIDTH * (int(rows[-1]) + 1)
    terms = [_terms(spectrum, gamma, step * (end - 1)) for spectrum, _ in factors.parts]
    if sum(terms) * count > MOST_TERMS:
        raise Unsupported(f"{count} nodes of moments with {sum(terms)} terms are too many")
    with workprec(bits_for(step * WIDTH)):
        size, known = flint.arb(1), []
        for spectrum, k in factors.parts:
            # rules for pieces err by more the farther up
            up_to = end if isinstance(spectrum, PiecewiseSpectrum) else 1
            moments = spectrum.listed(k, gamma, step) if isinstance(spectrum, Cut) else moments_of(
                spectrum, k, gamma, step * (end - 1), step, up_to)
            if not isinstance(moments, Listed | Seeded | Transformed | Ended):
                raise Unsupported("some losses are neither atoms nor of the exact class, nor those "
                                  "of Gaussians")
            known.append(moments)
            size *= moments.mean ** k
        noise = fraction_ball(kappa)
        size *= (noise * flint.arb(gamma) * (flint.arb(gamma) - 1)).exp()
        fall = noise * flint.arb(step) ** 2
        spend(count / 5)
        # next to the line longer numbers may keep more digits
        parts = [_part(known, rows[:FEW_ROWS], gamma, step, fall, form, True)]
        parts += [_part(known, block, gamma, step, fall, DOUBLE, False)
                  for block in together(rows[FEW_ROWS:], max(terms))]
    if not all(math.isfinite(x) for part in parts for x in part.errors):
        raise Unsupported("doubles do not reach far enough")
    noisy = NormalSpectrum(Number(sp.Rational(kappa.numerator, kappa.denominator)))
    return Table(Factors((*factors.parts, (noisy, 1))), gamma, step, noise, size, parts, rests)


def _part(known: list[Any], rows: Any, gamma: float, step: float, fall: Any, form: Format,
          begins: bool) -> Part:
    """Some rows, of the moments of all factors."""
    heights = Heights(0, WIDTH, rows, WIDTH)
    values = np.empty(WIDTH * len(rows), dtype=form.complex)
    errors, weights, unit = [0.0, 0.0], [0.0, 0.0], form.unit
    found = [(*(moments.moments(step, len(values), form) if begins else moments.on(
        flint.arb(step), heights)), moments.copies) for moments in known]
    falls, up = _falls(fall, rows, form), _up(step, heights, form)
    for start in range(0, len(values), TOGETHER):
        part = slice(start, start + TOGETHER)
        less, off = powered(found[0][0][part], found[0][1][part], found[0][2], unit)
        for x, slip, k in found[1:]:
            less, off = joined(less, off, *powered(x[part], slip[part], k, unit), unit)
        at = poles(gamma, up[part])
        values[part] = kept = (1 + less) * falls[part] / at
        off = off + unit * sizes(less)
        down = falls[part].astype(float) * SAFE
        one, two = sizes(1 + less) * down, sizes(at)
        # of a fall each factor and product, of q (q - 1) a few, are rounded
        slips = off * down + unit * FALL * one
        for i, (a, b) in enumerate(((slips / two, sizes(kept)), (slips, one))):
            errors[i] += SAFE * float(a.sum())
            weights[i] += SAFE * float(b.sum())
    return Part(rows, form, values, (errors[0], errors[1]), (weights[0], weights[1]))


def _terms(spectrum: Any, gamma: float, top: float) -> int:
    """Of a moment far up: of pieces, by their ends."""
    edges = edges_of(spectrum, gamma) if isinstance(spectrum, PiecewiseSpectrum) else None
    found: int = spectrum.terms(gamma, top, INNER_BITS) if edges is None else (
        edges.terms + len(spectrum.atoms))
    return found


def _heights(factors: Factors, gamma: float, step: float, kappa: float, goal: float
             ) -> tuple[Any, tuple[Any, Any]]:
    """Rows of nodes that are worked out, and bounds of what is left out of both rules.

    |q (q - 1)| >= u^2, and what falls has sums below its integral.
    """
    count = math.ceil(_top(kappa, goal) / step) + 1
    count = min(count, math.ceil(_decayed(factors, gamma, step * count, goal) / step) + 1)
    top, noise = flint.arb(step) * (count - 1), flint.arb(kappa)
    fallen = (-noise * top * top).exp() / (2 * noise * top)
    left = _left(factors, gamma, top, step * (WIDTH * -(-count // WIDTH) - 1))
    rests: Any = (left * (fallen / (top * top)).min(1 / top)).upper(), (left * fallen).upper()
    runs = np.array([[0, -(-count // WIDTH)]])
    if count > SCANNED:
        limits = math.exp(-goal), math.exp(-goal) / (2 * kappa)
        found = far_cells.cells(factors, gamma, float(top), step, limits, MOST_NODES)
        if found is not None:
            # the moments may have fallen, and come back next to few heights
            runs, less = far_cells.kept(found, step, limits, count)
            rests = tuple((rest + flint.arb(x)).upper() for rest, x in zip(
                rests, less, strict=True))
    count = WIDTH * int((runs[:, 1] - runs[:, 0]).sum())
    if count > MOST_NODES:
        raise Unsupported(f"so many digits need {count} nodes, more than {MOST_NODES}")
    return np.concatenate([np.arange(*run) for run in runs.tolist()]), rests


def _falling(factors: Factors) -> list[tuple[Any, int]]:
    """The factors with a smooth density, whose moments fall fast."""
    return [(s, k) for s, k in factors.parts if isinstance(s, MixedNormalSpectrum | CutNormal)]


def _decayed(factors: Factors, gamma: float, most: float, goal: float) -> float:
    """About the height where these have fallen by e^-``goal``; ``most`` if they do not before."""
    falling = _falling(factors)
    if not falling:
        return most
    whole = sum(k * s.log_moment(gamma) for s, k in falling)

    def stands(top: float) -> bool:
        return bool(sum(k * s.log_decay(gamma, top) for s, k in falling) > whole - goal)

    low, high = LOWEST * most, most
    if stands(most / 2):
        return most
    while high > GROWTH * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if stands(middle) else (low, middle)
    return high


def _left(factors: Factors, gamma: float, top: Any, reach: float) -> Any:
    """At most the share of E_gamma from a height on, by lines that are good up to another one: the
    table asks for the same."""
    left = flint.arb(1)
    for s, k in _falling(factors):
        if isinstance(s, CutNormal):
            here = s.decay(gamma, top) / s.least(gamma)
        else:
            line = s.line(flint.arb(gamma), max(float(top), reach), INNER_BITS)
            here = line.decay(top) / (line.nodes.total().real - line.mean * line.ripple
                                      - line.left_out)
        left *= here.upper().min(flint.arb(1)) ** k
    return left.upper()


def _falls(fall: Any, rows: Any, form: Format) -> Any:
    """e^(-fall j^2) at j = WIDTH a + b for the rows a: that of j0 = WIDTH a, that of b, and a
    power of e^(-2 fall j0), a product of at most log2(WIDTH) numbers; each of these is rounded
    once."""
    def rounded(x: list[Any]) -> Any:
        return np.array([form.near(flint.acb(y)).real for y in x])

    begin = [flint.arb(WIDTH * a) for a in rows.tolist()]
    starts = rounded([(-fall * j * j).exp() for j in begin])
    found = np.ones((len(rows), WIDTH), dtype=starts.dtype)
    ratios, done = [(-2 * fall * j).exp() for j in begin], 1
    while done < WIDTH:
        found[:, done:2 * done] = found[:, :done] * rounded(ratios)[:, None]
        ratios, done = [x * x for x in ratios], 2 * done
    found *= rounded([(-fall * b * b).exp() for b in range(WIDTH)])
    found *= starts[:, None]
    return found.ravel()


__all__ = ["MOST_NODES", "Table", "noisy_table"]
