"""Claims that see a function and its derivatives at points only.

Theorem.  Let g be continuous with continuous derivatives up to order r.  An integral over the line
of g(a t + b), or of its n-th derivative, times a generalised function W = sum w_k D^k delta_c (a
sum of impulses and derivatives of impulses, of order k at most r - n) is the sum of
w_k (-1)^k a^(k+n) g^(k+n)(a c + b): the definition of D^k delta_c, and the chain rule.  So every
expression made of such integrals and of values g^(k)(x) is an expression in the numbers g^(k)(x).
A claim about those that holds for arbitrary numbers, one for each order and each point that is
written differently, holds for every such g.

W is formed first: explicit factors of an integrand are multiplied with each other, then the result
meets g.  So I(t) D delta_c is no more than a multiple of delta_c where I(c) = 0, and a continuous g
is enough for it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus.exact import Exact
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Model
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.render import word_of
from lapdp.theory.statement import Statement


def by_jets(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a relation that sees arbitrary functions at points only.

    Applies where hypotheses ``Continuous(g(x), x)`` and ``Continuous(D(g(x), x, r), x)`` declare
    the functions smooth enough.  Raises :class:`Unsupported` where an integral meets more of a
    function than its values and derivatives at points, or derivatives that it need not have.
    """
    forms = (statement.claim, *statement.where)
    if not isinstance(statement.claim, Relational) or not any(
            sp.sympify(e).has(AppliedUndef) for e in lang.expressions(statement.claim)):
        return None
    jets = _Jets(statement)
    claim = statement.claim.func(*(jets.rewrite(x) for x in (
        statement.claim.lhs, statement.claim.rhs)), evaluate=False)
    where = tuple(h for h in forms[1:] if not any(
        sp.sympify(e).has(AppliedUndef) for e in lang.expressions(h)))
    lemma = replace(statement, id=f"{statement.id}/values", claim=claim, where=where, hints={})
    what = f"for all values of {', '.join(map(str, jets.symbols.values())) or 'nothing'}"
    return by_lemmas("values at points", [(what, prove(lemma))], {known.DISTRIBUTIONS})


class _Jets:
    """Replaces what is seen of functions by symbols, one for each function, order and point."""

    def __init__(self, statement: Statement) -> None:
        h = gather(statement)
        self.cell = Cell(h.constraints)
        self.smooth = _smoothness(statement)
        self.taken = {s.name for form in (statement.claim, *statement.where)
                      for e in lang.expressions(form) for s in sp.sympify(e).atoms(sp.Symbol)}
        self.symbols: dict[tuple[str, int, Form], Any] = {}
        models: dict[Any, Any] = {a: a.mechanism.model() for p in statement.pairs
                                  for a in p.atoms() if a.mechanism is not None}
        self.interpreter = Interpreter(
            self.cell, {a: m for a, m in models.items() if isinstance(m, Model)})

    def rewrite(self, e: Any) -> Any:
        """The expression with values, derivatives and integrals of functions replaced."""
        if not e.has(AppliedUndef):
            return e
        if isinstance(e, AppliedUndef):
            return self.jet(type(e).__name__, 0, e.args[0])
        if isinstance(e, cn.GeneralizedDerivative):
            name, slope, _, order = self._seen(e, e.args[1])
            return slope**order * self.jet(name, order, e.args[0].args[0])
        if isinstance(e, cn.Limit) and isinstance(e.args[0], cn.GeneralizedDerivative) and (
                str(e.args[3]) == "_" and e.args[0].args[1] == e.args[1]):
            name, slope, offset, order = self._seen(e.args[0], e.args[1])
            return slope**order * self.jet(name, order, slope * e.args[2] + offset)
        if isinstance(e, cn.IntegralOnLine) and e.args[2:] == (-sp.oo, sp.oo):
            return self._integral(e.args[0], e.args[1])
        if isinstance(e, cn.Convolution) and e.args[3] == -sp.oo:
            first, second, t = e.args[:3]
            tau = sp.Dummy("tau", real=True)
            return self._integral(first.subs(t, t - tau) * second.subs(t, tau), tau)
        if isinstance(e, (cn.Node, sp.Piecewise)):
            raise Unsupported(f"{word_of(e)} of a function sees more than values at points")
        return e.func(*(self.rewrite(a) for a in e.args))

    def jet(self, name: str, order: int, point: Any) -> Any:
        """The symbol of g^(order)(point)."""
        if order > self.smooth.get(name, -1):
            raise Unsupported(f"{name} need not have a continuous derivative of order {order}")
        if sp.sympify(point).has(AppliedUndef) or not sp.sympify(point).is_real:
            raise Unsupported(f"{name} at a point that is not a real expression of parameters")
        key = (name, order, self.interpreter.form(point))
        if key not in self.symbols:
            fresh = name + "'" * order
            while fresh in self.taken:
                fresh += "_"
            self.taken.add(fresh)
            self.symbols[key] = sp.Symbol(fresh, real=True)
        return self.symbols[key]

    def _seen(self, e: Any, t: Any) -> tuple[str, Any, Any, int]:
        """(name, slope, offset, order) of g(slope t + offset) or of its derivative in ``t``."""
        order = 0
        if isinstance(e, cn.GeneralizedDerivative) and e.args[1] == t:
            e, order = e.args[0], int(e.args[2])
        if not isinstance(e, AppliedUndef) or len(e.args) != 1:
            raise Unsupported(f"{e} is not a value of a function, or of its derivative")
        argument = sp.expand(e.args[0])
        slope = argument.coeff(t, 1)
        offset = sp.expand(argument - slope * t)
        if t in offset.free_symbols or t in slope.free_symbols or slope == 0:
            raise Unsupported(f"the argument {argument} is not affine in {t}")
        return type(e).__name__, slope, offset, order

    def _integral(self, body: Any, t: Any) -> Any:
        """The integral over the line: impulses against values."""
        total: Any = sp.Integer(0)
        for term in sp.Add.make_args(body):
            factors = sp.Mul.make_args(term)
            seen = [x for x in factors if x.has(AppliedUndef)]
            rest = sp.Mul(*(x for x in factors if not x.has(AppliedUndef)))
            if not seen:
                total = total + cn.Int(term, t)
            elif len(seen) > 1:
                raise Unsupported("a product of two functions under an integral")
            elif seen[0].is_Add:
                total = total + self._integral(sp.Add(*(x * rest for x in seen[0].args)), t)
            else:
                total = total + self._pairing(seen[0], rest, t)
        return total

    def _pairing(self, g: Any, weight: Any, t: Any) -> Any:
        """The integral of a value of a function times an explicit generalised function."""
        name, slope, offset, order = self._seen(g, t)
        total: Any = sp.Integer(0)
        for c, orders in self._impulses(weight, t).items():
            at = c.to_sympy()
            for k, w in orders.items():
                value = self.jet(name, k + order, sp.expand(slope * at + offset))
                total = total + w.to_sympy() * (-1) ** k * slope ** (k + order) * value
        return total

    def _impulses(self, weight: Any, t: Any) -> dict[Form, dict[int, Any]]:
        """The impulses of an explicit generalised function that has no other part."""
        arbitrary = [s for s in weight.free_symbols if isinstance(s, pn.Distribution)
                     and any(a not in self.interpreter.models for a in s.pair.atoms())]
        if arbitrary:
            raise Unsupported("an arbitrary pair beside a function")
        w: Exact = self.interpreter.function(weight, t).x
        regular = [*w.germ.values(), *(c for terms in w.jumps.values() for c in terms.values())]
        if any(not c.substitute(self.cell.values).is_zero() for c in regular):
            raise Unsupported("an integral of a function against more than impulses")
        return {c: {k: m for k, m in orders.items() if not m.substitute(
            self.cell.values).is_zero()} for c, orders in w.impulses.items()}


def _smoothness(statement: Statement) -> dict[str, int]:
    """The order up to which hypotheses declare derivatives continuous, 0 for g itself."""
    declared: dict[str, set[int]] = {}
    for form in statement.where:
        if not isinstance(form, lang.Continuous):
            continue
        g, order = form.expr, 0
        if isinstance(g, cn.GeneralizedDerivative) and g.args[1] == form.t:
            g, order = g.args[0], int(g.args[2])
        if isinstance(g, AppliedUndef) and g.args == (form.t,):
            declared.setdefault(type(g).__name__, set()).add(order)
    return {name: max(orders) for name, orders in declared.items() if 0 in orders}


__all__ = ["by_jets"]
