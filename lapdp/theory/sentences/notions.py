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
from lapdp.privacy.pointwise import Where
from lapdp.kernel.losses import MINUS
from lapdp.kernel.notions import LOSSES
from lapdp.theory.sentences.points import Points
from lapdp.kernel.saying import NotSaid, refuse
from lapdp.theory.sentences.spaces import Space
from lapdp.theory.sentences.terms import MEANINGS


class Notions(Points):
    """Reads profiles, losses, moments, events and integrals over the space."""

    def two_of(self, first: Any, second: Any) -> None:
        """Two distributions: weights of mixtures must be weights."""
        _, weights = members(first, second)
        for e, row in zip((first, second), weights, strict=True):
            if not isinstance(e, Distribution):
                terms = [self.real(w) for w in row]
                for t in terms:
                    self.demand(self.say("0 <= t", t=t))
                self.demand(self.say("t == 1", t=self.total(terms)))

    def over(self, pair: Any, build: Callable[[], int], losses: bool = False) -> int:
        """The integral of a function of two densities; of their loss too, by cases of it."""
        self.two_of(*pair)
        return self.integral(pair, build, [tuple(pair)] * losses)

    def exceeds(self, loss: Any, relation: str, x: Any) -> int:
        """Pr[Z relation x] for Z = log(P/Q) under P, +oo where Q vanishes."""
        ends = [sp.oo, -sp.oo]
        test = LOSSES[relation][1 + ends.index(x) if x in ends else 0]
        return self.say(f"Int(case({test}, P, 0))", P=loss.args[0], Q=loss.args[1],
                        **({} if x in ends else {"x": self.real(x)}))

    def inside(self, event: Any) -> int:
        """Is the outcome in the event?"""
        match event:
            case pn.Complement():
                return self.b.make("not", self.inside(event.args[0]))
            case ev.SetOperation():
                first, second = map(self.inside, event.args)
                text = "f and not g" if isinstance(event, ev.Difference) else (
                    "f or g" if isinstance(event, ev.Union) else "f and g")
                return self.say(text, f=first, g=second)
            case Where():
                return self.condition(event.args[0])
            case pn.Event():
                refuse(self.space is None or not self.space.plain,
                       "an arbitrary event of a product or of a mechanism")
                found = self.bound.get(event)
                if found is None:
                    found = self.letter((pn.Event, event), event.name, "S")
                return self.b.make("in", self.outcome[0].outcome, found)
        raise NotSaid(f"the event {type(event).__name__}")

    def weighed(self, body: Any, event: Any = None) -> int:
        """The integral of a body over the space, or over an event of it."""
        spoken = (body,) if event is None else (body, event)
        weights = {id(d.pair) for d in body.atoms(Distribution)}
        refuse(any(id(d.pair) not in weights for pair in self.pairings(*spoken) for e in pair
                   for d in e.atoms(Distribution)), "the loss of a pair under another one")

        def build() -> int:
            test = None if event is None or self.value(body) == self.b.number(0) else (
                self.inside(event))
            return self.b.number(0) if test == self.b.make("false") else self.only(
                test, self.finite(body))
        return self.integral(spoken, build)


def _expectation(e: Notions, body: Any, z: Any) -> int:
    e.two_of(*z.args)
    before = len(e.conditions)
    refuse(any(other != z for other in body.atoms(pn.Loss)),
           "an expectation over one loss of another")

    def build() -> int:
        value = e.b.number(0) if e.ends[z.args] == MINUS else e.finite(body)
        return value if value == e.b.number(0) else e.say("p * v", p=z.args[0], v=value)

    found = e.over(z.args, build, losses=True)
    if isinstance(body, sp.exp):
        e.limits.update(e.conditions[before:])
    return found


def _moment(e: Notions, q: Any, *pair: Any) -> int:
    def build() -> int:
        value = e._powers(q, pair)
        return value if isinstance(value, int) else e.unbounded(value, pair)
    return e.over(pair, build, losses=True)


def _renyi(e: Notions, q: Any, *pair: Any) -> int:
    refuse(not e.claiming and not (q - 1).is_positive and not (e.finite_meant and q.is_real),
           "in a hypothesis: a Renyi divergence of an order that may be below 1")
    moment = e.term(pn.Moment(q, *pair))
    return e.say("log(m) / (q - 1)" if e.b.sorts[moment] == "R" else "clog(m) / (q - 1)",
                 m=moment, q=q)


def _measure(e: Notions, d: Any, event: Any) -> int:
    outside = isinstance(event, pn.Complement)
    named = event.args[0] if outside else event
    if not isinstance(named, ev.Outcomes):
        return e.weighed(d, event)
    refuse(not isinstance(d.pair.mechanism, NamedOutcomes), "named outcomes of another pair")
    names = d.pair.mechanism.names
    refuse(not set(named.names) <= set(names), "an outcome without that name")
    rows = Space(e, {d}).coordinates[0][1].rows
    return e.total([row[d.side] for name, row in zip(names, rows, strict=True)
                    if (name in named.names) != outside])


def _inner(e: Notions, loss: Any, power: Any, centre: Any, text: str) -> int:
    """The mean of a power of what a text says of z and c, over the finite losses, renormalised."""
    def build() -> int:
        if e.ends[loss.args]:
            return e.b.number(0)
        value = e.product([e.say(text, z=e.loss(loss.args), c=centre)] * int(power))
        return e.say("p * z", p=loss.args[0], z=value)

    return e.say("z / (1 - l)", z=e.over(loss.args, build, losses=True),
                 l=e.exceeds(loss, "==", sp.oo))


MEANINGS.update({
    pn.Profile: lambda e, p, q, x: e.define(
        "P, Q, X: Int(case(Q == 0, P, 0))" if x == sp.oo else
        "P, Q, x: Int(max(0, P - exp(x) * Q))", p, q, x),
    pn.LossCDF: lambda e, z, x, strict: e.exceeds(z, "<" if strict == 1 else "<=", x),
    pn.Probability: lambda e, z, relation, x: e.exceeds(z, str(relation), x),
    pn.Expectation: _expectation, pn.Moment: _moment, pn.RenyiDivergence: _renyi,
    pn.Measure: _measure, pn.IntegralOverSpace: Notions.weighed,
    pn.SupOverEvents: "f(S): supS(S, f(S))",
    InnerMean: lambda e, z: _inner(e, z, 1, None, "z"),
    InnerVariance: lambda e, z: _inner(e, z, 2, e.term(InnerMean(z)), "z - c"),
    InnerMoment: lambda e, z, n, c: _inner(e, z, n, e.real(c), "abs(z - c)"),
})
