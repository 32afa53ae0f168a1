"""Operations on finite pairs with their arguments: products, subsamples, adaptive pairs, mixtures.

Each case holds the arguments, prints as Python that makes it, and gives the pair that lapdp makes
of them; a law compares that with the definition, or with what somebody else makes of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import mul
from typing import Any

from hypothesis import strategies as st

from lapdp.privacy.adaptive import adaptive, mixture
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.subsampled import poisson, subset
from lapdp.testing.strategies.bounds import among, ordered, positive
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.testing.strategies.naming import called

SCHEMES = ("poisson", "subset")


class _Shown:
    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How Hypothesis prints it: as it is typed, whatever function made it."""
        printer.text(repr(self))


@dataclass(frozen=True)
class Factors(_Shown):
    """Several pairs, drawn by :func:`products`."""

    pairs: tuple[FinitePair, ...]

    @cached_property
    def product(self) -> Any:
        """Their product, a finite pair."""
        return reduce(mul, self.pairs)


@dataclass(frozen=True)
class Subsample(_Shown):
    """A pair and how it is subsampled, drawn by :func:`subsampled_pairs`.

    Poisson subsampling has no ``size`` and ``population``; for a sample of fixed size ``rate`` is
    their quotient.
    """

    pair: FinitePair
    rate: Fraction
    neighbours: str
    """``"remove"`` or ``"add"``; for samples of fixed size also ``"replace"``."""
    size: int | None = None
    population: int | None = None

    @cached_property
    def sampled(self) -> Any:
        """The subsampled pair, a finite one."""
        if self.size is None:
            return poisson(self.pair, self.rate, self.neighbours)
        return subset(self.pair, self.size, self.population, self.neighbours)


@dataclass(frozen=True)
class Releases(_Shown):
    """A first pair and one more after each of its outcomes, drawn by :func:`adaptive_pairs`."""

    first: FinitePair
    then: tuple[FinitePair, ...]

    @cached_property
    def joint(self) -> Any:
        """The pair of both outcomes together, a finite one."""
        return adaptive(self.first, self.then)


@dataclass(frozen=True)
class Mixture(_Shown):
    """Pairs with weights, drawn by :func:`mixtures`."""

    parts: tuple[tuple[Fraction, FinitePair], ...]
    index: str
    """``"published"`` or ``"hidden"``."""

    @cached_property
    def mixed(self) -> Any:
        """The pair that is drawn at random, a finite one."""
        return mixture(self.parts, index=self.index)


def products(*, min_factors: int = 2, max_factors: int = 3, max_size: int = 3, max_weight: int = 12
             ) -> st.SearchStrategy[Factors]:
    """:class:`Factors`: finite pairs of at most ``max_size`` outcomes, and their ``product``.

    Raises ``hypothesis.errors.InvalidArgument`` for bounds without meaning.

    >>> from hypothesis import find
    >>> case = find(products(), lambda case: case.product.mass_at_infinity > 0)
    >>> case
    Factors(pairs=(finite([...], [...]), finite([...], [...])))
    >>> case.product == case.pairs[0] * case.pairs[1]
    True
    """
    given = locals()
    ordered(min_factors, max_factors, "factors")
    pairs = finite_pairs(max_size=max_size, max_weight=max_weight)
    drawn = st.lists(pairs, min_size=min_factors, max_size=max_factors)
    return called(products, given, drawn.map(lambda found: Factors(tuple(found))))


def subsampled_pairs(*, scheme: str | None = None, max_size: int = 3, max_population: int = 6,
                     max_weight: int = 12) -> st.SearchStrategy[Subsample]:
    """:class:`Subsample`: a finite pair, a rate, a direction, and the pair ``sampled``.

    ``scheme`` is ``"poisson"``, ``"subset"`` (samples of fixed size from at most
    ``max_population`` records) or ``None`` for both.  Rates 0 and 1 occur.  Where records are
    replaced the pair has the same profile in both directions, as that relation asks.

    Raises ``hypothesis.errors.InvalidArgument`` for other words and bounds without meaning.

    >>> from hypothesis import find
    >>> case = find(subsampled_pairs(scheme="poisson"), lambda c: c.sampled.P != c.sampled.Q)
    >>> case
    Subsample(pair=finite([0, 1], ["1/2", "1/2"]), rate=Fraction(1, 2), neighbours='remove', \
size=None, population=None)
    >>> case.sampled
    finite(["1/4", "3/4"], ["1/2", "1/2"])
    """
    given = locals()
    among(scheme, (None, *SCHEMES), "scheme")
    positive(max_population, "max_population")
    pairs = finite_pairs(max_size=max_size, max_weight=max_weight)
    by_poisson = st.builds(Subsample, pairs, _rates(), st.sampled_from(("remove", "add")))
    of_one = st.builds(_sample, pairs, st.integers(1, max_population),
                       st.integers(0, max_population), st.sampled_from(("remove", "add")))
    alike = finite_pairs(max_size=max_size, max_weight=max_weight, symmetric=True)
    of_replaced = st.builds(_sample, alike, st.integers(1, max_population),
                            st.integers(0, max_population), st.just("replace"))
    return called(subsampled_pairs, given, {"poisson": by_poisson, "subset": of_one | of_replaced
                                            }.get(scheme or "", by_poisson | of_one | of_replaced))


def _rates() -> st.SearchStrategy[Fraction]:
    part = st.integers(1, 12)
    return st.sampled_from((Fraction(1, 2), Fraction(1), Fraction(0))) | st.builds(
        lambda a, b: Fraction(a, a + b), part, part)


def _sample(pair: FinitePair, population: int, drawn: int, neighbours: str) -> Subsample:
    size = drawn % (population + (neighbours == "replace"))
    return Subsample(pair, Fraction(size, population), neighbours, size, population)


def adaptive_pairs(*, max_size: int = 3, max_weight: int = 12) -> st.SearchStrategy[Releases]:
    """:class:`Releases`: a finite pair, one more for each of its outcomes, and the ``joint`` pair.

    Raises ``hypothesis.errors.InvalidArgument`` for bounds without meaning.

    >>> from hypothesis import find
    >>> find(adaptive_pairs(), lambda case: len({*case.then}) > 1 and case.first.P == case.first.Q)
    Releases(first=finite([...], [...]), then=(finite([...], [...]), finite([...], [...])))
    """
    given = locals()
    pairs = finite_pairs(max_size=max_size, max_weight=max_weight)

    @st.composite
    def drawn(draw: st.DrawFn) -> Releases:
        first = draw(pairs)
        return Releases(first, tuple(draw(pairs) for _ in first.masses))

    return called(adaptive_pairs, given, drawn())


def mixtures(*, index: str | None = None, min_parts: int = 1, max_parts: int = 3,
             min_size: int = 1, max_size: int = 3, max_weight: int = 12
             ) -> st.SearchStrategy[Mixture]:
    """:class:`Mixture`: pairs with weights, and the pair ``mixed`` of them.

    ``index`` is ``"published"``, ``"hidden"`` (all pairs on the same outcomes) or ``None``.

    Raises ``hypothesis.errors.InvalidArgument`` for another word and bounds without meaning.

    >>> from hypothesis import find
    >>> find(mixtures(index="hidden"), lambda case: len({*case.parts}) > 1)
    Mixture(parts=((Fraction(2, 3), finite([1], [1])), (Fraction(1, 3), finite([1], [1]))), \
index='hidden')
    """
    given = locals()
    among(index, (None, "published", "hidden"), "index")
    ordered(min_parts, max_parts, "parts")
    pairs = finite_pairs(min_size=min_size, max_size=max_size, max_weight=max_weight)
    weight = st.integers(1, max_weight)
    free = st.lists(st.tuples(weight, pairs), min_size=min_parts, max_size=max_parts)

    @st.composite
    def aligned(draw: st.DrawFn) -> list[tuple[int, FinitePair]]:
        first = draw(st.tuples(weight, pairs))
        n = len(first[1].masses)
        same = finite_pairs(min_size=n, max_size=n, max_weight=max_weight)
        return [first, *draw(st.lists(st.tuples(weight, same), min_size=min_parts - 1,
                                      max_size=max_parts - 1))]

    def weighted(drawn: list[tuple[int, FinitePair]], word: str) -> Mixture:
        total = sum(w for w, _ in drawn)
        return Mixture(tuple((Fraction(w, total), pair) for w, pair in drawn), word)

    published = st.builds(weighted, free, st.just("published"))
    hidden = st.builds(weighted, aligned(), st.just("hidden"))
    return called(mixtures, given, {"published": published, "hidden": hidden}.get(
        index or "", published | hidden))


__all__ = ["Factors", "Mixture", "Releases", "Subsample", "adaptive_pairs", "mixtures", "products",
           "subsampled_pairs"]
