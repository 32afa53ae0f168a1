"""``check_mechanism``: what it reads, what it refuses, and its values by a second route."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp import finite, laplace, mechanism_table
from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair
from lapdp.testing import LawFailed, check_mechanism, mechanism_laws
from lapdp.testing.conformance.mechanism.sides import PairSides, table_sides
from lapdp.testing.conformance.values import Accuracy, AccuracyNeeded, Real
from lapdp.testing.strategies import alphas, chains, finite_pairs, neighbours
from tests.wrong.mechanism import above, sparse_vector

ODDS = {"odds": st.integers(2, 4)}
ONE = [((0,), (1,))]


def response(data, odds):
    return {data[0]: Fraction(odds, odds + 1), 1 - data[0]: Fraction(1, odds + 1)}


def failures(M, **claims):
    found = check_mechanism(M, on_fail="report", examples=20, **claims)
    return {failure.law: failure for failure in found.failures}


# -- the values ---------------------------------------------------------------------------------

@given(finite_pairs(), alphas())
def test_tables_have_the_profile_of_their_pair(pair, alpha):
    rows = [dict(enumerate(side)) for side in (pair.P, pair.Q)]
    sides, eps = table_sides(rows, None, ("P", "Q")), Real.of(sp.log(sp.Rational(alpha)))
    brute = sum(max(0, p - alpha * q) for p, q in pair.masses)
    assert sides.delta(eps).low.exact == sides.delta(eps).high.exact == brute
    assert sides.reverse().delta(eps).low.exact == pair.reverse().hockey_stick(alpha)
    assert sides.infinite_mass().low.exact == pair.mass_at_infinity
    assert sides.as_pair() == pair


@settings(max_examples=40, deadline=None)
@given(finite_pairs(), st.fractions(0, 1, max_denominator=20))
def test_the_least_epsilon_is_the_least(pair, delta):
    least = PairSides(pair).least_epsilon(Real.of(delta)).low
    if least.is_infinite:
        assert (delta < pair.mass_at_infinity) == (least.exact > 0)
        assert least.exact > 0 or delta == 1
        return
    alpha = Fraction(int(sp.exp(least.exact).p), int(sp.exp(least.exact).q)) if (
        least.exact != 0) else Fraction(1)
    assert pair.hockey_stick(alpha) <= delta
    assert pair.hockey_stick(alpha * Fraction(999, 1000)) > delta


@given(finite_pairs(), alphas(), st.sampled_from(["1e-3", "1e-9"]))
def test_rounded_masses_enclose_the_truth(pair, alpha, accuracy):
    rounded = [dict(enumerate(map(float, side))) for side in (pair.P, pair.Q)]
    sides = table_sides(rounded, Accuracy.of(accuracy), ("P", "Q"))
    value = sides.delta(Real.of(sp.log(sp.Rational(alpha))))
    assert value.low.exact <= pair.hockey_stick(alpha) <= value.high.exact
    assert value.high.exact - value.low.exact <= 3 * (1 + alpha) * Fraction(accuracy)
    mass = sides.infinite_mass()
    assert mass.low.exact <= pair.mass_at_infinity <= mass.high.exact


def test_irrational_masses_are_decided_exactly():
    def soft(data, eps):
        weight = sp.exp(eps / 2)
        return {0: weight / (1 + weight) if data[0] else 1 / (1 + weight),
                1: 1 / (1 + weight) if data[0] else weight / (1 + weight)}

    eps = {"eps": st.sampled_from([sp.Integer(1), sp.Rational(1, 3), sp.sqrt(2)])}
    found = check_mechanism(soft, over=eps, neighbours=ONE, guarantee=lambda eps: eps / 2,
                            examples=10)
    assert not any(finding.undecided for finding in found.findings)
    assert "guarantee" in failures(soft, over=eps, neighbours=ONE,
                                   guarantee=lambda eps: eps * sp.Rational(499, 1000))


@pytest.mark.parametrize(("queries", "root"), [((0, 0), 2), ((2, -1), 2), ((-3, 1), 3)])
def test_the_sparse_vector_sums(queries, root):
    """The exact sums over the noise of the threshold, against a sum by mpmath."""
    a, b = mpmath.mpf(1) / root**2, mpmath.mpf(1) / root

    def tail(m):
        return b**m / (1 + b) if m > 0 else 1 - b ** (1 - m) / (1 + b)

    def answers(first, z):
        result = mpmath.mpf(1)
        for n, q in enumerate(queries[:first + 1]):
            result *= tail(z - q) if n == first else 1 - tail(z - q)
        return result

    exact = sparse_vector(queries, root)
    for first, name in enumerate([0, 1, "none"]):
        brute = mpmath.fsum(a ** abs(z) * answers(first, z) for z in range(-120, 121))
        assert abs(brute * (1 - a) / (1 + a) - mpmath.mpf(exact[name].numerator)
                   / exact[name].denominator) < 1e-12
    assert sum(above(queries, Fraction(1, 5), Fraction(1, 3)).values()) == 1


# -- what a mechanism may do wrong -----------------------------------------------------------------

@pytest.mark.parametrize(("mechanism", "told"), [
    (lambda data: None, "is None"), (lambda data: {}, "is {}"), (lambda data: 1, "is 1"),
    (lambda data: {0: None}, "is no number"), (lambda data: {0: "x"}, "is no number"),
    (lambda data: {0: sp.nan}, "is no number"),
    (lambda data: {0: 1 / data[0], 1: 0}, "raised ZeroDivisionError"),
    (lambda data: {0: Fraction(3, 2), 1: Fraction(-1, 2)}, "P(1) >= 0"),
    (lambda data: {0: Fraction(1, 2)}, "the masses of P sum to 1")])
def test_no_distribution_is_a_violation(mechanism, told):
    found = failures(mechanism, neighbours=ONE, guarantee=1)
    assert told in str(found["distribution"])


def test_doubles_need_an_accuracy():
    def rounded(data):
        return {data[0]: 0.75, 1 - data[0]: 0.25}

    with pytest.raises(AccuracyNeeded, match="accuracy="):
        check_mechanism(rounded, neighbours=ONE, guarantee=sp.log(3))
    assert check_mechanism(rounded, neighbours=ONE, guarantee=sp.log(3), accuracy=0)
    assert "guarantee" in failures(rounded, neighbours=ONE, guarantee="1.09", accuracy="1e-12")


def test_a_float_guarantee_is_not_log_3():
    # the double below log 3 is a smaller eps
    claims = {"over": {"odds": st.just(3)}, "neighbours": ONE}
    with pytest.raises(AccuracyNeeded):
        check_mechanism(response, guarantee=1.0986122886681098, **claims)
    assert check_mechanism(response, guarantee=1.0986122886681098, accuracy="1e-15", **claims)


@pytest.mark.parametrize("arguments", [
    {"M": 3}, {"M": response}, {"M": response, "over": {"pair": st.just(1)}, "neighbours": ONE},
    {"M": response, "over": {"odds": 3}, "neighbours": ONE},
    {"M": response, "over": ODDS, "neighbours": "01"},
    {"M": laplace(1), "over": ODDS}, {"M": laplace(sp.Symbol("b", positive=True))},
    {"M": response, "over": ODDS, "neighbours": ONE, "group": lambda k, odds: 1},
    {"M": response, "over": ODDS, "neighbours": ONE, "chains": chains()},
    {"M": response, "over": ODDS, "neighbours": ONE, "profile": 1},
    {"M": response, "over": ODDS, "neighbours": ONE, "monotone": {"eps": "increasing"}},
    {"M": response, "over": ODDS, "neighbours": ONE, "monotone": {"odds": "up"}}])
def test_arguments_without_meaning(arguments):
    with pytest.raises(InputError):
        mechanism_laws(**arguments)


def test_a_claim_that_misbehaves_is_a_violation():
    claims = {"over": ODDS, "neighbours": ONE}
    assert "raised KeyError" in str(failures(response, guarantee=lambda odds: {}[odds], **claims)[
        "guarantee"])
    assert "a guarantee is (eps, delta)" in str(
        failures(response, guarantee=(1, 2, 3), **claims)["guarantee"])
    assert "is no number" in str(failures(response, profile=lambda t, odds: None, **claims)[
        "profile"])


def test_a_fault_of_the_strategy_is_no_violation():
    def broken(odds):
        raise RuntimeError("ours")

    with pytest.raises(RuntimeError, match="ours"):
        check_mechanism(response, over={"odds": st.integers().map(broken)}, neighbours=ONE)


def test_all_failing_laws_are_shown_and_laws_are_selected():
    claims = {"over": ODDS, "neighbours": neighbours(max_size=1),
              "guarantee": lambda odds: sp.log(odds) / 2}
    with pytest.raises(LawFailed) as raised:
        check_mechanism(response, examples=20, **claims)
    assert {f.law for f in raised.value.failures} == {"guarantee", "guarantee, reversed"}
    assert check_mechanism(response, laws=["distribution", "shape"], examples=9, **claims)
    assert [law.name for law in mechanism_laws(response, **claims)] == [
        "distribution", "guarantee", "guarantee, reversed", "mass at infinity"]


def test_parameters_may_have_the_letters_of_the_laws():
    def response_of_k(data, k, t):
        return {n: Fraction(t if n == data[0] else 1, t + k - 1) for n in range(k)}

    def profile(x, k, t):
        largest = sp.Max(0, t - sp.exp(x)) + sp.Max(0, 1 - t * sp.exp(x))
        return (largest + (k - 2) * sp.Max(0, 1 - sp.exp(x))) / sp.Integer(t + k - 1)

    claims = {"over": {"k": st.integers(2, 3), "t": st.integers(1, 3)}, "neighbours": ONE,
              "symmetric": True, "monotone": {"t": "increasing"}, "tight": True,
              "composed": lambda n, k, t: n * sp.log(t),
              "profile": profile}
    assert check_mechanism(response_of_k, guarantee=lambda k, t: sp.log(t), examples=25, **claims)
    found = failures(response_of_k, **{**claims, "monotone": {"k": "increasing"}})
    assert "other_k = " in found["monotone in k"].case
    assert found["monotone in k"].found.t_ is not None


def test_a_sampler_is_refused():
    found = failures(lambda data: 1, neighbours=ONE, guarantee=1)
    assert "a sample of one proves nothing" in str(found["guarantee"])


def test_a_table_of_a_mechanism():
    table = mechanism_table({"": ["1/2", "1/2"], "a": ["3/4", "1/4"]}, neighbours="add/remove")
    assert check_mechanism(table, neighbours=table.neighbours, guarantee=sp.log(2), tight=True)


def test_datasets_that_python_cannot_write():
    class Record:
        pass

    one, two = Record(), Record()

    def mechanism(data):
        return {data[0] is one: 1}

    found = failures(mechanism, neighbours=[((one,), (two,))], guarantee=1)
    assert set(found) == {"guarantee", "guarantee, reversed", "mass at infinity"}


# -- one pair -----------------------------------------------------------------------------------

@dataclass(frozen=True, repr=False)
class Forgetful(FinitePair):
    """Infinite losses are left out of its hockey-stick divergence."""

    def hockey_stick(self, alpha):
        return super().hockey_stick(alpha) - self.mass_at_infinity


@dataclass(frozen=True, repr=False)
class Mistaken(FinitePair):
    """Its closed form is the reversed pair's, its definition another one's."""

    def profile_value(self, t):
        return self.reverse().profile_value(t)

    def numeric_pair(self, values):
        return "finite", [(Fraction(1), Fraction(1))]


def test_a_right_pair_passes():
    found = check_mechanism(finite(["1/2", "1/2"], ["1/4", "3/4"]), examples=8)
    assert {"reversal", "definition", "closed form", "loss and profile", "trade-off and profile",
            "moments and profile"} <= {f.law for f in found.findings if f.examples > f.undecided}


def test_names_of_laws_are_unique():
    laws = mechanism_laws(finite(["1/2", "1/2"], ["1/4", "3/4"]), guarantee=1, tight=True,
                          profile=abs, tradeoff=abs, renyi=abs, loss=abs, composed=abs,
                          symmetric=True, mass_at_infinity=0)
    assert len({law.name for law in laws}) == len(laws)


def test_densities_are_integrated():
    assert check_mechanism(laplace(1), laws=["definition", "loss and profile"], examples=6)


def test_pairs_that_lie_about_themselves():
    masses = finite(["1/2", "1/4", "1/4"], [0, "1/4", "3/4"]).masses
    assert set(failures(Forgetful(masses), laws=["limits", "reversal"])) == {"limits", "reversal"}
    biased = Mistaken(finite(["1/2", "1/2"], ["1/4", "3/4"]).masses)
    wrong = {"closed form", "definition"}
    assert set(failures(biased, laws=wrong)) == wrong
