"""Claims and hypotheses as formulas: relations, quantifiers, convergence, continuity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.kernel.saying import NotSaid, refuse
from lapdp.kernel.terms import Refused
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.pointwise import LossAt, Ratio
from lapdp.theory import language as lang
from lapdp.theory.sentences.points import monomial, pointwise
from lapdp.theory.sentences.terms import sort_of
from lapdp.theory.sentences.transforms import DENSITIES, Region, Transforms, letters

SUPREMA = (tn.SupOverReals, pn.SupOverOutcomes, pn.SupOverEvents)
ENDLESS = (cn.Limit, cn.SymmetricIntegral, cn.Bromwich, tn.InfOverReals, *SUPREMA)
MADE = (sp.Add, sp.Mul, sp.log)
UNBOUNDED = (pn.Moment, pn.RenyiDivergence, pn.Expectation, pn.IntegralOverSpace, *ENDLESS)
"""Notions whose value may be infinite; of those that are ``ENDLESS`` it is not said when."""


class Formulas(Transforms):
    """Reads the forms of the language."""

    def formula(self, form: Any) -> int:
        """The formula of a claim or hypothesis."""
        refuse(type(form) not in FORMS and not isinstance(form, sp.Rel),
               f"the form {type(form).__name__}")
        return self.relation(form) if isinstance(form, sp.Rel) else FORMS[type(form)](self, form)

    def relation(self, form: Any) -> int:
        """A relation between two numbers, with what it needs besides."""
        sides = form.args
        if (sp.oo in sides or -sp.oo in sides) and not any(pointwise(e) for e in sides if e.args):
            small, large = sides[::-1 if isinstance(form, (sp.Gt, sp.Ge)) else 1]
            x = large if small in (-sp.oo, sp.oo) else small
            if isinstance(form, sp.Eq):
                return self.ends_of(x)[-sp.oo in sides]
            refuse(not self.claiming or sp.oo == small or large == -sp.oo, "a relation with oo")
            above = [self.ends_of(x)[0]] if small == -sp.oo else []
            return self.joined("or", [*above, self.defined(x)]) if isinstance(
                form, (sp.Lt, sp.Gt, sp.Ne)) else self.relation(sp.Le(x, x, evaluate=False))
        if any(pointwise(e) for e in sides):
            self.stricter("a relation at every outcome")
            refuse(any(len(d.pair.names) != 2 for e in sides for d in e.atoms(pn.Distribution)),
                   "a relation at the outcomes of more than two distributions")
            return self.atomic(lambda: self.integral(
                sides, partial(self.compare, form), kind="all"))
        if isinstance(form, (sp.Eq, sp.Le, sp.Ge)) and any(map(generalized, sides)):
            return self._as_measures(form)
        try:
            with self.having(conditions=[]):
                ends = self._infinite_cases(form)
        except (NotSaid, Refused):
            if not self.claiming:
                raise
            ends = None  # a claim about finite values
        with self.having(finite_meant=self.finite_meant or ends is not None):
            found = self.atomic(lambda: self.compare(form))
        for k, case in enumerate(ends or ()):
            found = self.b.make("or", case, found if k else self.meant(found))
        orders = {x.args[0] for e in sides if ends for x in unbounded_in(e) - self.finite_ones
                  if isinstance(x, pn.RenyiDivergence) and not (x.args[0] - 1).is_nonzero}
        return self.every(*(self.say("not q == 1", q=q) for q in sorted(orders, key=str)), found)

    def _as_measures(self, form: Any) -> int:
        """A relation between generalised densities: between their masses on all intervals; with
        derivatives, between the integrals against the tents on them, which are continuous."""
        points = [x.args[:2][-1].free_symbols for e in form.args for x in e.atoms(*DENSITIES)]
        common = [s for s in set.intersection(*points) if not s.is_nonnegative]
        refuse(len(common) != 1 or not any(form is f for f in self.tops) or common[0] in self.fixed,
               "generalised densities at other than one free point")
        a, b = (sp.Dummy(n, real=True) for n in "ab")
        between = Region(common[0], inside=lambda x: self.say("a < x and x < b", a=a, x=x, b=b))
        if any(e.has(cn.GeneralizedDerivative) for e in form.args):
            text = "max(0, min(x - a, b - x))"
            between = Region(common[0], lambda x: [self.say(text, a=a, x=x, b=b)])

        def masses() -> int:
            x, y = (self.on_line(e, between) if e != 0 else self.b.number(0) for e in form.args)
            return self.related(form.rel_op, x, y)
        return self.quantified("all", (a, b), lambda: self.atomic(masses), [sp.Lt(a, b)])

    def _infinite_cases(self, form: Any) -> list[int] | None:
        """When does a relation hold of values some of which are infinite?  None: all are finite."""
        bound = {x.args[x.bound_at] for x in form.atoms(cn.Node) if x.bound_at is not None}
        unbounded = {x for e in form.args for x in unbounded_in(e)} - {
            x for x in self.finite_ones if not letters(x) & (bound | self.bound.keys())}
        if not unbounded:
            return [] if any(e.atoms(*UNBOUNDED) for e in form.args) else None
        for x in sorted((y for y in form.atoms(sp.exp) if not letters(y) & bound), key=str):
            e = -x.args[0]  # exp(-oo) = 0
            if self.claiming and unbounded <= unbounded_in(e) and self._apart(e, unbounded):
                return [self.joined("and", (self.ends_of(e)[0], self.relation(form.func(*(
                    a.xreplace({x: sp.S.Zero}) for a in form.args), evaluate=False))))]
        whole = [e for e in form.args if unbounded_in(e) & unbounded and self._apart(e, unbounded)]
        inside = any(unbounded_in(x) & unbounded for e in form.args for y in (
            unbounded_in(e) if e in whole else (sp.Tuple(e),)) for x in y.args)
        refuse(inside or (len(whole) > 1 and not isinstance(form, (sp.Eq, sp.Le, sp.Ge))),
               "in a hypothesis: a value that may be infinite")
        no, turned = self.b.make("false"), isinstance(form, (sp.Gt, sp.Ge))

        def end(k: int, at: int) -> int:
            e = form.args[k]  # a supremum of numbers is not -oo
            return self.ends_of(e)[at] if e in whole and not (at and isinstance(e, SUPREMA)) else no
        if isinstance(form, sp.Eq):
            both = [[end(k, at) for k in (0, 1)] for at in (0, 1) if len(whole) > 1]
            return [self.joined("and", case) for case in both if no not in case]
        return [self.joined("and", (self._valued(form.args[1 - k]), f)) for at in (0, 1)
                for k in (0, 1) if isinstance(form, sp.Ne) or (k == at) == turned
                if (f := end(k, at)) != no]

    def _apart(self, e: Any, unbounded: set[Any]) -> bool:
        """Is it made of unbounded and of finite values by what is known of infinite ones?"""
        return e in unbounded or not unbounded_in(e) & unbounded or (
            self.claiming and isinstance(e, MADE) and all(self._apart(
                a, unbounded) and not (e.is_Mul and a.is_nonpositive) for a in e.args))

    def _valued(self, e: Any) -> int:
        """What stands beside an infinite value has a value itself, which may be infinite."""
        if extended(e):
            return self.truth() if isinstance(e, pn.Expectation) else self.defined(e.args[0])
        known = isinstance(e, UNBOUNDED) or (self.claiming and unbounded_in(e))
        return self.joined("or", (self.defined(e), *(self.ends_of(e) if known else ())))

    def _ends_of(self, e: Any) -> tuple[int, int]:
        """The same of a sum, a product of what is > 0, or a logarithm: a part is infinite, and all
        others are that or finite."""
        no = self.b.make("false")
        ends = [self.ends_of(a) if unbounded_in(a) else (no, no) for a in e.args]
        with self.finitely():
            finite = [self.defined(a) if a.is_positive or not e.is_Mul else self.atomic(partial(
                self.say, "0 < x", x=a)) for a in e.args]
        plus, minus = (self.joined("or", (self.joined("and", (f[at], *(self.joined("or", (
            no if at and e.is_Mul else g[at], h)) for g, h in zip(ends, finite, strict=True)
            if g is not f))) for f in ends)) for at in (0, 1))
        return plus, no if isinstance(e, sp.log) else minus

    def ends_of(self, e: Any) -> tuple[int, int]:
        """That a value is +oo, and that it is -oo; in a hypothesis that must be known exactly."""
        mass = isinstance(e, pn.IntegralOverSpace) and e.args[0].is_nonnegative is True
        refuse(not self.claiming and not extended(e) and not isinstance(e, UNBOUNDED[:2]) and (
            not mass or e.has(LossAt, Ratio)), "in a hypothesis: a value that may be infinite")
        no = self.b.make("false")
        if isinstance(e, MADE) and unbounded_in(e):
            return self._ends_of(e)
        if not isinstance(e, pn.RenyiDivergence):
            return self.infinite(e), no
        moment, order = pn.Moment(*e.args), self.real(e.args[0])
        gap = sp.factor(e.args[0] - 1)
        endless = no if gap.is_negative and e.args[0].is_positive else self.infinite(moment)
        with self.finitely():
            vanishes = self.meant(self.atomic(lambda: self.say("m == 0", m=self.real(moment))))
        below = no if gap.is_positive else self.say("q < 1", q=order)
        plus, minus = (self.joined("and", (below, f)) for f in (vanishes, endless))
        return endless if gap.is_positive else plus if gap.is_negative else self.say(
            "1 < q and f or g", q=order, f=endless, g=plus), minus

    def infinite(self, e: Any) -> int:
        """The value is +oo."""
        refuse(e.has(*ENDLESS) or any(map(unbounded_in, e.args)), "a part that may be infinite")
        with self.having(conditions=[], finite_meant=True):
            return self.infinite_term(self.term(e), self.conditions, not isinstance(e, pn.Moment))

    def defined(self, e: Any) -> int:
        """An expression has a finite value."""
        # a sum is finite only where each of its summands is
        refuse(not self.claiming and unbounded_in(e) - {*sp.Add.make_args(e)},
               "in a hypothesis: oo inside of a value")
        with self.finitely():
            return self.atomic(lambda: self.meaning(self.term(e)))

    def quantified(self, kind: str, over: Sequence[Any], build: Callable[[], int],
                   where: Sequence[Any] = ()) -> int:
        """``all`` or ``ex`` over variables with their assumptions and hypotheses."""
        def inner(*values: int) -> int:
            if len(values) < len(over):
                symbol = over[len(values)]
                refuse(type(symbol) not in (sp.Symbol, sp.Dummy, pn.Event, pn.Outcome, pn.Unnamed),
                       f"a quantifier over {type(symbol).__name__}")
                return self.bind(f"{kind}{sort_of(symbol)}", lambda v: inner(*values, v))
            with self.where(dict(zip(over, values, strict=True))):
                premises = [f for s, v in zip(over, values, strict=True)
                            for f in self.assumed(s, v)]
                with self.supposing():
                    premises += [self.meant(self.formula(h)) for h in where]
                given = [self.every(*premises)] if premises else []
                return self.every(*given, self.meant(build())) if kind == "ex" else (
                    self.b.make("imp", *given, build()) if given else build())
        return inner()


def bounded(e: Any) -> bool:
    """Is a function on the space below a multiple of the sum of the densities, for certain?"""
    if e.is_Mul:
        return [bounded(a) for a in e.args if pointwise(a)] == [True]
    return all(map(bounded, e.args)) if e.is_Add or isinstance(e, (sp.Max, sp.Min, sp.Abs)) else (
        e == 0 or isinstance(e, pn.Distribution))


def unbounded_in(e: Any) -> set[Any]:
    """The notions in an expression whose values may be infinite."""
    return {x for x in e.atoms(*UNBOUNDED) if not isinstance(x, pn.IntegralOverSpace)
            or not bounded(x.args[0])}


def extended(e: Any) -> bool:
    """Has it a value in [-oo, oo], at every real order but 1?  E[max(0, -Z)] is at most 1."""
    mean = isinstance(e, pn.Expectation) and e.args[0] == e.args[1]
    return (mean or isinstance(e, (pn.Moment, pn.RenyiDivergence))) and all(isinstance(
        d, pn.Distribution) for d in (e.args[1].args if mean else e.args[1:]))


def generalized(e: Any) -> bool:
    """Does a generalised density stand outside of all integrals?"""
    if isinstance(e, DENSITIES) or not isinstance(e, cn.Node):
        return isinstance(e, DENSITIES) or any(map(generalized, e.args))
    return isinstance(e, cn.Convolution) and all(map(generalized, e.args[:2]))


def free(form: Any) -> set[Any]:
    """The free symbols of the expressions in a form."""
    return {s for x in lang.expressions(form) for s in letters(sp.sympify(x))}


def within(lower: Any, upper: Any, *points: Any) -> list[Any]:
    """That points lie between two ends, which may be infinite."""
    return [sp.Le(a, b, evaluate=False) for x in points for a, b in ((lower, x), (x, upper))
            if a != -sp.oo and b != sp.oo]


def _implies(e: Formulas, form: Any) -> int:
    on = isinstance(form, lang.ImpliesOn)
    over = (form.t,) if on else form.over
    refuse(not on and free(form.conclusion) & set(over), "a bound variable in the conclusion")
    with e.supposing():
        premise = e.meant(e.quantified("all", over, lambda: e.formula(form.hypothesis),
                                       within(form.lower, form.upper, form.t) if on else ()))
    return e.b.make("imp", premise, e.formula(form.conclusion))


def _iff(e: Formulas, form: Any) -> int:
    sides = form.first, form.second
    refuse(free(form.first) & free(form.second) & set(form.over), "a variable of both sides")
    with e.supposing():
        return e.b.make("iff", *(e.meant(e.quantified("all", [
            s for s in form.over if s in free(side)], partial(e.formula, side))) for side in sides))


def _all_of(e: Formulas, form: Any) -> int:
    return e.every(*map(e.formula, form.claims))


def _ac(e: Formulas, *orders: Any) -> int:
    return e.joined("or", [e.atomic(partial(e.null, *two)) for two in orders])


def _same_measure(e: Formulas, form: Any) -> int:
    event = pn.Unnamed("S")

    def read(side: Any) -> int:
        parts = [monomial(part) for part in sp.Add.make_args(sp.expand(side))]
        refuse(any([*d.values()] != [1] for d, _ in parts), "no combination of distributions")
        return e.real(sp.Add(*[sp.Mul(*others, pn.Measure(*d, event)) for d, others in parts]))

    return e.quantified("all", (event,), lambda: e.atomic(
        lambda: e.say("p == q", p=read(form.lhs), q=read(form.rhs))))


def _continuous(e: Formulas, form: Any) -> int:
    """For every x and e > 0 there is d > 0 with |f(y) - f(x)| < e for |y - x| < d."""
    ends = (-sp.oo, sp.oo) if isinstance(form, lang.Continuous) else (form.lower, form.upper)
    x, y = (sp.Dummy(n, real=True) for n in "xy")
    near, size = (sp.Dummy(n, positive=True) for n in ("d", "e"))
    step = sp.Lt(sp.Abs(y - x), near, evaluate=False)

    close = partial(e.atomic, lambda: e.say(
        "abs(f(y) - f(x)) < d", f=e.function(form.expr, form.t), x=x, y=y, d=size))
    return e.quantified("all", (x, size), lambda: e.quantified("ex", (near,), lambda: e.quantified(
        "all", (y,), close, [*within(*ends, y), step])), within(*ends, x))


def _shape(e: Formulas, form: Any) -> int:
    """Convex, or nonincreasing, on an interval."""
    x, y, w = (sp.Dummy(n, real=True) for n in "xyw")
    falls = isinstance(form, lang.NonincreasingOn)
    text = "f(y) <= f(x)" if falls else "f(w * x + (1 - w) * y) <= w * f(x) + (1 - w) * f(y)"
    where = [sp.Le(x, y, evaluate=False)] if falls else within(0, 1, w)
    return e.quantified("all", (x, y) if falls else (x, y, w), lambda: e.atomic(lambda: e.say(
        text, f=e.function(form.expr, form.t), x=x, y=y, w=w)), within(
            form.lower, form.upper, x, y) + where)


def _converges(e: Formulas, form: Any) -> int:
    """Every integrand has a value, and the integral converges, or does not."""
    def build() -> int:
        iny, f, had = e.integrand(e.term(form.node))
        return e.every(had, (int if type(form) is lang.Converges else e.opposite)(e.b.make(iny, f)))
    return e.atomic(build)


FORMS: dict[type, Callable[[Formulas, Any], int]] = {
    lang.Implies: _implies, lang.ImpliesOn: _implies, lang.Iff: _iff, lang.AllOf: _all_of,
    lang.ForAll: lambda e, f: e.quantified("all", f.over, lambda: e.formula(f.claim), f.where),
    lang.Exists: lambda e, f: e.quantified("ex", (f.symbol,), lambda: e.formula(f.claim), f.where),
    lang.ExistsEvents: lambda e, f: e.quantified("ex", f.made, lambda: _all_of(e, f)),
    lang.AbsolutelyContinuous: lambda e, f: _ac(e, (f.P, f.Q)),
    lang.OneWayContinuous: lambda e, f: _ac(e, (f.P, f.Q), (f.Q, f.P)),
    lang.NoAtom: lambda e, f: e.atomic(lambda: e.say("m == 0", m=e.exceeds(f.Z, "==", f.x))),
    lang.Defined: lambda e, f: e.defined(f.expr), lang.Converges: _converges,
    lang.Continuous: _continuous, lang.ContinuousOn: _continuous, lang.SameMeasure: _same_measure,
    lang.ConvexOn: _shape, lang.NonincreasingOn: _shape, lang.Diverges: _converges,
}
