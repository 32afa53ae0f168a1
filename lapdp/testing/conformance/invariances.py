"""What does not change, or changes one way only, when the outcomes of a pair are rearranged."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair
from lapdp.testing.conformance.asking import compared
from lapdp.testing.conformance.checks import LawCheck
from lapdp.testing.conformance.curves import CurveUnderTest, finite_of
from lapdp.testing.conformance.findings import LATEX, Violation
from lapdp.testing.conformance.printing import Case
from lapdp.testing.strategies import channels

Masses = Sequence[tuple[Fraction, Fraction]]


def invariances(tested: CurveUnderTest) -> list[LawCheck]:
    """Laws of implementations: outcomes in another order, split, added with no mass, coarsened."""
    return [
        _unchanged(tested, "permutation", "permuted", "the order of the outcomes does not matter",
                   lambda pair: st.permutations(pair.masses)),
        _unchanged(tested, "splitting", "split", "an outcome split in two, in one proportion under "
                   "P and Q, changes nothing", _splits),
        _unchanged(tested, "null outcome", "padded", "an outcome of mass 0 under P and Q changes "
                   "nothing", lambda pair: _index(len(pair.masses) + 1).map(lambda n: (
                       *pair.masses[:n], (Fraction(0), Fraction(0)), *pair.masses[n:]))),
        _data_processing(tested),
    ]


def _splits(pair: FinitePair) -> st.SearchStrategy[Masses]:
    def split(n: int, share: Fraction) -> Masses:
        p, q = pair.masses[n]
        return (*pair.masses[:n], (p * share, q * share), (p * (1 - share), q * (1 - share)),
                *pair.masses[n + 1:])

    return st.builds(split, _index(len(pair.masses)),
                     st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)]))


def _index(size: int) -> st.SearchStrategy[int]:
    """An index drawn from one range for all sizes, so that an outcome less is no other draw."""
    return st.integers(0, 11).map(lambda n: n % size)


def _views(size: int) -> st.SearchStrategy[Sequence[Sequence[Fraction]]]:
    """Two outcomes joined, which is enough to show most faults and shrinks best; any channel."""
    def joined(kept: int, gone: int) -> Sequence[Sequence[Fraction]]:
        return tuple(tuple(Fraction((kept if i == gone else i) == j) for j in range(size))
                     for i in range(size))

    return st.builds(joined, _index(size), _index(size)) | channels(size)


def _cases(tested: CurveUnderTest, name: str, changed: Any) -> st.SearchStrategy[Case]:
    """A pair, what it is changed to, and a point; only the pair where it has no outcomes."""
    def of_pair(pair: Any) -> st.SearchStrategy[Case]:
        if not isinstance(pair, FinitePair):
            return st.just(tested.case(pair))
        return st.builds(lambda change, point: tested.case(
            pair, **{name: change, tested.axis.letter: point}),
            changed(pair), tested.axis.drawn(pair))

    return tested.pairs.flatmap(of_pair)


def _unchanged(tested: CurveUnderTest, name: str, field: str, says: str, change: Any) -> LawCheck:
    def test(case: Any) -> Violation | None:
        finite_of(case.pair)
        point = getattr(case, tested.axis.letter)
        return compared(tested.value(getattr(case, field), point, field), "==",
                        tested.value(case.pair, point),
                        f"{tested.call(field)} == {tested.call()}")

    def changed(pair: FinitePair) -> st.SearchStrategy[FinitePair]:
        pairs: st.SearchStrategy[FinitePair] = change(pair).map(
            lambda masses: FinitePair(tuple(masses)))
        return pairs

    return tested.law(name, says, "the curve is a function of the law of the privacy loss", "shape",
                      f"{tested.symbol}_{{P'|Q'}} = {tested.symbol}_{{P|Q}}",
                      _cases(tested, field, changed), test)


def _data_processing(tested: CurveUnderTest) -> LawCheck:
    sign = "<=" if tested.bound == ">=" else ">="

    def test(case: Any) -> Violation | None:
        processed = finite_of(case.pair).post_process(case.channel)
        point = getattr(case, tested.axis.letter)
        name = "pair.post_process(channel)"
        return compared(tested.value(processed, point, name), sign, tested.value(case.pair, point),
                        f"{tested.call(name)} {sign} {tested.call()}")

    more = "smaller" if sign == "<=" else "larger"
    return tested.law(
        "data processing", f"a coarser view has a {more} curve",
        "the tests of a view are tests, Chourasia et al. 2024, (6) and (11)", "shape",
        f"{tested.symbol}_{{KP|KQ}} {LATEX[sign]} {tested.symbol}_{{P|Q}}",
        _cases(tested, "channel", lambda pair: _views(len(pair.masses))), test)


__all__ = ["invariances"]
