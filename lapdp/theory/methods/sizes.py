"""Tests as two numbers, and the tests and numbers that a proof may choose from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus.nodes import Node
from lapdp.core.errors import IllFormed, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.mixtures import members
from lapdp.theory import language as lang

Needs = Callable[[Any], list[Any]]


@dataclass(frozen=True)
class Sizes:
    """A test on the space of a pair (P, Q), in the pair's own order: E_P[phi] and E_Q[phi]."""

    identity: Any
    p: Any
    q: Any

    def under(self, row: tuple[Any, Any]) -> Any:
        """Its mean under the mixture row[0] P + row[1] Q."""
        return row[0] * self.p + row[1] * self.q

    def put(self, phi: Any, e: Any) -> Any:
        """An expression with the means of ``phi`` replaced by those of this test."""
        found = {m: (self.p, self.q)[m.args[0].side] for m in sp.sympify(e).atoms(tn.Mean)
                 if m.args[1] == phi}
        return sp.sympify(e).xreplace(found)


def nodes_of(e: Any) -> list[Any]:
    """The outermost notions, extrema and cases of an expression, each once."""
    found: dict[Any, None] = {}

    def visit(x: Any) -> None:
        if isinstance(x, (Node, sp.Min, sp.Max)):
            found[x] = None
        else:
            for a in x.args:
                visit(a)

    visit(sp.sympify(e))
    return list(found)


def put(e: Any, node: Any, value: Any) -> Any:
    """An expression with an outermost node replaced, where it is not inside another node."""
    e = sp.sympify(e)
    if e == node:
        return sp.sympify(value)
    if not e.args or isinstance(e, (Node, sp.Min, sp.Max)):
        return e
    return e.func(*(put(a, node, value) for a in e.args))


def hockey_stick(e: Any) -> tuple[Any, tuple[Any, Any]] | None:
    """(pair, (a, b)) for the integral of the positive part of a P + b Q over the space.

    It is the largest a E_P[phi] + b E_Q[phi] of a test.

    >>> P, Q = pn.pair("P", "Q"); u = sp.Symbol("u")
    >>> hockey_stick(pn.IntegralOverSpace(sp.Max(0, P - u*Q)))[1]
    (1, -u)
    """
    if not isinstance(e, pn.IntegralOverSpace) or len(e.args) != 1:
        return None
    body = e.args[0]
    if isinstance(body, pn.Distribution):
        body = sp.Max(0, body, evaluate=False)
    if not isinstance(body, sp.Max) or len(body.args) != 2 or 0 not in body.args:
        return None
    inner = next(x for x in body.args if x != 0)
    weights: dict[int, Any] = {0: sp.Integer(0), 1: sp.Integer(0)}
    spaces = set()
    for term in sp.Add.make_args(sp.expand(inner)):
        here = [x for x in sp.Mul.make_args(term) if isinstance(x, pn.Distribution)]
        if len(here) != 1 or here[0].side not in weights or sp.sympify(
                term / here[0]).has(pn.Distribution):
            return None
        weights[here[0].side] += term / here[0]
        spaces.add(here[0].pair)
    if len(spaces) != 1 or len(next(iter(spaces)).names) != 2:
        return None
    return spaces.pop(), (weights[0], weights[1])


def linear_in(goal: Any, node: Any) -> Any:
    """The coefficient of a node; :class:`Unsupported` where the goal is not affine in it."""
    mark = sp.Dummy("x", real=True)
    marked = sp.expand(put(goal, node, mark))
    coefficient = marked.coeff(mark, 1)
    rest = sp.expand(marked - coefficient * mark)
    if rest.has(mark) or coefficient.has(mark) or nodes_of(coefficient):
        raise Unsupported(f"the claim is not affine in {node}")
    return coefficient


def candidates(identity: Any, tests: tuple[Sizes, ...], level: Any,
               nonnegative: Callable[[Any, Any], list[Any]]
               ) -> Iterator[tuple[Sizes, Needs]]:
    """Tests at hand on a space, each with proofs that its values lie in [0, 1].

    They are: the tests themselves, their complements, the constants 0, 1 and ``level``, and the
    mixture of tests of sizes a_1, ..., a_n that has the size ``level = c_0 + c_1 a_1 + ...``.
    """
    mine = [t for t in tests if t.identity is identity]

    def free(c: Any) -> list[Any]:
        return []

    for t in mine:
        yield t, free
        yield Sizes(identity, 1 - t.p, 1 - t.q), free
    for constant in (sp.Integer(0), sp.Integer(1)):
        yield Sizes(identity, constant, constant), free
    if level is None:
        return
    if level not in (0, 1):
        yield Sizes(identity, level, level), partial(_all, nonnegative, (level, 1 - level))
    for side in (0, 1):
        mixed = _mixture(identity, mine, level, side)
        if mixed is not None:
            test, weights = mixed
            yield test, partial(_all, nonnegative, (*weights, 1 - sum(weights)))


def _all(nonnegative: Callable[[Any, Any], list[Any]], values: tuple[Any, ...], c: Any
         ) -> list[Any]:
    return [x for value in values for x in nonnegative(value, c)]


def _mixture(identity: Any, tests: list[Sizes], level: Any, side: int
             ) -> tuple[Sizes, list[Any]] | None:
    """The mixture of tests whose sizes are symbols in which ``level`` is affine, with weights."""
    rest, weights, chosen = sp.expand(level), [], []
    for t in tests:
        size = (t.p, t.q)[side]
        if not size.is_Symbol or not rest.has(size):
            continue
        weight = rest.coeff(size, 1)
        if weight.has(size) or sp.expand(rest - weight * size).has(size):
            return None
        rest = sp.expand(rest - weight * size)
        weights.append(weight)
        chosen.append(t)
    if not chosen:
        return None
    parts = [(w, t) for w, t in zip(weights, chosen, strict=True)]
    p = rest + sum(w * t.p for w, t in parts)
    q = rest + sum(w * t.q for w, t in parts)
    return Sizes(identity, p, q), [*weights, rest]


def numbers(tests: tuple[Sizes, ...], reals: tuple[Any, ...], node: Any) -> Iterator[Any]:
    """Numbers at hand for the variable of an extremum over [lower, upper] = ``node.args[2:4]``:
    means of tests and of their complements under the distributions of its curves, reals and minus
    them, ends."""
    pool: dict[Any, None] = {}
    for e in node.atoms(pn.Profile, tn.TradeOff):
        identity, rows = members(e.args[0], e.args[1])
        for t in tests:
            if t.identity is identity:
                means = [sp.sympify(t.under(row)) for row in rows]
                pool.update(dict.fromkeys([*means, *(1 - m for m in means)]))
    for t in tests:
        pool.update(dict.fromkeys(map(sp.sympify, (t.p, t.q, 1 - t.p, 1 - t.q))))
    for r in reversed(reals):
        pool.update(dict.fromkeys((r, -r, 1 - r)))
    yield from pool
    yield from (x for x in node.args[2:4] if x not in (sp.oo, -sp.oo) and x not in pool)


def at_hand(tests: tuple[Sizes, ...], reals: tuple[Any, ...]) -> list[Any]:
    """Means of tests and of their complements, reals."""
    means = [m for t in tests for m in (t.p, t.q, 1 - t.p, 1 - t.q)]
    return list(dict.fromkeys(map(sp.sympify, [*means, *reversed(reals)])))


def plain_values(e: Any) -> set[Any]:
    """The values of arbitrary functions in an expression, outside of every extremum."""
    e = sp.sympify(e)
    if isinstance(e, AppliedUndef):
        return {e}
    return set() if isinstance(e, Node) else {x for a in e.args for x in plain_values(a)}


def one_space(phi: Any, parts: tuple[Any, ...]) -> Any:
    """The pair on whose space a test lives."""
    found = {m.args[0].pair for e in parts for m in sp.sympify(e).atoms(tn.Mean)
             if m.args[1] == phi}
    if len(found) != 1:
        raise IllFormed(f"the test {phi} must be one on the space of one pair")
    identity = found.pop()
    two_members(identity)
    return identity


def two_members(identity: Any) -> None:
    """Refuse spaces with three or more distributions: a test has more than two means there."""
    if len(identity.names) != 2:
        raise Unsupported("a test on a space with more than two distributions")




def plain_means(statement: Any, fresh: Callable[[str], Any]
                ) -> tuple[tuple[Sizes, ...], dict[Any, Any]]:
    """The free tests of a statement, for all values of their two means: new numbers.

    Raises :class:`IllFormed` for a test on two spaces.
    """
    spaces: dict[Any, Any] = {}
    for form in (statement.claim, *statement.where):
        for e in lang.expressions(form):
            for m in _free_means(sp.sympify(e)):
                P, phi = m.args
                if spaces.setdefault(phi, P.pair) is not P.pair:
                    raise IllFormed(f"the test {phi} is one on the space of one pair")
    tests: list[Sizes] = []
    means: dict[Any, Any] = {}
    for phi, identity in sorted(spaces.items(), key=lambda x: str(x[0])):
        two_members(identity)
        p, q = fresh("a"), fresh("b")
        tests.append(Sizes(identity, p, q))
        for side, m in ((0, p), (1, q)):
            means[tn.Mean(pn.Distribution(identity.names[side], identity, side), phi)] = m
    return tuple(tests), means


def apart(e: Any, fresh: Callable[[str], Any]) -> Any:
    """An expression with a new symbol for every bound variable: replacing never captures one."""
    e = sp.sympify(e)
    if not e.args:
        return e
    parts = [apart(a, fresh) for a in e.args]
    if isinstance(e, Node) and e.bound_at is not None:
        x = e.args[e.bound_at]
        own = fresh(x.name)
        if isinstance(x, tn.RandomizedTest):
            own = tn.RandomizedTest(own.name)
        if isinstance(x, pn.Outcome):
            own = x  # the families over it know it by its name
        parts = [own if k == e.bound_at else a.xreplace({x: own}) if k in e.bound_scope else a
                 for k, a in enumerate(parts)]
    return e.func(*parts)


def _free_means(e: Any) -> list[Any]:
    """Means of tests that no infimum in the expression binds."""
    free = e.free_symbols
    return [m for m in e.atoms(tn.Mean) if m.args[1] in free]


__all__ = ["Sizes", "apart", "at_hand", "candidates", "hockey_stick", "linear_in", "nodes_of",
           "numbers", "one_space", "plain_means", "plain_values", "put"]
