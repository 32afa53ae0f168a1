"""Few draws and a bound of all others, against all draws, and against quadrature on a grid."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import flint
import pytest

from lapdp import (
    exponential_mechanism,
    laplace,
    poisson,
    randomized_response,
    truncated_laplace,
)
from lapdp.accounting.inversion import near_end
from lapdp.accounting.inversion.few import MOST_BITS, few
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

REMOVED = poisson(laplace(2), "1/1000", direction="remove")
ADDED = poisson(laplace("1/2"), "1/10", direction="add")
PAIRS = {"removed": REMOVED**8, "added": ADDED**6, "plain": laplace(1) ** 7,
         "two": laplace(5) * REMOVED**7, "atoms": randomized_response(1) ** 3 * ADDED**6}


def _pieces(pair: Pair) -> Factors:
    found = in_pieces(releases(pair))
    assert found is not None
    return found


def _gap(factors: Factors, share: float) -> tuple[Any, Any]:
    """eps so far below the largest loss, and that gap."""
    top = factors.largest()
    assert top is not None
    end = enclose(top, {}).real
    gap = flint.arb(share) * sum(k * s.span for s, k in factors.parts)  # type: ignore[attr-defined]
    return end - gap, gap


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("share", [1e-6, 1e-3, 0.02])
def test_more_draws_are_bounded(name: str, share: float) -> None:
    factors = _pieces(PAIRS[name])
    with workprec(MOST_BITS):
        eps, gap = _gap(factors, share)
    with workprec(160):
        whole = few(factors, factors.count, eps, 120)
        for draws in range(4):
            part, bound = few(factors, draws, eps, 120), near_end.rest(factors, draws, gap)
            assert 0 < whole - part < bound
            # and it is not far above: a constant for each draw
            assert bound < 50 * 10**draws * (whole - part)


@pytest.mark.parametrize("name", PAIRS)
def test_delta_contains_that_of_all_draws(name: str) -> None:
    factors = _pieces(PAIRS[name])
    for share in (1e-9, 1e-4):
        with workprec(MOST_BITS):
            eps, _ = _gap(factors, share)
        with workprec(120):
            found = near_end.delta(factors, eps, 40)
            whole = few(factors, factors.count, eps, 60)
            assert found.overlaps(whole)
            assert found.rel_accuracy_bits() > 35


def test_one_draw_of_many_by_hand() -> None:
    """30 releases of laplace(1): with x below the largest loss the top atom and one draw are known.

    A loss is 1 with probability 1/2; between -1 and 1 its density is e^((z - 1)/2)/4.
    """
    factors, x = _pieces(laplace(1) ** 30), 1e-12
    with workprec(MOST_BITS):
        eps = 30 - flint.arb(x)
    with workprec(100):
        found = near_end.delta(factors, eps, 40)
        expected = 2.0**-30 * x + 30 * 2.0**-29 * x * x / 8
        assert abs(float(found) / (expected * (1 - x / 2)) - 1) < 1e-10


def test_losses_without_atoms_are_always_drawn() -> None:
    """Against all draws."""
    pair = exponential_mechanism("1/100") * poisson(randomized_response("1/100"), "1/10",
                                                    direction="remove")
    factors = _pieces(pair)
    with workprec(MOST_BITS):
        top = enclose(factors.largest(), {}).real  # type: ignore[arg-type]
    for share in ("1e-9", "1e-6", "1e-4"):
        gap = Fraction(share)
        with workprec(MOST_BITS):
            eps = top - flint.arb(flint.fmpq(gap.numerator, gap.denominator))
        with workprec(160):
            found, whole = near_end.delta(factors, eps, 40), few(factors, 2, eps, 60)
            assert found.overlaps(whole)
            assert found.rel_accuracy_bits() > 35


@pytest.mark.parametrize(("pair", "places"), [
    (poisson(truncated_laplace("1/2", 10), "1/100", direction="add") ** 4, ("0.0347", "0.0351")),
    (poisson(truncated_laplace(2, 12), "1/10", direction="add") ** 3, ("0.12", "0.13", "0.2"))])
def test_rare_largest_losses_apart(pair: Pair, places: tuple[str, ...]) -> None:
    """More draws are bounded by how many releases have the largest loss: against all draws."""
    factors = _pieces(pair)
    for place in places:
        with workprec(MOST_BITS):
            eps = flint.arb(place)
            gap = enclose(factors.largest(), {}).real - eps  # type: ignore[arg-type]
        with workprec(160):
            whole = few(factors, factors.count, eps, 120)
            for draws in range(factors.count - 1):
                rest = near_end.rest(factors, draws, gap)
                assert (whole - few(factors, draws, eps, 120)).lower() < rest
            assert near_end.delta(factors, eps, 40).overlaps(whole)


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(1) ** 30, 10), (laplace(1) ** 30, 31),
    (poisson(laplace(1), "1/2", direction="add") ** 30, "1/10")])
def test_farther_away_it_refuses(pair: Pair, eps: Any) -> None:
    factors = _pieces(pair)
    with workprec(100), pytest.raises(Unsupported):
        near_end.delta(factors, flint.arb(str(eps)) if isinstance(eps, int) else flint.arb(1) / 10,
                       40)


@pytest.mark.parametrize("q", [1.01, 1.5, 2.0, 10.0, 1000.0])
def test_the_inequality_of_one_loss(q: float) -> None:
    c = (1 - 1 / q) ** (q - 1) / q
    best = -math.log1p(-1 / q)
    for x in (best * t for t in (0.01, 0.5, 0.9, 1, 1.1, 2, 20)):
        assert -math.expm1(-x) <= c * math.exp((q - 1) * x) * (1 + 1e-12)
    assert math.isclose(-math.expm1(-best), c * math.exp((q - 1) * best), rel_tol=1e-9)


def test_many_draws_are_summed_without_a_difference() -> None:
    """With two factors, against the whole less the first terms."""
    moments = [(flint.arb(1), flint.arb("0.1"), 100), (flint.arb("0.5"), flint.arb("0.25"), 3)]
    exact = [sum(math.comb(100, i) * 0.1**i * math.comb(3, j - i) * 0.5 ** (3 - j + i)
                 * 0.25 ** (j - i) for i in range(max(0, j - 3), j + 1)) for j in range(103)]
    for draws in (0, 2, 6):
        with workprec(80):
            found = float(near_end.more_draws(moments, draws))
        assert sum(exact[draws + 1:]) * (1 - 1e-12) <= found <= sum(exact[draws + 1:]) * 1.001
