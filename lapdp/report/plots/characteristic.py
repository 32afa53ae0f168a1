"""The characteristic function of the loss: real and imaginary part and modulus, in balls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lapdp.core.errors import Undefined
from lapdp.report.plots import moments, ranges, values
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
    written,
)

if TYPE_CHECKING:
    from lapdp.privacy.notions.characteristic import Characteristic
    from lapdp.privacy.pair import Pair

POINTS = 401
PARTS = {"real": "Re", "imaginary": "Im", "modulus": "|.|"}
SETTLED = 0.05
"""The modulus at the ends of the picture, where it falls so far soon."""
MOST_DOUBLINGS = 2


def draw(notion: Characteristic, ax: Any = None, u: Any = None, kind: str = "all", **style: Any
         ) -> Any:
    """phi over ``u``; ``kind`` is "real", "imaginary", "modulus", or "all" three.

    Every point is the middle of a ball around phi at the double that is plotted.
    """
    checked(ax)
    choice("kind", kind, ("all", *PARTS))
    pair = notion.pair
    mass = values.infinite(pair)
    if mass > 0:
        raise Undefined(f"the characteristic function does not exist: Pr[Z = oo] = {short(mass)}")
    low, high = _window(pair) if u is None else interval("u", u)
    x = np.linspace(low, high, POINTS)
    at = moments.line(pair, 1.0, max(abs(low), abs(high)))
    found = np.array([complex(at(float(place))) for place in x])
    ax = opened(ax)
    for part in PARTS if kind == "all" else (kind,):
        y = {"real": found.real, "imaginary": found.imag, "modulus": np.abs(found)}[part]
        ax.plot(x, y, **styled(ax, style, f"{named(pair)}, {part}"))
    ax.axhline(0, color=GREY, linewidth=0.8)
    return finish(ax, notion, f"${notion.letter}$", written(notion))


def _window(pair: Pair) -> tuple[float, float]:
    """From the scale of the losses on, until the modulus has settled or a few doublings later."""
    left, right = ranges.of_loss(pair)
    u = 4.0 / max(abs(left), abs(right))
    at = moments.line(pair, 1.0, u * 2**MOST_DOUBLINGS)
    for _ in range(MOST_DOUBLINGS):
        if abs(complex(at(u))) < SETTLED:
            break
        u *= 2
    return -u, u


__all__ = ["draw"]
