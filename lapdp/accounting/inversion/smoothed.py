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

How large delta and the density are is not known before: a first look, with more noise, takes few
heights in doubles.  It says how much noise may stay, how early the rule may be cut, and whether
what is rounded off counts: then the first heights are worked out in longer numbers.

For few digits huge losses that are rare are apart (:mod:`lapdp.accounting.inversion.cut_losses`):
they would rule the integrand on every line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.contour import below, unfold
from lapdp.accounting.inversion.cut_losses import apart
from lapdp.accounting.inversion.noisy_tables import MOST_NODES, noisy_table
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
    UNIT,
    Format,
    wider,
)
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, NormalSpectrum
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.effort import finishing, taken
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

FIRST, UNSEEN, SEEN_BITS = 1 << 11, 14.0, 3
"""Nodes of a first look at the density; logarithms of what cancels, where that sees nothing."""
MARGIN, STEP = 5.0, 4 * LOG2
"""Bits of the rule beyond those of the answer; what its goal grows by at least."""
SHARE, ROOM, HARDLY = 0.75, 0.8, 0.7
"""Of what the answer may be off, for the noise; of that, as the density changes with it; what is
left of an error where more nodes were no gain."""
HIDDEN = 1 / 1024
"""Of noise that hides all else."""
TRIES, LEAST = 8, Fraction(1, 1 << 200)
FEW_DIGITS, CUTS, AGAIN, LEAST_SIZE, HIDES = 7, 3, 1.6, 1e-300, 8
"""Digits for which huge losses are taken apart, and how often; what the last time takes, in steps
of that before; of sizes; times what an answer may be off, what is not known for sure hides it."""
NOISY, NEAR, WORTH = "with noise", 3.0, 2.0
"""What a search knows lines by; a logarithm that one of them may cost, and for which another one is
taken where what is rounded off counts."""


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
    goal, ball, most, before = (needed + 2 * MARGIN) * LOG2, None, None, None
    unit, highest = (wider() or DOUBLE).unit, math.inf
    for _ in range(CUTS):
        part = apart(factors, float(eps), goal, most) if few else None
        if part is None and most is None:
            return _delta(factors, eps, needed)
        if part is None or part.factors is before or part.log_rounded(unit) > highest - (
                needed + 1) * LOG2:
            if ball is None:
                raise Unsupported("more cancels than doubles hold")
            return ball
        more, off = part.beside(eps)
        known, open_ = (float(x.log()) if x > 0 else -math.inf for x in (more, off))
        if open_ > np.logaddexp(known, part.log_most) - (needed - 3) * LOG2 + 1:
            # whatever is kept, what is not known hides it: so it does where that is known better
            if most is not None:
                break
            most = float(np.logaddexp(known, part.size)) - (needed + 1) * LOG2
            highest = float(np.logaddexp.reduce([known, part.log_most, open_]))
            continue
        hardly, before = part.size < known - goal, part.factors
        found = more + (below(part.factors, eps, part.order) if hardly else _delta(
            part.factors, eps, needed, float(more), float(off)))
        ball = found + flint.arb(0).union(off)
        over = float(off) / max(float(found), LEAST_SIZE)
        if ball.rel_accuracy_bits() >= needed - 1 or not math.log(max(over, LEAST_SIZE)) > -goal:
            return ball
        # losses are dropped that count
        if over < 1:
            # once more the same is likely to do
            finishing(AGAIN * taken())
        most, highest = (math.log(max(float(x.abs_upper()), LEAST_SIZE)) for x in (found, ball))
        most -= (needed + 1) * LOG2
    if ball is None:
        raise Unsupported("losses are dropped that hide all digits")
    return ball


def _delta(factors: Factors, eps: Any, needed: int, beside: float = 0.0, off: float = 0.0) -> Any:
    """The same, to so many bits of what it is with a number >= 0, or fewer; not many more than
    count where so much is not known of that."""
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
        # a ball of so many bits has a radius below that power of two
        allowed = math.ldexp(1.0, max(math.frexp(look.most)[1] - needed - 1, -1000))
        if not look.most > max(LEAST_SIZE, off) or (size > 0 and off > HIDES * allowed):
            break  # doubles hold nothing so small, or something else hides it
        if look.rounded > allowed / 8:
            longer = wider()
            if form is DOUBLE and longer is not None:
                form = longer
            elif look.rounded > 2 * allowed:
                # more digits do not mend it, but a line with less to cancel may
                best, on_line = saddle(factors, float(eps), goal), exponent(factors, float(eps))
                if not on_line(best.gamma) < on_line(chosen.gamma) - WORTH:
                    break
                chosen = best
                continue
        # noise takes twice its share of the radius
        allowed = 2 * SHARE * max(allowed - look.rounded, allowed / 8)
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
    table = noisy_table(factors, chosen.gamma, chosen.period, kappa, goal - math.log(size), form)
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
                max(float(whole.upper()), 0.0), table.count)


def _few_bits(x: float) -> Fraction:
    """One a little below, which doubles and balls hold."""
    mantissa, power = math.frexp(x)
    return max(LEAST, Fraction(math.floor(8 * mantissa), 8) * Fraction(2) ** power)


__all__ = ["BITS", "delta"]
