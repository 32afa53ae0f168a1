"""Claims about every pair, decided on point-mass kernels.

An identity between functionals linear in each pair holds for all normalised pairs as soon as its
defect on kernels is c (P-mass - Q-mass) with one c for the whole claim; an inequality, as soon as
its difference is non-negative on kernels.  Arbitrary functions g are mixtures of impulses, or of
steps where one-sided limits and derivatives occur.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit, explore
from lapdp.calculus.transform import region
from lapdp.core import facts as known
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite
from lapdp.theory import language as lang
from lapdp.theory.exchange import dominated, nonnegative
from lapdp.theory.interpret import Exchange, Graded, Interpreter
from lapdp.theory.methods.combinations import (
    Choice,
    KernelRun,
    describe_choice,
    leaves,
)
from lapdp.theory.methods.exclusions import Exclusions
from lapdp.theory.methods.generalised import bare, density_variable, of_two_densities
from lapdp.theory.methods.outcomes import RELATIONS, at_every_outcome
from lapdp.theory.obligations import (
    ConvergesHere,
    DivergesHere,
    Fails,
    HasSign,
    InfiniteBothSides,
    NoMass,
    Vanishes,
)
from lapdp.theory.pointwise_claims import is_pointwise

INTEGRALS = (cn.Primitive, cn.Convolution, cn.OneSided, cn.Bilateral, cn.IntegralOnLine,
             cn.Bromwich, cn.SymmetricIntegral, cn.Limit, pn.Expectation, pn.Moment,
             pn.IntegralOverSpace)


class KernelMethod(Exclusions):
    """Runs one statement over all combinations of kernels."""

    def leaf(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        """Obligations of one case."""
        excluded = self.excluded(cell, choice)
        if excluded is None and (self.hypotheses.converge or self.hypotheses.defined
                                 or self._nothing()):
            excluded = self.lonely(cell, choice)
        if excluded is not None:
            return excluded
        if self.steps and self.functions:
            represented = self._represented(cell, choice)
            if represented is not None:
                return represented
        claim = self.statement.claim
        if isinstance(claim, (lang.Converges, lang.Diverges)):
            return self._convergence(cell, choice, claim)
        if isinstance(claim, lang.Defined):
            return self._definedness(cell, choice, claim)
        if isinstance(claim, lang.Continuous):
            return self._continuity(cell, choice, claim)
        if is_pointwise(claim):
            if self.couples:
                raise Unsupported("a claim about every outcome is decided on single kernels")
            return at_every_outcome(self.interpreter(cell, choice), self.base, claim,
                                    describe_choice(choice))
        if isinstance(claim, sp.Eq):
            return self._equality(cell, choice, claim)
        if type(claim) in RELATIONS:
            return self._inequality(cell, choice, claim)
        if isinstance(claim, sp.Ne):
            return self._difference(cell, choice, claim)
        raise Unsupported(f"kernels do not decide a claim of the form {type(claim).__name__}")

    def _two_sides(self, cell: Cell, choice: Choice, claim: Any
                   ) -> tuple[Interpreter, list[Any], str]:
        i = self.interpreter(cell, choice)
        values: list[Any] = []
        problems: list[str] = []
        for side in (claim.lhs, claim.rhs):
            try:
                values.append(self._side(i, side))
                problems.append("")
            except Undefined as problem:
                values.append(None)
                problems.append(str(problem))
        text = "; ".join(f"{name} undefined: {p}" for name, p in zip(
            ("left side", "right side"), problems, strict=True) if p)
        return i, values, text

    def _side(self, i: Interpreter, side: Any) -> Graded:
        free = [s for s in self.statement.parameters if s in side.free_symbols]
        density = [t for t in free if bare(side, t, (pn.LossDensity,))]
        if density:
            raise Unsupported("a density at a point")
        return i.value(side)

    def _equality(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        what = describe_choice(choice)
        t = density_variable(self.statement)
        if t is not None:
            return self._measure_equality(cell, choice, claim, t)
        i, values, problem = self._two_sides(cell, choice, claim)
        if problem:
            return (Fails(problem),)
        infinite = [isinstance(v.x, Infinite) for v in values]
        if all(infinite):
            self.earn(i, cell, choice, [claim.lhs, claim.rhs])
            return (InfiniteBothSides(self.base, lambda c: all(
                self._infinite(c, choice, side) for side in (claim.lhs, claim.rhs)), what),)
        if any(infinite):
            return (Fails("one side is +oo, the other finite", None, 0),)
        defect = self._defect(i, values)
        if cell.vanishes(defect):
            self.earn(i, cell, choice, [claim.lhs, claim.rhs])
            return (Vanishes(self.base, defect, what),)
        return (Fails("the two sides differ", defect, _sign_or_zero(cell, defect)),)

    def _defect(self, i: Interpreter, values: list[Graded]) -> Scalar:
        grade = values[0].grade | values[1].grade
        defect: Scalar = i.lift(values[0], grade) - i.lift(values[1], grade)
        defect = defect.substitute(i.cell.values)
        return defect

    def _measure_equality(self, cell: Cell, choice: Choice, claim: Any, t: Any
                          ) -> tuple[Any, ...]:
        """Equality of generalised densities in ``t``: as measures."""
        if any(not of_two_densities(x, t) for side in (claim.lhs, claim.rhs)
               for x in side.atoms(*INTEGRALS)):
            raise Unsupported("integrals inside an equality of measures")
        i = self.interpreter(cell, choice)
        sides = [i.function(side, t) for side in (claim.lhs, claim.rhs)]
        grade = sides[0].grade | sides[1].grade
        difference: Exact = (i.lift(sides[0], grade) - i.lift(sides[1], grade)).merged(cell)
        what = describe_choice(choice) + ", as measures"
        defects = [*difference.germ.values(),
                   *(c for terms in difference.jumps.values() for c in terms.values()),
                   *(c for terms in difference.impulses.values() for c in terms.values())]
        nonzero = [d for d in defects if not cell.vanishes(d)]
        if nonzero:
            return (Fails("the two measures differ", nonzero[0], 0),)
        self.run.facts.add(known.DISINTEGRATION)
        return (Vanishes(self.base, Scalar.of(0), what),)

    def _inequality(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        what = describe_choice(choice)
        sign, relation = RELATIONS[type(claim)]
        i, values, problem = self._two_sides(cell, choice, claim)
        if problem:
            return (Fails(problem),)
        if any(isinstance(v.x, Infinite) for v in values):
            raise Unsupported("an inequality with an infinite side")
        difference = self._defect(i, values) * sign
        if i.exchanges and relation == ">":
            raise Unsupported("a strict inequality for every pair needs more than its kernels")
        found = cell.sign_of(difference)
        if found != 0 and any(isinstance(who, str) for v in values for who in v.grade):
            raise Unsupported("an inequality for functions of either sign")
        if found > 0 or (found == 0 and relation == ">="):
            self.earn(i, cell, choice, [claim.lhs, claim.rhs])
            return (HasSign(self.base, difference, relation, what),)
        return (Fails("the inequality fails", difference, found),)

    def _difference(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        """Two numbers that differ; of a value that depends on a pair kernels do not tell."""
        i, values, problem = self._two_sides(cell, choice, claim)
        if problem:
            return (Fails(problem),)
        if any(v.grade or isinstance(v.x, Infinite) for v in values):
            raise Unsupported("that a value which depends on a pair differs from another")
        gap = self._defect(i, values)
        if cell.nonzero(gap):
            return (HasSign(self.base, gap, "!=", describe_choice(choice)),)
        return (Fails("the two sides agree", gap, 0),)

    def _convergence(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        what = describe_choice(choice)
        node = claim.node
        i = self.interpreter(cell, choice)
        g, s = i.function(node.args[0], node.args[1]), i.form(node.args[2])
        f: Exact = g.x.after(Form({}), cell) if isinstance(node, cn.OneSided) else g.x
        f = f.merged(cell)
        inside = region(f, cell).contains(s, cell)
        if isinstance(claim, lang.Converges):
            if not inside:
                return (Fails("the transform diverges"),)
            exchange = Exchange(g.grade, f, s, "transform")
            variables = self.kernel_variables(choice)
            if g.grade and not dominated(exchange, variables, self.rates(cell, choice), cell):
                return (Fails("the transform of the kernel is not bounded over all kernels"),)
            if g.grade:
                self.run.facts |= {known.DISINTEGRATION, known.TONELLI}
            return (ConvergesHere(self.base, f, s, what),)
        if g.grade:
            massless = not any(cell.nonzero(i.mass(w)) for w in g.grade)
            if massless:
                return (NoMass(self.base, tuple(i.mass(w) for w in g.grade), what),)
            if not nonnegative(f, cell):
                raise Unsupported("divergence of a signed integrand on kernels proves nothing")
            self.run.facts |= {known.DISINTEGRATION, known.TONELLI}
        if inside:
            return (Fails("the transform converges"),)
        return (DivergesHere(self.base, f, s, what),)

    def _definedness(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        """R_q is defined: q differs from 1, E_q is finite and cannot vanish."""
        e = claim.expr
        i = self.interpreter(cell, choice)
        if isinstance(e, pn.Moment):
            return self._finite_moment(i, cell, choice, e)
        if not isinstance(e, pn.RenyiDivergence):
            raise Unsupported(f"definedness of {e}")
        q = e.args[0]
        try:
            g = i.value(sp.exp((q - 1) * e))
            i.require_nonzero(g, e.args)
        except Undefined as problem:
            return (Fails(str(problem)),)
        if isinstance(g.x, Infinite):
            return (Fails("E_q is +oo"),)
        if not all(dominated(x, self.kernel_variables(choice), self.rates(cell, choice), cell)
                   for x in i.exchanges):
            return (Fails("the moment of the kernel is not bounded over all kernels"),)
        return (HasSign(self.base, i.scalar(q - 1), "!=", describe_choice(choice)),)

    def _finite_moment(self, i: Interpreter, cell: Cell, choice: Choice, e: Any
                       ) -> tuple[Any, ...]:
        """E_q is finite: on every kernel, and bounded by masses and hypotheses over all."""
        try:
            g = i.value(e)
        except Undefined as problem:
            return (Fails(str(problem)),)
        if isinstance(g.x, Infinite):
            return (Fails("E_q is +oo"),)
        if not i.exchanges:
            # of a concrete pair: a transform that diverges in this cell would have no value
            return (Vanishes(self.base, Scalar.of(0), f"{describe_choice(choice)}: finite"),)
        exchange = i.exchanges[-1]
        rates = self.rates(cell, choice)
        if not dominated(exchange, self.kernel_variables(choice), rates, cell):
            return (Fails("the moment of the kernel is not bounded over all kernels"),)
        self.run.facts |= {known.DISINTEGRATION, known.TONELLI}
        loss = exchange.function or Exact()
        return (ConvergesHere(self.base, loss, exchange.frequency, describe_choice(choice)),)

    def _continuity(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        """No impulses, equal one-sided limits at breakpoints, bounded by masses at every point."""
        i = self.interpreter(cell, choice)
        g = i.function(claim.expr, claim.t)
        f: Exact = g.x.merged(cell)
        if f.impulses:
            return (Fails("an impulse"),)
        what = describe_choice(choice)
        obligations: list[Any] = []
        for c in f.jumps:
            gap = (f.limit(c, 1, cell) - f.limit(c, -1, cell)).substitute(cell.values)
            obligations.append(Vanishes(self.base, gap, f"{what}, at {c}") if gap.is_zero()
                               else Fails(f"a jump at {c}", gap, _sign_or_zero(cell, gap)))
        if g.grade:
            point = Form.atom(sp.Dummy("t", real=True))
            variables = self.kernel_variables(choice)
            for terms in (f.germ, f.tail()):
                for (a, n), coefficient in terms.items():
                    value = coefficient * Scalar.of(point**n) * Scalar.exp(a * point)
                    bound = Exchange(g.grade, None, Form({}), "value", value)
                    if not dominated(bound, variables, self.rates(cell, choice), cell):
                        raise Unsupported("the values on kernels are not bounded by the masses")
            self.run.facts.add(known.DOMINATED_CONVERGENCE)
        return tuple(obligations) or (Vanishes(self.base, Scalar.of(0), f"{what}: smooth"),)

    def execute(self) -> KernelRun:
        """Build the case trees of every combination the hypotheses allow."""
        seen: set[Choice] = set()
        for forbidden in self.hypotheses.forbidden:
            self.forbidden = forbidden
            for choice in self.choices(forbidden):
                if choice not in seen:
                    seen.add(choice)
                    self.base = (*self.hypotheses.constraints, *self._sides(choice))
                    tree = explore(self.base, partial(self._case, choice=choice))
                    self.run.trees.append((choice, tree))
        self._note_facts()
        return self.run

    @property
    def name(self) -> str:
        """How a proof by this method is called."""
        if self.pairs:
            return "couples of kernels" if self.couples else "kernels"
        return "impulses and steps" if self.functions else "cells"

    def _case(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        found = self.leaf(cell, choice)
        if self.couples and any(isinstance(o, Fails) for o in found):
            # hypotheses are read off single kernels; here one failing case is enough to stop
            raise Unsupported(f"no argument case by case on {describe_choice(choice)}")
        return found

    def _note_facts(self) -> None:
        found = {type(x) for e in lang.expressions(self.statement.claim)
                 for x in sp.preorder_traversal(sp.sympify(e))}
        if self.pairs:
            self.run.facts.add(known.DISINTEGRATION)
        if pn.SupOverEvents in found:
            self.run.facts.add(known.HAHN)
        if cn.Bromwich in found:
            self.run.facts.add(known.RESIDUES)
        if cn.SymmetricIntegral in found:
            self.run.facts |= {known.RESIDUES, known.DIRICHLET, known.FUBINI,
                               known.DOMINATED_CONVERGENCE}
        if self.steps and self.functions:
            self.run.facts.add(known.PARTS)
            if cn.Bromwich in found:
                self.run.facts.add(known.JORDAN_INVERSION)
        if cn.GeneralizedDerivative in found and self.pairs:
            self.run.facts.add(known.DISTRIBUTIONS)


def _sign_or_zero(cell: Cell, x: Scalar) -> int:
    try:
        return cell.sign_of(x)
    except (NeedSplit, Unsupported):
        return 0


__all__ = ["Choice", "KernelMethod", "KernelRun", "describe_choice", "leaves"]
