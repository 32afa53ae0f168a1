"""Parts of a claim that may have no value, for methods after which they may be gone.

A claim is false where a part of it has no value.  A method that puts something in, or subtracts one
side from the other, asks here before: SymPy cancels 1/x - 1/x, log(x) - log(x) and oo - oo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Indicator, Limit, Node
from lapdp.calculus.sequences import BinomialMean, FiniteSum, Recursive, Term
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy.inner_loss import Inner
from lapdp.privacy.nodes import Distribution
from lapdp.privacy.tradeoff_nodes import TradeOff
from lapdp.theory import language as lang
from lapdp.theory.premises import MAY_BE_INFINITE
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement

Prove = Callable[[Any], Proof]
TOTAL = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.asinh, sp.erf, sp.erfc,
         sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.re, sp.im, sp.conjugate, sp.Min, sp.Max)
"""Functions that have a value everywhere on the real line."""
UNBOUNDED = (*MAY_BE_INFINITE, Inner, Limit)
"""Notions that may have no finite value."""
FINITE = (pn.Profile, pn.LossCDF, pn.Probability, pn.Measure, TradeOff, Indicator, Term)
"""Nodes that are finite numbers wherever they are asked."""
ALWAYS = (pn.Profile, pn.LossCDF, pn.Probability, TradeOff)
"""Notions that have a value wherever their arguments have one."""
SUMS = (FiniteSum, BinomialMean, Recursive)
"""Nodes that are so where nothing in them is infinite."""
PLACED: dict[Any, tuple[int, ...]] = {
    pn.Profile: (2,), pn.LossCDF: (1,), pn.Probability: (2,), pn.Moment: (0,),
    pn.RenyiDivergence: (0,), TradeOff: (2,), Recursive: (1, 2), Term: (1,),
}
"""Where notions are asked: the places of their arguments that are numbers."""


def values_of_parts(statement: Statement, prove: Prove, given: Any = None, divided: bool = True
                    ) -> list[tuple[str, Proof]]:
    """Proofs that the numbers of a relation have values, as they are written.

    For methods that put something in: SymPy cancels 1/x and log(x) when what they are multiplied
    with or divided by changes, and the claim has no value where these have none.  Those of a
    relation ``given``, which is supposed to hold, have values; a method that proves that what
    depends on pairs and is divided by is not 0 says ``divided=False``.  Raises
    :class:`Unsupported` where one may have none.
    """
    claim = statement.claim
    if not isinstance(claim, Relational) or (
            isinstance(claim, sp.Eq) and claim.lhs == claim.rhs and not claim.lhs.has(Node)):
        return []  # an expression equals itself where it has a value: that is all it says
    found = dict.fromkeys(x for side in claim.args for x in doubtful(side))
    supposed = [x for side in given.args for x in doubtful(side)] if isinstance(
        given, Relational) else []
    lemmas = [(f"{x} has a value", _value_of(x, statement, prove)) for x in found
              if x not in supposed and (divided or not (_is_quotient(x) and x.has(Distribution)))]
    if statement.hints.get("induction") == "done":
        # letters stand for values at m, beside what they were made of: the whole claim was asked
        return lemmas
    return lemmas + [lemma for side in claim.args for lemma in _products(side, statement, prove)]


def values_of_nodes(statement: Statement, prove: Prove, kept: Any, finite: Collection[Any] = ()
                    ) -> list[tuple[str, Proof]]:
    """Proofs that the notions, extrema and integrals of a relation are finite numbers.

    For methods after which they may cancel: oo - oo has no value.  Those that a relation ``kept``,
    which is proved, has as often need no proof of their own, nor do those that are ``finite``.
    """
    found: list[tuple[str, Proof]] = []
    there = _nodes_of(kept)
    given = {h.expr for h in statement.where if isinstance(h, lang.Defined)}.union(finite)
    for x, count in _nodes_of(statement.claim).items():
        if x in given or there[x] >= count or _has_value(x):
            continue
        form = lang.Defined(x) if isinstance(x, UNBOUNDED) else (
            lang.Ge(x, 0) if x.has(Distribution) else lang.Eq(x, x))
        found.append((f"{x} has a value", prove(lemma_of(statement, form, statement.where))))
    return found


def _nodes_of(form: Any) -> Counter[Any]:
    """The outermost nodes of a relation, with how often each stands there."""
    return Counter(x for e in form.args for x in _nodes(sp.sympify(e)))


def _nodes(e: Any) -> Iterator[Any]:
    """The outermost nodes of an expression."""
    if isinstance(e, Node):
        yield e
    else:
        for a in e.args:
            yield from _nodes(a)


def _has_value(x: Any) -> bool:
    """A probability of an arbitrary pair, at a number, has a value; so has an element."""
    if isinstance(x, Term):
        return True
    if isinstance(x, pn.Profile):
        members, point = x.args[:2], x.args[2]
    elif isinstance(x, (pn.LossCDF, pn.Probability)):
        members, point = x.args[0].args, x.args[1 if isinstance(x, pn.LossCDF) else 2]
    else:
        return False
    return all(isinstance(p, Distribution) for p in members) and bool(
        point in (sp.oo, -sp.oo) or (point.is_Symbol and point.is_real) or point.is_Rational)


def require_kept(form: Any, values: Mapping[Any, Any]) -> None:
    """What may have no value must not vanish with what is put in: 0/y is not 0 at y = 0, and 0
    times a sum, an integral or a moment is not 0 where these have none, or are infinite.

    Raises :class:`Unsupported`.
    """
    for e in map(sp.sympify, lang.expressions(form)):
        after, nodes = e.subs(values, simultaneous=True), e.atoms(Node)
        parts = [x for a in (e, *(a for n in nodes for a in n.args)) for x in doubtful(a)]
        for x in (*parts, *(n for n in nodes if not isinstance(n, ALWAYS))):
            here = x.subs(values, simultaneous=True)
            if (here.free_symbols or isinstance(here, Node)) and not after.has(here):
                raise Unsupported(f"{here} may have no value, and vanishes at {values}")


def _value_of(x: Any, statement: Statement, prove: Prove) -> Proof:
    """That a power or a function has a value: it equals itself, or its argument is positive."""
    forms: list[Any] = [] if x.has(Node) else [lang.Eq(x, x)]
    if x.is_Pow or isinstance(x, sp.log):
        forms.append(lang.Gt(x.args[0], 0))
    if _is_quotient(x):
        forms.append(lang.Lt(x.args[0], 0))
    reason = f"that {x} has a value"
    for form in forms:
        try:
            return prove(lemma_of(statement, form, statement.where))
        except Unsupported as problem:
            reason = str(problem)
    raise Unsupported(reason)


def _products(e: Any, statement: Statement, prove: Prove) -> list[tuple[str, Proof]]:
    """Proofs that no factor is 0 beside one that may be infinite, and no power of such a one the
    0-th: 0 oo and oo^0 have no value, and are gone where a letter is put in."""
    if isinstance(e, Node):
        return []
    lemmas = [lemma for a in e.args for lemma in _products(a, statement, prove)]
    factors = e.args if e.is_Mul or e.is_Pow else ()
    for a in factors[:1] if e.is_Pow else factors:
        parts = [x for x in _nodes(a) if not _is_finite(x)]
        others = [b for b in factors if b is not a and not b.is_nonzero
                  and not _of_one_order([a, b])]
        if parts and others:
            lemmas += _finite_or_nonzero(parts, others, statement, prove)
    return lemmas


def _of_one_order(moments: list[Any]) -> bool:
    """Moments of one real order: none is +oo at orders in [0, 1], none is 0 at others."""
    return all(isinstance(x, pn.Moment) and x.args[0].is_real for x in moments) and len(
        {x.args[0] for x in moments}) == 1


def _is_finite(x: Any) -> bool:
    return isinstance(x, FINITE) or (isinstance(x, SUMS) and not x.has(*UNBOUNDED))


def _finite_or_nonzero(parts: Collection[Any], others: Collection[Any], statement: Statement,
                       prove: Prove) -> list[tuple[str, Proof]]:
    reason = ""
    for forms in ([lang.Defined(x) for x in parts], [lang.Gt(b, 0) for b in others],
                  [lang.Lt(b, 0) for b in others]):
        try:
            return [(f"{form}", prove(lemma_of(statement, form, statement.where)))
                    for form in forms]
        except Unsupported as problem:
            reason = reason or str(problem)
    raise Unsupported(f"0 oo may occur: {reason}")


def _is_quotient(x: Any) -> bool:
    return bool(x.is_Pow and x.exp.is_integer)


def doubtful(e: Any) -> list[Any]:
    """Powers and functions that may have no value; nodes are not looked into.

    >>> x = sp.Symbol("x", real=True)
    >>> doubtful(sp.exp(sp.log(x) / (1 + sp.exp(x))) + x**2)
    [log(x)]
    """
    e = sp.sympify(e)
    if type(e) in PLACED:
        # a profile, a probability, a moment needs a place that has a value
        return list(dict.fromkeys(x for k in PLACED[type(e)] for x in doubtful(e.args[k])))
    if isinstance(e, Node) or not e.free_symbols:
        return []
    found = [] if _is_total(e) else [e]
    if not isinstance(e, sp.Piecewise):
        found += [x for a in e.args for x in doubtful(a)]
    return list(dict.fromkeys(found))


def _is_total(e: Any) -> bool:
    """Does an operation have a value wherever its arguments have one?"""
    if e.is_Pow:
        return bool((e.exp.is_integer and e.exp.is_nonnegative) or e.base.is_positive)
    if isinstance(e, (sp.log, sp.gamma, sp.loggamma)):
        return bool(e.args[0].is_positive)
    if isinstance(e, (sp.factorial, sp.binomial)):
        return all(a.is_integer and a.is_nonnegative for a in e.args)
    return e.is_Add or e.is_Mul or e.is_Symbol or isinstance(e, (AppliedUndef, *TOTAL))


__all__ = ["Prove", "doubtful", "require_kept", "values_of_nodes", "values_of_parts"]
