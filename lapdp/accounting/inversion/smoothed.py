"""delta of atoms on no lattice, by a little normal noise and two bounds, in doubles.

No line sees the moments of atoms decay.  So a normal loss N(kappa, 2 kappa) of its own is added:
the moments get the factor e^(kappa q (q - 1)), and delta becomes delta_kappa.  By the heat equation

    d delta_kappa(eps)/d kappa = f_kappa(eps),

the density of the loss under P: differentiate the inversion integral, whose kernel 1/(q (q - 1))
goes.  It is a mean of normal densities over the losses L, and with x = eps - L, for kappa' < kappa,

    (x - kappa)^2/(4 kappa) - (x - kappa')^2/(4 kappa') <= (kappa - kappa')/4,

so that f_kappa' <= sqrt(kappa/kappa') e^(kappa/4) f_kappa, and by integration

    0 <= delta_kappa(eps) - delta(eps) <= 2 kappa e^(kappa/4) f_kappa(eps).

Both come from one table of moments.  The rule for f_kappa is a sum of f_kappa(eps + n L) with
positive weights, L its period: no less than f_kappa(eps).  As kappa f is of the second order in the
deviation of the noise, ten digits need about a million nodes: of however many releases.  Where
subsampled Gaussians are among these their moments fall, and hardly any noise is needed.

For few digits huge losses that are rare are apart (:mod:`lapdp.accounting.inversion.cut_losses`):
they would rule the integrand on every line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
import numpy as np
import sympy as sp

from lapdp.accounting.inversion import far_cells
from lapdp.accounting.inversion.contour import below, unfold
from lapdp.accounting.inversion.cut_losses import Cut, CutNormal, apart
from lapdp.accounting.inversion.far_cells import FEW_ROWS, WIDTH, together
from lapdp.accounting.inversion.machine import TOGETHER, poles, tree
from lapdp.accounting.inversion.machine_edges import edges_of
from lapdp.accounting.inversion.machine_factors import INNER_BITS, moments_of
from lapdp.accounting.inversion.machine_lines import Listed, Seeded, Transformed
from lapdp.accounting.inversion.machine_parts import Ended
from lapdp.accounting.inversion.saddle import (
    Saddle,
    beside,
    exponent,
    finer,
    saddle,
    shortest,
)
from lapdp.accounting.inversion.same_lines import current
from lapdp.accounting.moments.doubled import (
    BITS,
    DOUBLE,
    SAFE,
    UNIT,
    Format,
    Heights,
    bits_for,
    joined,
    powered,
    sizes,
    turns_on,
    wider,
)
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, NormalSpectrum, Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.balls.decimals import fraction_ball
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES, MOST_TERMS, SCANNED, MANY = 1 << 22, 1 << 28, 1 << 17, 20
"""Nodes; terms of moments; nodes from which on it is looked how far moments come back; copies from
which on longer numbers are of use."""
FIRST, UNSEEN, SEEN_BITS = 1 << 11, 14.0, 3
"""Nodes of a first look at the density; logarithms of what cancels, where that sees nothing."""
FALL = 64
"""Units that a product with a fall, over q (q - 1), is off."""
MARGIN, STEP = 5.0, 4 * LOG2
"""Bits of the rule beyond those of the answer; what its goal grows by at least."""
SHARE, ROOM, HARDLY = 0.75, 0.8, 0.7
"""Of what the answer may be off, for the noise; of that, as the density changes with it; what is
left of an error where more nodes were no gain."""
GROWTH, LOWEST, HIDDEN = 1.1, 1e-4, 1 / 1024
"""Of heights that are tried, and their least share; of noise that hides all else."""
TRIES, LEAST = 8, Fraction(1, 1 << 200)
FEW_DIGITS, CUTS, LEAST_SIZE = 7, 2, 1e-300
"""Digits for which huge losses are taken apart, and how often; of sizes."""
NOISY, NEAR = "with noise", 3.0
"""What a search knows lines by; a logarithm that one of them may cost."""


def delta(factors: Factors, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them.

    Raises :class:`Unsupported` where all losses have a density, or some are of no kind that doubles
    know, and where too many nodes are needed: a digit less needs a third of them.
    """
    if any(isinstance(s, NormalSpectrum) for s, _ in factors.parts):
        raise Unsupported("a normal loss has a density: no noise is needed")
    # a ball's bits are a whole number
    needed = math.floor(digits / math.log10(2) + 1) + 1
    few = digits <= FEW_DIGITS
    if not few and all(isinstance(s, MixedNormalSpectrum) for s, _ in factors.parts):
        raise Unsupported("the losses have a density: no noise is needed")
    # delta is somewhat less than the integrand
    goal, ball = (needed + 2 * MARGIN) * LOG2, None
    for _ in range(CUTS):
        part = apart(factors, float(eps), goal) if few else None
        if part is None:
            return _delta(factors, eps, needed) if ball is None else ball
        more, off = part.beside(eps)
        hardly = more > 0 and part.size < float(more.log()) - goal
        found = more + (below(part.factors, eps, part.order) if hardly else _delta(
            part.factors, eps, needed, float(more)))
        ball = found + flint.arb(0).union(off)
        over = float(off) / max(float(found), LEAST_SIZE)
        if ball.rel_accuracy_bits() >= needed - 1 or not math.log(max(over, LEAST_SIZE)) > -goal:
            return ball
        # losses are dropped that count
        goal += math.log(over) + goal + MARGIN * LOG2
    return ball


def _delta(factors: Factors, eps: Any, needed: int, beside: float = 0.0) -> Any:
    """The same, to so many bits of what it is with a number >= 0, or fewer."""
    bits = needed + MARGIN
    goal, chosen, form = bits * LOG2, None, DOUBLE
    kappa, before = None, math.inf  # type: Fraction | None, float
    spent, search = 0.0, current()
    served = {} if search is None else search.noisy.setdefault(factors, {})
    for _ in range(TRIES):
        chosen = finer(factors, float(eps), chosen, goal) if chosen else _line(
            factors, float(eps), goal)
        if kappa is None and chosen.gamma in served:
            # what served a look before
            goal, kappa, form = served[chosen.gamma]
            chosen = finer(factors, float(eps), chosen, goal)
        elif kappa is None:
            # a first look, at few heights; noise that rules the integrand hides all else
            kappa = _few_bits(min(goal / (2 * math.pi * FIRST / chosen.period) ** 2,
                                  1 / max(abs(chosen.gamma * (chosen.gamma - 1)), 1.0)))
        look = _at(factors, eps, chosen, goal, kappa, beside, form)
        found, size = look.found, look.size
        spent += look.count
        if (found + beside).rel_accuracy_bits() >= needed:
            served[chosen.gamma] = goal, kappa, form
            break
        if spent > MOST_NODES / 4:
            raise Unsupported(f"{look.count} nodes do not give so many digits")
        if not look.most > 0:
            break  # doubles hold nothing so small
        # a ball of so many bits has a radius below that power of two
        allowed = 2 * SHARE * math.ldexp(1.0, max(math.frexp(look.most)[1] - needed - 1, -1000))
        if look.rounded > allowed / 8:
            longer = wider() if factors.count > MANY else None
            if form is DOUBLE and longer is not None:
                # of many copies longer numbers keep digits of differences from 1
                form = longer
            elif look.rounded > allowed / 2:
                break
        if not size > 0:
            # what cancels is more
            goal += UNSEEN
            continue
        rest = max(float(found.rad()) - look.wide / 2, UNIT * size)
        if (more := bits * LOG2 + chosen.size - math.log(size)) > goal + LOG2:
            # less than the integrand promises
            goal = more
        elif look.vague > allowed / 2:
            # the rule for the density is cut too early
            goal += max(STEP, math.log(2 * look.vague / allowed) + LOG2)
        elif not look.wide > allowed:
            if rest > HARDLY * before:
                break  # what is rounded off
            before = rest
            goal += max(STEP, bits * LOG2 + math.log(rest / size))
        if look.wide > allowed:
            # the density is about the same for less noise, unless noise is all that is seen
            less = ROOM * allowed / look.wide
            kappa = _few_bits(float(kappa) * (
                max(less, HIDDEN) if look.wide > size / 8 else less))
    return found


def _line(factors: Factors, eps: float, goal: float) -> Saddle:
    """One with a short period, as rare losses may be huge; in a search that of a look before, if it
    is hardly worse.  Its size is about that of the integrand, which may be larger than delta."""
    best, on_line = saddle(factors, eps, goal), exponent(factors, eps)
    if best.gamma <= 1:
        return best
    search, least = current(), on_line(best.gamma)
    known = [] if search is None else search.orders.setdefault((NOISY, factors), [])
    near = [gamma for gamma, _ in known if on_line(gamma) < least + NEAR]
    found = beside(factors, eps, near[0], best.size, goal) if near else shortest(
        factors, eps, best.gamma - 1, best.size, goal, known=[best])
    if not near:
        known.append((found.gamma, 0.0))
    return replace(found, size=best.size + max(0.0, on_line(found.gamma) - least))


@dataclass(frozen=True, eq=False)
class Look:
    """What one table says."""

    found: Any
    """A ball around delta."""
    wide: float
    """How much of it is due to noise."""
    vague: float
    """And of that to what the density is off."""
    rounded: float
    """What is rounded off, and more digits do not mend."""
    size: float
    """About the size of delta with noise and of what is beside it; 0 where it is not seen."""
    most: float
    """At least that size."""
    count: int
    """Of nodes."""


def _at(factors: Factors, eps: Any, chosen: Saddle, goal: float, kappa: Fraction, beside: float,
        form: Format) -> Look:
    """One table, for one place."""
    # of the answer, over the integrand without its kernel
    size = chosen.width / (2.5 * abs(chosen.gamma * (chosen.gamma - 1)))
    table = _table(factors, chosen.gamma, chosen.period, kappa, goal - math.log(size), form)
    with workprec(BITS):
        line = replace(chosen, period=2 * flint.arb.pi() / flint.arb(table.step))
        total, density, rounded = table.totals(eps)
        above = unfold(table.factors, eps, line, total)
        share = 2 * table.kappa * (table.kappa / 4).exp()
        less = (share * density).upper()
        found = above - less / 2 + flint.arb(0, (less / 2).upper())
        whole, vague = above + beside, float((share * 2 * density.rad()).upper())
    seen = whole > 0 and whole.rel_accuracy_bits() > SEEN_BITS
    return Look(found, float(less), vague, float(rounded), float(whole.mid()) if seen else 0.0,
                max(float(whole.upper()), 0.0), len(table.values))


def _few_bits(x: float) -> Fraction:
    """One a little below, which doubles and balls hold."""
    mantissa, power = math.frexp(x)
    return max(LEAST, Fraction(math.floor(8 * mantissa), 8) * Fraction(2) ** power)


def _top(kappa: float, goal: float) -> float:
    """The height from which on the rule for the density counts for less than e^-goal."""
    top = 1 / math.sqrt(kappa)
    for _ in range(8):
        # what is left out is about e^(-kappa top^2)/top
        top = math.sqrt(max(1.0, goal - math.log(top)) / kappa)
    return top


@dataclass(frozen=True, eq=False)
class Table:
    """E_q e^(kappa q (q - 1))/(q (q - 1)) at gamma + i step j, divided by ``size`` and turned by
    kappa (2 gamma - 1) less, for every eps."""

    factors: Factors
    """With the noise."""
    gamma: float
    step: float
    rows: Any
    """The numbers j are those from WIDTH times one of these on, below WIDTH times the next."""
    kappa: Any
    size: Any
    values: Any
    errors: tuple[float, float]
    """Bounds of the errors of all values, and of them times q (q - 1)."""
    weights: tuple[float, float]
    """At least the sums of their sizes."""
    rests: tuple[Any, Any]
    """Bounds of what both rules leave out, divided by ``size`` and the step."""

    def totals(self, eps: Any) -> tuple[Any, Any, Any]:
        """The rules for delta_kappa and for the density, at one eps, and what is rounded off in the
        first one."""
        spend(len(self.values) / 8)
        step, gamma = flint.arb(self.step), flint.arb(self.gamma)
        place = eps - self.kappa * (2 * gamma - 1)
        turn = flint.acb(0, -step * place)
        sums: list[list[float]] = [[], []]
        block = TOGETHER // WIDTH
        for first in range(0, len(self.rows), block):
            rows = self.rows[first:first + block]
            values = self.values[WIDTH * first:WIDTH * (first + len(rows))]
            heights = Heights(0, WIDTH, rows, WIDTH)
            terms = values * turns_on(turn, heights)
            if not first:
                terms[0] /= 2
            sums[0].append(float(tree(terms.real)))
            at = poles(self.gamma, self.step * heights.numbers)
            sums[1].append(float(tree((terms * at).real)))
        # of each term: three turns and their products, two products more, and a sum, of which the
        # sum of all is next to
        passes = 44 + 2 * math.ceil(math.log2(TOGETHER))
        found = [flint.arb(math.fsum(parts)) + flint.arb(0, SAFE * (
            off + UNIT * passes * weight)) for parts, off, weight in zip(
            sums, self.errors, self.weights, strict=True)]
        scale = ((1 - gamma) * eps).exp() * self.size / flint.arb.pi()
        totals = [scale * (step * x + flint.arb(0, rest)) for x, rest in zip(
            found, self.rests, strict=True)]
        return totals[0], totals[1], (scale * step * found[0].rad()).upper()


@lru_cache(maxsize=2)
def _table(factors: Factors, gamma: float, period: float, kappa: Fraction, goal: float,
           form: Format) -> Table:
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
        values, errors, weights = np.empty(count, dtype=complex), [0.0, 0.0], [0.0, 0.0]
        spend(count / 5)
        done = 0
        # next to the line differences from 1 keep their digits
        for block in (rows[:FEW_ROWS], *together(rows[FEW_ROWS:], max(terms))):
            begins = not done
            heights = Heights(0, WIDTH, block, WIDTH)
            found = [(*(moments.moments(step, len(heights.numbers), form) if begins else moments.on(
                flint.arb(step), heights)), moments.copies) for moments in known]
            unit = form.unit if begins else UNIT
            falls = _falls(fall, block)
            for start in range(0, len(falls), TOGETHER):
                part = slice(start, start + TOGETHER)
                less, off = powered(found[0][0][part], found[0][1][part], found[0][2], unit)
                for x, slip, k in found[1:]:
                    less, off = joined(less, off, *powered(x[part], slip[part], k, unit), unit)
                less = less.astype(complex)
                off = off + UNIT * sizes(less)
                here, down = 1 + less, falls[part]
                at = poles(gamma, step * heights.numbers[part])
                values[done:done + len(here)] = kept = here * down / at
                done += len(here)
                one, two = sizes(here) * down, sizes(at)
                # of a fall each factor and product, of q (q - 1) a few, are rounded
                slips = off * down + UNIT * FALL * one
                for i, (a, b) in enumerate(((slips / two, sizes(kept)), (slips, one))):
                    errors[i] += SAFE * float(a.sum())
                    weights[i] += SAFE * float(b.sum())
    if not all(map(math.isfinite, errors)):
        raise Unsupported("doubles do not reach far enough")
    noisy = NormalSpectrum(Number(sp.Rational(kappa.numerator, kappa.denominator)))
    return Table(Factors((*factors.parts, (noisy, 1))), gamma, step, rows, noise, size, values,
                 (errors[0], errors[1]), (weights[0], weights[1]), rests)


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
    left = _left(factors, gamma, top)
    rests: Any = (left * (fallen / (top * top)).min(1 / top)).upper(), (left * fallen).upper()
    runs = [(0, -(-count // WIDTH))]
    if count > SCANNED:
        limits = math.exp(-goal), math.exp(-goal) / (2 * kappa)
        found = far_cells.cells(factors, gamma, float(top), step, limits, MOST_NODES)
        if found is not None:
            # the moments may have fallen, and come back next to few heights
            runs, less = far_cells.kept(found, step, limits, count)
            rests = tuple((rest + flint.arb(x)).upper() for rest, x in zip(
                rests, less, strict=True))
    count = WIDTH * sum(last - first for first, last in runs)
    if count > MOST_NODES:
        raise Unsupported(f"so many digits need {count} nodes, more than {MOST_NODES}")
    return np.concatenate([np.arange(*run) for run in runs]), rests


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


def _left(factors: Factors, gamma: float, top: Any) -> Any:
    """At most the share of E_gamma from a height on."""
    left = flint.arb(1)
    for s, k in _falling(factors):
        if isinstance(s, CutNormal):
            here = s.decay(gamma, top) / s.least(gamma)
        else:
            line = s.line(flint.arb(gamma), float(top), INNER_BITS)
            here = line.decay(top) / (line.nodes.total().real - line.mean * line.ripple
                                      - line.left_out)
        left *= here.upper().min(flint.arb(1)) ** k
    return left.upper()


def _falls(fall: Any, rows: Any) -> Any:
    """e^(-fall j^2) at j = WIDTH a + b for the rows a: that of j0 = WIDTH a, that of b, and a
    power of e^(-2 fall j0), a product of at most log2(WIDTH) numbers; each of these is rounded
    once."""
    begin = [flint.arb(WIDTH * a) for a in rows.tolist()]
    starts = np.array([float((-fall * j * j).exp()) for j in begin])
    found = np.ones((len(rows), WIDTH))
    ratios, done = [(-2 * fall * j).exp() for j in begin], 1
    while done < WIDTH:
        found[:, done:2 * done] = found[:, :done] * np.array([float(x) for x in ratios])[:, None]
        ratios, done = [x * x for x in ratios], 2 * done
    found *= np.array([float((-fall * b * b).exp()) for b in range(WIDTH)])
    found *= starts[:, None]
    return found.ravel()


__all__ = ["BITS", "delta"]
