"""One statement on its way through the methods.

Each proves, finds failing cases, or says why it stops.  Failing cases and unreached claims go to
the search for an exact witness; only a witness makes ``refuted``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.border import fault
from lapdp.core.deadline import TimeUp, time_limit
from lapdp.core.errors import (
    IllFormed,
    LapdpError,
    NotLinear,
    Undefined,
    Unsupported,
)
from lapdp.core.verdict import (
    Certificate,
    Judgement,
    Kind,
    Proof,
    Rejected,
    seal,
)
from lapdp.theory import language as lang
from lapdp.theory.apart import apart
from lapdp.theory.consistency import contradictory
from lapdp.theory.hypotheses import Hypotheses, gather
from lapdp.theory.instances import allowed
from lapdp.theory.meaning import require_meaning
from lapdp.theory.methods import closed_on_a_box, sampling
from lapdp.theory.methods.kernels import KernelMethod, KernelRun, describe_choice, leaves
from lapdp.theory.methods.registry import METHODS
from lapdp.theory.normal_losses import without_normal_losses
from lapdp.theory.obligations import PASSIVE
from lapdp.theory.premises import usable
from lapdp.theory.reach import require_reach
from lapdp.theory.render import text_of_form
from lapdp.theory.routes import Routes
from lapdp.theory.scope import Scope, scope_of, under_continuity
from lapdp.theory.shapes import (
    has_crooked_cells,
    is_averaged,
    is_composed,
    is_made_of_functions,
    is_of_mixtures,
    is_of_suprema,
    is_through_channels,
)
from lapdp.theory.special_cases import is_indexed, search_cases
from lapdp.theory.statement import Statement
from lapdp.theory.unfolding import substitute_form, unfold
from lapdp.theory.witness import search

MAX_REDUCTIONS = 5
LIMIT = 6000
"""Instances of a search for a witness."""
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
TIME_IS_UP = "the time is up: seconds= gives more"
STOPS = (Unsupported, Undefined, NeedSplit, Rejected)
PASSING = ("pairs on [0, 1]", "parts", "two implications", "a hypothesis more", "any element")
"""The method that proves that a pair on [0, 1] is one, and those that leave claims to it."""
CLAIM_BY_CLAIM = ("parts", "two implications", "data processing")
"""The methods that take a statement apart and say nothing of pairs, and the one for channels."""
EXISTS_VALUES = (sp.Rational(1, 2), sp.Integer(2), sp.Integer(-1))
"""What is tried for a number that is claimed to exist."""


def _text(problem: BaseException) -> str:
    return f"the sign of {problem.form} is open" if isinstance(problem, NeedSplit) else str(problem)


class Planner:
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
        dependent = any(asked(self.statement) for asked in (is_composed, is_indexed, is_of_suprema))
        if dependent and self.statement.hints.get("witness"):
            hinted = self._refute(None, seconds=HINTED_SECONDS)
            if hinted.kind is Kind.REFUTED:
                return hinted
        found = self._early(hypotheses)
        if found is not None:
            return found
        failed: tuple[KernelMethod, KernelRun] | None = None
        if not isinstance(self.statement.claim, (lang.Implies, lang.Iff, lang.NotAlways)) and not (
                is_averaged(self.statement) or is_through_channels(self.statement)):
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

    def require_consistent(self) -> None:
        """Ill-formed where a hypothesis fails by the others: a proof from them says nothing."""
        brief = Planner(self.statement, self.digits, self.seed, 0.0, MAX_REDUCTIONS - 2, SLOW)
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
            found = Planner(trial, self.digits, self.seed, self.patience, self.depth + 1,
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
                if is_through_channels(self.statement):
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
        if is_made_of_functions(self.statement):
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
        wanted = hypotheses.other or numbers or any(asked(self.statement) for asked in (
            is_composed, is_of_suprema, has_crooked_cells))
        return self._reduced(early=True) if wanted else None

    def _reduced(self, early: bool = False, only: str = "") -> Judgement | None:
        """The first method of the registry, not asked yet, that proves or refutes the statement; of
        early ones alone, or of the one named ``only``."""
        mixed = is_of_mixtures(self.statement)
        made, through = is_made_of_functions(self.statement), is_through_channels(self.statement)
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
        planner = Planner(lemma, self.digits, self.seed, 0.0, self.depth + 1, self.passed_over,
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
        planner = Planner(statement, self.digits, self.seed, 0.0, deadline=self.deadline)
        try:
            return not planner._kernels(planner._hypotheses())[1].failures()
        except (LapdpError, NeedSplit):
            return False


__all__ = ["LIMIT", "TIME_IS_UP", "WITNESS", "Planner"]
