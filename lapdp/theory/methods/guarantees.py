"""Point guarantees: what delta_{P|Q}(e_j) <= d_j says of a convex f-divergence.

Theorem.  Let delta_{P|Q}(e_j) <= d_j for finitely many e_j (a guarantee for (Q, P) is one for
(P, Q): delta_{Q|P}(e) <= d says delta_{P|Q}(-e) <= 1 - e^-e + e^-e d, by (7)).  Let Phi be linear
in the pair with a convex f (see :mod:`convexity`), and let l be the piecewise linear interpolant
of f at the likelihood ratios 0, x_j = e^(e_j), with slope phi(+oo) after the last.  Then f <= l,
and

    Phi <= intercept Q(Omega) + slope P(Omega) + sum_j kink_j d_j,    kink_j >= 0.

Proof.  f lies below its chords, and below the line of slope phi(+oo) >= lim f(x)/x through its last
node.  l = intercept + slope x + sum kink_j (x - x_j)+, and (x - x_j)+ integrates to
delta_{P|Q}(e_j) <= d_j; the kinks are >= 0 because chords of a convex f grow steeper.

*No mass beyond a node.*  delta_{P|Q}(e) = 0 leaves P no mass where x > e^e: the range of x ends
there, f need be convex on the range only and its growth beyond it is free.  delta_{Q|P}(e) = 0
ends the range below, at e^-e.  Where the two ends cross there is no pair.

A node may be left out (its kink becomes 0): the method tries all nodes first, then fewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, EmptyCell, explore
from lapdp.core import facts as known
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.methods.combinations import leaves
from lapdp.theory.methods.convexity import Convex, Functional, require_convex
from lapdp.theory.methods.dominance import (
    concrete_models,
    has_sign,
    order_sides,
    plain_relations,
)
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.obligations import ByProof, HasSign
from lapdp.theory.statement import Statement
from lapdp.theory.unfolding import exponential_of

NAME = "point guarantees"


@dataclass(frozen=True)
class Guarantee:
    """delta_{P|Q}(at) <= bound, or delta_{Q|P}(at) <= bound if ``reverse``."""

    at: Any
    bound: Any
    reverse: bool


@dataclass(frozen=True)
class Node:
    """A likelihood ratio e^z with delta_{P|Q}(z) <= bound; ``edge``: 1 if no kernel lies above, -1
    if none lies below."""

    z: Form
    bound: Scalar
    edge: int


def by_guarantees(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove an order claim about one arbitrary pair from its point guarantees."""
    claim = statement.claim
    if type(claim) not in (sp.Le, sp.Lt, sp.Ge, sp.Gt):
        return None
    pairs = {a for p in statement.pairs for a in p.atoms() if a.mechanism is None}
    if len(pairs) != 1:
        return None
    (pair,) = pairs
    given = [g for h in statement.where for g in guarantees(h, pair)]
    if not given:
        return None
    if lang.free_events(statement):
        return _for_all_events(statement, prove)
    where = plain_relations(statement.where)
    left, right, relation = order_sides(claim)
    lemmas: list[tuple[str, Any]] = []
    if isinstance(left, pn.RenyiDivergence) and not sp.sympify(right).has(pn.Distribution):
        # (q - 1) R_q = log E_q and q > 1: the order is that of E_q > 0 and e^((q-1) rhs)
        q, target = left.args[0], exponential_of(right, left.args[0])
        if target is None:
            raise Unsupported("the bound of R_q is no real expression")
        above = prove(Statement(f"{statement.id}: order", lang.Gt(q - 1, 0), where=where))
        lemmas.append(("q > 1", above))
        left, right = sp.exp((q - 1) * left), target
    sides = ((1, left), (-1, right))
    functional = Functional(tuple(x for x in sides if _speaks(x[1], pair)), pair,
                            concrete_models(statement, (pair,)))
    plain = [x for x in sides if not _speaks(x[1], pair)]
    base = tuple(gather(Statement("cells", lang.Eq(0, 0), where=where)).constraints) + tuple(
        c for p in statement.pairs for a in p.atoms() if a.mechanism is not None
        for c in a.mechanism.constraints())
    strict = ">" if relation is sp.Lt else ">="

    def leaf(cell: Cell) -> tuple[Any, ...]:
        i = Interpreter(cell, functional.concrete)
        rest = Scalar.of(0)
        for sign, e in plain:
            rest = rest + i.scalar(e) * sign
        return _impossible(given, i) or _bounded(functional, _nodes(given, i), rest, cell, strict)

    tree = explore(base, leaf)
    if all(isinstance(o, (NoPair, EmptyCell)) for _, case in leaves(tree)
           for o in case.obligations):
        raise IllFormed("no pair satisfies the hypotheses: the claim is empty")
    trees: list[tuple[str, Any]] = [("interpolation", tree)]
    facts = {known.DISINTEGRATION, known.TONELLI, known.INTERPOLATION}
    for what, proof in lemmas:
        trees.append((what, Leaf((ByProof(proof, what),))))
        facts |= set(proof.facts)
    return Judgement(Kind.DERIVED, NAME, proof=seal(Certificate(NAME, tuple(trees), tuple(facts))))


def _for_all_events(statement: Statement, prove: Prove) -> Judgement:
    """A bound for all events S is one for the supremum of the terms with S over S."""
    events = lang.free_events(statement)
    used = {s for h in statement.where for e in lang.expressions(h)
            for s in sp.sympify(e).free_symbols}
    if len(events) != 1 or used & set(events):
        raise Unsupported("a claim for all events needs one event, free in the claim alone")
    (event,) = events
    left, right, relation = order_sides(statement.claim)
    parts: dict[bool, list[Any]] = {True: [], False: []}
    for sign, side in ((1, left), (-1, right)):
        for term in sp.Add.make_args(side):
            if event in term.free_symbols:
                parts[True].append(sign * term)
            else:
                parts[False].append((sign, term))
    above = sp.Add(pn.SupOverEvents(sp.Add(*parts[True]), event),
                   *(term for sign, term in parts[False] if sign > 0))
    below = sp.Add(*(term for sign, term in parts[False] if sign < 0))
    lemma = replace(statement, id=f"{statement.id}: supremum",
                    claim=relation(above, below, evaluate=False))
    return by_lemmas(NAME, [("the supremum over events", prove(lemma))])


@dataclass(frozen=True)
class NoPair(HasSign):
    """The guarantees contradict each other in the case."""

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: no pair has these guarantees"


def _speaks(e: Any, pair: Any) -> bool:
    return any(pair in s.pair.atoms() for s in sp.sympify(e).free_symbols
               if isinstance(s, pn.Distribution))


def _impossible(given: list[Guarantee], i: Interpreter) -> tuple[Any, ...] | None:
    """A profile is never negative."""
    for g in given:
        bound = i.scalar(g.bound)
        if i.cell.sign_of(bound) < 0:
            return (NoPair(i.cell.base, -bound, ">", "a negative bound"),)
    return None


def guarantees(form: Any, pair: Any) -> Iterator[Guarantee]:
    """The point guarantees of the pair that a hypothesis states."""
    if isinstance(form, sp.Eq):
        sides = [(form.lhs, form.rhs), (form.rhs, form.lhs)]
    elif type(form) in (sp.Le, sp.Lt, sp.Ge, sp.Gt):
        sides = [order_sides(form)[:2]]
    else:
        return
    for profile, bound in sides:
        if isinstance(profile, pn.Profile) and not bound.has(pn.Distribution):
            if not all(isinstance(m, pn.Distribution) for m in profile.args[:2]):
                continue
            identity, reverse = pn.oriented(*profile.args[:2])
            if identity is pair and not profile.args[2].has(pn.Distribution):
                yield Guarantee(profile.args[2], bound, reverse)


def _nodes(given: list[Guarantee], i: Interpreter) -> list[Node]:
    """Nodes in increasing order, one for each likelihood ratio: the edges first, else the smallest
    bound that comes first."""
    cell = i.cell
    found: list[Node] = []
    for g in given:
        at, bound = i.form(g.at), i.scalar(g.bound).substitute(cell.values)
        z, edge = (-at, -1) if g.reverse else (at, 1)
        forward = 1 - Scalar.exp(z) * (1 - bound) if g.reverse else bound
        node = Node(z.substitute(cell.values), forward.substitute(cell.values),
                    edge if bound.is_zero() else 0)
        signs = [cell.sign(node.z - other.z) for other in found]
        if 0 in signs:
            k = signs.index(0)
            edges = {found[k].edge, node.edge} - {0}
            if len(edges) == 2:
                # nothing above and nothing below: one likelihood ratio is left
                found[k:k + 1] = [Node(node.z, found[k].bound, -1), Node(node.z, node.bound, 1)]
            elif not found[k].edge:
                found[k] = node
            continue
        found.insert(sum(1 for s in signs if s > 0), node)
    return found


def _bounded(functional: Functional, nodes: list[Node], rest: Scalar, cell: Cell, strict: str
             ) -> tuple[Any, ...]:
    """Obligations of one case: convexity on the range, kinks >= 0, and bound + rest <= 0."""
    lows = [n for n in nodes if n.edge < 0]
    highs = [n for n in nodes if n.edge > 0]
    low, high = (lows[-1] if lows else None), (highs[0] if highs else None)
    if low is not None and high is not None and cell.sign(low.z - high.z) > 0:
        return (NoPair(cell.base, Scalar.of(low.z - high.z), ">", "losses above and below"),)
    inner = [n for n in nodes if not n.edge
             and (low is None or cell.sign(n.z - low.z) > 0)
             and (high is None or cell.sign(high.z - n.z) > 0)]
    edges = (low.z if low else None, high.z if high else None)
    if low is not None and high is not None and cell.sign(high.z - low.z) == 0:
        # one kernel: P = e^z Q, so that z = 0
        value = functional.at(low.z, cell) + rest
        return (has_sign(cell, -value, strict, "the only likelihood ratio"),)
    require_convex(functional, cell, *edges)
    convex = Convex(cell.base, functional, "likelihood ratios in the range", *edges)
    stopped: BaseException | None = None
    for size in range(len(inner), -1, -1):
        for chosen in combinations(inner, size):
            try:
                return (convex, *_interpolated(functional, edges, list(chosen), rest, cell, strict))
            except (Unsupported, Undefined) as problem:
                stopped = problem
    raise Unsupported(str(stopped))


def _interpolated(functional: Functional, edges: tuple[Form | None, Form | None],
                  inner: list[Node], rest: Scalar, cell: Cell, strict: str) -> tuple[Any, ...]:
    """Kinks and bound of the interpolant at the nodes."""
    low, high = edges
    points: list[tuple[Scalar, Scalar]] = []
    if low is None:
        bottom = functional.end("minus", cell)
        if isinstance(bottom, Infinite):
            raise Unsupported("the functional is +oo where P has no mass")
        points.append((Scalar.of(0), bottom))
    for z in (*([low] if low is not None else []), *(n.z for n in inner),
              *([high] if high is not None else [])):
        ratio = Scalar.exp(z)
        points.append((ratio, ratio * functional.at(z, cell)))
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(points)]
    if high is None:
        top = functional.end("plus", cell)
        if isinstance(top, Infinite):
            raise Unsupported("the functional is +oo where Q has no mass")
        slopes.append(top)
    intercept = points[0][1] - slopes[0] * points[0][0]
    total = rest + intercept + slopes[0]
    obligations: list[Any] = []
    for before, after, node in zip(slopes[:-1], slopes[1:], inner, strict=True):
        kink = (after - before).substitute(cell.values)
        obligations.append(has_sign(cell, kink, ">=", f"kink at the likelihood ratio e^({node.z})"))
        total = total + kink * node.bound
    bound = (-total).substitute(cell.values)
    return (*obligations, has_sign(cell, bound, strict, "the bound of the interpolant"))


__all__ = ["by_guarantees", "guarantees"]
