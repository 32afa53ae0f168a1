"""The engine: one judge for every statement.

Methods are tried in a fixed order; each proves, finds failing cases, or says why it stops.  A proof
is sealed by the core.  Failing cases and unreached claims go to the search for an exact witness;
only a witness makes ``refuted``.  The numeric column is computed by code that shares nothing with
the methods, and a proof it contradicts is withdrawn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import starmap
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.border import fault
from lapdp.core.calls import require_names
from lapdp.core.checked import Checked
from lapdp.core.deadline import TimeUp, time_limit
from lapdp.core.errors import (
    IllFormed,
    InputError,
    LapdpError,
    NotLinear,
    Undefined,
    Unsupported,
)
from lapdp.core.precision import alone
from lapdp.core.room import with_room
from lapdp.core.verdict import (
    HOLDS,
    Certificate,
    Judgement,
    Kind,
    Numeric,
    Proof,
    Rejected,
    seal,
)
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.families import Averaged, OnUnitInterval, Processed, parts_of
from lapdp.privacy.mixtures import coefficients, is_mixture
from lapdp.privacy.pointwise import LossAt
from lapdp.theory import language as lang
from lapdp.theory.apart import apart
from lapdp.theory.bounded import may_fork, within
from lapdp.theory.cited_laws import cited_law
from lapdp.theory.consistency import NOT_MET, contradictory, require_instance
from lapdp.theory.events import require_events, require_one_space
from lapdp.theory.hypotheses import Hypotheses, gather
from lapdp.theory.indices import stray_index
from lapdp.theory.instances import allowed
from lapdp.theory.judged import Judged
from lapdp.theory.kept_verdicts import Known
from lapdp.theory.methods import closed_on_a_box, counterexamples, sampling
from lapdp.theory.methods.having_values import require_kept
from lapdp.theory.methods.kernels import KernelMethod, KernelRun, describe_choice, leaves
from lapdp.theory.methods.registry import METHODS
from lapdp.theory.normal_losses import without_normal_losses
from lapdp.theory.obligations import PASSIVE
from lapdp.theory.premises import usable
from lapdp.theory.reach import bound_anywhere, require_reach
from lapdp.theory.render import text_of_form
from lapdp.theory.routes import Routes
from lapdp.theory.scope import Scope, scope_of, under_continuity
from lapdp.theory.special_cases import is_indexed, search_cases
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

NUMERIC_WORK, NUMERIC_INSTANCES = 12_000, 5
"""Bounds of the numeric column of one statement, in evaluations: it stops at the instances it has
by then, the same ones on a busy machine."""
MAX_REDUCTIONS = 5
BRIEF = 500
"""Steps of a search where it is on record that one was in vain."""
BRIEFLY = 1.0
"""Seconds of a search for a witness where it is on record that a statement is undecided, or that it
stands on what is cited."""
PATIENCE, LIMIT = 8.0, 6000
"""Seconds and instances of a search for a witness."""
OVERTIME = 2.0
"""Seconds in which an instance is finished when those of the search are over."""
WITNESS = "witness"
"""The method of what such a search refutes."""
GLANCE = 60
"""Parts of expressions that a search against what is on record looks at: the larger a statement,
the fewer instances; the same ones on a busy machine."""
HINTED_SECONDS = 1.0
"""What a hinted witness of a composition may take before its proof is tried."""
SLOW = frozenset({"a hypothesis added"})
"""Methods that a search for contradictory hypotheses passes over: it must not outlast the proof."""
SECONDS = 60.0
"""What :func:`verify` gives to one statement, as ``lapdp verify`` does."""
SHARE = 3
"""The search for a witness has at most one in so many of all seconds: methods come first."""
_OPTIONS = ("digits", "seed", "numeric", "patience", "seconds", "search", "anew", "known")
TIME_IS_UP = "the time is up: seconds= gives more"
STOPS = (Unsupported, Undefined, NeedSplit, Rejected)


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
                column = _against_it(statement, column)
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

    def derived(planner: _Planner) -> Judgement | None:
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


def _argued_as_known(planner: _Planner, known: Known | None) -> Judgement | None:
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
    planner = _Planner(_at_record(statement, known.record), digits, seed, patience,
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
        return _Planner(statement, 30, 0, PATIENCE).is_contradicted()
    except LapdpError:
        return False


def _decided(statement: Statement, digits: int, seed: int, patience: float, deadline: float,
             first: Callable[[_Planner], Judgement | None] = lambda _: None,
             doubted: bool = False) -> Judgement:
    """What is said ``first``; else what the methods and the search for a witness say.  What is
    argued is put before numbers, unless it is ``doubted`` already, in vain."""
    try:
        planner = _Planner(statement, digits, seed, patience, deadline=deadline)
        verdict = first(planner) or planner.judge()
        if verdict.kind is Kind.DERIVED:
            planner.require_consistent()
        if verdict.kind in (Kind.CERTIFIED, Kind.TESTED) or (
                verdict.kind is Kind.DERIVED and not doubted):
            verdict = _undoubted(statement, verdict)
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


def _against_it(statement: Statement, column: Numeric) -> Numeric:
    """The numbers beside a refutation: instances at random missed what fails; those chosen against
    the statement confirm it, or the column says nothing."""
    from lapdp.numeric.hostile import doubts

    try:
        doubt = doubts(statement)
    except LapdpError:
        doubt = None
    if doubt is None:
        return replace(column, agrees=None, reason=(
            f"the claim holds at {column.instances} instances drawn at random, and none of them is "
            "the witness"))
    return replace(column, agrees=False, instances=column.instances + 1, reason=str(doubt))


def _undoubted(statement: Statement, verdict: Judgement) -> Judgement:
    """What the engine argued, unless numbers at instances chosen against it say otherwise."""
    from lapdp.numeric.hostile import doubts

    try:
        doubt = doubts(statement)
    except LapdpError:
        return verdict  # what cannot be drawn cannot be doubted
    if doubt is None:
        return verdict
    return Judgement(
        Kind.UNDECIDED, verdict.method, tried=verdict.tried,
        reason=f"the columns disagree: {verdict.kind} by {verdict.method}, but numerically {doubt}")


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


def numeric_column(statement: Statement, digits: int, seed: int) -> Numeric:
    from lapdp.numeric import column

    slow = statement.hints.get("numeric_work")
    try:
        return column(statement, instances=1 if slow else NUMERIC_INSTANCES, digits=digits,
                      seed=seed, work=slow or NUMERIC_WORK)
    except LapdpError as problem:
        return Numeric("mpmath quadrature", reason=str(problem))
    except MemoryError:
        raise
    except Exception as problem:
        return Numeric("mpmath quadrature", reason=fault("the numeric column", problem))


def _has_crooked_cells(statement: Statement) -> bool:
    """Is a density under a maximum multiplied by a product of parameters, its own or one that a
    hypothesis makes it?  Cells then have no linear borders."""
    def degree(e: Any) -> int:
        rest = sp.Mul(*(x for x in sp.Mul.make_args(e) if not isinstance(x, pn.Distribution)))
        return int(sp.total_degree(rest)) if rest.is_polynomial() and rest.free_symbols else 0

    if not isinstance(statement.claim, sp.core.relational.Relational):
        return False
    weights = [degree(term) for e in lang.expressions(statement.claim)
               for node in sp.sympify(e).atoms(pn.IntegralOverSpace)
               for x in node.atoms(sp.Max) for a in x.args
               for term in sp.Add.make_args(sp.expand(a))]
    bent = any(degree(term) > 1 for h in statement.where if isinstance(h, sp.Eq)
               for e in h.args for term in sp.Add.make_args(sp.expand(e)))
    return any(n > 1 for n in weights) or (bent and any(weights))


class _Planner:
    """One statement on its way through the methods."""

    def __init__(self, statement: Statement, digits: int, seed: int, patience: float,
                 depth: int = 0, passed_over: frozenset[str] = frozenset(), *,
                 deadline: float = math.inf, routes: Routes | None = None) -> None:
        self.routes = routes or Routes()
        self.original, self.digits, self.seed = statement, digits, seed
        self.patience, self.depth, self.deadline = patience, depth, deadline
        self.statement = unfold(apart(statement))
        self.premises = usable(self.statement)
        self.tried: list[str] = []
        self.passed_over = passed_over
        self.asked = set(passed_over)

    def judge(self) -> Judgement:
        """The verdict; what was tried goes with an alarm that comes meanwhile."""
        try:
            return self._explained(self._judged())
        except TimeUp as late:
            late.done = tuple(self.tried)
            raise

    def is_well_formed(self) -> bool:
        """Has it a meaning, and do its hypotheses not contradict each other at sight?"""
        try:
            require_meaning(self.statement)
            self._hypotheses()
        except LapdpError:
            return False
        return True

    def is_contradicted(self) -> bool:
        """Does one of the smallest exact instances contradict it?"""
        try:
            size = sum(1 for form in (self.statement.claim, *self.statement.where)
                       for e in lang.expressions(form)
                       for _ in sp.preorder_traversal(sp.sympify(e)))
            return self.witnessed(max(1, GLANCE // max(1, size))).kind is Kind.REFUTED
        except LapdpError:
            return False

    def seen_again(self, witness: Mapping[str, Any] | None) -> Judgement:
        """Refuted by the instance that is written as a witness on record, else by any."""
        text = str((witness or {}).get("text", ""))
        found = self.witnessed(LIMIT, text=text) if text else None
        return found if found is not None and found.kind is Kind.REFUTED else self.witnessed(LIMIT)

    def witnessed(self, limit: int, seconds: float | None = None, text: str = "") -> Judgement:
        """Refuted by one of so many exact instances, of those that are written so if there is a
        ``text``, before any method is asked; or undecided.  Under which hypothesis the statement
        holds is not asked.

        What is tried in vain is told in this verdict alone."""
        require_meaning(self.statement)
        require_reach(self.statement)
        before = len(self.tried)
        try:
            return self._explained(self._refute(None, seconds, limit, text, scoped=False))
        finally:
            del self.tried[before:]

    def by_method(self, name: str, against: str = "") -> Judgement | None:
        """What the method of that name says, asked alone; a name that is no method's is of balls,
        which see at once what is ``against`` an integral without a value."""
        require_reach(self.statement)
        if self.premises is not self.statement:
            return None
        run = next((partial(m.run, self.premises, self._prove) for m in METHODS if m.name == name),
                   None)
        found = (self._balls(against == sampling.NO_VALUE) if run is None
                 else self._attempt(name, run))
        return None if found is None else self._explained(found)

    def _explained(self, verdict: Judgement) -> Judgement:
        """Where exponentials were compared, a witness says that its sides are so; a refutation by
        lemmas tells which methods proved them."""
        if verdict.kind is Kind.REFUTED and verdict.method != WITNESS and (
                noted := self.routes.record()):
            verdict = replace(verdict, extra={**verdict.extra, "routes": noted})
        meant = self.statement.claim
        numbers = not self.original.parameters and all(
            a.mechanism is not None for p in self.original.pairs for a in p.atoms())
        if not numbers or verdict.witness is None or meant == apart(
                without_normal_losses(self.original)).claim:
            return verdict
        return replace(verdict, witness=replace(verdict.witness, why=(
            f"{verdict.witness.why}; the sides are those of {text_of_form(meant)}")))

    def _judged(self) -> Judgement:
        """Try all methods; then search a witness; then give up with the reasons."""
        require_meaning(self.statement)
        try:
            require_reach(self.statement)
        except Unsupported as problem:
            return Judgement(Kind.UNDECIDED, "none", reason=str(problem))
        if isinstance(self.statement.claim, lang.Exists):
            found = self._attempt("a value", self._exists)
            return found or self._reduced() or self._refute(None)
        hypotheses = self._hypotheses()
        dependent = self._composed() or is_indexed(self.statement) or self._of_suprema()
        if dependent and self.statement.hints.get("witness"):
            hinted = self._refute(None, seconds=HINTED_SECONDS)
            if hinted.kind is Kind.REFUTED:
                return hinted
        found = self._early(hypotheses)
        if found is not None:
            return found
        failed: tuple[KernelMethod, KernelRun] | None = None
        if not isinstance(self.statement.claim, (lang.Implies, lang.Iff, lang.NotAlways)) and not (
                self._averaged() or self._through_channels()):
            try:
                method, run = self._kernels(hypotheses)
                if not run.failures():
                    return self._sealed(method, run)
                failed = (method, run)
                self.tried.append("kernels: some case is left open")
            except STOPS as problem:
                self.tried.append(f"kernels: {_text(problem)}")
            except (LapdpError, MemoryError):
                raise
            except Exception as problem:
                self.tried.append(fault("kernels", problem))
        found = self._reduced()
        if found is not None:
            return found
        searched = self._refute(failed) if failed is not None else None
        if searched is not None and searched.kind is Kind.REFUTED:
            return searched
        return self._balls() or searched or self._refute(None)

    def _composed(self) -> bool:
        """Does the claim speak of a composition?  Kernels take its pairs for independent ones."""
        return any(part.role is not None for p in self.statement.pairs for a in p.atoms()
                   for part in parts_of(a))

    def _of_suprema(self) -> bool:
        """Does the claim compare two profiles, one of mixtures, or suprema over events?"""
        claim = self.statement.claim
        if not isinstance(claim, sp.core.relational.Relational):
            return False
        sides = (claim.lhs, claim.rhs)
        return all(isinstance(e, (pn.Profile, pn.SupOverEvents)) for e in sides) and any(
            isinstance(e, pn.SupOverEvents) or is_mixture(*e.args[:2]) for e in sides)

    def _averaged(self) -> bool:
        """Does the claim speak of averages?  Kernels would take them for arbitrary pairs."""
        return any(isinstance(p.role, Averaged) for p in lang.pairs_of(self.statement.claim))

    def _through_channels(self) -> bool:
        """Does the statement speak of outputs of channels, or as of a pair of two of several
        distributions?  Methods would take them for arbitrary pairs: that is left to derivations."""
        return any(isinstance(part.role, Processed) for p in self.statement.pairs
                   for a in p.atoms() for part in parts_of(a)) or any(
                       pn.of_several(*two) for two in _spoken_of(self.statement))

    def require_consistent(self) -> None:
        """Ill-formed where a hypothesis fails by the others: a proof from them says nothing."""
        brief = _Planner(self.statement, self.digits, self.seed, 0.0, MAX_REDUCTIONS - 2, SLOW)
        form = contradictory(self.statement, brief._prove)
        if form is not None:
            raise IllFormed(f"the hypotheses contradict each other: {form} fails by the others")

    def _hypotheses(self) -> Hypotheses:
        """The hypotheses sorted; ill-formed where they contradict each other."""
        try:
            hypotheses = gather(self.premises)
        except Unsupported as problem:
            raise IllFormed(f"a hypothesis cannot be read: {problem}") from None
        try:
            empty = Cell(hypotheses.constraints).is_empty()
        except Unsupported:
            return hypotheses
        if empty:
            raise IllFormed("the hypotheses contradict each other")
        return hypotheses

    # -- existence ------------------------------------------------------------------------------

    def _exists(self) -> Judgement | None:
        """Try a few values, the hinted one first: one that is proved to work proves existence."""
        claim = self.statement.claim
        hinted = self.original.hints.get("choose")
        usual = () if "witness" in self.original.hints else EXISTS_VALUES
        for value in ([hinted] if hinted is not None else []) + list(usual):
            if not allowed(claim.symbol, sp.sympify(value)):
                continue
            form = substitute_form(claim.claim, {claim.symbol: sp.sympify(value)})
            extra = tuple(substitute_form(h, {claim.symbol: sp.sympify(value)})
                          for h in claim.where)
            trial = replace(self.statement, claim=form)
            found = _Planner(trial, self.digits, self.seed, self.patience, self.depth + 1,
                             deadline=self.deadline, routes=self.routes).prove_only()
            if found is not None and not extra:
                return replace(found, method=f"{found.method}, at {claim.symbol} = {value}")
        return None

    def prove_only(self) -> Judgement | None:
        """A proof by kernels or by a reduction, or None; no search for a witness.  The method that
        is told for it is asked first."""
        require_reach(self.statement)
        if told := self._as_told():
            return told
        if not isinstance(self.statement.claim, (lang.Implies, lang.Iff, lang.Exists,
                                                 lang.NotAlways)):
            try:
                hypotheses = gather(self.premises)
                early = self._early(hypotheses)
                if early is not None:
                    return early if early.kind is Kind.DERIVED else None
                if self._through_channels():
                    raise Unsupported("outputs of a channel are no arbitrary pair")
                method, run = self._kernels(hypotheses)
                if not run.failures():
                    return self._sealed(method, run)
                self.tried.append("kernels: some case is left open")
            except (*STOPS, IllFormed) as problem:
                self.tried.append(f"kernels: {_text(problem)}")
            except (LapdpError, MemoryError):
                raise
            except Exception as problem:
                self.tried.append(fault("kernels", problem))
        try:
            found = self._reduced()
        except IllFormed as problem:
            self.tried.append(str(problem))
            return None
        return found if found is not None and found.kind is Kind.DERIVED else None

    def _as_told(self) -> Judgement | None:
        """What the method that is told for it proves."""
        told = self.routes.of(self.statement)
        try:
            found = self._reduced(only=told) if told else None
        except IllFormed as problem:
            self.tried.append(str(problem))
            return None
        return found if found is not None and found.kind is Kind.DERIVED else None

    # -- kernels --------------------------------------------------------------------------------

    def _kernels(self, hypotheses: Hypotheses) -> tuple[KernelMethod, KernelRun]:
        """Kernels, or couples of kernels where constants stand for P(Omega) and Q(Omega) both."""
        self._require_time()
        if _made_of_functions(self.statement):
            raise Unsupported("a pair on [0, 1] is not an arbitrary pair")
        plain: tuple[KernelMethod, KernelRun] | None = None
        stopped: BaseException | None = None
        try:
            plain = self._plain_kernels(hypotheses)
            if not plain[1].failures():
                return plain
        except STOPS as problem:
            stopped = problem
        method = KernelMethod(self.premises, hypotheses, couples=True)
        if len(method.pairs) == 1:
            try:
                return method, method.execute()
            except STOPS as problem:
                self.tried.append(f"couples of kernels: {_text(problem)}")
        if stopped is not None:
            raise stopped
        assert plain is not None
        return plain

    def _plain_kernels(self, hypotheses: Hypotheses) -> tuple[KernelMethod, KernelRun]:
        try:
            method = KernelMethod(self.premises, hypotheses)
            return method, method.execute()
        except (IllFormed, NotLinear):
            # not linear in each function: perhaps in all of them together
            method = KernelMethod(self.premises, hypotheses, joint=True)
            if len(method.functions) < 2:
                raise
            return method, method.execute()

    def _sealed(self, method: KernelMethod, run: KernelRun) -> Judgement:
        claims_divergence = isinstance(self.statement.claim, lang.Diverges)
        live = [o for _, tree in run.trees for _, leaf in leaves(tree) for o in leaf.obligations
                if claims_divergence or type(o) not in PASSIVE]
        if not live:
            raise IllFormed("no pair satisfies the hypotheses: the claim is empty")
        name = method.name
        certificate = Certificate(
            name, tuple((describe_choice(c), tree) for c, tree in run.trees),
            tuple(run.facts))
        proof = seal(certificate)
        return Judgement(Kind.DERIVED, name, proof=proof, tried=tuple(self.tried))

    # -- other methods --------------------------------------------------------------------------

    def _early(self, hypotheses: Hypotheses) -> Judgement | None:
        """Ask before kernels where they ignore a hypothesis, or where numbers need no cases."""
        numbers = bool(self.statement.pairs) and not self.statement.parameters
        wanted = hypotheses.other or self._composed() or numbers or self._of_suprema() or (
            _has_crooked_cells(self.statement))
        return self._reduced(early=True) if wanted else None

    def _reduced(self, early: bool = False, only: str = "") -> Judgement | None:
        """The first method of the registry, not asked yet, that proves or refutes the statement; of
        early ones alone, or of the one named ``only``."""
        mixed = any(starmap(is_mixture, _spoken_of(self.statement)))
        made, through = _made_of_functions(self.statement), self._through_channels()
        for method in METHODS:
            if method.name in self.asked or (early and not method.early) or (
                    only and method.name != only) or (
                    mixed and not method.mixtures) or (made and method.name not in PASSING) or (
                    through and method.name not in CLAIM_BY_CLAIM):
                continue
            self.asked.add(method.name)
            if time.monotonic() > self.deadline:
                self.tried.append(TIME_IS_UP)
                return None
            found = self._attempt(method.name, partial(method.run, self.premises, self._prove))
            if found is not None and (found.kind is Kind.DERIVED
                                      or self.premises is self.statement):
                if found.kind is Kind.DERIVED:
                    self.routes.note(self.statement, method.name)
                return found
        return None

    def _require_time(self) -> None:
        if time.monotonic() > self.deadline:
            raise Unsupported(TIME_IS_UP)

    def _prove(self, lemma: Statement) -> Proof:
        """A proof of a statement to which this one is reduced; Unsupported without one."""
        if self.depth >= MAX_REDUCTIONS:
            raise Unsupported("a chain of reductions without end")
        self._require_time()
        planner = _Planner(lemma, self.digits, self.seed, 0.0, self.depth + 1, self.passed_over,
                           deadline=self.deadline, routes=self.routes)
        found = planner.prove_only()
        if found is None or found.proof is None:
            raise Unsupported(f"{lemma.id} is not proved: {'; '.join(planner.tried)}")
        return found.proof

    def _balls(self, diverges: bool = False) -> Judgement | None:
        """What balls say; that a claim has no value first, if it is known to be so."""
        if self.statement.of_mechanisms and not diverges:
            return self._attempt(closed_on_a_box.NAME, partial(
                closed_on_a_box.by_closed_forms, self.statement, self.digits))
        if self.statement.pairs or not isinstance(
                self.statement.claim, sp.core.relational.Relational):
            return None
        if diverges and (found := self._attempt("balls", partial(
                sampling.by_divergence, self.statement, self.seed))) is not None:
            return found
        return self._attempt("balls", partial(
            sampling.by_balls, self.statement, self.digits, self.seed))

    def _attempt(self, name: str, method: Any) -> Judgement | None:
        try:
            found: Judgement | None = method()
        except STOPS as problem:
            self.tried.append(f"{name}: {_text(problem)}")
            return None
        except (LapdpError, MemoryError):
            raise
        except Exception as problem:
            self.tried.append(fault(name, problem))
            return None
        return None if found is None else replace(found, tried=(*self.tried, *found.tried))

    # -- refutation -----------------------------------------------------------------------------

    def _refute(self, failed: tuple[KernelMethod, KernelRun] | None,
                seconds: float | None = None, limit: int = LIMIT, text: str = "",
                scoped: bool = True) -> Judgement:
        functions = failed[0].functions if failed else sorted(
            {type(x).__name__ for form in (self.statement.claim, *self.statement.where)
             for e in lang.expressions(form)
             for x in sp.sympify(e).atoms(sp.core.function.AppliedUndef)})
        find = search_cases if is_indexed(self.statement) else search
        witness, looked = None, 0
        allowed = self.patience if seconds is None else seconds
        start = time.process_time()
        try:
            # the search looks at the clock between instances, and one of them may take long
            with time_limit(allowed + OVERTIME, processor=True):
                witness, looked = find(self.statement, functions, allowed, limit, text)
        except TimeUp:
            if time.process_time() - start < allowed:
                raise  # the time of the whole is up
            self.tried.append(f"witness search: stopped in an instance after {allowed:g} s")
        except (LapdpError, MemoryError):
            raise
        except Exception as problem:
            self.tried.append(fault("witness search", problem))
        scope = scope_of(failed[1], failed[0].variables) if failed else Scope("", False)
        self.tried.append(f"witness search: {looked} exact instances")
        if scoped and witness is not None and not scope.text and time.monotonic() < self.deadline:
            scope = under_continuity(self.statement, self._by_kernels)
        if witness is not None:
            return Judgement(
                Kind.REFUTED, WITNESS, witness=witness, holds_under=scope.text,
                scope=("exact" if scope.exact else "sufficient") if scope.text else "",
                tried=tuple(self.tried), reason=witness.why)
        return Judgement(Kind.UNDECIDED, "none", tried=tuple(self.tried),
                         holds_under=scope.text, scope="sufficient" if scope.text else "",
                         reason="; ".join(self.tried))


    def _by_kernels(self, statement: Statement) -> bool:
        """Do kernels alone prove a statement?"""
        planner = _Planner(statement, self.digits, self.seed, 0.0, deadline=self.deadline)
        try:
            return not planner._kernels(planner._hypotheses())[1].failures()
        except (LapdpError, NeedSplit):
            return False


PASSING = ("pairs on [0, 1]", "parts", "two implications", "a hypothesis more", "any element")
"""The method that proves that a pair on [0, 1] is one, and those that leave claims to it."""


CLAIM_BY_CLAIM = ("parts", "two implications", "data processing")
"""The methods that take a statement apart and say nothing of pairs, and the one for channels."""


def _made_of_functions(statement: Statement) -> bool:
    """Does the claim speak of pairs on [0, 1]?  Their distribution functions must be such."""
    return any(isinstance(p.role, OnUnitInterval) for p in lang.pairs_of(statement.claim))


EXISTS_VALUES = (sp.Rational(1, 2), sp.Integer(2), sp.Integer(-1))


def require_meaning(statement: Statement) -> None:
    """Refuse what no reading gives a sense: infinite frequencies, limits that are not real, symbols
    that may be infinite, functions without an argument."""
    for s in statement.parameters:
        if s.is_extended_real and not s.is_real:
            raise IllFormed(f"the symbol {s} may be infinite: declare it real")
    nodes = [x for form in (statement.claim, *statement.where) for e in lang.expressions(form)
             for x in sp.preorder_traversal(sp.sympify(e))]
    for node in nodes:
        if isinstance(node, (cn.OneSided, cn.Bilateral)) and node.args[2].has(sp.oo, sp.zoo,
                                                                              sp.nan):
            raise IllFormed(f"the frequency {node.args[2]} is not a number")
        if isinstance(node, cn.IntegralOnLine) and not all(
                x.is_extended_real for x in node.args[2:]):
            raise IllFormed(f"the limits of {node} must be real")
        if isinstance(node, cn.GeneralizedDerivative) and not (
                node.args[2].is_Integer and node.args[2] >= 0):
            raise IllFormed(f"the order of the derivative {node} must be a whole number")
        for first, second in _distributions(node):
            coefficients(first, second)
        if isinstance(node, sp.core.function.AppliedUndef) and len(node.args) != 1:
            raise IllFormed(f"{node}: an arbitrary function has one argument")
        if isinstance(node, tn.TradeOff) and (node.args[2].is_extended_negative or (
                1 - node.args[2]).is_extended_negative):
            raise IllFormed(f"{node}: a trade-off function has values on [0, 1] only")
        if isinstance(node, tn.SetOf):
            raise IllFormed(f"{node} is a set, where a number is needed")
    for form in (statement.claim, *statement.where):
        if isinstance(form, lang.SameMeasure):
            require_one_space({d for e in (form.lhs, form.rhs) for term in sp.Add.make_args(
                sp.expand(e)) for d in sp.Mul.make_args(term) if isinstance(d, pn.Distribution)})
    told = stray_index(statement)
    if told:
        raise IllFormed(told)
    require_events(nodes)


def _spoken_of(statement: Statement) -> Iterator[Any]:
    """The two distributions of each notion in a statement."""
    for form in (statement.claim, *statement.where):
        if isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)):
            yield form.P, form.Q
        for e in lang.expressions(form):
            for node in sp.preorder_traversal(sp.sympify(e)):
                yield from _distributions(node)


def _distributions(node: Any) -> list[tuple[Any, Any]]:
    """The two distributions that a notion is asked of."""
    if isinstance(node, (pn.Profile, pn.Loss, LossAt, tn.TradeOff)):
        return [node.args[:2]]
    return [node.args[1:]] if isinstance(node, (pn.Moment, pn.RenyiDivergence)) else []


def substitute_form(form: Any, values: dict[Any, Any]) -> Any:
    """A claim or hypothesis with symbols replaced; relations stay unevaluated."""
    if bound_anywhere(form) & {s for v in values.values() for s in v.free_symbols}:
        raise Unsupported("a value that speaks of a bound variable")
    require_kept(form, values)
    if isinstance(form, sp.core.relational.Relational):
        return form.func(form.lhs.subs(values), form.rhs.subs(values), evaluate=False)
    if isinstance(form, (lang.Converges, lang.Diverges)):
        return type(form)(form.node.subs(values))
    if isinstance(form, lang.Defined):
        return lang.Defined(form.expr.subs(values))
    raise Unsupported(f"a value put into {type(form).__name__}")


def _text(problem: BaseException) -> str:
    return f"the sign of {problem.form} is open" if isinstance(problem, NeedSplit) else str(problem)


def unfold(statement: Statement) -> Statement:
    """R_q = log(E_q)/(q - 1): an equality of R_q becomes one of exponentials; losses of Gaussian
    pairs get their closed forms.

    e^((q-1) R_q) = E_q, and the principal logarithm is injective away from 0.  For a right side
    that is no logarithm this needs real values, so the orders must be real.
    """
    statement = without_normal_losses(statement)
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return statement
    for lhs, rhs in ((claim.lhs, claim.rhs), (claim.rhs, claim.lhs)):
        if isinstance(lhs, pn.RenyiDivergence):
            q = lhs.args[0]
            if sp.sympify(q) == 1:
                # e^0 says nothing of R_1, the divergence of Kullback and Leibler
                return statement
            target = exponential_of(rhs, q)
            if target is None:
                return statement
            return replace(statement, claim=lang.Eq(sp.exp((q - 1) * lhs), target))
    return statement


def exponential_of(rhs: Any, q: Any) -> Any:
    """e^((q-1) rhs), if that determines rhs."""
    if isinstance(rhs, pn.RenyiDivergence):
        return sp.exp((q - 1) * rhs)
    if rhs.has(sp.oo, -sp.oo):
        return None  # (q - 1) oo is oo on one side of q = 1, and -oo on the other
    logs = [x for x in rhs.atoms(sp.log) if x.args[0].has(*_NODES) or not x.args[0].is_Rational]
    if len(logs) == 1 and sp.cancel(rhs / logs[0] * (q - 1)) == 1:
        return logs[0].args[0]
    if not logs and all(s.is_real for s in rhs.free_symbols):
        return sp.exp(sp.expand((q - 1) * rhs))
    return None


_NODES = (pn.Expectation, pn.Moment, pn.IntegralOverSpace)

__all__ = ["is_contradicted", "judge", "numeric_column", "unfold", "verify"]
