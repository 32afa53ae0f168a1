"""The difference of two privacy profiles, piece by piece, and its sign on the whole line.

Pairs of the exact class have profiles that are exponential polynomials between the losses at which
they change.  A pair outside it (a Gaussian one) may be compared with one inside: both directions
are looked at on t >= 0, since delta_{P|Q}(t) = 1 - e^t + e^t delta_{Q|P}(-t), equation (19).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cmp_to_key

from lapdp.calculus.enclose import sign_of_number
from lapdp.calculus.exact import Exact, Terms, _absolute, _put
from lapdp.calculus.exponentials import Exponentials
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.sign_patterns import SignPattern, sign_pattern
from lapdp.calculus.sums import common_denominator
from lapdp.privacy.model import Atom, Model

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


def exact_signs(first: Model, second: Model) -> SignPattern:
    """The sign of the difference of the profiles of two models without parameters, for all t."""
    cell = Cell()
    rows = difference(profile_pieces(first, cell), profile_pieces(second, cell))
    return sign_pattern((upper, Exponentials(terms) if terms else None) for upper, terms in rows)


__all__ = ["Pieces", "difference", "exact_pieces", "exact_signs", "profile_pieces"]
