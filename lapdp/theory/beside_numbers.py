"""A verdict beside numbers: the numeric column, and instances that are chosen against it."""

from __future__ import annotations

from dataclasses import replace

from lapdp.core.border import fault
from lapdp.core.errors import LapdpError
from lapdp.core.verdict import Judgement, Kind, Numeric
from lapdp.theory.statement import Statement

NUMERIC_WORK, NUMERIC_INSTANCES = 12_000, 5
"""Bounds of the numeric column of one statement, in evaluations: it stops at the instances it has
by then, the same ones on a busy machine."""


def numeric_column(statement: Statement, digits: int, seed: int) -> Numeric:
    from lapdp.numeric import column

    slow = statement.hints.get("numeric_work")
    try:
        return column(statement, instances=1 if slow else NUMERIC_INSTANCES, digits=digits,
                      seed=seed, work=slow or NUMERIC_WORK)
    except LapdpError as problem:
        return Numeric("mpmath quadrature", reason=str(problem))
    except MemoryError:
        raise
    except Exception as problem:
        return Numeric("mpmath quadrature", reason=fault("the numeric column", problem))


def against_it(statement: Statement, column: Numeric) -> Numeric:
    """The numbers beside a refutation: instances at random missed what fails; those chosen against
    the statement confirm it, or the column says nothing."""
    from lapdp.numeric.hostile import doubts

    try:
        doubt = doubts(statement)
    except LapdpError:
        doubt = None
    if doubt is None:
        return replace(column, agrees=None, reason=(
            f"the claim holds at {column.instances} instances drawn at random, and none of them is "
            "the witness"))
    return replace(column, agrees=False, instances=column.instances + 1, reason=str(doubt))


def undoubted(statement: Statement, verdict: Judgement) -> Judgement:
    """What the engine argued, unless numbers at instances chosen against it say otherwise."""
    from lapdp.numeric.hostile import doubts

    try:
        doubt = doubts(statement)
    except LapdpError:
        return verdict  # what cannot be drawn cannot be doubted
    if doubt is None:
        return verdict
    return Judgement(
        Kind.UNDECIDED, verdict.method, tried=verdict.tried,
        reason=f"the columns disagree: {verdict.kind} by {verdict.method}, but numerically {doubt}")


__all__ = ["against_it", "numeric_column", "undoubted"]
