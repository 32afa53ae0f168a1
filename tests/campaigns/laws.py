"""The laws of the library on random exact instances, by the definitions of tests/oracle.

    python -m tests.campaigns.laws [--examples 10000] [--seed 0] [--only WORD]

Every statement of proofs/laws that is on record as proved is put at random finite pairs and
parameters; the engine has no part in it.  One line each: instances that agree, that lie outside the
hypotheses, where a side has no value, and that the oracle does not reach.  Exit code 1 for a
counterexample, which is printed.
"""

from __future__ import annotations

import argparse
import sys

from tests.mutation.oracle_check import oracle_report
from tests.shelf import of_paper


def proved(only=""):
    """The laws, those that are refuted on record left out."""
    return [s for s in of_paper("laws")
            if s.expected in ("proved", "derived") and only in s.id]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    given = parser.parse_args(arguments)
    failed = 0
    for statement in proved(given.only):
        found = oracle_report(statement, given.examples, given.seed)
        print(f"{statement.label:32} {found.agreed:6} agree, {found.outside} outside, "
              f"{found.undefined} undefined, {found.unclear} not reached", flush=True)
        if found.failed:
            failed += 1
            print(f"  FAILS at {found.witness}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
