"""The privacy loss: its density, its atoms as stems, masses at infinite losses at the margins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from flint import acb

from lapdp.balls.compiler import compile_balls
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.report.plots import ranges, values
from lapdp.report.plots.axes import (
    GREY,
    checked,
    choice,
    finish,
    gaps,
    interval,
    legend,
    named,
    opened,
    short,
    styled,
    written,
)

if TYPE_CHECKING:
    from lapdp.privacy.notions.loss import LossDistribution
    from lapdp.privacy.pair import Pair

KINDS = ("density", "cdf")
POINTS = 300
BITS = 80
FAINT = 0.04
"""Of the largest mass: smaller ones are drawn without a number."""
ROOM = 0.1
"""Parts of the width at the margins, for masses at infinity."""
SEEN = 0.01
"""A band that is narrower, nearly everywhere, is not named in the legend."""
NAMED = 12
"""Up to so many atoms have their mass written beside them."""


def draw(notion: LossDistribution, ax: Any = None, losses: Any = None, kind: str = "density",
         **style: Any) -> Any:
    """The density over ``losses`` with its atoms; ``kind="cdf"`` draws Pr[Z <= z] between bounds
    that follow from the profile, also where no density is known.

    Densities are middles of balls at the doubles that are plotted, masses are exact up to rounding.
    Where both are there, masses have an axis of their own on the right.
    """
    checked(ax)
    choice("kind", kind, KINDS)
    pair = notion.pair
    if kind == "cdf":
        return _cdf(notion, ax, losses, style)
    try:
        atoms, pieces = notion.atoms, notion.pieces
    except Unsupported as problem:
        raise Unsupported(f'{problem}; plot(kind="cdf") draws its distribution function') from None
    low, high = ranges.of_loss(pair) if losses is None else interval("losses", losses)
    places = [float(atom.loss) for atom in atoms]
    masses = [float(atom.mass) for atom in atoms]
    if losses is None and places:
        bounded = not any(piece.lower == -sp.oo or piece.upper == sp.oo for piece in pieces)
        low, high = _around(places, low, high, bounded)
    curve = density(notion, pieces, low, high)
    infinite = (values.infinite(pair.reverse()), values.infinite(pair))
    if losses is None and any(infinite):
        # the margins are theirs
        low, high = low - ROOM * (high - low), high + ROOM * (high - low)
    ax = opened(ax)
    shown, stems = styled(ax, style, named(pair)), ax
    if pieces:
        ax.plot(*curve, **shown)
        ax.set_ylim(0, 1.25 * max(np.nanmax(curve[1]), ax.get_ylim()[1] / 1.25))
    if pieces and (atoms or any(infinite)):
        stems = ax.twinx()
        stems.set_ylabel("mass")
    _stems(stems, [(z, m) for z, m in zip(places, masses, strict=True) if low <= z <= high], shown,
           legend=not pieces)
    _margins(stems, infinite)
    if stems is not ax or not pieces:
        stems.set_ylim(0, max(1.25 * max([*masses, *infinite]), stems.get_ylim()[1]))
    ax.set_xlim(low, high)
    name = written(notion) if pieces else r"Pr$[Z=z]$"
    return finish(ax, notion, f"${notion.letter}$", name)


def density(notion: LossDistribution, pieces: Any, low: float, high: float) -> tuple[Any, Any]:
    """The density at doubles inside each piece and next to its ends; NaN parts the pieces."""
    z = notion.pair.variable("z")
    x, y = [], []
    for piece in pieces:
        start, end = max(low, float(piece.lower)), min(high, float(piece.upper))
        if not start < end:
            continue
        share = max(16, round(POINTS * (end - start) / (high - low)))
        places = np.linspace(start, end, min(share, POINTS))
        with workprec(BITS):
            for place in places:
                ball = compile_balls(piece.expression, {z: acb(float(place))}).constant().real
                x.append(float(place))
                y.append(float(ball.mid()))
        x.append(float("nan"))
        y.append(float("nan"))
    return np.array(x), np.array(y)


def _around(places: list[float], low: float, high: float, bounded: bool) -> tuple[float, float]:
    """All atoms of a short list, or those in the range of the tails."""
    if bounded and len(places) <= NAMED:
        low, high = min(low, *places), max(high, *places)
        if bounded:
            margin = 0.12 * max(max(places) - min(places), 1e-3 * abs(places[0]), 1e-9)
            return min(places[0] - margin, low), max(places[-1] + margin, high)
    return low, high


def _stems(ax: Any, atoms: list[tuple[float, float]], shown: dict[str, Any], legend: bool) -> None:
    if not atoms:
        return
    x, y = [z for z, _ in atoms], [m for _, m in atoms]
    few = len(x) <= NAMED
    ax.vlines(x, 0, y, color=shown["color"], linewidth=1.6 if few else 0.8, gid="stems")
    ax.plot(x, y, "o", color=shown["color"], markersize=5 if few else 2,
            label=shown["label"] if legend else None, gid="curve" if legend else "atoms")
    for z, m in atoms if few else ():
        if m > FAINT * max(y):
            ax.annotate(short(m), (z, m), xytext=(0, 5), textcoords="offset points", ha="center",
                        fontsize="small")


def _margins(ax: Any, infinite: tuple[float, float]) -> None:
    """Masses at Z = -oo, of Q, and at Z = +oo, of P, at the left and the right margin."""
    for mass, place, name, side in ((infinite[0], 0.012, r"$Q[Z=-\infty]$", "left"),
                                    (infinite[1], 0.988, r"$P[Z=\infty]$", "right")):
        if not mass:
            continue
        ax.plot([place, place], [0, float(mass)], transform=_mixed(ax), color=GREY, linewidth=3,
                solid_capstyle="butt", clip_on=False, gid=f"{side} margin")
        ax.annotate(f"{name} = {short(mass)}", (place, float(mass)), xycoords=_mixed(ax),
                    xytext=(0, 5), textcoords="offset points", ha=side, fontsize="small")


def _mixed(ax: Any) -> Any:
    """Parts of the width across, data upwards."""
    from matplotlib.transforms import blended_transform_factory

    return blended_transform_factory(ax.transAxes, ax.transData)


def _cdf(notion: LossDistribution, ax: Any, losses: Any, style: dict[str, Any]) -> Any:
    low, high = ranges.of_loss(notion.pair) if losses is None else interval("losses", losses)
    x, least, most = cdf_bounds(notion.pair, low, high)
    ax = opened(ax)
    shown = styled(ax, style, named(notion.pair))
    # a legend tells of what can be seen: bounds that are apart at the step of an atom cannot
    wide = float(np.quantile(most - least, 0.95)) > SEEN
    ax.fill_between(x, least, most, color=shown["color"], alpha=0.35, linewidth=0,
                    label="between proved bounds" if wide else "_band")
    ax.plot(x, (least + most) / 2, **shown)
    gaps(ax, x, (least + most) / 2, shown["color"])
    finish(ax, notion, f"${notion.letter}$", rf"Pr$[Z\leq {notion.letter}]$")
    legend(ax)
    return ax


def cdf_bounds(pair: Pair, low: float, high: float, count: int | None = None
               ) -> tuple[Any, Any, Any]:
    """Pr[Z <= z] = 1 - H(x) + x H'(x) at z = log x, H being the profile over x: it is convex, so
    that chords bound its slope."""
    count = count or values.points(pair, 2 * POINTS)
    step = (high - low) / count
    z = low + step * np.arange(-1, count + 2)
    middle, radius = values.deltas(pair, z)
    least, most = middle - radius, middle + radius
    # x times the slopes of the chords to the left and to the right of each inner point
    left = np.maximum(most[:-2] - least[1:-1], 0) / -np.expm1(z[:-2] - z[1:-1])
    with np.errstate(over="ignore"):
        right = np.maximum(least[1:-1] - most[2:], 0) / np.expm1(z[2:] - z[1:-1])
    below = np.clip(1 - most[1:-1] - left, 0, 1)
    above = np.clip(1 - least[1:-1] - right, 0, 1)
    return z[1:-1], below, above


__all__ = ["cdf_bounds", "density", "draw"]
