"""The pieces of overlapping mixtures of a pair whose loss is of the exact class."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from lapdp.accounting.moments.exact import ExactSpectrum, double
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import Number, Spectrum
from lapdp.accounting.moments.pieces import MixedPiece, exact_pieces
from lapdp.accounting.moments.piecewise import Atom, PiecewiseSpectrum
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.overlapping import OverlappingMixtures

ONE = Scalar.of(1)


def mixed_exact(pair: OverlappingMixtures) -> PiecewiseSpectrum:
    """The moments of subsampled Laplace, staircase, exponential noise and the like.

    The losses move along h(z) = log((w e^z + 1 - w)/(v e^z + 1 - v)); a mass of P at z becomes that
    of w P + (1 - w) Q.  :class:`Unsupported` where the pair is not of the exact class.
    """
    cell = Cell()
    model = pair.pair.model_in(cell)
    w, v = pair.weights(cell)

    def moved(z: Form) -> Form:
        x = Scalar.exp(z)
        return log_form((w * x + ONE - w) / (v * x + ONE - v))

    atoms = [Atom(moved(z), orders[0] * (w + (ONE - w) * Scalar.exp(-z)))
             for z, orders in model.loss.impulses.items()]
    p, q = model.p_infinite, model.q_infinite
    top = None if v.is_zero() else log_form(w / v)
    if not p.is_zero() and top is not None:
        atoms.append(Atom(top, w * p))
    if not q.is_zero() and w != ONE:
        atoms.append(Atom(log_form((ONE - w) / (ONE - v)), (ONE - w) * q))
    weights = Number(pair.first), Number(pair.second)
    pieces = tuple(MixedPiece(piece, *weights) for piece in exact_pieces(model.loss))
    unbounded, usual = any(not c.is_zero() for c in model.loss.tail().values()), None
    if not unbounded and (places := model.loss.breakpoints(cell)):
        # the losses move along a function that rises
        usual = moved(places[-1])
        if p.is_zero() or top is None:
            top, usual = usual, None
    lower, upper = -math.inf, math.inf
    if any(None in piece.breakpoints for piece in pieces):
        strip = pair.region_in(cell)
        if strip.is_empty():
            raise Unsupported("the moments converge nowhere")
        lower, upper = _end(strip.lower, lower), _end(strip.upper, upper)
    # infinite losses, which end the strip as well, are no part of the moments
    return PiecewiseSpectrum(tuple(atoms), pieces, pair.infinite_masses(cell)[0], top, lower, upper,
                             usual=usual)


@lru_cache(maxsize=64)
def in_pieces(factors: Factors) -> Factors | None:
    """The same releases with losses of the exact class as atoms and pieces; None where others are
    among them.

    >>> from lapdp import laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> sampled = poisson(laplace(1), "0.1", direction="remove")
    >>> found = in_pieces(releases(laplace(1) ** 3 * sampled))
    >>> [(len(s.atoms), len(s.pieces), k) for s, k in found.parts]
    [(2, 1, 3), (2, 1, 1)]
    """
    if all(isinstance(s, PiecewiseSpectrum) for s, _ in factors.parts):
        return factors
    found = [(_in_pieces(s), k) for s, k in factors.parts]
    known = tuple((s, k) for s, k in found if s is not None)
    return Factors(known) if len(known) == len(found) else None


def _in_pieces(s: Spectrum) -> PiecewiseSpectrum | None:
    if isinstance(s, ExactSpectrum):
        atoms = tuple(Atom(at, orders[0]) for at, orders in s.loss.impulses.items())
        return PiecewiseSpectrum(atoms, tuple(exact_pieces(s.loss)), s.p_infinite, s.largest,
                                 s.lower, s.upper)
    return s if isinstance(s, PiecewiseSpectrum) else None


def _end(order: Any, otherwise: float) -> float:
    return otherwise if order is None else double(order)


__all__ = ["in_pieces", "mixed_exact"]
