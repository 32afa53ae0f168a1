"""The engine: one judge for every statement.

Methods are tried in a fixed order; each proves, finds failing cases, or says why it stops.  A proof
is sealed by the core.  Failing cases and unreached claims go to the search for an exact witness;
only a witness makes ``refuted``.  The numeric column is computed by code that shares nothing with
the methods, and a proof it contradicts is withdrawn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from lapdp.core.border import fault
from lapdp.core.calls import require_names
from lapdp.core.checked import Checked
from lapdp.core.deadline import TimeUp, time_limit
from lapdp.core.errors import (
    IllFormed,
    InputError,
    LapdpError,
)
from lapdp.core.precision import alone
from lapdp.core.room import with_room
from lapdp.core.verdict import (
    HOLDS,
    Judgement,
    Kind,
    Numeric,
)
from lapdp.theory import language as lang
from lapdp.theory.beside_numbers import against_it, numeric_column, undoubted
from lapdp.theory.bounded import may_fork, within
from lapdp.theory.cited_laws import cited_law
from lapdp.theory.consistency import NOT_MET, require_instance
from lapdp.theory.judged import Judged
from lapdp.theory.kept_verdicts import Known
from lapdp.theory.methods import counterexamples
from lapdp.theory.methods.registry import METHODS
from lapdp.theory.planner import TIME_IS_UP, WITNESS, Planner
from lapdp.theory.routes import Routes
from lapdp.theory.statement import Statement

BRIEF = 500
"""Steps of a search where it is on record that one was in vain."""
BRIEFLY = 1.0
"""Seconds of a search for a witness where it is on record that a statement is undecided, or that it
stands on what is cited."""
PATIENCE = 8.0
"""Seconds of a search for a witness."""
SECONDS = 60.0
"""What :func:`verify` gives to one statement, as ``lapdp verify`` does."""
SHARE = 3
"""The search for a witness has at most one in so many of all seconds: methods come first."""
_OPTIONS = ("digits", "seed", "numeric", "patience", "seconds", "search", "anew", "known")


def judge(statement: Statement, *, digits: int = 30, seed: int = 0, numeric: bool = True,
          patience: float = PATIENCE, seconds: float = math.inf, search: bool = False,
          anew: bool = False, far: bool = False, known: Known | None = None,
          law: tuple[str, Checked] | None = None) -> Judged:
    """Judge one statement.

    Arguments: a :class:`Statement`; ``digits`` and ``seed`` of the numeric column;
    ``numeric=False`` leaves that column out; ``patience`` bounds the search for a witness, in
    seconds of the processor, soon after which it is stopped where it is (a third of ``seconds``, if
    that is less); ``seconds`` bound all of it: no method and no
    lemma begins when only the search for a witness has time left, and what still runs when the time
    is up is stopped where it is.  Where they are asked for, all of it takes place in a fork that is
    killed if it does not stop; in a program of several threads it is stopped by an alarm, which a
    call of compiled code does not hear (in the main thread; elsewhere it is finished).  A
    derivation kept beside the proof file is replayed by the kernel; ``search=True`` looks for one
    where none is kept and the engine found an argument or nothing, ``anew=True`` before that,
    and replays what is kept only where none is found; unless ``far``, that search is short where it
    is on record that one was in vain, and numbers on record, and doubts that were in vain, stand
    beside the verdict on record.
    ``known`` is what is on record: a numeric column that need not be computed as long as the
    verdict is seen again, and whether a witness is to be found; ``law`` is one that gives the
    statement (:mod:`lapdp.theory.cited_laws`).  Returns a :class:`Judged`, a judgement with its
    statement; never raises for a false or odd statement.

    >>> from lapdp.theory import *
    >>> P, Q = pair(); eps, t = reals("eps t"); Z = PLD(P, Q)
    >>> eq = claim("eq-22", Eq(delta(P, Q)(eps), L(1 - F(Z)(t + eps), t)(1)))
    >>> str(judge(eq, numeric=False, search=True).kind)
    'proved'
    """
    if not seconds > 0:
        raise InputError(f"seconds = {seconds} must be positive")
    answer = partial(_judge, statement, digits=digits, seed=seed, numeric=numeric,
                     patience=patience, seconds=seconds, search=search, anew=anew, far=far,
                     known=known, law=law)
    if math.isfinite(seconds) and may_fork():
        return within(statement, seconds, answer)
    return answer()


@with_room
@alone()
def _judge(statement: Statement, *, digits: int = 30, seed: int = 0, numeric: bool = True,
           patience: float = PATIENCE, seconds: float = math.inf, search: bool = False,
           anew: bool = False, far: bool = False, known: Known | None = None,
           law: tuple[str, Checked] | None = None) -> Judged:
    """As :func:`judge`, in this process."""
    start = time.monotonic()
    # a lemma is not in print: how its statement stands there must not pass to it
    statement = replace(statement, fidelity=None, severity=None, root=None, readings=())
    column: Numeric | None = None
    recorded: list[str] = []
    verdict: Judgement | None = None
    patience = min(patience, seconds / SHARE)
    deadline = start + seconds - patience
    try:
        with time_limit(seconds):
            found = None if anew else (
                _replayed(statement) or _by_law(law)
                or _as_known(statement, known, digits, seed, patience, deadline))
            if anew and not far:
                known = _numbers_known(statement, digits, seed)
            # numbers on record beside a search wait for what it finds
            waiting = known if anew and numeric else None
            column = _on_record(found, known) if numeric else None
            if column is not None:
                recorded = ["numeric", *(["holds_under"] if found and found.holds_under else [])]
            elif numeric and waiting is None:
                column = numeric_column(statement, digits, seed)
            if found is None:
                decide = partial(_found_anew, far=far) if anew else _decided
                found = decide(statement, digits, seed, patience, deadline)
                if waiting is not None:
                    stands = found.kind is (waiting.kind or Kind.PROVED)
                    column = _on_record(found, waiting) if stands else None
                    recorded = [] if column is None else ["numeric"]
                    column = column or numeric_column(statement, digits, seed)
            told = ""
            if found.kind in HOLDS or found.kind is Kind.UNDECIDED:
                # that an instance meets the hypotheses is not taken from a record
                found, told = _supposed(statement, found, None if recorded else column,
                                        known is not None and known.unmet)
            # it stands from here on, whatever is found beyond it in time
            verdict = found
            in_time = time.monotonic() < deadline
            if search and in_time and verdict.kind in (Kind.DERIVED, Kind.TESTED, Kind.UNDECIDED):
                found = _searched(statement, verdict)
                verdict = replace(found, reason=told) if found.kind is Kind.PROVED else found
            if (verdict.kind is Kind.REFUTED and column is not None and column.agrees
                    and not recorded):
                column = against_it(statement, column)
    except TimeUp as late:
        verdict = verdict or Judgement(Kind.UNDECIDED, "none", tried=late.done,
                                       reason="; ".join((*late.done, TIME_IS_UP)))
        if verdict.kind is Kind.REFUTED and column is not None and column.agrees:
            column = replace(column, agrees=None, reason=f"not put to the test: {TIME_IS_UP}")
    if column is None or column.agrees is not False:
        verdict = verdict.admitted(statement.cited)
    elif verdict.kind in HOLDS:
        verdict = Judgement(
            Kind.UNDECIDED, verdict.method, tried=verdict.tried,
            reason=f"the columns disagree: {verdict.kind}, but numerically {column.reason}")
    return Judged.of(statement, replace(
        verdict, numeric=column, seconds=time.monotonic() - start, extra={
            **verdict.extra, "recorded": recorded}))


def judge_and_search(statement: Statement, **options: Any) -> Judged:
    """As :func:`judge`, with a search for a derivation: what ``lapdp verify --search`` runs.  Where
    it is on record that none was found, the search is short."""
    return judge(statement, anew=True, **options)


def judge_and_search_far(statement: Statement, **options: Any) -> Judged:
    """The same, with as long a search whatever is on record."""
    return judge(statement, anew=True, far=True, **options)


def _found_anew(statement: Statement, digits: int, seed: int, patience: float, deadline: float,
                far: bool = False) -> Judgement:
    """Proved, if a derivation is found; else what the engine says, and if that is no refutation,
    what is kept."""
    from lapdp.theory.derivations import STEPS, searched
    from lapdp.theory.kept_verdicts import known, sought_in_vain

    short = not far and sought_in_vain(statement)
    record = known(statement) if short else None
    if record is not None and record.kind in (Kind.UNDECIDED, Kind.ADMITTED):
        patience = min(patience, BRIEFLY)
    why = "an exact instance contradicts the statement"

    def derived(planner: Planner) -> Judgement | None:
        nonlocal why
        if planner.is_well_formed() and not planner.is_contradicted():
            checked, why = searched(statement, BRIEF if short else STEPS)
            if checked is not None:
                return Judgement(Kind.PROVED, "derivation", checked=checked)
        # the methods that come before the one on record were asked in vain for that record
        return _argued_as_known(planner, record)

    if statement.expected == str(Kind.REFUTED):
        # where a witness is expected, a search for a derivation would take the time of finding it
        found = _decided(statement, digits, seed, patience, deadline)
        if found.kind is Kind.REFUTED:
            return replace(found, tried=(*found.tried, "kernel: not asked where it is refuted"))
    # doubts are about the statement, which is the one on record, not about how it is argued
    doubted = record is not None and record.kind is Kind.DERIVED
    found = _decided(statement, digits, seed, patience, deadline, derived, doubted)
    if found.kind in (Kind.UNDECIDED, *HOLDS - {Kind.PROVED}):
        found = _replayed(statement) or found
    return found if found.method == "derivation" else replace(
        found, tried=(*found.tried, f"kernel: {why}"))


def _argued_as_known(planner: Planner, known: Known | None) -> Judgement | None:
    """Derived by the method on record, asked first."""
    if known is None or known.record is None or known.kind is not Kind.DERIVED:
        return None
    name = str(known.record["symbolic"]["method"])
    if all(m.name != name for m in METHODS):
        return None  # of what the statement is turned into
    try:
        found = planner.by_method(name)
    except LapdpError:
        return None
    return found if found is not None and found.kind is Kind.DERIVED else None


def _as_known(statement: Statement, known: Known | None, digits: int, seed: int, patience: float,
              deadline: float) -> Judgement | None:
    """Refuted as on record, without asking under which hypothesis the statement holds: by an exact
    instance, by the method that needs none, or by whatever method refutes it now."""
    if known is None or known.record is None or known.kind is not Kind.REFUTED:
        return None
    name = known.record["symbolic"]["method"]
    planner = Planner(_at_record(statement, known.record), digits, seed, patience,
                       deadline=deadline, routes=Routes(known.routes))
    if not planner.is_well_formed():
        return None
    try:
        found = planner.seen_again(known.record["witness"]) if name == WITNESS else (
            planner.by_method(name, str((known.record["witness"] or {}).get("rhs"))))
    except LapdpError:
        found = None
    if (found is None or found.kind is not Kind.REFUTED) and name != WITNESS:
        found = _decided(statement, digits, seed, patience, deadline)
    if found is None or found.kind is not Kind.REFUTED:
        return None
    return replace(found, holds_under=known.record["holds_under"], scope=known.record["scope"],
                   extra={})


def _at_record(statement: Statement, record: Mapping[str, Any]) -> Statement:
    """The statement with a hint to where it was seen to fail by proofs at an instance: values that
    come before do not have to be searched in vain again."""
    if record["symbolic"]["method"] != counterexamples.METHOD:
        return statement
    # a record may be anybody's: its texts are compared, and not read
    said = (record["witness"] or {}).get("values", {})
    hint = {name: v for name, text in said.items() for v in counterexamples.VALUES
            if str(v) == text}
    return replace(statement, hints={**statement.hints, "witness": {
        **hint, **statement.hints.get("witness", {})}})


def _numbers_known(statement: Statement, digits: int, seed: int) -> Known | None:
    """What is on record beside a search, where the numbers are those that are asked for."""
    from lapdp.theory.kept_verdicts import DIGITS, SEED
    from lapdp.theory.kept_verdicts import known as on_record

    return on_record(statement) if (digits, seed) == (DIGITS, SEED) else None


def _on_record(found: Judgement | None, known: Known | None) -> Numeric | None:
    """The numeric column on record of a verdict that was seen again; one that denies it is asked
    anew."""
    if found is None or known is None or known.numeric is None or (
            found.kind is not Kind.REFUTED and known.numeric.agrees is False):
        return None
    return known.numeric


def is_contradicted(statement: Statement) -> bool:
    """Does one of the smallest exact instances contradict a statement?"""
    try:
        return Planner(statement, 30, 0, PATIENCE).is_contradicted()
    except LapdpError:
        return False


def _decided(statement: Statement, digits: int, seed: int, patience: float, deadline: float,
             first: Callable[[Planner], Judgement | None] = lambda _: None,
             doubted: bool = False) -> Judgement:
    """What is said ``first``; else what the methods and the search for a witness say.  What is
    argued is put before numbers, unless it is ``doubted`` already, in vain."""
    try:
        planner = Planner(statement, digits, seed, patience, deadline=deadline)
        verdict = first(planner) or planner.judge()
        if verdict.kind is Kind.DERIVED:
            planner.require_consistent()
        if verdict.kind in (Kind.CERTIFIED, Kind.TESTED) or (
                verdict.kind is Kind.DERIVED and not doubted):
            verdict = undoubted(statement, verdict)
    except IllFormed as problem:
        verdict = Judgement(Kind.ILL_FORMED, "well-formedness", reason=str(problem))
    except LapdpError as problem:
        verdict = Judgement(Kind.UNDECIDED, "none", reason=str(problem))
    except MemoryError:
        raise
    except Exception as problem:
        verdict = Judgement(Kind.UNDECIDED, "none", reason=fault("of the engine", problem))
    return verdict


def _supposed(statement: Statement, verdict: Judgement, column: Numeric | None, unmet: bool
              ) -> tuple[Judgement, str]:
    """What holds or is open, unless it is said of nothing, and what is to be told where no instance
    is seen, now or on record (``unmet``); what holds tells it."""
    try:
        told = require_instance(statement, column, unmet)
    except IllFormed as problem:
        return Judgement(Kind.ILL_FORMED, "well-formedness", reason=str(problem)), ""
    return replace(verdict, reason=told) if verdict.kind in HOLDS else verdict, told


def _replayed(statement: Statement) -> Judgement | None:
    """Proved, if a derivation is kept beside the proof file and the kernel accepts it."""
    from lapdp.theory.derivations import REPLAYED, replayed

    checked = replayed(statement)
    return None if checked is None else Judgement(Kind.PROVED, REPLAYED, checked=checked)


def _by_law(law: tuple[str, Checked] | None) -> Judgement | None:
    """Proved by a law that gives the statement."""
    return None if law is None else Judgement(Kind.PROVED, f"the law {law[0]}", checked=law[1])


def _searched(statement: Statement, verdict: Judgement) -> Judgement:
    """Proved, if a derivation is found that the kernel accepts; else why there is none."""
    from lapdp.theory.derivations import searched

    checked, why = searched(statement)
    if checked is None:
        return replace(verdict, tried=(*verdict.tried, f"kernel: {why}"))
    method = verdict.method if verdict.kind is Kind.DERIVED else "derivation"
    return replace(verdict, kind=Kind.PROVED, method=method, checked=checked, reason="")


def with_search(statement: Statement, judged: Judged, seconds: float) -> Judged:
    """What was undecided, proved if a derivation is found in so many seconds that the kernel
    accepts and something meets the hypotheses; anything else as it was, and what the numeric column
    contradicts."""
    if judged.kind is not Kind.UNDECIDED or (judged.numeric and judged.numeric.agrees is False):
        return judged
    found: Judgement = judged
    try:
        with time_limit(seconds):
            found = _searched(statement, judged)
            if found.kind is Kind.PROVED:
                # of hypotheses that nothing meets everything follows
                found = replace(found, reason=NOT_MET)
                found, _ = _supposed(statement, found, judged.numeric, False)
    except TimeUp:
        pass
    return Judged.of(statement, found)


def verify(target: Any, **options: Any) -> Judged:
    """Judge a statement, or the statement of the library or of ./proofs with that id.

    The options are those of :func:`judge`, with a search for a derivation unless ``search=False``
    and ``seconds=60``, kept by an alarm, unless others are given.
    Raises InputError for an unknown id, and for options that there are not.

    >>> print(verify("chourasia2024/eq-22").kind)
    proved
    """
    # a process of its own costs what was computed before: it is for those who ask for seconds
    require_names("verify", options, _OPTIONS)
    how = judge if "seconds" in options else partial(_judge, seconds=SECONDS)
    options = {"search": True, **options}
    if isinstance(target, Statement):
        law = cited_law(target, options.get("seconds", SECONDS)) if options["search"] else None
        return how(target, law=law, **options)
    if isinstance(target, lang.FORMS):
        raise InputError('verify takes a statement: write verify(claim("a-name", relation))')
    from lapdp.theory.discovery import Catalogue

    catalogue = Catalogue(".")
    found = catalogue.find(str(target))
    if found is None:
        if set("=<>") & set(str(target)):
            raise InputError(f"{target} is no id; as text it goes to `lapdp check`, here write "
                             'verify(claim("a-name", Eq(left, right)))')
        near = catalogue.near(str(target))
        raise InputError(f"{target} is no id of ./proofs or of the library; " + (
            f"did you mean {', '.join(near)}?" if near else "`lapdp list` shows all"))
    return how(found, **options)


__all__ = ["is_contradicted", "judge", "numeric_column", "verify"]
