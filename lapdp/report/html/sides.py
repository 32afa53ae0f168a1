"""Both sides of a refuted relation around its counterexample, evaluated exactly there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import flint
import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import NeedSplit
from lapdp.core.errors import LapdpError, Undefined
from lapdp.core.precision import workdps
from lapdp.privacy.model import Infinite, Model
from lapdp.report.html.curves import Curve, drawing
from lapdp.theory import language as lang
from lapdp.theory.instances import Instance, allowed, candidates
from lapdp.theory.statement import Statement
from lapdp.theory.unfolding import unfold
from lapdp.theory.witness import Trial

LOOKED = 1500
"""Instances that are compared with the text of a witness."""
STEPS, STEP = 8, sp.Rational(3, 16)
"""How many points on each side of the counterexample, and how far apart."""
CORNERS = 8
FIRST = ("eps", "t", "q", "x", "s", "z")
"""Letters that a reader expects on the axis, before all others."""

Result = Mapping[str, Any]


def sides(statement: Statement, witness: Mapping[str, Any] | None) -> str:
    """The drawing for the counterexample of a judged statement; empty where there is none to draw.

    The pair stays as in the counterexample, and one real parameter moves.  Each plotted point is an
    exact value or the middle of a ball below the width of a line; there is a gap where a side has
    no finite value or a hypothesis fails.
    """
    found = instance_of(statement, witness) if witness else None
    return "" if found is None else around(statement, found)


def all_sides(statements: Sequence[Statement], results: Sequence[Result]) -> dict[str, str]:
    """The drawings for all judged statements that have one, by id."""
    witnesses = {r["id"]: r["witness"] for r in results if r["witness"]}
    drawn = {s.id: sides(s, witnesses[s.id]) for s in statements if s.id in witnesses}
    return {name: drawing for name, drawing in drawn.items() if drawing}


def instance_of(statement: Statement, witness: Mapping[str, Any]) -> Instance | None:
    """The instance that a witness names: the search goes through them in a fixed order."""
    meant = unfold(statement)
    functions = sorted({type(x).__name__ for form in (meant.claim, *meant.where)
                        for e in lang.expressions(form)
                        for x in sp.sympify(e).atoms(AppliedUndef)})
    for found in islice(candidates(meant, functions), LOOKED):
        values = {str(k): str(v) for k, v in found.values.items()}
        if values == witness["values"] and found.text() == witness["text"]:
            return found
    return None


def around(statement: Statement, instance: Instance) -> str:
    """Both sides near an instance, over the first parameter on which they depend and differ."""
    claim = statement.claim
    if isinstance(claim, lang.Implies):
        claim = claim.conclusion
    if not isinstance(claim, sp.core.relational.Relational):
        return ""
    letters = sorted(instance.values, key=lambda s: (
        FIRST.index(s.name) if s.name in FIRST else len(FIRST), s.name))
    for letter in letters:
        if letter in claim.free_symbols:
            found = _Along(statement, claim, instance, letter).drawn()
            if found:
                return found
    return ""


class _Along:
    """Both sides along one parameter."""

    def __init__(self, statement: Statement, claim: Any, instance: Instance, letter: Any) -> None:
        self.statement, self.claim, self.instance, self.letter = statement, claim, instance, letter
        self.centre = instance.values[letter]
        step = sp.Integer(1) if letter.is_integer else STEP
        regular = [self.centre + k * step for k in range(-STEPS, STEPS + 1)]
        beyond = STEPS * step
        corners = [] if not letter.is_real or letter.is_integer else [
            z for z in _losses(instance) if abs(float(z - self.centre)) < beyond]
        self.values = sorted({v for v in (*regular, *corners) if allowed(letter, v)},
                             key=lambda v: float(sp.re(v)))

    def drawn(self) -> str:
        found = [self._at(value) for value in self.values]
        if not any(b is not None for row in found for b in row):
            return ""
        across, part = self._axis(), self._part(found)
        places = [float(sp.re(v)) for v in self.values]
        curves = [Curve(name, tuple(
            (x, None if row[side] is None else part(row[side]))
            for x, row in zip(places, found, strict=True)))
            for side, name in enumerate(("left side", "right side"))]
        if not any(len(set(curve.values)) > 1 for curve in curves):
            # two constants say no more than the two numbers above
            return ""
        name = "imaginary part" if part is _imaginary else "value"
        relation = self.claim.rel_op.replace("==", "=")
        spoken = "; ".join(f"{curve.name} {_spoken(curve, places)}" for curve in curves)
        return drawing(
            curves, across=across, mark=float(sp.re(self.centre)), stems=bool(
                self.letter.is_integer),
            title=f"Left and right side as functions of {self.letter}",
            description=f"{name} of both sides of the relation with sign {relation}, at "
                        f"{len(places)} points of {across} from {places[0]:.3g} to "
                        f"{places[-1]:.3g}, the pair that of the counterexample: {spoken}")

    def _axis(self) -> str:
        imaginary = sp.im(self.centre)
        return f"{self.letter}" if imaginary == 0 else f"Re {self.letter}"

    def _part(self, found: list[tuple[Any, Any]]) -> Any:
        """The imaginary part where only it tells the sides apart."""
        middle = found[self.values.index(self.centre)]
        if None not in middle and _real(middle[0]) == _real(middle[1]) and (
                _imaginary(middle[0]) != _imaginary(middle[1])):
            return _imaginary
        return _real

    def _at(self, value: Any) -> tuple[Any, Any]:
        values = {**self.instance.values, self.letter: value}
        pairs = dict(self.instance.pairs)
        for identity in pairs:
            if identity.mechanism is not None:
                there = identity.mechanism.substitute(values)
                if there is None:
                    return None, None
                pairs[identity] = (repr(there), there)
        trial = Trial(replace(self.instance, values=values, pairs=pairs))
        try:
            if not all(trial.holds(form) for form in self.statement.where):
                return None, None
        except (LapdpError, NeedSplit):
            return None, None
        return self._ball(trial, self.claim.lhs), self._ball(trial, self.claim.rhs)

    @staticmethod
    def _ball(trial: Trial, side: Any) -> Any:
        """The middle of a narrow ball around a side; None where it has no finite value."""
        try:
            value = trial.value(side)
            if isinstance(value, Infinite):
                return None
            with workdps(30):
                ball = enclose(value, {})
        except (LapdpError, NeedSplit, Undefined):
            return None
        both = flint.acb(ball)
        if not (both.is_finite() and both.rad() < 1e-9 * (1 + abs(both.mid()))):
            return None
        return complex(float(both.real.mid()), float(both.imag.mid()))


def _losses(instance: Instance) -> list[Any]:
    """The losses of finite pairs and their opposites: where curves have corners and jumps."""
    found = set()
    for _, pair in instance.pairs.values():
        try:
            model = pair if isinstance(pair, Model) else pair.model()
        except (AttributeError, LapdpError):
            # a pair with a heavy tail, or outside the exact class, has no model
            continue
        found |= {z for z in map(Form.to_sympy, model.loss.impulses) if not z.free_symbols}
    return sorted({*found, *(-z for z in found)}, key=float)[:CORNERS]


def _real(value: complex) -> float:
    return value.real


def _imaginary(value: complex) -> float:
    return value.imag


def _spoken(curve: Curve, places: list[float]) -> str:
    if not curve.values:
        return "has no finite value here"
    missing = len(places) - len(curve.values)
    gaps = f", without a value at {missing} of them" if missing else ""
    return f"from {min(curve.values):.4g} to {max(curve.values):.4g}{gaps}"


__all__ = ["all_sides", "around", "instance_of", "sides"]
