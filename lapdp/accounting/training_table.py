"""Noisy training for several numbers of steps: a table of certified numbers, and its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import InputError, Unsupported

if TYPE_CHECKING:
    from lapdp.accounting.training import Training

MOST_ROWS = 1000


@dataclass(frozen=True, repr=False)
class TrainingTable:
    """epsilon, delta or the least sigma for several numbers of steps; made by :func:`training`."""

    rows: tuple[Training, ...]
    """One answer for each number of steps, in the order asked."""

    @property
    def asked(self) -> str:
        """"sigma", "epsilon" or "delta"."""
        return self.rows[0].asked

    @property
    def steps(self) -> tuple[int, ...]:
        """The numbers of steps."""
        return tuple(row.given["steps"] for row in self.rows)

    def __iter__(self) -> Iterator[Training]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        width = max(len("steps"), *(len(str(k)) for k in self.steps))
        return "\n".join([f"{'steps':>{width}}  {self.asked}", *(
            f"{k:>{width}}  {row}" for k, row in zip(self.steps, self.rows, strict=True))])

    def __repr__(self) -> str:
        return f"TrainingTable({self.asked} for {len(self)} numbers of steps)"

    def record(self) -> dict[str, Any]:
        """Plain data, numbers as decimal strings: a record for each number of steps."""
        return {"asked": self.asked, "rows": [row.record() for row in self.rows]}

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the numbers against the steps, on logarithmic axes; returns the Axes.

        Raises :class:`Unsupported` without matplotlib.
        """
        from lapdp.report.plots.training import draw

        return draw([(k, float(row.value)) for k, row in zip(self.steps, self.rows, strict=True)],
                    self.asked, ax, **style)


def table(one: Callable[..., Training], steps: Sequence[Any], **numbers: Any) -> TrainingTable:
    """``one`` for each number of steps; :class:`InputError` for none, too many, or a text.

    A number that is refused names its steps.
    """
    if not steps or len(steps) > MOST_ROWS:
        raise InputError(f"steps must be a number or a list of 1 to {MOST_ROWS} numbers")
    rows = []
    for count in steps:
        if isinstance(count, Sequence) and not isinstance(count, str):
            raise InputError(f"steps = {str(count)[:40]} must be a number")
        try:
            rows.append(one(steps=count, **numbers))
        except Unsupported as problem:
            raise Unsupported(f"{count} steps: {problem}") from None
    return TrainingTable(tuple(rows))


__all__ = ["TrainingTable", "table"]
