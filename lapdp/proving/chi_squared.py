"""Total variation below the chi-squared divergence, for every pair: 4 T^2 <= M - 1, M = oint p e^y.

With y = log p - log q, at one outcome and for every k,

    p e^y - 2 p + q = q (e^y - 1)^2 >= 4 k |p - q| - 4 k^2 q,

as q (|e^y - 1| - 2 k)^2 >= 0; at k = T.  The inequality of Cauchy and Schwarz: Gibbs and Su 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapdp.proving.variation_lemmas import VariationLemmas


def chi_squared(lemmas: VariationLemmas) -> int:
    """all p, q: p(q = 0) = 0 -> oiny p e^y -> 4 T^2 <= M - 1 and T <= 1/2 sqrt(M - 1)."""
    d, a, means = lemmas.d, lemmas.a, lemmas.means
    one, zero, two, four = (d.num(n) for n in (1, 0, 2, 4))
    letters, pair, _ = means._setting("")
    power = a.dominated_moments._power(pair, one)
    given = [d.assume(f) for f in (d.mk("eq", a.dominated_moments._infinite(pair), zero),
                                   d.mk("oiny", power))]
    name, k = d.fresh("R", "k")
    hinge = lemmas.variation(pair)
    (m,) = d.kids(hinge)
    mine = means._guarded(pair, m)
    alike, same = a._alike_outside(mine, m, [given[0]])
    whole = means.at("profile", (*pair, zero))
    parts = [means._support(pair, given[0]), means._support(pair[::-1], None)]
    scales = (one, d.add(d.num(-2), d.mul(four, k)),
              d.add(one, d.mul(d.num(-4), k), d.mul(four, k, k)), d.mul(d.num(-8), k))

    def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
        y, _, up = lemmas._turned(p, q, above)
        e, found = d.mk("exp", y), []
        for sign in (1, -1):
            gap, shift = d.sub(p, q), d.mul(d.num(2 * sign), k)
            value = d.add(d.mul(p, d.mk("exp", d.mul(one, y))), d.mul(d.num(-2), p), q, d.mul(
                d.num(-4 * sign), k, gap), d.mul(four, k, k, q))
            found.append(d.do("arith", d.mk("le", zero, value), [
                lemmas._square(d.add(e, d.num(-1), d.neg(shift))), above[1], up], [
                [one, [0, 1]], [d.add(e, d.num(-2), d.neg(d.mul(two, shift))), [2]]]))
        return found

    total = means._integrated(pair, scales, (
        given[1], parts[0][0], parts[1][0], d.taut(d.mk("oiny", mine), alike, whole)), inside)
    total = d.inst(d.gen(name, "R", total), hinge)
    first = d.b.put(scales[1], {(name, "R"): hinge})
    rest = d.do("arith", d.mk("le", zero, d.sub(one, d.mk("oint", means._guarded(
        pair[::-1], means._densities(pair)[1])))), [parts[1][1]], [[one, [0]]])
    square = lemmas._square(d.sub(one, d.mul(two, hinge)))
    gap = d.sub(d.mk("oint", power), one)
    found = d.do("arith", d.mk("le", d.mul(four, hinge, hinge), gap), [
        total, parts[0][1], rest, square, same], [
        [one, [0]], [first, [1]], [one, [2, 3]], [d.mul(d.num(-8), hinge), [4]]])
    least = d.do("arith", d.mk("le", zero, gap), [found, lemmas._square(hinge)], [
        [one, [0]], [four, [1]]])
    root, low, value = lemmas._root(gap, least)
    half = d.num(Fraction(1, 2))
    bound = d.mul(half, root)
    low = d.do("arith", d.mk("le", zero, bound), [low], [[half, [0]]])
    squares = d.do("arith", d.mk("le", d.mul(hinge, hinge), d.mul(bound, bound)), [found, value], [
        [d.num(Fraction(1, 4)), [0]], [d.num(Fraction(-1, 4)), [1]]])
    return means._closed_by(d.both(found, lemmas._rooted(hinge, bound, low, squares)), given,
                            letters)


__all__ = ["chi_squared"]
