"""Inequalities between real numbers by linear reasoning: the lemmas that a search ends in."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.convert import to_form
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Proof, Rejected, seal
from lapdp.theory.methods.having_values import doubtful
from lapdp.theory.obligations import Entailed
from lapdp.theory.statement import Statement

TRIED = 60
"""Points at which an inequality is tried before it is proved."""
MAX_FACTORS = 10
"""Hypotheses whose products in pairs are used."""


def polynomial_lemma(relation: Any, where: tuple[Any, ...], divide: bool = True) -> Proof | None:
    """A proof of ``e >= 0``, ``e <= 0`` or ``e > 0`` for a polynomial by linear reasoning.

    Exponentials count as positive numbers; ``divide`` by positive factors first.  None where that
    does not prove it.
    """
    relation, where = _eliminated(relation, where)
    exponentials: dict[Any, Any] = {}

    def form_of(e: Any) -> Form:
        for x in e.atoms(sp.exp):
            exponentials.setdefault(x, sp.Dummy("x", positive=True))
        return to_form(sp.expand(sp.expand(e).xreplace(exponentials)))

    try:
        form = form_of(relation.lhs - relation.rhs)
    except Unsupported:
        return None
    if isinstance(relation, (sp.Le, sp.Lt)):
        form = -form
    if divide:
        form = _without_positive_factors(form)
    strict = isinstance(relation, (sp.Gt, sp.Lt))
    base: list[Constraint] = []
    near: list[Constraint] = []
    for h in where:
        try:
            gap = form_of(h.lhs - h.rhs)
        except Unsupported:
            continue
        if isinstance(h, (sp.Ge, sp.Gt)):
            base.append((gap, ">" if isinstance(h, sp.Gt) else ">="))
        elif isinstance(h, (sp.Le, sp.Lt)):
            base.append((-gap, ">" if isinstance(h, sp.Lt) else ">="))
        elif isinstance(h, sp.Eq):
            base.append((gap, "="))
        else:
            continue
        if gap.atoms() <= form.atoms():
            near.append(base[-1])
    if _fails_somewhere(form, base, strict):
        return None
    tries = [Entailed(tuple(base), form, ">" if strict else ">=")]
    if any(sum(k for _, k in m) > 1 for m in form.terms):
        tries += [Entailed(tuple(some), form, ">" if strict else ">=", products=True)
                  for some in ([near] if near == base else [near, base])
                  if len(some) <= MAX_FACTORS]
    for obligation in tries:
        try:
            return seal(Certificate("linear reasoning", (
                (str(relation), Leaf((obligation,))),)))
        except (Rejected, Unsupported):
            continue
    return None


def by_polynomials(statement: Statement, _prove: Any = None) -> Judgement | None:
    """Prove an inequality of real polynomials and exponentials by linear reasoning; None for
    others."""
    claim = statement.claim
    if type(claim) not in (sp.Le, sp.Lt, sp.Ge, sp.Gt) or not all(
            s.is_real and type(s) is sp.Symbol for s in claim.free_symbols) or any(
            # an integral without letters may have no value, nor has a tangent everywhere
            e.has(Node) or doubtful(e) for e in claim.args):
        return None
    marks = {x: sp.Dummy("x") for e in claim.args for x in e.atoms(sp.exp)}
    if not all(e.xreplace(marks).is_polynomial() for e in claim.args):
        return None
    where = tuple(h for h in statement.where if isinstance(h, Relational)
                  and all(s.is_real and type(s) is sp.Symbol for s in h.free_symbols)
                  and not h.atoms(Node))
    proof = polynomial_lemma(claim, where)
    if proof is None:
        raise Unsupported("the inequality is no consequence of sums and products of hypotheses")
    return Judgement(Kind.DERIVED, "linear reasoning", proof=proof)


def _eliminated(relation: Any, where: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The same with a symbol replaced wherever a hypothesis gives it as a polynomial of others."""
    for k, h in enumerate(where):
        if not isinstance(h, sp.Eq):
            continue
        gap = sp.expand(h.lhs - h.rhs)
        for x in sorted(gap.free_symbols, key=str):
            c = gap.coeff(x, 1)
            value = sp.expand(-(gap - c * x) / c) if c.is_Rational and c != 0 else None
            if value is None or value.has(x) or not value.is_polynomial() or x.is_positive:
                continue
            rest = tuple(_replaced(g, x, value) for g in (*where[:k], *where[k + 1:]))
            return _eliminated(_replaced(relation, x, value), rest)
    return relation, where


def _replaced(form: Any, x: Any, value: Any) -> Any:
    return form.func(form.lhs.xreplace({x: value}), form.rhs.xreplace({x: value}), evaluate=False)


def _without_positive_factors(form: Form) -> Form:
    """A form divided by the positive symbols that all its terms share: its sign stays."""
    for atom in [x for x in form.atoms() if x.is_positive]:
        shared = min((dict(m).get(atom, 0) for m in form.terms), default=0)
        if shared > 0:
            form = Form({tuple((a, k - shared if a == atom else k) for a, k in m
                               if a != atom or k > shared): c for m, c in form.terms.items()})
    return form


def _fails_somewhere(form: Form, base: list[Constraint], strict: bool) -> bool:
    """Is an inequality false at one of some points that satisfy the hypotheses?  Spares a search
    for a proof that there cannot be."""
    atoms = sorted({a for f in (form, *(f for f, _ in base)) for a in f.atoms()}, key=str)
    if not all(a.is_Symbol for a in atoms):
        return False
    rng = random.Random(0)
    for _ in range(TRIED):
        point = {a: Fraction(rng.choice((1, 2, 4, 8) if a.is_positive else (0, 1, 2, 3, 4)), 4)
                 for a in atoms}
        if any(k < 0 and point[a] == 0 for f in (form, *(f for f, _ in base))
               for m in f.terms for a, k in m):
            continue
        if all(_holds(_at(f, point), rel) for f, rel in base) and not _holds(
                _at(form, point), ">" if strict else ">="):
            return True
    return False


def _at(form: Form, point: dict[Any, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, c in form.terms.items():
        total += c * math.prod(point[atom] ** power for atom, power in monomial)
    return total


def _holds(x: Fraction, relation: str) -> bool:
    return x > 0 if relation == ">" else x == 0 if relation == "=" else x >= 0


__all__ = ["by_polynomials", "polynomial_lemma"]
