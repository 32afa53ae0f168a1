"""The lowest versions that pyproject.toml allows, as constraints for pip.

    python tests/lowest.py > constraints.txt

`make lowest` installs them and runs what shows that each of them does its work: every lower bound
is a version that was tried, not one that was hoped for.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
EXTRAS = ("testing", "fast", "plot", "notebook", "audit", "distributed", "dev")
"""What `make lowest` installs; the extra `browser` needs a browser."""
_BOUND = re.compile(r"([\w.-]+)(?:\[\w+\])?>=([\w.]+)")


def lowest(text: str) -> list[str]:
    """One line ``name==version`` for each requirement; its lower bound.

    >>> lowest('[project]\\ndependencies = ["sympy>=1.14,<1.15"]\\n'
    ...        '[project.optional-dependencies]\\n'
    ...        'dev = ["dask[distributed]>=2024.1", "lapdp[fast]"]\\n')
    ['dask==2024.1', 'sympy==1.14']
    """
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *(r for e in EXTRAS for r in extras.get(e, ()))]
    found = [bound for r in asked if (bound := _BOUND.match(r))]
    assert len(found) == sum(not r.startswith("lapdp[") for r in asked), "a bound is missing"
    return sorted({f"{bound[1]}=={bound[2]}" for bound in found})


if __name__ == "__main__":
    sys.stdout.write("\n".join(lowest(PROJECT.read_text(encoding="utf-8"))) + "\n")
