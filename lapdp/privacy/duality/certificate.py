"""Certificates of the Fenchel duality: a trade-off function leads back to the profile it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.atoms import exact_points
from lapdp.privacy.duality.smooth import pair_by_slopes
from lapdp.privacy.duality.vertices import to_profile, to_tradeoff
from lapdp.privacy.notions.conversion import Conversion
from lapdp.privacy.notions.tradeoff_order import sign_of

if TYPE_CHECKING:
    from lapdp.privacy.notions.tradeoff import TradeOff
    from lapdp.privacy.pair import Pair

TO_CURVE = "f(a) = max(0, sup over x > 0 of (1 - a - delta(log x))/x)"
TO_PROFILE = "delta(t) = max over a of 1 - a - e^t f(a)"
SOURCES = ("profile", "loss", "moment", "characteristic")


def certify_duality(pair: Pair, source: str, target: str) -> Conversion:
    """The certificate of a conversion from or to the trade-off function.

    Vertex by vertex for a pair of atoms.  Else the closed form of f is read back as a pair, by its
    slopes, and that pair has the same loss, exactly.  Raises as :meth:`Notion.convert`.

    >>> from lapdp import laplace
    >>> print(laplace(1).profile.convert("tradeoff"))
    laplace(1, 1).profile -> laplace(1, 1).tradeoff, exact
      by       f(a) = max(0, sup over x > 0 of (1 - a - delta(log x))/x)
      domain   all a in [0, 1]
      checked  the slopes -e^-z of f give the loss back
    """
    other = source if target == "tradeoff" else target
    if other not in SOURCES:
        raise InputError(f"no map leads from {source} to {target[:40]}: there are "
                         f"{', '.join(SOURCES)}")
    curve = pair.tradeoff
    discrete = _has_vertices(curve)
    if not (_by_vertices(curve) if discrete else _by_slopes(curve)):
        raise Unsupported(f"{source} -> {target} is not seen to be exact")
    kind = "vertices" if discrete else "slopes -e^-z"
    there = (TO_CURVE, "all a in [0, 1]") if target == "tradeoff" else (TO_PROFILE, "all real t")
    return Conversion(getattr(pair, source), getattr(pair, target), *there,
                      f"the {kind} of f give the loss back")


def _has_vertices(curve: TradeOff) -> bool:
    try:
        return bool(curve.vertices)
    except Unsupported:
        return False


def _by_vertices(curve: TradeOff) -> bool:
    """The profile has the dual vertices, and the map back returns those of f."""
    points, sign = exact_points("vertices", curve.vertices)
    dual = to_profile(points, sign)
    profile = curve.pair.profile
    if any(sign_of(profile(sp.log(_shown(x))) - _shown(h)) != 0 for x, h in dual[1:]):
        return False
    back = to_tradeoff(dual, sign)
    return len(back) == len(points) and all(
        sign(x - y) == 0 for one, other in zip(back, points, strict=True)
        for x, y in zip(one, other, strict=True))


def _by_slopes(curve: TradeOff) -> bool:
    level = sp.Dummy("a", real=True)
    return pair_by_slopes(curve(level), level).same_loss(curve.pair)


def _shown(x: Any) -> Any:
    return Scalar.of(x).to_sympy()


__all__ = ["certify_duality"]
