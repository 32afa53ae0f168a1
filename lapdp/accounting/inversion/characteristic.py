"""The privacy profile of many releases from characteristic functions: Zhu, Dong, Wang 2021.

Algorithm 1, with a proof of the radius.  Let phi(u) = E_P[e^(iuZ)] and psi(u) = E_Q[e^(iuZ)] over
the finite losses Z = log(P/Q), the products of those of all releases (psi is the conjugate of the
paper's phi'), M and N the masses of P and Q there.  Inverting both distribution functions (their
Lemma 20, after Levy and Gil-Pelaez),

    delta(eps) = Pr[Z = oo] + (M - e^eps N)/2 + (1/pi) p.v. int_0^oo Im(e^(-iu eps) chi(u))/u du,

chi = phi - e^eps psi.  An atom at eps counts half in either function, and the halves cancel.

The integral is a sum at u_j = (j + 1/2) h.  On sin(c u)/u the sum over all j is the integral for
|c| < 2 pi/h = L, and never further than pi from it, as the square wave of period 2 L; so it errs by
at most Pr_P[|Z - eps| >= L] + e^eps Pr_Q[|Z - eps| >= L], bounded by Chernoff's bound at four
orders.  The sum stops where a Gaussian factor makes the rest small: |phi| and |psi| are at most
M e^(-K u^2) and N e^(-K u^2), K the sum of the kappas of all Gaussian factors.  Without one,
atoms, and densities with kinks or jumps, keep the tail of the integral too large: refused.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import flint

from lapdp.accounting.inversion.contour import enclosed, moment_bound
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, NormalSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 200_000
MOST_EPS = 5000
"""e^eps multiplies what is computed of Q, and every error of it."""
STEEPEST = 60
"""Orders are tried up to 2^(STEEPEST/4) away from the line."""


class _Rule(NamedTuple):
    """The sum, chosen in doubles: its square wave has the period 2 L."""

    half_period: float
    nodes: int
    orders: tuple[tuple[int, float], ...]
    """(line, order) of the four bounds of what lies beyond the half period."""


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) for every real eps, masses at infinite loss counted.

    ``eps`` is a real ball; the radius is about 2^-bits, whatever the value: this is an absolute
    error.  Raises :class:`Unsupported` without a Gaussian factor, and where the sum is too long.
    """
    kappa = gaussian_part(factors)
    if not abs(eps) < MOST_EPS:
        raise Unsupported(f"characteristic functions are used for abs(eps) < {MOST_EPS}")
    chosen = _choose(factors, float(eps), bits, float(kappa))
    with workprec(bits + 24 + math.ceil(max(0.0, float(eps)) / LOG2)):
        return _sum(factors, eps, chosen, bits, gaussian_part(factors))


def gaussian_part(factors: Factors) -> Any:
    """K with |E_(gamma + iu)| <= E_gamma e^(-K u^2): the kappas of all Gaussian factors."""
    total = flint.arb(0)
    for spectrum, count in factors.parts:
        if isinstance(spectrum, NormalSpectrum):
            total += spectrum.kappa.ball() * count
    if not total > 0:
        raise Unsupported("characteristic functions are inverted for products with a Gaussian "
                          "factor: without one, atoms and kinks leave a tail that no bound ends")
    return total


def _choose(factors: Factors, eps: float, bits: int, kappa: float) -> _Rule:
    """Where the wave may turn and the sum may stop, in doubles; what is chosen is proved after."""
    goal = (bits + 5) * LOG2
    half = 0.0
    orders: list[tuple[int, float]] = []
    for line in (1, 0):
        for side in (1, -1):
            length, order = _beyond(factors, eps, goal, line, side)
            half, orders = max(half, length), [*orders, (line, order)]
    step = 2 * math.pi / half
    scale = goal + max(0.0, eps)
    reach = math.sqrt(scale / kappa) + step
    nodes = math.ceil(reach / step)
    if nodes > MOST_NODES:
        raise Unsupported(f"the sum needs {nodes} terms, more than {MOST_NODES}")
    factors.work(nodes, 1.0, reach, bits)
    return _Rule(half, nodes, tuple(orders))


def _beyond(factors: Factors, eps: float, goal: float, line: int, side: int
            ) -> tuple[float, float]:
    """The least half period for one of the four bounds, and the order that gives it."""
    best = (math.inf, math.nan)
    for k in range(-STEEPEST, STEEPEST + 1):
        gap = 2.0 ** (k / 4)
        order = line + side * gap
        if not factors.lower < order < factors.upper:
            continue
        try:
            size = (1 - order) * eps + factors.log_moment(order)
        except ArithmeticError:
            continue  # beyond doubles
        if math.isfinite(size):
            # a bound that holds at once leaves the period free, but never 0
            best = min(best, (max((size + goal) / gap, 0.125), order))
    if not math.isfinite(best[0]):
        raise Unsupported("no order bounds the losses far from eps: their moments are infinite")
    return best


def _sum(factors: Factors, eps: Any, rule: _Rule, bits: int, kappa: Any) -> Any:
    """The ball: the sum, what lies beyond half a period, and what the sum leaves out."""
    half = flint.arb(rule.half_period)
    step = 2 * flint.arb.pi() / half
    odds = eps.exp()
    inner = bits + 8 + factors.count.bit_length() + math.ceil(max(0.0, float(eps)) / LOG2)
    top = float(step) * (rule.nodes + 1)
    total = flint.arb(0)
    masses = []
    for line, weight in ((1, flint.arb(1)), (0, -odds)):
        parts = [(s.line(flint.arb(line), top, inner), k) for s, k in factors.parts]
        mass = flint.arb(1)
        for one, k in parts:
            mass *= one.at(flint.arb(0)).real ** k
        masses.append(mass)
        total += weight * (mass / 2 + _inverted(parts, eps, step, rule.nodes) / flint.arb.pi())
    lost = 1 - factors.finite_mass()
    # h/u_j e^(-K u_j^2) <= int of e^(-K u^2)/u over [u_j - h, u_j] <= ..., summed from u_J on
    last = step * (flint.arb(rule.nodes) - flint.arb(1) / 2)
    rest = (-kappa * last * last).exp() / (2 * kappa * last * last) / flint.arb.pi()
    error = (masses[0] + odds * masses[1]) * rest + _alias(factors, eps, rule, half)
    return lost + total + flint.arb(0, error.upper())


def _inverted(parts: list[Any], eps: Any, step: Any, nodes: int) -> Any:
    """The sum of h Im(e^(-iu eps) phi(u))/u over u = (j + 1/2) h, j < nodes."""
    turn = flint.acb(0, -step * eps).exp()
    phase = flint.acb(0, -step * eps / 2).exp()
    total = flint.arb(0)
    for j in range(nodes):
        value = phase
        u = step * (2 * j + 1) / 2
        for line, k in parts:
            value *= line.at(u) ** k
        total += value.imag / (2 * j + 1)
        # powers drift: begin anew at times
        phase = flint.acb(0, -step * eps * (2 * j + 3) / 2).exp() if j % 64 == 63 else phase * turn
    return 2 * total


def _alias(factors: Factors, eps: Any, rule: _Rule, half: Any) -> Any:
    """Chernoff's bounds of Pr_P[|Z - eps| >= L] + e^eps Pr_Q[|Z - eps| >= L]."""
    total = flint.arb(0)
    for (line, order), side in zip(rule.orders, (1, -1, 1, -1), strict=True):
        enclosed(side * (order - line) > 0)
        with workprec(flint.ctx.prec + factors.count.bit_length()):
            gap = abs(flint.arb(order) - line)
            total += (((1 - flint.arb(order)) * eps - gap * half).exp()
                      * moment_bound(factors, order))
    return total


__all__ = ["delta", "gaussian_part"]
