"""The k-fold product of a pair with itself for a symbol k.

Moments, masses at infinity and Renyi divergences are powers and multiples for every pair.  With two
or three finite losses the profile is a sum over binomial or multinomial terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form
from lapdp.calculus.export import Piece, by_cases
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.core.errors import Unsupported
from lapdp.privacy.model import Model
from lapdp.privacy.notions.loss import LossAtom, LossDistribution
from lapdp.privacy.operations import Joint
from lapdp.privacy.pair import Pair, copies

MOST_LOSSES = 3
"""Finite losses of a pair whose symbolic power is still a sum to read."""


@dataclass(frozen=True, repr=False)
class SymbolicPower(Joint):
    """The product of ``count`` copies of a pair, ``count`` an expression with symbols.

    >>> from lapdp import laplace, randomized_response
    >>> k = sp.Symbol("k", integer=True, positive=True)
    >>> (laplace(1) ** k).moment(2)
    ((1 + 2*exp(3))*exp(-2)/3)**k
    >>> (randomized_response(1, "1/10") ** k).mass_at_infinity
    1 - (9/10)**k
    """

    pair: Pair
    count: Any

    def reverse(self) -> Pair:
        """The power of the reversed pair."""
        return SymbolicPower(self.pair.reverse(), self.count)

    def __pow__(self, k: object) -> Pair:
        """Powers multiply."""
        return SymbolicPower(self.pair, self.count * copies(k))

    def model(self) -> Model:
        """No model: :class:`Unsupported`."""
        raise self._refusal("the exact model")

    def profile_value(self, t: Any) -> Any:
        """The privacy profile of a pair with at most three finite losses, Corollary 4.7.

        >>> from lapdp import randomized_response
        >>> k = sp.Symbol("k", integer=True, positive=True)
        >>> (randomized_response(sp.log(3)) ** k).profile(0)
        Sum(3**j*binomial(k, j)*Max(0, 1 - exp(-j*log(3) + (-j + k)*log(3))), (j, 0, k))/4**k
        """
        found = self._mean(lambda z: sp.Max(0, 1 - sp.exp(t - z)), "the profile")
        return found + self.infinite_mass()

    @property
    def loss(self) -> LossDistribution:
        """The privacy loss distribution: its mass at infinity and its distribution function."""
        return SymbolicLoss(self)

    def region_in(self, cell: Cell) -> Region:
        """That of one factor."""
        return self.pair.region_in(cell)

    def constraints(self) -> list[Constraint]:
        """Those of the pair; the count is positive by its assumptions."""
        return self.pair.constraints()

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The power at given values, None where they are out of range."""
        found: Pair | None = self.pair.substitute(values)
        count = sp.sympify(self.count).subs(values, simultaneous=True)
        if found is None or not (count.is_integer and count.is_positive):
            return None
        return found.__pow__(count)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The numeric pair at values of all parameters, ``count`` among them."""
        found = self.substitute(values)
        if found is None or found.free_symbols:
            raise self._refusal("the numeric pair")
        return found.numeric_pair({})

    def cdf(self, x: Any) -> Any:
        """Pr[Z <= x]."""
        level = _canonical(x)
        return self._mean(lambda z: sp.Piecewise((1, sp.Le(z, level)), (0, True)), "the loss")

    def _mean(self, of: Callable[[Any], Any], what: str) -> Any:
        """The sum of ``of(loss)`` times P-mass over the finite losses."""
        def build(cell: Cell) -> Any:
            model = self.pair.model_in(cell)
            if model.atoms is None:
                raise self._refusal(what)
            masses: dict[Form, Scalar] = {}
            for atom in model.atoms:
                masses[atom.z] = masses[atom.z] + atom.a if atom.z in masses else atom.a
            if len(masses) > MOST_LOSSES:
                raise self._refusal(what)
            return self._sum(masses, of, cell)

        return by_cases(self.constraints(), build)

    def _sum(self, masses: dict[Form, Scalar], of: Callable[[Any], Any], cell: Cell) -> Any:
        if not masses:
            return sp.Integer(0)
        *others, last = masses
        ratios = [masses[z] / masses[last] for z in others]
        if not all(x.as_exponential() for x in ratios) and not cell.nonzero(masses[last]):
            # the ratios have no meaning where this outcome never occurs
            return self._sum({z: masses[z] for z in others}, of, cell)
        left, weight, loss, limits = self.count, sp.Integer(1), sp.Integer(0), []
        for name, z, ratio in zip("jl", others, ratios, strict=False):
            n = self._index(name)
            # beyond what is left the binomial coefficient is 0
            limits.append((n, 0, self.count))
            weight *= sp.binomial(left, n) * ratio.to_sympy() ** n
            loss, left = loss + n * z.to_sympy(), left - n
        value = weight * of(loss + left * last.to_sympy())
        total = sp.Sum(value, *limits) if limits else value
        return masses[last].to_sympy() ** self.count * total

    def _index(self, name: str) -> Any:
        taken = name in {s.name for s in self.free_symbols}
        return (sp.Dummy if taken else sp.Symbol)(name, integer=True, nonnegative=True)

    def _refusal(self, what: str) -> Unsupported:
        return Unsupported(f"{what} of {self!r} is reached for pairs with at most {MOST_LOSSES} "
                           "finite losses, and for Gaussian ones: give the power a number by "
                           ".substitute; its moment and renyi are reached")

    def __repr__(self) -> str:
        base = f"({self.pair!r})" if isinstance(self.pair, Joint) else repr(self.pair)
        count = f"({self.count})" if self.count.args else f"{self.count}"
        return f"{base}**{count}"


def _canonical(x: Any) -> Any:
    """Equal logarithms must look equal, for losses exactly at x."""
    try:
        return to_form(x).to_sympy()
    except Unsupported:
        return x


@dataclass(frozen=True, repr=False)
class SymbolicLoss(LossDistribution):
    """The loss of a symbolic power: the number of its atoms is open."""

    pair: SymbolicPower

    @property
    def atoms(self) -> tuple[LossAtom, ...]:
        """:class:`Unsupported`."""
        raise self.pair._refusal("a list of the losses")

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """:class:`Unsupported`."""
        raise self.pair._refusal("a list of the losses")

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= x] for real x.

        >>> from lapdp import randomized_response
        >>> k = sp.Symbol("k", integer=True, positive=True)
        >>> (randomized_response(1) ** k).loss.cdf(0).subs(k, 1).doit()
        1/(1 + E)
        """
        return self.pair.cdf(self.pair.variable("z", x))


__all__ = ["SymbolicLoss", "SymbolicPower"]
