"""Functions of the densities at an outcome, and the notions of privacy: integrals of such."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.kernel.losses import MINUS, PLUS, Pairing, Value
from lapdp.kernel.notions import LOSSES
from lapdp.kernel.saying import refuse
from lapdp.kernel.spaces import Finite, Outcome, nonnegative
from lapdp.privacy import events as ev
from lapdp.privacy import nodes as pn
from lapdp.privacy.inner_loss import InnerMean, InnerMoment, InnerVariance
from lapdp.privacy.mechanisms.outcomes import NamedOutcomes
from lapdp.privacy.mixtures import coefficients
from lapdp.privacy.nodes import Distribution, Loss
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.theory.sentences.spaces import Space
from lapdp.theory.sentences.terms import MEANINGS, MOST_FACTORS, Terms

SETS = {pn.Complement: "not f", ev.Union: "f or g", ev.Intersection: "f and g",
        ev.Difference: "f and not g"}
EXTREMA = {sp.Add: "add", sp.Max: "max", sp.Min: "min", sp.Abs: "abs"}


class Points(Terms):
    """Reads functions on a space; ``space`` and ``outcome`` say where densities are taken."""

    space: Space | None = None
    outcome: Outcome = ()

    def integral(self, spoken: Sequence[Any], build: Callable[[], int],
                 pairs: list[Pairing] | None = None, kind: str = "int") -> int:
        """The integral over the space of all that is ``spoken`` of, by cases of its losses; with
        the kind ``all`` the formula that what is built holds at every outcome."""
        space = Space(self, {d for e in spoken for d in e.atoms(Distribution)})
        pairs = self.pairings(*spoken) if pairs is None else pairs

        def here(outcome: Outcome) -> int:
            with self.having(space=space, outcome=outcome, ends={}, rising=False):
                return self.cases(pairs, build)
        found = space.over(kind, here)
        iterated = sum(type(part) is not Finite for _, part in space.coordinates) > 1
        if iterated and kind == "int" and not nonnegative(self.b, found, set()):
            # Fubini: an integral over a product converges absolutely
            self.demand(self.meaning(space.over(kind, lambda x: self.b.make("abs", here(x)))))
        return found

    def pairings(self, *bodies: Any) -> list[Pairing]:
        """The pairs of whose loss or ratio expressions speak, each once."""
        found: dict[frozenset[Any], Pairing] = {}

        def walk(e: Any) -> None:
            if isinstance(e, (LossAt, Ratio, Loss)):
                self.two_of(*found.setdefault(frozenset(e.args), e.args), apart=True)
            elif pointwise(e):
                inside: Any = e.args
                if e.is_Mul or e.is_Pow:
                    powers, others = monomial(e)
                    if not all(map(natural, powers.values())):
                        two = self.two(powers)
                        found.setdefault(frozenset(two), two)
                    inside = inside if others == [e] else others
                for a in inside:
                    walk(a)

        for body in bodies:
            walk(sp.sympify(body))
        return sorted(found.values(), key=lambda pair: tuple(map(sp.default_sort_key, pair)))

    def two(self, powers: dict[Any, Any]) -> Pairing:
        """The two distributions on one space that a quotient is made of."""
        refuse(len(powers) != 2 or len({id(d.pair) for d in powers}) > 1, "a quotient of no pair")
        first, second = sorted(powers, key=lambda d: d.side)
        return first, second

    def value(self, e: Any) -> Value:
        """A function on the space at an outcome, in [-oo, oo]."""
        e = sp.sympify(e)
        if e in (sp.oo, -sp.oo):
            return PLUS if e == sp.oo else MINUS
        if e in self.bound or not pointwise(e) or isinstance(e, cn.Indicator):
            return self.term(e)
        if isinstance(e, Distribution):
            return self.b.number(0) if self.sign(e) == 0 else self.term(e)
        if e.is_Mul or e.is_Pow:
            return self._product(e)
        if isinstance(e, (LossAt, Loss, Ratio)):
            return self._ratio(e.args, sp.S.One) if isinstance(e, Ratio) else self.loss(e.args)
        if isinstance(e, (sp.log, sp.exp)):
            return (self._log if isinstance(e, sp.log) else self._exp)(e.args[0])
        if isinstance(e, sp.Piecewise):
            return self.piecewise(e.args, self.value)
        refuse(type(e) not in EXTREMA, f"{type(e).__name__} as a function on the space")
        return self.combined(EXTREMA[type(e)], [
            self.value(a) for a in sorted(e.args, key=sp.default_sort_key)])

    def finite(self, e: Any) -> int:
        """The value of an integrand; where it is infinite the outcomes must weigh nothing."""
        found = self.value(e)
        return self.unbounded(found) if isinstance(found, str) else int(found)

    def _log(self, e: Any) -> Value:
        powers, others = monomial(e)
        if not others and sorted(powers.values(), key=sp.default_sort_key) == [-1, 1]:
            below, above = sorted(powers, key=lambda d: powers[d])
            return self.loss((above, below))
        return self.log(self.value(e))

    def _exp(self, exponent: Any) -> Value:
        loss = sorted(exponent.atoms(LossAt, Loss), key=sp.default_sort_key)
        if len(loss) == 1 and self.end_of(loss[0].args):
            slope = sp.expand(exponent).coeff(loss[0], 1)
            rest = sp.expand(exponent - slope * loss[0])
            if not rest.has(LossAt, Loss) and sign(slope) is None and not slope.has(LossAt, Loss):
                return self.times([(self._ratio(loss[0].args, slope), 1),
                                   (self.say("exp(x)", x=rest), 1)])
        with self.having(rising=False):
            return self.exp(self.value(exponent))

    def _ratio(self, pair: Pairing, power: Any) -> Value:
        return self.ratio(pair, self.term(power), sign(power))

    def _product(self, e: Any) -> Value:
        """The densities first: where they vanish the rest does not count."""
        powers, others = monomial(e)
        factors: list[tuple[Value, int | None]] = []
        if not all(map(natural, powers.values())):
            factors.append((self._monomial(powers), 1))
        elif any(self.sign(d) == 0 for d in powers):
            return self.b.number(0)
        elif powers:
            factors.append((self.product([t for d in sorted(powers, key=sp.default_sort_key)
                                          for t in [self.term(d)] * int(powers[d])]), 1))
        return factors[0][0] if factors and factors[0][0] == self.b.number(0) else self.times(
            factors + [(self._factor(x), sign(x)) for x in others])

    def _monomial(self, powers: dict[Any, Any]) -> Value:
        """P^a Q^b for the two members of a pair, a + b = 1."""
        first, second = pair if (pair := self.two(powers)) in self.ends else pair[::-1]
        refuse(sp.expand(powers[first] + powers[second] - 1) != 0,
               "a product of densities that is not of degree 1")
        return self._powers(powers[first], (first, second))

    def _powers(self, order: Any, pair: Pairing) -> Value:
        return self.powers(pair, self.term(order), order if order.is_Rational else None)

    def _factor(self, x: Any) -> Value:
        base, exponent = x.as_base_exp()
        if not x.is_Pow or not x.has(LossAt, Ratio, Loss, Distribution):
            return self.value(x)
        if isinstance(base, Ratio):
            return self._ratio(base.args, exponent)
        inner = self.value(base)
        refuse(not exponent.is_Integer or abs(exponent) > MOST_FACTORS,
               "a power of a function on the space")
        return self.power(inner, int(exponent))

    def condition(self, c: Any) -> int:
        """A Boolean combination of relations between numbers, as a formula."""
        if isinstance(c, sp.Rel):
            return self.compare(c)
        if isinstance(c, sp.Not):
            return self.opposite(self.condition(c.args[0]))
        refuse(not isinstance(c, (sp.And, sp.Or)) and c not in (sp.true, sp.false),
               f"the condition {type(c).__name__}")
        return self.joined("or" if isinstance(c, sp.Or) or c == sp.false else "and", map(
            self.condition, sorted(c.args, key=sp.default_sort_key)))

    def piecewise(self, branches: Any, read: Callable[[Any], Any]) -> Any:
        """The first value whose condition holds; none has a meaning where no condition does."""
        return self.choice([(partial(self.condition, c), partial(read, v)) for v, c in branches])

    def compare(self, c: sp.Rel) -> int:
        """A relation between values in [-oo, oo]; of a density and 0, what the ends say."""
        first, second = (0 if e == 0 else self.sign(e) for e in (c.lhs, c.rhs))
        return self.related(c.rel_op, self.value(c.lhs), self.value(c.rhs), (first, second))

    # -- notions -------------------------------------------------------------------------------

    def two_of(self, first: Any, second: Any, apart: bool = False) -> None:
        """Two distributions: weights of mixtures must be weights; ``apart`` where both vanish,
        which would have no loss, neither member of their pair has mass."""
        _, weights = coefficients(first, second)
        for e, row in zip((first, second), weights, strict=True):
            terms = [] if isinstance(e, Distribution) else [self.real(w) for w in row]
            for t in terms:
                self.demand(self.say("0 <= t", t=t))
            self.demand(self.say("t == 1", t=self.total(terms)) if terms else self.truth())
        for w in [w for w in map(sum, zip(*weights, strict=True)) if apart and w != 1]:
            self.stricter("where both of two mixtures vanish")
            self.demand(self.say("0 < t", t=self.real(w)))

    def over(self, pair: Any, build: Callable[[], int], losses: bool = False) -> int:
        """The integral of a function of two densities; of their loss too, by cases of it."""
        self.two_of(*pair)
        return self.integral(pair, build, [tuple(pair)] * losses)

    def exceeds(self, loss: Any, relation: str, x: Any) -> int:
        """Pr[Z relation x] for Z = log(P/Q) under P, +oo where Q vanishes."""
        ends = {sp.oo: 1, -sp.oo: 2}
        value, test = 0 if x in ends else self.real(x), LOSSES[relation][ends.get(x, 0)]
        return self.say(f"Int(case({test}, P, 0))", P=loss.args[0], Q=loss.args[1], x=value)

    def inside(self, s: Any) -> int:
        """Is the outcome in the event?"""
        if type(s) in SETS:
            return self.say(SETS[s.func], **{"fg"[i]: self.inside(a) for i, a in enumerate(s.args)})
        if isinstance(s, Where):
            return self.condition(s.args[0])
        refuse(not isinstance(s, pn.Event), f"the event {type(s).__name__}")
        refuse(self.space is None or not self.space.plain,
               "an arbitrary event of a product or of a mechanism")
        return self.b.make("in", self.outcome[0].outcome, self.known_as(s))

    def weighed(self, body: Any, event: Any = None) -> int:
        """The integral of a body over the space, or over an event of it."""
        spoken = (body,) if event is None else (body, event)
        weights = {id(d.pair) for d in body.atoms(Distribution)}
        refuse(any(id(d.pair) not in weights for pair in self.pairings(*spoken) for e in pair
                   for d in e.atoms(Distribution)), "the loss of a pair under another one")

        def build() -> int:
            begin, value, no = len(self.conditions), self.value(body), self.b.make("false")
            test = None if event is None or value == self.b.number(0) else self.inside(event)
            refuse(test not in (None, self.truth(), no) and isinstance(value, str) and (
                self.finite_meant or not self.claiming), "an infinite integrand on an event")
            found = self.only(test, self.unbounded(value) if isinstance(value, str) else value)
            if test == no:
                del self.conditions[begin:]  # nothing counts outside of the event
            return found
        return self.integral(spoken, build)


def sign(e: Any) -> int | None:
    """1 or -1 for what is positive or negative for certain."""
    return 1 if e.is_positive else -1 if e.is_negative else None


def pointwise(e: Any) -> bool:
    """Is an expression a function on the space, or infinite?  A notion is neither."""
    if isinstance(e, (LossAt, Ratio, Loss, Distribution)) or e in (sp.oo, -sp.oo):
        return True
    notion = isinstance(e, cn.Node) and not isinstance(e, (
        cn.Indicator, Where, pn.Complement, ev.SetOperation))
    return not notion and any(map(pointwise, e.args))


def natural(x: Any) -> bool:
    """A whole number >= 0, small enough to be written out."""
    return bool(x.is_Integer and 0 <= x <= MOST_FACTORS)


def monomial(e: Any) -> tuple[dict[Any, Any], list[Any]]:
    """The exponents of the densities in a product, and the other factors."""
    powers: dict[Any, Any] = {}
    others: list[Any] = []
    for factor in sp.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        if isinstance(base, Distribution):
            powers[base] = powers.get(base, sp.Integer(0)) + exponent
        else:
            others.append(factor)
    return powers, sorted(others, key=sp.default_sort_key)


def _density(e: Any, d: Any) -> Any:
    refuse(e.space is None, "a density outside an integral")
    return e.space.density(d, e.outcome)


def _expectation(e: Points, body: Any, z: Any) -> int:
    e.two_of(*z.args)
    refuse(body.atoms(pn.Loss) - {z}, "an expectation over one loss of another")

    def build() -> int:
        with e.having(rising=isinstance(body, sp.exp)):
            value = e.b.number(0) if e.ends[z.args] == MINUS else e.finite(body)
        return value if value == e.b.number(0) else e.say("p * v", p=z.args[0], v=value)
    return e.over(z.args, build, losses=True)


def _moment(e: Points, q: Any, *pair: Any) -> int:
    def build() -> int:
        with e.having(rising=True):
            value = e._powers(q, pair)
        return value if isinstance(value, int) else e.unbounded(value, pair)
    return e.over(pair, build, losses=True)


def _renyi(e: Points, q: Any, *pair: Any) -> int:
    refuse(not e.claiming and not (q - 1).is_positive and not (e.finite_meant and q.is_real),
           "in a hypothesis: a Renyi divergence of an order that may be below 1")
    moment = e.term(pn.Moment(q, *pair))
    return e.say("log(m) / (q - 1)" if e.b.sorts[moment] == "R" else "clog(m) / (q - 1)",
                 m=moment, q=q)


def _measure(e: Points, d: Any, event: Any) -> int:
    outside = isinstance(event, pn.Complement)
    named = event.args[0] if outside else event
    if not isinstance(named, ev.Outcomes):
        return e.weighed(d, event)
    made = d.pair.mechanism
    refuse(not isinstance(made, NamedOutcomes) or not set(named.names) <= set(made.names),
           "named outcomes of another pair")
    rows = Space(e, {d}).coordinates[0][1].rows
    return e.total([row[d.side] for name, row in zip(made.names, rows, strict=True)
                    if (name in named.names) != outside])


def _inner(e: Points, loss: Any, power: Any, centre: Any, text: str) -> int:
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
    pn.Measure: _measure, pn.IntegralOverSpace: Points.weighed, Distribution: _density,
    pn.SupOverEvents: lambda e, body, s: e.say("supS(t, f(t))", f=e.function(body, s)),
    InnerMean: lambda e, z: _inner(e, z, 1, None, "z"),
    InnerVariance: lambda e, z: _inner(e, z, 2, e.term(InnerMean(z)), "z - c"),
    InnerMoment: lambda e, z, n, c: _inner(e, z, n, e.real(c), "abs(z - c)"),
})
