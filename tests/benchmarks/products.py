"""Time against k for k-fold Laplace: closed form and certified value, SymPy, an FFT accountant.

    python tests/benchmarks/products.py [--most K] [--plot FILE]

One run measures all three.  SymPy integrates (47) k times in a process of its own, which is killed
after a while.  The FFT accountant works in doubles on a grid: its error is measured against the
certified value.  ``--plot`` draws the times.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction
from typing import NamedTuple

from fft_accountant import STEP, Grid
from transforms import CAP, capped

POWERS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 300)
SYMPY = 3
"""The largest power that SymPy is asked for."""
DIGITS = 30
TAIL = Fraction(9, 10)
"""Where the second value is taken, as a part of the largest loss k; the first is at k/2."""


class Row(NamedTuple):
    """Seconds for one power, and the relative errors of the FFT at k/2 and in the tail."""

    k: int
    closed: float
    value: float
    further: float
    fft: float
    middle: str
    tail: str
    errors: tuple[float, float]


def timed(job):
    """Seconds and result."""
    start = time.perf_counter()
    found = job()
    return time.perf_counter() - start, found


def laplace_at_half(k):
    """(47) from the empty product on, at t = k/2."""
    import sympy as sp

    t, u = sp.symbols("t u", real=True)
    curve = sp.Piecewise((1 - sp.exp(t), t < 0), (0, True))
    for _ in range(k):
        between = sp.integrate(curve.subs(t, t - 1 + 2 * u) * sp.exp(-u) / 2, (u, 0, 1))
        curve = curve.subs(t, t - 1) / 2 + sp.exp(-1) * curve.subs(t, t + 1) / 2 + between
    return curve.subs(t, sp.Rational(k, 2))


def measure(k):
    """One power, by a pair that nothing is known of yet."""
    from lapdp import laplace

    pair = laplace(1) ** k
    closed, _ = timed(pair.model)
    value, middle = timed(lambda: pair.profile.at(Fraction(k, 2), digits=DIGITS))
    further, tail = timed(lambda: pair.profile.at(k * TAIL, digits=DIGITS))
    fft, grid = timed(lambda: Grid(k))
    errors = tuple(float(abs(Fraction(grid.delta(float(t))) - found.middle) / found.middle)
                   for t, found in ((Fraction(k, 2), middle), (k * TAIL, tail)))
    return Row(k, closed, value, further, fft, f"{float(middle):.3e}", f"{float(tail):.3e}", errors)


def plot(rows, integrated, path):
    """Times against k on logarithmic axes."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    ks = [row.k for row in rows]
    axes.loglog(ks, [row.closed + row.value for row in rows], "o-",
                label=f"lapdp, closed form and {DIGITS} digits")
    axes.loglog(ks, [row.further for row in rows], "s-", label="lapdp, a further point")
    axes.loglog(ks, [row.fft for row in rows], "^-", label=f"FFT in doubles, step {STEP}")
    axes.loglog(*zip(*integrated, strict=True), "x-", label="SymPy")
    axes.set(xlabel="k", ylabel="seconds", title="k-fold Laplace mechanism")
    axes.legend()
    figure.savefig(path)


def main() -> None:
    """One line a power; then SymPy on the smallest ones."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--most", type=int, default=POWERS[-1], help="the largest power")
    arguments.add_argument("--plot", help="a file for the plot")
    chosen = arguments.parse_args()
    timed(lambda: measure(4))
    print(f"k-fold laplace(1): delta(k/2), then delta(9k/10), each to {DIGITS} certified digits;"
          f" FFT of step {STEP}")
    rows = []
    for k in (k for k in POWERS if k <= chosen.most):
        row = measure(k)
        rows.append(row)
        whole = row.closed + row.value
        print(f"  k = {k:3}   closed form {row.closed:7.4f} s   first value {row.value:7.4f} s   "
              f"further {row.further:7.4f} s   FFT {row.fft:7.4f} s, ratio "
              f"{row.fft / whole:4.1f}   delta {row.middle} and {row.tail}, "
              f"FFT off by {row.errors[0]:.0e} and {row.errors[1]:.0e} of it", flush=True)
    integrated = []
    for row in rows[:SYMPY]:
        theirs = capped(laplace_at_half, row.k)
        whole = row.closed + row.value
        if theirs is None:
            print(f"  k = {row.k:3}   SymPy   > {CAP:.0f} s, or no answer   "
                  f"ratio > {CAP / whole:.0f}", flush=True)
            break
        integrated.append((row.k, theirs[0]))
        print(f"  k = {row.k:3}   SymPy   {theirs[0]:7.4f} s   ratio {theirs[0] / whole:.0f}",
              flush=True)
    if chosen.plot:
        plot(rows, integrated, chosen.plot)
        print(f"plotted in {chosen.plot}")


if __name__ == "__main__":
    main()
