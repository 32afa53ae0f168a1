"""Instances chosen against a statement, and what contradicts it there at two precisions.

Boundary points are where arguments break: one-point spaces, equal and disjoint distributions,
masses that vanish on one side, zeros of denominators and of the sides of hypotheses, zero and very
large parameters, steps with their jump at 0.  What is found is no verdict: the columns disagree.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.calculus.nodes import Bromwich, Node
from lapdp.core.errors import LapdpError
from lapdp.numeric.claims import holds, needs_nodes, satisfied
from lapdp.numeric.evaluate import Evaluator
from lapdp.numeric.functions import shaped_functions
from lapdp.numeric.generalized import PiecewiseCallable
from lapdp.numeric.instances import Drawer, Instance, describe, draw_symbol, finite_pair
from lapdp.numeric.outcome import Outcome
from lapdp.numeric.pairs import Pair
from lapdp.numeric.quantifiers import allowed
from lapdp.numeric.tails import Number
from lapdp.numeric.work import Exhausted, Work
from lapdp.privacy.nodes import Profile

INSTANCES, WORK = 40, 6_000
"""How many instances are drawn, and what they may cost, in evaluations."""
ONE_INSTANCE = 3_000
"""What one of them may cost, at one precision."""
DIGITS = (20, 40)
TIED = 500
"""Digits at which a tie of two numbers must stand to contradict a strict order."""
_GUARD = 15
STEADY = mp.mpf("0.001")
"""How much two precisions may differ on the size of a contradiction."""
TRIES = 8
"""Draws until the hypotheses hold, for one instance."""

_H = Fraction(1, 2)
SHAPES: tuple[tuple[tuple[Any, Any], ...], ...] = (
    ((1, 1),),
    ((_H, _H), (_H, _H)),
    ((1, 0), (0, 1)),
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
    ((1, _H), (0, _H)),
    ((_H, 1), (_H, 0)),
    ((_H, 0), (_H, _H), (0, _H)),
    ((Fraction(1, 10), 0), (Fraction(9, 10), 1)),
    ((Fraction(1, 1000), Fraction(999, 1000)), (Fraction(999, 1000), Fraction(1, 1000))),
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))),
)
"""Masses (p, q) of the outcomes of hostile pairs."""
KINDS = ("both", "not P << Q", "not Q << P", "neither", "equal")
REALS = (*map(sp.Rational, ("0", "1", "-1", "1/2", "2", "-1/2", "-2", "3", "1/100", "-1/100",
                            "20", "-20")), sp.log(2), -sp.log(2))
COMPLEX = (sp.Integer(0), sp.Integer(1), sp.Integer(2), sp.Rational(1, 2), sp.I, sp.Integer(-1),
           sp.Rational(1, 2) + 2 * sp.I, 2 - sp.I)


class HostileDrawer(Drawer):
    """Draws the instances against a statement."""

    def __init__(self, statement: Any, digits: int) -> None:
        super().__init__(statement, digits)
        self.dense = False
        self.forms = (statement.claim, *statement.where)
        self.critical = critical(self.trees)
        self.simplest = True
        self.uniform: Any = None
        self.exact: dict[Any, Any] = {}

    def prepare(self, rng: random.Random, k: int) -> None:
        """What instance number k has in common: one value for all letters, equal pairs, or not."""
        self.simplest = k % 2 == 0
        self.uniform = REALS[(k // 2) % len(REALS)] if k % 4 == 1 else None
        self.same = SHAPES[(k // 3) % len(SHAPES)] if k % 3 == 0 else None
        self.exact = {}

    def value(self, symbol: Any, rng: random.Random, special: list[Number]) -> Number:
        """A boundary value, a loss of a pair, the value of another letter, or any."""
        if rng.random() < 0.25 and special:
            value = +rng.choice(special)
            if _fits(symbol, value):
                return value
        pool = [self.uniform] if self.uniform is not None else list(REALS)
        if symbol.is_integer:
            pool = list(map(sp.Integer, (0, 1, 2, 3, -1)))
        elif not symbol.is_extended_real:
            pool = list(COMPLEX)
        value = rng.choice(pool)
        if symbol.is_extended_real and not _fits(symbol, mp.mpf(1) * _number(value)):
            value = -value if _fits(symbol, -_number(value)) else None
        if value is None or (rng.random() < 0.15 and self.uniform is None):
            return draw_symbol(symbol, rng, special)
        self.exact[symbol] = value
        return _number(value)

    def free_pair(self, rng: random.Random, kind: str) -> tuple[Pair, str]:
        """A pair of the list, or a small one at random."""
        if self.same is not None:
            pair = Pair(self.same)
        elif rng.random() < 0.6:
            pair = Pair(rng.choice(SHAPES))
        else:
            pair = finite_pair(rng, rng.choice(KINDS))
        return pair, describe(pair)

    def function(self, rng: random.Random) -> tuple[PiecewiseCallable, str]:
        """A function of the list, or any."""
        return rng.choice(shaped_functions()) if rng.random() < 0.7 else super().function(rng)

    def draw(self, rng: random.Random, kind: str) -> Instance:
        """One instance; one letter may be put where a denominator or a side vanishes."""
        instance = super().draw(rng, kind)
        if self.critical and rng.random() < 0.5:
            e, s = rng.choice(self.critical)
            self._put(instance, e, s)
        for p in self.pairs:
            self._require_range(p, instance)
        return instance

    def _put(self, instance: Instance, e: Any, s: Any) -> None:
        """The value of a letter at which an affine expression vanishes, if it is one exactly."""
        others = e.free_symbols - {s}
        if not others <= set(self.exact) or s not in instance.values:
            return
        at = e.xreplace({x: self.exact[x] for x in others})
        slope = sp.diff(at, s)
        if not slope.is_number or slope == 0 or not at.is_polynomial(s):
            return
        root = sp.expand(-at.xreplace({s: sp.Integer(0)}) / slope)
        if not root.is_Rational or not _fits(s, _number(root)):
            return
        self.exact[s], instance.values[s] = root, _number(root)
        if s in self.first:
            self.remake(instance)

    def _require_range(self, p: Any, instance: Instance) -> None:
        """A mechanism takes its parameters from a range: outside it there is no pair."""
        if p.mechanism is None or not hasattr(p.mechanism, "substitute"):
            return
        wanted = {s: self.exact.get(s, instance.values.get(s)) for s in self.first}
        values = {s: v if isinstance(v, sp.Basic) else sp.Rational(str(mp.nstr(v, 15)))
                  for s, v in wanted.items() if v is not None}
        if p.mechanism.substitute(values) is None:
            raise OutOfRange("a mechanism without a meaning at these parameters")


class OutOfRange(LapdpError):
    """Parameters at which a mechanism has no meaning."""


def _number(value: Any) -> Number:
    """An exact value at the current precision, by the same operations as in statements."""
    if isinstance(value, sp.Rational):
        return mp.mpf(int(value.p)) / int(value.q)
    if value in (sp.log(2), -sp.log(2)):
        return mp.log(2) if value == sp.log(2) else -mp.log(2)
    re, im = value.as_real_imag()
    return mp.mpc(_number(re), _number(im))


def _fits(symbol: Any, value: Number) -> bool:
    if symbol.is_extended_real and mp.im(value) != 0:
        return False
    if symbol.is_integer and value != mp.floor(mp.re(value)):
        return False
    return not symbol.is_extended_real or allowed(symbol, mp.re(value))


def critical(trees: list[Any]) -> list[tuple[Any, Any]]:
    """Expressions whose zeros are boundaries, each with a letter to solve for: denominators,
    arguments of logarithms and profiles, differences of sides."""
    found: dict[tuple[Any, Any], None] = {}

    def add(e: Any) -> None:
        if e.has(Node) or (not e.is_Add and not e.is_Symbol and not e.is_Mul):
            return
        for s in sorted(e.free_symbols, key=str):
            if type(s) is sp.Symbol:
                found[e, s] = None

    for tree in trees:
        for e in sp.preorder_traversal(tree):
            if isinstance(e, sp.Pow) and e.exp.could_extract_minus_sign():
                add(e.base)
            elif isinstance(e, (sp.log, sp.Abs, sp.sign, sp.Heaviside)):
                add(e.args[0])
            elif isinstance(e, (sp.Max, sp.Min)) and len(e.args) == 2:
                add(e.args[0] - e.args[1])
            elif isinstance(e, Profile):
                add(e.args[2])
            elif isinstance(e, sp.core.relational.Relational):
                add(e.lhs - e.rhs)
    return list(found)


@dataclass(frozen=True)
class Doubt:
    """An instance at which the numbers contradict a statement."""

    where: dict[str, Any]
    outcome: Outcome

    def __str__(self) -> str:
        text = f"{self.outcome.lhs} against {self.outcome.rhs}"
        if self.outcome.why:
            text += f" ({self.outcome.why})"
        rest = "; ".join(f"{k}: {v}" for k, v in self.where.items() if k != "parameters")
        letters = ", ".join(f"{k} = {v}" for k, v in self.where.get("parameters", {}).items())
        return f"{text} at {'; '.join(x for x in (letters, rest) if x)}"

    @property
    def places(self) -> list[str]:
        """Pairs, spaces and functions of the instance, without its letters."""
        return [str(v) for k, v in self.where.items() if k != "parameters"]

    @property
    def of_exact_masses(self) -> bool:
        """Do finite pairs alone carry it?  What depends on their masses ties by no rounding."""
        return bool(self.places) and all(v.startswith("[") for v in self.places)

    @property
    def gap(self) -> Any:
        """The left side less the right one, or None where they are no numbers."""
        try:
            left, right = (mp.mpmathify(x.replace(" ", "")) for x in (
                self.outcome.lhs, self.outcome.rhs))
        except (TypeError, ValueError, AttributeError):  # the last of a text that is no number
            return None
        return left - right


def doubts(statement: Any, *, instances: int = INSTANCES, work: float = WORK, seed: int = 0
           ) -> Doubt | None:
    """The first hostile instance that contradicts a statement at both precisions, or None.

    The work is counted in evaluations, never in seconds.  None says little: the instances agree,
    or do not reach the statement.

    >>> from lapdp.theory import Le, Lt, R, claim, pair
    >>> P, Q = pair()
    >>> print(doubts(claim("x/strict", Lt(0, R(2, P, Q)))))
    0.0 against 0.0 at pair P,Q: [(1, 1)]
    >>> doubts(claim("x/weak", Le(0, R(2, P, Q)))) is None
    True
    """
    if type(statement.claim).__name__ in ("NotAlways", "ExistsPair", "ExistsDistributions"):
        return None
    if _impulses_away(statement):
        return None
    meter = Work(work)
    drawers: dict[int, HostileDrawer] = {}
    for k in range(instances):
        try:
            found = [at for digits in DIGITS if (at := _against(
                statement, k, digits, seed, meter, drawers)) is not None]
            if len(found) < len(DIGITS) or not _steady(*found):
                continue
            if found[-1].gap != 0 or found[-1].of_exact_masses:
                return found[-1]
            # a strict order of letters alone that fails by rounding: it must fail far beyond
            if not found[-1].places:
                tied = _against(statement, k, TIED, seed, meter, drawers)
                if tied is not None and tied.gap == 0:
                    return found[-1]
        except Exhausted:
            return None
    return None


def _impulses_away(statement: Any) -> bool:
    """Is an impulse spoken of under a condition on its place?  Its letter is no value then, and
    equality of measures on a part of the line is not what the numbers compare."""
    atoms = getattr(statement.claim, "atoms", None)
    if atoms is None:
        return False
    places = {s for x in atoms(sp.DiracDelta) for s in x.free_symbols}
    return any(places & getattr(w, "free_symbols", set()) for w in statement.where)


def _steady(first: Doubt, second: Doubt) -> bool:
    """Is the contradiction the same at both precisions, and no matter of rounding?"""
    if first.outcome.why or second.outcome.why:
        return first.outcome.why == second.outcome.why
    gaps = [first.gap, second.gap]
    if None in gaps or gaps == [0, 0]:
        return True
    return all(map(mp.isfinite, gaps)) is False or bool(
        abs(gaps[0] - gaps[1]) <= STEADY * abs(gaps[1]))


def _against(statement: Any, k: int, digits: int, seed: int, meter: Work,
             drawers: dict[int, HostileDrawer]) -> Doubt | None:
    """The contradiction at instance number k, if there is one at this precision."""
    if digits != DIGITS[0] and not drawers.get(-1):
        return None
    drawers[-1] = None  # type: ignore[assignment]
    with mp.workdps(digits + _GUARD):
        if digits not in drawers:
            drawers[digits] = HostileDrawer(statement, digits)
        drawer = drawers[digits]
        if any(tree.has(Bromwich) for tree in drawer.trees):
            return None  # inversion integrals converge too slowly to contradict anything
        for attempt in range(TRIES):
            meter.spend(10)
            rng = random.Random(f"{seed}/{k}/{attempt}")
            drawer.prepare(rng, k)
            share = meter.share(ONE_INSTANCE)
            try:
                instance = drawer.draw(rng, "both")
                ev = Evaluator(instance, share)
                if not all(satisfied(h, ev) for h in sorted(statement.where, key=needs_nodes)):
                    continue
                outcome = holds(statement.claim, ev)
            except Exhausted:
                raise
            except (LapdpError, ArithmeticError, ValueError, NotImplementedError,
                    mp.NoConvergence):
                continue
            if outcome.holds is False:
                drawers[-1] = drawer
                return Doubt(instance.record(), outcome)
            return None
    return None


__all__ = ["Doubt", "HostileDrawer", "critical", "doubts", "shaped_functions"]
