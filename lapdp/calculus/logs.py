"""Logarithms of positive field elements as atoms of forms.

A breakpoint such as log(1 + (e^eps - 1)/lambda) is no polynomial in the parameters.  It is kept as
an atom that remembers its argument: ``Scalar.exp`` turns whole multiples of it back into powers of
the argument, ``Form.substitute`` substitutes inside, and cells decide signs of forms in which it is
linear by exponentials.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, LogOf, log_of_rational, name_of
from lapdp.core.errors import Undefined, Unsupported

_MAX_POWER = 64
_ATOMS: dict[Any, LogOf] = {}


def log_form(x: Scalar) -> Form:
    """log x for an element that is positive wherever the form is used; callers make sure of that.

    Raises :class:`Undefined` for constants c <= 0 and what is c e^m with such a c, and
    :class:`Unsupported` for elements that are not real.

    >>> from sympy import Symbol
    >>> lam = Symbol("lam", positive=True)
    >>> x = log_form(Scalar.of(Form.of(1 + lam)))
    >>> Scalar.exp(x) == Scalar.of(Form.of(1 + lam))
    True
    """
    if x.is_zero():
        raise Undefined("the logarithm of 0")
    shape = x.as_exponential()
    if shape is not None and shape[1] == shape[1].real_part():
        if shape[0] <= 0:
            raise Undefined("the logarithm of a number <= 0")
        return log_of_rational(shape[0]) + shape[1]
    if not x.is_real():
        raise Unsupported(f"log({x}) of an element that is not real")
    # one atom for x and 1/x; both have their signs in an order of their own
    inverse = x.inverse()
    found, other = (tuple(_signature(e, poly) for poly in (e.num, e.den)) for e in (x, inverse))
    if other > found:
        return -Form.atom(_ATOMS.setdefault(other, LogOf(inverse, len(_ATOMS))))
    return Form.atom(_ATOMS.setdefault(found, LogOf(x, len(_ATOMS))))


def _signature(x: Scalar, poly: Any) -> tuple[Any, ...]:
    """What a polynomial is, in an order of its own: equal for equal polynomials only."""
    terms = sorted((name_of(log), name_of(rest), c)
                   for c, log, rest, _ in x.polynomial_terms(poly))
    return len(terms), tuple(terms)


def exponential_of(form: Form) -> Scalar | None:
    """e^(n form) with a whole n >= 1, if logarithms of elements occur, and only linearly.

    The form has the sign of e^(n form) - 1.
    """
    scale, found = 1, False
    for m, c in form.terms.items():
        if any(isinstance(a, LogOf) for a, _ in m):
            if len(m) != 1 or m[0][1] != 1:
                return None
            found = True
            scale = lcm(scale, c.denominator)
            if abs(c) * scale > _MAX_POWER:
                return None
    return Scalar.exp(form * Form.of(scale)) if found and scale <= _MAX_POWER else None


def together(form: Form) -> Form:
    """The same number with its logarithms put together, where a rational number and an exponential
    are what is left of them.

    >>> up, down = (log_form(1 + Scalar.exp(Form.of(x))) for x in (1, -1))
    >>> up - down == Form.of(1), together(up - down) == Form.of(1)
    (False, True)
    """
    inside = exponential_of(form)
    if inside is None or Scalar.exp(form) != inside:
        return form
    shape = inside.as_exponential()
    if shape is None or shape[0] <= 0 or shape[1] != shape[1].real_part():
        return form
    return log_of_rational(shape[0]) + shape[1]


__all__ = ["LogOf", "exponential_of", "log_form", "together"]
