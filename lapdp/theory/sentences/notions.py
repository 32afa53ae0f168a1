"""The notions of privacy as integrals of functions of the densities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from lapdp.privacy import events as ev
from lapdp.privacy import nodes as pn
from lapdp.privacy.inner_loss import InnerMean, InnerMoment, InnerVariance
from lapdp.privacy.mechanisms.outcomes import NamedOutcomes
from lapdp.privacy.mixtures import members
from lapdp.privacy.nodes import Distribution
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.theory.sentences.points import PLUS, Points
from lapdp.theory.sentences.scope import NotSaid, sort_key
from lapdp.theory.sentences.spaces import Space, member
from lapdp.theory.sentences.terms import NODES


class Notions(Points):
    """Reads profiles, losses, moments, events and integrals over the space."""

    def two_of(self, first: Any, second: Any) -> None:
        """Two distributions: weights of mixtures must be weights."""
        identity, weights = members(first, second)
        if identity.names and len(identity.names) != 2:
            raise NotSaid("a notion of more than two distributions")
        zero, one = self.b.number(0), self.b.number(1)
        for e, row in zip((first, second), weights, strict=True):
            if isinstance(e, Distribution):
                continue
            terms = [self.real(w) for w in row]
            for t in terms:
                self.demand(self.b.make("le", zero, t))
            self.demand(self.b.make("eq", self.total(terms), one))

    def over(self, first: Any, second: Any, build: Callable[[int, int], int]) -> int:
        """The integral of a function of two densities."""
        self.two_of(first, second)
        return self.integral(sp.Tuple(first, second),
                             lambda: build(self.term(first), self.term(second)), [])

    def mass(self, first: Any, second: Any, test: str, **terms: int) -> int:
        """The integral of the first density where what a text says of both holds."""
        return self.over(first, second, lambda p, q: self.say(
            f"case({test}, p, 0)", p=p, q=q, **terms))

    def exceeds(self, loss: Any, relation: str, x: Any) -> int:
        """Pr[Z relation x] for Z = log(P/Q) under P, +oo where Q vanishes."""
        first, second = loss.args
        if x in (sp.oo, -sp.oo):
            lost = {"==": "q == 0", ">=": "q == 0", ">": "false", "<": "not q == 0",
                    "<=": "not false"}
            every = {"==": "false", "<": "false", "<=": "false", ">=": "not false",
                     ">": "not false"}
            return self.mass(first, second, (lost if x == sp.oo else every)[relation])
        tests = {">": "z * q < p", ">=": "z * q <= p", "<=": "p <= z * q", "<": "p < z * q",
                 "==": "p == z * q"}
        return self.mass(first, second, tests[relation], z=self.b.make("exp", self.real(x)))

    # -- events -----------------------------------------------------------------------------------

    def inside(self, event: Any) -> int:
        """Is the outcome in the event?"""
        make = self.b.make
        if isinstance(event, pn.Complement):
            return make("not", self.inside(event.args[0]))
        if isinstance(event, ev.SetOperation):
            first, second = (self.inside(x) for x in event.args)
            if isinstance(event, ev.Difference):
                second = make("not", second)
            return make("or" if isinstance(event, ev.Union) else "and", first, second)
        if isinstance(event, Where):
            return self.condition(event.args[0])
        if isinstance(event, pn.Event):
            if self.space is None or not self.space.plain or self.outcome[0].outcome is None:
                raise NotSaid("an arbitrary event of a product or of a mechanism")
            found = self.bound.get(event)
            if found is None:
                found = self.letter((pn.Event, event), event.name, "S")
            return make("in", self.outcome[0].outcome, found)
        raise NotSaid(f"the event {type(event).__name__}")

    def weighed(self, body: Any, event: Any = None) -> int:
        """The integral of a body over the space, or over an event of it."""
        beside = () if event is None else (event,)
        pairs = self.pairings(body, *beside)
        weights = {id(d.pair) for d in body.atoms(Distribution)}
        spoken = {id(d.pair) for pair in pairs for e in pair for d in e.atoms(Distribution)}
        if any(s not in weights for s in spoken):
            raise NotSaid("the loss of a pair under another one")

        def build() -> int:
            value = self.value(body)
            if event is None or value == self.b.number(0):
                return self.finite(body)
            test = self.inside(event)
            if test in (self.b.make("false"), self.truth()):
                return self.finite(body) if test == self.truth() else self.b.number(0)
            value = self.finite(body)
            return self.case(test, value, self.zero(value))

        return self.integral(body, build, pairs, beside)


def _profile(e: Notions, x: Any) -> int:
    first, second, eps = x.args
    if eps == sp.oo:
        return e.exceeds(pn.Loss(first, second), "==", eps)
    if eps == -sp.oo:
        raise NotSaid("a profile at -oo")
    level = e.b.make("exp", e.real(eps))
    return e.over(first, second, lambda p, q: e.say("max(0, p - z * q)", p=p, q=q, z=level))


def _expectation(e: Notions, x: Any) -> int:
    body, z = x.args
    first, second = z.args
    e.two_of(first, second)
    before = len(e.conditions)
    if any(other != z for other in body.atoms(pn.Loss)):
        raise NotSaid("an expectation over one loss of another")

    def build() -> int:
        if e.ends[first, second] == "-oo":
            return e.b.number(0)
        value = e.finite(body)
        return value if value == e.b.number(0) else e.num("mul", e.term(first), value)

    found = e.integral(sp.Tuple(first, second), build, [(first, second)])
    if isinstance(body, sp.exp):
        e.limits.update(e.conditions[before:])
    return found


def _moment(e: Notions, x: Any) -> int:
    q, first, second = x.args
    e.two_of(first, second)
    pair = (first, second)

    def build() -> int:
        value = e.powers(q, pair)
        if isinstance(value, str):
            return e.unbounded(pair)
        return value

    return e.integral(sp.Tuple(first, second), build, [pair])


def _renyi(e: Notions, x: Any) -> int:
    q, first, second = x.args
    moment, order = e.logarithm(e.term(pn.Moment(q, first, second))), e.term(q)
    if not e.claiming and not (q - 1).is_positive and not (e.finite_meant and q.is_real):
        raise NotSaid("in a hypothesis: a Renyi divergence of an order that may be below 1")
    return e.say("m * inv(q + l)", m=moment, q=order, l=e.b.number(-1))


def _measure(e: Notions, x: Any) -> int:
    d, event = x.args
    outside = isinstance(event, pn.Complement)
    named = event.args[0] if outside else event
    if isinstance(named, ev.Outcomes):
        if not isinstance(d.pair.mechanism, NamedOutcomes):
            raise NotSaid("named outcomes of another pair")
        names = d.pair.mechanism.names
        if not set(named.names) <= set(names):
            raise NotSaid("an outcome without that name")
        rows = Space(e, {d}).coordinates[0][1].rows
        return e.total([row[d.side] for name, row in zip(names, rows, strict=True)
                        if (name in named.names) != outside])
    return e.weighed(d, event)


def _supremum(e: Notions, x: Any) -> int:
    body, event = x.args
    def inner(s: int) -> int:
        with e.where({event: s}):
            return e.real(body)
    return e.bind("supS", "S", inner)


def _inner(e: Notions, x: Any) -> int:
    """A mean over the finite losses, renormalised."""
    loss = x.args[0]
    first, second = loss.args
    e.two_of(first, second)
    mean = e.term(InnerMean(loss)) if isinstance(x, InnerVariance) else None

    def build() -> int:
        if e.ends[first, second]:
            return e.b.number(0)
        z = e.loss(first, second)
        assert isinstance(z, int)
        if isinstance(x, InnerMoment):
            z = e.product([e.say("abs(z - c)", z=z, c=e.real(x.args[2]))] * int(x.args[1]))
        elif mean is not None:
            z = e.product([e.say("z - m", z=z, m=mean)] * 2)
        return e.b.make("mul", e.term(first), z)

    top = e.integral(sp.Tuple(first, second), build, [(first, second)])
    return e.say("z * inv(1 - l)", z=top, l=e.exceeds(loss, "==", sp.oo))


NODES.update({
    pn.Profile: _profile,
    pn.LossCDF: lambda e, x: e.exceeds(x.args[0], "<" if x.args[2] == 1 else "<=", x.args[1]),
    pn.Probability: lambda e, x: e.exceeds(x.args[0], str(x.args[1]), x.args[2]),
    pn.Expectation: _expectation, pn.Moment: _moment, pn.RenyiDivergence: _renyi,
    pn.Measure: _measure, pn.IntegralOverSpace: lambda e, x: e.weighed(*x.args),
    pn.SupOverEvents: _supremum,
    InnerMean: _inner, InnerVariance: _inner, InnerMoment: _inner,
})

__all__ = ["PLUS", "LossAt", "Notions", "Ratio", "member", "sort_key"]
