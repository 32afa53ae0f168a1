"""Privacy losses that are atoms, profiles and trade-off functions that are piecewise linear.

A profile that is piecewise linear in e^eps, a trade-off function that is piecewise linear, and a
loss that has atoms only belong to a finite pair each (Kairouz, Oh, Viswanath 2015; Zhu, Dong, Wang
2022), one outcome a segment or atom.  So they are drawn as the notions of finite pairs, of whose
outcomes no two have one likelihood ratio: then they are equal only where they are ``==``.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair
from lapdp.privacy.notions.loss import LossDistribution
from lapdp.privacy.notions.profile import PrivacyProfile
from lapdp.privacy.notions.tradeoff import TradeOff
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.testing.strategies.naming import called


def loss_distributions(
    *,
    max_size: int = 4,
    absolutely_continuous: str | None = None,
    symmetric: bool | None = None,
    lattice: Any = None,
    max_weight: int = 12,
) -> st.SearchStrategy[LossDistribution]:
    """Laws of Z = log(P/Q) under P: atoms of rational masses at logs of Fractions, and Pr[Z = oo].

    The finite part has E[e^-Z] <= 1.  Arguments are those of :func:`finite_pairs`; ``max_size``
    counts the atoms, the one at oo and what E[e^-Z] lacks to 1.  :func:`laws` has densities.

    Raises ``hypothesis.errors.InvalidArgument`` as :func:`finite_pairs`.

    >>> from hypothesis import find
    >>> find(loss_distributions(), lambda Z: Z.mass_at_infinity > 0).atoms
    ()
    >>> find(loss_distributions(symmetric=True), lambda Z: len(Z.atoms) > 1)
    finite(["1/3", "2/3"], ["2/3", "1/3"]).loss
    """
    given = locals()
    return called(loss_distributions, given, finite_pairs(**given).map(_loss))


def profiles(
    *,
    max_size: int = 4,
    absolutely_continuous: str | None = None,
    symmetric: bool | None = None,
    lattice: Any = None,
    max_weight: int = 12,
) -> st.SearchStrategy[PrivacyProfile]:
    """Privacy profiles that are piecewise linear in e^eps, with rational values at rational e^eps.

    ``profile.pair.hockey_stick(alpha)`` is the value at eps = log alpha as a Fraction, and
    ``profile.pair.breakpoints()`` are the kinks.  Arguments are those of :func:`finite_pairs`;
    ``symmetric=True`` draws profiles that are their own reversal.

    Raises ``hypothesis.errors.InvalidArgument`` as :func:`finite_pairs`.

    >>> from hypothesis import find
    >>> delta = find(profiles(symmetric=True), lambda delta: len(delta.pair.breakpoints()) > 1)
    >>> delta.pair.breakpoints(), delta.pair.hockey_stick(1)
    ((Fraction(1, 2), Fraction(2, 1)), Fraction(1, 3))
    """
    given = locals()
    return called(profiles, given, finite_pairs(**given).map(_profile))


def tradeoff_functions(
    *,
    max_size: int = 4,
    absolutely_continuous: str | None = None,
    symmetric: bool | None = None,
    max_weight: int = 12,
) -> st.SearchStrategy[TradeOff]:
    """Convex piecewise linear trade-off functions; ``f.vertices`` are rational.

    f(0) < 1 where Q has mass that P has not, and f is 0 from some level below 1 on where P has mass
    that Q has not; ``absolutely_continuous="both"`` draws neither.  ``symmetric=True`` draws
    functions that are their own inverse, ``False`` the others.

    Raises ``hypothesis.errors.InvalidArgument`` as :func:`finite_pairs`.

    >>> from hypothesis import find
    >>> find(tradeoff_functions(absolutely_continuous="forward"), lambda f: f(0) < 1).vertices
    ((0, 1/2), (1, 0))
    >>> find(tradeoff_functions(symmetric=True), lambda f: 0 < f(0) < 1).vertices
    ((0, 1/2), (1/2, 0), (1, 0))
    """
    given = locals()
    return called(tradeoff_functions, given, finite_pairs(**given).map(_tradeoff))


def _loss(pair: FinitePair) -> LossDistribution:
    return pair.merge().loss


def _profile(pair: FinitePair) -> PrivacyProfile:
    return pair.merge().profile


def _tradeoff(pair: FinitePair) -> TradeOff:
    return pair.merge().tradeoff


__all__ = ["loss_distributions", "profiles", "tradeoff_functions"]
