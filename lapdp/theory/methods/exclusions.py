"""What hypotheses do to kernels: they exclude some, and earn the exchange with the mixture."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as cn
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, EmptyCell, NeedSplit, explore
from lapdp.calculus.transform import region
from lapdp.core import facts as known
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite, Model
from lapdp.theory.exchange import Rates, dominated, growth, guaranteed, nonnegative
from lapdp.theory.interpret import Exchange, Graded, Interpreter
from lapdp.theory.methods.combinations import (
    SIDES,
    STEPS,
    Choice,
    Combinations,
    describe_choice,
    leaves,
)
from lapdp.theory.methods.nothing import Amount, amounts
from lapdp.theory.obligations import (
    DivergesHere,
    ExcludedBy,
    Fails,
    HasSign,
    InfiniteHere,
    NoPartner,
    NoWeight,
    Vanishes,
)
from lapdp.theory.pointwise_claims import is_pointwise

BOUNDED = (pn.Profile, pn.LossCDF, pn.Probability)
"""Notions with values between 0 and a mass."""
MAY_BE_INFINITE = ("moment", "expectation", "integral over the space")
_ALIVE = Fails("the hypotheses leave this case")
_STEP_SIDES = {"rising": 1, "falling": -1, "box": 0}
"""Sign of Re s for which a family of steps represents functions."""


class Exclusions(Combinations):
    """Cases that the hypotheses exclude, and integrals that may be exchanged with the mixture."""

    _amounts: list[Amount] | None = None

    def excluded(self, cell: Cell, choice: Choice) -> tuple[Any, ...] | None:
        """Obligations that show the case to contradict a hypothesis, or None."""
        what = describe_choice(choice)
        for gap in self.hypotheses.different:
            here = gap.substitute(cell.values)
            real, imag = here.split_complex()
            if cell.sign(real) == 0 and cell.sign(imag) == 0:
                return (ExcludedBy(self.base, gap, what),)
        for z, x in self.hypotheses.no_atom:
            i = self.interpreter(cell, choice)
            mass = i.value(pn.Probability(z, sp.Symbol("=="), x)).x
            if cell.nonzero(mass):
                return (HasSign(self.base, mass, "!=", what + " is an atom, excluded"),)
        for amount in self._nothing():
            i = self.interpreter(cell, choice)
            here = i.value(amount.value).x.substitute(cell.values)
            if cell.sign_of(here) > 0:
                self.run.facts |= {known.DISINTEGRATION, *amount.proof.facts}
                return (NoWeight(self.base, here, ">", f"{what}: no weight by hypothesis",
                                 amount.proof),)
        for node in self.hypotheses.converge:
            found = self._divergence(cell, choice, node)
            if found is not None:
                return (found,)
        for e in self.hypotheses.defined:
            if self._infinite(cell, choice, e):
                again = partial(self._infinite, choice=choice, e=e)
                return (InfiniteHere(self.base, again, f"{what}: {e}"),)
        return None

    def _nothing(self) -> list[Amount]:
        """Amounts that are 0 by hypothesis, see :mod:`lapdp.theory.methods.nothing`."""
        if self._amounts is None:
            silent = self.functions or is_pointwise(self.statement.claim)
            self._amounts = [] if silent else amounts(self.statement, self.hypotheses.other)
        return self._amounts

    def lonely(self, cell: Cell, choice: Choice) -> tuple[Any, ...] | None:
        """Obligations that show a one-sided kernel to have no partner under the hypotheses."""
        for k, (who, kind) in enumerate(choice):
            if kind not in ("plus", "minus"):
                continue
            # the other mass may lie outside of an event that this one lies in
            places = [[(e, side) for side in SIDES] if at in SIDES else [(e, at)]
                      for e, at in choice]
            partners = [p for other in ("finite", "minus" if kind == "plus" else "plus")
                        if (who, other) not in self.forbidden
                        for p in product(*places[:k], [(who, other)], *places[k + 1:])]
            trees = tuple(explore(self.base, partial(self._excluded_or_alive, choice=p),
                                  path=cell.path) for p in partners)
            alive = [[any(o is _ALIVE for o in leaf.obligations), path]
                     for tree in trees for path, leaf in leaves(tree)
                     if not any(isinstance(o, EmptyCell) for o in leaf.obligations)]
            if not any(a for a, _ in alive):
                return (NoPartner(trees, describe_choice(choice)),)
            self._split_on_parameters(alive)
        return None

    def _excluded_or_alive(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        return self.excluded(cell, choice) or (_ALIVE,)

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
        if g.grade & set(self.pairs) and not nonnegative(f, cell):
            raise Unsupported("a signed integrand diverges on a kernel: the hypothesis does not "
                              "exclude it")
        if g.grade - set(self.pairs) and not _single(node):
            raise Unsupported("a combination of functions may converge where none of them does")
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
                for variable in {self.variables[who], self.partners[who]} & set(available):
                    for mass in (model.p_mass(cell), model.q_mass(cell)):
                        available[variable].extend(growth(mass, variable))
        values: list[Graded] = []
        for node in self.hypotheses.converge:
            stepping = any(kind in STEPS for _, kind in choice)
            if stepping and not node.has(cn.GeneralizedDerivative):
                # a small integral of |g| does not bound the variation of g
                continue
            g = i.function(node.args[0], node.args[1])
            if g.grade & set(self.pairs) and not nonnegative(g.x, cell):
                # on signed integrands a convergent mixture bounds no kernel
                continue
            if g.grade - set(self.pairs) and not _single(node):
                # |g + h|, or |g(t) - g(t + 1)|, bounds neither |g| nor |h|
                continue
            real = node.func(node.args[0], node.args[1], _real_part(node.args[2]))
            values.append(i.value(real))
        for e in self.hypotheses.defined:
            if isinstance(e, pn.Moment):
                values.append(i.value(e.func(_real_part(e.args[0]), *e.args[1:])))
            elif isinstance(e, pn.Expectation):
                # a finite mean is one of the modulus, too
                values.append(i.value(e))
        for g in values:
            if isinstance(g.x, Scalar):
                for variable, found in available.items():
                    found.extend(guaranteed(g.x, variable, cell))
        return available

    def earn(self, i: Interpreter, cell: Cell, choice: Choice, sides: list[Any]) -> None:
        """Raise :class:`Unsupported` unless every integral may be exchanged with the mixture."""
        pending: list[Exchange] = []
        kernel_variables = self.kernel_variables(choice)
        if not i.exchanges:
            return
        self.run.facts.add(known.DISINTEGRATION)
        available = self.rates(cell, choice)
        for exchange in i.exchanges:
            if not dominated(exchange, kernel_variables, available, cell) and not (
                    self._truncates(exchange, cell, choice)):
                pending.append(exchange)
        if not pending:
            self.run.facts.add(known.FUBINI)
            return
        for exchange in pending:
            # +oo is a value of E_q and of an expectation; a divergent transform has none, nor has
            # the logarithm of +oo
            if exchange.origin not in MAY_BE_INFINITE or not _nonnegative(exchange, cell):
                raise Unsupported(f"the exchange of the {exchange.origin} with the mixture is not "
                                  "earned: absolute convergence does not follow")
        if not all(_monotone(i, side) for side in sides):
            raise Unsupported("integrals that may be +oo are subtracted")
        self.run.facts.add(known.TONELLI)

    def _represented(self, cell: Cell, choice: Choice) -> tuple[Any, ...] | None:
        """Which family of steps represents g where the transforms of g and Dg both converge at s.

        For Re s > 0 the function vanishes at -oo (or is constant before 0) and is a mixture of
        rising steps; for Re s < 0 it vanishes at +oo and is a mixture of falling ones; for
        Re s = 0 it is a limit of mixtures of boxes, see :meth:`_truncates`.  Without the transform
        of g itself a constant would be neither.
        """
        for who, kind in choice:
            if kind not in STEPS:
                continue
            plain, derived = self._transforms_of(who)
            nodes = [n for n in derived if any(n.func is m.func and n.args[2] == m.args[2]
                                               for m in plain)]
            if not nodes:
                raise Unsupported(f"steps represent {who} only where its own transform and that of "
                                  "its derivative converge")
            re = self.interpreter(cell, choice).form(nodes[0].args[2]).real_part()
            sign = cell.sign(re)
            if sign != _STEP_SIDES[kind]:
                what = f"{describe_choice(choice)}: another family of steps is used, frequency"
                if sign == 0:
                    return (Vanishes(self.base, Scalar.of(re), what),)
                return (HasSign(self.base, Scalar.of(re * Form.of(sign)), ">", what),)
        return None

    def _truncates(self, exchange: Exchange, cell: Cell, choice: Choice) -> bool:
        """Is an integral over boxes on the line Re s = 0 continuous in the L1 norm and variation?

        Then compactly supported functions, mixtures of boxes within bounds, decide it.
        """
        f = exchange.function
        if f is None or [kind for _, kind in choice] != ["box"] or cell.sign(
                exchange.frequency.real_part()) != 0:
            return False
        plain = all(not n and not a.substitute(cell.values)
                    for terms in (f.germ, *f.jumps.values()) for a, n in terms)
        if not plain or any(set(orders) != {0} for orders in f.impulses.values()):
            return False
        weights = [*f.germ.values(), *(c for terms in f.jumps.values() for c in terms.values()),
                   *(orders[0] for orders in f.impulses.values())]
        if any(set(c.parameters()) & set(self.variables.values()) for c in weights):
            return False
        self.run.facts.add(known.DENSITY)
        return True

    def _transforms_of(self, name: str) -> tuple[list[Any], list[Any]]:
        """Convergent transforms, by hypothesis, of exactly g(t) and of its derivative."""
        plain, derived = [], []
        for node in self.hypotheses.converge:
            body, t = node.args[0], node.args[1]
            if isinstance(body, cn.GeneralizedDerivative) and body.args[1:] == (t, 1):
                if _is_function(body.args[0], name, t):
                    derived.append(node)
            elif _is_function(body, name, t):
                plain.append(node)
        return plain, derived


def _nonnegative(exchange: Exchange, cell: Cell) -> bool:
    """Is what is integrated real and nowhere negative?"""
    s = exchange.frequency
    if s != s.real_part():
        return False
    if exchange.function is not None:
        return nonnegative(exchange.function, cell)
    parts = exchange.value if isinstance(exchange.value, tuple) else (exchange.value,)
    return all(not isinstance(x, Scalar) or cell.sign_of(x) >= 0 for x in parts)


def _single(node: Any) -> bool:
    """Is the integrand one value of a function, or of its derivative, times known factors?"""
    factors = [x for x in sp.Mul.make_args(node.args[0]) if x.has(AppliedUndef)]
    if len(factors) != 1:
        return False
    (x,) = factors
    if isinstance(x, cn.GeneralizedDerivative) and x.args[1:] == (node.args[1], 1):
        x = x.args[0]
    return isinstance(x, AppliedUndef)


def _real_part(e: Any) -> Any:
    real = sp.re(sp.expand(e))
    return real


def _monotone(i: Interpreter, side: Any) -> bool:
    """Is every integral that may be +oo counted with a positive factor?"""
    for term in sp.Add.make_args(side):
        factors = sp.Mul.make_args(term)
        heavy = [x for x in factors if x.has(cn.Node)]
        if all(isinstance(x, BOUNDED) for x in heavy):
            continue
        light = sp.Mul(*(x for x in factors if x not in heavy))
        if i.cell.sign_of(i.scalar(light)) <= 0:
            return False
        if len(heavy) > 1:
            if not all(isinstance(x, (*BOUNDED, pn.Moment)) for x in heavy):
                return False
        elif heavy[0].is_Add:
            if not _monotone(i, heavy[0]):
                return False
        elif not isinstance(heavy[0], (cn.Node, sp.exp)):
            return False
    return True


def _is_function(e: Any, name: str, t: Any) -> bool:
    return isinstance(e, AppliedUndef) and type(e).__name__ == name and e.args == (t,)
