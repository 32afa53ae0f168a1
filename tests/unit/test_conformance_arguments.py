"""What users hand to ``check_*`` and what their functions do: one clear line, and no crash of ours.
"""

from __future__ import annotations

import math
import random
import sys
import warnings
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb
from hypothesis import strategies as st

from lapdp import gaussian, laplace
from lapdp.core.errors import InputError
from lapdp.testing import (
    LawFailed,
    check_accountant,
    check_bound,
    check_mechanism,
    check_profile,
    check_sampler,
    check_tradeoff,
)
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.findings import Misbehaved
from lapdp.testing.conformance.values import EXACT, Accuracy, Real, Value, read
from lapdp.testing.strategies import neighbours


def response(data):
    return {data[0]: Fraction(3, 4), 1 - data[0]: Fraction(1, 4)}


CHECKS = {
    "profile": lambda **how: check_profile(lambda pair, alpha: pair.hockey_stick(alpha),
                                           at="alpha", **how),
    "tradeoff": lambda **how: check_tradeoff(lambda pair, a: pair.tradeoff(a), **how),
    "mechanism": lambda **how: check_mechanism(response, neighbours=neighbours(max_size=1),
                                               guarantee=sp.log(3), **how),
    "accountant": lambda **how: check_accountant(
        lambda pair, eps: pair.hockey_stick(sp.exp(eps)), doubles=False, **how),
    "bound": lambda **how: check_bound(lambda pair, eps: 1, of="delta", **how),
    "sampler": lambda **how: check_sampler(
        lambda data, rng: data[0] if rng.random() < 0.75 else 1 - data[0], samples=400,
        neighbours=[((0,), (1,))], guarantee=sp.log(4), **how),
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_every_check_takes_the_common_words(check):
    report = check(laws="validity", examples=3, seed=-1, seconds=60, on_fail="report")
    assert report and report.findings and all(f.examples for f in report.findings)


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@pytest.mark.parametrize("bad", [
    {"laws": "validty"}, {"laws": []}, {"laws": 3}, {"laws": [[3]]}, {"examples": 0},
    {"examples": 1.5}, {"examples": True}, {"seed": None}, {"seed": [1]}, {"seconds": 0},
    {"seconds": "1"}, {"seconds": math.nan}, {"on_fail": "print"}], ids=str)
def test_words_without_meaning_are_one_line(check, bad):
    with pytest.raises(InputError) as caught:
        check(**bad)
    assert "\n" not in str(caught.value)


def test_a_kind_without_laws_is_no_pass():
    with pytest.raises(InputError, match="kinds shape"):
        check_profile(lambda eps: 0, negative=False, laws="tightness")


# -- what functions return -------------------------------------------------------------------------

HUGE, TINY = 10**5000, Fraction(1, 10**5000)


@pytest.mark.parametrize("number", [
    HUGE, -HUGE, TINY, Fraction(HUGE, 3), sp.Integer(10)**5000, np.array(HUGE, dtype=object),
    5e-324, -0.0, 1.7e308], ids=map(str, range(9)))
@pytest.mark.parametrize("accuracy", [EXACT, Accuracy.of(1e-9, 1e-12)])
def test_huge_and_tiny_numbers_are_compared_and_shown(number, accuracy):
    value = Asked(lambda: number, accuracy)()
    for sign, other in (("<=", -2 * HUGE), (">=", 2 * HUGE)):
        found = compared(value, sign, other, "f")
        assert found and len(found.values) < 450 and len(found.latex()) < 300


def test_numbers_that_print_alike_are_told_apart_or_stay_short():
    near = Value.of(TINY), Value.of(TINY + TINY**2)
    found = compared(near[1], "<=", near[0], "f")
    assert found and found.values == "1.00000000000e-5000 <= 1.00000000000e-5000 is false"
    found = compared(Value.of(Fraction(10**50 + 1, 10**50)), "<=", 1, "f")
    assert found and found.values == f"{10**50 + 1}/{10**50} <= 1 is false"


class Unprintable:
    def __repr__(self):
        raise ValueError("no")


@pytest.mark.parametrize(("returned", "told"), [
    (np.array([0.5]), "array([0.5]) (ndarray)"), (0.5j, "0.5j (complex)"), (True, "True"),
    (np.True_, "np.True_"), ("0.5", "'0.5' (str)"), (None, "None"), (math.nan, "nan"),
    (sp.Symbol("x"), "x (Symbol)"), (sp.I, "I (ImaginaryUnit)"), (Unprintable(), "an object"),
    (np.complex128(0.5), "complex"), (arb("nan"), "nan (arb)"), (np.float32("nan"), "nan")])
def test_what_is_no_number_is_told(returned, told):
    with pytest.raises(Misbehaved) as caught:
        Asked(lambda: returned, EXACT)()
    assert told in str(caught.value) and len(str(caught.value)) < 200


def test_an_exit_is_a_violation_and_an_interrupt_is_none():
    with pytest.raises(LawFailed, match="raised SystemExit: 3"):
        check_profile(lambda eps: sys.exit(3))

    def interrupted(eps):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_profile(interrupted)


def test_balls_that_are_both_zero_are_equal():
    half = Real.certified(lambda digits: gaussian(1).delta(1, digits))
    assert (half * Real.of(0)).compare(Real.of(0)) == 0
    assert half.compare(half) is None


# -- rounded numbers -------------------------------------------------------------------------------

def cancelling(pair, eps):
    return 1 - sum(min(float(p), math.exp(eps) * float(q)) for p, q in pair.masses)


def test_cancellation_is_told_and_allowed_for():
    report = check_profile(cancelling, accuracy=1e-9, laws="validity", examples=500,
                           on_fail="report")
    assert "absolute=1e-15" in str(report)
    assert check_profile(cancelling, accuracy=1e-9, absolute=1e-15, laws="validity", examples=500)
    assert "absolute" not in str(check_profile(lambda pair, eps: 0.0, accuracy=1e-9,
                                               laws="validity", on_fail="report"))


@pytest.mark.parametrize(("number", "accuracy", "latex"), [
    (5.551115123125783e-17, (1e-9, 0), r"5.55111512 \cdot 10^{-17} \pm 8.68 \cdot 10^{-26}"),
    (0.5, (1e-9, 1e-12), r"0.500000000 \pm 5.02 \cdot 10^{-10}"), (0.1, (0, 0), "0.1"),
    (1e-300, (0, 0), r"1 \cdot 10^{-300}"), (0.0, (0, 1e-12), r"0 \pm 1.01 \cdot 10^{-12}"),
    (math.inf, (0.5, 0), r"\infty"), (Fraction(1, 3), (0, 0), r"\frac{1}{3}")])
def test_lines_of_latex_are_short(number, accuracy, latex):
    assert read(number, Accuracy.of(*accuracy)).latex() == latex


# -- functions and strategies that do not fit ------------------------------------------------------

ODDS = {"odds": st.integers(2, 3)}
COUPLES = neighbours(max_size=1)


def told(data, odds):
    return {data[0]: Fraction(odds, odds + 1), 1 - data[0]: Fraction(1, odds + 1)}


@pytest.mark.parametrize("check", [
    lambda: check_mechanism(told, over=ODDS), lambda: check_mechanism(told, neighbours=COUPLES),
    lambda: check_mechanism(told, over={"eps": st.just(1)}, neighbours=COUPLES),
    lambda: check_mechanism(told, over=ODDS, neighbours=COUPLES, guarantee=lambda eps: eps),
    lambda: check_mechanism(told, over=ODDS, neighbours=COUPLES, guarantee=lambda: 1),
    lambda: check_mechanism(told, over=ODDS, neighbours=COUPLES, profile=lambda t: 1),
    lambda: check_profile(lambda pair, eps: 1, pair=laplace(1)),
    lambda: check_profile(lambda eps: 1, over=st.just(laplace(1))),
    lambda: check_tradeoff(lambda pair, a: 0, over=st.integers()),
    lambda: check_profile(lambda pair, eps: 1, over=st.none()),
    lambda: check_profile(lambda pair, eps: 1, over=st.just(gaussian(sp.Symbol("s")))),
    lambda: check_profile(lambda pair, eps: 1, over=[gaussian(1)]),
    lambda: check_accountant(lambda pair, eps: 1.0, over=st.integers()),
    lambda: check_accountant(lambda pair, eps: 1.0, over=[gaussian(1)]),
    lambda: check_bound(lambda pair, eps: 1, of="delta", over=st.text()),
    lambda: check_bound(lambda pair, q: 1, of="renyi", over=st.text()),
    lambda: check_bound(lambda x: x, of=lambda x: x, over=st.integers()),
], ids=map(str, range(17)))
def test_what_does_not_fit_is_one_line(check):
    with pytest.raises(InputError) as caught:
        check()
    assert "\n" not in str(caught.value)


def test_a_dataset_may_be_changed():
    def popped(data):
        return {data.pop(): 1}

    report = check_mechanism(popped, neighbours=[([0], [1])], guarantee=1, on_fail="report")
    assert {f.law for f in report.failures} == {"guarantee", "guarantee, reversed",
                                                "mass at infinity"}
    assert "first = [0]" in str(report) and "raised" not in str(report)
    assert check_sampler(lambda data, rng: data.pop() // 2, neighbours=[([0], [1])],
                         guarantee=1, samples=400)


def test_a_sample_is_no_table_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = check_mechanism(lambda data: random.choice([0, 1]), neighbours=COUPLES,
                                 on_fail="report")
    assert "a sample of one proves nothing" in str(report)


@pytest.mark.parametrize(("bound", "of", "said"), [
    (lambda alpha, rho, delta: rho, "renyi", "(pair, q): missing a required argument: 'delta'"),
    (lambda eps, delta, k: eps, "composition", "(guarantees, delta): missing"),
    (lambda guarantees: 1, "composed_delta", "too many positional arguments"),
])
def test_a_bound_of_other_arguments_is_no_wrong_bound(bound, of, said):
    with pytest.raises(InputError) as refused:
        check_bound(bound, of=of, on_fail="report")
    assert said in str(refused.value)
