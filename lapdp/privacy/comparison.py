"""The difference of two privacy profiles, piece by piece, and its sign on the whole line.

Pairs of the exact class have profiles that are exponential polynomials between the losses at which
they change.  A pair outside it (a Gaussian one) may be compared with one inside: both directions
are looked at on t >= 0, since delta_{P|Q}(t) = 1 - e^t + e^t delta_{Q|P}(-t), equation (19).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import sympy as sp

from lapdp.balls.smooth import Compiled
from lapdp.calculus.convert import logarithm, to_form, to_scalar
from lapdp.calculus.enclose import sign_of_number
from lapdp.calculus.exact import Exact, Terms, _absolute, _put
from lapdp.calculus.exponentials import Constant, Exponentials
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.sign_patterns import SignPattern, sign_pattern
from lapdp.calculus.sums import LONG, common_denominator, joint_degree
from lapdp.calculus.zeros import Point, Smooth, Zero, ball_of, rational, sign_at
from lapdp.core.errors import Unsupported
from lapdp.privacy.letters import Letters
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair

Pieces = list[tuple[Form | None, Terms]]
"""Upper end (None: oo) and formula of each piece, from left to right."""
ONE = Form.of(1)


def profile_pieces(model: Model, cell: Cell) -> Pieces:
    """The privacy profile of a model without parameters on the pieces of the line.

    >>> from lapdp import randomized_response
    >>> pieces = profile_pieces(randomized_response(1).model(), Cell())
    >>> [str(upper) for upper, _ in pieces]
    ['-1', '1', 'None']
    """
    if model.atoms is None:
        return exact_pieces(model.profile(cell))
    return _atomic_pieces(model, model.atoms)


def exact_pieces(f: Exact) -> Pieces:
    """A function without parameters on the pieces between its breakpoints."""
    total = dict(f.germ)
    pieces: Pieces = []
    for group in _groups(f.jumps):
        pieces.append((group[0], dict(total)))
        for at in group:
            for key, c in _absolute(f.jumps[at], at).items():
                _put(total, key, c)
    return [*pieces, (None, total)]


def _atomic_pieces(model: Model, atoms: Sequence[Atom]) -> Pieces:
    """A - B e^t with A and B the masses of the losses above."""
    scales = [common_denominator(masses) for masses in
              ([x.a for x in atoms], [x.b for x in atoms])]
    at: dict[Form, list[Atom]] = {}
    for atom in atoms:
        at.setdefault(atom.z, []).append(atom)
    above, odds = Scalar.of(0), Scalar.of(0)
    upper: Form | None = None
    pieces: Pieces = []
    for group in [*reversed(_groups(at)), []]:
        terms: Terms = {}
        _put(terms, (Form({}), 0), model.p_infinite + above / scales[0])
        _put(terms, (ONE, 0), -odds / scales[1])
        pieces.insert(0, (upper, terms))
        for z in group:
            for atom in at[z]:
                above, odds = above + atom.a * scales[0], odds + atom.b * scales[1]
        upper = group[0] if group else None
    return pieces


def _groups(points: Iterable[Form]) -> list[list[Form]]:
    """Numbers in increasing order, equal ones together."""
    def order(a: Form, b: Form) -> int:
        return sign_of_number(a - b)

    found: list[list[Form]] = []
    for point in sorted(points, key=cmp_to_key(order)):
        if found and sign_of_number(found[-1][0] - point) == 0:
            found[-1].append(point)
        else:
            found.append([point])
    return found


def difference(first: Pieces, second: Pieces) -> Pieces:
    """first - second on the common pieces."""
    rows, i, j = [], 0, 0
    while True:
        (u, f), (v, g) = first[i], second[j]
        terms = dict(f)
        for key, c in g.items():
            _put(terms, key, -c)
        order = _compare_ends(u, v)
        upper = u if order <= 0 else v
        rows.append((upper, terms))
        if upper is None:
            return rows
        i, j = i + (order <= 0), j + (order >= 0)


def _compare_ends(u: Form | None, v: Form | None) -> int:
    if u is None or v is None:
        return (u is None) - (v is None)
    return sign_of_number(u - v)


def check_length(*models: Model) -> None:
    """Raise :class:`Unsupported` where exponents of very different size meet in one polynomial."""
    found: list[Scalar] = []
    for model in models:
        for terms in model.loss.jumps.values():
            found += terms.values()
        for orders in model.loss.impulses.values():
            found += orders.values()
        found += [mass for atom in model.atoms or () for mass in (atom.a, atom.b)]
    if joint_degree(found) > LONG:
        raise Unsupported(f"exponentials of very different size: powers beyond {LONG}")


def exact_signs(first: Model, second: Model) -> SignPattern:
    """The sign of the difference of the profiles of two models without parameters, for all t."""
    check_length(first, second)
    cell = Cell()
    rows = difference(profile_pieces(first, cell), profile_pieces(second, cell))
    return sign_pattern((upper, Exponentials(terms) if terms else None) for upper, terms in rows)


def profile_signs(first: Pair, second: Pair) -> SignPattern:
    """The sign of the difference of two privacy profiles on the whole line, zeros counted.

    Pairs without parameters that are symbols.  Raises :class:`Unsupported` where a profile is not
    reached, or where a sign or the end of a tail is not decided.

    >>> from lapdp import gaussian, laplace, randomized_response
    >>> profile_signs(laplace(1) ** 2, randomized_response(1))
    0 | -2.00000000000 | + | -0.137670103799 | - | 0.137670103799 | + | 2.00000000000 | 0
    >>> profile_signs(gaussian(1), randomized_response(1))
    + | -0.701477659469 | - | 0.701477659469 | +
    """
    if first.free_symbols or second.free_symbols:
        raise Unsupported("profiles with parameters have no sign before these are numbers")
    problem: Unsupported | None = None
    for change in (_as_it_is, Letters().pair):
        try:
            one, two = (change(pair).model() for pair in (first, second))
        except Unsupported:
            continue
        try:
            return exact_signs(one, two)
        except Unsupported as open_sign:
            problem = problem or open_sign
    if problem is not None:
        raise problem
    return _halves(first, second)


def _as_it_is(pair: Pair) -> Pair:
    return pair


# -- pairs outside the exact class ---------------------------------------------------------------


def _halves(first: Pair, second: Pair) -> SignPattern:
    """From both directions on t >= 0."""
    right = _half(first, second)
    left = right if _is_symmetric(first) and _is_symmetric(second) else _half(
        first.reverse(), second.reverse())
    zeros = [zero.mirror() for zero in reversed(left.zeros)]
    signs = list(reversed(left.signs))
    after = right.signs[0]
    if signs[-1] == after and (not after or _sign_at_zero(first, second)):
        signs += right.signs[1:]
    else:
        zeros.append(Zero(Form({})))
        signs += right.signs
    return SignPattern((*zeros, *right.zeros), tuple(signs))


def _is_symmetric(pair: Pair) -> bool:
    """Has the reversed pair the same profile, to the letter?"""
    t = sp.Symbol("t", real=True)
    try:
        return bool(profile_expression(pair, t) == profile_expression(pair.reverse(), t))
    except Unsupported:
        return False


def _sign_at_zero(first: Pair, second: Pair) -> int:
    t = sp.Dummy("t", real=True)
    a, b = (profile_expression(pair, sp.S.Zero) for pair in (first, second))
    return sign_at(Compiled(a - b, t), Fraction(0))


def _half(first: Pair, second: Pair) -> SignPattern:
    t = sp.Symbol("t", real=True)
    pieces = [written_profile(pair, t) for pair in (first, second)]
    rows: list[tuple[Form | None, Smooth | None]] = []
    i = j = 0
    lower: Point = Fraction(0)
    while True:
        (u, f), (v, g) = pieces[0][i], pieces[1][j]
        order = _compare_ends(u, v)
        upper = u if order <= 0 else v
        if upper is None or sign_of_number(upper) > 0:
            rows.append((upper, _gap(f, g, t, lower, last=upper is None)))
            lower = lower if upper is None else upper
        if upper is None:
            return sign_pattern(rows, lower=Fraction(0))
        i, j = i + (order <= 0), j + (order >= 0)


def _gap(f: Any, g: Any, t: Any, lower: Point, last: bool) -> Smooth | None:
    """f - g; where one profile is 0 on the last piece the other, if analytic and not 0, is not.

    A profile is non-negative and falls: one zero makes it 0 from there on.
    """
    if f == g or sp.expand(f - g) == 0:
        return None
    if last and 0 in (f, g):
        other, sign = (f, 1) if g == 0 else (g, -1)
        if sign_at(Compiled(other, t), rational(ball_of(lower), 1) + 1) <= 0:
            raise Unsupported("a profile that is not seen to be positive")
        return Constant(Fraction(sign))
    return Compiled(f - g, t)


def profile_expression(pair: Pair, t: Any) -> Any:
    """The profile at ``t``, parameters outside the field included."""
    try:
        return pair.profile(t)
    except Unsupported:
        letters = Letters()
        return letters.pair(pair).profile(t)


def written_profile(pair: Pair, t: Any) -> list[tuple[Form | None, Any]]:
    """The profile as expressions in ``t`` between breakpoints (None: oo)."""
    found = profile_expression(pair, t)
    if not isinstance(found, sp.Piecewise):
        if found.has(sp.Piecewise):
            raise Unsupported(f"the profile of {pair!r} is no plain case distinction")
        return [(None, found)]
    pieces: list[tuple[Form | None, Any]] = []
    for value, condition in found.args:
        if condition == sp.true:
            pieces.append((None, value))
        elif isinstance(condition, (sp.StrictLessThan, sp.LessThan)) and condition.lhs == t:
            pieces.append((to_form(condition.rhs), value))
        elif isinstance(condition, sp.LessThan) and condition.lhs == sp.exp(t):
            pieces.append((logarithm(to_scalar(condition.rhs)), value))
        else:
            raise Unsupported(f"the case {condition} of the profile of {pair!r}")
    return pieces


__all__ = [
    "Pieces",
    "difference",
    "exact_pieces",
    "exact_signs",
    "profile_expression",
    "profile_pieces",
    "profile_signs",
    "written_profile",
]
