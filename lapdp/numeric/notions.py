"""Closures of the privacy notions, each by its defining sum or integral over the pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.calculus.sequences import BinomialMean, FiniteSum, Recursive, Term
from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric import spaces
from lapdp.numeric.elementary import Closure, Env, OpenConvention, checked, lookup, real
from lapdp.numeric.models import OUTCOMES, spoken_of
from lapdp.numeric.pairs import Pair
from lapdp.numeric.parts import number
from lapdp.numeric.ranges import (
    NONNEGATIVE,
    UNIT,
    Build,
    always,
    of_mean,
    of_moment,
    of_order,
    within,
)
from lapdp.numeric.tails import Number
from lapdp.privacy import inner_loss, pointwise
from lapdp.privacy import nodes as privacy
from lapdp.privacy import tradeoff_nodes as tests
from lapdp.privacy.mixtures import coefficients


def profile(ev: Any, expr: Any) -> Closure:
    pair, eps = _pair(ev, *expr.args[:2]), ev.regular(expr.args[2])
    return lambda env: pair(env).profile(real(eps(env), "a privacy profile"))


def cdf(ev: Any, expr: Any) -> Closure:
    pair, x = _pair(ev, *expr.args[0].args), ev.regular(expr.args[1])
    strict = expr.args[2] == 1
    return lambda env: pair(env).cdf(real(x(env)), strict)


def density(ev: Any, expr: Any) -> Closure:
    pair, x = _pair(ev, *expr.args[0].args), ev.regular(expr.args[1])
    return lambda env: pair(env).density(real(x(env)))


def probability(ev: Any, expr: Any) -> Closure:
    pair, x = _pair(ev, *expr.args[0].args), ev.regular(expr.args[2])
    events: dict[str, Callable[[Pair, Any], Any]] = {
        "<": lambda it, u: it.cdf(u, True), "<=": lambda it, u: it.cdf(u),
        ">": lambda it, u: 1 - it.cdf(u), ">=": lambda it, u: 1 - it.cdf(u, True),
        "==": lambda it, u: it.mass_at(u),
    }
    event = events[str(expr.args[1])]
    return lambda env: event(pair(env), real(x(env)))


def expectation(ev: Any, expr: Any) -> Closure:
    body, z = ev.regular(expr.args[0]), expr.args[1]
    pair = _pair(ev, *z.args)

    def evaluate(env: Env) -> Number:
        return pair(env).expectation(
            lambda u: body({**env, z: u}),
            lambda: list(ev.structure.breaks(expr.args[0], z, env)),
        )

    return evaluate


def inner(ev: Any, expr: Any) -> Closure:
    """A mean over the finite losses, divided by their mass."""
    y = sp.Dummy("y", real=True)
    pair, body = _pair(ev, *expr.args[0].args), ev.regular(expr.body(y))

    def evaluate(env: Env) -> Number:
        finite = 1 - pair(env).mass_at(mp.inf)
        if finite == 0:
            raise Undefined("no loss is finite")
        total = pair(env).expectation(
            lambda u: mp.mpf(0) if mp.isinf(u) else body({**env, y: u}), lambda: [])
        return total / finite

    return evaluate


def moment(ev: Any, expr: Any) -> Closure:
    q, pair = ev.regular(expr.args[0]), _pair(ev, *expr.args[1:])
    return lambda env: pair(env).moment(q(env))


def renyi(ev: Any, expr: Any) -> Closure:
    q, pair = ev.regular(expr.args[0]), _pair(ev, *expr.args[1:])

    def evaluate(env: Env) -> Number:
        order = q(env)
        if order == 1:
            # by continuity in the order it is the divergence of Kullback and Leibler
            raise OpenConvention("R_1")
        moment = pair(env).moment(order)
        if moment == 0:
            if mp.im(order) != 0:
                raise OpenConvention("log of 0")
            return mp.inf
        return checked(mp.log(moment) / (order - 1))

    return evaluate


def sup(ev: Any, expr: Any) -> Closure:
    body, event = ev.regular(expr.args[0]), expr.args[1]
    used = spoken_of(expr.args[0])
    if len(used) != 1:
        raise Unsupported("a supremum over events is evaluated on one space only")
    (which,) = used

    def evaluate(env: Env) -> Number:
        space = ev.models.space(which, env)
        if space.parts or len(space.outcomes) > 10:
            raise Unsupported("a supremum over events is evaluated on one small space only")
        return max(real(body({**env, event: k})) for k in range(2**len(space.outcomes)))

    return evaluate


def over_outcomes(ev: Any, expr: Any) -> Closure:
    """A supremum over the outcomes of an earlier release, all of those that a family has."""
    body, x = ev.regular(expr.args[0]), expr.args[1]
    return lambda env: max(real(body({**env, x: mp.mpf(k)})) for k in range(OUTCOMES))


def tradeoff(ev: Any, expr: Any) -> Closure:
    """Least missed mass of Q among tests that spend the level of P: Neyman and Pearson."""
    pair, level = _pair(ev, *expr.args[:2]), ev.regular(expr.args[2])

    def evaluate(env: Env) -> Number:
        left, missed = real(level(env), "a level"), mp.mpf(1)
        if not 0 <= left <= 1:
            raise Undefined("a level outside [0, 1]")
        here = pair(env)
        if here.parts:
            return here.trade_off(left)
        rows = sorted((row for row in here.outcomes if row[1]), key=lambda row: row[0] / row[1])
        for p, q in rows:
            mass, seen = number(p), number(q)
            share = mp.mpf(1) if mass <= left else left / mass
            missed, left = missed - share * seen, left - share * mass
        return missed

    return evaluate


def mean(ev: Any, expr: Any) -> Closure:
    """E_P[phi] of a test, whose values at the outcomes are the digits of a whole number."""
    P, phi = expr.args

    def evaluate(env: Env) -> Number:
        space = ev.models.space(P.pair, env)
        if space.parts:
            raise Unsupported("a test on a continuous space")
        chosen = lookup(env, phi)
        return mp.fsum(row[P.side] * (chosen // TEST_VALUES**k % TEST_VALUES)
                       for k, row in enumerate(space.masses())) / (TEST_VALUES - 1)

    return evaluate


def binomial_mean(ev: Any, expr: Any) -> Closure:
    body, y = ev.regular(expr.args[0]), expr.args[1]
    trials, chance = ev.regular(expr.args[2]), ev.regular(expr.args[3])

    def evaluate(env: Env) -> Number:
        n, p = whole(trials(env)), real(chance(env), "a probability")
        if n < 0 or not 0 <= p <= 1:
            raise Undefined(f"a binomial law of {n} trials, each with {mp.nstr(p, 5)}")
        if n > MOST_TERMS:
            raise Unsupported("a binomial law of many trials")
        return checked(mp.fsum(mp.binomial(n, j) * p**j * (1 - p) ** (n - j)
                               * body({**env, y: mp.mpf(j)}) for j in range(n + 1)))

    return evaluate


def finite_sum(ev: Any, expr: Any) -> Closure:
    body, i = ev.regular(expr.args[0]), expr.args[1]
    first, last = ev.regular(expr.args[2]), ev.regular(expr.args[3])

    def evaluate(env: Env) -> Number:
        low, high = whole(first(env)), whole(last(env))
        if high - low > MOST_TERMS:
            raise Unsupported("a sum of many terms")
        return checked(mp.fsum(body({**env, i: mp.mpf(j)}) for j in range(low, high + 1)))

    return evaluate


def term(ev: Any, expr: Any) -> Closure:
    """Element n of an arbitrary sequence: a pool of numbers, round and round."""
    name, index = str(expr.args[0]), ev.regular(expr.args[1])

    def evaluate(env: Env) -> Number:
        n = whole(index(env))
        if n < 0:
            raise Undefined("an element before the first")
        pool = ev.instance.sequences.get(name)
        if pool is None:
            raise Unsupported(f"the sequence {name} is not drawn")
        return pool[n % len(pool)]

    return evaluate


def recursive(ev: Any, expr: Any) -> Closure:
    rule, index, point = expr.args
    count = ev.regular(index)

    def evaluate(env: Env) -> Number:
        n = whole(count(env))
        if n < 0:
            raise Undefined("an element before the first")
        if n > MOST_TERMS:
            raise Unsupported("a long recursion")
        if n == 0:
            return ev.regular(rule.base(point))(env)
        at = sp.Integer(n)
        return ev.regular(rule.step(at, point, lambda u: Recursive(rule, at - 1, u)))(env)

    return evaluate


def whole(value: Number) -> int:
    """A whole number, or no value."""
    n = real(value, "a whole number")
    if mp.isinf(n) or n != int(n):
        raise Undefined(f"{mp.nstr(n, 5)} is no whole number")
    return int(n)


MOST_TERMS = 40
"""Terms of a sum that are added up."""
TEST_VALUES = 5
"""Values 0, 1/4, 1/2, 3/4, 1 that a randomised test takes."""


def _pair(ev: Any, first: Any, second: Any) -> Callable[[Env], Pair]:
    """The pair of two distributions at the letters that it hides."""
    coefficients(first, second)
    return lambda env: ev.pair(first, second, env)


BUILDERS: Mapping[type[Any], Build] = {
    privacy.Profile: within(profile, always(UNIT)),
    privacy.LossCDF: within(cdf, always(UNIT)),
    privacy.LossDensity: density,
    privacy.Probability: within(probability, always(UNIT)),
    privacy.Expectation: within(expectation, of_mean),
    inner_loss.InnerMean: inner,
    inner_loss.InnerVariance: within(inner, always(NONNEGATIVE)),
    inner_loss.InnerMoment: within(inner, always(NONNEGATIVE)),
    privacy.Moment: within(moment, of_moment),
    privacy.RenyiDivergence: within(renyi, of_order),
    privacy.Measure: within(spaces.measure, always(UNIT)),
    privacy.SupOverEvents: sup,
    privacy.IntegralOverSpace: spaces.over_space,
    pointwise.LossAt: spaces.loss_at,
    pointwise.Ratio: spaces.ratio,
    privacy.SupOverOutcomes: over_outcomes,
    tests.TradeOff: within(tradeoff, always(UNIT)),
    tests.Mean: within(mean, always(UNIT)),
    BinomialMean: binomial_mean,
    FiniteSum: finite_sum,
    Term: term,
    Recursive: recursive,
}
