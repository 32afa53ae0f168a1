"""What no reading gives a sense is refused before any method is asked."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.core.errors import IllFormed
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.mixtures import coefficients
from lapdp.privacy.pointwise import LossAt
from lapdp.theory import language as lang
from lapdp.theory.events import require_events, require_one_space
from lapdp.theory.indices import stray_index
from lapdp.theory.statement import Statement


def require_meaning(statement: Statement) -> None:
    """Refuse what no reading gives a sense: infinite frequencies, limits that are not real, symbols
    that may be infinite, functions without an argument."""
    for s in statement.parameters:
        if s.is_extended_real and not s.is_real:
            raise IllFormed(f"the symbol {s} may be infinite: declare it real")
    nodes = [x for form in (statement.claim, *statement.where) for e in lang.expressions(form)
             for x in sp.preorder_traversal(sp.sympify(e))]
    for node in nodes:
        if isinstance(node, (cn.OneSided, cn.Bilateral)) and node.args[2].has(sp.oo, sp.zoo,
                                                                              sp.nan):
            raise IllFormed(f"the frequency {node.args[2]} is not a number")
        if isinstance(node, cn.IntegralOnLine) and not all(
                x.is_extended_real for x in node.args[2:]):
            raise IllFormed(f"the limits of {node} must be real")
        if isinstance(node, cn.GeneralizedDerivative) and not (
                node.args[2].is_Integer and node.args[2] >= 0):
            raise IllFormed(f"the order of the derivative {node} must be a whole number")
        for first, second in distributions(node):
            coefficients(first, second)
        if isinstance(node, sp.core.function.AppliedUndef) and len(node.args) != 1:
            raise IllFormed(f"{node}: an arbitrary function has one argument")
        if isinstance(node, tn.TradeOff) and (node.args[2].is_extended_negative or (
                1 - node.args[2]).is_extended_negative):
            raise IllFormed(f"{node}: a trade-off function has values on [0, 1] only")
        if isinstance(node, tn.SetOf):
            raise IllFormed(f"{node} is a set, where a number is needed")
    for form in (statement.claim, *statement.where):
        if isinstance(form, lang.SameMeasure):
            require_one_space({d for e in (form.lhs, form.rhs) for term in sp.Add.make_args(
                sp.expand(e)) for d in sp.Mul.make_args(term) if isinstance(d, pn.Distribution)})
    told = stray_index(statement)
    if told:
        raise IllFormed(told)
    require_events(nodes)


def distributions(node: Any) -> list[tuple[Any, Any]]:
    """The two distributions that a notion is asked of."""
    if isinstance(node, (pn.Profile, pn.Loss, LossAt, tn.TradeOff)):
        return [node.args[:2]]
    return [node.args[1:]] if isinstance(node, (pn.Moment, pn.RenyiDivergence)) else []


__all__ = ["distributions", "require_meaning"]
