"""The privacy profile: a curve in eps, its kinks, and the mass at infinity that it ends at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lapdp.core.errors import Unsupported
from lapdp.privacy.finite import FinitePair
from lapdp.report.plots import ranges, values
from lapdp.report.plots.axes import (
    GREY,
    checked,
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
    from lapdp.privacy.notions.profile import PrivacyProfile
    from lapdp.privacy.pair import Pair

POINTS = 240
MOST_KINKS = 400


def draw(notion: PrivacyProfile, ax: Any = None, eps: Any = None, log: bool = False,
         both: bool = False, **style: Any) -> Any:
    """The profile over ``eps``; with ``both`` that of (Q, P), too; ``log`` for a logarithmic axis.

    Every point is delta at the double that is plotted, within proved bounds that no eye tells
    apart; at the kinks of a finite pair it is the exact value, at the double next to the kink.
    """
    checked(ax)
    pairs = [notion.pair, notion.pair.reverse()][:1 + both]
    if eps is not None:
        low, high = interval("eps", eps)
    else:
        found = [ranges.of_profile(pair, log) for pair in pairs]
        if ax is not None and ax.get_lines():
            # as far as what is there already
            found.append(tuple(ax.get_xlim()))
        low, high = min(a for a, _ in found), max(b for _, b in found)
    curves = [points(pair, low, high) for pair in pairs]
    masses = [values.infinite(pair) for pair in pairs]
    ax = opened(ax)
    for (x, y), mass, mark in zip(curves, masses, ("", ", reversed"), strict=False):
        line, = ax.plot(x, np.where(y > 0, y, np.nan) if log else y,
                        **styled(ax, style, named(notion.pair) + mark))
        gaps(ax, x, y, line.get_color())
        if mass > 0:
            ax.axhline(float(mass), color=line.get_color(), linestyle=":", linewidth=1,
                       label=rf"Pr$[Z=\infty]$ = {short(mass)}{mark}")
    if log:
        ax.set_yscale("log")
    elif not any(line.get_gid() == "zero" for line in ax.get_lines()) and low < 0 < high:
        ax.axvline(0, color=GREY, linewidth=0.8, gid="zero")
    finish(ax, notion, f"${notion.letter}$", written(notion))
    legend(ax)
    return ax


def points(pair: Pair, low: float, high: float) -> tuple[Any, Any]:
    """The doubles of a curve, kinks included, and delta there."""
    exact = dict(kinks(pair, low, high))
    x = np.unique([*np.linspace(low, high, values.points(pair, POINTS)), *exact])
    y, _ = values.deltas(pair, x)
    for place, value in exact.items():
        if value is not None:
            y[x == place] = value
    return x, y


def kinks(pair: Pair, low: float, high: float) -> list[tuple[float, float | None]]:
    """The kinks in the range, as doubles; with their exact values where the pair is finite."""
    if isinstance(pair, FinitePair):
        ratios = pair.breakpoints()
        found = [(float(np.log(ratio.numerator) - np.log(ratio.denominator)), ratio)
                 for ratio in ratios]
        inside = [(t, ratio) for t, ratio in found if low < t < high]
        return [(t, float(pair.hockey_stick(ratio))) for t, ratio in inside[:MOST_KINKS]]
    try:
        atoms = pair.loss.atoms
    except Unsupported:
        return []
    places = (float(atom.loss) for atom in atoms[:MOST_KINKS])
    return [(t, None) for t in places if low < t < high]


__all__ = ["draw", "kinks", "points"]
