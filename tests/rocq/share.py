"""How many kept derivations print and compile: ``python -m tests.rocq.share [--every N]``.

With ``--every 20`` the twentieth part of them, in the order of their ids' digests.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lapdp.report.rocq import LIBRARY, module, write
from lapdp.theory.derivations import SUFFIX, read
from lapdp.theory.library import shipped_library

SECONDS = 1800
"""Until a compilation that does not end is given up."""


def kept() -> Iterator[tuple[str, list[str]]]:
    """All kept derivations, by the digests of their ids."""
    found = {name: lines for path in shipped_library().rglob(f"*{SUFFIX}")
             for name, (_, lines) in read(path).items()}
    for name in sorted(found, key=lambda n: hashlib.sha256(n.encode()).hexdigest()):
        yield name, found[name]


def compiled(folder: Path, name: str) -> str:
    """What ``coqc`` prints for a file; raises :class:`AssertionError` where it refuses."""
    done = subprocess.run(["coqc", "-R", ".", "Lapdp", "-w", "none", f"{name}.v"], cwd=folder,
                          capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"{name}: {done.stderr[-2000:]}"
    return done.stdout


def main() -> int:
    """Print the share; 1 where something that is printed does not compile."""
    parser = argparse.ArgumentParser(prog="python -m tests.rocq.share")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    derivations = dict(list(kept())[::parser.parse_args().every])
    refused = 0
    with tempfile.TemporaryDirectory() as place:
        left_out = write(Path(place), derivations)
        for path in LIBRARY:
            compiled(Path(place), path.stem)
        for name in derivations.keys() - left_out.keys():
            try:
                compiled(Path(place), module(name))
            except AssertionError as problem:
                refused += 1
                print(problem)
    for name, why in left_out.items():
        print(f"{name}: not printed: {why}")
    total = len(derivations)
    print(f"{total} derivations: {total - len(left_out)} printed, "
          f"{total - len(left_out) - refused} of them compile")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
