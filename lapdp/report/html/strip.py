"""A region of convergence as a drawing of the complex plane: the strip, its edges, marked points.

A closed edge is a full line, an open one is dashed; poles are crosses and zeros are rings.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import sympy as sp

from lapdp.calculus.region import Region
from lapdp.core.errors import LapdpError

WIDTH, HEIGHT, ROOM = 300, 150, 14
OPERATIONS = 150
"""A longer expression has its poles left out."""
SHOWN = 12
"""Poles and zeros that are drawn, those nearest to the origin first."""


def strip(region: Region, *, letter: str = "s", poles: Sequence[Any] = (),
          zeros: Sequence[Any] = ()) -> str:
    """The region {a < Re s < b} in the plane; empty where an edge depends on parameters.

    ``poles`` and ``zeros`` are exact complex numbers.

    >>> drawn = strip(Region.right_of(0), poles=[sp.S.Zero])
    >>> drawn.count('class="edge open"'), drawn.count('class="pole"'), "Re s &gt; 0" in drawn
    (1, 1, True)
    """
    try:
        edges = [None if e is None else e.to_sympy() for e in (region.lower, region.upper)]
    except LapdpError:
        return ""
    if any(e is not None and e.free_symbols for e in edges):
        return ""
    crosses, rings = (_complexes(points) for points in (poles, zeros))
    places = [float(e) for e in edges if e is not None]
    window = _Window(sorted([*places, *(z.real for z in (*crosses, *rings)), 0.0, 1.0]),
                     max([1.0, *(abs(z.imag) for z in (*crosses, *rings))]))
    said = _said(region, letter, poles[:SHOWN], zeros[:SHOWN])
    parts = [f'<svg class="plot strip" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'width="{WIDTH}" height="{HEIGHT}"><title>{escape(named(region, letter))}</title>'
             f"<desc>{escape(said)}</desc>"]
    if not region.empty:
        parts += _area(window, [None if e is None else float(e) for e in edges])
    parts += window.axes(letter)
    if not region.empty:
        for edge, exact, closed in zip(
                [None if e is None else float(e) for e in edges], edges,
                (region.lower_closed, region.upper_closed), strict=True):
            if edge is not None:
                parts.append(window.edge(edge, _plain(exact), closed))
    parts += [window.cross(z) for z in crosses]
    parts += [window.ring(z) for z in rings]
    return "".join([*parts, "</svg>"])


class _Window:
    """Where points of the plane lie in the drawing."""

    def __init__(self, places: list[float], high: float) -> None:
        room = (places[-1] - places[0]) * 0.35
        self.low, self.high = places[0] - room, places[-1] + room
        self.top = high * 1.25

    def x(self, real: float) -> str:
        return f"{WIDTH * (real - self.low) / (self.high - self.low):.1f}"

    def y(self, imaginary: float) -> str:
        middle = (HEIGHT - ROOM) / 2
        return f"{middle - middle * imaginary / self.top:.1f}"

    def axes(self, letter: str) -> list[str]:
        return [f'<path class="axis" d="M0 {self.y(0)}H{WIDTH}M{self.x(0)} 0V{HEIGHT - ROOM}"/>',
                f'<text x="{WIDTH - 4}" y="{float(self.y(0)) - 4:.1f}" text-anchor="end">Re '
                f'{escape(letter)}</text><text x="{float(self.x(0)) + 4:.1f}" y="10">Im '
                f"{escape(letter)}</text>"]

    def edge(self, edge: float, name: str, closed: bool) -> str:
        kind = "closed" if closed else "open"
        return (f'<line class="edge {kind}" x1="{self.x(edge)}" x2="{self.x(edge)}" y1="0" '
                f'y2="{HEIGHT - ROOM}"/><text x="{self.x(edge)}" y="{HEIGHT - 2}" '
                f'text-anchor="middle">{escape(name)}</text>')

    def cross(self, z: complex) -> str:
        x, y = float(self.x(z.real)), float(self.y(z.imag))
        return (f'<path class="pole" d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"/>')

    def ring(self, z: complex) -> str:
        return f'<circle class="zero" cx="{self.x(z.real)}" cy="{self.y(z.imag)}" r="4"/>'


def _area(window: _Window, edges: list[float | None]) -> list[str]:
    left = 0.0 if edges[0] is None else float(window.x(edges[0]))
    right = float(WIDTH) if edges[1] is None else float(window.x(edges[1]))
    return [f'<rect class="inside" x="{left:.1f}" y="0" width="{right - left:.1f}" '
            f'height="{HEIGHT - ROOM}"/>']


def _complexes(points: Sequence[Any]) -> list[complex]:
    return [complex(sp.N(z)) for z in points[:SHOWN]]


def _plain(number: Any) -> str:
    text = str(number)
    return text if len(text) <= 12 else f"{float(number):.4g}"


def _said(region: Region, letter: str, poles: Sequence[Any], zeros: Sequence[Any]) -> str:
    kinds = [f"the {name} edge is {'closed' if closed else 'open'}" for name, edge, closed in (
        ("left", region.lower, region.lower_closed),
        ("right", region.upper, region.upper_closed)) if edge is not None]
    marked = [f"{name} at {', '.join(map(_plain, points))}" for name, points in (
        ("poles", poles), ("zeros", zeros)) if points]
    return "; ".join([f"Complex plane of {letter}: {named(region, letter)}", *kinds, *marked])


def named(region: Region, letter: str) -> str:
    """The region in words, of another letter.

    >>> named(Region.right_of(0), "q"), named(Region.everything(), "q")
    ('Re q > 0', 'all q')
    """
    text = str(region)
    return f"{text[:-1]}{letter}" if text in ("all s", "no s") else text.replace(
        "Re s", f"Re {letter}")


def marked_points(expression: Any, letter: Any) -> tuple[list[Any], list[Any]]:
    """Poles and zeros, exact, of a quotient of exponential sums and a polynomial over Q.

    Zeros are those of rational functions only.  Empty lists for anything else, for parameters, and
    where it is open whether a root of the denominator is a pole.

    >>> s = sp.Symbol("s")
    >>> marked_points((s - 3)/(s**2 + 1), s), marked_points(sp.exp(s)/(2 - s), s)
    (([I, -I], [3]), ([2], []))
    >>> marked_points((sp.exp(s) - 1)/s, s)
    ([], [])
    """
    if (expression.free_symbols - {letter} or expression.count_ops() > OPERATIONS
            or expression.atoms(sp.Piecewise)):
        return [], []
    rational = expression.is_rational_function(letter)
    # exact: e^(-s) stays above the line
    over, under = sp.fraction(sp.cancel(expression) if rational else sp.together(expression),
                              exact=True)
    if not under.is_polynomial(letter):
        return [], []
    poles = [z for z in _roots(under, letter) if over.subs(letter, z).is_zero is False]
    return poles, _roots(over, letter) if rational else []


def _roots(polynomial: Any, letter: Any) -> list[Any]:
    read = sp.Poly(polynomial, letter)
    if not 1 <= read.degree() <= SHOWN or not all(c.is_Rational for c in read.all_coeffs()):
        return []
    found = sp.roots(read)
    if sum(found.values()) != read.degree():
        return []
    return sorted(found, key=lambda z: (abs(complex(sp.N(z))), -complex(sp.N(z)).imag))


__all__ = ["marked_points", "named", "strip"]
