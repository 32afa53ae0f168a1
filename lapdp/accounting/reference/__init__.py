"""A published table of reference values with 40 certified digits, for the tests of other projects.

``values.csv`` and ``values.json`` beside this file hold the same rows; ``lapdp reference`` prints
them and computes them anew.
"""

from __future__ import annotations

from lapdp.accounting.reference.queries import Query, Release, queries
from lapdp.accounting.reference.table import DIGITS, Row, computed, read

__all__ = ["DIGITS", "Query", "Release", "Row", "computed", "queries", "read"]
