"""Integrals over the line of c e^(-a t^2 + b t + d): sqrt(pi/a) e^(b^2/(4a) + d), or +oo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.core.errors import Undefined

if TYPE_CHECKING:
    from lapdp.theory.interpret import Graded, Interpreter


def gaussian_integral(i: Interpreter, body: Any, t: Any) -> Graded | None:
    """The integral over the line of an exponential of a real quadratic in ``t``; None for others.

    The sign of the quadratic coefficient decides: where it is no decay and the factor is positive,
    the integral is +oo.
    """
    from lapdp.privacy.model import INFINITE
    from lapdp.theory.interpret import NONE, Graded

    exponents = [x.args[0] for x in sp.Mul.make_args(body)
                 if isinstance(x, sp.exp) and t in x.free_symbols]
    factor = sp.Mul(*(x for x in sp.Mul.make_args(body)
                      if not (isinstance(x, sp.exp) and t in x.free_symbols)))
    exponent = sp.expand(sp.Add(*exponents))
    if t in factor.free_symbols or not exponent.is_polynomial(t) or sp.degree(exponent, t) != 2:
        return None
    d, b, a = (exponent.coeff(t, k) * (-1 if k == 2 else 1) for k in range(3))
    if not all(x.is_real for x in (a, b, d)):
        return None
    steep = i.scalar(sp.together(a))
    if i.cell.sign_of(steep) > 0:
        return i.value(factor * sp.sqrt(sp.pi / a) * sp.exp(b**2 / (4 * a) + d))
    if i.cell.sign_of(i.scalar(factor)) <= 0:
        raise Undefined("the integral is -oo, or 0 times oo")
    return Graded(NONE, INFINITE)
