"""Conversions of Renyi bounds: order, and never below the truth of a pair that keeps the bound."""

import random
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    cli,
    concentrated_to_delta,
    concentrated_to_epsilon,
    finite,
    gaussian,
    markov_adp,
    renyi_to_delta,
    renyi_to_epsilon,
)
from lapdp.accounting.conversions import CONVERSIONS, METHODS
from lapdp.commands.converting import Question, answer
from lapdp.core.errors import InputError
from lapdp.theory.discovery import Catalogue


def _pair(rng):
    p, q = ([Fraction(rng.randint(1, 9)) for _ in range(3)] for _ in "pq")
    return finite([x / sum(p) for x in p], [x / sum(q) for x in q])


@pytest.mark.parametrize("seed", range(4))
def test_not_below_the_profile_and_ordered(seed):
    pair = _pair(random.Random(seed))
    order = 2 + seed % 2
    bound = sp.log(pair.moment(order)) / (order - 1)
    for eps in (sp.log(sp.Rational(3, 2)), sp.Integer(1)):
        truth = sum((max(0, sp.Rational(p) - sp.exp(eps) * sp.Rational(q))
                     for p, q in pair.masses), sp.Integer(0))
        values = [renyi_to_delta((order, bound), eps, m, digits=8) for m in METHODS]
        assert all(v.upper >= Fraction(str(sp.N(truth, 12))) - Fraction(1, 10**11)
                   for v in values)
        assert values[0].upper >= values[1].lower and values[1].upper >= values[2].lower


def test_markov_is_between():
    bound, points = (2, "1/2"), [1, 2, 3, 4, 6]
    refined = markov_adp(bound, points, digits=8)
    assert refined.upper < markov_adp(bound, points[:1], digits=8).lower
    assert refined.lower > renyi_to_delta(bound, 1, digits=8).upper


def test_epsilon_inverts_delta():
    for method in METHODS:
        eps = renyi_to_epsilon((3, "0.4"), "1e-4", method, digits=6)
        assert renyi_to_delta((3, "0.4"), sp.Rational(eps.upper), method).lower <= Fraction(1, 9999)


def test_concentrated_bounds_the_gaussian():
    truth = gaussian(1).delta(3, digits=8)
    for method in CONVERSIONS:
        assert concentrated_to_delta("1/2", 3, method=method, digits=8).lower > truth.upper


def _holds(found, value):
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
    return low <= value <= high


@pytest.mark.parametrize(("r", "eps"), [("1/2", 1), ("1/10", "1/5"), (1, 2), ("1/100", 0)])
def test_the_best_conversion_of_the_order_two(r, eps):
    """(sqrt((e^eps - 1)^2 + e^r - 1) - (e^eps - 1))/2 where e^r <= 2 e^eps: Cauchy and Schwarz."""
    with mp.workdps(30):
        gap, chi = mp.expm1(mp.mpf(sp.Rational(eps))), mp.expm1(mp.mpf(sp.Rational(r)))
        assert _holds(renyi_to_delta((2, r), eps, digits=10), (mp.sqrt(gap**2 + chi) - gap) / 2)


@pytest.mark.parametrize(("rho", "xi", "delta"), [("1/2", 0, "1e-6"), ("1/10", "1/10", "1e-5"),
                                                  (3, 0, "1/3")])
def test_concentrated_epsilon_by_another_minimum(rho, xi, delta):
    """The least of the one-order epsilons over all orders, by a ternary search."""
    r, x, d = (mp.mpf(sp.Rational(y)) for y in (rho, xi, delta))

    def at(q):
        return x + r * q + mp.log(1 - 1 / q) - (mp.log(d) + mp.log(q)) / (q - 1)

    with mp.workdps(30):
        low, high = mp.mpf("1.0001"), mp.mpf(200)
        for _ in range(200):
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, b) if at(a) < at(b) else (a, high)
        assert _holds(concentrated_to_epsilon(rho, delta, xi), at(low))
        assert _holds(concentrated_to_epsilon(rho, delta, xi, "mironov"),
                      x + r + 2 * mp.sqrt(-r * mp.log(d)))


def test_command_says_what_proves_the_number(capsys):
    assert cli.main(["convert", "--alpha", "2", "--rho", "1/2", "--eps", "1", "--method",
                     "canonne"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("0.15163266") and "Proposition 12" in out[1]
    assert out[2] == "proved by laws/renyi-bounds.canonne"
    found = answer(Question(("2", "8"), ("1/2", "2"), "eps", "1")).record()
    assert found["method"] == "optimal" and found["bounds"][1] == {"alpha": "8", "rho": "2"}
    assert found["value"] == str(renyi_to_delta([(2, "1/2"), (8, 2)], 1, digits=8)).split()[0]


@pytest.mark.parametrize(("question", "said"), [
    (Question(("2", "3"), ("1",), "eps", "1"), "--rho once for each --alpha"),
    (Question((), ("1", "2"), "eps", "1"), "--rho once for each --alpha"),
    (Question(("1",), ("1",), "eps", "1"), "needs numbers q > 1"),
    (Question(("2",), ("1",), "eps", "x"), "must be a number"),
    (Question((), ("1",), "delta", "2"), "delta lies in (0, 1)"),
    (Question((), ("1",), "eps", "1", method="optimal"), "there are mironov, canonne"),
    (Question(("2",), ("1",), "eps", "1", "1"), "--xi goes with --rho alone"),
    (Question((), ("0",), "eps", "1"), "rho is positive"),
    (Question(("2",), ("1",), "eps", "1", digits=0), "digits must be")])
def test_bad_questions_have_one_line(question, said):
    error = answer(question).record()["error"]
    assert said in error and "\n" not in error


def test_every_conversion_names_its_proofs():
    known = Catalogue(".")
    for rule in CONVERSIONS.values():
        assert all(known.find(name).expected in ("proved", "derived") for name in rule.statements)


@pytest.mark.parametrize("call", [
    lambda: renyi_to_delta((2, "1/2"), 1, "best"), lambda: renyi_to_delta((1, "1/2"), 1),
    lambda: renyi_to_delta((2, 0.5), 1), lambda: renyi_to_epsilon((2, "1/2"), 2),
    lambda: markov_adp((2, "1/2"), [2, 1]), lambda: markov_adp((2, "1/2"), []),
    lambda: concentrated_to_delta(0, 1)])
def test_bad_input(call):
    with pytest.raises(InputError):
        call()


@pytest.mark.parametrize(("rho", "xi", "eps"), [
    ("1/2", 0, "1/2"), ("1/2", 0, 0), ("1/2", 0, "2/5"), ("1/2", 0, "0.500001"), ("1/100", 0, 0),
    ("1/2", 1, "1/2"), ("1e-6", 0, "1e-7"), ("1/2", 0, -3), (3, 0, 2)])
def test_the_best_order_near_one_by_another_minimum(rho, xi, eps):
    """The infimum over orders in (1, oo), by golden sections in log(q - 1): also where eps is at
    most xi + rho, and where no whole order says anything."""
    with mp.workdps(40):
        r, x, t = (mp.mpf(e.p) / e.q for e in map(sp.Rational, (rho, xi, eps)))

        def bound(u):
            b = mp.exp(u)
            return b * (x + r * (b + 1) - t) + b * mp.log(b) - (b + 1) * mp.log1p(b)
        low, high, golden = mp.mpf(-60), mp.mpf(25), (mp.sqrt(5) - 1) / 2
        for _ in range(160):
            a, b = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, b) if bound(a) < bound(b) else (a, high)
        least = mp.exp(bound((low + high) / 2))
    found = concentrated_to_delta(rho, eps, xi, digits=12)
    assert _holds(found, least)
    assert found.upper < 1


def test_the_best_order_is_no_worse_than_any():
    for order in ("1.001", "1.1", 2, 10):
        one = renyi_to_delta((order, sp.Rational(order) / 100), 0, "canonne")
        assert concentrated_to_delta("1/100", 0).upper < one.upper


@pytest.mark.parametrize(("rho", "delta"), [("1/2", "0.45"), ("1/2", "0.5588"), ("1e-6", "1e-4")])
def test_concentrated_epsilon_at_large_delta(rho, delta):
    found = concentrated_to_epsilon(rho, delta)
    step = Fraction(1, 10**6) * found.middle
    for eps, above in ((found.lower - step, True), (found.upper + step, False)):
        value = concentrated_to_delta(rho, sp.Rational(eps))
        assert value.lower > Fraction(delta) if above else value.upper < Fraction(delta)


@pytest.mark.parametrize(("rho", "delta"), [("1/2", "0.9"), ("1e-6", "1/2"), ("1/2", "0.55884")])
def test_a_delta_that_is_kept_at_once(rho, delta):
    assert concentrated_to_epsilon(rho, delta).upper == 0
