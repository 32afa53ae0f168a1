"""One huge loss of sampled discrete Gaussians: against sums over all whole numbers."""

from __future__ import annotations

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import approximate_dp, discrete_gaussian, gaussian, laplace, poisson, randomized_response
from lapdp.accounting.delta import Tried
from lapdp.accounting.delta_rules import Apart, upper_bound
from lapdp.accounting.inversion import hit_atoms
from lapdp.accounting.inversion.hit_atom_bounds import Kind, Sums
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def rare(sigma, rate, direction="remove"):
    return poisson(discrete_gaussian(sigma), rate, direction=direction)


def asked(pair, eps, digits=6):
    """By this rule alone."""
    return Apart(pair, sp.Rational(eps), Tried(), hit_atoms.delta)(digits).ball()


def law(sigma, w, reach):
    """(loss, Q-mass) of each whole number."""
    v = mp.mpf(sigma) ** 2
    whole = mp.nsum(lambda x: mp.exp(-x * x / (2 * v)), [-mp.inf, mp.inf])
    return [(mp.log(1 - w + w * mp.exp((2 * x - 1) / (2 * v))), mp.exp(-x * x / (2 * v)) / whole)
            for x in range(-reach, reach + 1)]


def excess(rows, t, beside=((0, 1),)):
    """The mean of max(0, R - e^t) over one of the rows and one of the others, (loss, P-mass)."""
    return mp.fsum(q * p * max(0, mp.exp(ell) - mp.exp(t - z)) for ell, q in rows
                   for z, p in beside)


def is_near(ball, number, bits=16):
    return ball.rel_accuracy_bits() > bits and ball.overlaps(flint.arb(mp.nstr(number, 40)))


@pytest.mark.parametrize(("sigma", "rate", "eps"), [
    (2, "1/1000", "3/2"), (3, "1/100", 1), (5, "1/1000000", "1/10"), (3, "1/10000", "1/100")])
def test_two_releases(sigma, rate, eps):
    """The sum over both whole numbers: all of one that are above a place, by tails."""
    found = asked(rare(sigma, rate) ** 2, eps)
    with mp.workdps(60):
        w, t = mp.mpf(1) * sp.Rational(rate).p / sp.Rational(rate).q, mp.mpf(
            sp.Rational(eps).p) / sp.Rational(eps).q
        rows = law(sigma, w, 60 * sigma)
        places = [ell for ell, _ in rows]
        above, most = [(mp.mpf(0), mp.mpf(0))], len(rows)
        for ell, q in reversed(rows):
            p, q0 = above[-1]
            above.append((p + q * mp.exp(ell), q0 + q))
        total, j = mp.mpf(0), most
        for ell, q in rows:
            # the losses of the other one above t - ell, ever more of them
            while j > 0 and places[j - 1] > t - ell:
                j -= 1
            p, q0 = above[most - j]
            total += q * (mp.exp(ell) * p - mp.exp(t) * q0)
        assert is_near(found, total)


@pytest.mark.parametrize("count", [1, 3])
def test_beside_responses(count):
    """The sum over all losses of both kinds."""
    found = asked(rare(5, "1/1000") * randomized_response("1/10") ** count, 1)
    with mp.workdps(60):
        p = 1 / (1 + mp.exp(-mp.mpf(1) / 10))
        beside = [(mp.mpf(count - 2 * j) / 10,
                   mp.binomial(count, j) * p ** (count - j) * (1 - p) ** j)
                  for j in range(count + 1)]
        assert is_near(found, excess(law(5, mp.mpf(1) / 1000, 400), mp.mpf(1), beside))


def test_two_kinds():
    """The double sum."""
    found = asked(rare(4, "1/1000") * rare(5, "1/10000"), 1)
    with mp.workdps(50):
        first = [(ell, q * mp.exp(ell)) for ell, q in law(4, mp.mpf(1) / 1000, 150)]
        assert is_near(found, excess(law(5, mp.mpf(1) / 10000, 300), mp.mpf(1), first))


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(1) ** 2 * laplace(5) ** 10 * rare(2, "1/1000000") ** 10000, 8),
    (rare(10, "1/1000") ** 100, 1), (rare(10, "1/1000000") ** 30, "1/2")])
def test_queries_that_were_refused(pair, eps):
    """Less than by Chernoff's bound, and more than what a hit adds that must do alone."""
    answer = pair.delta(sp.Rational(eps), digits=3)
    assert answer.method == "sum over the atoms of one huge loss"
    most, _ = upper_bound(releases(pair), sp.Rational(eps))
    s, k = releases(pair).parts[-1]
    less = k * poisson(discrete_gaussian(sp.sqrt(s.variance.exact)), s.first.exact,
                       direction="remove").delta(sp.Rational(eps)).enclosure.ball()
    assert not less > answer.enclosure.ball() and answer.enclosure.ball() < most


def test_few_digits_lie_in_the_same_ball():
    pair = laplace(5) * rare(3, "1/1000") ** 20
    few, many = (pair.delta(2, digits=d).enclosure.ball() for d in (3, 6))
    assert few.overlaps(many) and many.rel_accuracy_bits() > 17


@pytest.mark.parametrize("order", [1.0, 7.5, 120.0, -30.0])
def test_usual_losses_and_chances_are_bounded(order):
    s = releases(rare(3, "1/100")).parts[0][0]
    kind = Kind(s, 4, -20, 17)
    with workprec(80), mp.workdps(40):
        w = mp.mpf(1) / 100
        rows = law(3, w, 200)
        usual = mp.fsum(q * mp.exp(mp.mpf(order) * ell) for ell, q in rows[:200 + 17])
        hits = mp.fsum(q * mp.exp(ell) for ell, q in rows[200 + 17:])
        assert flint.arb(mp.nstr(usual, 30)) <= kind.usual(order) < flint.arb(
            mp.nstr(usual, 30)) * flint.arb("1.0001")
        assert flint.arb(mp.nstr(hits, 30)) < kind.beyond(17) < 2 * flint.arb(mp.nstr(hits, 30))
        # of four without hits at a place
        x = flint.arb(-1) / 50 if order < 0 else flint.arb(1) / 50
        one = [(ell, q) for ell, q in rows[:200 + 17] if q > mp.mpf(10) ** -15]
        side = 1 if order > 0 else -1
        two = mp.fsum(q * p * max(0, side * (mp.exp(ell + z) - mp.exp(float(x))))
                      for ell, q in one for z, p in one)
        assert flint.arb(mp.nstr(two, 20)) < Sums(
            [Kind(s, 2, -20, 17)], Factors(())).excess(order, x) + flint.arb("1e-10")


@pytest.mark.parametrize(("pair", "eps", "words"), [
    (gaussian(1) * laplace(1), 1, "no rare huge losses"), (rare(1, "1/2") ** 2, 9, "hit"),
    (rare(2, "1/100") ** 100, 30, "hit"), (rare(5, "1/100"), 1, "no rare huge losses"),
    # for a quarter of Q the ratio is 0, and delta a seventh more than if it were small
    (rare("1/2", "1/10000000000") * poisson(approximate_dp("1/10", "1/2"), "1/2",
                                            direction="add"), 2, "beside finite ones")])
def test_what_is_refused(pair, eps, words):
    with pytest.raises(Unsupported, match=words):
        asked(pair, eps)
