"""Moments and Renyi divergences over their orders: a curve over real ones, colours over others."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from lapdp.accounting import notions
from lapdp.core.errors import InputError, Undefined
from lapdp.report.plots import moments, plane, ranges
from lapdp.report.plots.axes import (
    GREY,
    checked,
    choice,
    finish,
    interval,
    named,
    opened,
    short,
    styled,
)

if TYPE_CHECKING:
    from lapdp.privacy.notions.moment import Moment, RenyiDivergence

KINDS = ("curve", "complex", "region")
POINTS = 60
DIGITS = 10
LARGEST = 10.0
"""The largest order of a curve whose strip has no end."""
BEYOND = 0.12
CLOSER = 4
STEEP = 6
"""Values next to an edge that may lie above the picture."""
WIDE = 1e3
"""Ratio of values from which on a logarithmic axis is drawn."""
TOO_LARGE = 600.0
"""log E_q from which on the logarithm is drawn."""


def draw(notion: Moment | RenyiDivergence, ax: Any = None, orders: Any = None, kind: str = "curve",
         both: bool = False, real: Any = None, imaginary: Any = None, **style: Any) -> Any:
    """A curve over real ``orders``; ``kind="complex"`` colours the plane of complex orders with
    Re q in ``real`` and |Im q| <= ``imaginary``, ``kind="region"`` shows where E_q converges.

    Every point of a curve is certified at the double that is plotted, every pixel of a plane is the
    middle of a ball.  Orders at which the value is infinite are marked.
    """
    checked(ax)
    if choice("kind", kind, KINDS) != "curve":
        if style or both or orders is not None:
            raise InputError(f'kind="{kind}" takes real=(from, to) and imaginary=')
        picture = plane.coloured if kind == "complex" else plane.region
        return picture(notion, ax, real, imaginary)
    if real is not None or imaginary is not None:
        raise InputError('real= and imaginary= go with kind="complex" or "region"; a curve takes '
                         "orders=(from, to)")
    views = [notion, notion.reverse()][:1 + both]
    strips = [moments.strip(view.pair) for view in views]
    low, high = _window(strips) if orders is None else interval("orders", orders)
    powers = notion.name == "moment" and any(
        largest(view, *strip, low, high) > TOO_LARGE
        for view, strip in zip(views, strips, strict=True))
    curves = [points(view.renyi if powers else view, *strip, low, high)
              for view, strip in zip(views, strips, strict=True)]
    if powers:
        # log E_q = (q - 1) R_q, where E_q is no double
        curves = [(x, [Fraction(q - 1) * r for q, r in zip(x, y, strict=True)])
                  for x, y in curves]
    every = [value for _, values in curves for value in values]
    if not every:
        raise Undefined(f"{notion!r} is finite nowhere between q = {short(low)} and {short(high)}")
    ax = opened(ax)
    for (x, y), mark in zip(curves, ("", ", reversed"), strict=False):
        ax.plot(x, [float(value) for value in y], **styled(ax, style, named(notion.pair) + mark))
    if notion.name == "moment" and not powers and max(every) > WIDE * min(every):
        ax.set_yscale("log")
    _edges(ax, strips, low, high)
    if notion.name == "renyi" and len(every) > STEEP:
        usual = sorted(float(y) for y in every)[-STEEP - 1]
        if usual > 0 and float(max(every)) > 2 * usual:
            # next to an edge it rises out of the picture
            ax.set_ylim(float(min(every)) - 0.05 * usual, 1.5 * usual)
    sign = f"{notion.sign}_q"
    return finish(ax, notion, "$q$", rf"$\log\,{sign}$" if powers else f"${sign}$")


def points(notion: Moment | RenyiDivergence, lower: float, upper: float, low: float, high: float
           ) -> tuple[list[float], list[Fraction]]:
    """Doubles of few bits in the open strip, denser towards its edges, and certified values."""
    x = _places(lower, upper, low, high)
    ask = notions.moment if notion.name == "moment" else notions.renyi
    places, values = [], []
    for q in x:
        answer = ask(notion.pair, sp.Rational(*float(q).as_integer_ratio()), DIGITS)
        if answer.enclosure is not None:
            places.append(float(q))
            values.append(answer.enclosure.middle)
    return places, values


def _places(lower: float, upper: float, low: float, high: float) -> Any:
    start, end = max(low, lower), min(high, upper)
    if not start < end:
        return np.array([])
    x = ranges.nice(start, end, POINTS)
    step = x[1] - x[0]
    for edge, side in ((lower, 1), (upper, -1)):
        if low <= edge <= high:
            x = np.union1d(x, edge + side * step / 2.0 ** np.arange(1, CLOSER))
    # R_1 is a limit; E_0 = E_1 = 1 hold at edges, too, where E_q may jump
    return x[(x > lower) & (x < upper) & (x != 1)]


def largest(notion: Moment | RenyiDivergence, lower: float, upper: float, low: float, high: float
            ) -> float:
    """log E_q at the first and the last order: it is convex in q."""
    found = 0.0
    for q in _places(lower, upper, low, high)[[0, -1]]:
        answer = notions.renyi(notion.pair, sp.Rational(*float(q).as_integer_ratio()), DIGITS)
        if answer.enclosure is not None:
            found = max(found, float((Fraction(float(q)) - 1) * answer.enclosure.middle))
    return found


def _window(strips: list[tuple[float, float]]) -> tuple[float, float]:
    """The orders from 0 on up to the edge of the strip, or to 10; a piece beyond an edge."""
    low = min(0.0, *(lower for lower, _ in strips if lower > -LARGEST), 0.0)
    ends = [upper for _, upper in strips if upper < math.inf]
    high = max(ends) if len(ends) == len(strips) else LARGEST
    gap = BEYOND * (high - low)
    return (low - gap if low < 0 or any(lower >= 0 for lower, _ in strips) else low,
            high + gap if ends and high < LARGEST else high)


def _edges(ax: Any, strips: list[tuple[float, float]], low: float, high: float) -> None:
    """Edges inside the picture, and hatches where all curves are infinite."""
    ends = min(lower for lower, _ in strips), max(upper for _, upper in strips)
    for edge in sorted({edge for strip in strips for edge in strip}):
        if low <= edge <= high:
            ax.axvline(edge, color=GREY, linestyle="--", linewidth=1.2,
                       label=f"edge of the strip, q = {short(edge)}")
    for a, b in ((low, ends[0]), (ends[1], high)):
        if a < b:
            ax.axvspan(a, b, facecolor="none", edgecolor=GREY, hatch="///", linewidth=0,
                       label=r"$E_q=\infty$")
    ax.set_xlim(min(low, ax.get_xlim()[0]), max(high, ax.get_xlim()[1]))


__all__ = ["draw", "points"]
