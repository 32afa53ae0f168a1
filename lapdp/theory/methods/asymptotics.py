"""Rates at infinity: f = O(g) by exact leading terms.

Both sides are expanded (:mod:`lapdp.theory.methods.expansions`); their quotient is then a sum of
e^(phi(t)) t^n with exact coefficients, and stays bounded or not.  No limit is taken by a heuristic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import sympy as sp

from lapdp.balls import enclosure
from lapdp.balls import sign as ball_sign
from lapdp.calculus.exact import Exact
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit, explore
from lapdp.core import facts as known
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Rejected, Witness, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.mixtures import PLAIN, REVERSED, members
from lapdp.theory.hypotheses import PAIR_NODES, gather
from lapdp.theory.interpret import Interpreter
from lapdp.theory.language import BigO
from lapdp.theory.methods.expansions import ORDERS, Expander, text_of
from lapdp.theory.methods.special import with_positive_symbols
from lapdp.theory.methods.tower import Tower
from lapdp.theory.obligations import ExcludedBy, Fails, Path
from lapdp.theory.render import word_of

METHOD = "leading terms"
VALUES = (sp.Integer(1), sp.Integer(2), sp.Rational(1, 2), sp.Integer(3), sp.Integer(0),
          sp.Integer(-1))
_LIMIT = 400
_POWERS = range(3, 13)
_SHOWN = 3


def big_o(statement: Any, _prove: Any = None) -> Judgement | None:
    """Judge ``BigO(expr, bound, t, point)`` with ``point`` = oo or -oo, the parameters fixed.

    Expressions are built of rational functions, exponentials of polynomials and erfc of
    polynomials in ``t``, and of profiles of mechanisms.  Proved with a sealed certificate, or
    refuted with parameter values and growing balls of the quotient.  Raises :class:`Unsupported`
    outside the class and where leading terms cannot be compared.

    >>> from lapdp.theory import BigO, reals
    >>> from lapdp.theory.statement import Statement
    >>> t = reals("t")
    >>> str(big_o(Statement("tail", BigO(sp.erfc(t), sp.exp(-t**2), t))).kind)
    'derived'
    """
    claim = statement.claim
    if not isinstance(claim, BigO):
        return None
    h = gather(statement)
    if h.other:
        raise Unsupported("a hypothesis that is not a relation between parameters")
    t = sp.Dummy(str(claim.t), positive=True)
    about = [(f, rel) for f, rel in h.constraints if claim.t not in f.atoms()]
    if len(about) < len(h.constraints):
        raise Unsupported(f"a hypothesis on {claim.t}, which tends to {claim.point}")
    moving = {claim.t: t if claim.point == sp.oo else -t}
    expr, bound, constraints, different = with_positive_symbols(
        # turned to +oo first: the tail at the other end is another function
        _closed(sp.sympify(claim.expr).subs(moving), t),
        _closed(sp.sympify(claim.bound).subs(moving), t),
        about,
        [d for d in h.different if claim.t not in d.atoms()])
    rate = Rate(tuple(constraints), expr, bound, t)
    failures: list[str] = []

    def leaf(cell: Cell) -> tuple[Any, ...]:
        for gap in different:
            if cell.sign(gap.substitute(cell.values)) == 0:
                return (ExcludedBy(rate.base, gap, "the parameters"),)
        try:
            found = rate.compare(cell)
        except Undefined as problem:
            failures.append(str(problem))
            return (Fails(str(problem)),)
        if found.bounded:
            return (rate,)
        failures.append(found.text)
        return (Fails(found.text),)

    tree = explore(rate.base, leaf)
    if failures:
        return _refuted(rate, different, claim)
    facts = (known.ERFC_ENVELOPE,) if expr.has(sp.erf, sp.erfc) or bound.has(
        sp.erf, sp.erfc) else ()
    proof = seal(Certificate(METHOD, ((f"as {claim.t} tends to {claim.point}", tree),), facts))
    return Judgement(Kind.DERIVED, METHOD, proof=proof)


def _closed(e: Any, t: Any) -> Any:
    """``e`` with the notions of concrete mechanisms written out for large ``t``."""
    e = sp.sympify(e)
    for node in sorted(e.atoms(*PAIR_NODES), key=str):
        losses = isinstance(node.args[0], pn.Loss)
        at = 1 if isinstance(node, (pn.Moment, pn.RenyiDivergence)) else 0
        identity, weights = members(*(node.args[0].args if losses else node.args[at:at + 2]))
        if weights not in (PLAIN, REVERSED):
            raise Unsupported("a rate of a mixture")
        reverse = weights == REVERSED
        closed = getattr(identity.mechanism, "profile_expression", None)
        if closed is not None and isinstance(node, pn.Profile):
            eps = node.args[2]
            e = e.xreplace({node: 1 - sp.exp(eps) + sp.exp(eps) * closed(-eps) if reverse
                            else closed(eps)})
        else:
            e = e.xreplace({node: _tail(node, identity, t)})
    return e


def _tail(node: Any, identity: Any, t: Any) -> Any:
    """The exponential polynomial that a function of the exact class equals for large ``t``."""
    if any(a.mechanism is None for a in identity.atoms()):
        raise Unsupported("a rate for every pair")
    if not isinstance(node, (pn.Profile, pn.LossCDF)):
        raise Unsupported(f"a rate of {word_of(node)}")
    cell = Cell([c for a in identity.atoms() for c in a.mechanism.constraints()])
    models = {a: a.mechanism.model() for a in identity.atoms()}
    f: Exact = Interpreter(cell, models).function(node, t).x
    return sp.Add(*(c.to_sympy() * t**n * sp.exp(a.to_sympy() * t)
                    for (a, n), c in f.tail().items()))


@dataclass(frozen=True)
class Comparison:
    """Does the quotient stay bounded, and how does it behave?"""

    bounded: bool
    text: str


@dataclass(frozen=True)
class Rate:
    """The claim expr = O(bound) as t tends to +oo; as an obligation, that it holds in a cell."""

    base: tuple[Constraint, ...]
    expr: Any
    bound: Any
    t: Any

    def compare(self, cell: Cell) -> Comparison:
        """Compare the leading terms in a cell, with longer series where short ones cancel."""
        for order in ORDERS[:-1]:
            try:
                return self._compare(Expander(self.t, Tower(cell), order))
            except Unsupported:
                continue
        return self._compare(Expander(self.t, Tower(cell), ORDERS[-1]))

    def _compare(self, expander: Expander) -> Comparison:
        below, above = expander.expand(self.bound), expander.expand(self.expr)
        if not below:
            raise Undefined("the bound is 0")
        if not above:
            return Comparison(True, "the expression is 0")
        reference, largest = expander.dominant(below), expander.dominant(above)
        m, c = expander.leading(reference.series)
        gap = expander.difference(largest.phi, reference.phi)
        sign = expander.growth(gap)
        # an upper bound is enough where the quotient stays bounded
        if sign < 0 or (sign == 0 and largest.series.top() <= m):
            return Comparison(True, "the quotient is bounded")
        n, d = expander.leading(largest.series)
        if sign == 0 and n <= m:
            return Comparison(True, "the quotient is bounded")
        text = text_of(self.t, gap, n - m, expander.tower.reduce(d / c))
        return Comparison(False, f"the quotient behaves like {text}, which is unbounded")

    def discharge(self, path: Path) -> None:
        """Expand and compare again."""
        try:
            if self.compare(Cell(self.base, path)).bounded:
                return
        except (Unsupported, Undefined, NeedSplit) as problem:
            raise Rejected(f"the rate: {problem}") from None
        raise Rejected("the quotient is unbounded")

    def describe(self) -> str:
        """One line."""
        return f"({self.expr})/({self.bound}) is bounded for large {self.t}"

    def at(self, point: dict[Any, Any]) -> Rate:
        """The claim at exact parameter values."""
        return Rate((), self.expr.subs(point), self.bound.subs(point), self.t)


# -- refutation -------------------------------------------------------------------------------


def _refuted(rate: Rate, different: list[Form], claim: Any) -> Judgement:
    """Exact parameter values at which the quotient is unbounded, and balls of it."""
    for point in _points(rate, different):
        try:
            special = rate.at(point)
            found = special.compare(Cell())
            if found.bounded:
                continue
            shown = _growing(special, claim.point)
        except (Unsupported, Undefined, NeedSplit):
            continue
        if shown is None:
            continue
        values = {str(k): str(v) for k, v in point.items()}
        places = ", ".join(t for t, _ in shown)
        text = "; ".join([*(f"{k} = {v}" for k, v in values.items()), f"{claim.t} = {places}"])
        why = found.text.replace(str(rate.t), str(claim.t))
        lhs = "quotient " + ", ".join(x for _, x in shown)
        return Judgement(Kind.REFUTED, METHOD, reason=why, witness=Witness(
            text, {**values, str(claim.t): places}, lhs, "a bounded quotient is claimed", why))
    raise Unsupported("some case is open, and no parameter values with growing balls were found")


def _points(rate: Rate, different: list[Form]) -> Iterator[dict[Any, Any]]:
    """Small exact parameter values that satisfy the hypotheses, provably."""
    symbols = sorted((rate.expr.free_symbols | rate.bound.free_symbols) - {rate.t}, key=str)
    forms = {a for f, _ in rate.base for a in f.atoms()} | {a for f in different for a in f.atoms()}
    if any(not s.is_real for s in symbols) or any(
            a.is_Symbol and a not in symbols for a in forms):
        return
    tried = sorted(product(range(len(VALUES)), repeat=len(symbols)), key=lambda k: (sum(k), k))
    for choice in tried[:_LIMIT]:
        point = {s: VALUES[k] for s, k in zip(symbols, choice, strict=True)}
        if all((v > 0 or not s.is_positive) and (v >= 0 or not s.is_nonnegative)
               for s, v in point.items()) and _satisfies(point, rate.base, different):
            yield point


def _satisfies(point: dict[Any, Any], base: tuple[Constraint, ...], different: list[Form]) -> bool:
    for form, rel in base:
        sign = ball_sign(form.to_sympy().subs(point))
        if sign is None or not {">": sign > 0, ">=": sign >= 0, "=": sign == 0}[rel]:
            return False
    return all(ball_sign(gap.to_sympy().subs(point)) in (1, -1) for gap in different)


def _growing(rate: Rate, point: Any) -> list[tuple[str, str]] | None:
    """Places where balls prove that the quotient grows: (t, ball of the quotient)."""
    found: list[tuple[str, Any]] = []
    for k in _POWERS:
        place = sp.Integer(2**k)
        ball = abs(enclosure(rate.expr / rate.bound, {rate.t: place}, digits=20)).real
        if found and not ball > found[-1][1]:
            found = []
        found.append((str(place if point == sp.oo else -place), ball))
        if len(found) == _SHOWN:
            return [(place, ball.str(8)) for place, ball in found]
    return None
