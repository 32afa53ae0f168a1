"""SymPy expressions of parameters -> field elements, exactly or refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.calculus.enclose import ERFC_ATOMS
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, LogOf, Named, log_of_rational
from lapdp.core.errors import Undefined, Unsupported

_ERFC_NAMES: dict[str, Any] = {}


def to_scalar(e: Any, leaf: Callable[[Any], Scalar] | None = None) -> Scalar:
    """Convert an expression of parameters; ``leaf`` may translate what is not arithmetic.

    >>> eps = sp.Symbol("eps", real=True)
    >>> to_scalar(sp.exp(eps) / (1 + sp.exp(eps)) + 1 / (1 + sp.exp(eps)))
    1
    """
    e = sp.sympify(e)
    if e.is_Rational:
        return Scalar.of(Fraction(int(e.p), int(e.q)))
    if e in (sp.zoo, sp.nan):
        raise Undefined("a division by zero")
    if e.is_Symbol or e in (sp.I, sp.pi) or isinstance(e, (sp.re, sp.im, LogOf, Named)):
        return Scalar.of(Form.atom(e))
    if e == sp.E:
        return Scalar.exp(Form.of(1))
    if e.is_Add:
        total = Scalar.of(0)
        for a in e.args:
            total = total + to_scalar(a, leaf)
        return total
    if e.is_Mul:
        total = Scalar.of(1)
        for a in e.args:
            total = total * to_scalar(a, leaf)
        return total
    if isinstance(e, sp.exp):
        return Scalar.exp(to_form(e.args[0], leaf))
    if e.is_Pow:
        return power(to_scalar(e.base, leaf), e.exp, leaf)
    if isinstance(e, sp.log):
        return Scalar.of(logarithm(to_scalar(e.args[0], leaf)))
    if isinstance(e, sp.erfc):
        return erfc_atom(to_scalar(e.args[0], leaf))
    if isinstance(e, sp.erf):
        return 1 - erfc_atom(to_scalar(e.args[0], leaf))
    if leaf is not None:
        return leaf(e)
    raise Unsupported(f"{e} is not an expression of the exact class")


def to_form(e: Any, leaf: Callable[[Any], Scalar] | None = None) -> Form:
    """An exponent, breakpoint or frequency."""
    try:
        return Form.of(e)
    except Unsupported:
        found = to_scalar(e, leaf).as_form()
    if found is None:
        raise Unsupported(f"{e} is not a polynomial in the parameters")
    return found


def logarithm(x: Scalar) -> Form:
    """log of c e^m with rational c > 0 and real m."""
    shape = x.as_exponential()
    if x.is_zero():
        raise Undefined("the logarithm of 0")
    if shape is None or shape[0] <= 0 or shape[1] != shape[1].real_part():
        raise Unsupported(f"log({x}) is outside the exact class")
    return log_of_rational(shape[0]) + shape[1]


def power(base: Scalar, exponent: Any, leaf: Callable[[Any], Scalar] | None = None) -> Scalar:
    """base^exponent: whole powers always, others for positive exponentials c e^m."""
    if exponent.is_Integer:
        if base.is_zero() and exponent < 0:
            raise Undefined("a division by zero")
        return base ** int(exponent)
    if base.is_zero() and exponent.is_positive:
        return base
    if base == Scalar.of(-1) and exponent == sp.Rational(1, 2):
        return Scalar.of(Form.atom(sp.I))
    if exponent.is_Rational:
        root = _symbol_power(base, Fraction(int(exponent.p), int(exponent.q)))
        if root is not None:
            return root
    return Scalar.exp(to_form(exponent, leaf) * logarithm(base))


def _symbol_power(base: Scalar, exponent: Fraction) -> Scalar | None:
    """Rational powers of monomials in positive symbols, when they come out whole."""
    form = base.as_form()
    if form is None or len(form.terms) != 1:
        return None
    ((m, c),) = form.terms.items()
    if c <= 0 or not m or not all(a.is_positive for a, _ in m):
        return None
    powers = [(a, p * exponent) for a, p in m]
    if any(p.denominator != 1 for _, p in powers):
        return None
    whole = Form({tuple((a, int(p)) for a, p in powers): Fraction(1)})
    return Scalar.of(whole) * Scalar.exp(log_of_rational(c) * Form.of(exponent))


class ErfcOf(sp.Dummy):
    """The complementary error function at a field element, a letter to the field; made by
    :func:`erfc_atom` only, and printed as the function that it is."""

    __slots__ = ("argument",)
    argument: Scalar

    def __new__(cls, argument: Scalar) -> Any:
        atom = sp.Dummy.__new__(cls, f"erfc({argument})", real=True)
        atom.argument = argument
        return atom

    def __reduce__(self) -> Any:
        return _erfc_letter, (self.argument,)

    def _sympystr(self, printer: Any) -> str:
        return f"erfc({printer._print(self.argument.to_sympy())})"

    def _latex(self, printer: Any) -> str:
        return str(printer._print(sp.erfc(self.argument.to_sympy(), evaluate=False)))


def erfc_atom(argument: Scalar) -> Scalar:
    """erfc as a generator of its own, normalised by erfc(-x) = 2 - erfc(x)."""
    if argument.is_zero():
        return Scalar.of(1)
    if not argument.is_real():
        raise Unsupported(f"erfc({argument}) of a complex argument is no generator")
    negative = argument.num.leading_coefficient() < 0
    if negative:
        argument = -argument
    value = Scalar.of(Form.atom(_erfc_letter(argument)))
    return 2 - value if negative else value


def _erfc_letter(argument: Scalar) -> Any:
    """The one letter of this argument."""
    text = sp.srepr(argument.to_sympy())
    if text not in _ERFC_NAMES:
        _ERFC_NAMES[text] = ErfcOf(argument)
    atom = _ERFC_NAMES[text]
    ERFC_ATOMS[atom] = argument
    return atom
