"""Loss classes in balls, where there is no closed form: subsampled and mixed pairs.

Let l be the loss of (P, Q), and let the members be w P + (1 - w) Q and v P + (1 - v) Q.  Their loss
is h(l) = log(w e^l + 1 - w) - log(v e^l + 1 - v), and the first member has the density w + (1 - w)
e^-l against P.  So mean and variance are integrals of h and h^2 over the losses of (P, Q), which
:func:`lapdp.balls.integrals.integrate` encloses with proved tails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import flint
import sympy as sp

from lapdp.balls.integrals import integrate
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.ball_values import expression_ball
from lapdp.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.notions.loss_class import factor_cumulant
from lapdp.privacy.operations import factors
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.privacy.pair import Pair

Z = sp.Symbol("z", real=True)
MOST_TERMS = 200_000
"""Terms of a sum over whole numbers."""


def mean_and_variance(pair: Pair) -> list[Callable[[], Any]]:
    """What gives mean and variance of the inner loss as ``arb`` at the working precision.

    A pair without symbols.  Raises :class:`Unsupported` for factors of other kinds.
    """
    parts = [(count, _cumulants(factor)) for factor, count in factors(pair)]

    def total(order: int) -> Any:
        return sum((count * cumulants()[order] for count, cumulants in parts), flint.arb(0))

    return [partial(total, 0), partial(total, 1)]


def _cumulants(factor: Pair) -> Callable[[], tuple[Any, Any]]:
    """Mean and variance of one factor, together."""
    if isinstance(factor, OverlappingMixtures) and not factor.atomic(Cell()):
        return partial(_mixed, factor)
    if isinstance(factor, DiscreteGaussian):
        return partial(_discrete, factor)
    closed = [factor_cumulant(factor, order) for order in (1, 2)]
    return lambda: (expression_ball(closed[0]), expression_ball(closed[1]))


def _discrete(pair: DiscreteGaussian) -> tuple[Any, Any]:
    """kappa, and copies d^2/sigma^4 times the variance of the noise.

    The sums over x >= 1 of x^(2j) e^(-x^2/(2 sigma^2)) are cut at n, where the terms decrease by a
    factor below 1/2 (that of consecutive terms falls in x): what is left is at most the last one.
    """
    square = expression_ball(pair.sigma**2)
    step, half = (-1 / (2 * square)).exp(), flint.arb(1) / 2
    weight, grow, sums = step, step**3, [half, flint.arb(0)]
    for x in range(1, MOST_TERMS):
        sums[0] += weight
        sums[1] += weight * x**2
        following = weight * grow
        last = following * (x + 1) ** 2
        if grow * 4 < half and last < flint.arb(2) ** (-flint.ctx.prec) * sums[1]:
            rest = flint.arb(0).union((2 * last).upper())
            variance = (sums[1] + rest) / (sums[0] + rest)
            scale = expression_ball(pair.copies * pair.sensitivity**2) / square**2
            return expression_ball(pair.kappa), scale * variance
        weight, grow = following, grow * step**2
    raise Unsupported(f"the variance of {pair!r}: more than {MOST_TERMS} terms")


def _mixed(mixed: OverlappingMixtures) -> tuple[Any, Any]:
    w, v = mixed.first, mixed.second

    def loss(at: Any) -> Any:
        return _log_mixed(w, at) - _log_mixed(v, at)

    sums = [flint.arb(0), flint.arb(0), flint.arb(0)]
    for mass, at in _atoms(mixed, loss):
        for order in range(3):
            sums[order] += expression_ball(mass) * expression_ball(at) ** order
    digits = flint.ctx.dps
    for density, lower, upper in _densities(mixed, w):
        for order in range(3):
            found = integrate(density * loss(Z) ** order, Z, lower, upper, digits)
            sums[order] += found.real
    mean = sums[1] / sums[0]
    return mean, sums[2] / sums[0] - mean**2


def _log_mixed(share: Any, at: Any) -> Any:
    """log(share e^at + 1 - share)."""
    if share == 1:
        return at
    return sp.Integer(0) if share == 0 else sp.log(share * sp.exp(at) + 1 - share)


def _atoms(mixed: OverlappingMixtures, loss: Callable[[Any], Any]) -> Iterator[tuple[Any, Any]]:
    """(mass under the first member, loss) of the atoms and of outcomes of one-sided mass."""
    w, v = mixed.first, mixed.second
    if isinstance(mixed.pair, Gaussian):
        return
    for atom in mixed.pair.loss.atoms:
        yield atom.mass * (w + (1 - w) * sp.exp(-atom.loss)), loss(atom.loss)
    only_p, only_q = (x.to_sympy() for x in mixed.pair.infinite_masses(Cell()))
    if only_p != 0 and v != 0 and w != 0:
        yield w * only_p, sp.log(w / v)
    if only_q != 0 and w != 1 and v != 1:
        yield (1 - w) * only_q, sp.log((1 - w) / (1 - v))


def _densities(mixed: OverlappingMixtures, w: Any) -> Iterator[tuple[Any, Any, Any]]:
    """(density under the first member, lower, upper) of the losses of the pair beneath."""
    for piece in mixed.pair.loss.pieces:
        if piece.expression.free_symbols - {Z} - mixed.pair.free_symbols:
            letter = next(iter(piece.expression.free_symbols))
            density = piece.expression.xreplace({letter: Z})
        else:
            density = piece.expression
        yield density * (w + (1 - w) * sp.exp(-Z)), piece.lower, piece.upper


__all__ = ["mean_and_variance"]
