"""Grids of moments: one product of matrices against the sums one after another."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath as mp
import pytest

from lapdp import gaussian, laplace, overlapping_mixtures, poisson
from lapdp.accounting.inversion.contour import Table
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.moments.nodal import Nodes, powers
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.window_bounds import Window

PAIRS = [poisson(gaussian(1), "0.01", direction="remove"), poisson(gaussian(2), "1/2", "add"),
         overlapping_mixtures(gaussian("1/2"), "3/4", "1/5"), gaussian(3), laplace(2)]


def line_of(pair, gamma, height, bits):
    return releases(pair).parts[0][0].line(flint.arb(gamma), height, bits)


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize("count", [0, 1, 2, 40, 301])
def test_a_grid_holds_what_the_line_holds(pair, count):
    with flint.ctx.workprec(130):
        step = flint.arb(1) / 7
        line = line_of(pair, "2.5", 45.0, 80)
        found = line.grid(step, count)
        assert len(found) == count + 1
        for j in sorted({0, min(1, count), count // 2, max(0, count - 1), count}):
            single = line.at(step * j)
            assert found[j].overlaps(single)
            for part, there in ((found[j].real, single.real), (found[j].imag, single.imag)):
                # about as narrow as one after another
                assert part.rad() <= 4 * there.rad() + line.at(flint.arb(0)).real.upper() / 2**90


@pytest.mark.parametrize("height", [0, 3, 40])
def test_grids_by_quadrature(height):
    """E_q of the subsampled Gaussian, remove direction, as the definition says."""
    with mp.workdps(30):
        q = mp.mpc("2.5", height)
        expected = mp.quad(lambda x: (mp.mpf("0.01") * mp.exp(0.5 - x) + mp.mpf("0.99")) ** q
                           * mp.npdf(x, 1, 1), mp.linspace(-16, 12, 60))
    with flint.ctx.workprec(130):
        found = line_of(PAIRS[0], "2.5", 45.0, 80).grid(flint.arb(1) / 2, 2 * height)[-1]
        for part, there in ((found.real, expected.real), (found.imag, expected.imag)):
            assert abs(part - flint.arb(mp.nstr(there, 28))) < flint.arb(10) ** -21


def test_nodes_exactly():
    """Weights and turns that are rational: e^(i u l) = -1 and 1 in turn."""
    with flint.ctx.workprec(100):
        pairs = [(flint.arb(flint.fmpq(1, n)), flint.arb.pi() * n) for n in range(1, 60)]
        found = Nodes(pairs).grid(flint.arb(1), 500)
        for j, ball in enumerate(found):
            exact = sum(Fraction((-1) ** (j * n), n) for n in range(1, 60))
            assert ball.overlaps(flint.acb(flint.fmpq(exact.numerator, exact.denominator)))
            assert ball.real.rel_accuracy_bits() > 80


def test_no_nodes():
    assert [float(x.real) for x in Nodes([]).grid(flint.arb(1), 2)] == [0.0, 0.0, 0.0]


def test_powers_of_a_turn_stay_narrow():
    with flint.ctx.workprec(100):
        z = flint.acb(0, flint.arb(1) / 3).exp()
        for j, found in enumerate(powers(z, 1000)):
            assert found.overlaps(flint.acb(0, flint.arb(j) / 3).exp())
            assert found.real.rad() < flint.arb(2) ** -80
    assert [len(powers(z, n)) for n in (0, 1, 2)] == [1, 2, 3]


@pytest.mark.parametrize("eps", ["0", "-3/2", "20"])
@pytest.mark.parametrize("count", [1, 2, 7, 90])
def test_a_table_sums_its_nodes(eps, count):
    """The polynomial in e^(-i step eps), term by term."""
    with flint.ctx.workprec(120):
        point, step, gamma = flint.arb(flint.fmpq(*Fraction(eps).as_integer_ratio())), (
            flint.arb(1) / 5), flint.arb("1.5")
        values = [flint.acb(flint.arb(1) / (j + 2), flint.arb(1) / (j * j + 3))
                  for j in range(count)]
        expected = sum((((1 - gamma - flint.acb(0, step * j)) * point).exp() * value).real
                       for j, value in enumerate(values)) * step / flint.arb.pi()
        width = next(w for w in range(1, count + 1) if count % w == 0 and w * w >= count)
        found = Table(gamma, step, flint.acb_mat(count // width, width, values), flint.arb(0),
                      120).total(point)
        assert found.overlaps(expected)
        assert found.rad() < abs(expected) / flint.arb(2) ** 90


@pytest.mark.parametrize("gamma", ["-3", "-1/4", "1/3", "1", "6", "40"])
@pytest.mark.parametrize("pair", PAIRS[:3], ids=repr)
def test_two_rules_for_one_moment(pair, gamma):
    """Few bits and many, errors that grow with the height and such that do not."""
    with flint.ctx.workprec(300):
        order = flint.arb(flint.fmpq(*Fraction(gamma).as_integer_ratio()))
        spectrum = releases(pair).parts[0][0]
        fine = spectrum.line(order, 30.0, 200)
        for bits, height, fall in ((20, 5.0, 0.0), (60, 30.0, 40.0), (60, 30.0, 3.0)):
            coarse = spectrum.line(order, height, bits, fall)
            for u in (0, height / 3, height):
                found, there = coarse.at(flint.arb(u)), fine.at(flint.arb(u))
                assert found.overlaps(there)
                allowed = fall * (u / height) ** 2 - (bits - 2) * 0.6931
                assert found.real.rad() < fine.at(flint.arb(0)).real * flint.arb(allowed).exp()
            assert abs(there).lower() <= coarse.decay(flint.arb(height))


@pytest.mark.parametrize("turned", [0, "1/3000", "-1/3000"])
def test_terms_of_many_sizes_are_as_sharp_as_the_largest_asks_for(turned):
    """300 weights over 600 bits, and losses off the real line."""
    share = flint.fmpq(*map(int, str(turned).split("/"))) if turned else flint.fmpq(0)
    with flint.ctx.workprec(120):
        pairs = [(flint.arb(2) ** (-2 * n) / (n + 1), flint.acb(flint.arb(n).sqrt(), share))
                 for n in range(300)]
        nodes = Nodes(pairs)
        found = nodes.grid(flint.arb("0.3"), 700)
        for j in range(0, 701, 70):
            single = nodes.at(flint.arb("0.3") * j)
            assert found[j].overlaps(single)
            for part, there in ((found[j].real, single.real), (found[j].imag, single.imag)):
                assert part.rad() <= 4 * there.rad() + flint.arb(2) ** -112


def test_windows_that_are_found_anew_are_the_same():
    """A table is made once for all eps nearby, however many windows were tried meanwhile."""
    [spectrum] = {s for s, _ in releases(PAIRS[0]).parts}
    window = Window(11.375, 0.125, 13.125)
    first, second, other = (Hits(((spectrum, k),), (window,), 30.0) for k in (5, 5, 6))
    assert first == second and hash(first) == hash(second) and first != other
    assert first != Hits(((spectrum, 5),), (Window(11.5, 0.125, 13.125),), 30.0)
    assert first != Hits(((spectrum, 5),), (window,), 31.0)
