"""Cases of laws of arbitrary pairs, and what the laws speak of; exact, at alpha = e^eps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from lapdp import renyi_dominates
from lapdp.privacy.finite import FinitePair
from lapdp.testing.conformance.checks import LawCheck
from lapdp.testing.conformance.findings import Violation
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.values import Value
from lapdp.testing.strategies import alphas, channels, finite_pairs
from tests.oracle.finite import probability, trade_off


@dataclass(frozen=True)
class Alone(Case):
    pair: FinitePair


@dataclass(frozen=True)
class At(Case):
    pair: FinitePair
    alpha: Fraction


@dataclass(frozen=True)
class Between(Case):
    """A pair at two points."""

    pair: FinitePair
    alpha: Fraction
    beta: Fraction


@dataclass(frozen=True)
class Level(Case):
    """A pair at a level x in [0, 1] of tests."""

    pair: FinitePair
    x: Fraction


@dataclass(frozen=True)
class Two(Case):
    """Two pairs at two points."""

    first: FinitePair
    second: FinitePair
    alpha: Fraction
    beta: Fraction


@dataclass(frozen=True)
class Sampled(Case):
    pair: FinitePair
    rate: Fraction
    alpha: Fraction


@dataclass(frozen=True)
class Mixed(Case):
    """Two pairs of as many outcomes, the share of the first, and e^eps or a level x."""

    first: FinitePair
    second: FinitePair
    share: Fraction
    at: Fraction


@dataclass(frozen=True)
class Viewed(Case):
    """A pair seen through a channel."""

    pair: FinitePair
    channel: tuple[tuple[Fraction, ...], ...]
    alpha: Fraction


def _mixed(at: st.SearchStrategy[Fraction]) -> st.SearchStrategy[Mixed]:
    return st.integers(1, 3).flatmap(lambda n: st.builds(
        Mixed, *[finite_pairs(min_size=n, max_size=n)] * 2, RATES, at))


PAIRS = finite_pairs(max_size=3)
FULL = finite_pairs(max_size=3, absolutely_continuous="both")
RATES = st.builds(lambda m, n: Fraction(m, m + n), st.integers(1, 6), st.integers(0, 6))
"""In (0, 1], 1 included."""
LEVELS = st.builds(lambda m, n: Fraction(m, m + n), st.integers(0, 6), st.integers(1, 6))
ALONE, FULL_ALONE = PAIRS.map(Alone), FULL.map(Alone)
AT, AT_FULL = (st.builds(At, pairs, alphas()) for pairs in (PAIRS, FULL))
BETWEEN = st.builds(Between, PAIRS, alphas(), alphas())
AT_LEVEL = st.builds(Level, PAIRS, LEVELS)
TWO, TWO_FULL = (st.builds(Two, pairs, pairs, alphas(), alphas()) for pairs in (PAIRS, FULL))
SAMPLED = st.builds(Sampled, PAIRS, RATES, alphas())
_UNLIKE = finite_pairs(min_size=2, max_size=3, absolutely_continuous="both")
TWO_AT_BREAKPOINTS = st.tuples(_UNLIKE, _UNLIKE).flatmap(lambda pairs: st.builds(
    Two, *map(st.just, pairs), st.sampled_from([a for p in pairs for a in p.breakpoints()]),
    st.just(Fraction(1))))
"""Profiles are linear between their breakpoints: where they cross, they do so there."""
MIXED, MIXED_LEVEL = _mixed(alphas()), _mixed(LEVELS)
VIEWED = PAIRS.flatmap(lambda pair: st.builds(
    Viewed, st.just(pair), channels(len(pair.masses), max_out=3), alphas()))


def lost(pair: FinitePair) -> Fraction:
    """The limit of the profile at oo: it is constant after its last breakpoint."""
    return pair.hockey_stick(max(pair.breakpoints(), default=Fraction(1)) + 1)


def start(pair: FinitePair) -> Fraction:
    """The limit at -oo: before its first breakpoint the profile is a line in e^eps."""
    a = min(pair.breakpoints(), default=Fraction(1)) / 2
    return 2 * pair.hockey_stick(a / 2) - pair.hockey_stick(a)


def tail(pair: FinitePair, alpha: Fraction) -> Fraction:
    """Pr[Z > eps]."""
    return probability(pair.P, pair.Q, ">", alpha)


def curve(pair: FinitePair, x: Fraction) -> Fraction:
    """f_{P|Q}(x)."""
    return trade_off(pair.P, pair.Q, x)


def divergence(pair: FinitePair) -> sp.Expr:
    """KL(P || Q), in logs of primes: two of them are equal exactly when they look equal."""
    return sp.Add(*(sp.Rational(p) * power * sp.log(prime) for p, q in pair.masses
                    for prime, power in sp.factorrat(sp.Rational(p / q)).items()))


def view(case: Viewed) -> FinitePair:
    return case.pair.post_process(case.channel)


def removed(case: Sampled) -> FinitePair:
    """rate P + (1 - rate) Q against Q."""
    return FinitePair(tuple((case.rate * p + (1 - case.rate) * q, q) for p, q in case.pair.masses))


def added(case: Sampled) -> FinitePair:
    """P against (1 - rate) P + rate Q."""
    return FinitePair(tuple((p, (1 - case.rate) * p + case.rate * q) for p, q in case.pair.masses))


def moved(case: Sampled) -> Fraction:
    """e to the level 1 + rate (e^eps - 1) of a sample."""
    return 1 + case.rate * (case.alpha - 1)


def hidden(case: Mixed) -> FinitePair:
    """Which of the two pairs an outcome is from is not seen."""
    return FinitePair(tuple(
        (case.share * a + (1 - case.share) * c, case.share * b + (1 - case.share) * d)
        for (a, b), (c, d) in zip(case.first.masses, case.second.masses, strict=True)))


def labelled(case: Mixed) -> FinitePair:
    """Which of the two pairs an outcome is from is seen."""
    parts = ((case.share, case.first), (1 - case.share, case.second))
    return FinitePair(tuple((share * p, share * q) for share, pair in parts
                            for p, q in pair.masses if share))


def shared(case: Mixed, of: Callable[[FinitePair, Fraction], Fraction]) -> Fraction:
    """The mean of a function of the two pairs."""
    return (case.share * of(case.first, case.at)
            + (1 - case.share) * of(case.second, case.at))


def to_middle(pair: FinitePair) -> FinitePair:
    """(P, R) with R = (P + Q)/2."""
    return FinitePair(tuple((p, (p + q) / 2) for p, q in pair.masses))


def from_middle(pair: FinitePair) -> FinitePair:
    """(R, Q) with R = (P + Q)/2."""
    return FinitePair(tuple(((p + q) / 2, q) for p, q in pair.masses))


def below_by_renyi(case: Two) -> bool:
    """R_q of the first is at most that of the second, for all q > 1."""
    return (case.first.moment(2) <= case.second.moment(2)
            and bool(renyi_dominates(case.second, case.first)))


RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}


def law(name: str, says: str, source: str, cases: st.SearchStrategy[Any],
        left: Callable[[Any], Any], relation: str, right: Callable[[Any], Any],
        where: Callable[[Any], bool] = lambda case: True) -> LawCheck:
    """``left`` stands in ``relation`` to ``right`` at every case with ``where``."""

    def test(case: Any) -> Violation | None:
        a, b = left(case), right(case)
        if RELATIONS[relation](a, b) or not where(case):
            return None
        return Violation(Value.of(a), relation, Value.of(b))

    return LawCheck(name, says, source, "shape", cases, test, says)
