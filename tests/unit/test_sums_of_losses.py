"""Laws of sums of continuous losses that serve every eps, against integrals by the definition."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath as mp
import pytest

from lapdp import laplace, poisson
from lapdp.accounting.inversion import draws, few
from lapdp.accounting.inversion.draws import Integrals
from lapdp.accounting.moments.releases import releases

PLACES, HEIGHTS = (-1, 0, "1/2", 3), (1, 4, "1/2")
"""A step function."""


def step_law():
    """Its breakpoints: a jump by x has the transform x v."""
    rises = [flint.arb(0), *map(flint.arb, HEIGHTS), flint.arb(0)]
    return [(flint.arb(place), flint.arb_poly([0, b - a]))
            for place, a, b in zip(PLACES, rises, rises[1:], strict=False)]


def number(text):
    x = Fraction(str(text))
    return mp.mpf(x.numerator) / x.denominator


def by_quadrature(t, side):
    """The integral of the step function against max(0, side (1 - e^(t - z)))."""
    total = mp.mpf(0)
    for low, high, size in zip(PLACES, PLACES[1:], HEIGHTS, strict=False):
        ends = sorted({number(low), number(high), min(max(t, number(low)), number(high))})
        total += number(size) * mp.quad(
            lambda z: max(mp.mpf(0), side * (1 - mp.exp(t - z))), ends)
    return total


@pytest.mark.parametrize("t", ["-7/2", "-1", "1/4", "5/2", 3, 9])
def test_both_integrals_of_one_law_for_every_t(t):
    with flint.ctx.workprec(120), mp.workdps(30):
        found = Integrals(step_law(), 120)
        point = flint.arb(t)
        for ball, side in ((found.from_right(point), 1), (found.from_left(point), -1)):
            expected = flint.arb(mp.nstr(by_quadrature(number(t), side), 25))
            assert abs(ball.mid() - expected) <= ball.rad() + flint.arb("1e-22") * (1 + expected)
            assert ball.rad() < flint.arb("1e-28") * (1 + expected)


def test_polynomials_are_cut_within_their_bound():
    with flint.ctx.workprec(200):
        sharp, rough = Integrals(step_law(), 200), Integrals(step_law(), 20)
        for t in ("-1/2", "2/5", "14/5"):
            one, other = sharp.from_right(flint.arb(t)), rough.from_right(flint.arb(t))
            assert other.contains(one.mid()) and other.rad() > one.rad()
            assert not other.contains(one.mid() + 4 * flint.arb(other.rad()))


def test_laws_that_are_kept_answer_as_new_ones(monkeypatch):
    factors = releases(poisson(laplace(2), "1/3", direction="remove") ** 4)
    places = [flint.arb(x) / 16 for x in (1, 5, 9)]

    def answers():
        few._shelf.cache_clear()
        few._sums.cache_clear()
        with flint.ctx.workprec(200):
            return [few.few(factors, 4, t, 48) for t in places], few._shelf()

    kept, shelf = answers()
    assert shelf.used == sum(law.size for laws in shelf.known.values() for law in laws.values()) > 0
    monkeypatch.setattr(few, "MOST_KEPT", 0)
    new, shelf = answers()
    assert shelf.used == 0
    for one, other in zip(kept, new, strict=True):
        assert one.overlaps(other) and one.rel_accuracy_bits() >= 48


def test_other_questions_make_way(monkeypatch):
    factors = releases(poisson(laplace(2), "1/3", direction="remove") ** 3)
    few._shelf.cache_clear()
    with flint.ctx.workprec(200):
        few.few(factors, 3, flint.arb("1/5"), 32)
        shelf = few._shelf()
        first, used = next(iter(shelf.known)), shelf.used
        monkeypatch.setattr(few, "MOST_KEPT", used + 1)
        few.few(factors, 3, flint.arb("1/5"), 48)
    assert first not in shelf.known and 0 < shelf.used <= used + 1


def test_no_look_asks_for_more_bits_than_the_one_before(monkeypatch):
    """Masses limit the accuracy here, and more bits of the laws are of no use, at no point."""
    pair, asked = poisson(laplace(10), "1/1000000", direction="remove") ** 6, []
    worked_out = few._near

    def told(laws, near, eps, question):
        asked.append(question[-1])
        return worked_out(laws, near, eps, question)

    monkeypatch.setattr(few, "_near", told)
    few._precisions.cache_clear()
    found = []
    for eps in ("1/5000000", "1/4900000", "1/4800000", "1/4700000"):
        first = len(asked)
        with flint.ctx.workprec(few.MOST_BITS + 20):
            x = flint.arb(flint.fmpq(1, int(eps[2:])))
            ball = few.few(releases(pair), 4, x, 72)
        found.append((asked[first:], ball))
    later = [precision for precisions, _ in found[1:] for precision in precisions]
    assert len(later) == 3 and max(later) < 2 * min(found[0][0]) <= max(found[0][0])
    monkeypatch.undo()
    for (_, ball), eps in zip(found, ("1/5000000", "1/4900000", "1/4800000", "1/4700000"),
                              strict=True):
        few._precisions.cache_clear()
        with flint.ctx.workprec(few.MOST_BITS + 20):
            x = flint.arb(flint.fmpq(1, int(eps[2:])))
            assert few.few(releases(pair), 4, x, 120).overlaps(ball)


@pytest.mark.parametrize("side", [-1, 1])
def test_short_polynomials_hold_the_sums(side, monkeypatch):
    """Between breakpoints, next to them and at them, where none of these serves."""
    with flint.ctx.workprec(200), mp.workdps(30):
        found, alone = Integrals(step_law(), 200, 60), Integrals(step_law(), 200)
        monkeypatch.setattr(draws, "ENOUGH", -1)
        served = 0
        for t in ("-7/2", "-1", "-99/100", "-1/3", "0", "1/4", "1/2", "501/1000", "2", "299/100"):
            point = flint.arb(flint.fmpq(*Fraction(t).as_integer_ratio()))
            short = found.local[side].at(point)
            served += short is not None
            if short is not None:
                assert short.rel_accuracy_bits() >= 60
                expected = flint.arb(mp.nstr(by_quadrature(number(t), -side), 25))
                assert abs(side * short - expected) <= flint.arb("1e-17") * (1 + expected)
                assert short.overlaps(alone._sum(point, side))
        assert served >= 5
        # a ball across a breakpoint, and one that says nothing
        for wide in (flint.arb("1/2", 0.001), flint.arb(0, 9)):
            assert found.local[side].at(wide) is None
