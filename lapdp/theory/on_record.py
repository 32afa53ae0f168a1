"""A judge that uses what is on record beside the proof files: what ``lapdp verify`` runs.

A kept derivation goes to the kernel, the witness of what is refuted is found and evaluated again,
and so are the hypotheses of what is proved.  Other verdicts of the engine are not found again: they
are told as recorded, unless an exact instance contradicts them.  What has no record, or one that
does not stand, is judged anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lapdp.core.verdict import Kind
from lapdp.theory import derivations, engine
from lapdp.theory.kept_verdicts import DIGITS, SEED, known
from lapdp.theory.statement import Statement


@dataclass(frozen=True)
class Recorded:
    """A verdict that was not found in this run; it has no argument, and is plain data."""

    told: Mapping[str, Any]

    def record(self) -> dict[str, Any]:
        """As that of a judgement."""
        return dict(self.told)


def judge(statement: Statement, *, digits: int = DIGITS, seed: int = SEED, numeric: bool = True
          ) -> Any:
    """Judge a statement by its record; a :class:`Recorded` where that is all there is.

    A numeric column is on record for the usual digits and seed; one for others is computed.
    """
    found = known(statement)
    if found is not None and (digits, seed) != (DIGITS, SEED):
        found = replace(found, numeric=None)
    if found is None or found.record is None or found.kind is Kind.REFUTED or (
            derivations.is_kept(statement) or engine.is_contradicted(statement)):
        return engine.judge(statement, digits=digits, seed=seed, numeric=numeric, known=found)
    column, told = found.numeric if numeric else None, ["verdict", "symbolic"]
    if column is not None:
        told.append("numeric")
    elif numeric:
        column = engine.numeric_column(statement, digits, seed)
        if column.agrees is False and found.kind is not Kind.UNDECIDED:
            return engine.judge(statement, digits=digits, seed=seed, numeric=numeric)
    return Recorded({**found.record, "recorded": told,
                     "numeric": None if column is None else dict(vars(column))})


__all__ = ["Recorded", "judge"]
