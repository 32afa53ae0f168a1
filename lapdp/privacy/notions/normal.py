"""The notions of a Gaussian pair lead to each other by formulas: certificates of exactness.

With kappa = w^2 the loss is N(w^2, 2 w^2) for every Gaussian pair, so that all identities are
checked once, as equalities of field elements in t, z, q and w with letters for pi^(-1/2) and for
values of erfc.  What is left to theorems of analysis: erfc(x) e^(cx) -> 0 as x -> oo, and a normal
density of complex mean has integral 1.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.enclose import differs_from_zero
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.notions.conversion import MIRRORED, ROUTES, Conversion
from lapdp.privacy.notions.equality import instances

if TYPE_CHECKING:
    from lapdp.privacy.mechanisms.gaussian import Gaussian
    from lapdp.privacy.pair import Pair

T, Z, Q = sp.Dummy("t", real=True), sp.Dummy("z", real=True), sp.Dummy("q")
W, ROOT = sp.Dummy("w", positive=True), sp.Dummy("1/sqrt(pi)", positive=True)
"""sqrt(kappa), and 1/sqrt(pi)."""
SECOND = "delta'' - delta' = f_Z as expressions in erfc, and delta and its slope vanish at oo"
SQUARE = "f_Z(z) e^((q-1) z) = E_q f_Z(z - 2 (q-1) kappa), a normal density of mass 1"


def profile(t: Any) -> Any:
    """delta(t), equation (13)."""
    return sp.erfc((t - W**2) / (2 * W)) / 2 - sp.exp(t) * sp.erfc((t + W**2) / (2 * W)) / 2


def density(z: Any) -> Any:
    """The density of the loss."""
    return ROOT * sp.exp(-((z - W**2) ** 2) / (4 * W**2)) / (2 * W)


def moment(q: Any) -> Any:
    """E_q, from P^q Q^(1-q) by completing the square."""
    return sp.exp(W**2 * q * (q - 1))


@lru_cache(maxsize=1)
def identities() -> dict[str, bool]:
    """The identities behind the certificates, for all kappa > 0.

    >>> identities()
    {'profile-loss': True, 'loss-moment': True, 'profile': True, 'loss': True, 'moment': True}
    """
    slopes = sp.diff(profile(T), T, 2) - sp.diff(profile(T), T)
    zero = {
        "profile-loss": slopes - density(T),
        "loss-moment": density(Z) * sp.exp((Q - 1) * Z) - moment(Q) * density(
            Z - 2 * (Q - 1) * W**2),
        "profile": 1 - sp.exp(T) + sp.exp(T) * profile(-T) - profile(T),
        "loss": sp.exp(Z) * density(-Z) - density(Z),
        "moment": moment(1 - Q) - moment(Q),
    }
    return {name: _scalar(e).is_zero() for name, e in zero.items()}


def certify(pair: Gaussian, source: str, target: str) -> Conversion:
    """The certificate of ``gaussian(...).source.convert(target)``; errors as for every pair.

    >>> from lapdp import gaussian
    >>> print(gaussian(2).moment.convert("loss"))
    gaussian(2, 1).moment -> gaussian(2, 1).loss, exact
      by       f_Z = B^-1{E_(1-s)}, by uniqueness
      domain   all real losses
      checked  f_Z(z) e^((q-1) z) = E_q f_Z(z - 2 (q-1) kappa), a normal density of mass 1
    """
    if not (all(identities().values()) and _has_canonical_form(pair)):
        raise Unsupported(f"the notions of {pair!r} are not seen to be those of a normal loss")
    if "tradeoff" in (source, target):
        from lapdp.privacy.duality.certificate import certify_duality

        return certify_duality(pair, source, target)
    if target == "reverse":
        if source not in MIRRORED:
            raise InputError(f"no map leads from {source} to that of (Q, P)")
        text = MIRRORED[source].equation
        return Conversion(getattr(pair, source), getattr(pair, source), text,
                          "the pair is its own reversal", "the map leaves the notion as it is")
    if (source, target) not in ROUTES:
        raise InputError(f"no map leads from {source} to {str(target)[:40]}")
    names = {source, target}
    used = [SECOND] if "profile" in names else []
    used += [SQUARE] if names & {"moment", "characteristic"} else []
    equation = ROUTES[source, target].equation
    if target == "loss" and source != "profile":
        equation = f"{equation.split('}')[0]}}}, by uniqueness"
    domain = {"profile": "all real t", "loss": "all real losses", "moment": "all q",
              "characteristic": "all real u"}[target]
    return Conversion(getattr(pair, source), getattr(pair, target), equation, domain,
                      "; ".join(used))


def _has_canonical_form(pair: Gaussian) -> bool:
    """Are the formulas of the pair those of this file at w = sqrt(kappa)?"""
    w = sp.sqrt(pair.kappa)
    gaps = (pair.profile_expression(T) - profile(T).subs(W, w),
            pair.loss.density(Z) - density(Z).subs(W, w),
            sp.exp(pair.log_moment(Q)) - moment(Q).subs(W, w))
    return all(_scalar(gap).is_zero() for gap in gaps)


def _scalar(e: Any) -> Scalar:
    """A field element; pi occurs in square roots only."""
    return to_scalar(e.subs(sp.sqrt(sp.pi), 1 / ROOT))


def same_loss(pair: Gaussian, other: Pair) -> bool:
    """Has another pair the same normal loss?  The exact class holds none."""
    if not isinstance(other, type(pair)):
        # raises Unsupported outside the exact class
        with suppress(NeedSplit):
            other.model_in(Cell(other.constraints()))
        return False
    gap = to_scalar(sp.expand(pair.kappa - other.kappa))
    if gap.is_zero():
        return True
    for values in instances(sorted(gap.parameters(), key=str)):
        forms = {s: Form.of(x) for s, x in values.items()}
        if all(x != 0 for x in values.values()) and differs_from_zero(gap.substitute(forms)):
            return False
    raise Unsupported(f"whether {pair!r} and {other!r} have the same loss is not decided")


__all__ = ["certify", "identities", "same_loss"]
