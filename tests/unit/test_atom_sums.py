"""Sums of atoms from left to right, against each of them alone, and against power series."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import discrete_gaussian, laplace, poisson
from lapdp.accounting.inversion import atom_sums, beside, few, shared
from lapdp.accounting.inversion.atom_sums import laws, ordered
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec
from tests.oracle import powers_of_the_gap as oracle

BITS = 80
PAIR = laplace(5) ** 3 * poisson(laplace(1), "1/10", direction="remove") ** 4
PARTS = [oracle.Part(Fraction(5), Fraction(1), "remove", 3),
         oracle.Part(Fraction(1), Fraction(1, 10), "remove", 4)]


def one_by_one(sums, known, eps):
    """What lies above eps with all draws, and how often atoms occur in what reaches across."""
    total, across = flint.arb(0), set()
    for choice, _, _ in sums.sums:
        place, mass = atom_sums.together(known, sums.shares, choice)
        if eps - place <= sums.low:
            total += mass * (sums.p - (eps - place).exp() * sums.q)
        elif not eps - place >= sums.high:
            across.add(choice)
    return total, across


@pytest.mark.parametrize("eps", ["-3", "-1/7", "0", "1/9", "3/5", "11/10", "2"])
def test_sums_above_eps_are_those_one_by_one(eps):
    factors = in_pieces(releases(PAIR))
    with workprec(BITS):
        known, point = laws(factors, BITS), flint.arb(eps)
        for sums in ordered(factors, 3, BITS):
            found, across = sums.at(point)
            total, expected = one_by_one(sums, known, point)
            if any(sums.shares):
                assert set(across) == expected
            assert found.overlaps(total) or not any(sums.shares)
            assert found.rad() < flint.arb(2) ** -60


def test_eps_at_a_sum_of_atoms_and_next_to_it():
    # all draws from the continuous parts, and none: the places are those of eps itself
    factors = in_pieces(releases(PAIR))
    with workprec(BITS):
        for sums in ordered(factors, 2, BITS):
            for _, place, _ in sums.sums[::5]:
                for shift in (flint.arb(0), sums.low, sums.high, flint.arb("1e-20")):
                    wide = place + shift + flint.arb(0, 1e-22)
                    found, across = sums.at(wide)
                    other, less = sums.at(place + shift - flint.arb("1e-15"))
                    # mass times a distance of 1e-15 and of what balls do not tell
                    assert abs(found - other) < 1e-13 or set(across) != set(less)


def test_few_draws_are_what_power_series_give():
    factors = in_pieces(releases(PAIR))
    with workprec(oracle.BITS):
        top, reach = oracle.largest(PARTS), oracle.reach(PARTS)
        for share in ("0.1", "0.35", "0.6"):
            gap = reach * flint.arb(share)
            expected = oracle.below_the_top(PARTS, gap, 200)
            eps = top - gap
            found = few.few(factors, factors.count, eps, BITS)
            slack = expected * flint.arb(2) ** -BITS
            assert found.overlaps(expected + flint.arb(0, slack.upper()))
            assert found.rad() < slack


def test_what_all_eps_share_is_worked_out_once(monkeypatch):
    factors, asked = in_pieces(releases(PAIR)), []
    whole = atom_sums.Law.sum

    def told(law, draws, counts):
        asked.append(counts)
        return whole(law, draws, counts)

    with workprec(few.MOST_BITS):
        few.few(factors, 3, flint.arb("1/2"), 40)
        monkeypatch.setattr(atom_sums.Law, "sum", told)
        few.few(factors, 3, flint.arb("1/2") + flint.arb(2) ** -20, 40)
    assert not asked


class Asked(Exception):
    """Enough is known."""


def test_one_line_is_as_sharp_as_its_integrand_is_large(monkeypatch):
    # its accuracy is relative to an integrand with 1/(q (q - 1)): few bits do, which doubles have
    def told(factors, gamma, ends, bits, points):
        assert bits <= shared.DOUBLES
        raise Asked

    monkeypatch.setattr(beside.shared, "profile", told)
    pair = discrete_gaussian(10) * poisson(laplace("1/2"), "1/10", direction="add") ** 30
    with workprec(200), pytest.raises(Asked):
        beside.delta(pair, sp.Rational(149, 50), 36, None)
