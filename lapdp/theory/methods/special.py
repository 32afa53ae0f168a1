"""Equalities of special functions: normal forms, Gaussian integrals, derivative and one point.

Both sides are defined in the whole stated domain (checked first).  Then their difference is 0 if
its normal form is, or if along one real or complex variable its derivative vanishes and so does
its value at one point, the same argument applied again to what stays open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.balls import enclosure
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit, SignOf, explore
from lapdp.core import facts as known
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.facts import Fact
from lapdp.core.verdict import Certificate, Judgement, Kind, Rejected, seal
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.gaussians import NODES, without_integrals
from lapdp.theory.methods.tower import Tower, meaning, plain
from lapdp.theory.obligations import ExcludedBy, Path

FUNCTIONS = 60
"""Functions and derivatives that are looked at for one equality."""
STEPS = 3
"""Derivatives taken before giving up."""
POINTS = (sp.Integer(0), sp.Integer(1), sp.Integer(-1), sp.Integer(2))
_TROUBLE = (Undefined, Unsupported, NeedSplit)


def by_derivative(statement: Any, _prove: Any = None) -> Judgement | None:
    """Prove an equality of two expressions in parameters, or None when this method does not.

    Argument: a statement whose claim is an equality without pairs.  Raises :class:`Unsupported` or
    :class:`Undefined` where a side is outside the class or has no value in the stated domain.

    >>> from lapdp.theory import Eq, reals
    >>> from lapdp.theory.statement import Statement
    >>> x = reals("x")
    >>> eq = Eq(sp.log(1 + sp.exp(x)) - sp.log(1 + sp.exp(-x)), x)
    >>> str(by_derivative(Statement("softplus", eq)).kind)
    'derived'
    """
    if not isinstance(statement.claim, sp.Eq) or statement.pairs:
        return None
    h = gather(statement)
    if h.other:
        raise Unsupported("a hypothesis that is not a relation between parameters")
    lhs, rhs, constraints, different = with_positive_symbols(
        statement.claim.lhs, statement.claim.rhs, h.constraints, h.different)
    base = tuple(constraints)
    routes: list[Route] = []

    def leaf(cell: Cell) -> tuple[Any, ...]:
        for gap in different:
            real, imag = gap.substitute(cell.values).split_complex()
            if cell.sign(real) == 0 and cell.sign(imag) == 0:
                return (ExcludedBy(base, gap, "the parameters"),)
        route = settle(lhs, rhs, cell)
        if route is None:
            raise _Open
        routes.append(route)
        return (Agree(base, lhs, rhs, route.text),)

    try:
        tree = explore(base, leaf)
    except _Open:
        return None
    if not routes:
        raise Unsupported("the hypotheses exclude every case")
    method = max((r.text for r in routes), key=len)
    facts = {f for r in routes for f in r.facts}
    proof = seal(Certificate(method, (("the two sides", tree),), tuple(facts)))
    return Judgement(Kind.DERIVED, method, proof=proof)


class _Open(Exception):
    """Some case is not settled."""


@dataclass(frozen=True)
class Route:
    """How a case was settled, and the facts it stands on."""

    text: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Agree:
    """Two expressions that are defined and equal in the case."""

    base: tuple[Constraint, ...]
    lhs: Any
    rhs: Any
    route: str

    def discharge(self, path: Path) -> None:
        """Settle the case again."""
        try:
            if settle(self.lhs, self.rhs, Cell(self.base, path)) is not None:
                return
        except _TROUBLE as problem:
            raise Rejected(f"the two sides: {problem}") from None
        raise Rejected("the two sides are not shown to agree")

    def describe(self) -> str:
        """One line."""
        return f"both sides are defined and agree, by {self.route}"


def with_positive_symbols(lhs: Any, rhs: Any, constraints: list[Constraint], different: list[Form]
                          ) -> tuple[Any, Any, list[Constraint], list[Form]]:
    """Real symbols that the hypotheses make positive become so; signs of others are written out."""
    cell = Cell(constraints)
    symbols = sorted((lhs.free_symbols | rhs.free_symbols), key=str)
    names = {s: sp.Symbol(s.name, positive=True) for s in symbols
             if s.is_real and not s.is_positive and cell.entails(Form.atom(s), ">")}
    values = {s: Form.atom(p) for s, p in names.items()}
    written = [(form.substitute(values), rel) for form, rel in constraints]
    written += [(-Form.atom(s), ">" if s.is_negative else ">=") for s in symbols
                if s.is_nonpositive]
    return (lhs.xreplace(names), rhs.xreplace(names), written,
            [form.substitute(values) for form in different])


def settle(lhs: Any, rhs: Any, cell: Cell) -> Route | None:
    """How the two sides agree in the cell, if they do; raises where a side has no value."""
    tower = Tower(cell)
    facts: set[Fact] = set()
    parts = ["normal form"]
    if lhs.has(*NODES) or rhs.has(*NODES):
        facts |= {known.IDENTITY_THEOREM, known.PARTS}
        parts = ["Gaussian integrals"]
        # what stands beside an integral must be defined before it is simplified away
        for side in (lhs, rhs):
            _require_outside(tower, side)
        lhs, rhs = without_integrals(lhs, tower), without_integrals(rhs, tower)
    require(tower, lhs)
    require(tower, rhs)
    difference = tower.reduce(tower.scalar(lhs) - tower.scalar(rhs))
    if difference.is_zero():
        return Route(parts[0], tuple(facts))
    e = plain(difference)
    try:
        found = not _differs_somewhere(e, cell) and vanishes(e, cell)
    except _TROUBLE:
        found = False
    if not found:
        return None
    parts.append("derivative and one point")
    if parts[0] == "normal form":
        parts.pop(0)
    return Route(" and ".join(parts), (*facts, known.DERIVATIVE_AND_POINT))


def _require_outside(tower: Tower, e: Any) -> None:
    """``e`` must be defined whatever the values of its integrals."""
    values = {x: sp.Dummy("integral") for x in e.atoms(*NODES)}
    try:
        require(tower, e.xreplace(values))
    except NeedSplit as need:
        if any(d in meaning(a).free_symbols for a in need.form.atoms() for d in values.values()):
            raise Unsupported("an integral in a denominator or function") from None
        raise


def _differs_somewhere(e: Any, cell: Cell) -> bool:
    """Is ``e`` proved non-zero at some point of the cell?  (Then no derivative is taken.)"""
    symbols = sorted(e.free_symbols, key=str)
    for k in range(6):
        point = {s: sp.Rational(7 + 4 * j + 3 * k, 5) * (-1) ** (k * (j + 1))
                 for j, s in enumerate(symbols)}
        values = {key: x for s, v in point.items() for key, x in _values(s, v).items()}
        if all(_entailed(Cell(), form.substitute(values), rel) for form, rel in cell.constraints):
            try:
                return not enclosure(e, point, digits=15).contains(0)
            except _TROUBLE:
                continue
    return False


class Work:
    """How many functions may still be looked at: with many parameters there are very many."""

    def __init__(self, functions: int = FUNCTIONS) -> None:
        self.left = functions

    def spend(self) -> bool:
        """Take one off; False when nothing is left."""
        self.left -= 1
        return self.left >= 0


def vanishes(e: Any, cell: Cell, work: Work | None = None) -> bool:
    """Is a function of the parameters 0 everywhere in the cell, by derivative and one point?"""
    work = work or Work()
    if not work.spend():
        return False
    tower = Tower(cell)
    if tower.reduce(tower.scalar(e)).is_zero():
        return True
    require(tower, e, smooth=True)
    for v in sorted(e.free_symbols, key=str):
        if is_interval(cell, v) and _constant_zero(e, v, cell, tower, work):
            return True
    return False


def _constant_zero(e: Any, v: Any, cell: Cell, tower: Tower, work: Work) -> bool:
    """f_0 = e, f_(k+1) = f_k' times something without zeros, f_n = 0; every f_k has a zero at c."""
    chain = [e]
    for _ in range(STEPS):
        if not work.spend():
            return False
        derivative = tower.reduce(tower.scalar(sp.diff(chain[-1], v)))
        if derivative.is_zero():
            break
        chain.append(plain(_simpler(derivative, tower)))
        require(tower, chain[-1], smooth=True)
    else:
        return False
    for c in POINTS:
        where = _reachable(chain, v, c, cell)
        if where is not None and all(_zero_at(f, v, c, where, work) for f in chain):
            return True
    return False


def _simpler(x: Scalar, tower: Tower) -> Scalar:
    """``x`` times exponentials and its denominator, which have no zeros."""
    below = Scalar(x.keys, x.den, x.den / x.den)
    try:
        if tower.nonzero(below):
            x = x * below
    except (NeedSplit, Unsupported):
        pass
    _, log, _, radical = x.polynomial_terms(x.num)[0]
    return x if radical else x * Scalar.exp(-log)


def _zero_at(f: Any, v: Any, c: Any, cell: Cell, work: Work) -> bool:
    try:
        return vanishes(f.xreplace({v: c}), cell, work)
    except _TROUBLE:
        return False


def _reachable(chain: list[Any], v: Any, c: Any, cell: Cell) -> Cell | None:
    """The cell, if v = c lies in it or on its edge with every function continuous up to c."""
    at = _values(v, c)
    inside = all(_entailed(cell, form.substitute(at), rel) for form, rel in _conditions(cell))
    if inside and not (v.is_positive and c <= 0) and not (v.is_nonnegative and c < 0):
        return cell
    if not v.is_positive or c != 0:
        return None
    closed = sp.Symbol(v.name, nonnegative=True)
    image = {v: Form.atom(closed)}
    wider = Cell([(f.substitute(image), rel) for f, rel in cell.base],
                 tuple((SignOf(q.form.substitute(image)), a) for q, a in cell.path))
    if not all(_entailed(wider, form.substitute({closed: Form({})}), rel)
               for form, rel in _conditions(wider) if closed in form.atoms()):
        return None
    try:
        for f in chain:
            require(Tower(wider), f.xreplace({v: closed}))
    except _TROUBLE:
        return None
    return cell


def _values(v: Any, c: Any) -> dict[Any, Form]:
    point = Form.of(c)
    return {v: point, sp.re(v): point, sp.im(v): Form({})}


def _entailed(cell: Cell, form: Form, rel: str) -> bool:
    value = form.constant()
    if value is not None:
        return {"=": value == 0, ">=": value >= 0, ">": value > 0}[rel]
    return rel != "=" and cell.entails(form, rel)


def is_interval(cell: Cell, v: Any) -> bool:
    """Is the domain of v, the other parameters fixed, an interval (complex: convex)?"""
    own = {v} if v.is_real else {v, sp.re(v), sp.im(v)}
    if cell.elements:
        # what a polynomial in exponentials leaves need not be connected
        return False
    for form, rel in _conditions(cell):
        powers = {dict(m).get(a, 0) for m in form.terms for a in own} - {0}
        mixed = any(len(own & {a for a, _ in m}) > 1 for m in form.terms)
        if any(v in meaning(a).free_symbols for a in form.atoms() - own):
            return False
        if mixed or (powers and rel == "=") or len(powers) > 1:
            return False
        if powers - {1} and not v.is_positive:
            return False
    return bool(v.is_real) or not any(v in form.atoms() for form, _ in _conditions(cell))


def _conditions(cell: Cell) -> list[Constraint]:
    """The constraints of a cell, with the signs that replaced parameters must keep."""
    signs = [(image, ">" if atom.is_positive else ">=") for atom, image in cell.values.items()
             if atom.is_positive or atom.is_nonnegative]
    return [*cell.constraints, *signs]


__all__ = ["Agree", "Route", "by_derivative", "settle", "vanishes"]
