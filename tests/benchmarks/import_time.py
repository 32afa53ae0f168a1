"""How long ``import lapdp`` takes in a fresh process, against ``import sympy`` in the same run."""

from __future__ import annotations

import statistics
import subprocess
import sys

RUNS = 5


def seconds(module: str) -> float:
    """Median time of an import in a fresh interpreter, without the start of the interpreter."""
    code = f"import time; start = time.perf_counter(); import {module}; " \
        "print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
            for _ in range(RUNS)]
    return statistics.median(float(done.stdout) for done in runs)


def main() -> None:
    """Print the times and their ratio to SymPy's."""
    sympy = seconds("sympy")
    for module in ("lapdp", "lapdp.testing", "lapdp.testing.strategies", "lapdp.theory", "sympy"):
        spent = seconds(module)
        print(f"import {module:24} {spent:8.4f} s   {spent / sympy:7.4f} of import sympy")


if __name__ == "__main__":
    main()
