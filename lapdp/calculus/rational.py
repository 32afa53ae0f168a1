"""Transforms G(s) = sum e^(-c s) R_c(s), rational R_c: from a field element to partial fractions.

The poles must be rational in the parameters.  What remains without a pole belongs to impulses.
"""

from __future__ import annotations

from typing import Any

from lapdp.calculus.exact import Terms, _partial, _put
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported


def transform_parts(G: Scalar, s: Any, cell: Cell
                    ) -> tuple[dict[Form, Terms], dict[Form, dict[int, Scalar]], int]:
    """G(s) = sum e^(-c s) R_c(s) with R_c in partial fractions, and the decay of R at infinity."""
    denominator: list[tuple[Form, int]] = []
    exponent = Form({})
    den = Scalar(G.keys, G.den, G.den.context().constant(1))
    for factor, k in den.factors()[1]:
        form = factor.as_form()
        if form is None or s not in form.atoms():
            shape = factor.as_exponential() if _depends(factor, s) else None
            if shape is not None:
                # e^(c s) in a denominator: moved to the numerator as e^(-c s)
                exponent = exponent + shape[1] * Form.of(k)
            elif _depends(factor, s):
                raise Unsupported(f"the poles of 1/({factor}) are not rational")
            continue
        slope = Form({tuple(x for x in m if x[0] != s): c for m, c in form.terms.items()
                      if dict(m).get(s) == 1})
        if any(dict(m).get(s, 0) not in (0, 1) for m in form.terms):
            raise Unsupported(f"the poles of 1/({form}) are not rational")
        rest = form - slope * Form.atom(s)
        denominator.append((-(rest * slope.inverse()), k))
    # what is left over does not depend on s
    unit = den / _product(denominator, s) / Scalar.exp(exponent)
    jumps: dict[Form, Terms] = {}
    impulses: dict[Form, dict[int, Scalar]] = {}
    decay = 99
    one = G.num.context().constant(1)
    numerator = Scalar(G.keys, G.num, one)
    by_point: dict[Form, dict[int, Scalar]] = {}
    for c, log_of_term, rest, _ in numerator.polynomial_terms(numerator.num):
        log = log_of_term - exponent
        at, others = _frequency_split(log, s)
        power = 0
        coefficient = Scalar.of(0)
        for m, factor_of_m in rest.terms.items():
            power = dict(m).get(s, 0)
            coefficient = Scalar.of(Form({tuple(x for x in m if x[0] != s): factor_of_m}))
        by_point.setdefault(at, {})
        _put(by_point[at], power, coefficient * c * Scalar.exp(others) / unit)
    for at, polynomial in by_point.items():
        terms, rests = _partial_fractions(polynomial, denominator, cell)
        jumps[at] = terms
        impulses[at] = rests
        top = max(polynomial) if polynomial else 0
        decay = min(decay, sum(k for _, k in denominator) - top)
    return jumps, {c: t for c, t in impulses.items() if t}, decay


def _depends(x: Scalar, s: Any) -> bool:
    return any(s in log.atoms() or s in rest.atoms()
               for poly in (x.num, x.den) for _, log, rest, _ in x.polynomial_terms(poly))


def _product(roots: list[tuple[Form, int]], s: Any) -> Scalar:
    total = Scalar.of(1)
    for root, k in roots:
        total = total * Scalar.of(Form.atom(s) - root) ** k
    return total


def _frequency_split(log: Form, s: Any) -> tuple[Form, Form]:
    """log = -c s + rest."""
    at: dict[Any, Any] = {}
    rest: dict[Any, Any] = {}
    for m, c in log.terms.items():
        power = dict(m).get(s, 0)
        if power == 0:
            rest[m] = c
        elif power == 1:
            at[tuple(x for x in m if x[0] != s)] = -c
        else:
            raise Unsupported("an exponential that is not linear in s")
    return Form(at), Form(rest)


def _partial_fractions(polynomial: dict[int, Scalar], roots: list[tuple[Form, int]], cell: Cell
                       ) -> tuple[Terms, dict[int, Scalar]]:
    """N(s)/prod (s - r)^k as sums of 1/(s-r)^(n+1) and a polynomial (impulses)."""
    merged: list[tuple[Form, int]] = []
    for root, k in roots:
        for j, (other, m) in enumerate(merged):
            if not cell.nonzero(Scalar.of(root - other)):
                merged[j] = (other, m + k)
                break
        else:
            merged.append((root, k))
    terms: Terms = {}
    rest: dict[int, Scalar] = {}
    # build up: start with the polynomial, divide by one linear factor at a time
    current_terms: Terms = {}
    current_rest = dict(polynomial)
    for root, k in merged:
        for _ in range(k):
            current_terms, current_rest = _divide(current_terms, current_rest, root, cell)
    terms.update(current_terms)
    rest.update(current_rest)
    return terms, rest


def _divide(terms: Terms, rest: dict[int, Scalar], root: Form, cell: Cell
            ) -> tuple[Terms, dict[int, Scalar]]:
    """Divide sum c/(s-a)^(n+1) + polynomial by (s - root)."""
    out: Terms = {}
    for (a, n), c in terms.items():
        for key, v in _partial(a, n + 1, root, 1, cell).items():
            _put(out, key, c * v)
    quotient: dict[int, Scalar] = {}
    carry = Scalar.of(0)
    for k in range(max(rest, default=-1), -1, -1):
        carry = carry * Scalar.of(root) + rest.get(k, Scalar.of(0))
        if k:
            _put(quotient, k - 1, carry)
    if not carry.is_zero():
        _put(out, (root, 0), carry)
    return out, quotient


__all__ = ["transform_parts"]
