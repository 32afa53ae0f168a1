"""Closures of the privacy notions, each by its defining sum or integral over the pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric import spaces
from lapdp.numeric.elementary import Closure, Env, checked, real
from lapdp.numeric.tails import Number
from lapdp.privacy import inner_loss, pointwise
from lapdp.privacy import nodes as privacy


def profile(ev: Any, expr: Any) -> Closure:
    pair, eps = ev.pair(*expr.args[:2]), ev.regular(expr.args[2])
    return lambda env: pair.profile(real(eps(env), "a privacy profile"))


def cdf(ev: Any, expr: Any) -> Closure:
    pair, x = ev.pair(*expr.args[0].args), ev.regular(expr.args[1])
    strict = expr.args[2] == 1
    return lambda env: pair.cdf(real(x(env)), strict)


def density(ev: Any, expr: Any) -> Closure:
    pair, x = ev.pair(*expr.args[0].args), ev.regular(expr.args[1])
    return lambda env: pair.density(real(x(env)))


def probability(ev: Any, expr: Any) -> Closure:
    pair, x = ev.pair(*expr.args[0].args), ev.regular(expr.args[2])
    events: dict[str, Callable[[Any], Any]] = {
        "<": lambda u: pair.cdf(u, True), "<=": pair.cdf,
        ">": lambda u: 1 - pair.cdf(u), ">=": lambda u: 1 - pair.cdf(u, True),
        "==": pair.mass_at,
    }
    event = events[str(expr.args[1])]
    return lambda env: event(real(x(env)))


def expectation(ev: Any, expr: Any) -> Closure:
    body, z = ev.regular(expr.args[0]), expr.args[1]
    pair = ev.pair(*z.args)

    def evaluate(env: Env) -> Number:
        return pair.expectation(
            lambda u: body({**env, z: u}),
            lambda: list(ev.structure.breaks(expr.args[0], z, env)),
        )

    return evaluate


def inner(ev: Any, expr: Any) -> Closure:
    """A mean over the finite losses, divided by their mass."""
    y = sp.Dummy("y", real=True)
    pair, body = ev.pair(*expr.args[0].args), ev.regular(expr.body(y))

    def evaluate(env: Env) -> Number:
        finite = 1 - pair.mass_at(mp.inf)
        if finite == 0:
            raise Undefined("no loss is finite")
        total = pair.expectation(
            lambda u: mp.mpf(0) if mp.isinf(u) else body({**env, y: u}), lambda: [])
        return total / finite

    return evaluate


def moment(ev: Any, expr: Any) -> Closure:
    q, pair = ev.regular(expr.args[0]), ev.pair(*expr.args[1:])
    return lambda env: pair.moment(q(env))


def renyi(ev: Any, expr: Any) -> Closure:
    q, pair = ev.regular(expr.args[0]), ev.pair(*expr.args[1:])

    def evaluate(env: Env) -> Number:
        order = q(env)
        moment = pair.moment(order)
        if order == 1 or moment == 0:
            raise Undefined("Renyi divergence of order 1, or log of 0")
        return checked(mp.log(moment) / (order - 1))

    return evaluate


def sup(ev: Any, expr: Any) -> Closure:
    body, event = ev.regular(expr.args[0]), expr.args[1]
    used = {d.pair for d in expr.args[0].atoms(privacy.Distribution)}
    pairs = [ev.pair_of(p, False) for p in used]
    if len(pairs) != 1 or pairs[0].parts or len(pairs[0].outcomes) > 10:
        raise Unsupported("a supremum over events is evaluated on one small finite pair only")
    count = len(pairs[0].outcomes)
    return lambda env: max(real(body({**env, event: k})) for k in range(2**count))


BUILDERS: Mapping[type[Any], Callable[[Any, Any], Closure]] = {
    privacy.Profile: profile,
    privacy.LossCDF: cdf,
    privacy.LossDensity: density,
    privacy.Probability: probability,
    privacy.Expectation: expectation,
    inner_loss.InnerMean: inner,
    inner_loss.InnerVariance: inner,
    inner_loss.InnerMoment: inner,
    privacy.Moment: moment,
    privacy.RenyiDivergence: renyi,
    privacy.Measure: spaces.measure,
    privacy.SupOverEvents: sup,
    privacy.IntegralOverSpace: spaces.over_space,
    pointwise.LossAt: spaces.loss_at,
    pointwise.Ratio: spaces.ratio,
}
