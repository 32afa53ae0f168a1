"""Compute every reference value, have it confirmed by its second method, and write both files.

    python -m tests.reference.regenerate [--family F] [--keep]

``--family`` computes the rows of one family and keeps the others as published, ``--keep`` computes
only rows that are not published yet.  Ends with exit code 1, and writes nothing, where a second
method contradicts a value, or confirms less than ten digits of it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from lapdp.accounting import reference
from lapdp.accounting.reference.queries import queries
from lapdp.accounting.reference.table import FORMATS, computed, confirmed, read, written
from tests.reference.confirm import confirm

FOLDER = Path(reference.__file__).parent
LEAST = 10
"""Digits that a second method must confirm."""


def main() -> int:
    """Regenerate the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--family")
    parser.add_argument("--keep", action="store_true")
    chosen = parser.parse_args()
    published = ({row.query: row for row in read()} if chosen.family or chosen.keep else {})
    rows, bad = [], 0
    for query in queries():
        known = published.get(query)
        if known is not None and (chosen.keep or query.family != chosen.family):
            rows.append(known)
            continue
        start = time.perf_counter()
        row = computed(query)
        mine = time.perf_counter() - start
        name, digits = confirm(row.record())
        rows.append(confirmed(row, name, digits))
        theirs = time.perf_counter() - start - mine
        print(f"{row.value[:12]:12} {digits:3} digits {mine:7.2f} s {theirs:7.2f} s  "
              f"{query.text()} {query.direction} {query.asked} {query.at}: {row.method}, {name}",
              flush=True)
        bad += digits < LEAST
    if bad:
        print(f"{bad} values are not confirmed", file=sys.stderr)
        return 1
    for form in FORMATS:
        (FOLDER / f"values.{form}").write_text(written(rows, form), encoding="utf-8")
    print(f"{len(rows)} values")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
