"""Values at one exact instance: concrete pairs, functions and families, nothing symbolic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import INFINITE, Infinite
from lapdp.theory import language as lang
from lapdp.theory.bound_values import Run, run_of
from lapdp.theory.extended import Value, compare, plus, times
from lapdp.theory.interpret import NONE, Graded, Interpreter
from lapdp.theory.rewriting import outcomes_of, plain
from lapdp.theory.wild import Wild


class Free(Interpreter):
    """Concrete objects: linearity is not asked for."""

    def multiply_grades(self, a: Any, b: Any) -> Any:
        return frozenset()

    def lift(self, g: Any, grade: Any) -> Any:
        return g.x

    def value(self, e: Any) -> Graded:
        if isinstance(e, pn.RenyiDivergence):
            end = self.infinite_renyi(e)
            return super().value(e) if end is None else Graded(NONE, end)
        if isinstance(e, pn.LossDensity):
            return Graded(NONE, self._density(e))
        if isinstance(e, AppliedUndef):
            return Graded(NONE, self._at(e))
        if isinstance(e, pn.SupOverOutcomes):
            return Graded(NONE, self._supremum(e))
        if isinstance(e, cn.Bromwich):
            self._refuse_wild(e)
        return super().value(e)

    # -- values in [-oo, oo] --------------------------------------------------------------------

    def infinite_renyi(self, e: Any) -> Infinite | None:
        """R_q = log(E_q)/(q - 1) where E_q is 0 or +oo at a real order; None where R_q is finite,
        or has no value."""
        q = e.args[0]
        gap = self.scalar(q - 1)
        if not gap.is_real() or not self.cell.nonzero(gap):
            return None
        moment = self.value(pn.Moment(*e.args)).x
        if isinstance(moment, Infinite):
            return Infinite(self.cell.sign_of(gap))
        return None if self.cell.nonzero(moment) else Infinite(-self.cell.sign_of(gap))

    def _sum(self, parts: list[Graded], e: Any) -> Graded:
        return Graded(NONE, plus([p.x for p in parts]))

    def _product(self, parts: list[Graded]) -> Graded:
        total: Value = Scalar.of(1)
        for p in parts:
            total = times(self, total, p.x)
        return Graded(NONE, total)

    def _power(self, e: Any) -> Graded:
        if e.exp.is_Integer and e.exp > 0:
            x = self.value(e.base).x
            if isinstance(x, Infinite):
                return Graded(NONE, Infinite(x.sign**int(e.exp)))
        return super()._power(e)

    def _logarithm(self, arg: Any) -> Graded:
        """log oo = oo, and log 0 = -oo for a notion that vanishes; of numbers 0 has none."""
        x = self.value(arg).x
        if isinstance(x, Infinite):
            if x.sign < 0:
                raise Undefined("the logarithm of -oo")
            return Graded(NONE, x)
        if arg.has(cn.Node) and not self.cell.nonzero(x):
            return Graded(NONE, Infinite(-1))
        return super()._logarithm(arg)

    def _plain_exponential(self, exponent: Any) -> Graded:
        """e^oo = oo and e^-oo = 0."""
        if exponent.has(cn.Node):
            x = self.value(exponent).x
            if isinstance(x, Infinite):
                return self._exponential_of(x.sign)
        return super()._plain_exponential(exponent)

    def _power_of_moment(self, node: Any, linear: Any) -> Graded:
        end = self.infinite_renyi(node)
        if end is None:
            return super()._power_of_moment(node, linear)
        sign = self.cell.sign_of(self.scalar(linear)) * end.sign
        if sign == 0:
            raise Undefined("0 times oo")
        return self._exponential_of(sign)

    def _exponential_of(self, sign: int) -> Graded:
        return Graded(NONE, INFINITE if sign > 0 else Scalar.of(0))

    def _refuse_wild(self, e: Any) -> None:
        """The inversion integral of the plain transform of a wild function has no value there."""
        body, s, at, line = e.args
        if not isinstance(body, (cn.Bilateral, cn.OneSided)) or body.args[2] != s:
            return
        g = body.args[0]
        f = self.functions.get(type(g).__name__) if g.args == (body.args[1],) else None
        if isinstance(f, Wild) and (isinstance(body, cn.Bilateral)
                                    or self.cell.sign(f.point - Form.of(1)) >= 0):
            f.invert(self.form(line), self.form(at), self.cell)

    def _at(self, e: Any) -> Scalar:
        """The value of a function where it is continuous: elsewhere it may be any number."""
        t = sp.Dummy("t", real=True)
        f, point = self.function(e.func(t), t).x, self.form(e.args[0])
        if isinstance(f, Wild) and self.cell.sign(f.point - point) == 0:
            raise Unsupported("the value of a function at an oscillation")
        value: Scalar = f.limit(point, 1, self.cell)
        if any(self.cell.sign(c - point) == 0 for c in f.impulses):
            raise Unsupported(f"{e}: the value of an impulse")
        if not (value - f.limit(point, -1, self.cell)).is_zero():
            raise Unsupported("the value of a function at a jump")
        return value

    def _density(self, e: Any) -> Scalar:
        """The density of a loss where it has neither impulse nor jump."""
        loss, at = e.args
        f: Exact = self.model_of(loss).x.loss
        point = self.form(at)
        value = f.limit(point, 1, self.cell)
        if any(self.cell.sign(c - point) == 0 for c in f.impulses) or not (
                value - f.limit(point, -1, self.cell)).is_zero():
            raise Unsupported("the value of a density at an impulse or a jump")
        return value

    # -- families and quantifiers ---------------------------------------------------------------

    families: Any = None
    """For each family, its model at each outcome."""

    def outcomes(self, letters: set[Any]) -> Iterator[None]:
        """Go through all outcomes that the letters may be: families have their models meanwhile."""
        chosen = sorted(letters, key=str)
        groups = [[f for f in self.families or {} if f.role.outcome == x] for x in chosen]
        if not all(groups):
            raise Unsupported("an outcome without a family")
        sizes = [{len(self.families[f]) for f in group} for group in groups]
        if any(len(found) > 1 for found in sizes):
            raise Unsupported("families over different spaces share an outcome")
        before = self.models
        try:
            for places in product(*(range(next(iter(found))) for found in sizes)):
                self.models = {**before, **{
                    f: self.families[f][k] for group, k in zip(groups, places, strict=True)
                    for f in group}}
                yield
        finally:
            self.models = before

    def _supremum(self, e: Any) -> Any:
        """The largest value over the outcomes."""
        body, x = e.args
        best: Any = None
        for _ in self.outcomes({x}):
            value = self.value(body).x
            if best is None or compare(self, value, best) > 0:
                best = value
        return best

    def everywhere(self, form: Any) -> bool:
        """Does a universal form hold, for all outcomes and all real values of one variable?"""
        form = plain(form)
        letters = {x for x in form.over if isinstance(x, pn.Outcome)}
        variables = [x for x in form.over if x not in letters]
        used = {x for e in lang.expressions(form) for x in outcomes_of(e)}
        if not isinstance(form.claim, Relational) or used - letters:
            raise Unsupported("a hypothesis for all values that is no relation")
        return all(self._for_all_reals(form, variables) for _ in self.outcomes(letters & used))

    def _for_all_reals(self, form: Any, variables: list[Any]) -> bool:
        relation = form.claim
        if not variables:
            if form.where:
                raise Unsupported("a condition without a variable")
            return self._holds(relation, self._number(relation.lhs) - self._number(relation.rhs))
        if len(variables) > 1 or not variables[0].is_real or variables[0].is_integer:
            raise Unsupported("a hypothesis for all values of several variables")
        t = variables[0]
        run = run_of(t, form.where, self.form, self.cell.sign)
        if run.empty:
            return True
        f: Exact = (self.function(relation.lhs, t).x - self.function(relation.rhs, t).x).merged(
            self.cell)
        if isinstance(relation, sp.Eq):
            same: bool = f.equals(Exact(), self.cell)
            if (run.start, run.stop) != (None, None) and not same:
                raise Unsupported("an equation on a part of the line")
            return same and self._holds_at_jumps(relation, t, run)
        if f.impulses or isinstance(relation, (sp.Lt, sp.Gt, sp.Ne)):
            raise Unsupported("a hypothesis for all values that is no weak inequality")
        return all(self._holds(relation, x) for x in self._extremes(f, run)) and (
            self._holds_at_jumps(relation, t, run))

    def _holds_at_jumps(self, relation: Any, t: Any, run: Run) -> bool:
        """Does a relation hold at single points whose values the pieces of its sides forget?"""
        if relation.has(pn.LossDensity, sp.DiracDelta, cn.GeneralizedDerivative):
            return True  # of measures, not of points
        return all(self._holds(relation, self._number(relation.lhs.xreplace({t: p.to_sympy()}))
                               - self._number(relation.rhs.xreplace({t: p.to_sympy()})))
                   for p in self._jumps(relation, t) if run.contains(p))

    def _jumps(self, relation: Any, t: Any) -> list[Form]:
        """Where a side of a relation may have a value that is no limit of others."""
        found: list[Form] = []
        for e in sp.preorder_traversal(relation):
            if t not in getattr(e, "free_symbols", ()):
                continue
            if isinstance(e, (pn.LossCDF, pn.Probability)):
                at = e.args[1] if isinstance(e, pn.LossCDF) else e.args[2]
                found += self.function(pn.LossCDF(e.args[0], at, sp.S.Zero), t).x.breakpoints(
                    self.cell)
            elif isinstance(e, Relational) and e is not relation:
                gap = sp.expand(e.lhs - e.rhs)
                slope = gap.coeff(t, 1)
                if t in slope.free_symbols or t in (gap - slope * t).free_symbols:
                    raise Unsupported("a condition that is not linear in a bound variable")
                found.append(self.form((slope * t - gap) / slope))
            elif isinstance(e, (pn.Measure, pn.Expectation, pn.IntegralOverSpace)):
                raise Unsupported("a hypothesis for all values about events that depend on them")
            elif isinstance(e, sp.Heaviside):
                raise Unsupported("a step in a hypothesis for all values")
        return found

    def _number(self, e: Any) -> Scalar:
        found = self.value(e).x
        if isinstance(found, Infinite):
            raise Unsupported("an infinite value in a hypothesis")
        value: Scalar = found
        return value

    def _holds(self, relation: Any, gap: Scalar) -> bool:
        sign = self.cell.sign_of(gap)
        return {sp.Eq: sign == 0, sp.Ne: sign != 0, sp.Gt: sign > 0, sp.Ge: sign >= 0,
                sp.Lt: sign < 0, sp.Le: sign <= 0}[relation.func]

    def _extremes(self, f: Exact, run: Run) -> Iterator[Scalar]:
        """Values whose signs decide the sign of f where its variable runs: limits at the ends of
        pieces.

        On a piece f is c1 e^(a1 t) + c2 e^(a2 t), or (c1 + c2 t) e^(a t): an exponential times a
        monotone function.
        """
        cell, start, stop = self.cell, run.start, run.stop
        points = [p for p in f.breakpoints(cell) if run.inside(p)]
        for p in points:
            left, right = f.limit(p, -1, cell), f.limit(p, 1, cell)
            if not (left - right).is_zero():
                raise Unsupported("a hypothesis for all values of a function with jumps")
            yield right
        if start is not None:
            yield f.limit(start, 1, cell)
        if stop is not None:
            yield f.limit(stop, -1, cell)
        for p in points if start is None else (start, *points):
            self._terms(f.piece([c for c in f.jumps if cell.sign(c - p) <= 0]))
        if start is None:
            yield from self._ends(f.germ, (-1,))
        if stop is None:
            yield from self._ends(f.tail(), (1,))

    def _terms(self, piece: Any) -> list[tuple[Any, int, Scalar]]:
        terms = [(a, n, c) for (a, n), c in piece.items() if self.cell.nonzero(c)]
        powers = {n for _, n, _ in terms}
        linear = powers <= {0, 1} and all(self.cell.sign(a - terms[0][0]) == 0 for a, _, _ in terms)
        if any(a != a.real_part() for a, _, _ in terms) or not (
                linear or (powers == {0} and len(terms) <= 2)):
            raise Unsupported("a hypothesis for all values beyond two exponentials")
        return terms

    def _ends(self, piece: Any, sides: tuple[int, ...]) -> Iterator[Scalar]:
        """The coefficients that decide at the ends of the line; 0 for the zero function."""
        terms = self._terms(piece)
        for side in sides:
            if not terms:
                yield Scalar.of(0)
                continue
            best = terms[0]
            for other in terms[1:]:
                if (self.cell.sign(other[0] - best[0]) * side or other[1] - best[1]) > 0:
                    best = other
            yield Scalar.of(side ** best[1]) * best[2]
