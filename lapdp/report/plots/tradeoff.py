"""Trade-off functions: polygons through exact vertices, or curves between proved bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lapdp.core.errors import InputError, Unsupported
from lapdp.report.plots import ranges, values
from lapdp.report.plots.axes import GREY, checked, finish, legend, named, opened, styled, written

if TYPE_CHECKING:
    from lapdp.privacy.notions.tradeoff import TradeOff
    from lapdp.privacy.pair import Pair

LEVELS = 201
PLACES = 240
MOST_EPS = 600.0
"""e^eps must be a double."""
MOST_VERTICES = 2000
SYMMETRISED = {"min": r"$\min(f, f^{-1})^{**}$", "max": r"$\max(f, f^{-1})$"}
APART = 1e-7
SPARE = 1e-12
"""What rounding in doubles may add to the bounds below, many times over."""


def draw(notion: TradeOff, ax: Any = None, both: bool = False, symmetrised: Any = (), **style: Any
         ) -> Any:
    """f over the levels with the diagonal 1 - a of equal distributions.

    ``both`` adds the inverse, f of (Q, P); ``symmetrised`` may hold "min", for min(f, f^-1)**, and
    "max", for max(f, f^-1).  Pairs of atoms are drawn by their vertices; otherwise a point is the
    middle between a tangent of the profile and chords of it, which are proved bounds.
    """
    checked(ax)
    kinds = (symmetrised,) if isinstance(symmetrised, str) else tuple(symmetrised)
    if set(kinds) - set(SYMMETRISED):
        raise InputError(f"symmetrised = {str(symmetrised)[:40]!r} must be of 'min' and 'max'")
    curves = [(curve(notion.pair), named(notion.pair))]
    if both:
        curves.append((curve(notion.pair.reverse()), "its inverse $f^{-1}$"))
    for kind in kinds:
        curves.append((_symmetrised(notion, kind), SYMMETRISED[kind]))
    # a square leaves room beside it
    beside = {"loc": "center left", "bbox_to_anchor": (1.02, 0.5)} if ax is None else {}
    ax = opened(ax, 7.4)
    if not any(line.get_gid() == "diagonal" for line in ax.get_lines()):
        ax.plot([0, 1], [1, 0], color=GREY, linewidth=0.9, linestyle=(0, (2, 4)),
                label="$1-a$: equal distributions", gid="diagonal")
    for (x, y), label in curves:
        ax.plot(x, y, **styled(ax, style, label))
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    finish(ax, notion, f"level ${notion.letter}$", written(notion))
    legend(ax, **beside)
    return ax


def curve(pair: Pair) -> tuple[Any, Any]:
    """Levels and errors of one direction."""
    corners = vertices(pair.tradeoff)
    if corners is not None:
        return corners
    a, least, most = bounds([pair])
    return a, (least + most) / 2


def vertices(f: TradeOff) -> tuple[Any, Any] | None:
    """Those of a pair of atoms, None where there are none, or too many."""
    try:
        corners = f.vertices
    except Unsupported:
        return None
    if len(corners) > MOST_VERTICES:
        return None
    return np.array([float(a) for a, _ in corners]), np.array([float(y) for _, y in corners])


def bounds(pairs: list[Pair]) -> tuple[Any, Any, Any]:
    """Levels, and lower and upper bounds of f, for the largest of some profiles.

    f(a) is the supremum over x = e^eps of (1 - a - H(x))/x, with H the convex profile over x.  Any
    x gives a lower bound.  Between two neighbours H lies above both lines that come from the points
    beyond them, outside above 1 - x and its limit; with a line c - s x in its place the supremum is
    that of (1 - a - c)/x + s, monotone in x, so at the ends or where the two lines meet.
    """
    low = max(-MOST_EPS, -1.1 * max(ranges.reach(p.reverse(), 1e-3) for p in pairs))
    high = min(MOST_EPS, 1.1 * max(ranges.reach(p, 1e-3) for p in pairs))
    count = min(values.points(p, PLACES) for p in pairs)
    # the curve bends most where eps is small; at 0 the profiles of both directions cross
    near = min(-low, high)
    eps = np.unique([*np.linspace(low, high, count), *np.linspace(-near, near, count), 0.0,
                     *(t for p in pairs for t in _kinks(p) if low <= t <= high)])
    # places next to each other have no chord
    eps = eps[np.diff(eps, prepend=-np.inf) > APART * (high - low)]
    found = [values.deltas(p, eps) for p in pairs]
    known = np.all([np.isfinite(radius) for _, radius in found], axis=0)
    least = np.max([middle - radius for middle, radius in found], axis=0)[known] - SPARE
    most = np.max([middle + radius for middle, radius in found], axis=0)[known] + SPARE
    x, a = np.exp(eps[known]), np.linspace(0, 1, LEVELS)[:, None]
    lower = np.maximum(((1 - a - most) / x).max(axis=1), 0)
    mass = max(values.infinite(p) for p in pairs) - SPARE
    upper = _above(x, least, most, a, mass)
    upper = np.clip(np.minimum(upper, 1 - a[:, 0]), lower, 1)
    # f(0) is the Q-mass of the outcomes that P has
    lower[0] = upper[0] = 1 - max(values.infinite(p.reverse()) for p in pairs)
    return a[:, 0], lower, upper


def _kinks(pair: Pair) -> list[float]:
    """Where chords of the profile would cut a corner, as far as that is known."""
    try:
        return [float(t) for t in pair.profile.kinks[:PLACES]]
    except Unsupported:
        return []


def _above(x: Any, least: Any, most: Any, a: Any, mass: float) -> Any:
    """The upper bound of each level, over the intervals between the places and the two beyond."""
    step = x[1:] - x[:-1]
    # lines (c, slope) below H: 1 - x, extended chords, the limit; each with its values at the place
    # from which it is extended at their lowest
    fall = np.maximum(most[:-1] - least[1:], 0) / step
    rise = np.maximum(least[:-1] - most[1:], 0) / step
    left = np.concatenate([[1, 1], least[1:] + fall * x[1:]]), np.concatenate([[-1, -1], -fall])
    right = (np.concatenate([least[:-1] + rise * x[:-1], [mass, mass]]),
             np.concatenate([-rise, [0, 0]]))
    start, end = np.concatenate([[x[0] * SPARE], x]), np.concatenate([x, [x[-1] / SPARE]])
    with np.errstate(divide="ignore", invalid="ignore"):
        meet = (right[0] - left[0]) / (left[1] - right[1])
    meet = np.clip(np.where(np.isfinite(meet), meet, start), start, end)
    highest = np.zeros(a.shape[0])
    for place in (start, meet, end):
        line = np.maximum(left[0] + left[1] * place, right[0] + right[1] * place)
        highest = np.maximum(highest, ((1 - a - line) / place).max(axis=1))
    return highest + SPARE


def _symmetrised(notion: TradeOff, kind: str) -> tuple[Any, Any]:
    try:
        corners = vertices(notion.symmetrised(kind))
    except Unsupported:
        corners = None
    if corners is not None:
        return corners
    pair = notion.pair
    if kind == "min":
        # the conjugate of min(f, g)** is the larger profile
        a, least, most = bounds([pair, pair.reverse()])
        return a, (least + most) / 2
    (a, *first), (_, *second) = bounds([pair]), bounds([pair.reverse()])
    return a, (np.maximum(first[0], second[0]) + np.maximum(first[1], second[1])) / 2


__all__ = ["bounds", "curve", "draw", "vertices"]
