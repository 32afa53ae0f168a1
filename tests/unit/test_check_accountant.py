"""check_accountant and check_bound: what they take, refuse, and tell."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp import finite, gaussian, laplace
from lapdp.accounting.audit import Claim, Query, Refused, Release
from lapdp.core.errors import InputError
from lapdp.testing import LawFailed, check_accountant, check_bound
from lapdp.testing.conformance.bounds import subject_of
from lapdp.testing.conformance.guarantees import grouped
from lapdp.testing.conformance.questions import least_odds
from lapdp.testing.strategies import deltas, finite_pairs, queries
from tests.oracle.finite import hockey_stick
from tests.wrong.practice.accountants import orders_off_by_one


class Method:
    """An accountant of the audit that answers what it is told."""

    name, settings = "mine", {}

    def __init__(self, kind, gives, reached=("laplace",)):
        self.claim, self.gives, self.reached = Claim(kind, "both", "its word"), gives, reached

    def reaches(self, query):
        return query.wants == "epsilon" and all(
            r.rate is None and r.mechanism in self.reached for r in query.releases)

    def answer(self, query):
        return self.gives(query)

    def code(self, query):
        return "..."


def pure(query):
    return math.fsum(r.copies / r.parameters[0] for r in query.releases)


def test_a_method_of_the_audit():
    found = check_accountant(Method("upper", lambda query: pure(query) + 1e-9), examples=15)
    assert found and "valid epsilon: passed" in str(found)
    report = check_accountant(Method("upper", lambda query: pure(query) / 2), examples=30,
                              laws="valid epsilon", on_fail="report")
    query = report.failures[0].found.query
    assert len(query.releases) == 1 and query.releases[0].copies == 1
    there = {}
    exec(report.failures[0].case, there)
    assert there["query"] == query


def test_refusals_and_accidents_of_a_method():
    def refuses(query):
        raise Refused("not today")

    report = check_accountant(Method("upper", refuses), examples=5, on_fail="report")
    assert not report and not report.failures
    validity = [f for f in report.findings if f.law.startswith("valid")]
    assert validity and all("no verdict, no pass: 5 of 5 examples are undecided" in str(f)
                            for f in validity)
    assert all(f.word in ("open", "no verdict") for f in report.findings)
    assert f"undecided: {sum(f.examples for f in report.findings)} of" in str(report)
    with pytest.raises(LawFailed, match="no verdict"):
        check_accountant(Method("upper", refuses), examples=5)
    for gives in (lambda query: math.nan, lambda query: 1 / 0, lambda query: "much"):
        report = check_accountant(Method("upper", gives), laws="valid epsilon", examples=5,
                                  on_fail="report")
        assert report.failures, gives


def test_answers_are_asked_once():
    seen = []

    def counted(query):
        seen.append(query)
        return pure(query) + 1

    check_accountant(Method("upper", counted), examples=20)
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("wrong", [
    {"accountant": 3}, {"accountant": "no such"}, {"accountant": lambda pair, eps: 0,
                                                     "claims": "sure"},
    {"delta": lambda pairs, eps: 0, "epsilon": lambda pair, delta: 0},
    {"accountant": lambda pair, eps: 0, "laws": "no such"},
    {"accountant": lambda pair, eps: 0.0, "claims": "exact"},
    {"accountant": lambda pair, eps: 0, "tight": (1, 2, 3)},
])
def test_what_is_no_accountant(wrong):
    with pytest.raises(InputError):
        check_accountant(**wrong)


def test_pairs_that_are_not_finite():
    def delta(pair, eps):
        return pair.delta(Fraction(eps), digits=12).upper

    assert check_accountant(delta, over=st.sampled_from([gaussian(1), laplace(2)]), examples=20,
                            laws=["valid delta", "possible delta"])
    with pytest.raises(LawFailed, match="gaussian"):
        check_accountant(lambda pair, eps: pair.delta(Fraction(eps)).lower / 2, examples=20,
                         over=st.just(gaussian(1)), laws="valid delta")


def test_what_a_function_may_return():
    for bad in (None, "1/2", math.nan, 1j, [1]):
        with pytest.raises(LawFailed):
            check_accountant(lambda pair, eps, bad=bad: bad, examples=3, laws="valid delta")
    for claims, gives in (("interval", lambda pair, eps: (0, 1)), ("lower", lambda pair, eps: 0),
                          ("upper", lambda pair, eps: 1)):
        assert check_accountant(gives, claims=claims, examples=20)
    with pytest.raises(LawFailed):
        check_accountant(lambda pair, eps: (1, 0), claims="interval", examples=5)


@settings(max_examples=200, deadline=None)
@given(finite_pairs(), deltas(min_exponent=-3))
def test_the_least_odds(pair, level):
    odds = least_odds(pair, level)
    if odds is None:
        assert pair.mass_at_infinity > level
        return
    assert hockey_stick(pair.P, pair.Q, odds) <= level
    below = odds - Fraction(1, 10**9)
    assert odds == 1 or hockey_stick(pair.P, pair.Q, below) > level


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_worst_of_a_group_keeps_the_guarantee_step_by_step(k):
    """Iterate the largest power by brute force over a lattice of sizes, without kinks."""
    odds, level = Fraction(2), Fraction(1, 16)

    def g(x):
        return min(odds * x + level, 1 - (1 - level - x) / odds, Fraction(1))

    for eps in (sp.log(2), sp.log(3), k * sp.log(2)):
        alpha = Fraction(str(sp.exp(eps)))
        best = Fraction(0)
        for n in range(2**12 + 1):
            y = x = Fraction(n, 2**12)
            for _ in range(k):
                y = g(y)
            best = max(best, y - alpha * x)
        truth = grouped(eps, sp.log(2), level, k).rational
        assert best <= truth <= best + (alpha + odds**k) / 2**12
        doubles = grouped(float(eps), float(sp.log(2)), float(level), k)
        assert abs(float(str(doubles)) - truth) < 1e-9


def test_bounds_say_how_near_they_come():
    def total(pair, eps):
        return pair.hockey_stick(1)

    report = check_bound(total, of="delta", over=finite_pairs(max_size=2), doubles=False,
                         on_fail="report", examples=50)
    assert not report  # for eps < 0 it is below
    text = str(check_bound(lambda pair, q: pair.moment(2) + 1, of="moment", doubles=False,
                           over=st.just(finite(["1/2", "1/2"], ["1/3", "2/3"])), on_fail="report"))
    assert "attained in 0 of" in text and "closest ratio" in text


def test_a_truth_of_ones_own():
    sizes = st.tuples(st.integers(1, 100))
    assert check_bound(lambda n: n * n, of=lambda n: n, over=sizes)
    with pytest.raises(LawFailed, match="n = 2"):
        check_bound(lambda n: n, of=lambda n: n * n, over=sizes)


@pytest.mark.parametrize("wrong", [
    {"of": "no such"}, {"of": 3}, {"of": lambda n: n}, {"of": "delta", "side": "left"},
    {"of": "zcdp", "side": "lower"}, {"of": "zcdp", "tight": True}, {"of": "delta", "laws": "no"},
    {"of": "delta", "on_fail": "shrug"}, {"of": "delta", "examples": 0},
])
def test_what_is_no_bound(wrong):
    with pytest.raises(InputError):
        check_bound(lambda *_: 1, **wrong)
    with pytest.raises(InputError):
        check_bound(3, of="delta")


def test_queries_are_within_reach():
    method = Method("upper", pure, ("laplace", "geometric"))

    @settings(max_examples=50, deadline=None)
    @given(queries(reaches=method))
    def test(query):
        assert method.reaches(query)

    test()
    assert Query((Release("laplace", (1.0,)),), "epsilon", 0.5).slug
    assert subject_of("renyi", None).names == ("pair", "q")


@pytest.mark.parametrize(("claims", "factor", "passes"), [
    ("upper", 1 + 1e-15, True), ("upper", 1.001, False), ("exact", 1 + 1e-15, False)])
def test_bounds_that_are_rounded_outwards_need_not_grow_with_the_releases(claims, factor, passes):
    """One release is told a little too large, several exactly."""
    class One:
        def epsilon(self, pair, delta, copies=1):
            return 0.5 * (factor if copies == 1 else 1)

    report = check_accountant(One(), claims=claims, accuracy=0, laws="more releases, epsilon",
                              examples=30, on_fail="report")
    assert bool(report) is passes, report


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("check", [
    partial(check_accountant, laws="randomized response, delta"),
    partial(check_bound, of="delta", laws="randomized response")])
def test_an_accountant_that_answers_for_plain_masses_alone_is_asked_about_randomized_response(
        check, seed):
    assert check(orders_off_by_one, examples=20, seed=seed, on_fail="report").failures
    assert check(lambda pair, eps: 1.0, examples=20, seed=seed)


def test_costly_laws_follow_the_number_of_examples():
    tried = [check_accountant(lambda pair, eps: 1.0, laws="small deltas", examples=examples)
             .findings[0].examples for examples in (5, 60, 220)]
    assert tried == [5, 60, 66]
