"""One-off statements from text: what ``lapdp check`` judges.

A textbook transform comes without its region: a relation given as text is read as claimed wherever
the integrals of its transforms converge, unless a condition names the frequency: then the region is
claimed as well, as it is in print.  The region is worked out and reported; a transform at a fixed
point outside its region is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.region import Region
from lapdp.calculus.transform import region
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.nodes import Distribution
from lapdp.theory.hypotheses import gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.language import AllOf, Converges, ForAll, expressions
from lapdp.theory.statement import Statement


def check_statement(relation: str, where: Sequence[str] = ()) -> Statement:
    """The statement that a relation and conditions given as text make.

    Raises InputError for text that cannot be read, and for a transform at a fixed point outside its
    region of convergence.

    >>> check_statement("L(exp(-t), t, s) == 1/(s + 1)").note
    'L(exp(-t), t, s) converges for Re s > -1'
    """
    claim, conditions = _read(relation, where)
    transforms = sorted({node for e in expressions(claim)
                         for node in sp.sympify(e).atoms(cn.OneSided, cn.Bilateral)}, key=str)
    plain = Statement(id="check", claim=claim, where=conditions, printed=relation)
    notes: list[str] = []
    for node in transforms:
        found = region_of(node, plain)
        if found is None:
            continue
        notes.append(f"{node} converges for {found}")
        s = node.args[2]
        if not s.free_symbols and not _inside(found, s):
            raise InputError(f"{node}: s = {s} lies outside the region of convergence ({found})")
    named = {s for h in conditions for e in expressions(h) for s in sp.sympify(e).free_symbols}
    return Statement(id="check", claim=claim, printed=relation, note="; ".join(notes), where=(
        *conditions, *(Converges(node) for node in transforms
                       if not named & node.args[2].free_symbols)))


def _read(relation: str, where: Sequence[str]) -> tuple[Any, tuple[Any, ...]]:
    """The claim and its conditions; complex letters that are compared by size, or are parameters of
    mechanisms, are real."""
    from lapdp.theory.parse import parse_condition, parse_relation
    from lapdp.theory.parse_pairs import (
        pairs_of,
        parse_claim,
        parse_hypotheses,
        speaks_of_pairs,
    )

    if not speaks_of_pairs([relation, *where]):
        ordered = {s for text in where for h in parse_condition(text) for s in _ordered_symbols(h)}
        real = {s.name: sp.Symbol(s.name, real=True) for s in ordered}
        return parse_relation(relation, real), tuple(
            h for text in where for h in parse_condition(text, real))
    pairs = pairs_of([relation, *where])
    given = [h for text in where for h in parse_hypotheses(text, pairs)]
    claim = parse_claim(relation, pairs)
    forms = [*given]
    forms += claim.claims if isinstance(claim, AllOf) else [claim]
    forms += [inner for h in forms if isinstance(h, ForAll) for inner in (h.claim, *h.where)]
    ordered = {s for h in forms if isinstance(h, Relational) for s in _ordered_symbols(h)}
    ordered |= {s for h in given for s in _compared(h)}
    ordered |= {s for s in pairs.letters() if not s.is_real}
    real = {s.name: sp.Symbol(s.name, real=True) for s in ordered}
    return parse_claim(relation, pairs, real), tuple(
        h for text in where for h in parse_hypotheses(text, pairs, real))


def _ordered_symbols(condition: Any) -> set[Any]:
    """Complex symbols that a condition compares by size: they are meant to be real."""
    if isinstance(condition, (sp.Eq, sp.Ne)):
        return set()
    bare = (condition.lhs - condition.rhs).replace(
        lambda e: isinstance(e, (sp.re, sp.im, sp.Abs)), lambda e: sp.Integer(0))
    return {s for s in bare.free_symbols if not s.is_real}


def _compared(condition: Any) -> set[Any]:
    """The letter of ``q != 1``, which leaves out an order of real ones."""
    if not isinstance(condition, (sp.Eq, sp.Ne)):
        return set()
    sides = {condition.lhs, condition.rhs}
    return {s for s in sides if isinstance(s, sp.Symbol) and not s.is_real
            and any(e.is_number and e.is_real for e in sides - {s})}


def region_of(node: Any, statement: Statement) -> Region | None:
    """Region of convergence of a transform, where the exact class reaches it."""
    if node.atoms(Distribution):
        return None  # it depends on the pair
    try:
        cell = Cell(gather(statement).constraints)
        g = Interpreter(cell, {}).function(node.args[0], node.args[1])
        f = g.x.after(Form({}), cell) if isinstance(node, cn.OneSided) else g.x
        return region(f.merged(cell), cell)
    except (Unsupported, Undefined, NeedSplit):
        return None


def _inside(found: Region, s: Any) -> bool:
    try:
        return found.contains(Form.of(sp.sympify(s)))
    except (Unsupported, NeedSplit):
        return True
