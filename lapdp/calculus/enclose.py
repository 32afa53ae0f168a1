"""Ball enclosures of forms and field elements at given values of their parameters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, Named
from lapdp.calculus.logs import LogOf, exponential_of
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workdps

ERFC_ATOMS: dict[Any, Scalar] = {}
"""Generators that stand for erfc of an argument (see :func:`lapdp.calculus.convert.erfc_atom`)."""


def differs_from_zero(x: Scalar) -> bool:
    """Do balls separate a parameter-free element from 0?  (False: not decided, at 300 digits)"""
    for digits in (30, 100, 300):
        with workdps(digits):
            if not enclose(x, {}).contains(0):
                return True
    return False


def told_apart(x: Scalar, y: Scalar) -> int:
    """The sign of x - y for real numbers that balls of 30 digits tell apart, else 0.

    The difference itself is not formed: exponentials whose exponents share no small denominator
    make it large.

    >>> from lapdp.calculus.form import Form
    >>> one, power = Scalar.of(1), Scalar.exp(Form.of(Fraction(999, 1000)))
    >>> told_apart(power, one), told_apart(one, power), told_apart(one, one)
    (1, -1, 0)
    """
    letters = {a for side in (x, y) for a in side.parameters()}
    if not (x.is_real() and y.is_real()) or any(
            a not in ERFC_ATOMS or ERFC_ATOMS[a].parameters() for a in letters):
        return 0
    with workdps(30):
        gap = enclose(x, {}).real - enclose(y, {}).real
        return 1 if gap > 0 else -1 if gap < 0 else 0


def sign_of_number(x: Scalar | Form) -> int:
    """The sign of a real number: 0 if its normal form is 0, else by balls of at most 1200 digits.

    Raises :class:`Unsupported` where balls do not separate the number from 0.
    """
    power = exponential_of(x) if isinstance(x, Form) else None
    if not x or (power is not None and power == Scalar.of(1)):
        return 0
    for digits in (30, 100, 400, 1200):
        with workdps(digits):
            ball = enclose(x, {}).real
            if not ball.contains(0):
                return 1 if ball > 0 else -1
    raise Unsupported(f"the sign of {x} is not decided at 1200 digits")


def enclose(x: Scalar | Form, values: dict[Any, Any]) -> Any:
    """Ball enclosure (acb) of an element at the given values of its atoms, current precision."""
    def atom_value(a: Any) -> Any:
        if a in values:
            return flint.acb(values[a])
        if a is sp.I:
            return flint.acb(0, 1)
        if a == sp.pi:
            return flint.acb(flint.arb.pi())
        if a in ERFC_ATOMS:
            return enclose(ERFC_ATOMS[a], values).erfc()
        if isinstance(a, LogOf):
            return enclose(a.argument, values).log()
        if isinstance(a, Named):
            return a.ball()
        if isinstance(a, sp.log):
            return flint.acb(int(a.args[0])).log()
        raise Unsupported(f"no value for {a}")

    def form_value(form: Form) -> Any:
        total = flint.acb(0)
        for m, c in form.terms.items():
            term = flint.acb(flint.fmpq(c.numerator, c.denominator))
            for a, p in m:
                term *= atom_value(a) ** p
            total += term
        return total

    if isinstance(x, Form):
        return form_value(x)

    def generator(key: Any) -> Any:
        if key[0] == "e":
            return form_value(Form({key[1]: Fraction(1, key[2])})).exp()
        if key[0] == "r":
            base, root = flint.arb(int(key[1])), int(key[2])
            # beyond a machine word by the logarithm
            return flint.acb(base.root(root) if root < 2**31 else (base.log() / root).exp())
        return atom_value(sp.I if key[0] == "i" else key[1])

    known: dict[int, Any] = {}

    def poly_value(poly: Any) -> Any:
        total = flint.acb(0)
        for powers, c in zip(poly.monoms(), poly.coeffs(), strict=True):
            term = flint.acb(c)
            for j, power in enumerate(powers):
                if power:
                    if j not in known:
                        known[j] = generator(x.keys[j])
                    term *= known[j] ** int(power)
            total += term
        return total

    num, den = (poly_value(poly) if whole is None else flint.acb_poly(whole)(generator(x.keys[0]))
                for poly, whole in zip((x.num, x.den), x.dense(), strict=True))
    return num / den
