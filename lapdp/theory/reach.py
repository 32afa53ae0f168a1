"""What no method can see: refused before any of them is asked.

*Bound variables.*  A pair carries its mechanism outside of the expression in which it stands: what
replaces a bound variable there does not reach the mechanism's parameters.  So a variable that a
sum, an integral, a supremum, a quantifier or "convex in t" binds may be no parameter of a mechanism
below it; of a composition it may be the number of releases, if a quantifier binds it.  And it runs
over a set that methods know: real, positive, non-negative, whole or complex numbers.

*Orders* are between real numbers, and this must show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.privacy import families as fam
from lapdp.privacy.nodes import Distribution
from lapdp.theory import language as lang

KINDS = [sp.Symbol("x", **assumptions).assumptions0 for assumptions in (
    {}, {"complex": True}, {"real": True}, {"positive": True}, {"nonnegative": True},
    {"integer": True}, {"integer": True, "positive": True},
    {"integer": True, "nonnegative": True})]
QUANTIFIERS = (lang.ForAll, lang.Exists, lang.Implies, lang.Iff)
ALONG = {cn.GeneralizedDerivative: 1, cn.Primitive: 1, cn.Convolution: 2}
"""Where nodes have the variable of the functions before it, if they do not bind it."""
REAL = (sp.Abs, sp.re, sp.im, sp.arg)
"""Functions with real values, whatever their arguments."""


def require_reach(statement: Any) -> None:
    """Raise :class:`Unsupported` for a statement with a variable or relation of these kinds.

    >>> from lapdp import gaussian
    >>> from lapdp.theory import D, Eq, delta, mechanism_pair, positives
    >>> from lapdp.theory.statement import Statement
    >>> s = positives("s"); M = mechanism_pair(gaussian(s))
    >>> require_reach(Statement("x", Eq(D(delta(*M)(0), s), 0)))
    Traceback (most recent call last):
        ...
    lapdp.core.errors.Unsupported: s is bound, and a parameter of the pair P,Q below
    """
    for outer in (statement.claim, *statement.where):
        for form in _forms(outer):
            _require_bound(form)
            if isinstance(form, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
                for side in form.args:
                    _require_real(side)
        for e in lang.expressions(outer):
            for node in sp.preorder_traversal(sp.sympify(e)):
                if isinstance(node, Node) and node.bound_at is not None:
                    inside = [node.args[k] for k in node.bound_scope]
                    _require({node.args[node.bound_at]}, inside, quantified=False)
                elif type(node) in ALONG:
                    k = ALONG[type(node)]
                    _require({node.args[k]}, node.args[:k], quantified=False)


def bound_anywhere(form: Any) -> set[Any]:
    """The variables, events and tests that a form, or a node in it, binds somewhere.

    What is put into it must not have any of them free: there it would mean another one.
    """
    return {s for inner in _forms(form) for s in lang.bound_symbols(inner)} | {
        node.args[node.bound_at] for e in lang.expressions(form)
        for node in sp.preorder_traversal(sp.sympify(e))
        if isinstance(node, Node) and node.bound_at is not None}


def _forms(form: Any) -> Iterator[Any]:
    """A form and the forms inside it."""
    yield form
    if is_dataclass(form):
        for field in fields(form):
            value = getattr(form, field.name)
            for inner in value if isinstance(value, tuple) else (value,):
                if isinstance(inner, lang.FORMS):
                    yield from _forms(inner)


def _require_bound(form: Any) -> None:
    _require(lang.bound_symbols(form), lang.expressions(form), isinstance(form, QUANTIFIERS))


def _require(bound: set[Any], inside: Any, quantified: bool) -> None:
    plain = {s for s in bound if type(s) in (sp.Symbol, sp.Dummy)}
    for s in plain:
        if s.assumptions0 not in KINDS:
            raise Unsupported(f"{s} runs over numbers of a kind that methods do not know: real, "
                              "positive, whole or complex ones")
    for e in inside if plain else ():
        for member in sp.sympify(e).atoms(Distribution):
            seen = hidden_parameters(member.pair, indices=not quantified) & plain
            if seen:
                raise Unsupported(f"{min(seen, key=str)} is bound, and a parameter of the pair "
                                  f"{member.pair.name} below")


def hidden_parameters(identity: Any, indices: bool) -> set[Any]:
    """Symbols in the mechanisms of a pair; with ``indices`` in its numbers of releases too."""
    found: set[Any] = set()
    for part in (p for atom in identity.atoms() for p in fam.parts_of(atom)):
        found |= _of_mechanism(part.mechanism)
        if isinstance(part.role, fam.OnUnitInterval):
            found |= part.role.cdf.free_symbols - {part.role.x}
        if isinstance(part.role, (fam.Composed, fam.Conditional)):
            found |= part.role.composition.letters
            if indices:
                found |= part.role.index.free_symbols
    return found


def _of_mechanism(mechanism: Any) -> set[Any]:
    if not is_dataclass(mechanism) or isinstance(mechanism, type):
        return set()
    values = [getattr(mechanism, field.name) for field in fields(mechanism)]
    parts = [x for v in values for x in (v if isinstance(v, tuple) else (v,))]
    return set().union(*(x.free_symbols if isinstance(x, sp.Basic) else _of_mechanism(x)
                         for x in parts))


def _may_be_complex(e: Any) -> bool:
    """Are there complex symbols or i in it, outside of what is real for any of them?"""
    if isinstance(e, REAL):
        return False
    if isinstance(e, Node):
        free = e.free_symbols
        if any(type(s) in (sp.Symbol, sp.Dummy) and s.is_real is not True for s in free):
            return True
    return e is sp.I or any(map(_may_be_complex, e.args))


def _require_real(side: Any) -> None:
    """A side of an order must not have complex symbols outside of what is real for any of them; a
    transform at a complex frequency, or a moment of a complex order, is a complex number."""
    def bare(e: Any) -> Any:
        if isinstance(e, REAL):
            return sp.Dummy("r", real=True)
        if isinstance(e, Node):
            return sp.Dummy("z", real=None if _may_be_complex(e) else True)
        return e.func(*map(bare, e.args)) if e.args else e

    e = sp.sympify(side)
    if e.has(sp.I) or any(s.is_real is not True for s in e.free_symbols
                          if type(s) in (sp.Symbol, sp.Dummy)):
        e = bare(e)
        if not e.is_real and (e.has(sp.I) or not all(s.is_real for s in e.free_symbols)):
            raise Unsupported(f"an order needs real numbers: is {side} one?")


__all__ = ["bound_anywhere", "hidden_parameters", "require_reach"]
