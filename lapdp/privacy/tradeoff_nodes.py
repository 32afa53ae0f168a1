"""SymPy nodes for hypothesis tests: trade-off functions, errors of tests, extrema over levels.

A test phi is a function on the sample space of one pair with values in [0, 1]; phi = 1 decides for
Q (Remark 2.3).  Its errors are ``alpha_phi = mean(P, phi)`` and ``beta_phi = 1 - mean(Q, phi)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node, operand
from lapdp.core.calls import fitting
from lapdp.core.errors import IllFormed, InputError
from lapdp.privacy.mixtures import coefficients
from lapdp.privacy.nodes import (
    Distribution,
    Outcome,
    SupOverEvents,
    SupOverOutcomes,
    members_of,
)


class RandomizedTest(sp.Symbol):
    """A measurable function on the sample space with values in [0, 1]."""


class TradeOff(Node):
    """f_{P|Q}(level), equation (11): least 1 - E_Q[phi] with E_P[phi] <= level; args (P, Q, level).

    It is defined for levels in [0, 1].
    """

    def _latex(self, printer: Any) -> str:
        p, q, level = (printer._print(a) for a in self.args)
        return rf"f_{{{p}|{q}}}\left({level}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "T({}, {})({})".format(*(printer._print(a) for a in self.args))


class Mean(Node):
    """E_P[phi] of a test: args (P, phi)."""

    def _latex(self, printer: Any) -> str:
        p, phi = (printer._print(a) for a in self.args)
        return rf"\mathbb{{E}}_{{{p}}}\left[{phi}\right]"

    def _sympystr(self, printer: Any) -> str:
        return "mean({}, {})".format(*(printer._print(a) for a in self.args))


class InfOverTests(Node):
    """Infimum of ``body`` over the tests phi with lhs <= rhs: args (body, phi, lhs, rhs)."""

    bound_at = 1
    bound_scope = (0, 2, 3)

    def _latex(self, printer: Any) -> str:
        body, phi, lhs, rhs = (printer._print(a) for a in self.args)
        return (rf"\inf_{{{phi}:\Omega\to[0,1]}}"
                rf"\left\{{{body} : {lhs} \leq {rhs}\right\}}")

    def _sympystr(self, printer: Any) -> str:
        return "Inf({}, {}, Le({}, {}))".format(*(printer._print(a) for a in self.args))


class InfOverReals(Node):
    """Infimum of ``body`` over lower <= x <= upper with lhs <= rhs.

    Args (body, x, lower, upper, lhs, rhs).
    """

    bound_at = 1
    bound_scope = (0, 4, 5)

    def _latex(self, printer: Any) -> str:
        body, x, lower, upper, lhs, rhs = (printer._print(a) for a in self.args)
        return (rf"\inf\left\{{{body} : {x}\in[{lower},{upper}],\ "
                rf"{lhs} \leq {rhs}\right\}}")

    def _sympystr(self, printer: Any) -> str:
        body, x, lower, upper, lhs, rhs = (printer._print(a) for a in self.args)
        return f"Inf({body}, {x}, Le({lhs}, {rhs}), {lower}, {upper})"


class SupOverReals(Node):
    """Supremum of ``body`` over lower <= x <= upper: args (body, x, lower, upper)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        body = operand(printer, self.args[0])
        x, lower, upper = (printer._print(a) for a in self.args[1:])
        where = r"\mathbb{R}" if self.args[2:] == (-sp.oo, sp.oo) else f"[{lower},{upper}]"
        return rf"\sup_{{{x}\in {where}}} {body}"

    def _sympystr(self, printer: Any) -> str:
        return "Sup({}, {}, {}, {})".format(*(printer._print(a) for a in self.args))


class Envelope(Node):
    """Biconjugate on [0, 1]: the largest convex lower semicontinuous function below
    ``body``, at a level; args (body, t, level)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        body, t, level = (printer._print(a) for a in self.args)
        return rf"\left({t}\mapsto {body}\right)^{{**}}\left({level}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "biconjugate({}, {})({})".format(*(printer._print(a) for a in self.args))


class SetOf(Node):
    """The set of the values of ``element`` under lhs <= rhs, no number: args
    (element, lhs, rhs)."""

    def _latex(self, printer: Any) -> str:
        element, lhs, rhs = (printer._print(a) for a in self.args)
        return rf"\left\{{{element} : {lhs} \leq {rhs}\right\}}"

    def _sympystr(self, printer: Any) -> str:
        return "SetOf({}, Le({}, {}))".format(*(printer._print(a) for a in self.args))


@fitting
def decisions(names: str) -> Any:
    """Tests, with values in [0, 1] on a sample space: ``phi, psi = decisions("phi psi")``."""
    made = tuple(RandomizedTest(n) for n in names.replace(",", " ").split())
    return made[0] if len(made) == 1 else made


@fitting
def T(P: Any, Q: Any) -> Callable[[Any], Any]:
    """Trade-off function f_{P|Q} of equation (11), a function on [0, 1].

    >>> from lapdp.privacy.nodes import pair
    >>> P, Q = pair("P", "Q")
    >>> T(P, Q)(sp.Rational(1, 2))
    T(P, Q)(1/2)
    """
    if not isinstance(P, Distribution) or not isinstance(Q, Distribution):
        P, Q = members_of(P, Q)
    coefficients(P, Q)
    return lambda level: TradeOff(P, Q, level)


@fitting
def mean(P: Any, phi: Any) -> Any:
    """E_P[phi] of a test phi: ``mean(P, phi)`` is its error alpha, ``1 - mean(Q, phi)`` beta.

    Under a mixture ``w*P + (1 - w)*Q`` it is the mixture of the means.
    """
    parts = [(term, [x for x in sp.Mul.make_args(term) if isinstance(x, Distribution)])
             for term in sp.Add.make_args(sp.expand(P))]
    if not isinstance(phi, RandomizedTest) or any(len(found) != 1 for _, found in parts):
        raise IllFormed(f"mean({P}, {phi}) takes a distribution and a test")
    return sum(term / found[0] * Mean(found[0], phi) for term, found in parts)


@fitting
def Sup(body: Any, x: Any, lower: Any = None, upper: Any = None) -> Any:
    """Supremum of ``body`` over all events x, all outcomes x, or the real x in [lower, upper].

    >>> a = sp.Symbol("a", real=True)
    >>> Sup(1 - a, a, 0, 1)
    Sup(1 - a, a, 0, 1)
    """
    if isinstance(x, Outcome):
        return SupOverOutcomes(body, x)
    if lower is None or upper is None:
        return SupOverEvents(body, x)
    return SupOverReals(body, _real(x), lower, upper)


@fitting
def Inf(body: Any, x: Any, condition: Any, lower: Any = 0, upper: Any = 1) -> Any:
    """Infimum of ``body`` over the tests x, or the real x in [lower, upper], with ``Le(a, b)``.

    >>> from lapdp.privacy.nodes import pair
    >>> P, Q = pair("P", "Q"); phi = decisions("phi"); level = sp.Symbol("level", real=True)
    >>> Inf(1 - mean(Q, phi), phi, sp.Le(mean(P, phi), level))
    Inf(1 - mean(Q, phi), phi, Le(mean(P, phi), level))
    """
    lhs, rhs = _at_most(condition)
    if isinstance(x, RandomizedTest):
        return InfOverTests(body, x, lhs, rhs)
    return InfOverReals(body, _real(x), lower, upper, lhs, rhs)


@fitting
def left_inverse(body: Any, x: Any) -> Callable[[Any], Any]:
    """The left-continuous inverse of x -> body on [0, 1]: ``inf {x : body <= beta}``, (12)."""
    return lambda beta: InfOverReals(_real(x), x, 0, 1, body, beta)


@fitting
def biconjugate(body: Any, t: Any) -> Callable[[Any], Any]:
    """g** for g(t) = body on [0, 1]: its largest convex lower semicontinuous minorant."""
    return lambda level: Envelope(body, _real(t), level)


@fitting
def set_of(element: Any, condition: Any) -> Any:
    """The set ``{element : a <= b}``: no number, so a relation with one is ill-formed."""
    return SetOf(element, *_at_most(condition))


def _real(x: Any) -> Any:
    if not isinstance(x, sp.Symbol) or not x.is_real:
        raise InputError(f"the variable of an extremum must be a real symbol, not {x!r}")
    return x


def _at_most(condition: Any) -> tuple[Any, Any]:
    if isinstance(condition, sp.Le):
        return condition.lhs, condition.rhs
    if isinstance(condition, sp.Ge):
        return condition.rhs, condition.lhs
    raise IllFormed(f"the condition {condition} of an extremum must be Le(a, b)")


EXTREMA = (TradeOff, InfOverTests, InfOverReals, SupOverReals, Envelope)
"""Nodes whose value is an extremum over tests or levels: not linear in the pair."""
