"""Characteristic functions (Re q = 1 and Re q = 0) against the saddle: time for falling delta.

    python tests/benchmarks/lines.py

Both are certified to the same digits; they must agree.
"""

from __future__ import annotations

import time

from lapdp import gaussian, randomized_response

PAIR = gaussian(10) ** 100 * randomized_response("0.01") ** 100
DIGITS = 15
POINTS = (2, 19, 68)


def timed(eps, method):
    """Seconds, the table of the line included, and the answer; the best of three."""
    from lapdp.accounting.inversion import contour

    best = None
    for _ in range(3):
        contour._table.cache_clear()
        start = time.perf_counter()
        found = PAIR.delta(eps, DIGITS, method=method)
        seconds = time.perf_counter() - start
        best = (seconds, found) if best is None else min(best, (seconds, found),
                                                         key=lambda x: x[0])
    return best


def main():
    """A line for each point."""
    for eps in POINTS:
        (slow, one), (fast, other) = (timed(eps, m) for m in ("characteristic", "contour"))
        assert abs(one.value - other.value) <= one.radius + other.radius
        print(f"eps {eps:3}  {other}  characteristic {slow * 1e3:.2f} ms, saddle "
              f"{fast * 1e3:.2f} ms, ratio {slow / fast:.1f}")


if __name__ == "__main__":
    main()
