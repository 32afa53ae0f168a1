"""Ball enclosures of forms and field elements at given values of their parameters."""

from __future__ import annotations

from typing import Any

import flint
import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported


def enclose(x: Scalar | Form, values: dict[Any, Any]) -> Any:
    """Ball enclosure (acb) of an element at the given values of its atoms, current precision."""
    def atom_value(a: Any) -> Any:
        if a in values:
            return flint.acb(values[a])
        if a is sp.I:
            return flint.acb(0, 1)
        if a == sp.pi:
            return flint.acb(flint.arb.pi())
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
    def poly_value(poly: Any) -> Any:
        return sum((form_value(rest) * form_value(log).exp() * c
                    for c, log, rest, _ in x.polynomial_terms(poly)), flint.acb(0))
    return poly_value(x.num) / poly_value(x.den)
