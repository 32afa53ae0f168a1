"""The order of two privacy profiles of concrete mechanisms, at every real argument.

A claim ``delta(P, Q)(t) >= delta(A, B)(t)`` about mechanisms without parameters, for all real t, is
a claim about the sign of one function of t, whose zeros are counted: see
:mod:`lapdp.privacy.comparison`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.sign_patterns import SignPattern, point_with
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Rejected, Witness, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.comparison import profile_expression, profile_signs
from lapdp.privacy.mixtures import PLAIN, REVERSED, members
from lapdp.privacy.pair import Pair
from lapdp.theory.obligations import Path

METHOD = "signs of profiles"
SIGNS: dict[type, tuple[int, ...]] = {
    sp.Ge: (0, 1), sp.Gt: (1,), sp.Le: (0, -1), sp.Lt: (-1,), sp.Eq: (0,)}
"""The signs of the difference that a relation allows."""


@dataclass(frozen=True)
class ProfileSigns:
    """The difference of two profiles has only these signs, for all real arguments."""

    first: Pair
    second: Pair
    allowed: tuple[int, ...]

    def discharge(self, path: Path) -> None:
        """Count the zeros again."""
        try:
            pattern = profile_signs(self.first, self.second)
        except Unsupported as problem:
            raise Rejected(f"the difference of the profiles: {problem}") from None
        if not _within(pattern, self.allowed):
            raise Rejected("the difference of the profiles has another sign")

    def describe(self) -> str:
        """One line."""
        words = " or ".join({1: "> 0", 0: "= 0", -1: "< 0"}[s] for s in self.allowed)
        return f"profile of {self.first!r} minus that of {self.second!r}: {words} on all of R"


def by_profile_signs(statement: Any, _prove: Any = None) -> Judgement | None:
    """Decide a relation between the profiles of two concrete pairs for all real t.

    Raises :class:`Unsupported` where a profile is not reached or a sign stays open.

    >>> from lapdp import laplace, randomized_response
    >>> from lapdp.theory import Ge, delta, mechanism_pair, reals
    >>> from lapdp.theory.statement import Statement
    >>> t = reals("t")
    >>> coin = mechanism_pair(randomized_response(1), "P", "Q")
    >>> noise = mechanism_pair(laplace(1), "A", "B")
    >>> str(by_profile_signs(Statement("order", Ge(delta(*coin)(t), delta(*noise)(t)))).kind)
    'derived'
    """
    claim = statement.claim
    allowed = SIGNS.get(type(claim))
    if allowed is None or statement.where or len(statement.parameters) != 1:
        return None
    (t,) = statement.parameters
    first, second = (_profile_at(side, t) for side in (claim.lhs, claim.rhs))
    if first is None or second is None or not t.is_real:
        return None
    pattern = profile_signs(first, second)
    if _within(pattern, allowed):
        leaf = Leaf((ProfileSigns(first, second, allowed),))
        return Judgement(Kind.DERIVED, METHOD, proof=seal(Certificate(
            METHOD, (("the difference of the profiles", leaf),), (known.MEAN_VALUE,))))
    if t.is_integer or any(known_sign is not None for known_sign in (
            t.is_nonnegative, t.is_nonpositive, t.is_zero)):
        raise Unsupported("the order fails somewhere on R, but the argument is restricted")
    return _refuted(statement, pattern, allowed, (first, second), t)


def _profile_at(e: Any, t: Any) -> Pair | None:
    """The pair whose profile at ``t`` the expression is."""
    if not isinstance(e, pn.Profile) or e.args[2] != t:
        return None
    identity, weights = members(e.args[0], e.args[1])
    pair = identity.mechanism
    if not isinstance(pair, Pair) or pair.free_symbols or weights not in (PLAIN, REVERSED):
        return None
    return pair if weights == PLAIN else pair.reverse()


def _within(pattern: SignPattern, allowed: tuple[int, ...]) -> bool:
    """Has the function only these signs, at its zeros as well?"""
    return set(pattern.signs) <= set(allowed) and (not pattern.zeros or 0 in allowed)


def _refuted(statement: Any, pattern: SignPattern, allowed: tuple[int, ...],
             pairs: tuple[Pair, Pair], t: Any) -> Judgement:
    """At a plain number where the sign is another one; both values are shown."""
    wrong = next((s for s in pattern.signs if s not in allowed), None)
    if wrong is None:
        raise Unsupported("a strict order fails at single points only")
    point = point_with(pattern, wrong)
    at = sp.Rational(point.numerator, point.denominator)
    lhs, rhs = (str(sp.N(profile_expression(pair, at), 20)) for pair in pairs)
    text = "; ".join([*(f"{', '.join(p.names)} = mechanism_pair({p.mechanism!r})"
                        for p in statement.pairs if p.mechanism is not None), f"{t} = {at}"])
    return Judgement(Kind.REFUTED, METHOD, witness=Witness(
        text, {str(t): str(at)}, lhs, rhs, "the relation fails, by balls"),
        reason="the relation fails")


__all__ = ["by_profile_signs"]
