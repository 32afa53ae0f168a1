"""Search for the smallest exact counterexample: finite pairs, the exact class, small functions.

An instance counts only when the hypotheses hold and the two sides differ, or have no value.
"""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as cn
from lapdp.calculus.enclose import differs_from_zero, enclose, told_apart
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.transform import region
from lapdp.core.errors import IllFormed, InputError, Undefined, Unsupported
from lapdp.core.precision import workdps
from lapdp.core.verdict import Witness
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite, Model
from lapdp.theory import language as lang
from lapdp.theory.all_orders import Bound, Divergences, bound_of, order_of
from lapdp.theory.events import with_events_for_tests
from lapdp.theory.extended import compare, holds
from lapdp.theory.feasible import infeasible
from lapdp.theory.free import Free
from lapdp.theory.heavy import HeavyTail
from lapdp.theory.instances import Instance, candidates
from lapdp.theory.levels import holds_everywhere
from lapdp.theory.methods.generalised import line_variable
from lapdp.theory.methods.having_values import FINITE, doubtful
from lapdp.theory.methods.implications import for_all_events, free_symbols
from lapdp.theory.methods.numbers import failing
from lapdp.theory.methods.shapes import at_two_points
from lapdp.theory.points import points_of
from lapdp.theory.pointwise_claims import is_pointwise, sides_at
from lapdp.theory.rewriting import map_form, outcomes_of, outermost, plain
from lapdp.theory.several import Rows
from lapdp.theory.substitution import put_in
from lapdp.theory.suprema import larger_supremum
from lapdp.theory.wild import Wild

MOST_OUTCOMES = 8
"""Outcomes, for each event that exists, of the spaces whose events are all tried."""
LONGEST = 400
"""Characters of an exact value that a witness shows."""


def search(statement: Any, functions: list[str], seconds: float = 8.0, limit: int = 6000,
           text: str = "") -> tuple[Witness | None, int]:
    """The first instance that contradicts the statement, and how many were looked at.

    The limit is in seconds of this process, so that a busy machine finds what an idle one does.
    With a ``text`` only instances that are written so are looked at.  Tests are tried as events,
    the shape of a function at two points.
    """
    statement = with_events_for_tests(at_two_points(statement))
    deadline = time.process_time() + seconds
    looked = 0
    for place, instance in enumerate(candidates(statement, functions, text)):
        if place >= limit or time.process_time() > deadline:
            break
        if text and instance.text() != text:
            continue
        looked += 1
        try:
            found = contradiction(statement, instance)
        except (Unsupported, NeedSplit, InputError, IllFormed):
            continue
        except Undefined:
            continue
        if found is not None:
            return found, looked
    return None, looked


def contradiction(statement: Any, instance: Instance) -> Witness | None:
    """A witness if the instance satisfies the hypotheses and not the claim.

    Raises Unsupported where the instance cannot be decided exactly.
    """
    trial = Trial(instance, line_variable(statement))
    for form in statement.where:
        if not trial.holds(form):
            return None
    return trial.against(statement.claim)


def _require_quotient(e: Any, node: Any, here: Any) -> None:
    """An infinite value that vanishes with what is put in was multiplied by 0, or subtracted from
    itself: there is no value, unless something is divided by it, which is left open."""
    e = sp.sympify(e)
    if any(x.is_Pow and x.exp.could_extract_minus_sign() and x.base.has(node)
           for x in sp.preorder_traversal(e)):
        raise Unsupported(f"{here} is infinite, and divides")
    raise Undefined(f"0 times oo, or oo - oo: {here} is infinite")


def _require_order(*sides: Scalar) -> None:
    """Numbers that are not real have no order, though their difference may be real."""
    with workdps(30):
        if any(not x.is_real() and not enclose(x, {}).imag.contains(0) for x in sides):
            raise Undefined("an order of numbers that are not real")


class Trial:
    """One exact instance: every question about it has a definite answer or is unsupported."""

    def __init__(self, instance: Instance, line: Any = None) -> None:
        self.instance, self.line = instance, line
        self.cell = Cell()
        models = {a: (m.model() if not isinstance(m, (Model, Rows)) and not hasattr(
            m, "profile_expression") else m) for a, (_, m) in instance.pairs.items()}
        functions = {n: f for n, (_, f) in instance.functions.items()}
        # grades of functions only matter for linearity; concrete objects may be used freely
        self.interpreter = Free(self.cell, models, frozenset(), functions,
                                events=instance.events,
                                continuous=frozenset(functions))
        self.interpreter.families = {
            a: [m for _, m in found] for a, found in instance.families.items()}

    def fill(self, e: Any) -> Any:
        """Parameters replaced by their values."""
        return put_in(e, self.instance.values)

    def value(self, e: Any) -> Scalar | Infinite:
        """Value of an expression at the instance; Undefined if a part of it has none."""
        filled = self.fill(e)
        for node in outermost(sp.sympify(e)):
            # SymPy makes 0 of 0*R_1: what disappears must have a value all the same
            here = self.fill(node)
            if isinstance(node, cn.GeneralizedDerivative):
                self._value_of_derivative(here)
            if not filled.has(here) and isinstance(self.interpreter.value(here).x, Infinite):
                _require_quotient(e, node, here)
        found: Scalar | Infinite = self.interpreter.value(filled).x
        return found

    def _value_of_derivative(self, e: Any) -> None:
        """Two generalised derivatives are equal, or in order, if they are so almost everywhere:
        the points where one has no value tell nothing."""
        try:
            self.interpreter.value(e)
        except Undefined as problem:
            raise Unsupported(str(problem)) from None

    def finite(self, e: Any) -> Scalar | Infinite:
        """A value of which only is asked whether it is finite: e^((q - 1) R_q) in place of R_q."""
        if not isinstance(e, pn.RenyiDivergence):
            return self.value(e)
        return self.interpreter.infinite_renyi(self.fill(e)) or self.value(
            sp.exp((e.args[0] - 1) * e))

    def holds(self, form: Any) -> bool:
        """Is a hypothesis true at the instance?"""
        if isinstance(form, (lang.Converges, lang.Diverges)):
            return self.converges(form.node) == isinstance(form, lang.Converges)
        if self._known_of_heavy_tail(form):
            return True
        if isinstance(form, lang.Defined):
            try:
                return not isinstance(self.finite(form.expr), Infinite)
            except Undefined:
                return False
        if isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)):
            model = self.model(form.P, form.Q)
            forward = not self.cell.nonzero(model.p_infinite)
            if isinstance(form, lang.AbsolutelyContinuous):
                return forward
            return forward or not self.cell.nonzero(model.q_infinite)
        if isinstance(form, lang.NoAtom):
            mass = self.value(pn.Probability(form.Z, sp.Symbol("=="), form.x))
            return isinstance(mass, Scalar) and not self.cell.nonzero(mass)
        if isinstance(form, sp.core.relational.Relational):
            return self.relation(form)
        if isinstance(form, lang.ForAll):
            form = plain(form)
            bound = bound_of(form)
            if bound is not None:
                return self.at_all_orders(bound)
            return self.everywhere(form.claim, form.over, form.where)
        if isinstance(form, lang.AllOf):
            return all(self.holds(part) for part in form.claims)
        if isinstance(form, lang.ExistsEvents):
            return self.some_events(form)
        if isinstance(form, lang.Continuous):
            if isinstance(form.expr, cn.Primitive) and self._wild(form.expr.args[0], form.t):
                return True
            wild = self._wild(form.expr, form.t)
            if wild is not None:
                return wild.continuous
            g = self.interpreter.function(self.fill(form.expr), form.t)
            f: Exact = g.x.merged(self.cell)
            return not f.impulses and all(
                (f.limit(c, 1, self.cell) - f.limit(c, -1, self.cell)).is_zero() for c in f.jumps)
        raise Unsupported(f"{type(form).__name__} at an instance")

    def model(self, first: Any, second: Any) -> Any:
        """The model of two distributions, or of mixtures of them."""
        return self.interpreter.model(self.fill(first), self.fill(second)).x

    def at_all_orders(self, bound: Bound) -> bool:
        """Does a bound of the Renyi divergence hold at every order beyond a number?"""
        constant, slope = self.value(bound.constant), self.value(bound.slope)
        if isinstance(constant, Infinite) or isinstance(slope, Infinite):
            raise Unsupported("an infinite bound for all orders")
        return Divergences(self.model(bound.first, bound.second)).below(
            order_of(self.value(bound.least)), constant, slope)

    def _known_of_heavy_tail(self, form: Any) -> bool:
        """Of the pair with a heavy tail: it is absolutely continuous both ways, E[Z] is finite."""
        if isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)):
            members, turned = (form.P, form.Q), False
        elif isinstance(form, lang.Defined) and isinstance(form.expr, pn.Expectation) and (
                form.expr.args[0] == form.expr.args[1]):
            members, turned = form.expr.args[1].args, True
        else:
            return False
        if any(not isinstance(d, pn.Distribution) or len(d.pair.names) != 2 for d in members):
            return False  # a mixture, or two of several distributions
        identity, reverse = pn.oriented(*members)
        heavy = isinstance(self.interpreter.models.get(identity), HeavyTail)
        return heavy and not (turned and reverse)

    def relation(self, form: Any) -> bool:
        """A relation at the instance, both sides defined."""
        lhs, rhs = self.value(form.lhs), self.value(form.rhs)
        if isinstance(lhs, Infinite) or isinstance(rhs, Infinite):
            return holds(form, compare(self.interpreter, lhs, rhs))
        if not isinstance(form, (sp.Eq, sp.Ne)):
            # log x <= log y says nothing at -2 and -1, where the difference is real
            _require_order(lhs, rhs)
        apart = told_apart(lhs, rhs)
        if apart:
            return form.func in {1: (sp.Gt, sp.Ge, sp.Ne), -1: (sp.Lt, sp.Le, sp.Ne)}[apart]
        gap = lhs - rhs
        if isinstance(form, (sp.Eq, sp.Ne)):
            if not gap.is_zero() and not differs_from_zero(gap):
                raise Unsupported("a formal difference that balls do not separate from 0")
            return gap.is_zero() == isinstance(form, sp.Eq)
        sign = self.cell.sign_of(gap)
        return {sp.Gt: sign > 0, sp.Ge: sign >= 0, sp.Lt: sign < 0, sp.Le: sign <= 0}[form.func]

    def everywhere(self, form: Any, over: tuple[Any, ...], where: tuple[Any, ...] = ()) -> bool:
        """Does a form hold for all outcomes and all real values of its one bound variable?"""
        if not over and not where:
            return self.holds(form)
        if all(isinstance(s, pn.Event) for s in over):
            return self.holds(for_all_events(form, over))
        # a parameter of the same name stands elsewhere: the bound variable is its own
        rename = {s: sp.Dummy(s.name, **s.assumptions0) for s in over
                  if not isinstance(s, pn.Outcome)}

        def change(e: Any) -> Any:
            e = sp.sympify(e).xreplace(rename)
            filled = self.fill(e)
            for part in doubtful(e):
                # SymPy makes 0 of 0/t: what disappears may have no value at some t
                here = self.fill(part)
                if here.free_symbols and not filled.has(here):
                    raise Unsupported(f"{here} may have no value, and vanishes at the instance")
            for node in outermost(e):
                here = self.fill(node)
                if filled.has(here) or isinstance(here, FINITE):
                    continue
                if here.free_symbols & set(rename.values()) or outcomes_of(here):
                    raise Unsupported(f"{here} may be infinite, and vanishes at the instance")
                if isinstance(self.interpreter.value(here).x, Infinite):
                    _require_quotient(e, node, here)
            return filled
        return self.interpreter.everywhere(lang.ForAll(
            tuple(rename.get(s, s) for s in over), map_form(form, change),
            tuple(map_form(h, change) for h in where)))

    def some_events(self, form: Any) -> bool:
        """Are there events with all claims?  All sets of outcomes of the one space are tried."""
        spaces = {id(p): p for p in lang.pairs_of(form)}
        if len(spaces) != 1:
            raise Unsupported("events of one space are needed")
        (identity,) = spaces.values()
        if any(a.mechanism is not None or a.role is not None for a in identity.atoms()):
            # the model of a mechanism may hold several outcomes in one
            raise Unsupported("all events of the space of a mechanism")
        count = len(points_of(self.interpreter, identity))
        if count * len(form.made) > MOST_OUTCOMES:
            raise Unsupported("events of a large space")
        subsets = [frozenset(k for k in range(count) if n >> k & 1) for n in range(2**count)]
        before = self.interpreter.events
        try:
            for chosen in product(subsets, repeat=len(form.made)):
                self.interpreter.events = {**before,
                                           **dict(zip(form.made, chosen, strict=True))}
                if all(self.holds(part) for part in form.claims):
                    return True
            return False
        finally:
            self.interpreter.events = before

    def at_all_levels(self, claim: Any) -> bool:
        """Does the hypothesis of an implication hold at every level in [0, 1]?"""
        if (claim.lower, claim.upper) != (0, 1):
            raise Unsupported("a hypothesis at other reals than the levels in [0, 1]")
        t = sp.Dummy(str(claim.t), real=True)
        sides = (self.fill(sp.sympify(x).xreplace({claim.t: t}))
                 for x in (claim.hypothesis.lhs, claim.hypothesis.rhs))
        return holds_everywhere(self.interpreter, claim.hypothesis.func(
            *sides, evaluate=False), t)

    def converges(self, node: Any) -> bool:
        """Does a transform converge absolutely at the instance?"""
        node = self.fill(node)
        wild = self._wild(node.args[0], node.args[1])
        if wild is not None:
            s = self.interpreter.form(node.args[2])
            if region(wild.bound, self.cell).contains(s, self.cell):
                return True
            raise Unsupported("convergence beyond the comparison")
        g = self.interpreter.function(node.args[0], node.args[1])
        f: Exact = g.x.after(Form({}), self.cell) if isinstance(node, cn.OneSided) else g.x
        inside = region(f.merged(self.cell), self.cell)
        return inside.contains(self.interpreter.form(node.args[2]), self.cell)

    def _wild(self, e: Any, t: Any) -> Wild | None:
        """The oscillating function that an expression g(t) is, if it is one."""
        if isinstance(e, AppliedUndef) and e.args == (t,):
            found = self.instance.functions[type(e).__name__][1]
            return found if isinstance(found, Wild) else None
        return None

    def against(self, claim: Any) -> Witness | None:
        """A witness if the claim fails at the instance, at some outcome of its families."""
        letters = {x for e in lang.expressions(claim) for x in outcomes_of(e)}
        for _ in self.interpreter.outcomes(letters - lang.bound_symbols(claim)):
            found = self._against(claim)
            if found is not None:
                return found
        return None

    def _against(self, claim: Any) -> Witness | None:
        if isinstance(claim, sp.core.relational.Relational):
            return self._against_relation(claim)
        if isinstance(claim, lang.Implies):
            return self._against(claim.conclusion) if self.everywhere(
                claim.hypothesis, claim.over) else None
        if isinstance(claim, lang.Iff):
            return self._against_equivalence(claim)
        if isinstance(claim, lang.ExistsDistributions):
            return self._against_mixture(claim)
        if isinstance(claim, lang.AllOf):
            return next(filter(None, map(self._against, claim.claims)), None)
        if isinstance(claim, lang.ImpliesOn):
            return self.against(claim.conclusion) if self.at_all_levels(claim) else None
        if isinstance(claim, lang.Exists) and isinstance(claim.claim, lang.Converges):
            node = self.fill(claim.claim.node)
            g = self.interpreter.function(node.args[0], node.args[1])
            half = isinstance(node, cn.OneSided)
            f: Exact = g.x.after(Form({}), self.cell) if half else g.x
            found = region(f.merged(self.cell), self.cell)
            if found.empty:
                return self._witness("converges for no s", "some s is claimed",
                                     "the region of convergence is empty")
            return None
        if isinstance(claim, lang.Defined):
            try:
                value = self.finite(claim.expr)
            except Undefined as problem:
                return self._witness(f"undefined: {problem}", "a value is claimed", str(problem))
            if isinstance(value, Infinite):
                return self._witness(str(value), "a finite value is claimed",
                                     "the value is infinite")
            return None
        if self.holds(claim):
            return None
        what = type(claim).__name__
        return self._witness(f"not {what}", what, "checked exactly at the instance")

    def _against_equivalence(self, claim: Any) -> Witness | None:
        first, second = (
            self.everywhere(side, tuple(s for s in claim.over if s in free_symbols(side)))
            for side in (claim.first, claim.second))
        if first == second:
            return None
        return self._witness(str(first).lower(), str(second).lower(),
                             "one side of the equivalence holds, the other does not")

    def _against_mixture(self, claim: Any) -> Witness | None:
        """A pair whose profile rises above that of the weights is no mixture with them."""
        from lapdp.theory.methods.mixtures import below, finite_pair

        try:
            P, Q, weights = finite_pair(claim)
        except Unsupported:
            shown = infeasible(self, claim)
            return self._witness("no such distributions", "some are claimed", shown) if (
                shown) else None
        for k in (0, 1):
            vector = [self.value(w[k]) for w in weights]
            if any(isinstance(w, Infinite) or self.cell.sign_of(w) < 0 for w in vector):
                raise Unsupported("weights of a mixture that are negative")
        t = sp.Dummy("t", real=True)
        if self.everywhere(below(P, Q, weights, t), (t,)):
            return None
        return self._witness("no such distributions", "some are claimed",
                             "the profile of the pair is not below that of the weights everywhere")

    def _against_relation(self, claim: Any) -> Witness | None:
        if self.line is not None:
            return self._against_measures(claim, self.line)
        if is_pointwise(claim):
            return self._against_outcomes(claim)
        said: list[str] = []
        values: list[Any] = []
        open_side: Unsupported | None = None
        for side in (claim.lhs, claim.rhs):
            said.append("")
            try:
                values.append(self.value(side))
            except Undefined as problem:
                said[-1] = f"undefined: {problem}"
                values.append(None)
            except Unsupported as problem:
                open_side = problem
                finite = self._known_of_heavy_tail(lang.Defined(side))
                values.append(Scalar.of(0) if finite else None)
                said[-1] = "finite" if finite else "not evaluated"

        def against(why: str) -> Witness:
            # most instances refute nothing, and a value takes long to write
            lhs, rhs = (text or self.show(v) for text, v in zip(said, values, strict=True))
            return self._witness(lhs, rhs, why)

        if any(text.startswith("undefined") for text in said):
            return against("a side of the claim has no value")
        if open_side is not None and None not in values and any(
                isinstance(v, Infinite) for v in values):
            # any finite number has the same order to an infinite one
            return None if holds(claim, compare(self.interpreter, *values)) else against(
                "the relation fails")
        if open_side is not None:
            larger = larger_supremum(self, claim)
            return self._witness(*larger) if larger else self._against_by_balls(claim)
        if self.relation(claim):
            return None
        return against("the two sides differ exactly" if isinstance(claim, sp.Eq)
                       else "the relation fails")

    def _against_by_balls(self, claim: Any) -> Witness | None:
        """A witness if balls at the instance show that an inequality fails."""
        filled = claim.func(self.fill(claim.lhs), self.fill(claim.rhs), evaluate=False)
        sides = failing(filled, lambda first, second: self.interpreter.model(first, second).x,
                        lambda e: self.interpreter.value(e).x,
                        lambda identity: self.instance.pairs.get(identity, (None, None))[1])
        if sides is None:
            return None
        return self._witness(*sides, "the relation fails, by balls")

    def _against_measures(self, claim: Any, t: Any) -> Witness | None:
        """A witness if two generalised functions of ``t`` differ."""
        values = {s: v for s, v in self.instance.values.items() if s != t}
        sides = [self.interpreter.function(sp.sympify(e).subs(values, simultaneous=True), t).x
                 for e in (claim.lhs, claim.rhs)]
        gap = (sides[0] - sides[1]).merged(self.cell)
        parts = [gap.germ, *gap.jumps.values(), *gap.impulses.values()]
        if not any(differs_from_zero(c) for terms in parts for c in terms.values()):
            if gap.is_zero():
                return None
            raise Unsupported("a formal difference that balls do not separate from 0")
        return self._witness(str(sides[0]), str(sides[1]), "the generalised functions differ")

    def _against_outcomes(self, claim: Any) -> Witness | None:
        """A witness if the claim fails, or has no value, at an outcome."""
        # parameters get their values in the cell: SymPy would cancel 0/0
        cell = Cell([(Form.of(s) - Form.of(v), "=") for s, v in self.instance.values.items()])
        there = Free(cell, self.interpreter.models, frozenset())
        for point, sides, problem in sides_at(there, claim):
            shown = ["undefined" if v is None else str(v) if isinstance(v, Infinite)
                     else self.show(v) for v in sides]
            x, y = sides
            if x is None or y is None:
                return self._witness(shown[0], shown[1], f"outcome {point.place + 1}: {problem}")
            if not holds(claim, compare(there, x, y)):
                return self._witness(
                    shown[0], shown[1], f"the relation fails at outcome {point.place + 1}")
        return None

    def _witness(self, lhs: str, rhs: str, why: str) -> Witness:
        values = {str(k): str(v) for k, v in self.instance.values.items()}
        return Witness(self.instance.text(), values, lhs, rhs, why)

    def show(self, x: Scalar | Infinite) -> str:
        """Exact value and digits."""
        if isinstance(x, Infinite):
            return str(x)
        text = str(x)
        with workdps(30):
            try:
                ball = enclose(x, {})
            except Unsupported:
                return text
            digits = ball.real.str(12, radius=False) if ball.imag == 0 else ball.str(
                12, radius=False)
        if len(text) > LONGEST:
            return f"{digits} (exactly a quotient of {len(text)} characters)"
        return text if len(text) < 14 and "exp" not in text else f"{text} = {digits}"
