"""Reversal, products and powers of pairs, as pairs again.

Every factor is a pair of probability distributions, so totals are 1: an outcome of a product has
infinite loss when one of its parts has, and finite losses add.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.loss_grid import refuse_many_losses
from lapdp.privacy.model import INFINITE, Infinite, Model
from lapdp.privacy.pair import Pair, copies
from lapdp.privacy.parameters import exact_parameter
from lapdp.privacy.products import multiply

if TYPE_CHECKING:
    from lapdp.privacy.notions.loss import LossDistribution

MAX_ATOMS = 20_000
"""Outcomes of a power in the numeric column."""


@dataclass(frozen=True, repr=False)
class Reversed(Pair):
    """The pair (Q, P)."""

    pair: Pair

    def reverse(self) -> Pair:
        """The pair itself."""
        return self.pair

    def model(self) -> Model:
        """The reversed model, equation (19)."""
        return self.pair.model().reverse()

    def model_in(self, cell: Cell) -> Model:
        """The reversed model in one case."""
        return self.pair.model_in(cell).reverse()

    def profile_value(self, t: Any) -> Any:
        """The privacy profile; by equation (7) where the pair has one and no exact model."""
        try:
            return super().profile_value(t)
        except Unsupported:
            return 1 - sp.exp(t) + sp.exp(t) * self.pair.profile_value(-t)

    def constraints(self) -> list[Constraint]:
        """Those of the pair."""
        return self.pair.constraints()

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The pair at given parameter values, None where they are out of range."""
        found = self.pair.substitute(values)
        return None if found is None else found.reverse()

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The numeric pair with its members exchanged."""
        kind, *data = self.pair.numeric_pair(values)
        if kind == "finite":
            return (kind, [(b, a) for a, b in data[0]])
        return (kind, data[1], data[0], *data[2:])

    def __repr__(self) -> str:
        return f"reverse({self.pair!r})"


class Joint(Pair):
    """A product or power.

    With a Gaussian factor its profile and loss leave the exact class; with a symbolic power among
    the factors its moments and masses leave the coefficient field.
    """

    def symbolic_factors(self) -> list[tuple[Pair, Any]]:
        """The factors with their numbers of copies if some number is symbolic; else none."""
        found = list(factors(self))
        return found if any(isinstance(count, sp.Expr) for _, count in found) else []

    def moment_value(self, q: Any) -> Any:
        """E_q, a product over the factors: none is oo where another is 0."""
        found = self.symbolic_factors()
        if not found:
            return super().moment_value(q)
        # a Fraction to a symbolic power would be a float
        return sp.Mul(*(sp.sympify(factor.moment_value(q)) ** count for factor, count in found))

    def renyi_value(self, q: Any) -> Any:
        """R_q, a sum over the factors; at complex q by E_q, for the branch of the logarithm."""
        found = self.symbolic_factors()
        if not found:
            return super().renyi_value(q)
        order = exact_parameter("q", q, real=False)
        if order.is_real:
            return sp.Add(*(count * factor.renyi_value(q) for factor, count in found))
        return sp.log(self.moment_value(q)) / (order - 1)

    def infinite_mass(self) -> Any:
        """1 minus the probability that every loss is finite."""
        found = self.symbolic_factors()
        if not found:
            return super().infinite_mass()
        return 1 - sp.Mul(*((1 - factor.infinite_mass()) ** count for factor, count in found))

    def _vanishes(self, side: int, what: str) -> bool:
        return all(factor._vanishes(side, what) for factor, _ in factors(self))

    def model(self) -> Model:
        """The exact model; :class:`Unsupported` with a factor outside the exact class."""
        return self.undivided_model()

    def model_in(self, cell: Cell) -> Model:
        """The exact model in one case: all factors at once, equal ones as a power."""
        return _closed_form(self) if not self.free_symbols else _multiplied(self, cell)

    def profile_value(self, t: Any) -> Any:
        """The privacy profile.

        >>> from lapdp import gaussian, laplace
        >>> (gaussian(1) * laplace(1)).profile(0)
        (-1 + erfc(sqrt(2)/2)/2)*exp(-5/8) - erfc(3*sqrt(2)/4) + exp(-5/8)*erfc(sqrt(2)/2)/2 + 1
        """
        from lapdp.privacy.smoothed import smoothing

        found = smoothing(self)
        return super().profile_value(t) if found is None else found.shown(found.profile, t)

    def profile_ball(self, t: Any) -> Any:
        """delta at an exact number, an ``arb`` at the current working precision; no parameters."""
        from lapdp.privacy import loss_sums
        from lapdp.privacy.ball_values import Point
        from lapdp.privacy.smoothed import copies_of, smoothing

        if self.free_symbols:
            raise InputError(f"{self!r}: a certified value needs numbers for its parameters")
        found = smoothing(self)
        if found is not None:
            return found.ball("profile", Point.of("t", t).exact)
        parts = loss_sums.parts_of(copies_of(self))
        if parts is None or loss_sums.sums_of(parts) <= loss_sums.FEW_SUMS:
            return super().profile_ball(t)
        return loss_sums.profile_ball(parts, Point.of("t", t).exact)

    def cdf_ball(self, z: Any) -> Any:
        """Pr[Z <= z] likewise."""
        from lapdp.privacy.ball_values import Point
        from lapdp.privacy.smoothed import smoothing

        found = None if self.free_symbols else smoothing(self)
        if found is None:
            return super().cdf_ball(z)
        return found.ball("cdf", Point.of("z", z).exact)

    @property
    def loss(self) -> LossDistribution:
        """The privacy loss distribution."""
        from lapdp.privacy.smoothed import SmoothedLoss, smoothing

        found = smoothing(self)
        return super().loss if found is None else SmoothedLoss(self, found)


@dataclass(frozen=True, repr=False)
class Product(Joint):
    """The pair (P1 x P2, Q1 x Q2), made by :func:`joined`.

    What is asked of a product is asked of both of its parts.  So its factors are the leaves of a
    tree whose shape is that of their number alone, the first part holding the largest power of two
    that leaves one for the second: a product of thousands is a dozen parts deep, and the same
    however it was put in parentheses.
    """

    first: Pair
    second: Pair

    @cached_property
    def parts(self) -> int:
        """The number of factors."""
        return sum(part.parts if isinstance(part, Product) else 1
                   for part in (self.first, self.second))

    def leaves(self) -> Iterator[Pair]:
        """The factors, from left to right."""
        for part in (self.first, self.second):
            if isinstance(part, Product):
                yield from part.leaves()
            else:
                yield part

    def with_last(self, factor: Pair) -> Product:
        """One more factor."""
        if self.parts.bit_count() == 1:
            return Product(self, factor)
        last = self.second
        return Product(self.first, last.with_last(factor) if isinstance(last, Product)
                       else Product(last, factor))

    def reverse(self) -> Pair:
        """The product of the reversed factors."""
        return joined(self.first.reverse(), self.second.reverse())

    def moment_at(self, q: Form, cell: Cell) -> Scalar | Infinite:
        """E_q multiplies over independent factors.

        A factor is 0 only for 0 < Re q < 1 or at complex q, where none is oo.
        """
        a, b = self.first.moment_at(q, cell), self.second.moment_at(q, cell)
        return INFINITE if isinstance(a, Infinite) or isinstance(b, Infinite) else a * b

    def formal_moment(self, q: Form, cell: Cell) -> Any:
        """E_q multiplies over independent factors."""
        return self.first.formal_moment(q, cell) * self.second.formal_moment(q, cell)

    def region_in(self, cell: Cell) -> Region:
        """Orders at which both factors converge."""
        return self.first.region_in(cell).intersect(self.second.region_in(cell), cell)

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """1 - (1 - a)(1 - b) on both sides."""
        pairs = zip(self.first.infinite_masses(cell), self.second.infinite_masses(cell),
                    strict=True)
        a, b = (x + y - x * y for x, y in pairs)
        return a, b

    def constraints(self) -> list[Constraint]:
        """Those of the factors."""
        return [*self.first.constraints(), *self.second.constraints()]

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The product at given parameter values, None where they are out of range."""
        first, second = self.first.substitute(values), self.second.substitute(values)
        return None if first is None or second is None else first * second

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The products of masses; :class:`Unsupported` with a factor that has densities."""
        rows = [_rows(self, factor, values) for factor in (self.first, self.second)]
        return ("finite", [(a * c, b * d) for a, b in rows[0] for c, d in rows[1]])

    def __repr__(self) -> str:
        return "*".join(repr(factor) for factor in self.leaves())


@dataclass(frozen=True, repr=False)
class Power(Joint):
    """The k-fold product of a pair with itself."""

    pair: Pair
    count: int

    def has_short_profile(self, count: int = 1) -> bool:
        """That of so many more copies of the pair."""
        return self.pair.has_short_profile(self.count * count)

    def may_vanish(self, t: Any) -> bool:
        """As the pair says, whatever the number of copies."""
        return self.pair.may_vanish(t)

    def power_ball(self, count: int, t: Any) -> Any:
        """Powers multiply."""
        return self.pair.power_ball(self.count * count, t)

    def profile_ball(self, t: Any) -> Any:
        """The short formula of the pair, where it has one for so many copies."""
        if self.has_short_profile():
            return self.power_ball(1, t)
        return super().profile_ball(t)

    def reverse(self) -> Pair:
        """The power of the reversed pair."""
        return Power(self.pair.reverse(), self.count)

    def __pow__(self, k: object) -> Pair:
        """Powers multiply."""
        found: Pair = self.pair ** (self.count * copies(k))
        return found

    def moment_at(self, q: Form, cell: Cell) -> Scalar | Infinite:
        """The power of the moment."""
        value = self.pair.moment_at(q, cell)
        return value if isinstance(value, Infinite) else value**self.count

    def formal_moment(self, q: Form, cell: Cell) -> Any:
        """The power of the moment."""
        return self.pair.formal_moment(q, cell) ** self.count

    def region_in(self, cell: Cell) -> Region:
        """That of one factor."""
        return self.pair.region_in(cell)

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """1 - (1 - a)^k on both sides."""
        a, b = (1 - (1 - x) ** self.count for x in self.pair.infinite_masses(cell))
        return a, b

    def constraints(self) -> list[Constraint]:
        """Those of the pair."""
        return self.pair.constraints()

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The power at given parameter values, None where they are out of range."""
        found = self.pair.substitute(values)
        return None if found is None else found**self.count

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The products of masses, orders merged; :class:`Unsupported` where there are densities.

        An outcome of the product has mass on one side only as soon as one of its parts has.
        """
        whole = _rows(self, self.pair, values)
        rows = [row for row in whole if row[0] and row[1]]
        lone = [1 - (1 - sum(row[side] for row in whole if not row[1 - side])) ** self.count
                for side in (0, 1)]
        if comb(len(rows) + self.count - 1, self.count) > MAX_ATOMS:
            raise Unsupported(f"{self!r} has more than {MAX_ATOMS} outcomes")
        found = [(lone[0], 0 * lone[0]), (0 * lone[1], lone[1])]
        for chosen in combinations_with_replacement(range(len(rows)), self.count):
            ways = factorial(self.count) // prod(
                factorial(chosen.count(j)) for j in range(len(rows)))
            found.append((ways * prod(rows[j][0] for j in chosen),
                          ways * prod(rows[j][1] for j in chosen)))
        return ("finite", found)

    def __repr__(self) -> str:
        base = f"({self.pair!r})" if isinstance(self.pair, Product) else repr(self.pair)
        return f"{base}**{self.count}"


def joined(pair: Pair, other: Pair) -> Product:
    """The product of two pairs, with the factors of both.

    >>> from lapdp import laplace
    >>> laplace(1) * (laplace(2) * laplace(3)) == laplace(1) * laplace(2) * laplace(3)
    True
    """
    for factor in other.leaves() if isinstance(other, Product) else (other,):
        pair = pair.with_last(factor) if isinstance(pair, Product) else Product(pair, factor)
    assert isinstance(pair, Product)
    return pair


@fitting
def reverse(pair: Any) -> Pair:
    """The pair (Q, P) of a pair (P, Q); :class:`InputError` for what is no pair.

    >>> from lapdp import exponential
    >>> reverse(exponential(1, 2)).profile(0)
    1/4
    """
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    return pair.reverse()


def factors(pair: Pair, count: Any = 1) -> Iterator[tuple[Pair, Any]]:
    """The factors of nested products and powers, with their numbers of copies, symbols too.

    >>> from lapdp import gaussian, laplace
    >>> list(factors((gaussian(1) * laplace(2))**3 * laplace(2)))
    [(gaussian(1, 1), 3), (laplace(2, 1), 3), (laplace(2, 1), 1)]
    """
    from lapdp.privacy.symbolic_powers import SymbolicPower

    waiting = [(pair, count)]
    while waiting:
        pair, count = waiting.pop()
        if isinstance(pair, Product):
            waiting += [(pair.second, count), (pair.first, count)]
        elif isinstance(pair, (Power, SymbolicPower)):
            waiting.append((pair.pair, count * pair.count))
        else:
            yield pair, count


def counted(pair: Pair) -> dict[Pair, Any]:
    """The same with equal factors together, in the order in which they come first.

    >>> from lapdp import gaussian, laplace
    >>> counted((gaussian(1) * laplace(2))**3 * laplace(2))
    {gaussian(1, 1): 3, laplace(2, 1): 4}
    """
    found: dict[Pair, Any] = {}
    for factor, count in factors(pair):
        found[factor] = found.get(factor, 0) + count
    return found


@lru_cache(maxsize=4)
def _closed_form(pair: Pair) -> Model:
    """The model of a product without parameters: cases do not change it."""
    return _multiplied(pair, Cell())


def _multiplied(pair: Pair, cell: Cell) -> Model:
    counts: dict[Pair, int] = {}
    for factor, count in factors(pair):
        if not isinstance(count, int):
            raise Unsupported(f"{pair!r} has no exact model: {count} copies of {factor!r}; "
                              "moment and renyi hold for every number")
        counts[factor] = counts.get(factor, 0) + count
    models = [(_factor(pair, factor, cell), count) for factor, count in counts.items()]
    refuse_many_losses(pair, models)
    return multiply(models, cell)


def _factor(whole: Pair, factor: Pair, cell: Cell) -> Model:
    try:
        return factor.model_in(cell)
    except Unsupported as problem:
        raise Unsupported(f"{whole!r} has no exact model ({problem}); its moment, renyi and "
                          "characteristic are reached") from problem


def _rows(whole: Pair, factor: Pair, values: dict[Any, Any]) -> list[tuple[Any, Any]]:
    kind, *data = factor.numeric_pair(values)
    if kind != "finite":
        raise Unsupported(f"the numeric column has no product of densities, as in {whole!r}")
    return list(data[0])


__all__ = ["Joint", "Power", "Product", "Reversed", "counted", "factors", "joined", "reverse"]
