"""Strict relations between numbers of concrete mechanisms, by balls.

A claim without parameters about concrete pairs is a relation between two numbers.  Each notion in
it gets a ball from its definition, the rest is compiled as it stands; a ball of the difference that
does not hold 0 decides a relation, and so does one that holds nothing but 0.  The profile of an
atomic pair is the sum of max(0, a - b e^x) over its atoms: no order of losses need be known, so
that losses and points may be any numbers.  Other pairs have certified values at exact points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.balls.compiler import compile_balls
from lapdp.calculus import nodes as cn
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workdps
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Rejected, Witness, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.inner_loss import Inner
from lapdp.privacy.model import Infinite, Model
from lapdp.privacy.tradeoff_nodes import TradeOff
from lapdp.theory import language as lang
from lapdp.theory.obligations import Path
from lapdp.theory.render import word_of

DIGITS = (30, 100, 400, 1200)
SIGNS = {sp.Gt: (1,), sp.Ge: (1, 0), sp.Lt: (-1,), sp.Le: (-1, 0), sp.Ne: (1, -1), sp.Eq: (0,)}


@dataclass(frozen=True)
class Separated:
    """Balls keep a real number away from 0, on one side, or hold nothing but 0."""

    ball: Callable[[], Any]
    sign: int
    digits: int
    what: str

    def discharge(self, path: Path) -> None:
        """Evaluate again at the same precision."""
        if _sign_at(self.ball, self.digits) != self.sign:
            raise Rejected(f"{self.what}: balls do not separate the sides")

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: the difference is {'<=>'[self.sign + 1]} 0, by balls"


def by_numbers(statement: Any, _prove: Any = None) -> Judgement | None:
    """Decide a relation between numbers of concrete pairs, unless the two numbers are equal and
    their balls have a radius.

    Raises :class:`Unsupported` for notions without a ball, and where 1200 digits do not tell the
    sides apart.
    """
    claim = statement.claim
    if type(claim) not in SIGNS or statement.where or statement.parameters or not statement.pairs:
        return None
    if any(a.mechanism is None for p in statement.pairs for a in p.atoms()) or any(
            sp.sympify(e).has(AppliedUndef) for e in lang.expressions(claim)):
        return None
    numbers = Numbers()
    sides = [numbers.compiled(e) for e in (claim.lhs, claim.rhs)]

    def difference() -> Any:
        return sides[0]() - sides[1]()

    what = "balls of both sides"
    for digits in DIGITS:
        sign = _sign_at(difference, digits)
        if sign in SIGNS[type(claim)]:
            leaf = Leaf((Separated(difference, sign, digits, what),))
            return Judgement(Kind.DERIVED, "balls of numbers", proof=seal(Certificate(
                "balls of numbers", (("the two numbers", leaf),))))
        if sign is not None:
            lhs, rhs = (_shown(side, digits) for side in sides)
            text = "; ".join(f"{', '.join(p.names)} = mechanism_pair({p.mechanism!r})"
                             for p in statement.pairs if p.mechanism is not None)
            return Judgement(Kind.REFUTED, "balls of numbers", witness=Witness(
                text, {}, lhs, rhs, "the relation fails, by balls"), reason="the relation fails")
    raise Unsupported(f"{DIGITS[-1]} digits do not tell the two sides apart")


def failing(claim: Any, model_of: Callable[[Any, Any], Model],
            value_of: Callable[[Any], Scalar | Infinite],
            mechanism_of: Callable[[Any], Any]) -> tuple[str, str] | None:
    """Both sides of a relation without parameters, if balls show that it fails at given models.

    ``value_of`` gives exact values of notions without a ball of their own, ``mechanism_of`` what a
    pair is, if it is a mechanism.  None where it holds; Unsupported where balls do not tell the
    sides apart.
    """
    if type(claim) not in SIGNS:
        raise Unsupported("balls refute relations")
    numbers = Numbers(model_of, value_of, mechanism_of)
    sides = [numbers.compiled(e) for e in (claim.lhs, claim.rhs)]
    for digits in DIGITS[:2]:
        sign = _sign_at(lambda: sides[0]() - sides[1](), digits)
        if sign is not None:
            if sign in SIGNS[type(claim)]:
                return None
            return _shown(sides[0], digits), _shown(sides[1], digits)
    raise Unsupported("balls do not tell the two sides apart")


def _sign_at(ball: Callable[[], Any], digits: int) -> int | None:
    """The sign of the real number in a ball, 0 for a ball of radius 0 about 0; None if it is open.
    """
    with workdps(digits):
        z = ball()
        if not z.imag.is_zero():
            return None
        return 1 if z.real > 0 else -1 if z.real < 0 else 0 if z.real.is_zero() else None


def _shown(ball: Callable[[], Any], digits: int) -> str:
    with workdps(digits):
        return str(ball().real.str(20))


class Numbers:
    """Balls of the notions of concrete pairs at the precision of the moment.

    ``model_of`` gives the model of two members, where they are not those of a mechanism;
    ``value_of`` exact values of notions without a ball here; ``mechanism_of`` the mechanism that a
    pair is, where its own has letters.
    """

    def __init__(self, model_of: Callable[[Any, Any], Model] | None = None,
                 value_of: Callable[[Any], Scalar | Infinite] | None = None,
                 mechanism_of: Callable[[Any], Any] = lambda identity: identity.mechanism) -> None:
        self.models: dict[Any, Model] = {}
        self.model_of, self.value_of, self.mechanism_of = model_of, value_of, mechanism_of

    def compiled(self, e: Any) -> Callable[[], Any]:
        """A closure for the ball of an expression."""
        e = sp.sympify(e)
        found = {x: sp.Dummy("x", real=True) for x in _outermost(e)}
        balls = {symbol: self._notion(x) for x, symbol in found.items()}
        rest = e.xreplace(found)

        def value() -> Any:
            try:
                return compile_balls(rest, {s: ball() for s, ball in balls.items()}).constant()
            except InputError as problem:
                raise Unsupported(str(problem)) from None
        return value

    def _notion(self, e: Any) -> Callable[[], Any]:
        try:
            return self._ball(e)
        except Unsupported:
            if self.value_of is None:
                raise
        known = self.value_of(e)
        if isinstance(known, Infinite):
            raise Unsupported(f"an infinite {word_of(e)}")
        return lambda: enclose(known, {})

    def _ball(self, e: Any) -> Callable[[], Any]:
        if isinstance(e, pn.Profile):
            if self._atomic(*e.args[:2]) or not _is_number(e.args[2]):
                point = self.compiled(e.args[2])
                return lambda: _profile(self._model(*e.args[:2]), point())
            identity, reverse = pn.oriented(*e.args[:2])
            found = identity.mechanism.reverse() if reverse else identity.mechanism
            return lambda: flint.acb(found.profile_ball(e.args[2]))
        if isinstance(e, pn.Probability) and e.args[2] == sp.oo and str(e.args[1]) == "==":
            return lambda: enclose(self._model(*e.args[0].args).p_infinite, {})
        if isinstance(e, (pn.LossCDF, pn.Probability)):
            return self._probability(e)
        if isinstance(e, Inner):
            return self._inner(e)
        if isinstance(e, pn.RenyiDivergence):
            return self._renyi(e)
        if isinstance(e, TradeOff):
            return self._trade_off(e)
        raise Unsupported(f"no ball for {word_of(e)}")

    def _atomic(self, first: Any, second: Any) -> bool:
        identity, _ = pn.oriented(first, second)
        if identity.mechanism is None:
            return True
        try:
            model = identity.mechanism.model()
        except (AttributeError, Unsupported):
            return False
        return isinstance(model, Model) and model.atoms is not None

    def _probability(self, e: Any) -> Callable[[], Any]:
        """The mass of the losses in a relation to a point that balls tell apart."""
        relation = "<=" if isinstance(e, pn.LossCDF) else str(e.args[1])
        point = e.args[1] if isinstance(e, pn.LossCDF) else e.args[2]
        if (isinstance(e, pn.LossCDF) and e.args[2] == 1) or point in (sp.oo, -sp.oo):
            raise Unsupported("no ball for this probability")
        model, x = self._model(*e.args[0].args), self.compiled(point)

        def mass() -> Any:
            above, at = relation in (">", ">="), x().real
            total = enclose(model.p_infinite, {}).real if above else flint.arb(0)
            for a, _, z in model.atoms or ():
                gap = enclose(Scalar.of(z), {}).real - at
                if gap.contains(0):
                    if Form.of(point) - z:
                        raise Unsupported("a loss that is not told apart from the point")
                    inside = relation in ("<=", ">=", "==")
                else:
                    inside = relation[0] == (">" if gap > 0 else "<")
                if inside:
                    total += enclose(a, {}).real
            return flint.acb(total)
        return mass

    def _renyi(self, e: Any) -> Callable[[], Any]:
        """log(E_q)/(q - 1), for E_q that the model has in the field."""
        order = Form.of(e.args[0])
        gap = order - Form.of(1)
        if not gap:
            raise Unsupported("no ball for R_1")
        mean = self._any_model(*e.args[1:]).moment(order, Cell())
        if isinstance(mean, Infinite):
            raise Unsupported("an infinite moment")
        return lambda: enclose(mean, {}).log() / enclose(gap, {})

    def _trade_off(self, e: Any) -> Callable[[], Any]:
        """The closed form of the mechanism, at a level in [0, 1]."""
        identity, reverse = pn.oriented(*e.args[:2])
        level, found = sp.sympify(e.args[2]), self.mechanism_of(identity)
        if not hasattr(found, "tradeoff") or not _is_number(level):
            raise Unsupported(f"no ball for {word_of(e)}")
        pair = found.reverse() if reverse else found
        return compile_balls(pair.tradeoff(level), {}).constant

    def _inner(self, e: Any) -> Callable[[], Any]:
        """A mean over the finite losses."""
        model = self._model(*e.args[0].args)
        atoms = list(model.atoms or ())
        bodies = [self.compiled(e.body(z.to_sympy())) for _, _, z in atoms]

        def value() -> Any:
            masses = [enclose(a, {}) for a, _, _ in atoms]
            whole = sum(masses, flint.acb(0))
            if whole.contains(0):
                raise Unsupported("no finite loss")
            parts = (m * body() for m, body in zip(masses, bodies, strict=True))
            return sum(parts, flint.acb(0)) / whole
        return value

    def _model(self, first: Any, second: Any) -> Model:
        found = self._any_model(first, second)
        if found.atoms is None:
            raise Unsupported("balls need a pair with atoms")
        return found

    def _any_model(self, first: Any, second: Any) -> Model:
        if self.model_of is not None:
            return self.model_of(first, second)
        identity, reverse = pn.oriented(first, second)
        if identity not in self.models:
            found = getattr(identity.mechanism, "model", None)
            model = found() if found is not None else None
            if not isinstance(model, Model):
                raise Unsupported("balls need a pair with a model")
            self.models[identity] = model
        return self.models[identity].reverse() if reverse else self.models[identity]


def _profile(model: Model, point: Any) -> Any:
    """Mass at infinite loss and the sum of max(0, a - b e^x)."""
    if not point.imag.is_zero():
        raise Unsupported("a profile at a point that is not real")
    odds = point.real.exp()
    total = enclose(model.p_infinite, {}).real
    for a, b, _ in model.atoms or ():
        total += (enclose(a, {}).real - odds * enclose(b, {}).real).max(flint.arb(0))
    return flint.acb(total)


def _is_number(e: Any) -> bool:
    return not e.free_symbols and not e.has(cn.Node)


def _outermost(e: Any) -> list[Any]:
    if isinstance(e, cn.Node):
        return [e]
    return [x for a in e.args for x in _outermost(a)]


__all__ = ["Numbers", "by_numbers", "failing"]
