"""The privacy profile of a product of pairs with finitely many losses, at one point, in balls.

The losses of a product are sums of losses of its factors; without common multiples their number
doubles with each factor.  Meeting in the middle takes its square root: the factors are split into
two halves, the sums of one are sorted and their masses added up from above, and each sum y of the
other finds the place from which on z + y exceeds the point.  (Tight composition is #P-hard, Murtagh
and Vadhan 2016: some root of an exponential stays.)

Sums are compared as whole multiples of a tiny step.  Losses that are rational combinations of the
same numbers stay so, hence equal sums are merged exactly.  A sum within rounding of the point t may
land on the wrong side; max(0, 1 - e^(t - z)) is continuous, so this costs next to nothing, and that
is added to the radius.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import gcd
from typing import TYPE_CHECKING, Any

import flint

from lapdp.balls.compiler import exact_ball
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, Monomial
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.binomial_tails import binomial_profile
from lapdp.privacy.loss_grid import GUARD, Grid, Part, groups, sums_of

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

MOST_SUMS = 1 << 20
"""Sums of losses in one half: forty different losses without common multiples."""
MOST_PRODUCTS = 1 << 22
"""Products of masses that the copies of one factor may take."""
FEW = 8
"""So many factors are joined one after the other."""
FEW_SUMS = 512
"""So many sums are quicker in closed form, for that can be kept."""
PAIR = 2
Law = dict[int, Any]


def parts_of(copies: Mapping[Pair, int]) -> list[Part] | None:
    """The factors of a product, if all have finitely many losses; they have no parameters."""
    parts = []
    for pair, count in copies.items():
        try:
            model = pair.model()
        except Unsupported:
            return None
        if model.atoms is None:
            return None
        parts.append(Part.of(model, count))
    return parts


def profile_ball(parts: Sequence[Part], t: Any) -> Any:
    """An ``arb`` that contains delta at the exact number ``t``, at the current precision.

    Raises :class:`Unsupported`, naming the size, where more than 2^20 sums are needed in a half.
    """
    leak = _leak(parts)
    if not all(part.masses for part in parts) or _is_largest(parts, t):
        return leak
    if len(parts) == 1 and len(parts[0].masses) <= PAIR:
        return leak + binomial_profile(parts[0].masses, parts[0].copies, exact_ball(t).real)
    halves, bits = split(parts), flint.ctx.prec
    with workprec(bits + GUARD):
        return leak + _meet(halves, t, 2 * bits)


def _is_largest(parts: Sequence[Part], t: Any) -> bool:
    """Is ``t`` the largest sum of all losses?  There the profile is exactly what leaks."""
    try:
        rest = to_form(t)
    except Unsupported:
        return False
    for part in parts:
        balls = {z: enclose(z, {}).real for z in part.masses}
        top = max(balls, key=lambda z: balls[z].mid())
        if not all(z == top or balls[z] < balls[top] for z in balls):
            return False
        rest = rest - top * Form.of(part.copies)
    return not rest


def _leak(parts: Iterable[Part]) -> Any:
    """1 - prod (1 - p)^count."""
    exponent = flint.arb(0)
    for part in parts:
        if part.lost == Scalar.of(1):
            return flint.arb(1)
        exponent += part.copies * (-enclose(part.lost, {}).real).log1p()
    return -exponent.expm1()


# -- the split ------------------------------------------------------------------------------------


def split(parts: Sequence[Part]) -> tuple[list[Part], list[Part]]:
    """Two halves with few sums each; losses that are multiples of one number stay together.

    >>> from lapdp import randomized_response
    >>> coins = [Part.of(randomized_response(n).model(), 1) for n in range(1, 200)]
    >>> [len(half) for half in split(coins)]
    [199, 0]
    """
    bundles: list[list[Part]] = []
    for group in groups(parts):
        bundles += [group] if sums_of(group) <= MOST_SUMS else [[part] for part in group]
    halves: tuple[list[Part], list[Part]] = ([], [])
    for bundle in sorted(bundles, key=sums_of, reverse=True):
        halves[sums_of(halves[0]) > sums_of(halves[1])].extend(bundle)
    size = max(sums_of(half) for half in halves)
    if size > MOST_SUMS:
        raise Unsupported(
            f"the losses of {sum(p.copies for p in parts)} factors have up to 2^"
            f"{sums_of(parts).bit_length() - 1} sums and half of them 2^{size.bit_length() - 1}, "
            f"more than 2^{MOST_SUMS.bit_length() - 1}: make the losses multiples of a common "
            "step, rounded up for an upper bound")
    return halves


# -- the laws of sums -----------------------------------------------------------------------------


def law(parts: Sequence[Part], grid: Grid, side: int) -> Law:
    """The P-masses (side 0) or Q-masses (side 1) of all sums of losses, by their places."""
    found: Law = {0: flint.arb(1)}
    for group in groups(parts):
        monomials = {m for part in group for z in part.masses for m in z.terms}
        many = len(group) > FEW or any(p.copies > FEW and len(p.masses) > PAIR for p in group)
        if many and len(monomials) == 1:
            lattice = _on_a_lattice(group, grid, monomials.pop(), side)
            if lattice is not None:
                found = _joined(found, lattice)
                continue
        for part in group:
            found = _joined(found, _power(part, grid, side))
    return found


def _power(part: Part, grid: Grid, side: int) -> Law:
    once: Law = {}
    for z, masses in part.masses.items():
        steps = grid.place(z).steps
        mass = enclose(masses[side], {}).real
        once[steps] = once[steps] + mass if steps in once else mass
    if len(once) == PAIR:
        (high, v), (low, w) = once.items()
        n = part.copies
        spend(2 * n)
        return {j * high + (n - j) * low: many * v**j * w ** (n - j)
                for j, many in enumerate(_binomials(n))}
    if sums_of([part]) * len(once) * part.copies > MOST_PRODUCTS:
        raise Unsupported(f"{part.copies} copies of a pair with {len(once)} losses have too many "
                          "sums of losses")
    found = once
    for _ in range(part.copies - 1):
        found = _joined(found, once)
    return found


def _binomials(n: int) -> Iterator[Any]:
    """n over j, for all j: each from the one before, as whole numbers take far longer.

    >>> print(*(x.str(5) for x in _binomials(4)))
    1.0000 4.0000 6.0000 4.0000 1.0000
    """
    found = flint.arb(1)
    for j in range(n + 1):
        yield +found
        with workprec(flint.ctx.prec + n.bit_length() + 4):
            found = found * (n - j) / (j + 1)


def _joined(first: Law, second: Law) -> Law:
    if len(first) < len(second):
        first, second = second, first
    (y, v), *others = second.items()
    spend(len(first) * len(second))
    found = {z + y: w * v for z, w in first.items()}
    for y, v in others:
        for z, w in first.items():
            place = z + y
            if place in found:
                found[place] += w * v
            else:
                found[place] = w * v
    return found


def _on_a_lattice(parts: Sequence[Part], grid: Grid, m: Monomial, side: int) -> Law | None:
    """Polynomials in e^(-step s): a product of neighbours, then of neighbours of those; None where
    the common step is so fine that most places have no mass."""
    polynomials, lowest, strides = [], 0, []
    rows = [{grid.multiples(z).get(m, 0): masses for z, masses in part.masses.items()}
            for part in parts]
    for row in rows:
        strides += [n - min(row) for n in row]
    stride = gcd(*strides) or 1
    if sum(part.copies * (max(row) - min(row)) for part, row in zip(parts, rows, strict=True)
           ) > MOST_SUMS * stride:
        return None
    for part, row in zip(parts, rows, strict=True):
        low = min(row)
        coefficients = [flint.arb(0)] * ((max(row) - low) // stride + 1)
        for n, masses in row.items():
            coefficients[(n - low) // stride] = enclose(masses[side], {}).real
        spend(part.copies * len(coefficients) * flint.ctx.prec / 100)
        polynomials.append(flint.arb_poly(coefficients) ** part.copies)
        lowest += part.copies * low
    while len(polynomials) > 1:
        pairs = zip(polynomials[::2], polynomials[1::2], strict=False)
        odd = polynomials[-1:] if len(polynomials) % 2 else []
        polynomials = [p * q for p, q in pairs] + odd
    coefficients = list(polynomials[0])
    return {(lowest + i * stride) * grid.units[m]: w for i, w in enumerate(coefficients)
            if not w.is_zero()}


# -- the meeting ----------------------------------------------------------------------------------


def _meet(halves: tuple[list[Part], list[Part]], t: Any, bits: int) -> Any:
    grid = Grid([*halves[0], *halves[1]], bits)
    point = grid.point(t)
    blur = grid.error + point.error
    laws = [law(half, grid, 0) for half in halves]
    places = [sorted(found) for found in laws]
    masses = [[found[z] for z in keys] for found, keys in zip(laws, places, strict=True)]
    if all(part.is_symmetric() for half in halves for part in half):
        # the Q-mass of z is the P-mass of -z
        duals = [row[::-1] for row in masses]
    else:
        others = [law(half, grid, 1) for half in halves]
        duals = [[found[z] for z in keys] for found, keys in zip(others, places, strict=True)]
    p_above, q_above = _from_above(masses[0]), _from_above(duals[0])
    far = 2 * blur + abs(point.steps) + sum(max(abs(row[0]), abs(row[-1])) for row in places)
    keys = [-2 * far, *places[0], 2 * far]
    start = len(keys) - 1
    total_p = total_q = flint.arb(0)
    near = False
    for z, p, q in zip(places[1], masses[1], duals[1], strict=True):
        level = point.steps - z
        while keys[start - 1] > level:
            start -= 1
        if keys[start] - level <= blur or level - keys[start - 1] <= blur:
            near = True
        total_p += p * p_above[start - 1]
        total_q += q * q_above[start - 1]
    found = total_p - exact_ball(t).real.exp() * total_q
    if near:
        # |1 - e^(t - z)| on the wrong side, times a mass of at most 1
        error = (flint.arb(2 * blur) / flint.arb(2) ** bits).expm1().upper()
        found += flint.arb(0, error)
    return found


def _from_above(masses: list[Any]) -> list[Any]:
    """The sums of all masses from each place on, and from beyond the last."""
    found = list(accumulate(reversed(masses), initial=flint.arb(0)))
    found.reverse()
    return found


__all__ = ["FEW_SUMS", "MOST_SUMS", "Part", "parts_of", "profile_ball", "split", "sums_of"]
