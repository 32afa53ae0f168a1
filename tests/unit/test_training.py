"""Noisy training: all four questions by formulas of their own, and each by the other three."""

from __future__ import annotations

import json
import math
import time
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import cli, finite, gaussian, laplace, most_copies, poisson, training
from lapdp.accounting.training import step
from lapdp.core.errors import InputError, Undefined, Unsupported
from tests.answers_here import without_processes

RATE, BUDGET = "0.01", (2, "1e-5")


def of_gaussian(mu, eps):
    """delta of two normal laws at distance mu, Balle and Wang 2018, Theorem 8."""
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


def of_removal(rate, sigma, eps):
    """delta of one step where the record is removed, at any eps."""
    mixed = (mp.exp(eps) - 1 + rate) / rate
    return 1 - mp.exp(eps) if mixed <= 0 else rate * of_gaussian(1 / mp.mpf(sigma), mp.log(mixed))


def one_step(rate, sigma, eps, neighbours):
    """delta of one step, for all neighbours."""
    remove = of_removal(rate, sigma, eps)
    # no loss is larger than -log(1 - rate)
    add = 0 if mp.exp(-eps) <= 1 - rate else (
        1 - mp.exp(eps) + mp.exp(eps) * of_removal(rate, sigma, -eps))
    return {"remove": remove, "add": add, "add-remove": max(remove, add),
            "replace-one": of_removal(rate, mp.mpf(sigma) / 2, eps)}[neighbours]


@pytest.mark.parametrize(("sigma", "steps"), [(7, 1), (38, 30), (7000, 10**6)])
def test_whole_batches_by_the_formula_of_the_gaussian(sigma, steps):
    with mp.workdps(40):
        mu = mp.sqrt(steps) / sigma
        delta = of_gaussian(mu, mp.mpf(1) / 20)
        assert training(1, sigma, steps, epsilon="1/20").answer.enclosure.contains(exact(delta))
        level = mp.nstr(delta, 30)
        found = training(1, sigma, steps, delta=level, digits=8).answer
        assert found.lower < Fraction("0.05") * (1 + Fraction(1, 10**9))
        assert found.upper > Fraction("0.05") * (1 - Fraction(1, 10**9))
        noise = training(1, steps=steps, epsilon="1/20", delta=level, digits=8).answer
        assert abs(noise.value / sigma - 1) < Fraction(1, 10**7) and noise.monotone
        # the delta of half a step more is kept by these steps, and by no more
        between = of_gaussian(mp.sqrt(steps + mp.mpf("0.5")) / sigma, mp.mpf(1) / 20)
        assert training(1, sigma, epsilon="1/20", delta=mp.nstr(between, 30)).value == steps


def exact(x):
    """The number that an mpf is, within what its last digits say."""
    return Fraction(str(mp.nstr(x, 38)))


@pytest.mark.parametrize("neighbours", ["add-remove", "add", "remove", "replace-one"])
@pytest.mark.parametrize(("rate", "sigma", "eps"), [
    ("0.01", "1", "1/200"), ("0.3", "3/4", "1/4"), ("0.02", "1/2", "1/2"),
    ("1e-4", "2", "1/20000")])
def test_one_step_by_its_closed_form(rate, sigma, eps, neighbours):
    with mp.workdps(60):
        numbers = [mp.mpf(Fraction(x).numerator) / Fraction(x).denominator
                   for x in (rate, sigma, eps)]
        delta = one_step(*numbers, neighbours)
        found = training(rate, sigma, 1, epsilon=eps, neighbours=neighbours)
        assert found.answer.enclosure.contains(exact(delta))
        assert (delta == 0) == (found.value == 0)
        assert set(found.directions) == ({"add", "remove"} if neighbours == "add-remove" else set())
        if delta:
            back = training(rate, sigma, 1, delta=mp.nstr(delta, 30), neighbours=neighbours,
                            digits=8)
            assert abs(back.value - Fraction(eps)) < Fraction(eps) / 10**7


def test_two_steps_by_an_integral():
    """delta of two releases is the mean of that of one, at eps less the loss of the other."""
    with mp.workdps(25):
        rate, sigma, eps = mp.mpf("0.1"), mp.mpf(1), mp.mpf("0.5")

        def integrand(x):
            # the record adds 1: its loss at x, and the density of x with it
            ratio = 1 - rate + rate * mp.exp((2 * x - 1) / (2 * sigma**2))
            return (mp.npdf(x, 0, sigma) * ratio
                    * of_removal(rate, sigma, eps - mp.log(ratio)))

        # from here on the other loss may be the smallest
        edge = sigma**2 * mp.log((mp.exp(eps) / (1 - rate) - 1 + rate) / rate) + mp.mpf(1) / 2
        delta = mp.quad(integrand, [-12, *range(-6, 3), edge, 3, 5, 8, 13])
        found = training("0.1", 1, 2, epsilon="0.5", neighbours="remove", digits=12).answer
        assert abs(found.value - exact(delta)) < Fraction(1, 10**14)


@pytest.mark.parametrize("further", [(), [("0.02", "1.5", 500)], [(RATE, 1, 300), (1, 100, 20)]])
def test_each_answer_by_the_others(further):
    eps, delta = BUDGET
    steps = training(RATE, 1, epsilon=eps, delta=delta, further=further)
    count = steps.value
    kept, over = (training(RATE, 1, k, delta=delta, further=further, digits=10).answer
                  for k in (count, count + 1))
    assert kept <= eps and over > eps
    below, above = (training(RATE, 1, k, epsilon=eps, further=further, digits=10).answer
                    for k in (count, count + 1))
    assert below <= delta and above > delta
    assert below.value == pytest.approx(steps.answer.within.value, rel=1e-9)
    assert above.value == pytest.approx(steps.answer.beyond.value, rel=1e-9)
    sigma = training(RATE, steps=count, epsilon=eps, delta=delta, further=further, digits=6).answer
    assert sigma.holds <= 1 < sigma.holds * (1 + Fraction(1, count)) and sigma.monotone
    ends = [training(RATE, s, count, delta=delta, further=further, digits=10).answer
            for s in (sigma.holds, sigma.fails)]
    assert ends[0] <= eps and ends[1] > eps


def test_phases_are_a_product():
    one, two = (poisson(gaussian(s), q, direction="remove") ** k
                for q, s, k in (("0.01", 1, 400), ("0.02", 2, 100)))
    found = training("0.01", 1, 400, delta="1e-6", further=[("0.02", 2, 100)], digits=10)
    sides = [pair.epsilon("1e-6", digits=10) for pair in (one * two, (one * two).reverse())]
    assert [a.value for a in found.directions.values()] == [a.value for a in sides]
    assert found.value == max(a.value for a in sides)
    parts = training("0.01", 1, 150, delta="1e-6", further=[("0.01", 1, 250)], digits=10)
    whole = training("0.01", 1, 400, delta="1e-6", digits=10)
    assert parts.value == pytest.approx(whole.value, rel=1e-9)


@pytest.mark.parametrize("both", [False, True])
def test_copies_beside_something_by_exact_sums(both):
    """At eps = 0 with rational masses: the count with what is beside, by brute force."""
    pair, beside = finite(["2/3", "1/3"], ["1/3", "2/3"]), finite(["1/10", "9/10"], ["0", "1"])
    values = [max(float(m.delta(0)) for m in ([many, many.reverse()] if both else [many]))
              for many in (beside, *(pair**k * beside for k in range(1, 6)))]
    assert values == sorted(set(values))
    for count in range(5):
        level = (Fraction(values[count]) + Fraction(values[count + 1])) / 2
        assert most_copies(pair, 0, level, both, beside=beside).value == count
    with pytest.raises(Undefined, match="by itself"):
        most_copies(pair, 0, "1/100", both, beside=beside)


def test_losses_beside_others_add_up():
    assert most_copies(laplace(10), 3, 0, beside=laplace(1)).value == 20
    with pytest.raises(InputError, match="1 is no pair"):
        most_copies(laplace(10), 3, 0, beside=1)


def test_nothing_sampled_costs_nothing():
    assert training(0, 1, 10**6, delta="1e-5").value == 0
    assert training(0, 1, epsilon=1, delta="1e-5").value == float("inf")
    with pytest.raises(InputError, match="any number of steps"):
        _ = training(0, 1, epsilon=1, delta="1e-5").phases
    with pytest.raises(Unsupported, match="no least one is found"):
        training(0, steps=5, epsilon=1, delta="1e-5")


def test_phases_of_an_answer():
    found = training(RATE, steps=50, epsilon=2, delta="1e-5", further=[(1, 9, 2)], digits=5)
    first, second = found.phases
    assert (first.rate, first.steps, second.sigma) == (sp.Rational(1, 100), 50, 9)
    assert first.sigma == sp.Rational(str(found.answer.holds))
    assert step("1/2", 3, "remove").reverse() == step("1/2", 3, "add")
    assert str(second) == "rate 1, sigma 9, 2 steps"


GOOD = {"rate": RATE, "sigma": 1, "steps": 10, "epsilon": None, "delta": "1e-5"}
WRONG = [
    ({"sigma": None}, InputError, "sigma and epsilon are left out"),
    ({"epsilon": 1}, InputError, "none is left out"),
    ({"rate": "1.5"}, InputError, "rate = 3/2 must be between 0 and 1"),
    ({"rate": 0.01}, InputError, "rate = 0.01 is a float"),
    ({"rate": "-1/2"}, InputError, "rate = -1/2 must be between"),
    ({"rate": sp.Symbol("q")}, InputError, "rate = q must be between 0 and 1"),
    ({"sigma": 0}, InputError, "sigma = 0 must be a positive number"),
    ({"sigma": "many"}, InputError, "sigma = "),
    ({"steps": "2.5"}, InputError, "steps = 5/2 must be a whole number"),
    ({"steps": 0}, InputError, "steps = 0 must be a whole number from 1"),
    ({"steps": 10**19}, InputError, "must be a whole number from 1 to 10"),
    ({"delta": 2}, InputError, "delta = 2 must be between 0 and 1"),
    ({"delta": None, "epsilon": -1}, InputError, "epsilon = -1 must be a number, at least 0"),
    ({"delta": None, "epsilon": sp.oo}, InputError, "epsilon = oo is not a finite number"),
    ({"neighbours": "both"}, InputError, "neighbours = both must be one of add-remove, add"),
    ({"further": "0.1"}, InputError, "further = 0.1 must be a list"),
    ({"further": [(1, 2)]}, InputError, r"further phase 1, \(1, 2\), must be"),
    ({"further": [(1, 2, 3), (1, 0, 3)]}, InputError, "further phase 2: sigma = 0"),
    ({"digits": 0}, InputError, "digits must be"),
    ({"steps": None, "epsilon": 1, "further": [(1, 1, 9)]}, Undefined, "by itself"),
    ({"sigma": None, "epsilon": 1, "further": [(1, 1, 9)]}, Undefined, "by themselves"),
    ({"sigma": None, "epsilon": 1, "digits": 0}, InputError, "digits must be"),
]


@pytest.mark.parametrize(("wrong", "kind", "says"), WRONG)
def test_wrong_input_gets_one_line(wrong, kind, says):
    with pytest.raises(kind, match=says) as caught:
        training(**{**GOOD, **wrong})
    assert "\n" not in str(caught.value)


@pytest.fixture
def asked(monkeypatch, capsys):
    """Exit code and what is printed, by a command in this process."""
    without_processes(monkeypatch)

    def ask(*words):
        code = cli.main(["training", "--rate", RATE, *words])
        return code, *capsys.readouterr()

    return ask


def test_command_for_epsilon(asked):
    code, out, err = asked("--sigma", "1", "--steps", "100", "--delta", "1e-5", "--digits", "8")
    first, *sides = out.splitlines()
    found = training(RATE, 1, 100, delta="1e-5", digits=8)
    assert (code, err, first) == (0, "", f"epsilon {found}, the worse of both directions")
    assert [line.split()[0] for line in sides] == ["remove", "add"]


def test_command_for_steps_as_json_and_as_text(asked):
    words = ("--sigma", "1", "--eps", "2", "--delta", "1e-5", "--further", "0.02, 1.5, 500")
    code, out, _ = asked(*words, "--json")
    found = json.loads(out)
    assert code == 0 and found["value"] == "617" and found["certified"] is True
    assert found["question"]["further"] == [["1/50", "3/2", 500]]
    assert float(found["within"]["value"]) <= 1e-5 < float(found["beyond"]["value"])
    code, out, _ = asked(*words, "-v")
    lines = out.splitlines()
    assert lines[0] == "steps 617" and lines[3].startswith("delta of 618 steps: 0.00001001")
    assert lines[-1] == "further: rate 1/50, sigma 3/2, 500 steps"
    assert asked(*words, "-q")[1] == "steps 617\n"


def test_command_for_sigma(asked):
    code, out, _ = asked("--steps", "100", "--epsilon", "log(3)", "--delta", "1e-5", "--digits",
                         "5")
    first, _, ends, beyond = out.splitlines()
    found = training(RATE, steps=100, epsilon=sp.log(3), delta="1e-5", digits=5)
    assert code == 0 and first == f"sigma {found}"
    assert beyond.startswith("so does what is larger: ")
    holds, fails = (Fraction(ends.split()[k]) for k in (0, 5))
    assert (holds, fails) == (found.answer.holds, found.answer.fails)


def test_what_is_reached_of_fixed_batches_is_said():
    """Before anything is worked out: even an unreachable answer is refused at once."""
    start = time.process_time()
    for question in ({"sigma": 1, "steps": 10, "epsilon": 1}, {"steps": 10**6, "epsilon": 1},
                     {"sigma": 1, "steps": [1000, 2000]},
                     {"sigma": 1, "steps": 1, "further": [(RATE, 2, 1)]}):
        with pytest.raises(Unsupported, match="k times its epsilon at delta/k; under Poisson"):
            training(RATE, **question, neighbours="replace-one",
                     **({} if "epsilon" in question and "sigma" in question else
                        {"delta": "1e-5"}))
    assert time.process_time() - start < 1
    # whether a second step keeps within the budget is open too
    with pytest.raises(Unsupported, match="k times its epsilon"):
        training(RATE, sigma=1, epsilon=2, delta="1e-2", neighbours="replace-one")


def test_fixed_batches_of_all_records_take_many_steps():
    """One record replaced moves each sum by twice the bound: k releases of Gaussian noise."""
    found = training(1, sigma=5, steps=9, delta="1e-5", neighbours="replace-one")
    assert found.value == (gaussian(5, 2) ** 9).epsilon("1e-5").value
    assert found.value == gaussian(5, 6).epsilon("1e-5").value


def test_epsilon_and_delta_are_given_by_name():
    """A delta in the place of epsilon would be answered."""
    with pytest.raises(InputError, match="by name are epsilon=, delta="):
        training(RATE, 1, 10, "1e-5")


def test_epsilon_0_is_answered_or_refused_in_seconds():
    start = time.process_time()
    # total variation, within the width of the normal law of the loss
    found = training("0.01", sigma=100, steps=1000, epsilon=0)
    assert abs(float(found.value) - 0.4 * 0.01 * math.sqrt(1000) / 100) < 1e-5
    assert training("0.01", sigma=1, epsilon=0, delta="1e-5").answer.count == 0
    with pytest.raises(Unsupported, match="the least sigma is near"):
        training("0.01", steps=1000, epsilon=0, delta="1e-5")
    # reached: the least sigma is small enough
    found = training("0.01", steps=1000, epsilon=0, delta="0.01", digits=5)
    assert 12 < float(found.value) < 13
    assert time.process_time() - start < 20
