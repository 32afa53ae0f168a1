"""What the oracle says of a statement: it holds, fails, or is beyond it.

The claim and the hypotheses are read at many instances by definitions alone (see ``walker``).  One
clear gap at an instance that satisfies the hypotheses is "fails"; agreement at enough instances is
"holds", which is evidence and no proof.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from mpmath import mp

from tests.mutation.forms import supposed, true
from tests.mutation.instance import Instance
from tests.mutation.instances import random_instance
from tests.mutation.walker import Walker
from tests.oracle.reals import Unclear, Undefined

DIGITS = 40
ATTEMPTS = 30
"""Instances drawn for each instance wanted, before giving up on the hypotheses."""


@dataclass
class Report:
    """Counts of one check, and the first instance that failed."""

    verdict: str = "unknown"
    agreed: int = 0
    failed: int = 0
    outside: int = 0
    undefined: int = 0
    unclear: int = 0
    witness: Instance | None = None
    why: str = ""
    reasons: set[str] = field(default_factory=set)


def oracle_verdict(statement, instances=50, seed=0):
    """``"holds"``, ``"fails"`` or ``"unknown"``."""
    return oracle_report(statement, instances, seed).verdict


def oracle_report(statement, instances=50, seed=0):
    """The verdict with its counts; stops at the first failure.

    "holds" needs agreement at a fifth of the instances wanted, or at the only one there is.
    """
    report, rng = Report(), random.Random(f"oracle {seed}")
    with mp.workdps(DIGITS):
        for _ in range(instances * ATTEMPTS):
            if report.agreed + report.undefined + report.unclear >= instances:
                break
            _try(statement, rng, report)
            if report.failed:
                report.verdict = "fails"
                return report
    if report.outside and not report.agreed + report.undefined + report.unclear:
        report.reasons.add("no instance satisfies the hypotheses")
    alone = not statement.pairs and not statement.parameters
    if report.agreed >= (1 if alone else max(1, instances // 5)):
        report.verdict = "holds"
    return report


def _try(statement, rng, report):
    try:
        instance = random_instance(statement, rng)
        walker = Walker(instance)
        if not all(supposed(h, walker) for h in statement.where):
            report.outside += 1
            return
        if true(statement.claim, walker):
            report.agreed += 1
        else:
            report.failed += 1
            report.witness, report.why = instance, f"{statement.claim} fails"
    except Undefined as reason:
        report.undefined += 1
        report.reasons.add(str(reason))
    except Unclear as reason:
        report.unclear += 1
        report.reasons.add(str(reason))
