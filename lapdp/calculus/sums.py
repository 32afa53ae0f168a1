"""Sums of many field elements: one common denominator instead of one after each addition."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from lapdp.calculus.field import Scalar, common_root, root_of
from lapdp.calculus.form import Form

LONG = 20_000
"""Degree from which on polynomials are too long to compute with."""


def joint_degree(values: Iterable[Scalar], exponents: Iterable[Form] = ()) -> Fraction:
    """The largest power of a generator when these elements, and e to these exponents, are written
    over common generators: e^(1/1000) and e^50 are powers 1 and 50000 of one.

    >>> joint_degree([Scalar.exp(Form.of(Fraction(1, 1000)))], [Form.of(50)])
    Fraction(50000, 1)
    """
    roots: dict[Any, Any] = {}
    sizes: list[tuple[Any, Fraction]] = []
    for form in exponents:
        for m, v in form.terms.items():
            sizes.append((m, abs(v)))
            roots[m] = common_root(roots.get(m, root_of(v)), root_of(v))
    for c in values:
        for poly in (c.num, c.den):
            for key, power in zip(c.keys, poly.degrees(), strict=True):
                if key[0] == "e":
                    sizes.append((key[1], Fraction(int(power), key[2])))
                    roots[key[1]] = common_root(roots.get(key[1], key[2]), key[2])
    return max((size * roots[m] for m, size in sizes), default=Fraction(0))


def denominator(x: Scalar) -> Scalar:
    """The denominator of the reduced fraction.

    >>> denominator(Scalar.of(3) / 4)
    4
    """
    return Scalar(x.keys, x.den, x.den**0)


def total(values: Iterable[Scalar]) -> Scalar:
    """The sum.

    >>> total([Scalar.of(1) / 4, Scalar.of(1) / 6])
    5/12
    """
    found = list(values)
    scale, added = common_denominator(found), Scalar.of(0)
    for x in found:
        added = added + x * scale
    return added / scale


def rationalised(x: Scalar) -> Scalar:
    """The same element with no square root and no i in the denominator; nor a root of order 2^n.

    >>> import sympy as sp
    >>> root = Scalar.exp(Form.of(sp.log(3)) * Form.of(Fraction(1, 2)))
    >>> rationalised(1 / (1 + root))
    -1/2 + sqrt(3)/2
    """
    for j, key in enumerate(x.keys):
        order, stride = (2 if key[0] == "i" else key[2]) if key[0] in "ir" else 1, 1
        while order % 2 == 0 and x.den.degrees()[j]:
            # with y = root^stride a power of the generator: den(y) den(-y) is even in y
            turned = x.den.context().from_dict(
                {powers: -c if int(powers[j]) // stride % 2 else c
                 for powers, c in x.den.to_dict().items()})
            x = Scalar(x.keys, x.num * turned, x.den * turned)
            order, stride = order // 2, 2 * stride
    return x


def common_denominator(values: Iterable[Scalar]) -> Scalar:
    """The least common multiple of the denominators.

    >>> common_denominator([Scalar.of(1) / 4, Scalar.of(1) / 6])
    12
    """
    found = Scalar.of(1)
    for x in values:
        found = found * denominator(x * found)
    return found
