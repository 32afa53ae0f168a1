"""Combinations of kernels: what may stand for each pair and each function of a claim.

A pair is a mixture of the kernels k(z), k(+oo), k(-oo), a normalised pair a mixture of couples of
kernels, a function a mixture of impulses, or of steps where limits and derivatives occur.
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
from lapdp.calculus.ordering import Cell, Constraint
from lapdp.core.errors import Unsupported
from lapdp.core.facts import Fact
from lapdp.core.verdict import Leaf, Split
from lapdp.privacy.model import (
    MINUS_KERNEL,
    PLUS_KERNEL,
    Atom,
    Model,
    finite_kernel,
)
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import Hypotheses
from lapdp.theory.interpret import Interpreter
from lapdp.theory.obligations import Fails
from lapdp.theory.rewriting import Fresh

Choice = tuple[tuple[Any, str], ...]
STEP_NODES = (cn.Limit, cn.GeneralizedDerivative)
STEPS = ("rising", "falling", "box")
KERNELS = ("finite", "plus", "minus")
SIDES: dict[str, Any] = {"inside": True, "outside": False}
"""An outcome lies inside a free event or outside: nothing else is known of either."""
PLACES: dict[str, Any] = {"neither": frozenset(), "first": frozenset({0}),
                          "second": frozenset({1}), "both": frozenset({0, 1})}
"""The same for the two outcomes of a couple of kernels."""
COUPLES = ("finite+finite", "finite+minus", "plus+finite", "plus+minus", "equal")


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
             "rising": "rising step", "falling": "falling step", "box": "box",
             "zero": "0", "inside": "inside", "outside": "outside", **{k: k for k in PLACES},
             "finite+finite": "k(z), k(y)", "finite+minus": "k(z), k(-oo)",
             "plus+finite": "k(+oo), k(y)", "plus+minus": "k(+oo), k(-oo)", "equal": "k(0)"}
    parts = [f"{getattr(who, 'name', who)}: {names[kind]}" for who, kind in choice if names[kind]]
    return "; ".join(parts) or "all"


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


class Combinations:
    """The combinations of kernels of one statement, and the interpreter of each."""

    def __init__(self, statement: Any, hypotheses: Hypotheses, joint: bool = False,
                 couples: bool = False) -> None:
        self.statement, self.hypotheses, self.joint = statement, hypotheses, joint
        self.couples = couples
        atoms = [a for p in statement.pairs for a in p.atoms()]
        if any(len(a.names) != 2 for a in atoms):
            raise Unsupported("kernels are those of pairs, not of several distributions")
        self.pairs = list({id(a): a for a in atoms if a.mechanism is None}.values())
        self.concrete = {a: _concrete(a) for a in atoms if a.mechanism is not None}
        self.functions = sorted({type(x).__name__ for form in (statement.claim, *statement.where)
                                 for e in lang.expressions(form)
                                 for x in sp.sympify(e).atoms(AppliedUndef)})
        self.events = lang.free_events(statement)
        self.base: tuple[Constraint, ...] = tuple(hypotheses.constraints)
        # a value g(x) is seen on steps, not on impulses
        self.steps = bool(hypotheses.continuous) or any(
            x for form in (statement.claim, *statement.where)
            for e in lang.expressions(form) for x in sp.sympify(e).atoms(*STEP_NODES))
        fresh = Fresh(statement)
        self.variables = {who: fresh.real(f"z_{getattr(who, 'name', who)}")
                          for who in [*self.pairs, *self.functions]}
        self.partners = {who: fresh.real(f"y_{who.name}") for who in self.pairs}
        self.run = KernelRun()
        self.forbidden: dict[tuple[Any, str], bool] = {}

    def choices(self, forbidden: dict[tuple[Any, str], bool]) -> list[Choice]:
        """All combinations of kernels that the hypotheses leave."""
        options: list[list[tuple[Any, str]]] = []
        for pair in self.pairs:
            options.append([(pair, k) for k in (COUPLES if self.couples else KERNELS)
                            if not any((pair, part) in forbidden for part in k.split("+"))])
        options += [[(event, side) for side in (PLACES if self.couples else SIDES)]
                    for event in self.events]

        def kinds(name: str) -> tuple[str, ...]:
            smooth = STEPS if self.steps else ()
            return smooth if smooth and name in self.hypotheses.no_impulse else (*smooth, "impulse")

        if self.joint:
            single = [tuple((other, kind if other == name else "zero") for other in self.functions)
                      for name in self.functions for kind in kinds(name)]
            return [(*c, *s) for c in product(*options) for s in single]
        options += [[(name, k) for k in kinds(name)] for name in self.functions]
        return [tuple(c) for c in product(*options)]

    def models(self, choice: Choice) -> tuple[dict[Any, Any], dict[str, Exact]]:
        """Models of the pairs and objects of the functions in a combination."""
        models: dict[Any, Any] = dict(self.concrete)
        functions: dict[str, Exact] = {}
        for who, kind in choice:
            if kind in SIDES or kind in PLACES:
                continue
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
            elif kind == "box":
                functions[who] = Exact.step(0) - Exact.step(z)
            elif kind == "rising":
                functions[who] = Exact.step(z)
            else:
                functions[who] = Exact.term(1) - Exact.step(z)
        return models, functions

    def interpreter(self, cell: Cell, choice: Choice) -> Interpreter:
        """The interpreter of a case."""
        models, functions = self.models(choice)
        inside = {**SIDES, **PLACES}
        events = {who: inside[kind] for who, kind in choice if kind in inside}
        return Interpreter(cell, models, frozenset(self.pairs), functions, events=events,
                           nonzero=frozenset(self.hypotheses.nonzero), joint=self.joint,
                           continuous=frozenset(self.hypotheses.continuous))

    def kernel_variables(self, choice: Choice) -> list[Any]:
        """The variables over which the mixture of a combination runs."""
        found: list[Any] = []
        for who, kind in choice:
            if kind in ("finite", "impulse", "rising", "falling", "finite+finite", "finite+minus"):
                found.append(self.variables[who])
            if kind in ("finite+finite", "plus+finite"):
                found.append(self.partners[who])
        return found

    def _sides(self, choice: Choice) -> list[Constraint]:
        """In a couple one kernel has more P-mass (z > 0), the other more Q-mass (y < 0)."""
        found: list[Constraint] = []
        for who, kind in choice:
            if kind in ("finite+finite", "finite+minus"):
                found.append((Form.atom(self.variables[who]), ">"))
            if kind in ("finite+finite", "plus+finite"):
                found.append((-Form.atom(self.partners[who]), ">"))
            if kind in STEPS and self._only_after_zero():
                # on t > 0 a function is g(0+) plus steps at positive times
                found.append((Form.atom(self.variables[who]), ">="))
        return found

    def _only_after_zero(self) -> bool:
        """Does the statement see functions at positive times only?"""
        def causal(e: Any, t: Any) -> bool:
            if isinstance(e, AppliedUndef):
                return bool(e.args == (t,))
            if isinstance(e, (cn.Primitive, cn.Convolution)) and e.has(AppliedUndef):
                return bool(e.args[-1] == 0) and all(causal(a, t) for a in e.args[:-1])
            plain = not isinstance(e, cn.Node) or isinstance(e, cn.GeneralizedDerivative)
            return not e.has(AppliedUndef) or (plain and all(causal(a, t) for a in e.args))

        def sees(e: Any) -> bool:
            if isinstance(e, cn.OneSided):
                return causal(e.args[0], e.args[1])
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


def _concrete(identity: Any) -> Any:
    try:
        return identity.mechanism.model()
    except Unsupported:
        return identity.mechanism
