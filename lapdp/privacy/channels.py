"""Post-processing: a pair after a channel that does not look at the data again.

A channel on finitely many outcomes is a stochastic matrix.  On other outcomes it is given here by a
partition of the losses, or of the sample space of two densities, into intervals; another channel
may follow.  Data processing: the profile of the result lies nowhere above that of the pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form, to_scalar
from lapdp.calculus.exact import Exact
from lapdp.calculus.export import single_case
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.density_pairs import Densities
from lapdp.privacy.finite import FinitePair, exact
from lapdp.privacy.mechanisms.outcomes import NamedOutcomes, outcomes, require_nonnegative
from lapdp.privacy.operations import Reversed
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

MAX_CELLS = 1000


def post_process(pair: Pair, channel: Any) -> Pair:
    """The pair after a channel, see :meth:`lapdp.privacy.pair.Pair.post_process`."""
    if isinstance(pair, FinitePair):
        return pair.post_process(channel)
    if isinstance(pair, Reversed) and isinstance(pair.pair, NamedOutcomes):
        return post_process(pair.pair, channel).reverse()
    if not isinstance(pair, NamedOutcomes):
        raise InputError(f"{pair!r} has no finite list of outcomes: coarsen(m, cuts) makes one")
    rows = _rows(pair, channel)
    masses = {
        new: tuple(sp.expand(sum(m * row.get(new, 0) for m, row in zip(
            side, rows.values(), strict=True)))
            for side in ([p for _, p, _ in pair.table], [q for _, _, q in pair.table]))
        for new in dict.fromkeys(new for row in rows.values() for new in row)}
    return outcomes({name: (p, q) for name, (p, q) in masses.items()}, where=list(pair.conditions))


def _rows(pair: NamedOutcomes, channel: Any) -> dict[str, dict[str, Any]]:
    """Probabilities of the new outcomes, by name, after each old one."""
    if isinstance(channel, Mapping):
        if set(channel) != set(pair.names):
            raise InputError(f"the channel must have a row for each outcome of {list(pair.names)}")
        given = [channel[name] for name in pair.names]
    elif isinstance(channel, Sequence) and not isinstance(channel, str):
        given = list(channel)
    else:
        raise InputError("the channel must be a list of rows, or a table {outcome: {new: weight}}")
    if len(given) != len(pair.names):
        raise InputError(f"the channel has {len(given)} rows for {len(pair.names)} outcomes: give "
                         "one each")
    found = {}
    for name, written in zip(pair.names, given, strict=True):
        listed = isinstance(written, Sequence) and not isinstance(written, str)
        row = {str(j): w for j, w in enumerate(written)} if listed else written
        if not isinstance(row, Mapping):
            raise InputError(f"the row of {name} must be a list or a table {{new: weight}}")
        weights = {str(new): exact_parameter(f"weight of {new}", w) for new, w in row.items()}
        if not (to_scalar(sum(weights.values())) - 1).is_zero():
            raise InputError(f"the row of {name} sums to {sum(weights.values())}, not to 1")
        for new, weight in weights.items():
            require_nonnegative(f"{new} after {name}", weight, pair.constraints())
        found[name] = weights
    return found


@fitting
def coarsen(pair: Any, cuts: Sequence[Any], of: str = "loss") -> Pair:
    """The pair that tells only in which of the intervals between the ``cuts`` an outcome lies.

    ``of="loss"`` cuts the line of privacy losses, for every pair with an exact model: the profile
    at each cut is that of the pair, between them it is no larger.  ``of="outcome"`` cuts the sample
    space of ``densities(...)``.  Intervals are open below and closed above; cuts increase, exactly.
    Masses are exact: a finite pair where they are rational, else named outcomes.

    Raises :class:`InputError` for cuts out of order, :class:`Unsupported` outside the exact class.

    >>> from lapdp import laplace
    >>> sign = coarsen(laplace(1), [0])
    >>> sign.names, sign.table[0][1]
    (('loss <= 0', 'loss > 0'), exp(-1/2)/2)
    >>> sign.profile(0) == laplace(1).profile(0), sign.profile("1/2") == laplace(1).profile("1/2")
    (True, False)
    """
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    if of not in ("loss", "outcome"):
        raise InputError(f"of = {str(of)[:40]} must be a word: 'loss' or 'outcome'")
    if isinstance(cuts, str) or not isinstance(cuts, Sequence) or not 0 < len(cuts) <= MAX_CELLS:
        raise InputError(f"cuts must be a list of 1 to {MAX_CELLS} increasing numbers")
    if of == "outcome" and isinstance(pair, Reversed):
        return coarsen(pair.pair, cuts, of).reverse()
    points = [exact_parameter(f"cuts[{i}]", cut) for i, cut in enumerate(cuts)]
    forms = [to_form(point) for point in points]

    def build(cell: Cell) -> list[tuple[Scalar, Scalar]]:
        for i, (a, b) in enumerate(pairwise(forms)):
            if cell.sign(b - a) <= 0:
                raise InputError(f"cuts[{i + 1}] = {points[i + 1]} is not above {points[i]}")
        if of == "loss":
            return _above_loss(pair, forms, cell)
        if not isinstance(pair, Densities):
            raise InputError(f"{pair!r} has no sample space to cut: of='outcome' is for "
                             "densities(...)")
        return _above_outcome(pair, forms, cell)

    above = single_case(pair.constraints(), build, "the order of the cuts")
    one, none = (Scalar.of(1),) * 2, (Scalar.of(0),) * 2
    masses = [(a - c, b - d) for (a, b), (c, d) in pairwise([one, *above, none])]
    names = [f"{of} <= {points[0]}", *(f"{a} < {of} <= {b}" for a, b in pairwise(points)),
             f"{of} > {points[-1]}"]
    shown = [(p.to_sympy(), q.to_sympy()) for p, q in masses]
    if all(x.is_Rational for row in shown for x in row):
        return FinitePair(tuple((exact(p, "P"), exact(q, "Q")) for p, q in shown))
    conditions = [(sp.Gt if rel == ">" else sp.Ge)(form.to_sympy(), 0)
                  for form, rel in pair.constraints() if rel in (">", ">=")]
    return outcomes(dict(zip(names, shown, strict=True)),
                    where=[c for c in conditions if c != sp.true])


def _above_loss(pair: Pair, cuts: list[Form], cell: Cell) -> list[tuple[Scalar, Scalar]]:
    """P(Z > c) and Q(Z > c) at each cut: delta(c) = P(Z > c) - e^c Q(Z > c)."""
    model = pair.model_in(cell)
    below, profile = model.cdf(cell), model.profile(cell)
    found = []
    for cut in cuts:
        p = 1 - below.limit(cut, 1, cell)
        found.append((p, (p - profile.limit(cut, 1, cell)) * Scalar.exp(-cut)))
    return found


def _above_outcome(pair: Densities, cuts: list[Form], cell: Cell) -> list[tuple[Scalar, Scalar]]:
    """P(x > c) and Q(x > c) at each cut."""
    from lapdp.calculus.reading import function

    sides: list[Exact] = []
    x = sp.Dummy("x", real=True)
    for density in (pair.p, pair.q):
        inside = function(density(x), x, cell)
        if pair.lower != -sp.oo:
            inside = inside.after(to_form(pair.lower), cell)
        if pair.upper != sp.oo:
            inside = inside.before(to_form(pair.upper), cell)
        sides.append(inside.primitive(cell))
    p, q = ([1 - side.limit(cut, 1, cell) for cut in cuts] for side in sides)
    return list(zip(p, q, strict=True))


__all__ = ["coarsen", "post_process"]
