"""SymPy nodes for functions on the sample space, and for events that relations of them cut out.

A statement about an outcome speaks of its densities, its likelihood ratio and its privacy loss.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

from lapdp.calculus.nodes import Node
from lapdp.core.errors import InputError
from lapdp.privacy.nodes import members_of, oriented


class LossAt(Node):
    """Privacy loss L_{P|Q} = log(P/Q) as a function on the space, Definition 3.1: args (P, Q).

    Its values lie in [-oo, oo]: +oo where Q vanishes, -oo where P does.

    >>> from lapdp.privacy.nodes import pair
    >>> P, Q = pair()
    >>> LossAt(P, Q).free_symbols == {P, Q}
    True
    """

    is_extended_real = True

    def __new__(cls, P: Any, Q: Any) -> Any:
        return super().__new__(cls, *members_of(P, Q))

    def _latex(self, printer: Any) -> str:
        p, q = (printer._print(a) for a in self.args)
        return rf"L_{{{p}|{q}}}"


class Ratio(Node):
    """Likelihood ratio P/Q as a function on the space, with values in [0, oo]: args (P, Q).

    SymPy cancels the Q in ``(P/Q)*Q``; ``Ratio(P, Q)*Q`` stays as it is printed.
    """

    is_commutative = True

    def __new__(cls, P: Any, Q: Any) -> Any:
        oriented(P, Q)
        return super().__new__(cls, P, Q)

    def _latex(self, printer: Any) -> str:
        p, q = (printer._print(a) for a in self.args)
        return rf"\left(\frac{{{p}}}{{{q}}}\right)"


class Where(Node):
    """The event of all outcomes at which a condition holds: args (condition,).

    The condition is a relation, or ``And``, ``Or``, ``Not`` of relations, which compare densities
    with densities, or functions of losses and ratios.  Raises :class:`InputError` for another.

    >>> from lapdp.privacy.nodes import pair
    >>> P, Q = pair()
    >>> P(Where(sp.Gt(P, 2*Q, evaluate=False)))
    P(Where(P > 2*Q))
    >>> Q(Where(sp.And(sp.Ne(P, 0), sp.Ne(Q, 0))))
    Q(Where(Ne(P, 0) & Ne(Q, 0)))
    """

    def __new__(cls, relation: Any) -> Any:
        if not isinstance(relation, (Relational, BooleanAtom, sp.And, sp.Or, sp.Not)):
            raise InputError("Where takes a relation such as Gt(P, Q), or And, Or, Not of some")
        return sp.Expr.__new__(cls, relation)

    def _latex(self, printer: Any) -> str:
        return rf"\left\{{{printer._print(self.args[0])}\right\}}"
