"""What the contour integral needs to know of a pair: the moments of its independent factors."""

from __future__ import annotations

from functools import lru_cache

from lapdp.accounting.moments.curved import curved
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.given import Given, given
from lapdp.accounting.moments.lines import NormalSpectrum, Number, Spectrum
from lapdp.accounting.moments.mixed_exact import mixed_exact
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.density_pairs import CurvedDensities
from lapdp.privacy.finite import finite
from lapdp.privacy.letters import Letters
from lapdp.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.operations import factors
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.privacy.pair import Pair


@lru_cache(maxsize=64)
def releases(pair: Pair) -> Factors:
    """The factors of a pair without parameters, equal ones counted.

    Raises :class:`InputError` where a parameter is a symbol, :class:`Unsupported` where a factor's
    moments of complex order are not reached.

    >>> from lapdp import gaussian, laplace
    >>> [k for _, k in releases((gaussian(1) * laplace(1))**3 * laplace(1)).parts]
    [3, 4]
    """
    refuse_symbols(pair)
    counts: dict[Pair, int] = {}
    for factor, count in factors(pair):
        # a discrete Gaussian holds its copies itself
        held = factor.copies if isinstance(factor, DiscreteGaussian) else 1
        single = factor.single if isinstance(factor, DiscreteGaussian) else factor
        counts[single] = counts.get(single, 0) + count * held
    letters = Letters()
    return Factors(tuple((_named(factor, letters), count) for factor, count in counts.items()))


def refuse_symbols(pair: Pair) -> None:
    """:class:`InputError` where a parameter is a symbol."""
    if pair.free_symbols:
        names = ", ".join(sorted(s.name for s in pair.free_symbols))
        raise InputError(f"{pair} has parameters ({names}): substitute numbers for them")


def _named(pair: Pair, letters: Letters) -> Spectrum:
    """Parameters such as sqrt(2), for which there is no exact element, are taken for letters: what
    differs for them is told apart by balls."""
    try:
        return _spectrum(pair)
    except Unsupported:
        written = letters.pair(pair)
        if written == pair:
            raise
        return _spectrum(written)


def _spectrum(pair: Pair) -> Spectrum:
    if isinstance(pair, OverlappingMixtures) and pair.first == pair.second:
        # both members are the same distribution, whatever is mixed
        pair = finite([1], [1])
    if isinstance(pair, Gaussian):
        return NormalSpectrum(Number(pair.kappa))
    if isinstance(pair, DiscreteGaussian):
        return ThetaSpectrum(Number(pair.sigma**2), int(pair.sensitivity))
    if isinstance(pair, OverlappingMixtures) and isinstance(pair.pair, Gaussian):
        return MixedNormalSpectrum(Number(pair.first), Number(pair.second),
                                   Number(pair.pair.kappa))
    if isinstance(pair, OverlappingMixtures) and isinstance(pair.pair, DiscreteGaussian):
        if pair.pair.copies != 1:
            raise Unsupported("one sample for several discrete Gaussians is no factor")
        return MixedThetaSpectrum(Number(pair.first), Number(pair.second),
                                  Number(pair.pair.sigma**2), int(pair.pair.sensitivity))
    if isinstance(pair, Given) and pair.mixture is not None:
        return given(mixed_exact(pair.mixture), pair.mixture)
    if isinstance(pair, OverlappingMixtures) and not pair.atomic(Cell()):
        return mixed_exact(pair)
    if isinstance(pair, CurvedDensities):
        return curved(pair)
    model = pair.model_in(Cell())
    return ExactSpectrum(model.loss, model.p_infinite)


__all__ = ["refuse_symbols", "releases"]
