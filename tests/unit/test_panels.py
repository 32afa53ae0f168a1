"""Panels of a law on a vertical line: the whole by an integral over outcomes in mpmath, each panel
by sums over many equal parts."""

from __future__ import annotations

import random

import flint
import mpmath as mp
import numpy as np
import pytest

from lapdp import laplace, poisson
from lapdp.accounting.moments import panels
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.panel_rules import SHARES, Ruled
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec

RATE, HEIGHTS = "1/10", (0.0, 3.0, 40.0, 150.0)


def pieces_of(direction):
    return in_pieces(releases(poisson(laplace(1), RATE, direction=direction))).parts[0][0].pieces


def ellipses(panel):
    found = [Ruled(panel).ellipse(share) for share in SHARES[::3]]
    assert None not in found
    return found


def whole(direction, gamma, u):
    """Over the outcomes between both centers, where the loss of the mechanism is no constant."""
    q = mp.mpf(1) / 10

    def part(x):
        p, other = mp.exp(-abs(x)) / 2, mp.exp(-abs(x - 1)) / 2
        mixed = (1 - q) * other + q * p
        first, second = (mixed, other) if direction == "remove" else (other, mixed)
        return first * mp.exp((gamma - 1 + 1j * u) * mp.log(first / second))

    return mp.quad(part, mp.linspace(0, 1, 2 + int(u) // 8))


def summed(panel, u, count=800):
    """By the midpoint rule."""
    x, half = np.arange(count) * 2 / count - 1 + 1 / count, float(panel.half)
    total = 0j
    for place in x:
        h, loss = panel.weight(flint.acb(float(panel.middle) + half * place))
        total += complex(h) * np.exp(1j * u * complex(loss)) * 2 * half / count
    return total


@pytest.mark.parametrize("direction, gamma", [("remove", 3.5), ("add", 1.75), ("remove", 0.5)])
def test_panels_add_up_to_the_law_and_their_bounds_hold(direction, gamma):
    with workprec(64):
        found = [panel for piece in pieces_of(direction)
                 for panel in panels.split(piece, flint.arb(gamma), flint.arb("1e-12"))[0]]
        falls = [panel.falls() for panel in found]
    for u in HEIGHTS:
        with workprec(64):
            shares = [summed(panel, u) for panel in found]
        assert abs(sum(shares) - complex(whole(direction, gamma, u))) < 1e-4
        for share, parts in zip(shares, falls, strict=True):
            bound = 0.0
            for part in parts:
                way = float(part.above) * np.exp(-u * float(part.least))
                way += float(part.ways[0][0] + part.ways[1][0]) / u if u else np.inf
                bound += min(float(part.mass), way if part.sign else np.inf)
            assert abs(share) <= bound + 1e-4
    # for large heights ways from the ends are seen, not masses alone
    assert any(part.sign for parts in falls for part in parts)


def test_ellipses_bound_what_lies_on_them():
    """At points of each ellipse, and inside it, where a harmonic function is no larger."""
    with workprec(64):
        for piece in pieces_of("remove"):
            for panel in panels.split(piece, flint.arb(3.5), flint.arb("1e-12"))[0]:
                center = panel.piece.loss(flint.acb(panel.middle))
                for ellipse in ellipses(panel):
                    for share in (1.0, 0.6):
                        rho = 1 + (float(ellipse.rho) - 1) * share
                        for angle in np.linspace(0.01, 3.1, 9):
                            z = rho * np.exp(1j * angle)
                            place = float(panel.middle) + float(panel.half) * (z + 1 / z) / 2
                            h, loss = panel.weight(flint.acb(place.real, place.imag))
                            slack = 1 + 1e-9
                            assert float(abs(h) * panel.half) <= float(ellipse.size) * slack
                            assert abs(float(loss.imag)) <= float(ellipse.turn) * slack
                            assert float(abs(loss - center)) <= float(ellipse.spread) * slack


@pytest.mark.parametrize("pair", [
    poisson(laplace(2), "1/100", direction="remove"),
    poisson(laplace("1/2"), "1/2", direction="add"), laplace(3)], ids=repr)
@pytest.mark.parametrize("order", [0.3, 9.0, 300.0])
def test_no_place_of_an_ellipse_is_beyond_its_bounds(pair, order):
    """Most arcs that cover it are long: those on which something is largest are halved."""
    draw = random.Random(order)
    [(spectrum, _)] = in_pieces(releases(pair)).parts
    with workprec(80):
        for piece in spectrum.pieces:
            for panel in panels.split(piece, flint.arb(order), flint.arb(2) ** -60)[0]:
                middle = panel.piece.loss(flint.acb(panel.middle))
                for e in ellipses(panel):
                    seen = flint.arb(0)
                    for share in (0.0, 0.5, 1.0, *(draw.random() for _ in range(12))):
                        sine, cosine = (share * flint.arb.pi()).sin_cos()
                        z = flint.acb(cosine * (e.rho + 1 / e.rho), sine * (e.rho - 1 / e.rho)) / 2
                        h, loss = panel.weight(panel.middle + panel.half * z)
                        seen = seen.max(abs(h) * panel.half)
                        assert not (abs(h) * panel.half > e.size or abs(loss.imag) > e.turn
                                    or abs(loss - middle) > e.spread)
                    # not much larger than what is seen there, at the right end where it is large
                    assert e.size < 40 * seen
