"""Tight dominating pairs on [0, 1], Zhu, Dong, Wang 2021, Proposition 8 and Lemma 9.

For a profile H over x = e^eps the pair on [0, 1] of the uniform distribution Q and of P with the
distribution function 1 + H*(u - 1) for u < 1 has exactly this profile.  With the conjugate
H*(y) = sup over x > 0 of x y - H(x), the duality of :mod:`lapdp.privacy.duality.vertices` says that
1 + H*(u - 1) = f_{Q|P}(1 - u), so the trade-off function of the reversed pair gives P in closed
form.  P has mass 1 - f_{Q|P}(0) = Pr[Z = oo] at the point 1, where Q has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.smooth import pair_by_slopes
from lapdp.privacy.duality.supremum import supremum
from lapdp.privacy.notions.profile import PrivacyProfile
from lapdp.privacy.notions.tradeoff_order import one_profile
from lapdp.privacy.pair import Pair

if TYPE_CHECKING:
    from lapdp.balls.decimals import Enclosure


@dataclass(frozen=True)
class DominatingPair:
    """P on [0, 1] against the uniform distribution Q; made by :func:`dominating_pair`."""

    given: Pair
    """A pair with the profile that P and Q have."""

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import dominating_card

        return dominating_card(self)

    @property
    def profile(self) -> PrivacyProfile:
        """The profile of (P, Q)."""
        return self.given.profile

    @property
    def mass_at_one(self) -> Any:
        """P({1}), which is Pr[Z = oo]."""
        return self.given.infinite_mass()

    def cdf(self, u: Any = None) -> Any:
        """P([0, u)) as an expression in u (default ``u``), or its value at an exact u in [0, 1].

        Raises :class:`Unsupported` where no closed form is reached; :meth:`cdf_at` is then left.

        >>> from lapdp import randomized_response
        >>> dominating_pair(randomized_response(sp.log(3))).cdf()
        Piecewise((u/3, u < 3/4), (3*u - 2, True))
        """
        return self._mirrored(self._dual(), u)

    def density(self, u: Any = None) -> Any:
        """The density of P on (0, 1), which is the likelihood ratio: it does not decrease.

        >>> from lapdp import exponential
        >>> dominating_pair(exponential(1, 2)).density()
        1/(2*sqrt(1 - u))
        """
        return self._mirrored([(-sp.diff(e, _LEVEL), upper) for e, upper in self._dual()], u)

    def cdf_at(self, u: Any, digits: int = 30) -> Enclosure:
        """P([0, u)) at an exact u in [0, 1], with a proved error bound."""
        x = self.given.variable("u", u)
        return self.given.reverse().tradeoff.at(1 - x, digits)

    def is_tight(self) -> bool:
        """Is the profile of (P, Q), worked out anew from :meth:`cdf`, the given one?

        Raises :class:`Unsupported` where the law of the loss has no closed form.

        >>> from lapdp import laplace
        >>> dominating_pair(laplace(1)).is_tight()
        True
        """
        pieces = self._dual()
        dual = pieces[0][0] if len(pieces) == 1 else sp.Piecewise(
            *((e, sp.Le(_LEVEL, upper)) for e, upper in pieces))
        return one_profile(pair_by_slopes(dual, _LEVEL).reverse(), self.given)

    def _dual(self) -> list[tuple[Any, Any]]:
        """f_{Q|P} by pieces with their upper ends."""
        dual = self.given.tradeoff.inverse()(_LEVEL)
        if not isinstance(dual, sp.Piecewise):
            return [(dual, sp.Integer(1))]
        found = []
        for e, condition in dual.args:
            if condition != sp.true and (not isinstance(condition, (sp.Le, sp.Lt))
                                         or condition.lhs != _LEVEL):
                raise Unsupported(f"the pieces depend on {condition}: give the parameters numbers")
            last = condition == sp.true or condition.rhs == 1
            found.append((e, sp.Integer(1) if last else condition.rhs))
            if last:
                break
        return found

    def _mirrored(self, pieces: list[tuple[Any, Any]], u: Any) -> Any:
        """A function of the level 1 - u as one of u."""
        x = self.given.variable("u", u)
        if x.is_number and sp.And(x >= 0, x <= 1) != sp.true:
            raise InputError(f"a point must lie in [0, 1], not at {x}")
        shown = x if x.is_Symbol else sp.Dummy("u", real=True)
        cases = [(e.subs(_LEVEL, 1 - shown), sp.Lt(shown, 1 - lower)) for (e, _), lower in
                 zip(pieces[1:], (upper for _, upper in pieces), strict=False)]
        last = pieces[0][0].subs(_LEVEL, 1 - shown)
        found = sp.Piecewise(*cases[::-1], (last, True), evaluate=False) if cases else last
        return found if shown == x else found.subs(shown, x)


_LEVEL = sp.Dummy("a", real=True)


@fitting
def dominating_pair(*given: Pair | PrivacyProfile) -> DominatingPair:
    """A pair on [0, 1], Q uniform, whose profile is the given one, or the largest of several.

    It dominates, tightly, every mechanism whose neighbouring outputs have these profiles.  Raises
    :class:`InputError` for what is neither pair nor profile.

    >>> from lapdp import finite
    >>> half = dominating_pair(finite(["1/2", "1/2"], [1, 0]))
    >>> half.cdf(), half.density(), half.mass_at_one
    (u/2, 1/2, 1/2)
    """
    pairs = [x.pair if isinstance(x, PrivacyProfile) else x for x in given]
    return DominatingPair(supremum(*pairs))


__all__ = ["DominatingPair", "dominating_pair"]
