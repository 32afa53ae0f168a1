"""Pairs whose finite losses are multiples of the log of one number, exactly.

An outcome of masses w b^n under P and w under Q has the ratio b^n whatever w is; but both sides
must sum to 1 after division by one N.  With A = sum of w and B = sum of w b^n that is so if

- one more outcome at b^k takes what is missing: w (b^k - 1) = A - B, where w > 0 as soon as k has
  the sign of A - B, and N = A + w; or
- N is at least max(A, B), and the rests 1 - B/N and 1 - A/N lie at the losses +oo and -oo.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis.strategies import DrawFn

from lapdp.testing.strategies.weights import Masses, between

STEPS = 3
"""Losses are drawn from the multiples -3, ..., 3 of the log of the base."""

_ONE_REST, _BALANCED, _TWO_RESTS = range(3)
_HOW = {None: (_ONE_REST, _TWO_RESTS), "forward": (_ONE_REST, _BALANCED),
        "both": (_BALANCED, _BALANCED), "neither": (_TWO_RESTS, _TWO_RESTS)}


def draw_lattice(draw: DrawFn, base: Fraction, least: int, most: int, continuity: str | None,
                 symmetric: bool, high: int) -> Masses:
    """From ``least`` to ``most`` outcomes as above; ``base`` is above 1."""
    if continuity == "backward":
        turned = draw_lattice(draw, base, least, most, "forward", symmetric, high)
        return tuple([(q, p) for p, q in turned])
    first, last = _HOW[continuity]
    how = first if most < last else draw(between(first, last))
    rests = 2 if how == _TWO_RESTS else 0 if symmetric or most == 1 else 1
    fewest = 0 if rests == most else max(1, least - rests)
    rows: list[tuple[Fraction, Fraction]] = []
    for _ in range(draw(between(fewest, most - rests))):
        q, n = Fraction(draw(between(1, high))), draw(between(-STEPS, STEPS))
        if symmetric and n and len(rows) + rests + 2 <= most:
            rows += [(q * base**n, q), (q, q * base**n)]
        elif len(rows) + rests < most:
            rows.append((q, q) if symmetric or most == 1 else (q * base**n, q))
    all_p, all_q = _sums(rows)
    if continuity == "forward" and all_p < all_q:
        # sum w b^n * sum w b^-n >= (sum w)^2: the other signs of all n turn the inequality
        rows = [(q * q / p, q) for p, q in rows]
        all_p, all_q = _sums(rows)
    if how == _BALANCED and all_p != all_q:
        ratio = base ** draw(between(1, STEPS))
        ratio = ratio if all_q > all_p else 1 / ratio
        q = (all_q - all_p) / (ratio - 1)
        rows.append((q * ratio, q))
        all_p, all_q = _sums(rows)
    whole = max(all_p, all_q) + (draw(between(1, high)) if how == _TWO_RESTS else 0)
    rest_p, rest_q = whole - all_p, whole - all_q
    rows += [row for row in ((Fraction(0), rest_q), (rest_p, Fraction(0))) if any(row)]
    if len(rows) < least:
        rows.append((Fraction(1), Fraction(1)))
        whole += 1
    return tuple([(p / whole, q / whole) for p, q in rows])


def _sums(rows: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    return sum((p for p, _ in rows), Fraction(0)), sum((q for _, q in rows), Fraction(0))


__all__ = ["STEPS", "draw_lattice"]
