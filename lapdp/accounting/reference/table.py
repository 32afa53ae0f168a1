"""Rows of reference values: computed, written as CSV and JSON, read back."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.resources import files
from typing import Any

import sympy as sp

from lapdp.accounting.answers import Answer
from lapdp.accounting.delta import delta
from lapdp.accounting.epsilon import epsilon
from lapdp.accounting.reference.queries import DELTA, Query, Release
from lapdp.core.errors import InputError

DIGITS = 40
INFINITE = "oo"
FORMATS = ("csv", "json")


@dataclass(frozen=True)
class Row:
    """A query, its value between ``value - radius`` and ``value + radius``, and who else says so.

    Numbers are decimals as text; ``value`` is ``oo`` where no finite eps is enough.
    """

    query: Query
    value: str
    radius: str
    method: str
    confirmed_by: str = ""
    """The second method, which shares no code with lapdp; empty where there is none."""
    confirmed_digits: int = 0
    """Relative digits to which that method agrees."""

    def record(self) -> dict[str, Any]:
        """Plain data, in the order of the columns."""
        q = self.query
        return {"mechanism": q.text(), "family": q.family,
                "releases": [r.record() for r in q.releases],
                "copies": sum(r.copies for r in q.releases), "direction": q.direction,
                "asked": q.asked, "at": q.at, "value": self.value, "radius": self.radius,
                "method": self.method, "confirmed_by": self.confirmed_by,
                "confirmed_digits": self.confirmed_digits}

    @staticmethod
    def of(record: dict[str, Any]) -> Row:
        """The row of a record."""
        releases = tuple(Release(
            r["family"],
            tuple((n, tuple(v) if isinstance(v, list) else v) for n, v in r["parameters"].items()),
            r["copies"], r.get("rate", ""), r.get("neighbours", "")) for r in record["releases"])
        return Row(Query(releases, record["direction"], record["asked"], record["at"]),
                   record["value"], record["radius"], record["method"], record["confirmed_by"],
                   int(record["confirmed_digits"]))

    def agrees(self, other: Row) -> bool:
        """Do the two intervals meet?  They enclose one number."""
        if INFINITE in (self.value, other.value):
            return self.value == other.value
        gap = abs(Fraction(self.value) - Fraction(other.value))
        return gap <= Fraction(self.radius) + Fraction(other.radius)


def computed(query: Query, digits: int = DIGITS) -> Row:
    """The row of a query, by lapdp; :class:`Unsupported` where no method reaches it.

    >>> from lapdp.accounting.reference.queries import queries
    >>> row = computed(next(queries()), digits=10)
    >>> row.query.text(), row.query.asked, row.query.at, row.value
    ('gaussian(sigma=1)', 'delta', '-3', '0.95028946359')
    """
    found = answer(query, digits)
    shown = found.record()
    return Row(query, shown["value"], shown["radius"], found.method)


def answer(query: Query, digits: int) -> Answer:
    """The value of a query with a proved radius."""
    at = sp.Rational(query.at)
    ask = delta if query.asked == DELTA else epsilon
    return ask(query.pair(), at, digits)


def read() -> list[Row]:
    """The published rows.

    >>> rows = read()
    >>> len(rows) >= 300, all(Fraction(row.radius) >= 0 for row in rows)
    (True, True)
    """
    text = (files("lapdp.accounting.reference") / "values.json").read_text(encoding="utf-8")
    return [Row.of(record) for record in json.loads(text)["values"]]


def of_family(rows: Iterable[Row], family: str) -> list[Row]:
    """The rows in which a family occurs; ``product`` are those of several mechanisms.

    Raises :class:`InputError` for a family without rows.
    """
    rows = list(rows)
    found = [row for row in rows if row.query.family == family or any(
        release.family == family for release in row.query.releases)]
    if not found:
        known = sorted({r.family for row in rows for r in row.query.releases})
        raise InputError(f"{family[:40]!r} has no reference values; there are "
                         f"{', '.join(known)}, product")
    return found


def written(rows: Iterable[Row], form: str) -> str:
    """The rows as text in one of the :data:`FORMATS`."""
    records = [row.record() for row in rows]
    if form == "json":
        lines = ",\n  ".join(json.dumps(record) for record in records)
        return f'{{"digits": {DIGITS}, "values": [\n  {lines}\n]}}\n'
    out = io.StringIO()
    table = csv.DictWriter(out, list(records[0]), lineterminator="\n")
    table.writeheader()
    for record in records:
        table.writerow({**record, "releases": json.dumps(record["releases"])})
    return out.getvalue()


def confirmed(row: Row, by: str, digits: int) -> Row:
    """The row with what a second method says."""
    return replace(row, confirmed_by=by, confirmed_digits=digits)


__all__ = ["DIGITS", "FORMATS", "INFINITE", "Row", "answer", "computed", "confirmed", "of_family",
           "read", "written"]
