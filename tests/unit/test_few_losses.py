"""Factors of few losses beside others: the sum over all of them, against sums without it."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, geometric, laplace, poisson, randomized_response, staircase
from lapdp.accounting.inversion import atoms_beside, contour, machine
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.queries import Query
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns import references

FORMULA = "sum over few losses"


def response(odds, rate, direction, copies):
    """(loss, mass) of so many copies."""
    high, low = odds / (1 + odds), 1 / (1 + odds)
    p, q = [rate * high + (1 - rate) * low, rate * low + (1 - rate) * high], [low, high]
    if direction == "add":
        p, q = q, p
    return [(j * mp.log(p[0] / q[0]) + (copies - j) * mp.log(p[1] / q[1]),
             mp.binomial(copies, j) * p[0]**j * p[1]**(copies - j)) for j in range(copies + 1)]


@pytest.mark.parametrize("seed", range(24))
def test_responses_beside_one_subsampled_gaussian(seed):
    draw = random.Random(seed)
    sigma, rate = Fraction(draw.choice((1, 2, 20)), 2), Fraction(1, draw.choice((2, 10, 10**4)))
    directions = [draw.choice(("add", "remove")) for _ in range(3)]
    pair = poisson(gaussian(sp.Rational(sigma)), sp.Rational(rate), direction=directions[0])
    laws = []
    with mp.workdps(60):
        for direction in directions[1:]:
            odds, share = Fraction(draw.randint(11, 40), 10), Fraction(1, draw.choice((2, 3, 100)))
            copies = draw.randint(1, 9)
            pair *= poisson(randomized_response(sp.log(sp.Rational(odds))), sp.Rational(share),
                            direction=direction) ** copies
            laws.append(response(references.number(odds), references.number(share), direction,
                                 copies))
        whole = (references.removed if directions[0] == "remove" else references.added)(
            rate, references.normal(1 / (2 * sigma**2)))
        eps = Fraction(draw.randint(-20, 60), 20)
        truth = mp.fsum(one * other * whole(references.number(eps) - z - y)
                        for (z, one), (y, other) in product(*laws))
    assert atoms_beside.has_formula(pair)
    with workprec(120):
        ball = atoms_beside.delta(pair, sp.Rational(eps), 50, None)
    assert ball.rel_accuracy_bits() > 48
    found = pair.delta(sp.Rational(eps), digits=14)
    with mp.workdps(50), workprec(300):
        assert ball.contains(flint.arb(mp.nstr(truth, 40)) * (1 + flint.arb(0, 1e-35)))
        assert abs(references.number(found.value) - truth) <= references.number(
            found.radius) * (1 + mp.mpf(10)**-20)


@pytest.mark.parametrize("eps", ["1/10", "2", "-1/2"])
def test_each_loss_by_a_query_against_a_line(eps):
    """Losses of two lattices beside two subsampled Gaussians, for which there is no formula."""
    others = poisson(gaussian(1), "1/3", direction="remove") ** 2
    pair = others * randomized_response("1/2") * staircase(1)
    assert atoms_beside.is_few(pair) and not atoms_beside.has_formula(pair)

    def profile(other, t, bits):
        assert other in (others, others.reverse())
        with workprec(bits + 60):
            return other.delta(t, digits=12).enclosure.ball()

    with workprec(120):
        found = atoms_beside.delta(pair, sp.Rational(eps), 34, profile)
    with workprec(machine.BITS):
        # in the direction in which eps is positive
        x, side = abs(sp.Rational(eps)), pair if eps[0] != "-" else pair.reverse()
        line = machine.delta(releases(side), flint.arb(str(x)), 10)
        if side != pair:
            line = 1 - (-flint.arb(str(x))).exp() * (1 - line)
    assert found.overlaps(line) and found.rel_accuracy_bits() > 30


def test_losses_that_are_equal_are_joined():
    found = atoms_beside.atoms(gaussian(1) * randomized_response("1/10")
                               * randomized_response("1/10") ** 10)
    assert found is not None and len(found.losses) == 12
    assert found.others == gaussian(1)
    with workprec(100):
        assert sum(atoms_beside._masses(found, 90)).contains(1)


def test_what_has_no_few_losses():
    assert atoms_beside.atoms(gaussian(1) * laplace(1)) is None
    assert atoms_beside.atoms(randomized_response(1) * staircase(1)) is None
    assert atoms_beside.atoms(gaussian(1) * randomized_response(1) ** 10**6) is None
    with pytest.raises(Unsupported, match="few losses"):
        atoms_beside.delta(laplace(1), sp.Integer(1), 40, None)
    # the others are no formula, and the sums too many
    many = (poisson(gaussian(1), "1/2", direction="add") ** 2 * randomized_response("1/7") ** 9
            * randomized_response("1/10") ** 9)
    with pytest.raises(Unsupported, match="100 sums"):
        atoms_beside.delta(many, sp.Integer(1), 40, None)


@pytest.mark.nightly
def test_a_huge_loss_beside_small_responses():
    """It was refused; the answer lies between those at the largest and the least of their sums."""
    rare = poisson(gaussian(100), "1/10000", direction="remove") ** 100
    pair = rare * poisson(randomized_response("1/100"), "1/10000", direction="add") ** 3
    found = pair.delta(2, digits=10)
    # 3 losses within 10^-6
    low, high = (rare.delta(sp.Integer(2) + side * sp.Rational(3, 10**6), digits=8).value
                 for side in (1, -1))
    assert low < found.value < high


def test_a_query_with_a_formula_that_took_seconds():
    query = ("epsilon(poisson(gaussian(1), 1/10000, direction='remove')*poisson("
             "randomized_response(1/100), 1/10, direction='add')**3*poisson(randomized_response("
             "1/100), 1/10, direction='remove')**10, 1e-15, digits=10)")
    assert FORMULA in Query.of(query).answer().method


def test_nodes_in_balls_are_asked_for_where_they_serve():
    """Doubles beyond the first nodes are off by more than the answer: balls there are of no use."""
    factors = releases(geometric(1) ** 3 * poisson(gaussian(100), "1/10000", direction="remove")
                       ** 2 * geometric(2) ** 2)
    eps, digits = 7.00001, 6
    chosen = saddle(factors, eps, 44 * LOG2)
    table = machine._table(factors, chosen.gamma, chosen.period, 513)
    with workprec(machine.BITS):
        delta, share = 1e-15, 2.0**-(digits * 3.3)
        served = [table.serves(head, delta, eps, share) for head in (128, 512, 513)]
        assert served == [False, False, True]
        ball = table.total(flint.arb(eps), 128)
        assert ball.rad() > share * delta
    assert not contour.is_quick(factors, eps)
