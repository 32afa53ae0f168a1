"""Claims and hypotheses as formulas: relations, quantifiers, convergence, continuity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.kernel.domain import bound_sort, conj, domain
from lapdp.kernel.symbols import INTEGRALS
from lapdp.privacy import nodes as pn
from lapdp.privacy.pointwise import LossAt, Ratio
from lapdp.theory import language as lang
from lapdp.theory.sentences.levels import Levels
from lapdp.theory.sentences.points import pointwise
from lapdp.theory.sentences.scope import NotSaid, sort_key, sort_of
from lapdp.theory.sentences.transforms import DENSITIES, nothing

UNBOUNDED = (pn.Moment, pn.RenyiDivergence, pn.Expectation, pn.IntegralOverSpace)
"""Notions whose value may be infinite."""


class Formulas(Levels):
    """Reads the forms of the language."""

    def formula(self, form: Any) -> int:
        """The formula of a claim or hypothesis."""
        if isinstance(form, Relational):
            return self.relation(form)
        reader = FORMS.get(type(form))
        if reader is None:
            raise NotSaid(f"the form {type(form).__name__}")
        return reader(self, form)

    def relation(self, form: Any) -> int:
        """A relation between two numbers, with what it needs besides."""
        sides = form.args
        if (sp.oo in sides or -sp.oo in sides) and not any(pointwise(e) for e in sides if e.args):
            return self._with_infinity(form)
        if any(pointwise(e) for e in sides):
            self.stricter("a relation at every outcome")
            if any(len(d.pair.names) != 2 for e in sides for d in e.atoms(pn.Distribution)):
                raise NotSaid("a relation at the outcomes of more than two distributions")
            return self.atomic(lambda: self.integral(
                sp.Tuple(*sides), lambda: self.compare(form), kind="all"))
        if any(isinstance(form, r) for r in (sp.Eq, sp.Le, sp.Ge)) and any(map(generalized, sides)):
            return self._as_measures(form)
        ends = self._claimed_cases(form) if self.claiming else self._infinite_cases(form)
        if ends is None:
            return self.atomic(lambda: self.compare(form))
        with self.finitely():
            found = self.atomic(lambda: self.compare(form))
        for case in ends:
            found = self.b.make("or", case, self.meant(found) if case == ends[0] else found)
        return found

    def _as_measures(self, form: Any) -> int:
        """A relation between generalised densities: between their masses on all intervals."""
        points = [x.args[-1].free_symbols for e in form.args for x in e.atoms(*DENSITIES)]
        common = [s for s in set.intersection(*points) if not s.is_nonnegative]
        if len(common) != 1 or not any(form is f for f in self.tops) or common[0] in self.fixed:
            raise NotSaid("generalised densities at other than one free point")
        a, b = (sp.Dummy(n, real=True) for n in "ab")

        def relation() -> int:
            def inside(x: int) -> int:
                return self.say("a < x and x < b", a=self.bound[a], x=x, b=self.bound[b])
            return self.related(form, *(
                self.on_line(e, common[0], nothing, inside) if e != 0 else self.b.number(0)
                for e in form.args))
        return self.quantified("all", (a, b), lambda: self.atomic(relation),
                               [sp.Lt(a, b, evaluate=False)])

    def _with_infinity(self, form: Any) -> int:
        small, large = form.args if isinstance(form, (sp.Lt, sp.Ne, sp.Le)) else form.args[::-1]
        if isinstance(form, sp.Eq) and sp.oo in form.args:
            (value,) = (e for e in form.args if e != sp.oo)
            return self.ends_of(value)[0]
        if large != sp.oo or not isinstance(form, (sp.Lt, sp.Gt, sp.Ne)):
            raise NotSaid("a relation with oo")
        return self.defined(small)

    def _infinite_cases(self, form: Any) -> list[int] | None:
        """When does a hypothesis hold of values some of which are infinite?  None: all are finite.
        """
        unbounded = {x for e in form.args for x in e.atoms(*UNBOUNDED)
                     if not isinstance(x, pn.IntegralOverSpace) or not bounded(x.args[0])
                     } - self.finite_ones
        if not unbounded:
            return [] if any(e.atoms(*UNBOUNDED) for e in form.args) else None
        scaled = [multiple(e, unbounded) if self.claiming else (e, sp.Integer(1))
                  for e in form.args]
        whole = [e for e, _ in scaled if e in unbounded]
        if isinstance(form, sp.Eq) and len(unbounded) == len(whole) == 1:
            return []
        if len(unbounded) > len(set(whole)) or not all(
                isinstance(e, (pn.Moment, pn.RenyiDivergence)) or (isinstance(
                    e, pn.IntegralOverSpace) and (e.has(LossAt, Ratio, sp.log) if self.claiming else
                        e.args[0].is_nonnegative and not e.has(LossAt, Ratio))) or (
                    self.claiming and isinstance(e, pn.Expectation) and (
                        e.args[0] == e.args[1] or is_power(e))) for e in whole):
            raise NotSaid("in a hypothesis: a value that may be infinite")
        no = self.b.make("false")
        ends = [self.ends_of(e) if e in whole else (no, no) for e, _ in scaled]
        ends = [(f if f == no or c == 1 else self.every(self.defined(c), f), g)
                for (f, g), (_, c) in zip(ends, scaled, strict=True)]
        if isinstance(form, (sp.Gt, sp.Ge)):
            ends.reverse()
        small, large = ends
        if isinstance(form, sp.Eq):
            cases = [self.both(f, g) for f, g in zip(small, large, strict=True)]
        elif isinstance(form, (sp.Le, sp.Ge)):
            cases = [large[0], small[1]]
        elif len(whole) == 1:
            cases = [*small, *large] if isinstance(form, sp.Ne) else [large[0], small[1]]
        else:
            raise NotSaid("in a hypothesis: a value that may be infinite")
        return [c for c in dict.fromkeys(cases) if c != no]

    def _claimed_cases(self, form: Any) -> list[int] | None:
        """When does a claim hold of infinite values?  None: it is read as one of finite values."""
        before, conditions = vars(self).copy(), list(self.conditions)
        try:
            return self._infinite_cases(form)
        except NotSaid:
            vars(self).update(before, conditions=conditions)
            return None

    def both(self, f: int, g: int) -> int:
        """The conjunction; false where one of them is."""
        no = self.b.make("false")
        return no if no in (f, g) else self.b.make("and", f, g)

    def ends_of(self, e: Any) -> tuple[int, int]:
        """That a value is +oo, and that it is -oo."""
        no, make = self.b.make("false"), self.b.make
        if not isinstance(e, pn.RenyiDivergence):
            return self.infinite(e), no
        moment = pn.Moment(*e.args)
        order, one = self.real(e.args[0]), self.b.number(1)
        gap = sp.factor(e.args[0] - 1)
        endless = no if gap.is_negative and e.args[0].is_positive else self.infinite(moment)
        with self.finitely():
            vanishes = self.meant(self.atomic(lambda: make(
                "eq", self.real(moment), self.b.number(0))))
        above, below = make("lt", one, order), make("lt", order, one)
        if gap.is_positive:
            return endless, no
        plus = self.both(below, vanishes)
        if not gap.is_negative:
            plus = make("or", make("and", above, endless), plus)
        return plus, self.both(below, endless)

    def infinite(self, e: Any) -> int:
        """The value is +oo: all of it has a meaning, what is negative of it is finite, and it is
        not finite.  A complex value: in a hypothesis, wherever it is not finite."""
        b, make = self.b, self.b.make
        before, self.conditions = self.conditions, []
        if e.has(cn.Limit, cn.SymmetricIntegral, cn.Bromwich):
            raise NotSaid("a limit that may be infinite")
        with self.finitely():
            t = self.term(e)
        found, self.conditions = self.conditions, before
        if self.b.sorts[t] == "C":
            if self.claiming:
                raise NotSaid("an infinite complex number")
            return make("not", self.every(*found, domain(b, t)))
        limits = [c for c in found if c in self.limits]
        meaning: list[int | None] = [c for c in found if c not in self.limits]
        symbol = str(b.rows[t][0])
        if symbol in INTEGRALS:
            (body,) = b.children(t)
            iny = INTEGRALS[symbol]
            inner = domain(b, body)
            meaning.append(None if inner is None else make(f"all{bound_sort(symbol)}", inner))
            if not isinstance(e, pn.Moment):
                below = make("max", b.number(0), make("mul", b.number(-1), body))
                meaning.append(make(iny, below))
            limits.append(make(iny, body))
        else:
            meaning.append(domain(b, t))
        if self.integrals(t) > (symbol in INTEGRALS):
            raise NotSaid("a sum of integrals, or an iterated one, that may be infinite")
        return self.every(*meaning, make("not", self.every(*limits)))

    def integrals(self, t: int) -> int:
        """How many integrals are in a term."""
        parts = [t]
        for u in parts:
            parts.extend(a for a in self.b.children(u) if a not in parts)
        return sum(self.b.rows[u][0] in INTEGRALS for u in parts)

    def defined(self, e: Any) -> int:
        """An expression has a finite value."""
        with self.finitely():
            return self.atomic(lambda: self.every(domain(self.b, self.term(e))))

    # -- binders ----------------------------------------------------------------------------------

    def quantified(self, kind: str, over: Sequence[Any], build: Callable[[], int],
                   where: Sequence[Any] = ()) -> int:
        """``all`` or ``ex`` over variables with their assumptions and hypotheses."""
        def premises(values: list[int]) -> list[int]:
            found = [f for s, v in zip(over, values, strict=True)
                     if not isinstance(s, (pn.Event, pn.Outcome)) for f in self.assumed(s, v)]
            for h in where:
                with self.supposing():
                    found.append(self.meant(self.formula(h)))
            return found

        def inner(k: int, values: list[int]) -> int:
            if k < len(over):
                symbol = over[k]
                sort = sort_of(symbol)
                if type(symbol) not in (sp.Symbol, sp.Dummy, pn.Event, pn.Outcome):
                    raise NotSaid(f"a quantifier over {type(symbol).__name__}")

                def at(v: int) -> int:
                    with self.where({symbol: v}):
                        return inner(k + 1, [*values, v])
                return self.bind(f"{kind}{sort}", sort, at)
            given = conj(self.b, *premises(values))
            if kind == "all":
                body = build()
                return body if given is None else self.b.make("imp", given, body)
            return self.every(given, self.meant(build()))

        return inner(0, [])


def bounded(e: Any) -> bool:
    """Is a function on the space below a multiple of the sum of the densities, for certain?"""
    if e.is_Mul:
        inside = [a for a in e.args if pointwise(a)]
        return len(inside) == 1 and bounded(inside[0])
    if e.is_Add or isinstance(e, (sp.Max, sp.Min, sp.Abs)):
        return all(map(bounded, e.args))
    return e == 0 or isinstance(e, pn.Distribution)


def multiple(e: Any, unbounded: set[Any]) -> tuple[Any, Any]:
    """An unbounded value and the positive number that it stands beside; else e and 1."""
    inside = [x for x in sp.Mul.make_args(e) if x in unbounded]
    rest = sp.Mul(*(x for x in sp.Mul.make_args(e) if x not in unbounded))
    if len(inside) == 1 and rest.is_positive and not rest.atoms(*UNBOUNDED):
        return inside[0], rest
    return e, sp.Integer(1)


def is_power(e: Any) -> bool:
    """Is an expectation that of exp(c Z), c free of the loss?"""
    body, loss = e.args
    return isinstance(body, sp.exp) and not (body.args[0] / loss).has(pn.Loss, LossAt, Ratio)


def generalized(e: Any) -> bool:
    """Does a generalised density stand outside of all integrals?"""
    if isinstance(e, DENSITIES):
        return True
    if isinstance(e, cn.Node) and not isinstance(e, cn.Convolution):
        return False
    return any(map(generalized, e.args))


def _implies(e: Formulas, form: Any) -> int:
    over = form.over
    free = {s for x in lang.expressions(form.conclusion) for s in sp.sympify(x).free_symbols}
    if free & set(over):
        raise NotSaid("a variable of a hypothesis in the conclusion")
    with e.supposing():
        premise = e.quantified("all", over, lambda: e.formula(form.hypothesis))
    return e.imply(premise, e.formula(form.conclusion))


def _iff(e: Formulas, form: Any) -> int:
    sides = []
    frees = [{s for x in lang.expressions(side) for s in sp.sympify(x).free_symbols}
             for side in (form.first, form.second)]
    if frees[0] & frees[1] & set(form.over):
        raise NotSaid("a variable of both sides of an equivalence")
    with e.supposing():
        for side, free in zip((form.first, form.second), frees, strict=True):
            mine = [s for s in form.over if s in free]
            sides.append(e.meant(e.quantified("all", mine, partial(e.formula, side))))
    return e.b.make("iff", *sides)


def _all_of(e: Formulas, form: Any) -> int:
    return e.every(*(e.formula(c) for c in form.claims))


def _implies_on(e: Formulas, form: Any) -> int:
    t = form.t
    within = [sp.Le(form.lower, t, evaluate=False), sp.Le(t, form.upper, evaluate=False)]
    with e.supposing():
        premise = e.quantified("all", (t,), lambda: e.formula(form.hypothesis), within)
    return e.imply(premise, e.formula(form.conclusion))


def _ac(e: Formulas, first: Any, second: Any) -> int:
    def build() -> int:
        e.two_of(first, second)
        return e.null(first, second)
    return e.atomic(build)


def _no_atom(e: Formulas, form: Any) -> int:
    return e.atomic(lambda: e.b.make("eq", e.exceeds(form.Z, "==", form.x), e.b.number(0)))


def _same_measure(e: Formulas, form: Any) -> int:
    terms = sp.expand(form.lhs), sp.expand(form.rhs)
    event = pn.Event("S")

    def read(side: Any) -> int:
        found = []
        for term in sorted(sp.Add.make_args(side), key=sort_key):
            here = [x for x in sp.Mul.make_args(term) if isinstance(x, pn.Distribution)]
            if len(here) != 1:
                raise NotSaid("a measure that is no combination of distributions")
            weight = term / here[0]
            mass = e.term(pn.Measure(here[0], event))
            found.append(mass if weight == 1 else e.num("mul", e.real(weight), mass))
        return e.total(found)

    def at(s: int) -> int:
        with e.where({event: s}):
            return e.atomic(lambda: e.b.make("eq", *map(read, terms)))
    return e.bind("allS", "S", at)


def _continuous(e: Formulas, form: Any) -> int:
    """For every x and e > 0 there is d > 0 with |f(y) - f(x)| < e for |y - x| < d."""
    within = () if isinstance(form, lang.Continuous) else (form.lower, form.upper)
    x, y = (sp.Dummy(n, real=True) for n in "xy")
    near, size = (sp.Dummy(n, positive=True) for n in ("d", "e"))

    def value(at: Any) -> int:
        with e.where({form.t: e.term(at)}):
            return e.term(form.expr)

    def close() -> int:
        return e.atomic(lambda: e.say("abs(f - g) < d", f=value(y), g=value(x), d=e.bound[size]))

    def inside(at: Any) -> list[Any]:
        if not within:
            return []
        return [sp.Le(end, at, evaluate=False) if low else sp.Le(at, end, evaluate=False)
                for low, end in zip((True, False), within, strict=True)
                if end not in (sp.oo, -sp.oo)]

    def there() -> int:
        step = sp.Lt(sp.Abs(y - x), near, evaluate=False)
        return e.quantified("all", (y,), close, [*inside(y), step])

    return e.quantified("all", (x, size), lambda: e.quantified("ex", (near,), there), inside(x))


def _shape(e: Formulas, form: Any) -> int:
    """Convex, or nonincreasing, on an interval."""
    x, y = (sp.Dummy(n, real=True) for n in "xy")
    w = sp.Dummy("w", real=True)

    def value(at: int) -> int:
        with e.where({form.t: at}):
            return e.real(form.expr)

    within = [rel for at in (x, y) for rel in (
        sp.Le(form.lower, at, evaluate=False), sp.Le(at, form.upper, evaluate=False))
        if sp.oo not in rel.args and -sp.oo not in rel.args]

    def falls() -> int:
        return e.atomic(lambda: e.say("f <= g", f=value(e.bound[y]), g=value(e.bound[x])))

    def convex() -> int:
        def mean(f: int, g: int) -> int:
            return e.say("w * f + (1 - w) * g", w=e.bound[w], f=f, g=g)

        ends = e.bound[x], e.bound[y]
        return e.atomic(lambda: e.say("f <= g", f=value(mean(*ends)), g=mean(*map(value, ends))))

    if isinstance(form, lang.NonincreasingOn):
        return e.quantified("all", (x, y), falls, [*within, sp.Le(x, y, evaluate=False)])
    weights = [sp.Le(0, w, evaluate=False), sp.Le(w, 1, evaluate=False)]
    return e.quantified("all", (x, y, w), convex, [*within, *weights])


def _diverges(e: Formulas, form: Any) -> int:
    """Every integrand has a value, and the integral has none."""
    def build() -> int:
        with e.supposing():
            node = e.term(form.node)
        symbol = str(e.b.rows[node][0])
        if symbol not in INTEGRALS:
            raise NotSaid("the divergence of what is no single integral")
        (body,) = e.b.children(node)
        inner = domain(e.b, body)
        fails = e.b.make("not", e.b.make(INTEGRALS[symbol], body))
        return fails if inner is None else e.b.make(
            "and", e.b.make(f"all{bound_sort(symbol)}", inner), fails)
    return e.atomic(build)


def _big_o(e: Formulas, form: Any) -> int:
    """There are c and x with |expr| <= c |bound| beyond x."""
    c, x = (sp.Dummy(n, real=True) for n in "cx")
    beyond = sp.Ge if form.point == sp.oo else sp.Le
    small = sp.Le(sp.Abs(form.expr), c * sp.Abs(form.bound), evaluate=False)
    far = lang.ForAll((form.t,), small, (beyond(form.t, x, evaluate=False),))
    return e.formula(lang.Exists(c, lang.Exists(x, far)))


FORMS: dict[type, Callable[[Formulas, Any], int]] = {
    lang.Implies: _implies, lang.Iff: _iff,
    lang.ForAll: lambda e, f: e.quantified("all", f.over, lambda: e.formula(f.claim), f.where),
    lang.Exists: lambda e, f: e.quantified("ex", (f.symbol,), lambda: e.formula(f.claim), f.where),
    lang.ExistsEvents: lambda e, f: e.quantified("ex", f.made, lambda: _all_of(e, f)),
    lang.AllOf: _all_of, lang.ImpliesOn: _implies_on,
    lang.AbsolutelyContinuous: lambda e, f: _ac(e, f.P, f.Q),
    lang.OneWayContinuous: lambda e, f: e.b.make("or", _ac(e, f.P, f.Q), _ac(e, f.Q, f.P)),
    lang.NoAtom: _no_atom, lang.SameMeasure: _same_measure,
    lang.Defined: lambda e, f: e.defined(f.expr),
    lang.Converges: lambda e, f: e.defined(f.node),
    lang.Diverges: _diverges, lang.BigO: _big_o,
    lang.Continuous: _continuous, lang.ContinuousOn: _continuous,
    lang.ConvexOn: _shape, lang.NonincreasingOn: _shape,
}

__all__ = ["Formulas"]
