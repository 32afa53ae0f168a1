"""What training costs against the number of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lapdp.report.plots import require_matplotlib
from lapdp.report.plots.axes import checked, opened

LETTERS = {"epsilon": r"$\varepsilon$", "delta": r"$\delta$", "sigma": r"least $\sigma$"}


def draw(rows: Sequence[tuple[int, float]], asked: str, ax: Any = None, **style: Any) -> Any:
    """Points (steps, number) joined by lines, on logarithmic axes; a number 0 has no place there.

    Raises :class:`Unsupported` without matplotlib.
    """
    require_matplotlib()
    checked(ax)
    ax = opened(ax)
    shown = sorted((k, x) for k, x in rows if x > 0)
    ax.loglog([k for k, _ in shown], [x for _, x in shown], "o-", **style)
    ax.set(xlabel="steps", ylabel=LETTERS[asked])
    return ax


__all__ = ["draw"]
