"""Quotients (1/n) log E[e^(nZ)] under a limit n -> 0, in the two ways in which they are printed."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.privacy import nodes as pn


def log_moment_quotient(limit: Any) -> Any:
    """The loss Z of ``Lim(log(Ex(exp(n*Z), Z))/n, n, 0)`` or of ``Lim(R(q, P, Q), q, 1)``, or None.

    With n = q - 1, R_q(P||Q) is that quotient for Z of PLD(P||Q).

    >>> from lapdp.calculus.nodes import Lim
    >>> P, Q = pn.pair(); n = sp.Symbol("n", real=True); Z = pn.PLD(P, Q)
    >>> log_moment_quotient(Lim(pn.R(n, P, Q), n, 1)), log_moment_quotient(Lim(n, n, 1))
    (PLD(P, Q), None)
    >>> log_moment_quotient(Lim(sp.log(pn.Ex(sp.exp(n * Z), Z)) / n, n, 0, "-"))
    PLD(P, Q)
    """
    body, n, point, _ = limit.args
    if not n.is_real:
        return None
    if isinstance(body, pn.RenyiDivergence):
        q, p, r = body.args
        return pn.Loss(p, r) if q == n and point == 1 else None
    inner = sp.sympify(body) * n
    if point == 0 and isinstance(inner, sp.log) and isinstance(inner.args[0], pn.Expectation):
        mean, loss = inner.args[0].args
        return loss if mean == sp.exp(n * loss) else None
    return None
