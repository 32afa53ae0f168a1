"""A pair given as papers print it: named outcomes and their masses under both distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.core.symbol import Str

from lapdp.calculus.export import paste_ready
from lapdp.calculus.linear import Constraint
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell, explore
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.verdict import Leaf, Split
from lapdp.privacy.mechanism import Card, exact_parameter, scalar
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import constraint_of, constraints_of, in_numbers


@dataclass(frozen=True, repr=False)
class NamedOutcomes(Pair):
    """Rows (name, P-mass, Q-mass) and the conditions on the parameters."""

    table: Any
    conditions: Any

    @property
    def names(self) -> tuple[str, ...]:
        """The outcomes, in the order given."""
        return tuple(str(name) for name, _, _ in self.table)

    def model(self) -> Model:
        """Atoms at the logs of the likelihood ratios; the masses keep their names.

        Raises :class:`Unsupported` where the parameters decide whether a ratio exists.
        """
        return self.undivided_model()

    def model_in(self, cell: Cell) -> Model:
        """The model in one case of the parameters."""
        masses = tuple((scalar(p), scalar(q)) for _, p, q in self.table)
        atoms: list[Atom] = []
        p_infinite = q_infinite = scalar(0)
        for a, b in masses:
            if a.is_zero() or b.is_zero():
                p_infinite, q_infinite = p_infinite + a, q_infinite + b
            elif (a / b).as_exponential() is not None:
                # an atom of no mass where both vanish
                atoms.append(Atom(a, b, log_form(a / b)))
            elif cell.nonzero(a) and cell.nonzero(b):
                atoms.append(Atom(a, b, log_form((a / b).substitute(cell.values))))
            else:
                p_infinite, q_infinite = p_infinite + a, q_infinite + b
        return replace(Model.of_atoms(tuple(atoms), p_infinite, q_infinite),
                       outcomes=dict(zip(self.names, masses, strict=True)))

    def constraints(self) -> list[Constraint]:
        """The conditions on the parameters."""
        return [constraint_of(c) for c in self.conditions]

    def substitute(self, values: dict[Any, Any]) -> NamedOutcomes | None:
        """The pair at given parameter values, None where the conditions fail."""
        conditions = [c.subs(values, simultaneous=True) for c in self.conditions]
        if any(c == sp.false for c in conditions):
            return None
        try:
            return outcomes({n: (p.subs(values, simultaneous=True), q.subs(
                values, simultaneous=True)) for n, (p, q) in self._rows().items()},
                where=[c for c in conditions if c != sp.true])
        except InputError:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The masses at given parameter values, row by row."""
        def number(x: Any) -> Any:
            return in_numbers(x, values)

        return ("finite", [(number(p), number(q)) for _, p, q in self.table])

    def _rows(self) -> dict[str, tuple[Any, Any]]:
        return {str(name): (p, q) for name, p, q in self.table}

    def __repr__(self) -> str:
        rows = ", ".join(f'"{n}": ({paste_ready(p)}, {paste_ready(q)})'
                         for n, (p, q) in self._rows().items())
        where = f", where=[{', '.join(map(str, self.conditions))}]" if self.conditions else ""
        return f"outcomes({{{rows}}}{where})"


@fitting
def outcomes(masses: Mapping[str, tuple[Any, Any]], where: Sequence[Any] = ()) -> NamedOutcomes:
    """The pair (P, Q) with ``{name: (P-mass, Q-mass)}``; ``where`` restricts the parameters.

    Masses are exact numbers, strings such as "0.1", or SymPy expressions; ``where`` takes SymPy
    inequalities.  For all parameters that satisfy it the masses must be non-negative and each
    distribution must sum to 1.  Raises InputError for anything else.  Source: Chourasia et al.
    2024, equation (38).

    >>> outcomes({"heads": ("1/3", "2/3"), "tails": ("2/3", "1/3")}).profile(0)
    1/3
    >>> outcomes({"heads": ("1/3", 1), "tails": (1, 0)})
    Traceback (most recent call last):
    lapdp.core.errors.InputError: the P-masses sum to 4/3, not to 1
    """
    if not isinstance(masses, Mapping) or not all(
            isinstance(row, (tuple, list)) and len(row) == 2 for row in masses.values()):
        raise InputError('masses must be given as {"name": (P-mass, Q-mass), ...}')
    rows = [(str(n), *(exact_parameter(f"a mass of {n}", x) for x in pair))
            for n, pair in masses.items()]
    constraints_of(where)
    conditions = [c for c in where if c != sp.true]
    made = NamedOutcomes(sp.Tuple(*(sp.Tuple(Str(n), p, q) for n, p, q in rows)),
                         sp.Tuple(*conditions))
    for side, name in ((1, "P"), (2, "Q")):
        total = sum((scalar(row[side]) for row in rows), scalar(0))
        if not (total - scalar(1)).is_zero():
            raise InputError(f"the {name}-masses sum to {total}, not to 1")
    for n, *pair in rows:
        for x in pair:
            require_nonnegative(n, x, made.constraints())
    explore(made.constraints(), lambda cell: (made.model_in(cell),)[1:])
    return made


def require_nonnegative(name: str, mass: Any, constraints: list[Constraint]) -> None:
    """Refuse a mass that is negative for some parameters, or whose sign is open."""
    def leaf(cell: Cell) -> tuple[Any, ...]:
        return (cell.sign_of(scalar(mass)),)

    try:
        negative = any(o == -1 for o in _obligations(explore(constraints, leaf)))
    except Unsupported as problem:
        raise InputError(f"the sign of the mass {mass} of {name} is open: {problem}") from None
    if negative:
        raise InputError(f"the mass {mass} of {name} is negative for some parameters: restrict "
                         "them with where=[...]")


def _obligations(tree: Split | Leaf) -> list[Any]:
    if isinstance(tree, Leaf):
        return list(tree.obligations)
    return [o for branch in tree.branches.values() for o in _obligations(branch)]


_EPS = sp.Symbol("eps", real=True)

CARD = Card(
    make=outcomes,
    says="named outcomes with their masses under P and Q, parameters allowed",
    source="Chourasia et al. 2024, equation (38), as an example of such a table",
    direction="P and Q as they are given",
    dominating="itself, and every post-processing of it; for a mechanism, take neighbours whose "
               "pair dominates the others",
    pitfall="Masses that are no distribution for some parameters.",
    examples=(({"heads": ("1/3", "2/3"), "tails": ("2/3", "1/3")},),
              ({"seen": ("1/10", 0), "yes": ("3/5", "3/10"), "no": ("3/10", "3/5"),
                "lost": (0, "1/10")},),
              ({"yes": (sp.exp(_EPS) / (1 + sp.exp(_EPS)), 1 / (1 + sp.exp(_EPS))),
                "no": (1 / (1 + sp.exp(_EPS)), sp.exp(_EPS) / (1 + sp.exp(_EPS)))},
               (_EPS >= 0,))),
    in_formulas=False,
)
