"""Instances of hypotheses: a bound supposed for all values is used at the values that occur.

Let a hypothesis say l(v) <= r(v) for all values of the variables v.  Where l(u) occurs in a claim
``small <= big`` linearly, with a coefficient c >= 0 in ``small`` (or c <= 0 in ``big``), the claim
follows from the one with r(u) in its place, since the new ``small`` is not less (the new ``big``
not more); likewise r(u) may give way to l(u) where it stands with c >= 0 in ``big``.  An equality
may be used both ways, for equalities too.  All occurrences are replaced at once and the
hypothesis is then left out, so the reduction ends.  The coefficient's sign is a lemma of its own.
Where the hypothesis has conditions, the cases in which one of them fails are claims of their own,
without the hypothesis.  A hypothesis on the profile of (P, Q) is used for
the profile of (Q, P) through the reversal delta_{Q|P}(u) = 1 - e^u + e^u delta_{P|Q}(-u), a lemma.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.calculus.ordering import Cell, EmptyCell
from lapdp.calculus.sequences import Recursive
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Certificate, Judgement, Leaf, Proof, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import parts_of
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.having_values import doubtful
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.premises import MAY_BE_INFINITE
from lapdp.theory.rewriting import admitted, lemma_of, on_parameters, outermost, plain
from lapdp.theory.statement import Statement

VALUES = (pn.Profile, AppliedUndef, Recursive, pn.Moment)
"""What an instance may replace: values of functions and of pairs."""
_NEGATED = {sp.Ge: sp.Lt, sp.Gt: sp.Le, sp.Le: sp.Gt, sp.Lt: sp.Ge}
UPPER, LOWER = (sp.Le, sp.Lt), (sp.Ge, sp.Gt)


def linear_parts(e: Any, marks: set[Any]) -> tuple[dict[Any, Any], Any]:
    """Coefficients of the marks in an expression linear in them, and the rest.

    >>> x, y = sp.symbols("x y")
    >>> linear_parts(3 * (x + 1) * y + y, {x})
    ({x: 3*y}, 4*y)
    """
    if e in marks:
        return {e: sp.Integer(1)}, sp.Integer(0)
    if not e.has(*marks):
        return {}, e
    if e.is_Add:
        found: dict[Any, Any] = {}
        rest = sp.Integer(0)
        for a in e.args:
            inner, other = linear_parts(a, marks)
            for m, c in inner.items():
                found[m] = found.get(m, sp.Integer(0)) + c
            rest = rest + other
        return found, rest
    if e.is_Mul:
        moving = [a for a in e.args if a.has(*marks)]
        if len(moving) == 1:
            factor = sp.Mul(*(a for a in e.args if a is not moving[0]))
            inner, other = linear_parts(moving[0], marks)
            return {m: factor * c for m, c in inner.items()}, factor * other
    raise Unsupported("the claim is not linear in what a hypothesis bounds")


def by_instances(statement: Statement, prove: Prove) -> Judgement | None:
    """Use one hypothesis, for all its occurrences, and prove what is left."""
    claim = statement.claim
    if type(claim) not in (*UPPER, *LOWER, sp.Eq):
        return None
    problems: list[str] = []
    for form in statement.where:
        hypothesis = plain(form)
        universal = hypothesis if isinstance(hypothesis, lang.ForAll) else lang.ForAll(
            (), hypothesis)
        others = tuple(h for h in statement.where if h is not form)
        for pattern, value, direction in _sides(universal):
            if not _is_pattern(pattern, universal.over):
                continue
            try:
                lemmas = _lemmas(replace(statement, where=others), universal, pattern, value,
                                 direction)
                if lemmas is None:
                    continue
                proofs = [(what, _empty(lemma) or prove(lemma)) for what, lemma in lemmas]
            except Unsupported as problem:
                problems.append(str(problem))
                continue
            return by_lemmas("instances of a hypothesis", proofs)
    if problems:
        raise Unsupported("; ".join(dict.fromkeys(problems)))
    return None


def _empty(lemma: Statement) -> Proof | None:
    """The proof of a case that cannot occur: its hypotheses on parameters contradict each other."""
    try:
        base = tuple(gather(lemma).constraints)
        if not Cell(base).is_empty():
            return None
    except Unsupported:
        return None
    return seal(Certificate("cells", (("an empty case", Leaf((EmptyCell(base),))),)))


def _sides(universal: Any) -> Iterator[tuple[Any, Any, int]]:
    """(what is replaced, by what, 1 if the new value is at least the old, -1 at most, 0 equal)."""
    form = universal.claim
    if not isinstance(form, Relational):
        return
    if isinstance(form, sp.Eq):
        yield form.lhs, form.rhs, 0
        yield form.rhs, form.lhs, 0
    elif isinstance(form, (*UPPER, *LOWER)):
        small, big = (form.lhs, form.rhs) if isinstance(form, UPPER) else (form.rhs, form.lhs)
        yield big, small, -1
        yield small, big, 1


def _is_pattern(e: Any, over: tuple[Any, ...]) -> bool:
    """A value whose arguments are the variables themselves, each once, or free of them."""
    if not isinstance(e, VALUES):
        return False
    places = [a for a in e.args if a in over]
    return sorted(places, key=str) == sorted(over, key=str) and all(
        a in over or not (set(over) & set(a.free_symbols)) for a in e.args)


def _bindings(pattern: Any, over: tuple[Any, ...], e: Any) -> dict[Any, Any]:
    """The occurrences of a pattern in an expression: {occurrence: {variable: value}}."""
    found: dict[Any, Any] = {}
    for node in sp.preorder_traversal(e):
        if type(node) is type(pattern) and len(node.args) == len(pattern.args) and all(
                b in over or a == b for a, b in zip(node.args, pattern.args, strict=True)):
            found[node] = {b: a for a, b in zip(node.args, pattern.args, strict=True)
                           if b in over}
    return found


def _lemmas(statement: Statement, universal: Any, pattern: Any, value: Any, direction: int
            ) -> list[tuple[str, Statement]] | None:
    """What remains to be proved once the pattern is replaced, or None where it does not occur."""
    claim = statement.claim
    if isinstance(claim, sp.Eq) and direction:
        return None
    sides = [sp.sympify(claim.lhs), sp.sympify(claim.rhs)]
    lemmas: list[tuple[str, Statement]] = []
    if isinstance(pattern, pn.Profile):
        turned = [_turned(side, pattern) for side in sides]
        if turned != sides:
            sides, lemmas = turned, [("reversal", _reversal(statement))]
    found: dict[Any, Any] = {}
    for side in sides:
        found |= _bindings(pattern, universal.over, side)
    if not found:
        return None
    captured = {x.args[x.bound_at] for x in sp.sympify(value).atoms(Node)
                if x.bound_at is not None}
    for values in found.values():
        for variable, at in values.items():
            if not admitted(variable, at) or captured & at.free_symbols:
                raise Unsupported(f"{at} is no value of {variable}")
    for k, side in enumerate(sides):
        coefficients, _ = linear_parts(side, set(found))
        # a coefficient of this sign keeps the claim no weaker than it was
        smaller = (k == 0) == isinstance(claim, UPPER)
        wanted = direction if smaller else -direction
        for c in coefficients.values():
            if direction and not _has_sign(c, wanted):
                form = lang.Ge(c, 0) if wanted > 0 else lang.Le(c, 0)
                lemmas.append((f"the sign of {c}", lemma_of(statement, form, _about(c, statement))))
    # where the hypothesis does not apply the claim is proved without it
    conditions: list[Any] = []
    if any(type(condition) not in _NEGATED for condition in universal.where):
        raise Unsupported("a condition of a hypothesis that is no inequality")
    for values in found.values():
        for condition in universal.where:
            here = condition.func(condition.lhs.subs(values, simultaneous=True),
                                  condition.rhs.subs(values, simultaneous=True), evaluate=False)
            if any(map(doubtful, (here.lhs, here.rhs))):
                raise Unsupported(f"whether {here} has a meaning")  # it fails without its negation
            if here not in conditions:
                conditions.append(here)
    for k, here in enumerate(conditions):
        other = _NEGATED[type(here)](here.lhs, here.rhs, evaluate=False)
        lemmas.append((f"where {other}", lemma_of(
            statement, statement.claim, (*statement.where, *conditions[:k], other))))
    swap = {node: value.subs(values, simultaneous=True) for node, values in found.items()}
    new = claim.func(*(side.xreplace(swap) for side in sides), evaluate=False)
    for old, now in zip(sides, new.args, strict=True):
        lemmas += [(f"{x} has a value", lemma_of(
            statement, lang.Defined(x) if isinstance(x, MAY_BE_INFINITE) else lang.Ge(x, 0),
            statement.where)) for x in _at_risk(old, now, set(found))]
    return [*lemmas, ("with the hypothesis used", lemma_of(
        statement, new, (*_concerning(new, statement.where), *conditions)))]


def _at_risk(old: Any, new: Any, marks: set[Any]) -> list[Any]:
    """Notions that a side may lose with what is put in, though they have no value, or none that
    is finite."""
    if not old.has(*marks):
        return []
    here = set(outermost(old))
    coefficients, _ = linear_parts(old, marks)
    risky = (here | set(outermost(new))) - marks
    infinite = {x for x in here if isinstance(x, MAY_BE_INFINITE)}
    if not (infinite & marks and len(infinite) > 1):
        risky = {x for x in here - marks if x not in set(outermost(new)) or (
            isinstance(x, MAY_BE_INFINITE) and any(c.has(x) for c in coefficients.values()))}
    return sorted(risky, key=sp.default_sort_key)


def _concerning(claim: Any, where: tuple[Any, ...]) -> tuple[Any, ...]:
    """The hypotheses without those on pairs of which the claim says nothing."""
    def parts(form: Any) -> set[int]:
        return {id(x) for p in lang.pairs_of(form) for a in p.atoms() for x in parts_of(a)}

    here = parts(claim)
    return tuple(h for h in where if not lang.pairs_of(h) or here & parts(h))


def _turned(e: Any, pattern: Any) -> Any:
    """An expression with the profiles of the reversed pair of a pattern through those of it."""
    p, q = pattern.args[:2]
    swap = {x: 1 - sp.exp(x.args[2]) + sp.exp(x.args[2]) * pn.Profile(p, q, -x.args[2])
            for x in e.atoms(pn.Profile) if x.args[:2] == (q, p)}
    return e.xreplace(swap)


def _reversal(statement: Statement) -> Statement:
    """Equation (7) for every pair."""
    P, Q = pn.pair("P", "Q")
    u = lang.reals("u")
    form = lang.Eq(pn.Profile(Q, P, u), 1 - sp.exp(u) + sp.exp(u) * pn.Profile(P, Q, -u))
    return lemma_of(statement, form, ())


def _about(c: Any, statement: Statement) -> tuple[Any, ...]:
    """The hypotheses that may bear on the sign of a coefficient."""
    if c.has(Node, AppliedUndef):
        return statement.where
    return on_parameters(statement.where)


def _has_sign(c: Any, sign: int) -> bool:
    return bool(c.is_Rational and c * sign >= 0)
