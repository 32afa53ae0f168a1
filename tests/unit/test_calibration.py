"""least and greatest: both ends are checked by another evaluation, optima by equations."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import exponential, finite, gaussian, geometric, laplace, poisson, randomized_response
from lapdp.accounting import calibration, dominates, greatest, least
from lapdp.accounting.crossing import Bracket, Place, crossing
from lapdp.core.errors import InputError, Unsupported


def number(x):
    return mp.mpf(x.numerator) / x.denominator


def gaussian_profile(sigma, t):
    a, b = 1 / (2 * sigma) - t * sigma, -1 / (2 * sigma) - t * sigma
    return mp.ncdf(a) - mp.exp(t) * mp.ncdf(b)


@pytest.mark.parametrize("eps, delta", [("1", "1e-5"), ("1/10", "1e-9"), ("3", "1/100")])
def test_the_gaussian_mechanism_for_a_guarantee(eps, delta):
    found = least(gaussian, under=[(eps, delta)], digits=20)
    t, goal = number(sp.Rational(eps)), number(sp.Rational(delta))
    with mp.workdps(40):
        t, goal = (mp.mpf(sp.Rational(x).p) / sp.Rational(x).q for x in (eps, delta))
        assert gaussian_profile(number(found.fails), t) > goal
        assert gaussian_profile(number(found.holds), t) <= goal
        assert abs(found.holds / found.fails - 1) <= Fraction(1, 10**20)
        root = mp.findroot(lambda s: gaussian_profile(s, t) - goal, float(found.holds))
        assert number(found.enclosure.lower) <= root <= number(found.enclosure.upper)


@pytest.mark.parametrize("under, optimum", [
    (randomized_response("1/3"), 3), ([("1/2", 0)], 2), ([(1, 0), ("1/4", 0)], 4),
    (laplace(5, 2), sp.Rational(5, 2)), (laplace(3).profile, 3),
])
def test_laplace_in_closed_form(under, optimum):
    found = least(laplace, under=under, digits=6)
    assert found.exact == optimum and "sensitivity/scale" in found.monotone
    assert found.fails < Fraction(int(sp.Rational(optimum).p), int(sp.Rational(optimum).q))
    assert found.holds >= Fraction(int(sp.Rational(optimum).p), int(sp.Rational(optimum).q))


def test_other_closed_forms():
    assert least(gaussian, under=gaussian(3, 2), digits=4).exact == sp.Rational(3, 2)
    assert least(lambda b: laplace(b, 7), under=[("1/2", 0)], digits=4).exact == 14


def test_randomized_response_under_laplace():
    # at t = 0: tanh(eps/2) = 1 - e^(-1/2) is the tightest place
    found = greatest(randomized_response, under=laplace(1), digits=25)
    with mp.workdps(40):
        root = 2 * mp.atanh(1 - mp.exp(mp.mpf(-1) / 2))
        assert number(found.holds) <= root <= number(found.fails)


def test_products_and_samples_are_monotone_by_lemmas():
    found = least(lambda b: laplace(b) ** 2, under=randomized_response(1), digits=4)
    assert found.monotone.startswith("factor by factor") and found.holds == 2
    found = least(lambda s: poisson(gaussian(s), "1/10", direction="remove"),
                  under=[(1, "1e-5")], digits=6)
    assert found.monotone.startswith("mixtures")
    with mp.workdps(30):
        s = number(found.holds)
        # Theorem 5.1: lam delta(log(1 + (e^t - 1)/lam))
        t = mp.log(1 + 10 * (mp.e - 1))
        value = gaussian_profile(s, t) / 10
        assert value <= mp.mpf(10) ** -5 < gaussian_profile(number(found.fails), t) / 10


def test_without_a_lemma_there_is_a_bracket_and_no_optimum():
    def jumping(s):
        # private below 1 and from 2 on only
        return laplace(1) if 1 <= s < 2 else laplace(4)

    found = least(lambda s: jumping(sp.Rational(s)), under=[("1/2", 0)], digits=3)
    assert found.monotone == "" and "not known to be monotone" in str(found)
    with pytest.raises(Unsupported, match="no optimum"):
        _ = found.enclosure


def test_what_cannot_be_met():
    with pytest.raises(Unsupported, match="no parameter"):
        least(gaussian, under=randomized_response(1))
    with pytest.raises(Unsupported, match="no least one is found"):
        least(gaussian, under=finite([1, 0], [0, 1]))
    with pytest.raises(InputError, match="the target is a pair"):
        least(gaussian, under=3)
    with pytest.raises(InputError, match="float"):
        least(gaussian, under=[(1, 0.1)])
    with pytest.raises(InputError, match="free parameters"):
        least(gaussian, under=laplace(sp.Symbol("b", positive=True)))
    with pytest.raises(InputError, match="digits"):
        least(gaussian, under=gaussian(1), digits=0)
    with pytest.raises(InputError, match="which is no pair"):
        least(lambda sigma: 5, under=[(1, "1e-5")])


def test_a_touch_at_the_optimum_is_decided():
    # geometric(e, 3) touches laplace(1) at its breakpoints when 3 e = 1 from above, so less fits
    found = greatest(lambda e: geometric(e, 2), under=geometric(1, 2), digits=6)
    assert found.holds <= 1 < found.fails
    assert exponential(1, 2).profile(0) > 0


def test_an_equation_that_has_no_formula_leaves_the_bracket():
    found = least(lambda s: laplace(s**3 + s + sp.exp(s)), under=laplace(20), digits=3)
    assert found.exact is None and found.monotone
    with mp.workdps(30):
        fails, holds = (x**3 + x + mp.exp(x) for x in (number(found.fails), number(found.holds)))
        assert fails < 20 <= holds


def test_tails_under_a_gaussian_leave_no_smaller_noise():
    # q delta(log(1 + (e^t - 1)/q)) of a Gaussian of sigma < 1 is beyond that of sigma 1 far out
    def sampled(s):
        return poisson(gaussian(s), "1/10", direction="remove")

    found = least(sampled, under=gaussian(1), digits=2)
    assert found.fails < 1 <= found.holds < Fraction(102, 100)
    answer = dominates(gaussian(1), sampled("1/2"))
    t = mp.mpf(int(answer.failure.at))
    assert answer.verdict == "refuted"
    with mp.workdps(100):
        inner = mp.log1p(mp.expm1(t) * 10)
        assert gaussian_profile(mp.mpf(1) / 2, inner) / 10 > gaussian_profile(mp.mpf(1), t)
    # what is open far below a parameter that holds is not said to hold
    with pytest.raises(Unsupported, match="is undecided"):
        least(lambda s: poisson(gaussian(s), "1/10", direction="add"), under=gaussian(1))


def test_gaussians_are_found_by_few_looks(monkeypatch):
    looks = []
    asked = calibration.most_over

    def counted(*given):
        looks.append(given)
        return asked(*given)

    monkeypatch.setattr(calibration, "most_over", counted)
    target = [("0.3", "1e-6"), (2, "1e-9")]
    found = least(lambda s: gaussian(s)**3 * gaussian(2 * s), under=target, digits=12)
    assert len(looks) <= 4 and 0 < found.holds - found.fails < found.holds / 10**12
    for sigma, fails in ((found.fails, True), (found.holds, False)):
        many = gaussian(sigma)**3 * gaussian(2 * sigma)
        assert any(many.delta(eps, digits=20) > delta for eps, delta in target) == fails


def test_a_guess_at_the_very_place_is_left_on_both_sides():
    known = Bracket(lambda x, digits: Place(x, 4 / x**2, 1 if x * x < 4 else -1), digits=9,
                    slope=-1.0, rough=1e-9)
    known.see(Fraction(2))
    low, high = crossing(known)
    assert low.x < 2 <= high.x and high.x - low.x < Fraction(2, 10**9) and len(known.places) < 6


def test_order_is_read_off_letters_before_the_calculus(monkeypatch):
    from lapdp.accounting.ordering import lemmas

    s, gap = sp.symbols("s gap", positive=True)
    known = sp.Symbol("x", real=True)
    pairs = [(gaussian(s), gaussian(s + gap)), (laplace(s, 2), laplace(s + gap, 1))]
    calculus = [lemmas.reason(a, b) for a, b in [*pairs, *((b, a) for a, b in pairs)]]
    assert all(calculus[:2]) and not any(calculus[2:])

    def refused(*_):
        raise AssertionError("the calculus was asked")

    monkeypatch.setattr(lemmas, "_at_least", refused)
    assert [lemmas.reason(a, b) for a, b in pairs] == calculus[:2]
    # letters of unknown sign do not decide
    with pytest.raises(AssertionError, match="asked"):
        lemmas.reason(gaussian(s), gaussian(s, sp.exp(known)))
