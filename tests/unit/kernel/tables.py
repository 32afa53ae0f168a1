"""All rows of the tables."""

from __future__ import annotations

from tests.unit.kernel import (
    table_analysis,
    table_arithmetic,
    table_facts,
    table_integrals,
    table_logic,
)
from tests.unit.kernel.table_terms import CONDITIONS, ILL_SORTED, OPENED, REPLACED

ROWS = [*table_logic.ROWS, *table_arithmetic.ROWS, *table_analysis.ROWS, *table_integrals.ROWS,
        *table_facts.ROWS]

__all__ = ["CONDITIONS", "ILL_SORTED", "OPENED", "REPLACED", "ROWS"]
