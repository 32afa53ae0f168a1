"""Inequalities between notions of concrete mechanisms, for all values of their parameters.

In each case of the parameters the notions get their closed forms, both sides are required to be
defined, and the sign of their difference is settled by :mod:`lapdp.theory.methods.descent`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus.enclose import ERFC_ATOMS
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit, explore
from lapdp.core import facts as known
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Rejected, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.mixtures import PLAIN, members
from lapdp.privacy.model import Infinite
from lapdp.theory.hypotheses import gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.descent import GOALS, Plan, Prover
from lapdp.theory.methods.domains import Domain
from lapdp.theory.methods.special import with_positive_symbols
from lapdp.theory.methods.tower import Tower
from lapdp.theory.obligations import ExcludedBy, Path
from lapdp.theory.values import condition_holds

METHOD = "monotone descent"
QUICK = 6
"""Goals of an attempt that is made before a case is split."""
Sides = Callable[[Cell], tuple[Any, Any]]


def by_order(statement: Any, _prove: Any = None) -> Judgement | None:
    """Prove ``lhs rel rhs`` for a strict or weak inequality, or ``!=`` by a strict one.

    Argument: a statement whose pairs, if any, are concrete mechanisms.  Raises
    :class:`Unsupported` or :class:`Undefined` where a side is outside the class or has no value, or
    where the sign stays open.

    >>> from lapdp.theory import Gt, reals
    >>> from lapdp.theory.statement import Statement
    >>> x = reals("x")
    >>> found = by_order(Statement("bound", sp.exp(x) > x * sp.exp(x), where=(sp.Lt(x, 1),)))
    >>> str(found.kind)
    'derived'
    """
    claim = statement.claim
    if not isinstance(claim, Relational) or isinstance(claim, sp.Eq):
        return None
    h = gather(statement)
    if h.other:
        raise Unsupported("a hypothesis that is not a relation between parameters")
    if any(not s.is_real for s in statement.parameters):
        raise Unsupported("an inequality in complex parameters")
    lhs, rhs = (claim.lhs, claim.rhs)
    if isinstance(claim, (sp.Lt, sp.Le)):
        lhs, rhs = rhs, lhs
    sides = partial(closed_sides, lhs, rhs, models_of(statement.pairs))
    base = tuple(h.constraints)
    strict = isinstance(claim, (sp.Lt, sp.Gt, sp.Ne))
    turns = (1, -1) if isinstance(claim, sp.Ne) else (1,)
    live = 0

    def leaf(cell: Cell) -> tuple[Any, ...]:
        nonlocal live
        for gap in h.different:
            if cell.sign(gap.substitute(cell.values)) == 0:
                return (ExcludedBy(base, gap, "the parameters"),)
        split = _further_split(sides, cell)
        goals = GOALS if split is None else QUICK
        for turn in turns:
            prover = settled(sides, cell, strict, turn, goals=goals)
            if prover is not None:
                live += 1
                return (Signed(base, sides, strict, turn, tuple(prover.route), prover.plan),)
        if split is not None:
            raise NeedSplit(split)
        raise Unsupported("the sign of the difference stays open")

    tree = explore(base, leaf)
    if not live:
        raise Unsupported("the hypotheses exclude every case")
    proof = seal(Certificate(METHOD, (("the difference of the sides", tree),), (known.MEAN_VALUE,)))
    return Judgement(Kind.DERIVED, METHOD, proof=proof)


@dataclass(frozen=True)
class Signed:
    """Both sides are defined, and their difference has the sign that is claimed, in the case."""

    base: tuple[Constraint, ...]
    sides: Sides
    strict: bool
    turn: int
    route: tuple[str, ...]
    plan: Plan
    """Which way led to the goal: the only one that need be gone again."""

    def discharge(self, path: Path) -> None:
        """Settle the case again."""
        try:
            cell = Cell(self.base, path)
            if settled(self.sides, cell, self.strict, self.turn, self.plan) is not None:
                return
        except (Undefined, Unsupported, NeedSplit) as problem:
            raise Rejected(f"the order of the sides: {problem}") from None
        raise Rejected("the order of the sides is not shown")

    def describe(self) -> str:
        """One line."""
        return "; ".join(self.route) or "the sign is plain"


def settled(sides: Sides, cell: Cell, strict: bool, turn: int,
            plan: Plan | None = None, goals: int = GOALS) -> Prover | None:
    """The prover that has shown ``turn * (lhs - rhs)`` positive (or non-negative) in the cell.

    Raises where a side has no value.
    """
    lhs, rhs = sides(cell)
    tower = Tower(cell)
    require(tower, lhs)
    require(tower, rhs)
    difference = turn * (lhs - rhs)
    difference, domain = domain_of(difference, cell)
    prover = Prover(plan, goals)
    return prover if prover.proves(difference, domain, strict) else None


def domain_of(e: Any, cell: Cell) -> tuple[Any, Domain]:
    """``e`` without the parameters that the cell expresses by others, and the domain of those."""
    e = e.xreplace({a: image.to_sympy() for a, image in cell.values.items()})
    signs = [(image, ">" if a.is_positive else ">=") for a, image in cell.values.items()
             if a.is_positive or a.is_nonnegative]
    e, _, conditions, _ = with_positive_symbols(e, sp.S.Zero, [*cell.constraints, *signs], [])
    return shifted(e, Domain(tuple((f, rel) for f, rel in conditions if f.constant() is None)))


def shifted(e: Any, domain: Domain) -> tuple[Any, Domain]:
    """The same with real parameters counted from an end that is 0, or rational.

    Arguments of erfc, which are quotients, become no simpler by that and are left alone.
    """
    fixed = {s for x in e.atoms(sp.erf, sp.erfc) for s in x.free_symbols}
    for v in sorted(e.free_symbols, key=str):
        plain = not v.is_positive and not v.is_nonnegative
        charts = [c for c in domain.charts(v, e.free_symbols) if c.image != v and (
            (plain and c.at == 0) or (c.rising and c.at.is_Rational and v not in fixed))]
        if charts:
            e, domain = e.xreplace({v: charts[0].image}), charts[0].inside
    return e, domain


def _further_split(sides: Sides, cell: Cell) -> Form | None:
    """A parameter of either sign, which may be looked at on either side of 0."""
    lhs, rhs = sides(cell)
    e, domain = domain_of(lhs - rhs, cell)
    within = domain.cell()
    for s in sorted(e.free_symbols, key=str):
        form = Form.atom(s)
        if not (s.is_positive or s.is_nonnegative) and not any(
                within.entails(f, ">=") for f in (form, -form)):
            return form
    return None


# -- closed forms -----------------------------------------------------------------------------


def models_of(pairs: Any) -> dict[Any, Any]:
    """The model of each concrete pair, or the mechanism itself outside the exact class."""
    found: dict[Any, Any] = {}
    for atom in (a for p in pairs for a in p.atoms()):
        if atom.mechanism is None:
            raise Unsupported("an inequality for every pair")
        try:
            found[atom] = atom.mechanism.model()
        except Unsupported:
            found[atom] = atom.mechanism
    return found


def closed_sides(lhs: Any, rhs: Any, models: dict[Any, Any], cell: Cell) -> tuple[Any, Any]:
    """Both sides with the notions of the pairs written out in the cell."""
    i = Interpreter(cell, models)
    return closed(lhs, i), closed(rhs, i)


def closed(e: Any, i: Interpreter) -> Any:
    """``e`` with its nodes and case distinctions written out; a value +oo is refused."""
    e = sp.sympify(e)
    if isinstance(e, pn.RenyiDivergence):
        q, p, r = e.args
        # log 1 is 0, and 0 hides what stands below it
        moment, below = closed(pn.Moment(q, p, r), i), _defined(1 / (q - 1), i)
        return _defined(sp.log(moment, evaluate=False), i) * below
    if isinstance(e, pn.Profile):
        identity, weights = members(e.args[0], e.args[1])
        formula = getattr(i.models.get(identity), "profile_expression", None)
        if formula is not None and weights == PLAIN:
            # as a formula: its argument may lie outside the exact class
            return _defined(formula(closed(e.args[2], i)), i)
    if isinstance(e, cn.Node):
        x = i.value(e)
        if x.grade or isinstance(x.x, Infinite):
            raise Unsupported(f"{e} is +oo, or depends on an arbitrary pair")
        found = x.x.to_sympy()
        atoms = {a for a in found.free_symbols if a in ERFC_ATOMS}
        return found.xreplace({a: sp.erfc(ERFC_ATOMS[a].to_sympy(), evaluate=False)
                               for a in atoms})
    if isinstance(e, sp.Piecewise):
        for value, condition in e.args:
            if condition_holds(i, condition):
                return closed(value, i)
        raise Undefined(f"no case of {e} applies")
    if e.args and e.has(cn.Node, sp.Piecewise):
        # rebuilding may cancel: every part must have a value before it does
        return e.func(*(_defined(closed(a, i), i) for a in e.args))
    return e


def _defined(e: Any, i: Interpreter) -> Any:
    require(Tower(i.cell), e)
    return e


__all__ = ["by_order", "closed", "closed_sides", "domain_of", "models_of", "settled"]
