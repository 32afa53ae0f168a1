"""CPU time of a certified delta against the number of releases, from 10 to 10^9.

    python tests/benchmarks/copies.py [--digits D] [--rounds N] [--plot FILE]

For each number delta is asked where it is about 1e-5, of a pair that nothing is known of yet: its
parameter differs a little from one repetition to the next.  The last column is the largest time
over the least one.  ``--plot`` draws the times.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction

from lapdp import gaussian, laplace, poisson, randomized_response

POWERS = tuple(range(1, 10))
ROUNDS = 25
"""Each asks every number of releases in turn, so that what slows the machine down for a while slows
no row alone."""
LEVEL = Fraction(1, 10**5)


def nearly(number, j):
    """A number that no cache knows."""
    return number * (1 + Fraction(j, 10**9))


FAMILIES = {
    "Gaussian, sigma 10": lambda j: gaussian(nearly(10, j)),
    "Laplace, scale 10": lambda j: laplace(nearly(10, j)),
    "randomized response 0.1": lambda j: randomized_response(nearly(Fraction(1, 10), j)),
    "Gaussian, sigma 1, sampled at 0.01": lambda j: poisson(
        gaussian(nearly(1, j)), Fraction(1, 100), direction="remove"),
}


def milliseconds(one, digits, rounds):
    """For each power the least CPU time of a few, each of another pair."""
    points = [(one(0) ** 10**power).epsilon(LEVEL, digits=4).value for power in POWERS]
    found = [[] for _ in POWERS]
    for j in range(1, rounds + 1):
        for power, eps, times in zip(POWERS, points, found, strict=True):
            pair = one(j) ** 10**power
            start = time.process_time()
            pair.delta(eps, digits=digits)
            times.append(1e3 * (time.process_time() - start))
    return [min(times) for times in found]


def plot(rows, path):
    """Times against the number of releases, on logarithmic axes."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    for name, times in rows.items():
        axes.loglog([10**power for power in POWERS], times, "o-", label=name)
    axes.set(xlabel="releases", ylabel="CPU milliseconds", title="delta where it is about 1e-5")
    axes.legend()
    figure.savefig(path)


def main():
    """A line for each family."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--digits", type=int, default=12)
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    arguments.add_argument("--plot", help="a file for the plot")
    chosen = arguments.parse_args()
    print(f"CPU milliseconds of delta to {chosen.digits} digits; releases 10^1 to 10^9")
    rows = {}
    for name, one in FAMILIES.items():
        rows[name] = milliseconds(one, chosen.digits, chosen.rounds)
        times = " ".join(f"{x:7.2f}" for x in rows[name])
        print(f"  {name:36} {times}   ratio {max(rows[name]) / min(rows[name]):.1f}", flush=True)
    if chosen.plot:
        plot(rows, chosen.plot)


if __name__ == "__main__":
    main()
