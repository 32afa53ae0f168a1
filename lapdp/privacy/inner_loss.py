"""SymPy nodes for the inner distribution: the loss under the condition that it is finite.

Source: Sommer, Meiser and Mohammadi 2020, Definitions 4 and 10: the privacy loss class of a pair is
(mean, variance, mass at +oo), mean and variance being those of the inner distribution.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Int, Node
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.nodes import Loss, Pr, _loss, f

Y = sp.Symbol("y", real=True)
"""The variable of the defining integrals."""


class Inner(Node):
    """What all nodes of the inner distribution share: args (Z, ...)."""

    def body(self, y: Any) -> Any:
        """What is averaged, as an expression in the finite loss ``y``."""
        raise NotImplementedError

    def defined(self) -> Any:
        """The definition: an integral over the finite losses, renormalised."""
        z = self.args[0]
        return Int(self.body(Y) * f(z)(Y), Y, -sp.oo, sp.oo) / (1 - Pr(z, "==", sp.oo))


class InnerMean(Inner):
    """Mean of the loss, given that it is finite: args (Z,)."""

    def body(self, y: Any) -> Any:
        return y

    def _latex(self, printer: Any) -> str:
        return rf"\mu\left({printer._print(self.args[0])}\right)"

    def _sympystr(self, printer: Any) -> str:
        return f"inner_mean({printer._print(self.args[0])})"


class InnerVariance(Inner):
    """Variance of the loss, given that it is finite: args (Z,)."""

    is_nonnegative = True

    def body(self, y: Any) -> Any:
        return (y - InnerMean(self.args[0])) ** 2

    def _latex(self, printer: Any) -> str:
        return rf"\sigma^{{2}}\left({printer._print(self.args[0])}\right)"

    def _sympystr(self, printer: Any) -> str:
        return f"inner_variance({printer._print(self.args[0])})"


class InnerMoment(Inner):
    """E[|Z - c|^n | Z < oo]: args (Z, n, c)."""

    is_nonnegative = True

    def body(self, y: Any) -> Any:
        return sp.Abs(y - self.args[2]) ** self.args[1]

    def _latex(self, printer: Any) -> str:
        z, n, c = (printer._print(a) for a in self.args)
        inside = z if self.args[2] == 0 else f"{z}-{c}"
        return rf"\mathbb{{E}}\left[\left|{inside}\right|^{{{n}}}\,\middle|\,{z}<\infty\right]"

    def _sympystr(self, printer: Any) -> str:
        return "inner_moment({}, {}, {})".format(*(printer._print(a) for a in self.args))


@fitting
def inner_mean(Z: Any) -> Any:
    """Mean of the inner distribution: E[Z | Z < oo], Sommer et al. 2020, Definition 10.

    It has no value where every loss is infinite, or the integral diverges.

    >>> from lapdp.privacy.nodes import PLD, pair
    >>> inner_mean(PLD(*pair()))
    inner_mean(PLD(P, Q))
    """
    return InnerMean(_loss(Z))


@fitting
def inner_variance(Z: Any) -> Any:
    """Variance of the inner distribution, Sommer et al. 2020, Definition 10.

    >>> from lapdp.privacy.nodes import PLD, pair
    >>> inner_variance(PLD(*pair())).is_nonnegative
    True
    """
    return InnerVariance(_loss(Z))


@fitting
def inner_moment(Z: Any, n: Any, c: Any = 0) -> Any:
    """E[|Z - c|^n | Z < oo] for a whole number n >= 1: central with ``c = inner_mean(Z)``.

    Raises :class:`InputError` for other orders.  Source: Sommer et al. 2020, Theorem 4 (n = 3).

    >>> from lapdp.privacy.nodes import PLD, pair
    >>> inner_moment(PLD(*pair()), 3)
    inner_moment(PLD(P, Q), 3, 0)
    """
    order = sp.sympify(n)
    if not (order.is_Integer and order >= 1):
        raise InputError("the order of an inner moment is a whole number from 1 on")
    return InnerMoment(_loss(Z), order, c)


__all__ = ["Inner", "InnerMean", "InnerMoment", "InnerVariance", "Loss", "inner_mean",
           "inner_moment", "inner_variance"]
