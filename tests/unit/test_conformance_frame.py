"""The frame of the conformance suites: values, the search, what a failure prints."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from lapdp import gaussian
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.pair import Pair
from lapdp.testing import LawFailed, parametrize_with_laws
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.checks import LawCheck, run
from lapdp.testing.conformance.findings import Misbehaved
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import (
    EXACT,
    Accuracy,
    AccuracyNeeded,
    NoNumber,
    Real,
    Value,
    read,
    relation,
)
from lapdp.testing.strategies import mechanisms


@dataclass(frozen=True)
class At(Case):
    n: int


@dataclass(frozen=True)
class Of(Case):
    pair: Pair


SMALL = st.integers(0, 1000).map(At)


def law(test, cases=None, name="small", kind="shape"):
    return LawCheck(name, "n is small", "nobody 2024", kind, SMALL if cases is None else cases,
                    test, r"n \le 10")


def ten(case):
    return compared(case.n, "<=", 10, "n <= 10")


# -- values --------------------------------------------------------------------------------------

@pytest.mark.parametrize(("given_", "number"), [
    (1, 1), (Fraction(1, 3), Fraction(1, 3)), (0.1, Fraction(0.1)), (np.float32(0.1), Fraction(
        float(np.float32(0.1)))), (np.float64(0.1), Fraction(0.1)), (np.int8(3), 3),
    (np.array(0.5), Fraction(1, 2)), (np.longdouble("0.1"), Fraction(
        *np.longdouble("0.1").as_integer_ratio())),
    (mpmath.mpf("0.1"), Fraction(0.1)), (Decimal("0.1"), Fraction(1, 10)),
    (sp.Rational(1, 3), Fraction(1, 3)), (sp.Float(0.1), Fraction(0.1)), (arb(3), 3),
])
def test_a_number_is_read_as_what_it_is(given_, number):
    found = read(given_, EXACT)
    assert found.low.exact == number == found.high.exact


@pytest.mark.parametrize("thing", [
    None, True, np.bool_(True), "1", math.nan, np.float64("nan"), sp.nan, sp.zoo, sp.I, 1j,
    np.array([0.5]), [1], sp.Symbol("x"), mpmath.mpf("nan"), Decimal("nan"), object(), arb("nan"),
    1 + sp.Symbol("eps", real=True), sp.true, mpmath.mpc(1, 2), lambda: 1,
])
def test_what_is_no_number_is_said_to_be_none(thing):
    for accuracy in (None, EXACT, Accuracy.of("1/2")):
        with pytest.raises(NoNumber):
            read(thing, accuracy)


@pytest.mark.parametrize("rounded", [0.5, np.float32(0.5), mpmath.mpf(1), sp.exp(sp.Float(1)),
                                     Decimal(1), np.longdouble(1)])
def test_rounded_numbers_need_an_accuracy(rounded):
    with pytest.raises(AccuracyNeeded, match="accuracy="):
        read(rounded, None)
    assert read(rounded, EXACT)


@given(st.fractions(-3, 3), st.fractions(-3, 3), st.fractions(0, Fraction(9, 10)),
       st.fractions(0, 1))
def test_an_accuracy_allows_what_it_says(claim, truth, relative, absolute):
    low, high = Accuracy.of(relative, absolute).around(claim)
    assert (low <= truth <= high) == (
        abs(claim - truth) <= relative * abs(truth) + absolute)


@pytest.mark.parametrize("given_", [-1, 1, 2, "x", math.nan, math.inf, None])
def test_an_accuracy_without_meaning_is_refused(given_):
    with pytest.raises(InputError):
        Accuracy.of(given_)


@given(st.fractions(), st.fractions())
def test_the_order_of_numbers(a, b):
    """Also of irrational ones, and of infinities."""
    order = int(a > b) - int(a < b)
    assert Real.of(a).compare(Real.of(b)) == order
    if -10 < a < 10 and -10 < b < 10:
        x, y = (Real.of(sp.exp(sp.Rational(c.numerator, c.denominator))) for c in (a, b))
        assert x.compare(y) == order
    assert Real.of(a).compare(Real.of(math.inf)) == -1 == Real.of(-math.inf).compare(Real.of(a))


def test_equal_numbers_of_two_forms_are_equal():
    log2, e = sp.log(2), sp.exp(1)
    assert Real.of(sp.exp(log2 + 1)).compare(Real.of(2 * e)) == 0
    assert Real.of((1 - e**2) / 3).compare(Real.of((1 - e) * (1 + e) / 3)) == 0
    assert Real.of(sp.log(6)).compare(Real.of(log2 + sp.log(3))) == 0
    # equal, which nothing here proves: open, and never called different
    twice = Real(None, lambda: arb(2).sqrt())
    assert twice.compare(Real.of(sp.sqrt(2))) is None
    with pytest.raises(Undecided):
        compared(twice, "==", sp.sqrt(2), "twice")


def test_a_certified_value_is_narrowed_until_it_separates():
    value = Real.certified(lambda digits: gaussian(1).delta(1, digits))
    near = gaussian(1).delta(1, 40)
    assert value.compare(Real.of(near.lower)) == 1
    assert value.compare(Real.of(near.upper)) == -1
    assert Real.certified(lambda digits: gaussian(1).epsilon(0, digits)).is_infinite


def test_a_relation_is_violated_where_no_choice_obeys_it():
    wide = read(0.5, Accuracy.of("1/10"))
    assert relation(wide, "==", Value.of(Fraction(6, 11))) is True
    assert relation(wide, "==", Value.of(Fraction(7, 11))) is False
    assert relation(wide - 1, "<=", Value.of(Fraction(-55, 100))) is False
    assert relation(Value.of(1).times(2) + wide, ">=", Value.of(Fraction(257, 100))) is False
    assert relation(Value.of(math.inf), "<=", Value.of(10)) is False
    assert relation(gaussian_value(), "<=", Value.of(gaussian_value().low)) is None


def gaussian_value():
    return Value.of(Real.certified(lambda digits: gaussian(1).delta(1, digits)))


# -- the search ----------------------------------------------------------------------------------

def test_the_smallest_case_is_found_and_its_examples_counted():
    seen = []

    def test(case):
        seen.append(case.n)
        return ten(case)

    failure = law(test).search(seed=3).failure
    assert failure.case == "n = 11" and failure.values == "11 <= 10 is false"
    assert all(n <= 10 for n in seen[:failure.examples - 1]) and seen[failure.examples - 1] > 10


def test_a_law_that_holds_is_tried_as_often_as_asked():
    finding = law(lambda case: None).search(examples=37)
    assert finding and finding.examples == 37 and str(finding) == "small: passed, 37 examples"
    # as many as there are
    assert law(lambda case: None, st.just(At(1))).search(examples=37).examples == 1


def test_two_ways_to_fail_are_one_failure():
    def test(case):
        if case.n > 500:
            raise Misbehaved(ten(case))
        return ten(case)

    assert law(test).search().failure.case == "n = 11"


def test_a_function_that_does_not_repeat_itself_is_told():
    calls = []

    def test(case):
        calls.append(case.n)
        return ten(At(11)) if len(calls) == 5 else None

    failure = law(test).search().failure
    assert failure.examples == 5 and "another answer" in str(failure)


def test_what_is_open_is_counted_and_no_failure():
    def test(case):
        if case.n % 2:
            raise Unsupported("odd")

    finding = law(test).search(examples=50)
    assert finding and finding.reason == "odd" and 0 < finding.undecided < finding.examples
    finding = law(lambda case: compared(gaussian_value(), "==", gaussian_value().low, "d")
                  ).search(examples=2)
    assert finding and str(finding).startswith("small: open, 2 examples, 2 undecided (d: 0.1269")


def test_a_fault_of_a_law_is_no_violation():
    with pytest.raises(ZeroDivisionError):
        law(lambda case: 1 / (case.n - case.n)).search()


def test_the_time_is_limited():
    import time

    def test(case):
        time.sleep(0.02)
        return ten(case)

    finding = law(lambda case: time.sleep(0.02)).search(examples=10**4, seconds=0.2)
    assert not finding and finding.word == "cut short" and finding.failure is None
    assert law(test).search(examples=10**4, seconds=0.5).failure


def test_nothing_is_printed(capfd):
    law(ten).search()
    assert capfd.readouterr() == ("", "")


# -- the function under test ---------------------------------------------------------------------

@pytest.mark.parametrize(("f", "told"), [
    (lambda x: 1 / (x - x), "f(3) raised ZeroDivisionError: division by zero"),
    (lambda x: None, "f(3) is no number: None"),
    (lambda x: math.nan, "f(3) is no number: nan"),
    (lambda: 1, "f(3) raised TypeError"),
    (lambda x: "0.5", "f(3) is no number: '0.5' (str)"),
])
def test_what_a_function_does_wrong_is_a_violation(f, told):
    failure = law(lambda case: compared(Asked(f)(3), "<=", 1, "f")).search().failure
    assert told in str(failure) and failure.case == "n = 0" and failure.values == ""


@pytest.mark.parametrize("error", [Unsupported, NotImplementedError])
def test_a_function_may_refuse(error):
    def f(x):
        raise error("too hard")

    assert law(lambda case: compared(Asked(f)(3), "<=", 1, "f")).search(5).undecided == 5


def test_the_question_for_an_accuracy_reaches_the_user():
    with pytest.raises(AccuracyNeeded):
        law(lambda case: compared(Asked(lambda x: 0.5)(3), "<=", 1, "f")).search()


# -- reports -------------------------------------------------------------------------------------

def test_all_laws_that_fail_are_shown():
    laws = [law(ten, name="first"), law(ten, name="second", kind="validity"),
            law(lambda case: None, name="third")]
    with pytest.raises(LawFailed) as caught:
        run("n", laws)
    assert "first fails" in str(caught.value) and "second fails" in str(caught.value)
    report = run("n", laws, on_fail="report")
    assert not report and [f.law for f in report.failures] == ["first", "second"]
    assert "third: passed, 200 examples" in str(report)
    assert run("n", laws, laws="third") and run("n", laws, laws=["third"])
    assert [f.law for f in run("n", laws, laws="validity", on_fail="report").findings] == ["second"]


@pytest.mark.parametrize("bad", [{"laws": "forth"}, {"on_fail": "x"}, {"examples": 0},
                                 {"examples": True}, {"laws": ["first", "x"]}])
def test_words_without_meaning_are_refused(bad):
    with pytest.raises(InputError):
        run("n", [law(ten, name="first")], **bad)


@parametrize_with_laws([law(lambda case: None)], [law(lambda case: None)])
def test_laws_are_items_of_pytest(law):
    law()


@given(mechanisms())
def test_every_mechanism_is_pasted_back(pair):
    names: dict[str, Any] = {}
    exec(str(Of(pair)), names)
    assert repr(names["pair"]) == repr(pair)


def test_a_case_is_python():
    @dataclass(frozen=True)
    class Many(Case):
        a: Fraction
        eps: float
        rows: Any
        x: Any

    case = Many(Fraction(1, 3), 0.1, ((Fraction(1, 2),), [1, "1/3"]), sp.exp(sp.Rational(1, 3)))
    names: dict[str, Any] = {}
    exec(str(case), names)
    assert all(names[name] == getattr(case, name) for name in ("a", "eps", "rows", "x"))
    assert case.latex().startswith(r"a = \frac{1}{3},\ \varepsilon = 0.1")
