"""What training costs against the number of steps."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from lapdp.core.errors import Unsupported

LETTERS = {"epsilon": r"$\varepsilon$", "delta": r"$\delta$", "sigma": r"least $\sigma$"}


def draw(rows: Sequence[tuple[int, float]], asked: str, ax: Any = None, **style: Any) -> Any:
    """Points (steps, number) joined by lines, on logarithmic axes; a number 0 has no place there.

    Raises :class:`Unsupported` without matplotlib.
    """
    if find_spec("matplotlib") is None:
        raise Unsupported('plots need matplotlib: pip install "lapdp[plot]"')
    from lapdp.report.plots.axes import checked, opened

    checked(ax)
    ax = opened(ax)
    shown = sorted((k, x) for k, x in rows if x > 0)
    ax.loglog([k for k, _ in shown], [x for _, x in shown], "o-", **style)
    ax.set(xlabel="steps", ylabel=LETTERS[asked])
    return ax


__all__ = ["draw"]
