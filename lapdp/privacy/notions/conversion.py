"""Certificates of exactness: one notion computed from another, and back by the other formula.

A certificate is issued where, in every case of the parameters, the map of the table gives the
target of the same pair, and the map that leads back, another formula, gives the source again, both
as equalities of exact objects.  No tolerance enters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from lapdp.calculus.exact import ZERO
from lapdp.calculus.ordering import Cell, explore
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.verdict import Leaf, Split
from lapdp.privacy.model import Model
from lapdp.privacy.notions import maps
from lapdp.privacy.notions.maps import Losses

if TYPE_CHECKING:
    from lapdp.privacy.notions.notion import Notion
    from lapdp.privacy.pair import Pair

MAX_POINTS, MAX_TERMS = 120, 600
"""Breakpoints and atoms of a loss that a certificate may be asked for, and terms of its density."""


@dataclass(frozen=True)
class Conversion:
    """A certified map from one notion of a pair to another one.

    >>> from lapdp import laplace
    >>> print(laplace(1).profile.convert("loss"))
    laplace(1, 1).profile -> laplace(1, 1).loss, exact
      by       f_Z = delta'' - delta', Pr[Z = oo] = delta(oo)
      domain   all real t; delta continuous
      checked  delta(t) = E[max(0, 1 - e^(t - Z))] gives the profile back
    """

    source: Notion
    target: Notion
    equation: str
    """The map."""
    domain: str
    """Where it holds."""
    checked: str
    """The identity that was found to hold, in every case of the parameters."""
    cases: int = 1
    """How many cases there were."""

    def __str__(self) -> str:
        cases = f", in each of {self.cases} cases of the parameters" if self.cases > 1 else ""
        return (f"{self.source!r} -> {self.target!r}, exact\n  by       {self.equation}\n"
                f"  domain   {self.domain}\n  checked  {self.checked}{cases}")


class Route(NamedTuple):
    """A map, how it is printed, and where it holds; ``{strip}`` is that of the pair."""

    apply: Callable[[Any, Cell], Any]
    equation: str
    domain: str


def _on_the_line(G: Any, cell: Cell) -> Losses:
    return maps.loss_of_moment(G, cell, ZERO)


def _restricted(G: Any, cell: Cell) -> Any:
    return G


_EVERYWHERE = "all real t"
_STRIP = "{strip}; masses at infinity are what the finite losses lack to mass 1"
_LINE = "all real u; P << Q"
ROUTES: dict[tuple[str, str], Route] = {
    ("profile", "loss"): Route(
        maps.loss_of_profile, "f_Z = delta'' - delta', Pr[Z = oo] = delta(oo)",
        "all real t; delta continuous"),
    ("profile", "moment"): Route(
        maps.moment_of_profile, "E_q = q (q - 1) B{delta - 1}(1 - q)",
        "0 < Re q < 1, and by continuation {strip}"),
    ("profile", "characteristic"): Route(
        maps.moment_of_profile, "phi(u) = E_(1 + iu), E_q = q (q - 1) B{delta - 1}(1 - q)", _LINE),
    ("loss", "profile"): Route(
        maps.profile_of_loss, "delta(t) = E[max(0, 1 - e^(t - Z))]", _EVERYWHERE),
    ("loss", "moment"): Route(maps.moment_of_loss, "E_q = B{f_Z}(1 - q)", "{strip}"),
    ("loss", "characteristic"): Route(maps.moment_of_loss, "phi(u) = B{f_Z}(-iu)", _LINE),
    ("moment", "profile"): Route(
        maps.profile_of_moment, "delta - 1 = B^-1{E_(1-s)/(s (s - 1))} on 0 < Re s < 1",
        _EVERYWHERE),
    ("moment", "loss"): Route(
        maps.loss_of_moment, "f_Z = B^-1{E_(1-s)} on 0 < Re s < 1, by residues", _STRIP),
    ("moment", "characteristic"): Route(_restricted, "phi(u) = E_(1 + iu)", _LINE),
    ("characteristic", "profile"): Route(
        maps.profile_of_moment, "delta - 1 = B^-1{phi(is)/(s (s - 1))} on 0 < Re s < 1",
        _EVERYWHERE),
    ("characteristic", "loss"): Route(
        _on_the_line, "f_Z = B^-1{phi(is)} on Re s = 0, by residues", "all real losses"),
    ("characteristic", "moment"): Route(
        _restricted, "E_q = phi(-i (q - 1)), by continuation", "{strip}"),
}
"""From one notion to another one of the same pair."""

MIRRORED: dict[str, Route] = {
    "profile": Route(maps.reversed_profile, "delta_Q|P(t) = 1 - e^t + e^t delta_P|Q(-t)",
                     _EVERYWHERE),
    "loss": Route(maps.reversed_loss, "f_Z'(z) = e^z f_Z(-z)", "all real losses"),
    "moment": Route(maps.reversed_moment, "E_q(Q||P) = E_(1-q)(P||Q)", "{strip}"),
}
"""From a notion of (P, Q) to that of (Q, P)."""


def certify(pair: Pair, source: str, target: str) -> Conversion:
    """The certificate of ``pair.source.convert(target)``; "reverse" leads to the pair (Q, P).

    Raises :class:`InputError` for words that are no notions, :class:`Undefined` where one of them
    does not exist, :class:`Unsupported` outside the exact class and where the identity is not seen.
    """
    if target == "reverse":
        return _mirrored(pair, source)
    if "tradeoff" in (source, target):
        from lapdp.privacy.duality.certificate import certify_duality

        return certify_duality(pair, source, target)
    if (source, target) not in ROUTES:
        known = [*(b for a, b in ROUTES if a == source), "tradeoff"]
        raise InputError(f"no map leads from {source} to {str(target)[:40]}: there are "
                         f"{', '.join(known) or 'none'}")
    there, back = ROUTES[source, target], ROUTES[target, source]

    def leaf(cell: Cell) -> tuple[Any, ...]:
        model = _model(pair, cell)
        if "characteristic" in (source, target) and not cell.vanishes(model.p_infinite):
            raise Undefined("the characteristic function does not exist: Pr[Z = oo] = "
                            f"{model.p_infinite}")
        first, second = (_curve(name, model, cell) for name in (source, target))
        found = there.apply(first, cell)
        if not (maps.same(found, second, cell) and maps.same(back.apply(found, cell), first, cell)):
            raise Unsupported(f"{source} -> {target} is not seen to be exact")
        return ()

    cases = _leaves(explore(pair.constraints(), leaf))
    return _issued(pair, pair, (source, target), there, back.equation, cases)


def _mirrored(pair: Pair, name: str) -> Conversion:
    if name not in MIRRORED:
        raise InputError(f"no map leads from {name} to that of (Q, P)")
    other = pair.reverse()

    def leaf(cell: Cell) -> tuple[Any, ...]:
        first, second = (_curve(name, _model(p, cell), cell) for p in (pair, other))
        found = MIRRORED[name].apply(first, cell)
        back = MIRRORED[name].apply(found, cell)
        if not (maps.same(found, second, cell) and maps.same(back, first, cell)):
            raise Unsupported(f"the reversal of the {name} is not seen to be exact")
        return ()

    cases = _leaves(explore(pair.constraints(), leaf))
    return _issued(pair, other, (name, name), MIRRORED[name],
                   "twice the map is the identity; once is the notion of (Q, P)", cases)


def _issued(pair: Pair, other: Pair, names: tuple[str, str], route: Route, back: str, cases: int
            ) -> Conversion:
    source, target = getattr(pair, names[0]), getattr(other, names[1])
    domain = route.domain
    if "{strip}" in domain:
        try:
            strip = str(other.moment_region()).replace("Re s", "Re q").replace("all s", "all q")
        except Unsupported:
            strip = "the strip of E_q"
        domain = domain.format(strip=strip)
    checked = back if names[0] == names[1] else f"{back} gives the {names[0]} back"
    return Conversion(source, target, route.equation, domain, checked, cases)


def _model(pair: Pair, cell: Cell) -> Model:
    model = pair.model_in(cell)
    points = len(model.loss.impulses) + len(model.loss.jumps)
    terms = sum(len(found) for found in model.loss.jumps.values())
    if points > MAX_POINTS or terms > MAX_TERMS:
        raise Unsupported(f"certificates reach to {MAX_POINTS} breakpoints and {MAX_TERMS} terms: "
                          f"the loss of {pair!r} has {points} and {terms}")
    return model


def _curve(name: str, model: Model, cell: Cell) -> Any:
    """What the pair answers."""
    if name == "profile":
        return model.profile(cell)
    losses = Losses.of(model)
    return losses if name == "loss" else maps.moment_of_loss(losses, cell)


def _leaves(tree: Split | Leaf) -> int:
    if isinstance(tree, Leaf):
        return 0 if tree.obligations else 1
    return sum(_leaves(branch) for branch in tree.branches.values())


__all__ = ["Conversion", "certify"]
