"""Claims about every pair, decided on point-mass kernels.

An identity between functionals linear in each pair holds for all normalised pairs as soon as its
defect on kernels is c (P-mass - Q-mass) with one c for the whole claim; an inequality, as soon as
its difference is non-negative on kernels.  Arbitrary functions g are mixtures of impulses, or of
steps where one-sided limits and derivatives occur.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as cn
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, Constraint, EmptyCell, NeedSplit, explore
from lapdp.calculus.transform import Divergent, region
from lapdp.core import facts as known
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.facts import Fact
from lapdp.core.verdict import Leaf, Split
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import (
    MINUS_KERNEL,
    PLUS_KERNEL,
    Atom,
    Infinite,
    Model,
    finite_kernel,
)
from lapdp.theory import language as lang
from lapdp.theory.exchange import Rates, dominated, growth, nonnegative
from lapdp.theory.hypotheses import Hypotheses
from lapdp.theory.interpret import Exchange, Graded, Interpreter
from lapdp.theory.obligations import (
    ConvergesHere,
    DivergesHere,
    ExcludedBy,
    Fails,
    HasSign,
    InfiniteBothSides,
    InfiniteHere,
    NoMass,
    NoPartner,
    Vanishes,
)

Choice = tuple[tuple[Any, str], ...]
STEP_NODES = (cn.Limit, cn.GeneralizedDerivative)
RELATIONS = {sp.Ge: (1, ">="), sp.Gt: (1, ">"), sp.Le: (-1, ">="), sp.Lt: (-1, ">")}


@dataclass
class KernelRun:
    """Case trees of one claim, one for each combination of kernels."""

    trees: list[tuple[Choice, Split | Leaf]] = field(default_factory=list)
    facts: set[Fact] = field(default_factory=set)

    def failures(self) -> list[tuple[Choice, tuple[Any, ...], Fails]]:
        """All failing leaves: (kernels, path, failure)."""
        return [(choice, path, o) for choice, tree in self.trees
                for path, leaf in leaves(tree) for o in leaf.obligations if isinstance(o, Fails)]


def leaves(tree: Split | Leaf, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...],
                                                                             Leaf]]:
    """All leaves with their paths."""
    if isinstance(tree, Leaf):
        yield path, tree
        return
    for answer, branch in tree.branches.items():
        yield from leaves(branch, (*path, (tree.question, answer)))


def describe_choice(choice: Choice) -> str:
    """Which kernel stands for which pair or function."""
    names = {"finite": "k(z)", "plus": "k(+oo)", "minus": "k(-oo)", "impulse": "impulse",
             "rising": "rising step", "falling": "falling step", "zero": "0",
             "finite+finite": "k(z), k(y)", "finite+minus": "k(z), k(-oo)",
             "plus+finite": "k(+oo), k(y)", "plus+minus": "k(+oo), k(-oo)", "equal": "k(0)"}
    parts = [f"{getattr(who, 'name', who)}: {names[kind]}" for who, kind in choice if names[kind]]
    return "; ".join(parts) or "all"


KERNELS = ("finite", "plus", "minus")
COUPLES = ("finite+finite", "finite+minus", "plus+finite", "plus+minus", "equal")


def couple(kind: str, z: Form, y: Form) -> Model:
    """An extreme normalised pair: two kernels weighted so that P- and Q-mass agree.

    With m = P-mass - Q-mass, the kernel with m1 > 0 gets the weight -m2 and the one with m2 < 0
    the weight m1; every normalised pair is a mixture of such couples (and of k(0)).
    """
    if kind == "equal":
        return finite_kernel(Form({}))
    first, second = kind.split("+")
    top = PLUS_KERNEL if first == "plus" else finite_kernel(z)
    low = MINUS_KERNEL if second == "minus" else finite_kernel(y)
    excess = Scalar.of(1) if first == "plus" else 1 - Scalar.exp(-z)
    deficit = Scalar.of(1) if second == "minus" else Scalar.exp(-y) - 1
    atoms = tuple(Atom(w * a, w * b, at) for w, model in ((deficit, top), (excess, low))
                  for a, b, at in model.atoms or ())
    return Model.of_atoms(atoms, deficit * top.p_infinite, excess * low.q_infinite)


_ALIVE = Fails("the hypotheses leave this case")


class KernelMethod:
    """Runs one statement over all combinations of kernels."""

    def __init__(self, statement: Any, hypotheses: Hypotheses, joint: bool = False,
                 couples: bool = False) -> None:
        self.statement, self.hypotheses, self.joint = statement, hypotheses, joint
        self.couples = couples
        atoms = [a for p in statement.pairs for a in p.atoms()]
        self.pairs = list({id(a): a for a in atoms if a.mechanism is None}.values())
        self.concrete = {a: _concrete(a) for a in atoms if a.mechanism is not None}
        self.functions = sorted({type(x).__name__ for form in (statement.claim, *statement.where)
                                 for e in lang.expressions(form)
                                 for x in sp.sympify(e).atoms(AppliedUndef)})
        self.base: tuple[Constraint, ...] = tuple(hypotheses.constraints)
        self.steps = any(x for form in (statement.claim, *statement.where)
                         for e in lang.expressions(form) for x in sp.sympify(e).atoms(*STEP_NODES))
        self.variables = {who: sp.Symbol(f"z_{getattr(who, 'name', who)}", real=True)
                          for who in [*self.pairs, *self.functions]}
        self.partners = {who: sp.Symbol(f"y_{who.name}", real=True) for who in self.pairs}
        self.run = KernelRun()
        self.forbidden: dict[tuple[Any, str], bool] = {}

    # -- combinations ---------------------------------------------------------------------------

    def choices(self, forbidden: dict[tuple[Any, str], bool]) -> list[Choice]:
        """All combinations of kernels that the hypotheses leave."""
        options: list[list[tuple[Any, str]]] = []
        for pair in self.pairs:
            options.append([(pair, k) for k in (COUPLES if self.couples else KERNELS)
                            if not any((pair, part) in forbidden for part in k.split("+"))])
        kinds = ("rising", "falling") if self.steps else ("impulse",)
        if self.joint:
            single = [tuple((other, kind if other == name else "zero") for other in self.functions)
                      for name in self.functions for kind in kinds]
            return [(*c, *s) for c in product(*options) for s in single]
        options += [[(name, k) for k in kinds] for name in self.functions]
        return [tuple(c) for c in product(*options)]

    def models(self, choice: Choice) -> tuple[dict[Any, Any], dict[str, Exact]]:
        """Models of the pairs and objects of the functions in a combination."""
        models: dict[Any, Any] = dict(self.concrete)
        functions: dict[str, Exact] = {}
        for who, kind in choice:
            z = Form.atom(self.variables[who])
            if kind == "finite":
                models[who] = finite_kernel(z)
            elif kind in ("plus", "minus"):
                models[who] = PLUS_KERNEL if kind == "plus" else MINUS_KERNEL
            elif kind in COUPLES:
                models[who] = couple(kind, z, Form.atom(self.partners[who]))
            elif kind == "impulse":
                functions[who] = Exact.impulse(z)
            elif kind == "zero":
                functions[who] = Exact()
            elif kind == "rising":
                functions[who] = Exact.step(z)
            else:
                functions[who] = Exact.term(1) - Exact.step(z)
        return models, functions

    # -- one case -------------------------------------------------------------------------------

    def interpreter(self, cell: Cell, choice: Choice) -> Interpreter:
        """The interpreter of a case."""
        models, functions = self.models(choice)
        return Interpreter(cell, models, frozenset(self.pairs), functions,
                           nonzero=frozenset(self.hypotheses.nonzero), joint=self.joint,
                           continuous=frozenset(self.hypotheses.continuous))

    def excluded(self, cell: Cell, choice: Choice) -> tuple[Any, ...] | None:
        """Obligations that show the case to contradict a hypothesis, or None."""
        what = describe_choice(choice)
        for gap in self.hypotheses.different:
            here = gap.substitute(cell.values)
            real, imag = here.split_complex()
            if _decided_zero(cell, real) and _decided_zero(cell, imag):
                return (ExcludedBy(self.base, gap, what),)
        for z, x in self.hypotheses.no_atom:
            i = self.interpreter(cell, choice)
            mass = i.value(pn.Probability(z, sp.Symbol("=="), x)).x
            if cell.nonzero(mass):
                return (HasSign(self.base, mass, "!=", what + " is an atom, excluded"),)
        for node in self.hypotheses.converge:
            found = self._divergence(cell, choice, node)
            if found is not None:
                return (found,)
        for e in self.hypotheses.defined:
            if self._infinite(cell, choice, e):
                return (InfiniteHere(self.base, lambda c, e=e: self._infinite(c, choice, e), f"{what}: {e}"),)
        return None

    def lonely(self, cell: Cell, choice: Choice) -> tuple[Any, ...] | None:
        """Obligations that show a one-sided kernel to have no partner under the hypotheses."""
        for k, (who, kind) in enumerate(choice):
            if kind not in ("plus", "minus"):
                continue
            partners = [(*choice[:k], (who, other), *choice[k + 1:])
                        for other in ("finite", "minus" if kind == "plus" else "plus")
                        if (who, other) not in self.forbidden]
            trees = tuple(explore(self.base, lambda c, p=p: self.excluded(c, p) or (_ALIVE,),
                                  path=cell.path) for p in partners)
            alive = [[any(o is _ALIVE for o in leaf.obligations), path]
                     for tree in trees for path, leaf in leaves(tree)
                     if not any(isinstance(o, EmptyCell) for o in leaf.obligations)]
            if not any(a for a, _ in alive):
                return (NoPartner(trees, describe_choice(choice)),)
            self._split_on_parameters(alive)
        return None

    def _split_on_parameters(self, alive: list[list[Any]]) -> None:
        """Where partners live on a part of the parameters only, split there first."""
        if all(a for a, _ in alive):
            return
        kernel_atoms = set(self.variables.values())
        for dead in (path for a, path in alive if not a):
            for question, _ in dead:
                if not question.form.atoms() & kernel_atoms:
                    raise NeedSplit(question.form)

    def _divergence(self, cell: Cell, choice: Choice, node: Any) -> DivergesHere | None:
        i = self.interpreter(cell, choice)
        g, s = i.function(node.args[0], node.args[1]), i.form(node.args[2])
        f: Exact = g.x.after(Form({}), cell) if isinstance(node, cn.OneSided) else g.x
        if region(f, cell).contains(s, cell):
            return None
        # of a single object a divergent transform is simply divergent; of a mixture only if its
        # integrand cannot cancel; of arbitrary functions convergence bears on every impulse
        if g.grade and not self.functions and not nonnegative(f, cell):
            raise Unsupported("a signed integrand diverges on a kernel: the hypothesis does not "
                              "exclude it")
        return DivergesHere(self.base, f, s, describe_choice(choice))

    def _infinite(self, cell: Cell, choice: Choice, e: Any) -> bool:
        try:
            return isinstance(self.interpreter(cell, choice).value(e).x, Infinite)
        except Undefined:
            return True

    def rates(self, cell: Cell, choice: Choice) -> dict[Any, Rates]:
        """Growth that the mixture can afford in each kernel variable."""
        available: dict[Any, Rates] = {v: [] for v in self.kernel_variables(choice)}
        i = self.interpreter(cell, choice)
        for who, _ in choice:
            if who in self.pairs:
                model: Model = i.models[who]
                for mass in (model.p_mass(cell), model.q_mass(cell)):
                    for variable, rates in available.items():
                        rates += growth(mass, variable)
        values: list[Graded] = []
        for node in self.hypotheses.converge:
            if self.steps and not node.has(cn.GeneralizedDerivative):
                # a small integral of |g| does not bound the variation of g
                continue
            g = i.function(node.args[0], node.args[1])
            if g.grade and not self.functions and not nonnegative(g.x, cell):
                # on signed integrands a convergent mixture bounds no kernel
                continue
            real = node.func(node.args[0], node.args[1], _real_part(node.args[2]))
            values.append(i.value(real))
        for e in self.hypotheses.defined:
            values += [i.value(m.func(_real_part(m.args[0]), *m.args[1:]))
                       for m in e.atoms(pn.Moment)]
        for g in values:
            if isinstance(g.x, Scalar):
                for variable, rates in available.items():
                    rates += growth(g.x, variable)
        return available

    def kernel_variables(self, choice: Choice) -> list[Any]:
        """The variables over which the mixture of a combination runs."""
        found: list[Any] = []
        for who, kind in choice:
            if kind in ("finite", "impulse", "rising", "falling", "finite+finite", "finite+minus"):
                found.append(self.variables[who])
            if kind in ("finite+finite", "plus+finite"):
                found.append(self.partners[who])
        return found

    # -- exchange -------------------------------------------------------------------------------

    def earn(self, i: Interpreter, cell: Cell, choice: Choice, sides: list[Any]) -> None:
        """Raise :class:`Unsupported` unless every integral may be exchanged with the mixture."""
        pending: list[Exchange] = []
        kernel_variables = self.kernel_variables(choice)
        if not i.exchanges:
            return
        self.run.facts.add(known.DISINTEGRATION)
        available = self.rates(cell, choice)
        for exchange in i.exchanges:
            if not dominated(exchange, kernel_variables, available, cell):
                pending.append(exchange)
        if not pending:
            self.run.facts.add(known.FUBINI)
            return
        for exchange in pending:
            s = exchange.frequency
            real = s == s.real_part()
            positive = exchange.function is None or nonnegative(exchange.function, cell)
            if exchange.function is None and isinstance(exchange.value, Scalar):
                positive = cell.sign_of(exchange.value) >= 0
            if not (real and positive):
                raise Unsupported(f"the exchange of the {exchange.origin} with the mixture is not "
                                  "earned: absolute convergence does not follow")
        if not all(_monotone(side) for side in sides):
            raise Unsupported("integrals that may be +oo are subtracted")
        self.run.facts.add(known.TONELLI)

    # -- leaves ---------------------------------------------------------------------------------

    def leaf(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        """Obligations of one case."""
        excluded = self.excluded(cell, choice)
        if excluded is None and (self.hypotheses.converge or self.hypotheses.defined):
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
        if isinstance(claim, sp.Eq):
            return self._equality(cell, choice, claim)
        if type(claim) in RELATIONS:
            return self._inequality(cell, choice, claim)
        raise Unsupported(f"kernels do not decide a claim of the form {type(claim).__name__}")

    def _represented(self, cell: Cell, choice: Choice) -> tuple[Any, ...] | None:
        """Which family of steps represents g where the transforms of g and Dg both converge at s.

        For Re s > 0 the function vanishes at -oo (or is constant before 0) and is a mixture of
        rising steps; for Re s <= 0 it vanishes at +oo and is a mixture of falling ones.
        """
        for who, kind in choice:
            if kind not in ("rising", "falling"):
                continue
            nodes = [n for n in self.hypotheses.converge if n.has(cn.GeneralizedDerivative)
                     and any(type(x).__name__ == who for x in n.atoms(AppliedUndef))]
            if not nodes:
                raise Unsupported(f"steps represent {who} only where the transform of its "
                                  "derivative converges")
            re = self.interpreter(cell, choice).form(nodes[0].args[2]).real_part()
            if (cell.sign(re) > 0) != (kind == "rising"):
                rising = kind == "falling"
                return (HasSign(self.base, Scalar.of(re if rising else -re),
                                ">" if rising else ">=",
                                f"{describe_choice(choice)}: the other family of steps is used, "
                                "frequency"),)
        return None

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
        density = [t for t in free if _bare_density(side, t)]
        if density:
            raise Unsupported("a density at a point")
        return i.value(side)

    def _equality(self, cell: Cell, choice: Choice, claim: Any) -> tuple[Any, ...]:
        what = describe_choice(choice)
        t = _density_variable(claim)
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
        if defect.is_zero():
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
        i = self.interpreter(cell, choice)
        sides = [i.function(side, t) for side in (claim.lhs, claim.rhs)]
        grade = sides[0].grade | sides[1].grade
        difference: Exact = (i.lift(sides[0], grade) - i.lift(sides[1], grade)).merged(cell)
        what = describe_choice(choice) + ", as measures"
        defects = [*difference.germ.values(),
                   *(c for terms in difference.jumps.values() for c in terms.values()),
                   *(c for terms in difference.impulses.values() for c in terms.values())]
        nonzero = [d for d in defects if not d.substitute(cell.values).is_zero()]
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
        if found > 0 or (found == 0 and relation == ">="):
            self.earn(i, cell, choice, [claim.lhs, claim.rhs])
            return (HasSign(self.base, difference, relation, what),)
        return (Fails("the inequality fails", difference, found),)

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
        except Undefined as problem:
            return (Fails(str(problem)),)
        if isinstance(g.x, Infinite):
            return (Fails("E_q is +oo"),)
        self.earn(i, cell, choice, [e])
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
        exchange = i.exchanges[-1]
        rates = self.rates(cell, choice)
        if not dominated(exchange, self.kernel_variables(choice), rates, cell):
            return (Fails("the moment of the kernel is not bounded over all kernels"),)
        self.run.facts |= {known.DISINTEGRATION, known.TONELLI}
        return (ConvergesHere(self.base, exchange.function, exchange.frequency,
                              describe_choice(choice)),)

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

    # -- all ------------------------------------------------------------------------------------

    def execute(self) -> KernelRun:
        """Build the case trees of every combination the hypotheses allow."""
        seen: set[Choice] = set()
        for forbidden in self.hypotheses.forbidden:
            self.forbidden = forbidden
            for choice in self.choices(forbidden):
                if choice not in seen:
                    seen.add(choice)
                    self.base = (*self.hypotheses.constraints, *self._sides(choice))
                    tree = explore(self.base, lambda cell, c=choice: self._case(cell, c))
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
            raise Unsupported(f"the claim fails on {describe_choice(choice)}")
        return found

    def _sides(self, choice: Choice) -> list[Constraint]:
        """In a couple one kernel has more P-mass (z > 0), the other more Q-mass (y < 0)."""
        found: list[Constraint] = []
        for who, kind in choice:
            if kind in ("finite+finite", "finite+minus"):
                found.append((Form.atom(self.variables[who]), ">"))
            if kind in ("finite+finite", "plus+finite"):
                found.append((-Form.atom(self.partners[who]), ">"))
            if kind in ("rising", "falling") and self._only_after_zero():
                # on t > 0 a function is g(0+) plus steps at positive times
                found.append((Form.atom(self.variables[who]), ">="))
        return found

    def _only_after_zero(self) -> bool:
        """Does the statement see functions at positive times only?"""
        def sees(e: Any) -> bool:
            if isinstance(e, cn.OneSided):
                return True
            if isinstance(e, cn.Limit) and e.has(AppliedUndef):
                point, side = e.args[2], str(e.args[3])
                return bool(point.is_positive) or (point == 0 and side == "_+")
            if isinstance(e, cn.Bromwich):
                return bool(e.args[2].is_positive) and sees(e.args[0])
            if isinstance(e, AppliedUndef):
                return bool(e.args[0].is_positive)
            if isinstance(e, cn.Node) and e.has(AppliedUndef):
                return False
            return all(sees(a) for a in e.args)
        forms = (self.statement.claim, *(h for h in self.statement.where
                                         if not isinstance(h, lang.Continuous)))
        return all(sees(sp.sympify(e)) for form in forms for e in lang.expressions(form))

    def _note_facts(self) -> None:
        found = {type(x) for e in lang.expressions(self.statement.claim)
                 for x in sp.preorder_traversal(sp.sympify(e))}
        if self.pairs:
            self.run.facts.add(known.DISINTEGRATION)
        if pn.SupOverEvents in found:
            self.run.facts.add(known.HAHN)
        if cn.Bromwich in found:
            self.run.facts.add(known.RESIDUES)
        if self.steps and self.functions:
            self.run.facts.add(known.PARTS)
            if cn.Bromwich in found:
                self.run.facts.add(known.JORDAN_INVERSION)
        if cn.GeneralizedDerivative in found and self.pairs:
            self.run.facts.add(known.DISTRIBUTIONS)


def _concrete(identity: Any) -> Any:
    try:
        return identity.mechanism.model()
    except Unsupported:
        return identity.mechanism


def _decided_zero(cell: Cell, form: Form) -> bool:
    return cell.sign(form) == 0


def _real_part(e: Any) -> Any:
    real = sp.re(sp.expand(e))
    return real


def _sign_or_zero(cell: Cell, x: Scalar) -> int:
    try:
        return cell.sign_of(x)
    except (NeedSplit, Unsupported):
        return 0


def _monotone(side: Any) -> bool:
    """Is no integral subtracted? (sums and products without a minus sign before a node)"""
    for term in sp.Add.make_args(side):
        if term.could_extract_minus_sign() and any(
            isinstance(x, (pn.Moment, cn.Node)) for x in sp.preorder_traversal(term)
        ):
            return False
    return True


def _bare_density(e: Any, t: Any) -> bool:
    """Does a density occur at ``t`` outside every integral?"""
    if isinstance(e, pn.LossDensity):
        return t in e.args[1].free_symbols
    if isinstance(e, cn.Node) and not isinstance(e, (cn.Indicator, cn.GeneralizedDerivative)):
        return False
    return any(_bare_density(a, t) for a in e.args)


def _density_variable(claim: Any) -> Any:
    """The variable at which an identity of densities is claimed, if it is one."""
    found = {t for side in (claim.lhs, claim.rhs) for t in side.free_symbols
             if type(t) is sp.Symbol and _bare_density(side, t)}
    return found.pop() if len(found) == 1 else None


__all__ = ["Divergent", "EmptyCell", "KernelMethod", "KernelRun", "Model", "describe_choice",
           "leaves"]
