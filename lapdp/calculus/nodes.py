"""Unevaluated SymPy nodes for the transforms and integrals that papers print.

The nodes print as in the paper and never evaluate by themselves: `lapdp.theory` gives them
meaning.  Every node that binds a variable keeps it out of ``free_symbols`` and out of reach of
``subs``.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.printing.precedence import PRECEDENCE

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError

_SIDES = ("", "-", "+")


class Node(sp.Expr):
    """An unevaluated expression of the statement language."""

    is_commutative = True
    bound_at: int | None = None
    """Position of the bound variable among ``args``, if the node binds one."""
    bound_scope: tuple[int, ...] = (0,)
    """Positions of the arguments in which the variable is bound."""
    marker: int | None = None
    """Position of an argument that is a mark (a side, a relation), not a variable."""

    def __new__(cls, *args: Any) -> Any:
        return sp.Expr.__new__(cls, *(sp.sympify(a) for a in args))

    @property
    def free_symbols(self) -> set[sp.Basic]:
        free: set[sp.Basic] = set()
        for i, arg in enumerate(self.args):
            if i in (self.bound_at, self.marker):
                continue
            symbols = set(arg.free_symbols)
            if self.bound_at is not None and i in self.bound_scope:
                symbols -= {self.args[self.bound_at]}
            free |= symbols
        return free

    def _eval_subs(self, old: sp.Basic, new: sp.Basic) -> sp.Basic | None:
        if self.bound_at is None or old != self.args[self.bound_at]:
            return None
        outside = [
            a if i == self.bound_at or i in self.bound_scope else a._subs(old, new)
            for i, a in enumerate(self.args)
        ]
        return self.func(*outside)


def operand(printer: Any, e: Any) -> str:
    """LaTeX of an operand: a sum in parentheses."""
    return str(printer.parenthesize(e, PRECEDENCE["Mul"]))


def _variable(t: Any) -> sp.Symbol:
    if not isinstance(t, sp.Symbol):
        raise InputError(f"the variable of integration must be a symbol, not {t!r}")
    return t


class OneSided(Node):
    """One-sided Laplace transform from 0+, equation (14): args (g, t, s)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        g, _, s = (printer._print(a) for a in self.args)
        return rf"\mathcal{{L}}\left\{{{g}\right\}}\left({s}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "L({}, {}, {})".format(*(printer._print(a) for a in self.args))


class Bilateral(Node):
    """Two-sided Laplace transform, equation (14): args (g, t, s)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        g, _, s = (printer._print(a) for a in self.args)
        return rf"\mathcal{{B}}\left\{{{g}\right\}}\left({s}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "B({}, {}, {})".format(*(printer._print(a) for a in self.args))


class TransformOf:
    """``L(g, t)`` or ``B(g, t)``: a transform waiting for its frequency."""

    def __init__(self, node: type[Node], g: Any, t: sp.Symbol) -> None:
        self.node, self.g, self.t = node, g, t

    def __call__(self, s: Any) -> Any:
        return self.node(self.g, self.t, s)


@fitting
def L(g: Any, t: Any, s: Any = None) -> Any:
    """One-sided Laplace transform of ``g`` in ``t`` from 0+ (an impulse at 0 is dropped).

    ``L(g, t, s)`` is the node, ``L(g, t)`` waits for s.

    >>> t, s = sp.symbols("t s")
    >>> L(sp.exp(-t), t, s)
    L(exp(-t), t, s)
    >>> L(sp.exp(-t), t)(2)
    L(exp(-t), t, 2)
    """
    waiting = TransformOf(OneSided, g, _variable(t))
    return waiting if s is None else waiting(s)


@fitting
def B(g: Any, t: Any, s: Any = None) -> Any:
    """Two-sided Laplace transform of ``g`` in ``t``.

    >>> t, s = sp.symbols("t s")
    >>> B(sp.exp(-abs(t)), t, s).free_symbols
    {s}
    """
    waiting = TransformOf(Bilateral, g, _variable(t))
    return waiting if s is None else waiting(s)


class Bromwich(Node):
    """Inversion integral (16) on the line Re s = gamma: args (G, s, x, gamma)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        G, s, x, gamma = (printer._print(a) for a in self.args)
        return (
            rf"\frac{{1}}{{2\pi i}}\int_{{{gamma}-i\infty}}^{{{gamma}+i\infty}}"
            rf"e^{{{s} {x}}}\,{G}\,d{s}"
        )

    def _sympystr(self, printer: Any) -> str:
        return "Linv({}, {}, {}, {})".format(*(printer._print(a) for a in self.args))


@fitting
def Linv(G: Any, s: Any, x: Any, gamma: Any) -> Any:
    """Inverse transform of ``G`` in ``s``, at ``x``, along the line Re s = gamma.

    >>> s, x = sp.symbols("s x")
    >>> Linv(1/s, s, x, 1)
    Linv(1/s, s, x, 1)
    """
    return Bromwich(G, _variable(s), x, gamma)


class SymmetricIntegral(Node):
    """Limit over T of the integral over [-T, T]: args (g, t, mark), mark ``_`` or ``_pv``.

    ``_pv``: with (-h, h) left out, in the limit h -> 0 (a principal value at 0).
    """

    bound_at = 1
    marker = 2

    @property
    def principal(self) -> bool:
        """Is (-h, h) left out, and h sent to 0?"""
        return str(self.args[2]) == "_pv"

    def _latex(self, printer: Any) -> str:
        g, t = operand(printer, self.args[0]), printer._print(self.args[1])
        value = r"\mathrm{p.v.}" if self.principal else ""
        return rf"\lim_{{T\to\infty}} {value}\int_{{-T}}^{{T}} {g}\,d{t}"

    def _sympystr(self, printer: Any) -> str:
        g, t = (printer._print(a) for a in self.args[:2])
        return f"{'PV' if self.principal else 'LimInt'}({g}, {t})"


@fitting
def LimInt(g: Any, t: Any) -> Any:
    """The limit, as T tends to oo, of the Lebesgue integral of ``g`` over [-T, T].

    It has no value where ``g`` is not integrable on some [-T, T], nor without a limit.

    >>> t = sp.Symbol("t", real=True)
    >>> LimInt(sp.sin(t)/t, t)
    LimInt(sin(t)/t, t)
    """
    return SymmetricIntegral(g, _variable(t), sp.Symbol("_"))


@fitting
def PV(g: Any, t: Any) -> Any:
    """The principal value at 0 and oo: the limit of the integral over h < abs(t) < T.

    >>> t = sp.Symbol("t", real=True)
    >>> PV(sp.exp(sp.I*t)/t, t).free_symbols
    set()
    """
    return SymmetricIntegral(g, _variable(t), sp.Symbol("_pv"))


class IntegralOnLine(Node):
    """Lebesgue integral: args (g, t, lower, upper), limits excluded when an impulse sits there."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        g = operand(printer, self.args[0])
        t, a, b = (printer._print(x) for x in self.args[1:])
        return rf"\int_{{{a}}}^{{{b}}} {g}\,d{t}"

    def _sympystr(self, printer: Any) -> str:
        return "Int({}, {}, {}, {})".format(*(printer._print(a) for a in self.args))


@fitting
def Int(g: Any, t: Any, lower: Any = -sp.oo, upper: Any = sp.oo) -> Any:
    """Integral of ``g`` over (lower, upper): impulses strictly inside count, at the ends not.

    >>> t = sp.Symbol("t")
    >>> Int(sp.exp(-t), t, 0, 1)
    Int(exp(-t), t, 0, 1)
    """
    return IntegralOnLine(g, _variable(t), lower, upper)


class Impulse(Node):
    """Mass of the impulse of ``g`` at ``c``: the integral from c- to c+; args (g, t, c)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        g = operand(printer, self.args[0])
        t, c = (printer._print(x) for x in self.args[1:])
        return rf"\int_{{{c}^-}}^{{{c}^+}} {g}\,d{t}"


class Limit(Node):
    """Value or one-sided limit: args (g, t, point, side) with side '-', '+' or '' (a Symbol)."""

    bound_at = 1
    marker = 3

    def _latex(self, printer: Any) -> str:
        g = operand(printer, self.args[0])
        t, c = (printer._print(x) for x in self.args[1:3])
        side = str(self.args[3])[-1] if str(self.args[3]) != "_" else ""
        return rf"\lim_{{{t}\to {c}^{{{side}}}}} {g}"


@fitting
def Lim(g: Any, t: Any, point: Any, side: str = "") -> Any:
    """Limit of ``g`` as ``t`` tends to ``point`` from ``side`` ('-', '+', or '' at infinity).

    >>> t = sp.Symbol("t")
    >>> sorted(map(str, Lim(sp.exp(-t), t, sp.oo).free_symbols))
    []
    """
    if side not in _SIDES:
        raise InputError("the side of a limit is '-', '+' or ''")
    return Limit(g, _variable(t), point, sp.Symbol("_" + side))


class GeneralizedDerivative(Node):
    """Derivative in the sense of distributions: args (g, t, n), a function of ``t`` again."""

    variable_at = 1

    def _latex(self, printer: Any) -> str:
        g = operand(printer, self.args[0])
        t, n = (printer._print(x) for x in self.args[1:])
        power = "" if self.args[2] == 1 else f"^{{{n}}}"
        return rf"\frac{{d{power}}}{{d{t}{power}}} {g}"

    def _eval_subs(self, old: sp.Basic, new: sp.Basic) -> sp.Basic | None:
        t = self.args[self.variable_at]
        if old != t:
            return None
        if isinstance(new, sp.Symbol):
            return self.func(*(a._subs(old, new) for a in self.args))
        # a value at a point: the limit from both sides there
        dummy = sp.Dummy(str(t), real=True)
        return Limit(self._eval_subs(old, dummy), dummy, new, sp.Symbol("_"))


@fitting
def D(g: Any, t: Any, n: int = 1) -> Any:
    """The ``n``-th generalised derivative of ``g`` in ``t``: jumps become impulses.

    >>> t = sp.Symbol("t")
    >>> D(sp.exp(t), t, 2).args[2]
    2
    """
    return GeneralizedDerivative(g, _variable(t), n)


class Convolution(Node):
    """Convolution over the line or from 0: args (g, h, t, lower), a function of ``t``."""

    def _latex(self, printer: Any) -> str:
        g, h = (operand(printer, x) for x in self.args[:2])
        lower = printer._print(self.args[3])
        over = "" if self.args[3] == -sp.oo else f"_{{{lower}}}"
        return rf"\left({g} \circledast{over} {h}\right)"

    variable_at = 2
    _eval_subs = GeneralizedDerivative._eval_subs


@fitting
def conv(g: Any, h: Any, t: Any, lower: Any = -sp.oo) -> Any:
    """Convolution of ``g`` and ``h``, both in ``t``; ``lower=0`` gives the integral over (0, t).

    >>> t = sp.Symbol("t")
    >>> conv(sp.exp(-t), sp.exp(-2*t), t, lower=0).free_symbols
    {t}
    """
    return Convolution(g, h, _variable(t), lower)


class Primitive(Node):
    """Running integral of ``g`` from ``lower`` to ``t``: args (g, t, lower)."""

    variable_at = 1
    _eval_subs = GeneralizedDerivative._eval_subs

    def _latex(self, printer: Any) -> str:
        g = operand(printer, self.args[0])
        t, lower = (printer._print(x) for x in self.args[1:])
        return rf"\int_{{{lower}}}^{{{t}}} {g}\,d{t}"


class Indicator(Node):
    """1 where a condition holds, 0 elsewhere: args (condition,).

    The condition is a relation, or ``And``, ``Or``, ``Not`` of relations.
    """

    def __new__(cls, relation: Any) -> Any:
        if not isinstance(relation, (Relational, sp.logic.boolalg.BooleanAtom,
                                     sp.And, sp.Or, sp.Not)):
            raise InputError("Indicator takes a relation such as t > a, or And, Or, Not of some")
        return sp.Expr.__new__(cls, relation)

    def _latex(self, printer: Any) -> str:
        return rf"\mathbb{{I}}\left\{{{printer._print(self.args[0])}\right\}}"
