"""delta of two releases of subsampled Gaussian noise: an integral of a formula.

With R and S the likelihood ratios of the two releases and y = e^eps,

    delta(eps) = the mean of delta_S(eps - log R) under P of the first one,

and one release has a formula: with G the profile of the Gaussian mechanism, for
(w P + (1 - w) Q, Q)

    delta_S(log y) = w G(log z),  z = (y - (1 - w))/w,   and 1 - y for y <= 1 - w,

and for (P, (1 - w) P + w Q), with c = 1 - (1 - w) y,

    delta_S(log y) = c G(log z),  z = w y/c,             and 0 for c <= 0.

Both are analytic for z > 0, and next to the ends they are flatter than any power.  There they are
bounded: G(x) - (1 - e^x) and G(x) are at most e^x and 1 times the mass of a normal law beyond.  So
the mean is the integral of an analytic function over an interval of normal deviations, and normal
masses.  No line is asked for: neither decay nor the size of moments counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

EVALUATIONS, MOST_BITS, ALONE_BITS = 20_000, 2_000, 256
"""Of the formula, at most; bits that places next to its ends cost; and those of delta of one
release."""


@dataclass(frozen=True)
class Sample:
    """One release; ``removed`` for (w P + (1 - w) Q, Q), else (P, (1 - w) P + w Q)."""

    rate: Any
    kappa: Any
    removed: bool

    @staticmethod
    def of(s: MixedNormalSpectrum) -> Sample:
        """In balls, at the working precision."""
        first, second = s.first.exact, s.second.exact
        if second == 0:
            return Sample(s.first.ball(), s.kappa.ball(), True)
        if first == 1:
            return Sample(1 - s.second.ball(), s.kappa.ball(), False)
        raise Unsupported("a release is no sample against one of its parts")

    @property
    def root(self) -> Any:
        """The deviation of the loss that is sampled."""
        return (2 * self.kappa).sqrt()

    def ratio(self, n: Any) -> Any:
        """R at n deviations: of Q for what is removed, of P else."""
        w = self.rate
        if self.removed:
            return 1 - w + w * (self.root * n - self.kappa).exp()
        return 1 / (1 - w + w * (-self.root * n - self.kappa).exp())

    def place(self, ratio: Any) -> Any:
        """The n from which on R is larger than that, infinite where it always is, or never."""
        w = self.rate
        inner = ((ratio if self.removed else 1 / ratio) - (1 - w)) / w
        if inner > 0:
            found = (inner.log() + self.kappa) / self.root
        elif inner < 0:
            found = flint.arb.neg_inf()
        else:
            raise Unsupported("the ends of the formula are not told")
        return found if self.removed else -found

    def formula(self, y: Any, analytic: bool) -> Any:
        """delta at log y between the ends, for complex balls; not finite where it is not seen to be
        analytic and that is asked."""
        w, nu = self.rate, self.kappa.sqrt()
        c = w if self.removed else 1 - (1 - w) * y
        z = (y - (1 - w)) / w if self.removed else w * y / c
        if analytic and not z.real > 0:
            return flint.acb(flint.arb.nan())
        x = z.log()
        return c * ((x / (2 * nu) - nu / 2).erfc() - z * (x / (2 * nu) + nu / 2).erfc()) / 2

    def ends(self, deviations: Any) -> tuple[Any, Any]:
        """The y beyond which delta is known: 1 - y below the first, and 0 above the second, within
        the mass beyond so many deviations; infinite where there is none."""
        w = self.rate
        if self.removed:
            return 1 - w + w * (-self.kappa - deviations * self.root).exp(), flint.arb.pos_inf()
        z = (self.kappa + deviations * self.root).exp()
        return flint.arb(0), z / (w + (1 - w) * z)


def two(factors: Factors) -> tuple[MixedNormalSpectrum, MixedNormalSpectrum] | None:
    """The two releases; None where there are others."""
    found = [s for s, k in factors.parts for _ in range(min(k, 3))
             if isinstance(s, MixedNormalSpectrum) and s.is_sample]
    return (found[0], found[1]) if factors.count == len(found) == 2 else None


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps), to about ``bits`` bits.

    Raises :class:`Unsupported` unless these are two subsampled Gaussians.
    """
    found = two(factors)
    if found is None:
        raise Unsupported("these are no two subsampled Gaussians")
    near = float(eps)
    likely = min(0.0, likely_size(factors, near, saddle(factors, near, bits * LOG2).size))
    total = flint.arb(0)
    for size in (likely, min(likely, _of_one(found, eps))):
        total = _to_size(found, eps, bits, size)
        if total.rel_accuracy_bits() >= bits - 4:
            break
    if not total.rel_accuracy_bits() > 0:
        raise Unsupported("the integral of a formula is not reached")
    return total


def _of_one(found: tuple[MixedNormalSpectrum, MixedNormalSpectrum], eps: Any) -> float:
    """About log delta of one release alone, than which that of both is no less: 0 where that is
    nothing.  The sizes of moments say little of it where huge losses rule them."""
    with workprec(ALONE_BITS):
        alone = [sample.formula(flint.acb(eps.exp()), False).real
                 for sample in map(Sample.of, found) if sample.removed]
        return min(0.0, max((float(value.log()) for value in alone if value > 0), default=0.0))


def _to_size(found: tuple[MixedNormalSpectrum, MixedNormalSpectrum], eps: Any, bits: int,
             size: float) -> Any:
    """The same, where its logarithm is not less than ``size``."""
    logs = (bits + 8) * LOG2 - size
    deviations = math.ceil(math.sqrt(2 * (8 + logs + max(0.0, float(eps)))))
    # a place next to an end is told by the digits of the rate and of e^-loss
    more = max(math.log2(1 / w) if w else 0.0 for s in found for w in (
        min(1.0, abs(s.doubles[0] - s.doubles[1])),)) + max(
        2 * s.doubles[2] + deviations * math.sqrt(2 * s.doubles[2]) for s in found) / LOG2
    if more > MOST_BITS:
        raise Unsupported("losses are too large for the integral of a formula")
    with workprec(bits + 32 + int(more)):
        first, second = (Sample.of(s) for s in found)
        far = flint.arb(deviations)
        low, high, sure = _interval(first, second, eps, far)
        y, goal = eps.exp(), (-flint.arb(logs)).exp()

        def integrand(n: Any, analytic: bool) -> Any:
            ratio = first.ratio(n)
            value = second.formula(y / ratio, analytic) * (-n * n / 2).exp()
            return ratio * value if first.removed else value

        total = sure
        if low < high:
            total += flint.acb.integral(
                integrand, low, high, rel_tol=flint.arb(2) ** (-bits - 4), abs_tol=goal,
                eval_limit=EVALUATIONS).real / (2 * flint.arb.pi()).sqrt()
        if not total.is_finite():
            raise Unsupported("the integral of a formula is not reached")
        # what is beyond the deviations of either release, of P or of Q
        beyond = 4 * (1 + y) * right_tail(far)
        return total + flint.arb(0, beyond.upper())


def _interval(first: Sample, second: Sample, eps: Any, deviations: Any) -> tuple[Any, Any, Any]:
    """The deviations of the first release between which the formula counts, exactly, and what is
    known beyond them."""
    low, high = -deviations, (deviations + first.root).upper()
    if not first.removed:
        low, high = -high, -low
    least, most = second.ends(deviations)
    y = eps.exp()
    # y/R falls with n: below the first place delta is next to 0, above the other one 1 - y/R
    if most.is_finite():
        low = low.max(first.place(y / most).lower())
    if not least > 0:
        return low, high, flint.arb(0)
    above = first.place(y / least)
    if not above < high:
        return low, high, flint.arb(0)
    high = low.max(above.upper())
    w, tail = first.rate, right_tail(high)
    # R has the mean of P under Q, and 1/R that of Q under P
    return low, high, ((1 - w - y) * tail + w * right_tail(high - first.root) if first.removed
                       else tail - y * ((1 - w) * tail + w * right_tail(high + first.root)))


__all__ = ["Sample", "delta", "two"]
