"""Rules on parts of panels: what they are off the integral, by balls around it."""

from __future__ import annotations

import random
from itertools import pairwise

import flint
import pytest

from lapdp import laplace, poisson, truncated_laplace
from lapdp.accounting.moments import legendre, panels
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.panel_rules import LONG, Goal, Ripple, Ruled
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec


def integral(panel, u):
    """Of h e^(iu l) over a panel: a ball, by cuts of the interval until series converge."""
    def integrand(x, _):
        box = panel.piece.density(x) * ((panel.gamma - 1 + flint.acb(0, u)) * panel.piece.loss(
            x)).exp()
        return box if panel.piece.holds(x) and box.is_finite() else flint.acb(flint.arb.nan())

    return flint.acb.integral(integrand, panel.middle - panel.half, panel.middle + panel.half,
                              eval_limit=10**6)


class Near:
    """The density 1/(x^2 + d^2) on (-1, 1), whose poles are close by, and the loss x + x^2/4."""

    reach, stride = None, None

    def __init__(self, d):
        self.d = flint.arb(d)

    def ends(self):
        return flint.arb(-1), flint.arb(1)

    def holds(self, box):
        return bool(abs(box.imag) < self.d)

    def loss(self, x):
        return x + x * x / 4

    def slope(self, x):
        return 1 + x / 2

    def density(self, x):
        return 1 / (x * x + self.d * self.d)


PIECES = [piece for pair in (
    poisson(laplace(1), "1/10", direction="remove"),
    poisson(laplace("1/2"), "1/2", direction="add"),
    poisson(truncated_laplace("1/2", 10), "1/1000", direction="add"), laplace(1))
    for piece in in_pieces(releases(pair)).parts[0][0].pieces]


@pytest.mark.parametrize("order, growth", [(0.25, 600.0), (3.5, 1200.0), (900.0, 900.0)])
@pytest.mark.parametrize("piece", [*PIECES, Near("1/10"), Near("1/30")], ids=type)
def test_long_rules_are_cut_and_their_errors_hold(piece, order, growth):
    draw = random.Random(growth)
    with workprec(120):
        found = panels.split(piece, flint.arb(order), flint.arb(2) ** -60)[0]
        for panel in (found[0], found[len(found) // 2]):
            slopes = [abs(piece.slope(flint.acb(panel.middle + s * panel.half))) for s in (-1, 1)]
            height = float((growth / (panel.half * max(*slopes, key=float))).mid())
            for digits, fall in ((60.0, 0.0), (3.0, 0.0), (60.0, 20.0)):
                goal = Goal(height, fall, float(panel.most().log()) - digits)
                chosen = list(Ruled(panel).rules(goal))
                assert chosen[0][0].middle - chosen[0][0].half == panel.middle - panel.half
                assert chosen[-1][0].middle + chosen[-1][0].half == panel.middle + panel.half
                for (left, count, _), (right, other, _) in pairwise(chosen):
                    assert left.middle + left.half == right.middle - right.half
                    assert max(count, other) <= LONG
                ripple = Ripple(height, [(legendre.error(count, e.rho, e.size).upper(), e.turn)
                                         for _, count, e in chosen])
                for share in (draw.random(), 1.0, 1.05):
                    u = flint.arb(height * share)
                    total = sum((w * (flint.acb(0, u) * loss).exp() for part, count, _ in chosen
                                 for w, loss in part.nodes(count)), flint.acb(0))
                    assert not abs(total - integral(panel, u)) > ripple.at(u)
                    if share <= 1:
                        assert float(ripple.at(u).log()) < goal.level + fall * share**2 + 2


def test_chords_are_above_a_sum_of_errors_and_next_to_it():
    draw = random.Random(8)
    for _ in range(8):
        height = 10.0 ** draw.uniform(-2, 5)
        many = draw.choice([5, 17, 60])
        errors = [(flint.arb(draw.random()) * flint.arb(2) ** -draw.randrange(90),
                   flint.arb(draw.uniform(0, 60) / height)) for _ in range(many)]
        ripple = Ripple(height, errors)
        for share in (0.0, 0.5, 1.0, 1.5, *(draw.random() for _ in range(20))):
            u = flint.arb(height * share)
            found = sum(size * (u * turn).exp() for size, turn in errors)
            assert not ripple.at(u) < found and ripple.at(u) < 2 * found
