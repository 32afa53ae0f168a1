"""How fast random pairs are drawn and laws checked, inside ``@given`` as people run them.

    python tests/benchmarks/strategies.py

Each time stands beside that of ``st.fractions()`` drawn in the same run.  The whole of an example
is drawing, the body of the test and the machinery of Hypothesis.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lapdp.testing.strategies import (
    alphas,
    channels,
    finite_pairs,
    loss_distributions,
    profiles,
    renyi_curves,
    tradeoff_functions,
)

EXAMPLES = 1000
LIMIT_DRAW = 1e-3
LIMIT_REVERSALS = 3.0
RUNS = 5

often = settings(max_examples=EXAMPLES, database=None, deadline=None,
                 suppress_health_check=list(HealthCheck))


def drawing(strategy):
    """Seconds for one draw, each of them."""
    spent = []

    @often
    @given(st.data())
    def draw(data):
        start = time.perf_counter()
        data.draw(strategy)
        spent.append(time.perf_counter() - start)

    draw()
    return spent


def reversals():
    """Seconds for 1,000 exact checks of the reversal law, and how many there were."""
    count = 0

    @often
    @given(finite_pairs(), alphas())
    def holds(pair, alpha):
        nonlocal count
        count += 1
        assert pair.reverse().hockey_stick(alpha) == (
            1 - alpha + alpha * pair.hockey_stick(1 / alpha))

    start = time.perf_counter()
    holds()
    return time.perf_counter() - start, count


def importing():
    """Least seconds of ``import hypothesis`` in a new process, and of the entry point after it."""
    code = ("import os, time; os.environ['HYPOTHESIS_NO_PLUGINS'] = '1'; "
            "start = time.perf_counter(); import hypothesis; middle = time.perf_counter(); "
            "from lapdp.testing.registration import register; register(); "
            "print(middle - start, time.perf_counter() - middle)")
    runs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
            for _ in range(RUNS)]
    return [min(times) for times in zip(*(map(float, run.stdout.split()) for run in runs),
                                        strict=True)]


def main() -> None:
    """One line a strategy, then the two limits, then what the entry point costs."""
    drawing(st.fractions())
    unit = statistics.median(drawing(st.fractions()))
    print(f"{EXAMPLES} draws each; st.fractions() takes {unit * 1e6:.0f} us at the median")
    for strategy in (finite_pairs(), finite_pairs(max_size=8), finite_pairs(symmetric=True),
                     finite_pairs(lattice=2), finite_pairs(symmetric=False), alphas(), channels(3),
                     loss_distributions(), profiles(), tradeoff_functions(), renyi_curves()):
        spent = drawing(strategy)
        median, late = statistics.median(spent), statistics.quantiles(spent, n=100)[-1]
        print(f"  {str(strategy)[:50]:50}  median {median * 1e6:5.0f} us, "
              f"99 % {late * 1e6:6.0f} us, {median / unit:4.1f} of st.fractions()", flush=True)
    median = statistics.median(drawing(finite_pairs()))
    print(f"finite pair: {median / LIMIT_DRAW:.3f} of the limit of {LIMIT_DRAW * 1e3:.0f} ms")
    seconds, count = reversals()
    print(f"{count} exact reversal checks: {seconds:.2f} s, {seconds / LIMIT_REVERSALS:.3f} of the "
          f"limit of {LIMIT_REVERSALS:.0f} s")
    alone, more = importing()
    print(f"import hypothesis: {alone:.3f} s, the entry point {more:.4f} s more, "
          f"{more / alone:.3f} of it")


if __name__ == "__main__":
    main()
