"""Sums over places of a lattice: by the definition of delta in mpmath, and by contour integrals."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, geometric, laplace, poisson, randomized_response
from lapdp.accounting.inversion import beside, circle, direct, lattice, residues
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.oracle import laplace_products

R = sp.Rational


def number(x):
    return mp.mpf(x.numerator) / x.denominator


def summed(pair, eps, bits=60, asked=None):
    """By this method alone; with the bits that are asked for."""
    def profile(other, t, wanted):
        if asked is not None:
            asked.append(wanted)
        return other.delta(t, digits=math.ceil(wanted * 0.30103) + 1).enclosure.ball()

    with workprec(bits + 40):
        return beside.delta(pair, sp.Rational(eps), bits, profile)


@pytest.mark.parametrize("eps", ["1/2", "3/2", "-1/4", "2"])
def test_a_discrete_gaussian_beside_laplace_noise(eps):
    found = (discrete_gaussian(2) * laplace(1)).delta(eps, digits=18)
    assert found.method == "sum over places of a lattice"
    t = mp.mpf(sp.Rational(eps).p) / sp.Rational(eps).q
    with mp.workdps(40):
        masses = {n: mp.exp(-mp.mpf(n * n) / 8) for n in range(-45, 47)}
        whole = sum(masses.values())
        total = mp.mpf(0)
        for n in range(-45, 46):
            p, q = masses[n] / whole, mp.exp(t) * masses.get(n - 1, 0) / whole
            # where p e^-|x| exceeds q e^-|x - 1|: left of one place, by the masses on either side
            cut = (1 + mp.log(p / q)) / 2 if q else mp.inf
            if cut >= 1:
                total += p - q
            elif cut > 0:
                total += p * (1 - mp.exp(-cut) / 2) - q * mp.exp(cut - 1) / 2
            elif p * mp.e > q:
                total += mp.mpf(0)
        assert number(found.lower) <= total <= number(found.upper)


@pytest.mark.parametrize("pair, eps", [
    (gaussian(1) * randomized_response("0.1")**10, "1"), (gaussian(2) * geometric("1/2")**3, "7/3"),
    (gaussian(3) * discrete_gaussian(3)**4, "9"),
    (poisson(gaussian(1), "1/10", direction="add") * randomized_response(1)**2, "3/2"),
])
def test_by_contour_integrals(pair, eps):
    found, other = summed(pair, eps), pair.delta(eps, digits=15)
    assert found.rel_accuracy_bits() > 50
    assert found.overlaps(other.enclosure.ball())


def test_no_term_is_sharper_than_what_the_lattice_adds_alone():
    """That is far more than rare releases add: their profile need not have all bits."""
    pair, asked = (poisson(gaussian(1), "1/1000", direction="remove") ** 2
                   * randomized_response(1) ** 2), []
    assert summed(pair, "1/2", 60, asked).rel_accuracy_bits() > 60
    assert asked and max(asked) < 40


def test_few_places_of_a_long_lattice():
    pair = randomized_response(2)**10**6 * poisson(gaussian(100), "1/10", direction="remove")**10
    found = pair.epsilon("1e-3", digits=8)
    # e^eps counts the places of a binomial law, each of which is split by very little
    lower = (randomized_response(2)**10**6).delta(found.lower, digits=10)
    assert lower.lower < 2e-3 and lower.upper > 1e-4
    with pytest.raises(Unsupported, match="beside others"):
        beside.delta(laplace(1), sp.Integer(1), 60, None)
    with pytest.raises(Unsupported, match="may be infinite"):
        summed(randomized_response(1)**3 * poisson(randomized_response(2, "1e-9"), "1/2",
                                                   direction="add") * gaussian(1), 1)
    with pytest.raises(Unsupported, match="places of the lattice lie near"):
        summed(laplace("1/1000")**3 * discrete_gaussian(100), 1)


def test_corners_that_all_lie_on_the_places_of_a_lattice(monkeypatch):
    pair = laplace("1/10")**3 * discrete_gaussian(10)
    found = summed(pair, 1)
    # the same places by formulas, one by one
    monkeypatch.setattr(beside, "_whole", lambda *given: None)
    monkeypatch.setattr(beside, "MOST_CORNERS", 10**6)
    other = summed(pair, 1)
    assert other.overlaps(found)
    assert min(x.rel_accuracy_bits() for x in (found, other)) > 40


@pytest.mark.parametrize("pair", [laplace(5)**10**9 * laplace(10)**3, geometric(1)**10**9])
def test_delta_next_to_one(pair):
    found = pair.delta(8, digits=30)
    assert abs(found.value - 1) + found.radius < 1e-29
    # 1 - delta <= sqrt(e^eps) E_(1/2): the Bhattacharyya coefficient, here of one factor alone
    with mp.workdps(30):
        assert float(releases(pair).log_moment(0.5)) < -1e6


def test_a_long_lattice_beside_another_one():
    eps = sp.Rational(7, 2)
    pair = randomized_response("1/10")**1500 * poisson(randomized_response(1), "1/3",
                                                       direction="remove")
    found = pair.delta(eps, digits=20)
    assert found.method == "sum over places of lattices"
    with mp.workdps(60):
        e, p = mp.exp(mp.mpf(1) / 10), 1 / (1 + mp.exp(-mp.mpf(1) / 10))
        q = 1 / (1 + mp.exp(-1))
        # the sample is in with probability 1/3, and changes P
        other = [((q / 3 + 2 * (1 - q) / 3), 1 - q), (((1 - q) / 3 + 2 * q / 3), q)]
        total = mp.mpf(0)
        for up in range(1501):
            p_mass = mp.binomial(1500, up) * p**up * (1 - p)**(1500 - up)
            q_mass = p_mass * e**(1500 - 2 * up)
            total += sum(max(0, p_mass * a - mp.exp(mp.mpf(7) / 2) * q_mass * b) for a, b in other)
        assert number(found.lower) <= total <= number(found.upper)


def test_the_way_with_the_fewest_places_is_asked_first():
    """By the line in balls it is the same number, after seven seconds; doubles are no sharper."""
    pair = poisson(randomized_response("1/10"), "1/10000", direction="add") ** 1000 * poisson(
        gaussian(100), "1/100", direction="add") ** 100 * geometric(1) ** 100
    found, quick = pair.delta(1, digits=14), pair.delta(1, digits=10)
    assert found.method == "sum over places of a lattice"
    assert quick.method == "contour integral in doubles"
    assert abs(found.value - quick.value) <= found.radius + quick.radius
    assert str(round(float(found), 11)) == "0.99999853422"


def test_corners_of_several_lattices_cancel_where_they_meet_eps():
    pair = laplace("1/2") ** 100 * laplace(10) ** 30
    assert residues.has_families(releases(pair))
    assert not residues.has_families(releases(laplace("1/2") ** 100))
    assert pair.delta(2, digits=10).method == "contour integral"


def test_no_more_nodes_of_a_circle_than_are_wanted():
    rings = [(s.ring(1.5, s.lattice[1]), k) for s, k in releases(geometric(1) ** 2).parts]
    kept, _ = circle.live(rings, 64, 30.0)
    with pytest.raises(Unsupported, match="more than 8 of the 64 terms"):
        circle.live(rings, 64, 30.0, 8)
    assert len(kept) > 8


def profile_of_two(scale, t):
    """delta(t) of two releases of Laplace noise, by the law of two losses: an integral over one."""
    a = 1 / mp.mpf(scale)

    def one(x):
        return 1 - mp.exp(x) if x < -a else 1 - mp.exp((x - a) / 2) if x < a else mp.mpf(0)

    atoms = one(t - a) / 2 + mp.exp(-a) / 2 * one(t + a)
    cuts = sorted({-a, a, *(x for x in (t - a, t + a) if -a < x < a)})
    return atoms + mp.quad(lambda z: mp.exp((z - a) / 2) / 4 * one(t - z), cuts)


@pytest.mark.parametrize("scale", ["1/2", "2", "100"])
@pytest.mark.parametrize("copies", [1, 30, 200])
@pytest.mark.parametrize("share", ["1/50", "1/7", "1/3", "9/10"])
def test_few_exact_releases_beside_a_long_lattice(scale, copies, share):
    """By the masses of the lattice, which are binomial, and an integral over the density of the
    loss of Laplace noise at each place; at a share of the largest loss."""
    eps = R(share) * (R(copies, 5) + 2 / R(scale))
    pair = laplace(scale) ** 2 * randomized_response("1/5") ** copies
    found = summed(pair, eps)
    with mp.workdps(30):
        odds, t = mp.exp(mp.mpf(1) / 5), mp.mpf(eps.p) / eps.q
        p, total = odds / (1 + odds), mp.mpf(0)
        for k in range(copies + 1):
            mass = mp.binomial(copies, k) * p**k * (1 - p) ** (copies - k)
            place = mp.mpf(2 * k - copies) / 5
            noise = mp.mpf(R(scale).p) / R(scale).q
            if mass > mp.mpf(10) ** -25 and t - place < 2 / noise:
                total += mass * profile_of_two(noise, t - place)
        assert abs(found - flint.arb(mp.nstr(total, 25))) < flint.arb(10) ** -14
        assert found.rel_accuracy_bits() > 50 or not found


@pytest.mark.parametrize("copies", [3, 10])
@pytest.mark.parametrize("t", ["0", "1/10", "-1/10", "3", "-3", "1", "-2", "299/100", "11"])
def test_closed_forms_on_balls_at_breakpoints_and_beyond(copies, t):
    """By slices of cubes, from the definition of the noise."""
    pair, place = laplace(1) ** copies, Fraction(t)
    found = direct.profile(releases(pair), pair)
    back = direct.profile(releases(pair.reverse()), pair.reverse())
    there = laplace_products.profile_of_products(copies, place, 30)
    with workprec(1200):
        point = flint.arb(flint.fmpq(place.numerator, place.denominator)) + flint.arb(0, "1e-300")
        here, mirrored = found(lambda: point, 40), back(lambda: -point, 40)
        assert here.rel_accuracy_bits() >= 40 or (not there and here.rad() < 1e-90)
        whole = flint.arb(mp.nstr(there, 30)) + flint.arb(0, "1e-25")
        assert here.overlaps(whole)
        assert (1 - point.exp() + point.exp() * mirrored).overlaps(whole)


@pytest.mark.parametrize("pair", [
    randomized_response("1/3") ** 40 * poisson(gaussian(1), "1/10", direction="remove"),
    randomized_response("1/3") ** 40 * poisson(gaussian(1), "1/10", direction="add"),
    poisson(randomized_response(1), "1/10", direction="add") ** 200 * gaussian(2)])
@pytest.mark.parametrize("eps", ["2", "5"])
def test_the_rules_on_either_side_agree_with_formulas(pair, eps):
    """For the places below eps one line, for those above it another one of the reversed pair."""
    bits, point = 36, sp.Rational(eps)
    found = beside.parts(pair)[0]
    with workprec(200):
        there = summed(pair, eps, 60)
    with workprec(bits + 64):
        window = beside.places(found, releases(pair), float(point), (bits + 4) * math.log(2))
        ball = flint.arb(flint.fmpq(int(point.p), int(point.q)))
        alone = window.rest(found, ball) + lattice.delta(found.on, ball, bits + 8)
        sides = alone + beside._by_sides(found, window, point, bits)
    assert sides.overlaps(there) and sides.rel_accuracy_bits() > bits - 6


@pytest.mark.parametrize("rest", [
    discrete_gaussian(2) * poisson(laplace(1), "1/10", direction="add") ** 3,
    poisson(gaussian(1), "1/2", direction="remove") * laplace(1)])
@pytest.mark.parametrize("one", [geometric(1), randomized_response("1/2") ** 3,
                                 discrete_gaussian(1) ** 2])
def test_equal_factors_that_are_written_apart_are_as_many(one, rest):
    """Beside one of two equal factors lies the other: it was left out once."""
    for eps in (0, 1, "5/2"):
        assert (one * rest * one).delta(eps, digits=9).enclosure.ball().overlaps(
            (one**2 * rest).delta(eps, digits=9).enclosure.ball())
    for pair in (one * rest * one, one * one * discrete_gaussian(1) ** 4 * rest):
        for way in beside.parts(pair):
            assert way.on.count + way.forward.count == releases(pair).count
