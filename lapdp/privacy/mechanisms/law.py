"""A pair given by its privacy loss: the law of Z = log(P/Q) under P determines the pair.

The finite losses are an exact measure; what it lacks to mass 1 is Pr[Z = oo], and 1 - E[e^-Z] is
the mass of Q where P has none.  Two pairs with one loss have the same profile, moment and trade-off
function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form, to_scalar
from lapdp.calculus.enclose import differs_from_zero
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.export import function_to_sympy, ordered, paste_ready
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit, explore
from lapdp.calculus.positivity import is_nonnegative, never_negative
from lapdp.calculus.reading import measure
from lapdp.calculus.transform import Divergent, bilateral
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.mechanism import Card, exact_parameter
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import constraints_of, in_numbers

ONE = Form.of(1)


@dataclass(frozen=True, repr=False, eq=False)
class Law(Pair):
    """The model itself, and what its parameters satisfy; made by :func:`law` or :meth:`of`."""

    stated: Model
    conditions: tuple[Constraint, ...] = ()

    @staticmethod
    def of(finite: Exact, p_infinite: Scalar, conditions: Iterable[Constraint] = ()) -> Law:
        """The pair of a measure of finite losses and Pr[Z = oo], checked for all parameters.

        Raises :class:`InputError` where it is no privacy loss, :class:`Unsupported` where that is
        not decided.
        """
        conditions = tuple(conditions)
        cell = Cell(conditions)
        if cell.is_empty():
            raise InputError("no values of the parameters satisfy the conditions")
        try:
            q_infinite = (1 - _transform(finite, ONE, cell)).substitute(cell.values)
        except NeedSplit as need:
            raise Unsupported(f"E[e^-Z] depends on the sign of {need.form}: give the parameters "
                              "numbers, or assumptions such as positive=True") from None
        made = Law(_model(finite, p_infinite, q_infinite), conditions)
        explore(conditions, made._check)
        return made

    def _check(self, cell: Cell) -> tuple[Any, ...]:
        try:
            return self._checked(cell)
        except InputError as problem:
            if not cell.path:
                raise
            raise InputError(f"{problem}, where {cell}: restrict the parameters with where=[...]"
                             ) from None

    def _checked(self, cell: Cell) -> tuple[Any, ...]:
        finite, p, q = self.stated.loss.merged(cell), self.stated.p_infinite, self.stated.q_infinite
        for at, orders in finite.impulses.items():
            for order, mass in orders.items():
                if order and not cell.vanishes(mass):
                    raise InputError(f"the loss holds a derivative of an impulse at {at}: it is no "
                                     "measure")
                if not never_negative(mass, cell):
                    raise InputError(f"the mass {mass} of the loss {at} is negative")
        points = [None, *(group[0] for group in ordered(finite.jumps, cell)), None]
        behind: list[Form] = []
        for lower, upper in pairwise(points):
            behind += [] if lower is None else [lower]
            if not is_nonnegative(finite.piece(behind), lower, upper, cell):
                raise InputError("the density of the loss is negative somewhere on "
                                 f"({'-oo' if lower is None else lower}, "
                                 f"{'oo' if upper is None else upper})")
        if not never_negative(p, cell):
            raise InputError(f"the mass {p} at infinity is negative")
        total = (_transform(finite, ZERO, cell) + p - 1).substitute(cell.values)
        if not cell.vanishes(total):
            if not total.parameters() and not differs_from_zero(total):
                raise Unsupported(f"whether {total} is 0 is not decided: the masses of the loss "
                                  "must sum to 1")
            raise InputError(f"the masses of the loss sum to {total + 1}, not to 1")
        if not never_negative(q, cell):
            raise InputError(f"E[e^-Z] = {1 - q} exceeds 1: Q would have more mass than 1")
        return ()

    def model(self) -> Model:
        """The model as it was given."""
        return self.stated

    def constraints(self) -> list[Constraint]:
        """The conditions on the parameters."""
        return list(self.conditions)

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols in losses, masses and rates."""
        return {s for part in _parts(self.stated) for x in part
                for s in getattr(x, "free_symbols", ())}

    def __eq__(self, other: object) -> bool:
        """Are both given in the same way?  ``pair.loss.equals`` compares as mathematics."""
        return (isinstance(other, Law) and _parts(self.stated) == _parts(other.stated)
                and set(self.conditions) == set(other.conditions))

    def __hash__(self) -> int:
        return hash(_parts(self.stated))

    def substitute(self, values: dict[Any, Any]) -> Law | None:
        """The pair at given parameter values, None where they are out of range."""
        numbers = {s: sp.sympify(v) for s, v in values.items()}
        if any(getattr(v, f"is_{name}", None) is (not holds)
               for s, v in numbers.items() for name, holds in s.assumptions0.items()):
            return None
        forms = {s: to_form(v) for s, v in numbers.items()}
        found = ((form.substitute(forms), rel) for form, rel in self.conditions)
        conditions = [(form, rel) for form, rel in found if not Cell().entails(form, rel)]
        try:
            return Law.of(self.stated.loss.substitute(forms),
                          self.stated.p_infinite.substitute(forms), conditions)
        except (InputError, Undefined):
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """Masses; with densities, x is the loss, opened at 0 by an interval for each atom."""
        import mpmath as mp

        def number(x: Any) -> Any:
            return mp.mpf(in_numbers(x.to_sympy(), values))

        finite = self.stated.loss
        rows = [(number(m), number(m) * mp.exp(-number(z)))
                for z, orders in finite.impulses.items() for m in orders.values()]
        rows += [(number(self.stated.p_infinite), mp.mpf(0)),
                 (mp.mpf(0), number(self.stated.q_infinite))]
        if not finite.germ and not finite.jumps:
            return ("finite", rows)
        width = len(rows)
        cuts = sorted((number(at), at) for at in finite.jumps)
        branches = [[(number(c), number(a), n) for (a, n), c in finite.piece(
            at for _, at in cuts[:k]).items()] for k in range(len(cuts) + 1)]

        def at_loss(z: Any) -> Any:
            terms = branches[sum(1 for place, _ in cuts if place <= z)]
            return mp.fsum(c * z**n * mp.exp(a * z) for c, a, n in terms)

        def member(side: int) -> Any:
            def density(x: Any) -> Any:
                if 0 <= x < width:
                    return rows[int(x)][side]
                z = x if x < 0 else x - width
                return at_loss(z) * (mp.exp(-z) if side else 1)
            return density

        kinks = [place if place < 0 else place + width for place, _ in cuts]
        return ("density", member(0), member(1), (-mp.inf, mp.inf),
                sorted({*kinks, *map(mp.mpf, range(width + 1))}))

    def __repr__(self) -> str:
        finite = self.stated.loss
        atoms = ", ".join(f"{paste_ready(z.to_sympy())}: {paste_ready(orders[0].to_sympy())}"
                          for z, orders in finite.impulses.items())
        shown = [f"{{{atoms}}}"] if atoms else []
        if finite.germ or finite.jumps:
            z = sp.Symbol("z", real=True)
            shown.append("density=" + paste_ready(_density(finite, z, Cell(self.conditions))))
        if not self.stated.p_infinite.is_zero():
            shown.append(f"mass_at_infinity={paste_ready(self.stated.p_infinite.to_sympy())}")
        if self.conditions:
            where = (paste_ready({">": sp.Gt, ">=": sp.Ge}[rel](form.to_sympy(), 0, evaluate=False))
                     for form, rel in self.conditions)
            shown.append(f"where=[{', '.join(where)}]")
        return f"law({', '.join(shown)})"


@fitting
def law(atoms: Mapping[Any, Any] | Sequence[tuple[Any, Any]] = (), density: Any = 0,
        mass_at_infinity: Any = 0, z: Any = None, where: Sequence[Any] = ()) -> Law:
    """The pair with a given privacy loss Z = log(P/Q) under P.

    Arguments: ``atoms``, a mapping of finite losses to their masses; ``density``, a piecewise sum
    of c z^n e^(a z) in the real symbol ``z`` (its name is z if none is given), in which
    c DiracDelta(z - a) is an atom; Pr[Z = oo]; inequalities ``where`` between parameters.

    Raises :class:`InputError` unless for all parameters the masses are non-negative and sum to 1,
    and E[e^-Z] <= 1; :class:`Unsupported` outside the exact class and where a sign is not decided.
    Source: Chourasia et al. 2024, Definition 3.1.

    >>> coin = law({sp.log(3): "3/4", -sp.log(3): "1/4"})
    >>> coin.profile(0), coin.moment(2)
    (1/2, 7/3)
    >>> z = sp.Symbol("z", real=True)
    >>> law(density=sp.Piecewise((2*sp.exp(2*z - 2*sp.log(2)), z < sp.log(2)), (0, True)))
    law(density=Piecewise((exp(2*z)/2, z < log(2)), (0, True)))
    >>> law({sp.log(3): "3/4"})
    Traceback (most recent call last):
    lapdp.core.errors.InputError: the masses of the loss sum to 3/4, not to 1
    >>> law({-1: 1})
    Traceback (most recent call last):
    lapdp.core.errors.InputError: E[e^-Z] = E exceeds 1: Q would have more mass than 1
    """
    x = sp.Symbol("z", real=True) if z is None else z
    if not isinstance(x, sp.Symbol):
        raise InputError(f"{str(x)[:40]} is not a symbol: name the variable of the density")
    expression = exact_parameter("density", density)
    if not x.is_real:
        x = sp.Dummy(x.name, real=True)
        expression = expression.subs(z, x)
    if not isinstance(atoms, (Mapping, list, tuple)):
        raise InputError("atoms must be a mapping of losses to masses, such as {log(3): 1}")
    constraints = constraints_of(where, (x if z is None else z) if expression.has(x) else None)
    listed = list(atoms.items() if isinstance(atoms, Mapping) else atoms)
    if not all(isinstance(atom, (list, tuple)) and len(atom) == 2 for atom in listed):
        raise InputError("atoms must be a mapping of losses to masses, or a list of pairs")
    finite = Exact()
    for at, mass in listed:
        place = exact_parameter("a loss", at)
        weight = exact_parameter(f"the mass of {at}", mass)
        if expression.has(x) and (place.has(x) or weight.has(x)):
            raise InputError(f"the atom at {place} depends on {x}, the variable of the density")
        finite = finite + Exact.impulse(to_form(place), to_scalar(weight))
    cell = Cell(constraints)
    try:
        finite = finite + measure(expression, x, cell)
    except NeedSplit as need:
        raise Unsupported(f"the sign of {need.form} is open: give it in where=[...]") from None
    infinite = to_scalar(exact_parameter("mass_at_infinity", mass_at_infinity))
    return Law.of(finite, infinite, constraints)


def _model(finite: Exact, p_infinite: Scalar, q_infinite: Scalar) -> Model:
    if finite.germ or finite.jumps or any(k for t in finite.impulses.values() for k in t):
        return Model(finite, p_infinite, q_infinite)
    atoms = tuple(Atom(orders[0], orders[0] * Scalar.exp(-z), z)
                  for z, orders in finite.impulses.items())
    return Model.of_atoms(atoms, p_infinite, q_infinite)


def _transform(finite: Exact, s: Form, cell: Cell) -> Scalar:
    try:
        return bilateral(finite, s, cell)
    except Divergent:
        what = "the density of the loss" if s == ZERO else "E[e^-Z], the mass of Q,"
        raise InputError(f"{what} has no finite integral") from None


def _density(finite: Exact, z: Any, cell: Cell) -> Any:
    try:
        return function_to_sympy(Exact(finite.germ, finite.jumps), z, cell)
    except NeedSplit as need:
        raise Unsupported(f"the order of the pieces depends on the sign of {need.form}") from None


def _parts(model: Model) -> frozenset[Any]:
    """What a model is made of, as SymPy expressions that compare by structure."""
    loss = model.loss
    found: set[Any] = {("oo", model.p_infinite.to_sympy())}
    found |= {("germ", n, a.to_sympy(), c.to_sympy()) for (a, n), c in loss.germ.items()}
    found |= {("jump", at.to_sympy(), n, a.to_sympy(), c.to_sympy())
              for at, terms in loss.jumps.items() for (a, n), c in terms.items()}
    found |= {("atom", at.to_sympy(), k, c.to_sympy())
              for at, orders in loss.impulses.items() for k, c in orders.items()}
    return frozenset(found)


_Z, _W, _C = sp.Symbol("z", real=True), sp.Symbol("w", real=True), sp.Symbol("c", positive=True)
_FALLING = sp.Piecewise((0, _Z < 0), (sp.exp(-_Z), True))

CARD = Card(
    make=law,
    says="any pair whose privacy loss log(P/Q) has this law under P",
    source="Chourasia et al. 2024, Definition 3.1: the loss determines the pair",
    direction="P is the member under which the loss is given",
    dominating="itself, and every post-processing of it; for a mechanism, take neighbours whose "
               "pair dominates the others",
    pitfall="A law accepted that is no privacy loss: a negative density, masses not 1.",
    examples=(({sp.log(3): "3/4", -sp.log(3): "1/4"},),
              ({sp.log(2): "1/2", -sp.log(2): "1/8"}, 0, "3/8"),
              ((), _FALLING),
              ({0: "1/4"}, _FALLING / 2, "1/4"),
              ({_C: 1 - sp.exp(-_C)}, 0, sp.exp(-_C)),
              ({0: 1 - _W}, 0, _W, None, (_W >= 0, _W <= 1))),
    in_formulas=False,
)
__all__ = ["CARD", "Law", "law"]
