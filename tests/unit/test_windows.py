"""A lattice of many places beside other losses: integrals on windows, and formulas in balls."""

from __future__ import annotations

import math
import random
import time
from contextlib import suppress
from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    exponential_mechanism,
    finite,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
)
from lapdp.accounting import delta_order, question
from lapdp.accounting.inversion import (
    atom_sums,
    beside,
    direct,
    lattice,
    lattices,
    returns,
    same_lines,
    windows,
)
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.parameters import exact_parameter, exceeds
from tests.campaigns import references
from tests.oracle.laplace_products import profile_of_products

BITS, FEW = 40, 26


def by_windows(pair, eps, bits=BITS):
    with workprec(400):
        point = flint.arb(flint.fmpq(eps.numerator, eps.denominator))
    with workprec(bits + 30):
        return windows.delta(releases(pair), point, bits)


def by_sums(odds, copies, profile, eps):
    """Binomial numbers of places times a profile of mpmath; ``odds`` of one response."""
    with mp.workdps(50):
        p, log, t = odds / (1 + odds), mp.log(references.number(odds)), references.number(eps)
        high, total = references.number(p), mp.mpf(0)
        mass = (1 - high) ** copies
        for y in range(copies + 1):
            total += mass * profile(t - (2 * y - copies) * log)
            mass *= high / (1 - high) * (copies - y) / (y + 1)
        return total


def holds(ball, value, relative=Fraction(1, 10**9)):
    with mp.workdps(50), workprec(200):
        low, high = (mp.mpf(x.str(40, radius=False)) for x in (ball.lower(), ball.upper()))
        assert low <= value <= high, (ball, value)
        assert high - low <= references.number(relative) * value


@pytest.mark.parametrize(("scale", "copies", "eps"), [
    (Fraction(1), 1500, Fraction(26, 25)), (Fraction(1, 2), 900, Fraction(3, 10)),
    (Fraction(3), 1600, Fraction(1, 3)), (Fraction(1), 1700, Fraction(4, 5))])
def test_responses_beside_laplace(scale, copies, eps):
    """A lattice of step 0.002, and the places where Laplace losses have atoms and jumps."""
    odds = Fraction(1001, 1000)
    pair = randomized_response(sp.log(sp.Rational(1001, 1000))) ** copies * laplace(scale)
    assert windows.parts(releases(pair)).apart
    holds(by_windows(pair, eps, FEW), by_sums(odds, copies, references.laplace(scale), eps),
          Fraction(1, 10**6))


def test_responses_beside_a_subsampled_laplace():
    whole = references.laplace(Fraction(4))
    for direction, rule in (("remove", references.removed), ("add", references.added)):
        pair = randomized_response(sp.log(sp.Rational(1001, 1000))) ** 1500 * poisson(
            laplace(4), "1/4", direction=direction)
        found = by_windows(pair, Fraction(1, 10), 20)
        holds(found, by_sums(Fraction(1001, 1000), 1500, rule(Fraction(1, 4), whole),
                             Fraction(1, 10)), Fraction(1, 10**5))


def test_responses_beside_what_has_no_atoms():
    """Nothing is apart: the moments of the Gaussian fall."""
    pair = randomized_response(sp.log(sp.Rational(101, 100))) ** 400 * gaussian(40)
    assert not windows.parts(releases(pair)).apart
    profile = references.normal(Fraction(1, 3200))
    holds(by_windows(pair, Fraction(1, 2)),
          by_sums(Fraction(101, 100), 400, profile, Fraction(1, 2)))


@pytest.mark.parametrize(("odds", "copies", "noise", "profile", "fewer"), [
    (Fraction(101, 100), 400, gaussian(40), references.normal(Fraction(1, 3200)), 0),
    (Fraction(101, 100), 400, poisson(gaussian(2), "1/4", direction="remove"),
     references.removed(Fraction(1, 4), references.normal(Fraction(1, 8))), 0),
    (Fraction(1001, 1000), 1500, laplace(2), references.laplace(Fraction(2)), 18)])
def test_looks_of_one_search_share_tables(odds, copies, noise, profile, fewer):
    """A look that asks for no more bits than one before makes none, and all of them hold."""
    pair = randomized_response(sp.log(sp.Rational(odds.numerator, odds.denominator))) ** copies
    looks = [(Fraction(1, 2), 32), (Fraction(52, 100), 40), (Fraction(51, 100), 44),
             (Fraction(505, 1000), 44), (Fraction(503, 1000), 36)]
    with same_lines.one_search():
        for k, (eps, bits) in enumerate(looks):
            before = windows._table.cache_info().misses
            holds(by_windows(pair * noise, eps, bits - fewer),
                  by_sums(odds, copies, profile, eps), Fraction(2**fewer, 10**8))
            assert k < 3 or windows._table.cache_info().misses == before
    # and nothing is kept beyond it
    assert same_lines.current() is None


def test_two_lattices_are_sums_of_one():
    pair = randomized_response(sp.log(sp.Rational(101, 100))) ** 300 * randomized_response(1) ** 2
    found = by_windows(pair, Fraction(1, 3))
    with mp.workdps(50):
        e = mp.e / (1 + mp.e)

        def two(t):
            return sum(mass * max(mp.mpf(0), -mp.expm1(t - place)) for place, mass in (
                (2, e * e), (0, 2 * e * (1 - e)), (-2, (1 - e) ** 2)))

        holds(found, by_sums(Fraction(101, 100), 300, two, Fraction(1, 3)))


def test_one_window_is_enough():
    """Beside many releases that leak much nothing is left at the next one."""
    pair = randomized_response(sp.log(sp.Rational(101, 100))) ** 400 * poisson(
        laplace(2), "1/2", direction="remove") ** 100
    here = windows.parts(releases(pair))
    limits: list[int] = []

    def size(m, bound):
        limits.append(m)
        return bound

    every = returns.all_windows(200)
    assert windows._windows(here, 2.0, 0.01, every, size, 0.0, 200)[0] == 0
    assert limits == [200, 0]


def test_what_windows_refuse():
    with pytest.raises(Unsupported, match="no part of the losses lies on a lattice"):
        by_windows(laplace(1) * gaussian(1), Fraction(1))
    # a wide lattice: what is left has fallen too little at the next windows
    with pytest.raises(Unsupported, match=r"do not decay|nodes count|terms"):
        by_windows(randomized_response(1) ** 30 * laplace("0.37"), Fraction(1))


def test_too_many_sums_of_atoms_are_refused_before_nodes_are_worked_out(monkeypatch):
    pair = (randomized_response("1/100") ** 100 * laplace(5) ** 3
            * poisson(randomized_response(1), "1/10", direction="add") ** 1000
            * poisson(laplace(1), "1/10", direction="add") ** 1000)
    known = [here for here in windows.ways(releases(pair)) if here.apart and not here.lattices]
    monkeypatch.setattr(windows, "_table", lambda *_: pytest.fail("nodes are worked out"))
    for here in known:
        with pytest.raises(Unsupported, match="sums"):
            windows._by(here, flint.arb(1), 30, (800, 10**5))
    assert known



def test_queries_that_were_refused():
    pair = laplace(100) ** 10 * poisson(randomized_response(2), "1/1000000",
                                        direction="add") ** 10**6
    found = pair.delta("1/20", digits=10)
    assert found.method == "contour integral on windows"
    # eight digits by another way: a normal law in the place of the many responses
    assert abs(float(found) - 0.00079253) < 1e-4


def test_many_places_beside_many_subsampled_laplace_releases():
    """A place after another, with a contour for each, it takes thirty times as long."""
    pair = poisson(laplace(1), "1/100", direction="add") ** 100 * poisson(
        randomized_response(2), "1/100", direction="add") ** 10**6
    found, quick = pair.delta("446.822", digits=14), pair.delta("446.822", digits=9)
    assert found.method == "contour integral on windows"
    assert quick.method == "contour integral in doubles"
    assert abs(found.value - quick.value) <= found.radius + quick.radius
    assert f"{float(found):.9e}" == "1.000146083e-15"


@pytest.mark.parametrize(("w", "v"), [("1/3", 0), (1, "9/10"), (1, "1/5"), ("1/100", 0)])
def test_profiles_in_balls(w, v):
    rate = Fraction(w) if not v else 1 - Fraction(v)
    pair = poisson(gaussian("3/4"), str(rate), direction="add" if v else "remove")
    whole = references.normal(Fraction(8, 9))
    rule = (references.added if v else references.removed)(rate, whole)
    known = direct.profile(releases(pair))
    for t in (Fraction(-3), Fraction(-1, 7), Fraction(-1, 10**6), Fraction(0), Fraction(1, 9),
              Fraction(2), Fraction(30)):
        found = known(lambda t=t: flint.arb(flint.fmpq(t.numerator, t.denominator)), 60)
        with mp.workdps(120):
            value = rule(references.number(t))
        with mp.workdps(50), workprec(300):
            low, high = (mp.mpf(x.str(60, radius=False)) for x in (found.lower(), found.upper()))
            slack = mp.mpf(10) ** -45 * max(value, mp.mpf(10) ** -40)
            assert low - slack <= value <= high + slack, (t, found, value)


@pytest.mark.parametrize("seed", range(40))
def test_profiles_of_laplace_noise_in_balls(seed):
    """Next to where the formula changes, too, and at huge and tiny arguments."""
    draw = random.Random(seed)
    scale, rate = Fraction(draw.randint(1, 40), draw.choice((1, 7, 400))), Fraction(
        draw.randint(1, 99), draw.choice((100, 10**4, 10**8)))
    direction = draw.choice(("add", "remove", ""))
    pair, rule = laplace(sp.Rational(scale)), references.laplace(scale)
    if direction:
        pair = poisson(pair, sp.Rational(rate), direction=direction)
        rule = (references.removed if direction == "remove" else references.added)(rate, rule)
    known = direct.profile(releases(pair), pair)
    ends = [float(sp.N(x.to_sympy())) for x in (releases(pair).largest(),
                                                releases(pair.reverse()).largest())]
    places = [Fraction(x).limit_denominator(10**12) + draw.choice((-1, 1)) * Fraction(
        1, 10 ** draw.randint(2, 30)) for x in (ends[0], -ends[1], ends[0])]
    places += [draw.uniform(-ends[1], ends[0]) for _ in range(4)]
    for t in (*map(Fraction, places), Fraction(0), Fraction(-9), Fraction(10**4, 3)):
        found = known(lambda t=t: flint.arb(flint.fmpq(t.numerator, t.denominator)), 60)
        with mp.workdps(150):
            value = rule(references.number(t))
        with mp.workdps(80), workprec(400):
            low, high = (mp.mpf(x.str(80, radius=False)) for x in (found.lower(), found.upper()))
            slack = mp.mpf(10) ** -70
            assert low - slack <= value <= high + slack, (t, found, value)


@pytest.mark.parametrize("seed", range(24))
def test_many_responses_beside_one_laplace_release(seed):
    """A formula at each of some hundred places, against sums of binomial numbers."""
    draw = random.Random(1000 + seed)
    scale, rate = Fraction(draw.choice((1, 2, 5)), draw.choice((1, 2))), Fraction(
        1, draw.choice((2, 10, 1000, 10**5)))
    odds, copies = 1 + Fraction(1, draw.choice((50, 200, 1000))), draw.randint(20, 800)
    direction = draw.choice(("add", "remove"))
    pair = randomized_response(sp.log(sp.Rational(odds))) ** copies * poisson(
        laplace(sp.Rational(scale)), sp.Rational(rate), direction=direction)
    rule = (references.removed if direction == "remove" else references.added)(
        rate, references.laplace(scale))
    eps = Fraction(draw.randint(0, 40), draw.choice((10, 40, 100)))
    value = by_sums(odds, copies, rule, eps)
    found = pair.delta(sp.Rational(eps), digits=12)
    # where no corner is carried to eps none of the places is asked for
    assert not value or copies < 60 or found.method in (
        "sum over places of a lattice", "integral around the poles")
    with mp.workdps(50):
        assert abs(references.number(found.value) - value) <= references.number(
            found.radius) * (1 + mp.mpf(10) ** -20)


@pytest.mark.parametrize("seed", range(20))
def test_responses_beside_several_laplace_releases(seed):
    """Places of which some are corners, the largest loss among them, and some next to one."""
    draw = random.Random(2000 + seed)
    step, copies, many = draw.choice((10, 20, 25)), draw.randint(10, 90), draw.choice((2, 2, 3, 4))
    eps = draw.choice((Fraction(0), Fraction(1, 2), Fraction(many), Fraction(many) + Fraction(
        1, 10**6), Fraction(draw.randint(1, 300), 77)))
    pair = randomized_response(sp.Rational(1, step)) ** copies * laplace(1) ** many
    with mp.workdps(60):
        high = 1 / (1 + mp.exp(-mp.mpf(1) / step))
        mass, value = (1 - high) ** copies, mp.mpf(0)
        for y in range(copies + 1):
            value += mass * profile_of_products(many, eps - Fraction(2 * y - copies, step), 50)
            mass *= high / (1 - high) * (copies - y) / (y + 1)

        def profile(other, t, bits):
            found = other.delta(t, digits=math.ceil(bits / 3.3) + 1)
            return found.enclosure.ball()

        with workprec(100):
            ball = beside.delta(pair, sp.Rational(eps), 45, profile)
        holds(ball, value, Fraction(1, 10**11))


def test_profiles_have_no_formula_elsewhere():
    one = poisson(gaussian(1), "1/10", direction="remove")
    assert direct.profile(releases(one)) is not None
    for pair in (one**2, one * gaussian(1), discrete_gaussian(1)):
        assert direct.profile(releases(pair)) is None


def test_more_nodes_than_a_line_is_asked_for_take_less_time_than_every_place():
    """Some 29,000 nodes; held against the sum over the places of the discrete Gaussian."""
    pair = (poisson(laplace(10), "1/100", direction="remove") ** 3
            * poisson(randomized_response(2), "1/10000", direction="remove") ** 10**6
            * discrete_gaussian(10))
    eps = sp.Rational(19, 20)
    answer = pair.delta(eps, digits=10)
    assert answer.method == "contour integral on windows"

    def profile(here, at, bits):
        return here.delta(at, digits=math.ceil(bits / 3.3) + 1).enclosure.ball()

    with workprec(100):
        other = beside.delta(pair, eps, 30, profile)
    assert answer.enclosure.ball().overlaps(other)
    assert other.rel_accuracy_bits() > 27


def test_a_sampled_gaussian_beside_many_responses():
    one = poisson(gaussian(1), "1/100", direction="remove")
    pair = randomized_response(sp.log(sp.Rational(11, 10))) ** 200 * one
    found = pair.delta("3/2", digits=12)
    assert beside.has_formula(pair, exact_parameter("eps", "3/2"))
    value = by_sums(Fraction(11, 10), 200, references.removed(Fraction(1, 100), references.normal(
        Fraction(1, 2))), Fraction(3, 2))
    holds(found.enclosure.ball(), value, Fraction(1, 10**11))


def test_what_sums_rest_on_is_named(monkeypatch):
    """Places whose profiles come from doubles: so does the sum."""
    few = poisson(gaussian(1), "1/10", direction="remove") ** 10
    both = few * randomized_response(20)
    doubles = question.in_doubles

    def of_places_only(pair, *rest):
        def refused(digits):
            raise Unsupported("not this one")
        return refused if pair == both else doubles(pair, *rest)

    monkeypatch.setattr(question, "in_doubles", of_places_only)
    monkeypatch.setattr(delta_order, "_counted", lambda *_: iter(()))
    found = both.delta(25, digits=8)
    assert found.method == "sum over places of a lattice"
    assert found.assumes == few.delta(5, digits=11).assumes == few.epsilon(
        "1/100000", digits=8).assumes != ""


def test_comparisons_of_numbers_with_logarithms():
    x = sp.log(3) * 7 - sp.log(2)
    assert exceeds(x, 6) and not exceeds(x, 7) and not exceeds(-x, 0)


def test_losses_without_atoms_beside_a_lattice():
    """There is no sum of atoms: the integral on windows is all there is."""
    many = poisson(randomized_response("1/100"), "1/100", direction="remove") ** 10**9
    found = (exponential_mechanism(2) * many).delta(24, digits=10)
    assert found.method == "contour integral on windows"
    # no loss of the other is above 2
    assert many.delta(24, digits=10).value < found.value < many.delta(22, digits=10).value


@pytest.mark.parametrize("eps", [Fraction(1, 3), Fraction(5, 2), Fraction(7, 2)])
def test_sums_of_atoms_beside_a_lattice_by_its_cells(eps, monkeypatch):
    """Many of them in one cell, places far from eps by bounds; rules that know no cells agree."""
    pair = (geometric(2) ** 9 * poisson(randomized_response("1/10"), "1/3", direction="add") ** 5
            * poisson(randomized_response(1), "1/1000000", direction="add") ** 6)
    asked = []
    on_lattice = lattice.Table.total

    def counted(table, point, place, offset):
        asked.append(point)
        return on_lattice(table, point, place, offset)

    monkeypatch.setattr(lattice.Table, "total", counted)
    found = by_windows(pair, eps)
    assert len(asked) < 12 < len(atom_sums.sums_of_atoms(windows.parts(releases(pair)).pieces, 60))
    with workprec(BITS + 30):
        point = flint.arb(flint.fmpq(eps.numerator, eps.denominator))
        expected = lattices.delta(releases(pair), point, BITS)
    assert found.overlaps(expected) and found.rel_accuracy_bits() > BITS - 4
    assert not (found * (1 + flint.arb(2) ** (8 - BITS))).overlaps(expected)


def test_twenty_thousand_sums_of_atoms_beside_a_long_lattice():
    """Only those near eps are worked out; the level is the one that the sum over places, with
    queries of its own, crosses there."""
    pair = (geometric(2) ** 10_000 * laplace(10)
            * poisson(randomized_response(1), "1/1000", direction="remove") ** 10**9)
    start = time.process_time()
    found = [pair.delta(x, digits=10) for x in ("17242.177578", "17242.177582")]
    assert time.process_time() - start < 2
    assert found[0] > "1e-30" > found[1]
    assert all(one.method == "contour integral on windows" for one in found)


def test_atoms_alone_beside_several_lattices():
    """The other lattices were left out once where all that lies on none has nothing but atoms."""
    three = finite(("1/2", "1/3", "1/6"), ("1/4", "1/4", "1/2"))
    lattices_of = discrete_gaussian(2) ** 5 * randomized_response(sp.log(2), "1/10") ** 2
    pair = lattices_of * three
    factors = releases(pair)
    with workprec(200):
        eps = flint.arb("1/2")
        # outcome by outcome
        expected = sum((flint.arb(flint.fmpq(1, n)) * lattices.delta(
            releases(lattices_of), eps - flint.arb(ratio).log(), 60) for n, ratio in (
                (2, 2), (3, flint.arb(4) / 3), (6, flint.arb(1) / 3))), flint.arb(0))
        # three atoms lie on no lattice: said, or reached by what asks for none
        assert [way for way in windows.ways(factors) if way.apart and way.lattices]
        for way in windows.ways(factors):
            with suppress(Unsupported):
                assert windows._by(way, eps, 60, (200, 20_000)).overlaps(expected)
        assert pair.delta("1/2", digits=15).enclosure.ball().overlaps(
            expected + 1 - factors.finite_mass())
