"""The routes next to the largest loss, and for few draws apart in doubles, against power series."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import laplace, poisson, randomized_response
from lapdp.accounting.inversion import near_end, shared, split_machine
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair
from tests.oracle.powers_of_the_gap import (
    BITS,
    Part,
    ball,
    below_the_top,
    largest,
    reach,
)

ONE, SMALL = Fraction(1), Fraction(1, 1000)
NEAR = [
    ([Part(Fraction(2), SMALL, "remove", 30)], "1e-8", 12),
    ([Part(Fraction(1, 2), Fraction(1, 10), "add", 6)], "1e-4", 12),
    ([Part(Fraction(5), Fraction(1, 2), "remove", 3), Part(ONE, ONE, "remove", 2),
      Part(Fraction(3, 2), Fraction(0), "remove", 3)], "0.02", 20),
    ([Part(Fraction(1, 4), Fraction(1, 10**6), "add", 6)], "1e-9", 10),
]
DOUBLES = [
    ([Part(Fraction(2), Fraction(1, 10), "remove", 12)], "0.3", 10),
    ([Part(ONE, Fraction(1, 2), "add", 8), Part(ONE, Fraction(0), "remove", 3)], "0.6", 6),
    ([Part(Fraction(3, 2), ONE, "remove", 8)], "1e-9", 6),
]


def _releases(parts: list[Part]) -> Factors:
    whole: Pair | None = None
    for p in parts:
        scale, rate = (sp.Rational(x.numerator, x.denominator) for x in (p.scale, p.rate))
        one = randomized_response(scale) if not p.rate else laplace(scale) if p.rate == 1 else (
            poisson(laplace(scale), rate, direction=p.way))
        whole = one**p.copies if whole is None else whole * one**p.copies
    assert whole is not None
    return releases(whole)


def test_one_sampled_laplace() -> None:
    """q delta of the mechanism at log((e^t - 1 + q)/q), and 1 - e^(t/2 - 1/(2b)) is this delta."""
    with workprec(BITS):
        parts = [Part(Fraction(2), Fraction(1, 10), "remove", 1)]
        q, gap = ball(Fraction(1, 10)), reach(parts) / 2
        other = (((largest(parts) - gap).exp() - 1 + q) / q).log()
        closed = -q * ((other - ball(Fraction(1, 2))) / 2).expm1()
        assert abs(below_the_top(parts, gap, 300) - closed) < flint.arb(2) ** -250


@pytest.mark.parametrize(("method", "case"), [
    *(("near", i) for i in range(len(NEAR))), *(("doubles", i) for i in range(len(DOUBLES)))])
def test_against_power_series(method: str, case: int) -> None:
    """Their convergence is seen; each route is called itself."""
    parts, share, digits = (NEAR if method == "near" else DOUBLES)[case]
    with workprec(BITS):
        gap = reach(parts) * flint.arb(share)
        eps = largest(parts) - gap
        few, found = (below_the_top(parts, gap, terms) for terms in (240, 260))
        assert abs(few - found) < found * flint.arb(2) ** -120
    if method == "near":
        bits = int(10 * digits / 3) + 1
        with workprec(bits + 64):
            ball_found = near_end.delta(_releases(parts), eps, bits)
    else:
        with workprec(160):
            ball_found = split_machine.delta(_releases(parts), eps, digits)
    with workprec(BITS):
        assert ball_found.overlaps(found)
        assert ball_found.rad() < found * flint.arb(10) ** -digits


@pytest.mark.parametrize("part", [
    Part(Fraction(2), Fraction(1, 10), "remove", 9),
    Part(Fraction(7, 4), Fraction(3, 100), "add", 7),
    Part(Fraction(1, 2), Fraction(9, 10), "remove", 12),
    Part(Fraction(5, 2), Fraction(7, 10), "add", 10)])
def test_one_rule_in_doubles_for_all_places_against_power_series(part: Part) -> None:
    """The line and the period are chosen for all places at once."""
    with workprec(BITS):
        gaps = [reach([part]) * flint.arb(x) for x in ("0.7", "0.5", "0.25")]
        top = largest([part])
        series = []
        for gap in gaps:
            few, found = (below_the_top([part], gap, terms) for terms in (240, 280))
            assert abs(few - found) < found * flint.arb(2) ** -90
            # what is cut off falls from one term to the next
            series.append(found + flint.arb(0, (4 * abs(few - found)).upper()))
    factors, bits = _releases([part]), 40
    with workprec(160):
        middle = float(top - gaps[1])
        gamma = saddle(factors, middle, bits * LOG2).gamma
        taken = in_pieces(factors)
        assert taken is not None
        line = shared.line(taken, gamma, (float(top - gaps[0]), float(top - gaps[-1])), bits)
        at = shared._in_pieces_and_doubles(taken, line, bits)
        answers = [at(top - gap) for gap in gaps]
    with workprec(BITS):
        for answer, found in zip(answers, series, strict=True):
            assert answer.overlaps(found)
            assert answer.rad() < found / 10**6
