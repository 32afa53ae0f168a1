"""Rational functions of s with rational poles and coefficients, in partial fractions.

A function is held as polynomials, one in each u_a = 1/(s - a), and a constant.  Everything follows
from one step, R(s)/(s - b), which is a division of polynomials by a linear factor: where u_b takes
the place of s, (u_a - 1/(b - a)) u_b = u_a/(a - b).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint

from lapdp.core.errors import Unsupported

Parts = dict[Fraction | None, Any]
"""Polynomials (fmpq_poly) without constant by their pole; the constant is under None."""
_U = flint.fmpq_poly([0, 1])
MOST_BITS = 1 << 29
"""Of all coefficients of a quotient, which have one denominator: some hundred megabytes at work."""


def over(parts: Mapping[Fraction | None, Any], pole: Fraction) -> Parts:
    """R(s)/(s - pole).

    Raises :class:`Unsupported` where the quotient would have more digits than memory holds: each
    coefficient has as many as the degree, times those of the distance to the pole.

    >>> found = over(over({None: flint.fmpq_poly([1])}, Fraction(0)), Fraction(1))
    >>> {str(pole): str(p) for pole, p in found.items()}      # 1/(s (s - 1))
    {'0': '(-1)*x', '1': 'x'}
    """
    out: Parts = {}
    own = flint.fmpq_poly()
    for a, p in parts.items():
        if a is None or a == pole:
            own += p * _U
        else:
            gap = flint.fmpq(pole.numerator, pole.denominator) - flint.fmpq(
                a.numerator, a.denominator)
            longest = max(abs(int(gap.p)), int(gap.q))
            if longest > 1 and len(p) ** 2 * longest.bit_length() > MOST_BITS:
                raise Unsupported(f"a partial fraction of {len(p) - 1} terms has too many digits")
            quotient, value = divmod(p, _U - 1 / gap)
            own += value * _U
            if quotient:
                out[a] = quotient * _U / -gap
    if own:
        out[pole] = own
    return out


def difference(first: Mapping[Fraction | None, Any], second: Mapping[Fraction | None, Any]
               ) -> Parts:
    """The difference of two functions."""
    out = dict(first)
    for a, p in second.items():
        rest = out.pop(a, flint.fmpq_poly()) - p
        if rest:
            out[a] = rest
    return out


def of_products(terms: Iterable[tuple[Sequence[int], Any]], poles: Sequence[Fraction]) -> Parts:
    """The sum of c u_1^m_1 ... u_r^m_r given as ((m_1, ..., m_r), c), by Horner's rule.

    >>> found = of_products([((1, 1), 2)], [Fraction(0), Fraction(1)])
    >>> {str(pole): str(p) for pole, p in found.items()}
    {'0': '(-2)*x', '1': '2*x'}
    """
    if not poles:
        return {None: flint.fmpq_poly([sum((c for _, c in terms), flint.fmpq(0))])}
    if len(poles) == 1:
        found: dict[int, Any] = {}
        for powers, c in terms:
            m = int(powers[0])
            found[m] = found[m] + c if m in found else c
        coefficients = [found.get(m, 0) for m in range(max(found, default=-1) + 1)]
        constant = flint.fmpq_poly(coefficients[:1])
        coefficients[:1] = [0]
        whole = {None: constant, poles[0]: flint.fmpq_poly(flint.fmpz_poly(coefficients))}
        return {a: p for a, p in whole.items() if p}
    by_power: dict[int, list[tuple[Sequence[int], Any]]] = {}
    for powers, c in terms:
        by_power.setdefault(int(powers[-1]), []).append((powers[:-1], c))
    total: Parts = {}
    for m in range(max(by_power, default=-1), -1, -1):
        total = over(total, poles[-1])
        for a, p in of_products(by_power[m], poles[:-1]).items() if m in by_power else ():
            total[a] = total[a] + p if a in total else p
    return {a: p for a, p in total.items() if p}


__all__ = ["Parts", "difference", "of_products", "over"]
