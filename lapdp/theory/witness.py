"""Search for the smallest exact counterexample: finite pairs, the exact class, small functions.

Instances are tried from the smallest on; an instance counts only when the hypotheses hold exactly
and the two sides differ exactly (or one of them has no value).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit, enclose
from lapdp.calculus.transform import region
from lapdp.core.errors import IllFormed, InputError, Undefined, Unsupported
from lapdp.core.verdict import Witness
from lapdp.privacy import nodes as pn
from lapdp.privacy.mechanisms import exponential
from lapdp.privacy.model import Infinite, Model
from lapdp.theory import language as lang
from lapdp.theory.interpret import Interpreter

_H = Fraction(1, 2)
FINITE: tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...] = (
    ((1,), (1,)),
    ((1, 0), (_H, _H)),
    ((_H, _H), (1, 0)),
    ((1, 0), (0, 1)),
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))),
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 5), Fraction(4, 5))),
    ((_H, _H), (Fraction(1, 4), Fraction(3, 4))),
    ((Fraction(1, 4), Fraction(3, 4)), (_H, _H)),
    ((_H, _H, 0), (0, _H, _H)),
    ((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
     (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))),
)
_LOG2 = sp.log(2)
_COMPLEX_ZERO = sp.Rational(1, 2) + sp.I * sp.pi / (2 * _LOG2)
REALS = (sp.Integer(0), _LOG2, -_LOG2, sp.Integer(1), sp.Integer(2), sp.Rational(1, 2),
         sp.Integer(-1), sp.Integer(3), sp.Rational(-1, 2))
POSITIVE = (sp.Integer(1), _LOG2, sp.Integer(2), sp.Rational(1, 2))
COMPLEX = (sp.Integer(2), sp.Rational(1, 2), sp.Integer(1), sp.Integer(0), sp.Integer(-1),
           _COMPLEX_ZERO, 2 + sp.I * sp.pi / _LOG2, sp.I, sp.Integer(3), sp.Rational(1, 4), 2 + sp.I,
           sp.I / 2)
BREADTH = 4
"""Values of each parameter that the first round tries with every pair."""


def _functions() -> list[tuple[str, Exact]]:
    zero, cell = Form({}), Cell()
    decay = Exact.step(0, 1, -1)
    box = Exact.step(0) - Exact.step(1)
    both = Exact.term(1, 1).before(zero, cell) + Exact.term(1, -1).after(zero, cell)
    return [
        ("exp(-t)*Heaviside(t)", decay), ("exp(-2*t)*Heaviside(t)", Exact.step(0, 1, -2)),
        ("Heaviside(t) - Heaviside(t - 1)", box), ("exp(-Abs(t))", both),
        ("Heaviside(t)", Exact.step(0)), ("1", Exact.term(1)),
        ("DiracDelta(t)", Exact.impulse(0)), ("DiracDelta(t - 1)", Exact.impulse(1)),
        ("exp(t)*Heaviside(t)", Exact.step(0, 1, 1)),
        ("exp(t)*Heaviside(-t)", Exact.term(1, 1).before(zero, cell)),
    ]


@dataclass(frozen=True)
class Instance:
    """Exact pairs, functions and parameter values."""

    pairs: dict[Any, tuple[str, Any]]
    functions: dict[str, tuple[str, Exact]]
    values: dict[Any, Any]

    def text(self) -> str:
        """Paste-ready description."""
        parts = [f"{', '.join(p.names)} = {name}" for p, (name, _) in self.pairs.items()]
        parts += [f"{n}(t) = {name}" for n, (name, _) in self.functions.items()]
        parts += [f"{s} = {v}" for s, v in self.values.items()]
        return "; ".join(parts)


def candidates(statement: Any, functions: list[str]) -> Iterator[Instance]:
    """Instances in the order of their size."""
    atoms = {id(a): a for p in statement.pairs for a in p.atoms()}.values()
    free = [a for a in atoms if a.mechanism is None]
    fixed = [a for a in atoms if a.mechanism is not None]
    models: list[tuple[str, Any]] = []
    for p, q in FINITE:
        text = f"finite([{', '.join(map(str, p))}], [{', '.join(map(str, q))}])"
        masses = tuple((Scalar.of(a), Scalar.of(b)) for a, b in zip(p, q, strict=True))
        models.append((text, Model.of_masses(masses)))
    for wide in (exponential(1, 2), exponential(2, 3)):
        models.append((repr(wide), wide.model()))
    hint = statement.hints.get("witness", {})
    pools: list[tuple[Any, ...]] = []
    for s in statement.parameters:
        pool = COMPLEX if not s.is_real else POSITIVE if s.is_positive else REALS
        pools.append((*_hinted(hint, s), *pool))
    shapes = sorted(product(range(len(models)), repeat=len(free)), key=lambda c: (sum(c), c))
    objects = _functions()
    choices = sorted(product(range(len(objects)), repeat=len(functions)),
                     key=lambda c: (sum(c), c))
    seen = set()
    for narrow in (True, False):
        rounds = [pool[:BREADTH + (len(pool) > len(COMPLEX))] if narrow else pool
                  for pool in pools]
        for shape, choice in product(shapes, choices):
            for values in product(*rounds):
                key = (shape, choice, values)
                if key in seen:
                    continue
                seen.add(key)
                assignment = dict(zip(statement.parameters, values, strict=True))
                pairs: dict[Any, tuple[str, Any]] = {
                    a: models[k] for a, k in zip(free, shape, strict=True)}
                concrete = {a: a.mechanism.substitute(assignment) for a in fixed}
                if None in concrete.values():
                    continue
                pairs.update({a: (repr(m), m) for a, m in concrete.items()})
                yield Instance(pairs, {n: objects[k] for n, k in
                                       zip(functions, choice, strict=True)}, assignment)


def _hinted(hint: dict[Any, Any], symbol: Any) -> tuple[Any, ...]:
    value = hint.get(str(symbol))
    return () if value is None else (sp.sympify(value),)


def search(statement: Any, functions: list[str], seconds: float = 8.0, limit: int = 6000
           ) -> tuple[Witness | None, int]:
    """The first instance that contradicts the statement, and how many were looked at."""
    deadline = time.monotonic() + seconds
    looked = 0
    for instance in candidates(statement, functions):
        if looked >= limit or time.monotonic() > deadline:
            break
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
    trial = Trial(instance)
    for form in statement.where:
        if not trial.holds(form):
            return None
    return trial.against(statement.claim)


class Trial:
    """One exact instance: every question about it has a definite answer or is unsupported."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.cell = Cell()
        models = {a: (m.model() if not isinstance(m, Model) and not hasattr(
            m, "profile_expression") else m) for a, (_, m) in instance.pairs.items()}
        functions = {n: f for n, (_, f) in instance.functions.items()}
        # grades of functions only matter for linearity; concrete objects may be used freely
        self.interpreter = _Free(self.cell, models, frozenset(), functions,
                                 continuous=frozenset(functions))

    def fill(self, e: Any) -> Any:
        """Parameters replaced by their values."""
        return sp.sympify(e).subs(self.instance.values, simultaneous=True)

    def value(self, e: Any) -> Scalar | Infinite:
        """Value of an expression at the instance."""
        found: Scalar | Infinite = self.interpreter.value(self.fill(e)).x
        return found

    def holds(self, form: Any) -> bool:
        """Is a hypothesis true at the instance?"""
        if isinstance(form, (lang.Converges, lang.Diverges)):
            return self.converges(form.node) == isinstance(form, lang.Converges)
        if isinstance(form, lang.Defined):
            try:
                return not isinstance(self.value(form.expr), Infinite)
            except Undefined:
                return False
        if isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)):
            model = self.interpreter.model(form.P, form.Q).x
            forward = not self.cell.nonzero(model.p_infinite)
            if isinstance(form, lang.AbsolutelyContinuous):
                return forward
            return forward or not self.cell.nonzero(model.q_infinite)
        if isinstance(form, lang.NoAtom):
            mass = self.value(pn.Probability(form.Z, sp.Symbol("=="), form.x))
            return isinstance(mass, Scalar) and not self.cell.nonzero(mass)
        if isinstance(form, sp.core.relational.Relational):
            return self.relation(form)
        if isinstance(form, lang.Continuous):
            g = self.interpreter.function(self.fill(form.expr), form.t)
            f: Exact = g.x.merged(self.cell)
            return not f.impulses and all(
                (f.limit(c, 1, self.cell) - f.limit(c, -1, self.cell)).is_zero() for c in f.jumps)
        raise Unsupported(f"{type(form).__name__} at an instance")

    def relation(self, form: Any) -> bool:
        """A relation at the instance, both sides defined."""
        lhs, rhs = self.value(form.lhs), self.value(form.rhs)
        if isinstance(lhs, Infinite) or isinstance(rhs, Infinite):
            both = isinstance(lhs, Infinite) and isinstance(rhs, Infinite)
            if isinstance(form, sp.Eq):
                return both
            if isinstance(form, (sp.Le, sp.Lt)):
                return isinstance(rhs, Infinite) and (not both or isinstance(form, sp.Le))
            if isinstance(form, (sp.Ge, sp.Gt)):
                return isinstance(lhs, Infinite) and (not both or isinstance(form, sp.Ge))
            return not both
        gap = lhs - rhs
        if isinstance(form, (sp.Eq, sp.Ne)):
            return gap.is_zero() == isinstance(form, sp.Eq)
        sign = self.cell.sign_of(gap)
        return {sp.Gt: sign > 0, sp.Ge: sign >= 0, sp.Lt: sign < 0, sp.Le: sign <= 0}[form.func]

    def converges(self, node: Any) -> bool:
        """Does a transform converge absolutely at the instance?"""
        node = self.fill(node)
        g = self.interpreter.function(node.args[0], node.args[1])
        f: Exact = g.x.after(Form({}), self.cell) if isinstance(node, cn.OneSided) else g.x
        inside = region(f.merged(self.cell), self.cell)
        return inside.contains(self.interpreter.form(node.args[2]), self.cell)

    def against(self, claim: Any) -> Witness | None:
        """A witness if the claim fails at the instance."""
        if isinstance(claim, sp.core.relational.Relational):
            return self._against_relation(claim)
        if isinstance(claim, lang.Exists) and isinstance(claim.claim, lang.Converges):
            node = self.fill(claim.claim.node)
            g = self.interpreter.function(node.args[0], node.args[1])
            found = region(g.x.merged(self.cell), self.cell)
            if found.empty:
                return self._witness("converges for no s", "some s is claimed",
                                     "the region of convergence is empty")
            return None
        if isinstance(claim, lang.Defined):
            try:
                value = self.value(_exponent(claim.expr))
            except Undefined as problem:
                return self._witness(f"undefined: {problem}", "a value is claimed", str(problem))
            if isinstance(value, Infinite):
                return self._witness("+oo", "a finite value is claimed", "the integral diverges")
            return None
        if self.holds(claim):
            return None
        what = type(claim).__name__
        return self._witness(f"not {what}", what, "checked exactly at the instance")

    def _against_relation(self, claim: Any) -> Witness | None:
        shown: list[str] = []
        for side in (claim.lhs, claim.rhs):
            try:
                shown.append(self.show(self.value(side)))
            except Undefined as problem:
                shown.append(f"undefined: {problem}")
        undefined = [s.startswith("undefined") for s in shown]
        if any(undefined):
            return self._witness(shown[0], shown[1], "a side of the claim has no value")
        if self.relation(claim):
            return None
        return self._witness(shown[0], shown[1], "the two sides differ exactly"
                             if isinstance(claim, sp.Eq) else "the relation fails")

    def _witness(self, lhs: str, rhs: str, why: str) -> Witness:
        values = {str(k): str(v) for k, v in self.instance.values.items()}
        return Witness(self.instance.text(), values, lhs, rhs, why)

    def show(self, x: Scalar | Infinite) -> str:
        """Exact value and digits."""
        if isinstance(x, Infinite):
            return "+oo"
        text = str(x)
        with flint.ctx.workdps(30):
            try:
                ball = enclose(x, {})
            except Unsupported:
                return text
            digits = ball.real.str(12, radius=False) if ball.imag == 0 else ball.str(
                12, radius=False)
        return text if len(text) < 14 and "exp" not in text else f"{text} = {digits}"


class _Free(Interpreter):
    """Concrete objects: linearity is not asked for."""

    def multiply_grades(self, a: Any, b: Any) -> Any:
        return frozenset()

    def lift(self, g: Any, grade: Any) -> Any:
        return g.x


def _exponent(e: Any) -> Any:
    """R_q through e^((q-1) R_q), so that only its definedness is asked."""
    if isinstance(e, pn.RenyiDivergence):
        return sp.exp((e.args[0] - 1) * e)
    return e
