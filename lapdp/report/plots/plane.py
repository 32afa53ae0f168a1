"""E_q and R_q at complex orders: colours inside the strip, poles and zeros at their places."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from lapdp.report.plots import moments, ranges
from lapdp.report.plots.axes import COLOURS, GREY, interval, legend, opened, short
from lapdp.report.plots.colours import colours

if TYPE_CHECKING:
    from lapdp.privacy.notions.moment import Moment, RenyiDivergence
    from lapdp.privacy.pair import Pair

COLUMNS, ROWS = 120, 60
BEYOND = 0.5
"""How much to show beyond the edges of a strip."""
NARROW = 1e-6
"""The part of a strip that is left out at its open edges."""


def window(pair: Pair, real: Any, imaginary: Any) -> tuple[float, float, float]:
    """The orders to show: real parts from and to, and the largest imaginary part."""
    lower, upper = moments.strip(pair)
    if real is None:
        half = min(2.0, _scale(pair))
        low = max(0.5 - half, lower - BEYOND)
        high = min(max(0.5 + half, lower + half), upper + BEYOND)
        low = min(low, high - half)
    else:
        low, high = interval("real", real)
    if imaginary is not None:
        return low, high, interval("imaginary", (0, imaginary))[1]
    return low, high, _scale(pair)


def _scale(pair: Pair) -> float:
    """E_q changes on the scale of one over the losses."""
    left, right = ranges.of_loss(pair)
    return min(24.0 / max(right - left, 1e-9), 40.0)


def coloured(notion: Moment | RenyiDivergence, ax: Any, real: Any, imaginary: Any) -> Any:
    """The colouring over the strip; what lies outside is hatched."""
    pair = notion.pair
    low, high, height = window(pair, real, imaginary)
    start, end = _inside(pair, low, high)
    x, y = np.linspace(start, end, COLUMNS), np.linspace(0, height, ROWS)
    found = moments.plane(pair, x, y)
    logs, angles = values(notion, found, x, y)
    # values at conjugate orders are conjugate
    logs, angles = (np.vstack([sign * part[:0:-1], part])
                    for part, sign in ((logs, 1), (angles, -1)))
    ax = opened(ax)
    ax.imshow(colours(logs, angles), origin="lower", aspect="auto", interpolation="bilinear",
              extent=(start, end, -height, height), zorder=0)
    _real_lines(ax, x, np.concatenate([-y[:0:-1], y]), angles)
    frame(ax, pair, (low, high, height), found.zeros)
    _wheel(ax)
    ax.set_title(rf"${notion.sign}_q$: hue its argument, lightness its modulus", fontsize="medium")
    return ax


def values(notion: Moment | RenyiDivergence, found: moments.Plane, x: Any, y: Any
           ) -> tuple[Any, Any]:
    """log and argument of E_q, or of R_q, over a grid."""
    logs, angles = found.logs, found.angles
    if notion.name == "moment":
        return logs, angles
    order = x[None, :] + 1j * y[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        # the principal branch: arg E_q lies in (-pi, pi]
        divergence = (logs + 1j * angles) / (order - 1)
        size = np.abs(divergence)
        return np.where(size == 0, np.nan, np.log(size)), np.arctan2(divergence.imag,
                                                                     divergence.real)


def region(notion: Moment | RenyiDivergence, ax: Any, real: Any, imaginary: Any) -> Any:
    """The strip alone, with its poles and zeros."""
    pair = notion.pair
    low, high, height = window(pair, real, imaginary)
    start, end = _inside(pair, low, high)
    zeros = moments.plane(pair, np.linspace(start, end, COLUMNS // 3),
                          np.linspace(0, height, ROWS)).zeros
    ax = opened(ax)
    ax.axvspan(start, end, color=COLOURS[0], alpha=0.18, linewidth=0, label="converges")
    frame(ax, pair, (low, high, height), zeros)
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.set_title("region of convergence of $E_q$")
    return ax


def frame(ax: Any, pair: Pair, seen: tuple[float, float, float], zeros: list[complex]) -> None:
    """Edges of the strip, what lies outside, poles, zeros and labels."""
    low, high, height = seen
    edges = moments.strip(pair)
    for edge, (a, b) in zip(edges, ((low, edges[0]), (edges[1], high)), strict=True):
        if math.isfinite(edge) and low <= edge <= high:
            ax.axvspan(a, b, facecolor="none", edgecolor=GREY, hatch="///", linewidth=0)
            ax.axvline(edge, color=GREY, linestyle="--", linewidth=1.4,
                       label=f"edge, Re q = {short(edge)}")
    poles = [q for q in moments.poles(pair) if low <= q.real <= high and abs(q.imag) <= height]
    mirrored = [*zeros, *(q.conjugate() for q in zeros if q.imag > 0)]
    for places, marker, name in ((poles, "X", "pole"), (mirrored, "o", "zero of $E_q$")):
        if places:
            ax.plot([q.real for q in places], [q.imag for q in places], marker, markersize=8,
                    markerfacecolor="white", markeredgecolor="black", linestyle="none", label=name,
                    zorder=5, clip_on=False, gid=name.split()[0])
    ax.set(xlim=(low, high), ylim=(-height, height), xlabel="Re $q$", ylabel="Im $q$")
    legend(ax)


def _inside(pair: Pair, low: float, high: float) -> tuple[float, float]:
    """The part of the window inside the open strip."""
    lower, upper = moments.strip(pair)
    start, end = max(low, lower), min(high, upper)
    gap = NARROW * (end - start)
    return start + (gap if start == lower else 0), end - (gap if end == upper else 0)


def _wheel(ax: Any) -> None:
    """The colours of the unit square around 0, as a key."""
    key = ax.inset_axes([1.03, 0.68, 0.2, 0.32])
    side = np.linspace(-2, 2, 81)
    w = side[None, :] + 1j * side[:, None]
    with np.errstate(divide="ignore"):
        logs = np.where(w == 0, np.nan, np.log(np.abs(w)))
    key.imshow(colours(logs, np.angle(w)), origin="lower", extent=(-2, 2, -2, 2))
    key.plot([0, 2], [0, 0], color="black", linewidth=0.9)
    key.plot([-2, 0], [0, 0], color="black", linewidth=0.9, linestyle="dashed")
    key.set(xticks=[-1, 1], yticks=[-1, 1], xticklabels=["$-1$", "$1$"],
            yticklabels=["$-i$", "$i$"])
    key.tick_params(labelsize="small", length=2)
    key.yaxis.tick_right()


def _real_lines(ax: Any, x: Any, y: Any, angles: Any) -> None:
    """Where the function is positive, solid, and where it is negative, dashed."""
    known = np.isfinite(angles)
    sine, cosine = (np.where(known, part(angles), np.nan) for part in (np.sin, np.cos))
    for side, dashes in ((1, "solid"), (-1, "dashed")):
        part = np.where(side * cosine > 0, sine, np.nan)
        if np.isfinite(part).any() and np.nanmin(part) < 0 < np.nanmax(part):
            ax.contour(x, y, part, levels=[0], colors="black", linewidths=0.9, linestyles=dashes)


__all__ = ["coloured", "region", "values", "window"]
