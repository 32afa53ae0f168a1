"""Axes, styles and labels that all pictures share."""

from __future__ import annotations

import math
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import InputError

if TYPE_CHECKING:
    from lapdp.privacy.notions.notion import Notion
    from lapdp.privacy.pair import Pair

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's colours, told apart with all common forms of colour blindness, and far enough
from white and from black for pages of either kind."""
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
"""Lines differ by these as well: no reader needs the colours."""
GREY = "#808080"
LINE, LINES, END = 32, 3, 10
"""Letters of a line in a legend, lines of a pair there, and its last letters if these are few."""


def opened(ax: Any, width: float = 6.0) -> Any:
    """The Axes to draw on: those given, else of a new figure."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, 3.8), layout="constrained")[1]


def checked(ax: Any) -> None:
    """:class:`InputError` for what is no Axes, before anything is computed."""
    if ax is not None and not hasattr(ax, "plot"):
        raise InputError(f"ax = {str(ax)[:40]} must be Axes of matplotlib")


def styled(ax: Any, given: dict[str, Any], label: str) -> dict[str, Any]:
    """The style of the next curve on these Axes: colour and dashes by how many there are."""
    drawn = sum(line.get_gid() == "curve" for line in ax.get_lines())
    style = {"color": COLOURS[drawn % len(COLOURS)], "linestyle": DASHES[drawn % len(DASHES)],
             "linewidth": 1.8, "label": label}
    return {**style, **given, "gid": "curve"}


def named(pair: Pair) -> str:
    """A pair as it is typed, in lines; shortened in the middle if these do not suffice."""
    text = repr(pair)
    lines = wrap(text, LINE, break_long_words=False, break_on_hyphens=False)
    if len(lines) <= LINES and max(map(len, lines)) <= LINE:
        return "\n".join(lines)
    return f"{text[:LINE - END]} ... {text[-END:]}"


def written(notion: Notion, letter: str | None = None) -> str:
    """The notion with its own sign and variable, for an axis."""
    return f"${notion.sign}({letter or notion.letter})$"


def gaps(ax: Any, x: Any, y: Any, colour: Any) -> None:
    """Boxes over places without a value: a monotone curve stays in them."""
    known = [j for j, value in enumerate(y) if math.isfinite(value)]
    for i, j in pairwise(known):
        if j > i + 1:
            ax.fill_between([x[i], x[j]], min(y[i], y[j]), max(y[i], y[j]), color=colour,
                            alpha=0.25, linewidth=0, gid="gap",
                            label="not computed: monotone, so inside")


def finish(ax: Any, notion: Notion, x: str, y: str) -> Any:
    """Labels, a quiet grid, a legend; colours of text and frame stay those of the user's style."""
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if not ax.get_title():
        ax.set_title(notion.title.replace(" E_q", " $E_q$").replace("Renyi", "Rényi"))
    ax.grid(True, color=GREY, alpha=0.25, linewidth=0.6)
    legend(ax)
    return ax


def legend(ax: Any, **place: Any) -> None:
    """The legend of what has a name, each name once; curves show behind it."""
    named_once = {label: handle for handle, label in zip(*ax.get_legend_handles_labels(),
                                                         strict=True)}
    if named_once:
        ax.legend(list(named_once.values()), list(named_once), fontsize="small", framealpha=0.6,
                  **place)


def interval(name: str, given: Any) -> tuple[float, float]:
    """Two finite ends in order, as doubles; else :class:`InputError`."""
    try:
        low, high = (float(x) for x in given)
    except (TypeError, ValueError):
        raise InputError(f"{name} = {str(given)[:40]} must be two numbers (from, to)") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"{name} = {str(given)[:40]} must be two finite numbers in order")
    return low, high


def choice(name: str, given: Any, known: tuple[str, ...]) -> str:
    """One of some words; else :class:`InputError`."""
    if given not in known:
        raise InputError(f"{name} = {str(given)[:40]!r} must be one of {', '.join(known)}")
    return str(given)


def short(x: Any) -> str:
    """A number for a label, to three digits."""
    return f"{float(x):.3g}"


__all__ = ["COLOURS", "DASHES", "GREY", "checked", "choice", "finish", "gaps", "interval", "legend",
           "named", "opened", "short", "styled", "written"]
