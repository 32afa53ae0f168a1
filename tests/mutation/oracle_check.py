"""What the oracle says of a statement: it holds, fails, or is beyond it.

The claim and the hypotheses are read at many instances by definitions alone (see ``walker``).  One
clear gap at an instance that satisfies the hypotheses is "fails"; agreement at enough instances is
"holds", which is evidence and no proof.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from mpmath import mp

from lapdp.privacy import families
from lapdp.privacy.nodes import Event, Outcome
from lapdp.theory import language
from tests.mutation.compositions import parts
from tests.mutation.forms import supposed, true
from tests.mutation.instance import Instance
from tests.mutation.instances import random_instance
from tests.mutation.shapes import at_two_points
from tests.mutation.walker import Walker
from tests.oracle.reals import Unclear, Undefined

DIGITS = 40
ATTEMPTS = 30
"""Instances drawn for each instance wanted, before giving up on the hypotheses."""
RARE = 20
"""How many more instances are drawn where one that fails is wanted."""


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
    if isinstance(statement.claim, language.NotAlways):
        return _contrary(statement, instances, seed)
    statement = with_free_letters(statement)
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


def _contrary(statement, instances, seed):
    """That a claim does not always hold is shown by an instance; without one nothing is known."""
    claim = statement.claim.claim
    report = oracle_report(replace(statement, claim=claim), RARE * instances, seed)
    report.verdict = "holds" if report.verdict == "fails" else "unknown"
    return report


def with_free_letters(statement):
    """Numbers for all of which a claim is made become letters of the statement; so do points."""
    form = statement.claim
    if isinstance(form, (language.ConvexOn, language.NonincreasingOn)):
        claim, inside = at_two_points(form)
        return replace(statement, claim=claim, where=(*statement.where, *inside))
    if not isinstance(form, language.ForAll):
        return statement
    bound = tuple(s for s in form.over if isinstance(s, (Outcome, Event)))
    if bound:
        return replace(statement, claim=language.ForAll(bound, form.claim, form.where))
    return replace(statement, claim=form.claim, where=(*statement.where, *form.where))


def _place_outcomes(statement, instance, rng):
    """Each letter for an outcome stands somewhere; a quantifier moves it."""
    composing = instance.composing
    for role in (p.role for p in parts(statement)):
        if isinstance(role, (families.Family, families.Conditional)):
            try:
                places = composing.places_of(role.outcome, statement.claim, instance)
            except Unclear:
                continue  # no letter of the claim itself
            composing.places[role.outcome] = rng.choice(places)


def _try(statement, rng, report):
    try:
        instance = random_instance(statement, rng)
        _place_outcomes(statement, instance, rng)
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
