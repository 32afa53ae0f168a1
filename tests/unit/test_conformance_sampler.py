"""``check_sampler``: bounds by exact sums, and what samples may and may not refute."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import comb

import numpy
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.testing import LawFailed, check_sampler
from lapdp.testing.conformance import confidence
from lapdp.testing.conformance.confidence import (
    GRID,
    largest_probability,
    least_probability,
    power,
)
from lapdp.testing.conformance.directions import along
from lapdp.testing.conformance.events import looked_at
from lapdp.testing.conformance.features import columns
from lapdp.testing.conformance.sampler import OwnRandomness, Suspicious
from lapdp.testing.strategies import neighbours

COUPLES = [((0,), (1,))]


def at_least(successes, trials, p):
    return sum(comb(trials, k) * p**k * (1 - p) ** (trials - k)
               for k in range(successes, trials + 1))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.data(), st.sampled_from([Fraction(1, 20), Fraction(1, 10**9)]))
def test_bounds_are_those_of_exact_sums(trials, data, error):
    successes = data.draw(st.integers(0, trials))
    p = least_probability(successes, trials, error)
    assert p == 0 or at_least(successes, trials, p) <= error
    assert successes == 0 or at_least(successes, trials, p + Fraction(1, GRID)) > error
    q = largest_probability(successes, trials, error)
    assert q == 1 or 1 - at_least(successes + 1, trials, q) <= error


def biased(data, rng):
    return data[0] if rng.random() < 0.9 else 1 - data[0]


def test_a_wrong_guarantee_is_refuted():
    with pytest.raises(LawFailed, match="P\\(S\\) <= e\\^eps Q\\(S\\) \\+ delta"):
        check_sampler(biased, neighbours=COUPLES, guarantee=sp.log(5))
    assert not check_sampler(biased, neighbours=COUPLES, guarantee=(0, "1/2"), on_fail="report")


def test_couples_are_drawn_from_a_strategy_and_share_the_error():
    def passed_on(data, rng):
        return sum(data) if rng.random() < 0.9 else 0

    found = check_sampler(passed_on, neighbours=neighbours([0, 1]), guarantee=1, samples=2000,
                          on_fail="report")
    assert found.failures
    told = str(check_sampler(biased, neighbours=neighbours([0, 1], max_size=1), samples=2000,
                             guarantee=sp.log(9), seed=3))
    assert "not refuted" in told
    assert "drawn from the strategy: 2" in told and "(0,) and (1,); (1,) and (0,)" in told
    # two couples have half of the error each: less is found with as many samples
    both, one = (str(check_sampler(biased, neighbours=given, samples=2000, guarantee=sp.log(9)))
                 for given in (neighbours([0, 1], max_size=1), COUPLES))
    assert power_line(both) > power_line(one)
    listed = str(check_sampler(biased, neighbours=[*COUPLES, ((1,), (0,))], samples=2000,
                               guarantee=sp.log(9)))
    assert power_line(both) == power_line(listed)


def power_line(text):
    return next(line.strip() for line in text.splitlines() if "where Q(S) = 0" in line)


def test_a_leak_in_one_direction_is_refuted():
    def shame(data, rng):
        return "leak" if data[0] and rng.random() < 0.05 else 0

    for couples in (COUPLES, [((1,), (0,))]):
        assert not check_sampler(shame, neighbours=couples, guarantee=(1, "1/100"),
                                 on_fail="report")
        assert check_sampler(shame, neighbours=couples, guarantee=(0, "1/20"))


def test_a_right_guarantee_is_refuted_as_rarely_as_said():
    """eps is exact here, so that a looser error would show."""
    wrong = sum(not check_sampler(biased, neighbours=COUPLES, guarantee=sp.log(9), samples=200,
                                  error="1/10", seed=seed, on_fail="report")
                for seed in range(60))
    assert wrong <= 12


@pytest.mark.parametrize("arguments", [
    {"M": 1}, {"neighbours": st.integers()}, {"neighbours": st.just(((0,), (0,)))},
    {"neighbours": []}, {"neighbours": [(0,)]},
    {"neighbours": [((1, 2), (1, 2))]},
    {"samples": 1}, {"samples": 60}, {"samples": True}, {"error": 0},
    {"error": 1e-6}, {"guarantee": 0.5}, {"guarantee": sp.oo}])
def test_arguments_without_meaning(arguments):
    with pytest.raises(InputError):
        check_sampler(**{"M": biased, "neighbours": COUPLES, "guarantee": 1, **arguments})


def test_outcomes_are_counted():
    found = check_sampler(lambda data, rng: bytearray(data), neighbours=COUPLES, guarantee=1,
                          on_fail="report", samples=400)
    assert "return a hashable one" in str(found.failures[0])
    found = check_sampler(lambda data, rng: 1 / 0, neighbours=COUPLES, guarantee=1,
                          on_fail="report", samples=400)
    assert "raised ZeroDivisionError" in str(found.failures[0])


def found_with(p, q, trials, error, alpha, delta):
    """The probability that an event of these masses is told from a guarantee, by exact sums."""
    masses = [[comb(trials, k) * x**k * (1 - x) ** (trials - k) for k in range(trials + 1)]
              for x in (p, q)]
    limits = [alpha * largest_probability(k, trials, error) + delta for k in range(trials + 1)]
    bounds = [least_probability(k, trials, error) for k in range(trials + 1)]
    return sum(masses[0][a] * masses[1][b] for a in range(trials + 1) for b in range(trials + 1)
               if masses[1][b] > 1e-9 and bounds[a] > limits[b])


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10)])
def test_a_violation_of_the_size_that_is_stated_is_found(delta):
    trials, error, alpha = 60, Fraction(1, 100), Fraction(2)
    stated = power(trials, float(error), float(alpha), float(delta))
    assert stated is not None
    for q, size in [(0, stated.rare), *((x, stated.any) for x in (0.01, 0.05, 0.1, 0.2))]:
        p = float(alpha) * q + float(delta) + size
        if p < 1:
            assert found_with(p, q, trials, error, alpha, delta) >= 0.985, q
    little = stated.rare * 0.8 + float(delta)
    assert found_with(little, 0, trials, error, alpha, delta) < 0.99


def test_the_power_is_told_and_none_is_an_error():
    text = str(check_sampler(biased, neighbours=COUPLES, guarantee=sp.log(9), samples=2000))
    assert "not refuted, 1 example" in text and "this proves nothing" in text and "power: " in text
    with pytest.raises(InputError, match="refute nothing"):
        check_sampler(biased, neighbours=COUPLES, guarantee=1, samples=20)
    with pytest.raises(InputError, match="no event can be learnt"):
        check_sampler(lambda data, rng: object(), neighbours=COUPLES, guarantee=1, samples=2000)


def test_the_default_has_the_power_that_it_says_or_is_an_error():
    with pytest.raises(InputError, match="no power"):
        check_sampler(biased, neighbours=COUPLES, guarantee=8)
    text = str(check_sampler(biased, neighbours=COUPLES, guarantee=(4, "1/100000")))
    assert "on 350000 fresh samples" in text and "learnt from 50000 others" in text
    assert "delta = 1e-05 is not told from 0.0034: smaller leaks go unseen" in text


@pytest.mark.parametrize("leak, found", [(1e-3, True), (1e-4, False)])
def test_a_rare_leak_is_found_or_the_report_says_that_it_could_not_be(leak, found):
    def leaky(data, rng):
        return ("sure", data[0]) if rng.random() < leak else rng.randrange(2)

    report = check_sampler(leaky, neighbours=COUPLES, guarantee=(1, "1/100000"), on_fail="report")
    assert bool(report) is not found
    assert ("('sure', " if found else "delta = 1e-05 is not told from 0.0007") in str(report)


def test_more_samples_are_drawn_where_a_small_delta_is_claimed_and_no_more_teach():
    def drawn(*, guarantee):
        calls = Counter()

        def coin(data, rng):
            calls[data, rng] += 1
            return rng.randrange(2)

        assert check_sampler(coin, neighbours=COUPLES, guarantee=guarantee)
        # before samples are drawn it is asked whether equal generators give equal outcomes
        *asked, first, second = sorted(calls.values())
        assert asked == [16, 16] and {data for data, _ in calls} == {(0,), (1,)}
        return first, second

    assert drawn(guarantee=1) == drawn(guarantee=(1, "1/100")) == (50_000, 50_000)
    assert drawn(guarantee=(1, "1/100000")) == (200_000, 200_000)


def test_a_search_that_is_cut_short_is_no_pass():
    def slow(data, rng):
        return sum(rng.random() for _ in range(1000))

    report = check_sampler(slow, neighbours=COUPLES, guarantee=1, seconds=0.001, on_fail="report")
    assert not report and "cut short, no pass" in str(report)
    with pytest.raises(LawFailed, match="cut short"):
        check_sampler(slow, neighbours=COUPLES, guarantee=1, seconds=0.001)
    many = [((0,), (1,)), ((1,), (0,)), ((1,), (0,))]
    report = check_sampler(biased, neighbours=many, guarantee=sp.log(9), samples=400, examples=1,
                           on_fail="report")
    assert not report and "1 of 3 cases" in str(report)


def test_noise_in_doubles_passes_unless_digits_are_looked_at():
    def laplace(data, rng):
        return data[0] + rng.expovariate(1) - rng.expovariate(1)

    assert check_sampler(laplace, neighbours=COUPLES, guarantee=1, samples=10_000)
    found = check_sampler(laplace, neighbours=COUPLES, guarantee=1, samples=10_000, digits=True,
                          on_fail="report")
    assert "binary digits of x" in str(found.failures[0])


def test_terms_that_fall_to_0_end_a_sum(monkeypatch):
    def counted(*ends):
        for looked, k in enumerate(range(*ends)):
            assert looked < 100_000
            yield k

    monkeypatch.setattr(confidence, "range", counted, raising=False)
    assert confidence._tail(500_000, 10**6, 1e-6) == 0
    found = power(10**7, 1e-7, 3.0, 1e-5)
    assert found is not None and found.rare < 2e-5


def test_a_call_that_does_not_fit_gets_one_line():
    for sampler, arguments, told in (
            (lambda data: 0, {}, r"cannot be called as sampler\(data, rng\)"),
            (biased, {"guarantee": 0.5}, "0.5 is a rounded number: write it as text, '0.5'"),
            (biased, {"guarantee": (1, 1e-5)}, "write it as text, '1e-05'"),
            (biased, {"guarantee": (1, 0, 0)}, r"must be \(eps, delta\), or eps alone")):
        with pytest.raises(InputError, match=told) as problem:
            check_sampler(sampler, **{"neighbours": COUPLES, "guarantee": 1, **arguments})
        assert "\n" not in str(problem.value)


def test_who_calls_the_generator_of_numpy_is_told_how():
    found = check_sampler(lambda data, rng: data[0] + rng.laplace(), neighbours=COUPLES,
                          guarantee=1, on_fail="report")
    assert "numpy.random.default_rng(rng.getrandbits(64))" in str(found.failures[0])


@dataclass(frozen=True)
class Noisy:
    """An outcome with a name."""

    value: object


@pytest.mark.parametrize("rare, usual", [
    (None, lambda rng: rng.randrange(2)), (None, lambda rng: rng.random()),
    ("no", lambda rng: 3), (float("nan"), lambda rng: rng.random()),
    (Decimal("NaN"), lambda rng: Decimal(rng.random())), (True, lambda rng: None),
    ((None, None), lambda rng: (rng.random(), rng.random())),
    ((0.5, (None, 1)), lambda rng: (rng.random(), (rng.random(), 1))),
    ("text", lambda rng: str(rng.random())), (object(), lambda rng: [rng.random()]),
    (Noisy(-1.0), lambda rng: Noisy(rng.random())), (2j, lambda rng: complex(0, rng.random())),
    ({1, "bob"}, lambda rng: {rng.random(), 1}), (ValueError("no"), lambda rng: ValueError(1))])
def test_an_outcome_of_any_kind_is_an_event(rare, usual):
    """It comes with probability 0.4 for one of the datasets, 0.05 for the other."""
    def sampler(data, rng):
        return rare if rng.random() < (0.4 if data[0] else 0.05) else usual(rng)

    for couples in (COUPLES, [((1,), (0,))]):
        assert not check_sampler(sampler, neighbours=couples, guarantee=1, samples=2000,
                                 on_fail="report")
    assert check_sampler(sampler, neighbours=COUPLES, guarantee=sp.log(8), samples=2000)


def test_a_kind_of_outcome_tells_where_no_value_comes_twice():
    def sampler(data, rng):
        return rng.random() if rng.random() < (0.4 if data[0] else 0.05) else str(rng.random())

    found = check_sampler(sampler, neighbours=COUPLES, guarantee=1, samples=2000, on_fail="report")
    assert not found
    assert check_sampler(sampler, neighbours=COUPLES, guarantee=sp.log(8), samples=2000)


def test_the_text_nan_is_not_a_number():
    def sampler(data, rng):
        return ("nan", float("nan"))[data[0]]

    assert not check_sampler(sampler, neighbours=COUPLES, guarantee=1, samples=2000,
                             on_fail="report")


OWN = random.Random(5)


@pytest.mark.parametrize(("draw", "says"), [
    (lambda rng: random.random(), "Python's global generator"),
    (lambda rng: numpy.random.random(), "NumPy's global generator"),
    (lambda rng: OWN.random(), "a generator of its own"),
])
def test_who_draws_from_elsewhere_is_told(draw, says):
    def response(data, rng):
        return data[0] if draw(rng) < 0.7 else 1 - data[0]

    with pytest.warns(OwnRandomness, match=says):
        check_sampler(response, neighbours=COUPLES, guarantee=1, samples=1000, on_fail="report")


@pytest.mark.parametrize("draw", [
    lambda rng: rng.random(), lambda rng: float("nan"), lambda rng: ValueError(rng.random()),
    lambda rng: tuple(numpy.random.default_rng(rng.getrandbits(64)).laplace(size=2)),
    lambda rng: {"a": numpy.longdouble(rng.random())},
])
def test_who_draws_from_the_generator_is_told_nothing(draw, recwarn):
    found = check_sampler(lambda data, rng: (draw(rng), "x"), neighbours=COUPLES, guarantee=1,
                          samples=1000)
    assert found and not recwarn.list


def test_what_may_be_chance_is_a_warning():
    def slightly(data, rng):
        return int(rng.random() < (0.12 if data[0] else 0.05))

    with pytest.warns(Suspicious, match=r"suspicious, by chance or not: x is 1(.|\n)*would tell"):
        check_sampler(slightly, neighbours=COUPLES, guarantee=0, samples=2000)


@pytest.mark.parametrize(("parts", "sigma", "seed"), [(3, 3.239, 0), (4, 3.74, 2)])
def test_many_releases_sold_as_one_are_found_by_their_sum(parts, sigma, seed):
    """delta(1) is 0.0102, a thousand times what is claimed: no part and no two parts show it."""
    def released(data, rng):
        return tuple(sum(data) + rng.gauss(0, sigma) for _ in range(parts))

    found = check_sampler(released, neighbours=[((0,), (1,))], guarantee=(1, "1e-5"), seed=seed,
                          on_fail="report")
    assert found.failures and "S: " in found.failures[0].violation.detail


def test_shifts_of_many_sizes_are_found_by_weights():
    """Parts of other scales and signs: their plain sum says little."""
    def released(data, rng):
        return tuple(scale * (data[0] + rng.gauss(0, 2.5)) for scale in (1, -50, 0.01, -3))

    found = check_sampler(released, neighbours=[((0,), (1,))], guarantee=(1, "1e-5"),
                          samples=100_000, on_fail="report")
    assert "- x[2] +" in found.failures[0].violation.detail


def test_parts_that_are_no_numbers_have_no_sum():
    rng = random.Random(3)
    rows = [[(rng.random(), None, "a", float("inf")), (10**400, 2.5, 3), (1, 2), ()][i % 4]
            for i in range(400)]
    assert looked_at(rows, rows[::-1])


def test_weights_of_dependent_parts():
    """The same number twice, and one that never changes."""
    rng = random.Random(4)
    p, q = ([(x, x, 7.0, -x) for x in (rng.gauss(m, 1) for _ in range(900))] for m in (1, 0))
    (plain, weighted) = along(columns(p, q))
    assert plain.name == "sum(x)" and weighted.of(p[0]) != weighted.of(p[1])
