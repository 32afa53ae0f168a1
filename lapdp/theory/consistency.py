"""Do the hypotheses of a statement contradict each other?  What follows from them then is empty.

They do not where some instance satisfies them all: numbers, pairs and functions at random, or an
exact one.  They do where the kernel accepts a derivation of "false" from them, that they have a
meaning included; or where the engine proves from the others that one of them fails, for all values
that it is meant for, of which there are some.  What a claim supposes before anything else ("for all
x with h", "h implies c") counts as a hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.core.checked import accept
from lapdp.core.errors import IllFormed, LapdpError, Unsupported
from lapdp.core.verdict import Numeric
from lapdp.kernel import Bank
from lapdp.kernel.domain import conj
from lapdp.kernel.domain import statement as whole_sentence
from lapdp.numeric.column import is_met
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.fingerprint import digest
from lapdp.theory.hypotheses import gather
from lapdp.theory.rewriting import lemma_of, plain
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

LOOKS, SECONDS = 300, 1.0
"""Bounds of the search for an exact instance."""
STEPS = 1_000
"""What a derivation of a contradiction may take: it is short where there is one."""
NOT_MET = "no instance of the hypotheses was found"
EXCLUDING: dict[Any, tuple[Any, ...]] = {
    sp.Le: (sp.Gt,), sp.Lt: (sp.Ge,), sp.Ge: (sp.Lt,), sp.Gt: (sp.Le,), sp.Ne: (sp.Eq,),
    sp.Eq: (sp.Ne, sp.Gt, sp.Lt)}
"""Relations of which each says that another fails: an order may be proved where its sides are not
known to differ."""


def require_instance(statement: Statement, column: Numeric | None, unmet: bool = False) -> str:
    """What is to be said of the hypotheses beside a proof: nothing where an instance meets them.
    None is looked for where it is on record that none was found (``unmet``): that is told again.

    Raises :class:`IllFormed` where the kernel derives a contradiction from them.

    >>> from lapdp.theory import Eq, Gt, Lt, claim, reals
    >>> x = reals("x")
    >>> require_instance(claim("x/some", Eq(x, 1), where=[Gt(x, 0)]), None)
    ''
    >>> require_instance(claim("x/none", Eq(x, 1), where=[Lt(sp.exp(x), 0)]), None)
    Traceback (most recent call last):
    ...
    lapdp.core.errors.IllFormed: no values meet the hypotheses
    """
    whole = _supposing(statement)
    made = any(a.mechanism is not None for p in statement.pairs for a in p.atoms())
    if not (whole.where or made) or (
            whole is statement and column is not None and column.instances):
        return ""
    # a pair that is made says itself in which range its letters lie
    met = _written((*whole.where, *(whole.pairs if made else ())))
    if met in _MET:
        return ""
    if not unmet and (is_met(whole) or _has_instance(whole)):
        if met:
            _MET.add(met)
        return ""
    if _refuted(whole):
        raise IllFormed("no values meet the hypotheses")
    return NOT_MET


_MET: set[str] = set()
"""Digests of hypotheses that an instance meets: they are those of many statements of a file, and
whatever else a statement speaks of may be anything beside them."""


def _written(where: tuple[Any, ...]) -> str:
    """A digest of hypotheses; empty where it cannot be told what they hold."""
    try:
        return digest(where)
    except IllFormed:
        return ""


def _supposing(statement: Statement) -> Statement:
    """The statement with what its claim supposes first among its hypotheses."""
    claim, where = statement.claim, list(statement.where)
    taken = {s for form in where for s in lang.parameters(form)}
    if isinstance(claim, lang.ForAll) and claim.where and not taken & set(claim.over):
        where += claim.where
        claim = claim.claim
    elif isinstance(claim, lang.Implies):
        where.append(lang.ForAll(claim.over, claim.hypothesis) if claim.over else claim.hypothesis)
        claim = claim.conclusion
    return statement if claim is statement.claim else replace(
        statement, claim=claim, where=tuple(where))


def _refuted(statement: Statement) -> bool:
    """Does the kernel accept a derivation of "false" from what is supposed?"""
    from lapdp.proving.search import derive
    from lapdp.theory.sentences import NotSaid, elaborate

    bank = Bank()
    try:
        sentence = elaborate(statement, bank)
        goal = whole_sentence(bank, sentence.hypotheses, bank.make("false"))
        defined = conj(bank, *sentence.definitions)
        goal = goal if defined is None else bank.make("imp", defined, goal)
        name = bank.digest(goal)
        if name in _NOT_DERIVED:
            return False
        lines, _ = derive(bank, goal, STEPS)
        if lines is None:
            _NOT_DERIVED.add(name)
        return lines is not None and bool(accept(lines, name))
    except (NotSaid, LapdpError):
        return False


_NOT_DERIVED: set[str] = set()
"""Digests of sentences, "false" by some hypotheses, of which no derivation was found."""


def contradictory(statement: Statement, prove: Callable[[Statement], Any]) -> Any:
    """A hypothesis that fails by the others, or None where none is seen to.

    Relations that cells read are compared before; only the others are asked for.
    """
    try:
        others = gather(statement).other
    except Unsupported:
        return None
    fixed = [form for form in statement.where if _denied(form) is not None]
    if not (others or fixed) or _has_instance(statement):
        return None
    for form in fixed:
        where = tuple(h for h in statement.where if h is not form)
        try:
            prove(lemma_of(statement, _denied(form), where))
        except Unsupported:
            continue
        return form
    for form in statement.where:
        universal = plain(form)
        if form not in others:
            continue
        if not isinstance(universal, lang.ForAll):
            universal = lang.ForAll((), universal)
        if type(universal.claim) not in EXCLUDING or not _not_empty(universal):
            continue
        where = (*(h for h in statement.where if h is not form), *universal.where)
        for relation in EXCLUDING[type(universal.claim)]:
            excluded = relation(*universal.claim.args, evaluate=False)
            try:
                prove(lemma_of(statement, excluded, where))
            except Unsupported:
                continue
            return form
    return None


def _denied(form: Any) -> Any:
    """The relation that a hypothesis on a concrete pair excludes; None for another hypothesis."""
    if any(a.mechanism is None for p in lang.pairs_of(form) for a in p.atoms()):
        return None
    if isinstance(form, lang.NoAtom):
        return lang.Gt(pn.Pr(form.Z, "==", form.x), 0)
    if isinstance(form, lang.AbsolutelyContinuous):
        return lang.Gt(pn.Pr(pn.PLD(form.P, form.Q), "==", sp.oo), 0)
    return None


def _has_instance(statement: Statement) -> bool:
    functions = {type(x).__name__ for h in statement.where for e in lang.expressions(h)
                 for x in sp.sympify(e).atoms(AppliedUndef)}
    nowhere = replace(statement, claim=lang.Eq(1, 0))
    return search(nowhere, sorted(functions), SECONDS, LOOKS)[0] is not None


def _not_empty(universal: Any) -> bool:
    """Is a hypothesis meant for some values, whatever the parameters are?"""
    if not universal.where:
        return True
    mine = set(universal.over)
    if not all(isinstance(h, Relational) and h.free_symbols <= mine for h in universal.where):
        return False
    return _has_instance(Statement("a range", lang.Eq(1, 0), where=universal.where))


__all__ = ["NOT_MET", "contradictory", "require_instance"]
