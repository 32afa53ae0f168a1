"""Quotients of probabilities, as in conditional distributions: claims that kernels find non-linear.

*Known values.*  A probability that is the same number for every pair that the hypotheses allow, or
that is 1 minus another one, is replaced by it: an equation that is a lemma of its own.

*Letters.*  A denominator that differs from 0 is cleared; what then holds for all numbers in the
place of the values, or is linear in the pair, holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.letters import (
    MEASURED,
    TURNED,
    VALUES,
    Lemmas,
    Letters,
    denominators,
    values_in,
)
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of, on_parameters
from lapdp.theory.statement import Statement

STOPS = (Unsupported, Undefined, NeedSplit)
MAX_GUESSES = 6
"""Signs that a guess may suppose."""


def by_quotients(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a relation between quotients of values, or one from hypotheses about such quotients.

    Applies where the claim, or a hypothesis that shares a value with it, divides by a value that
    depends on a pair.  Raises :class:`Unsupported` where the sign of a denominator is open or the
    relation does not hold for numbers.
    """
    if type(statement.claim) not in TURNED:
        return None
    mine = set(values_in(statement.claim))
    theirs = [h for h in statement.where if type(h) in TURNED and set(values_in(h)) & mine]
    if not mine or not (_divides(statement.claim) or theirs):
        return None
    lemmas: Lemmas = []
    known = _known_values(statement, prove, lemmas)
    changed = lemma_of(statement, *_at_known(statement, known))
    for x in values_in(statement.claim) + _unbounded(statement.claim):
        if x not in known and x not in [*values_in(changed.claim), *_unbounded(changed.claim)]:
            if not isinstance(x, MEASURED):
                raise Unsupported(f"that {x} has a value")
            value = lemma_of(statement, lang.Ge(x, 0), statement.where)
            lemmas.append((f"{x} has a value", prove(value)))
    # SymPy cancels what is replaced: denominators are asked for as they were written
    bases = [base.xreplace(known) for base in denominators(statement.claim)]
    if known and not any(base.has(*VALUES) for base in bases):
        for base in bases:
            _require_nonzero(base, statement, prove, lemmas)
        return by_lemmas("quotients of values", [*lemmas, ("the rest", prove(changed))])
    numbers = Letters(changed, bases, prove, lemmas)
    numbers.require_nonzero(bases)
    cleared = numbers.cleared(changed.claim)
    if cleared is None:
        raise Unsupported("the sign of a denominator is open")
    if _divides(changed.claim):
        # perhaps it is linear in the pair once nothing is divided by
        try:
            linear = lemma_of(statement, numbers.back(cleared), statement.where)
            return by_lemmas("quotients of values", [*lemmas, ("no denominators", prove(linear))])
        except Unsupported:
            pass
    proof = prove(numbers.lemma(cleared))
    return by_lemmas("quotients of values", [*lemmas, ("for all numbers", proof)])


def _unbounded(form: Any) -> list[Any]:
    """Notions that may be +oo."""
    return [x for e in lang.expressions(form)
            for x in sp.sympify(e).atoms(pn.Moment, pn.RenyiDivergence)]


def _denominators(form: Any) -> list[Any]:
    """Those that depend on a pair."""
    return [base for base in denominators(form) if base.has(*VALUES)]


def _divides(form: Any) -> bool:
    return bool(_denominators(form))


def _require_nonzero(base: Any, statement: Statement, prove: Prove, lemmas: Lemmas) -> None:
    """A number of the parameters differs from 0; raises :class:`Unsupported`."""
    for claim in (lang.Gt(base, 0), lang.Lt(base, 0)):
        try:
            proof = prove(lemma_of(statement, claim, on_parameters(statement.where)))
        except Unsupported:
            continue
        lemmas.append((f"{base} differs from 0", proof))
        return
    proof = prove(lemma_of(statement, lang.Ne(base, 0), on_parameters(statement.where)))
    lemmas.append((f"{base} differs from 0", proof))


# -- known values ---------------------------------------------------------------------------------


def _known_values(statement: Statement, prove: Prove, lemmas: Lemmas) -> dict[Any, Any]:
    """What the values in the denominators of the claim are known to be."""
    claim = statement.claim
    known: dict[Any, Any] = {}
    for base in _denominators(claim):
        for node in (x for x in values_in(lang.Eq(base, 0)) if x not in known):
            for candidate in _candidates(node, statement, known):
                try:
                    proof = prove(lemma_of(statement, lang.Eq(node, candidate), statement.where))
                except Unsupported:
                    continue
                known[node] = candidate
                lemmas.append((f"{node} is known", proof))
                break
    return known


def _at_known(statement: Statement, known: dict[Any, Any]) -> tuple[Any, list[Any]]:
    """The claim and the hypotheses with known values put in."""
    claim, *where = (form if type(form) not in TURNED else form.func(
        *(sp.sympify(e).xreplace(known) for e in (form.lhs, form.rhs)), evaluate=False)
        for form in (statement.claim, *statement.where))
    return claim, where


def _candidates(node: Any, statement: Statement, known: dict[Any, Any]) -> Iterator[Any]:
    """What a value may be for every pair: guesses, to be proved."""
    constant = _on_a_kernel(node, statement)
    if constant is not None:
        yield constant
    if any(node in sp.preorder_traversal(value) for value in known.values()):
        return  # no circles: what stands for another value is not replaced itself
    if isinstance(node, pn.Probability) and node.args[2] == sp.oo and str(node.args[1]) == "<":
        yield 1 - pn.Pr(node.args[0], "==", sp.oo)
    for other in values_in(statement.claim):
        if isinstance(other, MEASURED) and other not in (node, *known):
            yield from (1 - other, other)


def _on_a_kernel(node: Any, statement: Statement) -> Any:
    """Its value on kernels of mass 1 with finite losses, where that does not depend on the loss."""
    from lapdp.theory.methods.kernels import KernelMethod

    try:
        hypotheses = gather(statement)
        method = KernelMethod(lemma_of(statement, lang.Eq(node, 0), statement.where), hypotheses)
    except STOPS:
        return None
    choice = tuple((p, "finite") for p in method.pairs)
    cell = list(hypotheses.constraints)
    for _ in range(MAX_GUESSES):
        try:
            found = method.interpreter(Cell(tuple(cell)), choice).value(node).x
            break
        except NeedSplit as need:
            # one case is enough for a guess
            if not isinstance(need.form, Form):
                return None
            cell.append((need.form, ">"))
        except (Unsupported, Undefined):
            return None
    else:
        return None
    if isinstance(found, Infinite):
        return None
    moving = set().union(*(Form.atom(v).atoms() for v in method.variables.values()))
    return None if set(found.parameters()) & moving else found.to_sympy()


__all__ = ["by_quotients"]
