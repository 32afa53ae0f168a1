"""How long imports and commands take in fresh processes, against ``import sympy`` in the same run.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 5
COMMANDS = {
    "lapdp --help": ["--help"],
    "lapdp delta": ["delta", "gaussian(10)**100", "--eps", "20"],
    "lapdp show": ["show", "chourasia2024/eq-30", "--no-numeric"],
}


def seconds(module: str) -> float:
    """Median time of an import in a fresh interpreter, without the start of the interpreter."""
    code = f"import time; start = time.perf_counter(); import {module}; " \
        "print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
            for _ in range(RUNS)]
    return statistics.median(float(done.stdout) for done in runs)


def whole(arguments: list[str]) -> float:
    """Median time of a fresh interpreter from its start to its end."""
    runs = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=False, stdout=subprocess.DEVNULL)
        runs.append(time.perf_counter() - start)
    return statistics.median(runs)


def main() -> None:
    """Print the times and their ratio to SymPy's."""
    sympy = seconds("sympy")
    for module in ("lapdp", "lapdp.testing", "lapdp.testing.strategies", "lapdp.theory.words",
                   "sympy"):
        spent = seconds(module)
        print(f"import {module:24} {spent:8.4f} s   {spent / sympy:7.4f} of import sympy")
    plain = whole(["-c", "import sympy"])
    for name, words in COMMANDS.items():
        spent = whole(["-m", "lapdp", *words])
        print(f"{name:31} {spent:8.4f} s   {spent / plain:7.4f} of a process that imports sympy")


if __name__ == "__main__":
    main()
