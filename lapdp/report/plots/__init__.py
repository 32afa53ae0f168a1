"""Pictures of the notions, drawn by matplotlib from exact or certified values.

Each notion has a file of its own with ``draw``.  Values are computed before a figure is opened, so
that a refusal leaves nothing behind; nothing is ever shown on a screen from here.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import InputError, Unsupported
from lapdp.report.plots.axes import COLOURS

if TYPE_CHECKING:
    from lapdp.privacy.notions.notion import Notion

FILES = {"profile": "profile", "loss": "loss", "renyi": "orders", "moment": "orders",
         "tradeoff": "tradeoff", "characteristic": "characteristic"}
"""Where the picture of a notion is drawn."""


def plot(notion: Notion, ax: Any = None, **options: Any) -> Any:
    """Draw a notion of a pair without parameters, and return the Axes.

    Raises :class:`InputError` for a pair with free symbols and for unknown options,
    :class:`Unsupported` without matplotlib and where values are not reached.
    """
    require_matplotlib()
    if notion.free_symbols:
        names = ", ".join(sorted(s.name for s in notion.free_symbols))
        raise InputError(f"{notion!r} has parameters ({names}): substitute numbers for them, then "
                         "plot")
    draw = import_module(f"{__name__}.{FILES[notion.name]}").draw
    known = [name for name in signature(draw).parameters if name not in ("notion", "ax", "style")]
    # what is left over is meant for the lines of matplotlib
    wrong = sorted(set(options) - set(known) - LINES)
    if wrong:
        raise InputError(f"{notion.name}.plot has no option {wrong[0]!r}: it takes "
                         f"{', '.join(known)}, and {', '.join(sorted(LINES))} of a line")
    return draw(notion, ax, **options)


def require_matplotlib() -> None:
    """:class:`Unsupported` without matplotlib; it is not imported here."""
    if find_spec("matplotlib") is None:
        raise Unsupported('plots need matplotlib: pip install "lapdp[plot]"')


LINES = {"alpha", "color", "label", "linestyle", "linewidth"}
"""Properties of lines that are passed on to matplotlib."""

__all__ = ["COLOURS", "plot", "require_matplotlib"]
