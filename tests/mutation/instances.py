"""Instances at which the oracle reads a statement: exact pairs, special places, special orders."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from lapdp.privacy import nodes as privacy
from lapdp.privacy.nodes import Distribution
from lapdp.theory.language import expressions, free_events
from tests.mutation.compositions import Composing, dependent, parts
from tests.mutation.fitting import family, fit
from tests.mutation.instance import Instance
from tests.mutation.levels import free_tests, levels_of
from tests.mutation.shapes import drawn as drawn_shape
from tests.mutation.shapes import functions_with_a_shape
from tests.mutation.walker import Walker
from tests.oracle import finite
from tests.oracle.reals import Unclear, Undefined, add, exp, log, neg, sign
from tests.oracle.signals import Signal

_HALF = Fraction(1, 2)
_SPECIAL_PAIRS = [
    ((Fraction(1),), (Fraction(1),)),
    ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))),
    ((_HALF, _HALF), (_HALF, _HALF)),
    ((_HALF, _HALF), (Fraction(1), Fraction(0))),
    ((Fraction(1), Fraction(0)), (_HALF, _HALF)),
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3))),
    ((Fraction(1, 4), _HALF, Fraction(1, 4), Fraction(0)),
     (Fraction(0), _HALF, Fraction(1, 4), Fraction(1, 4))),
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 5), Fraction(4, 5))),
]
_OUTCOMES = 16
"""Random events contain half of the outcomes up to this place."""
_BUDGETS = [log(Fraction(2)), log(Fraction(3, 2)), log(Fraction(5)), log(Fraction(9))]
_LEAKS = [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
_WEIGHTS = [Fraction(n, 12) for n in (0, 3, 4, 6, 6, 8, 9, 12)] + [Fraction(3, 2)]
_REALS = [Fraction(n) for n in (0, 1, -1, 2, -2)] + [_HALF, -_HALF, Fraction(3, 2)]
_ORDERS = [*_REALS, Fraction(3), Fraction(5, 2), Fraction(-3, 2), Fraction(1, 4)]
_COMPLEX = [(1.5, 1), (0.5, -2), (-1, 1), (2, 0.5), (1, 1), (0, 1), (3, -1), (-0.5, 0.25), (2, 4.5),
            (2.5, 5), (3, -6)]
"""Some far from the real line, where the argument of a moment is large."""


def free_functions(statement):
    """Names of the arbitrary functions in a statement."""
    found = set()
    for form in (statement.claim, *statement.where):
        for e in expressions(form):
            found |= {a.func.__name__ for a in sp.sympify(e).atoms(AppliedUndef)}
    return sorted(found)


def base_pairs(statement):
    """Pairs that are drawn: neither products nor parts of compositions, in order."""
    return [p for p in parts(statement) if not dependent(p)]


def random_instance(statement, rng: random.Random):
    """One instance; hypotheses that are hard to meet by chance bend it.

    Orders include zeros of E_q, where R_q has no value: a pair with two full outcomes has one.
    """
    pairs, symbols = {}, {}
    for pair in base_pairs(statement):
        if pair.mechanism is None:
            count = len(pair.names)
            pairs[id(pair)] = _masses(rng) if count == 2 else family(rng, count)
        else:
            pairs[id(pair)] = _mechanism_masses(pair.mechanism, symbols, rng)
    mixtures = _mixtures(statement)
    for symbol in sorted({s for e in mixtures for s in e.free_symbols
                          if not isinstance(s, Distribution)} - set(symbols), key=str):
        symbols[symbol] = rng.choice([w for w in _WEIGHTS if w or not symbol.is_positive])
    drawn = [masses for masses in pairs.values() if len(masses) == 2]
    ratios = [sorted({p / q for p, q in zip(*masses, strict=True) if p and q})
              for masses in drawn]
    places = _places(ratios) + _mixed_places(statement, Instance(pairs, symbols))
    zeros = [q for q in (finite.zero_order(*masses) for masses in drawn) if q is not None]
    for symbol in statement.parameters:
        if symbol not in symbols:
            inside = symbol in levels_of(statement) and rng.random() < 0.8
            symbols[symbol] = Fraction(rng.randint(0, 12), 12) if inside else _value(
                symbol, places, zeros, rng)
    for phi, pair in free_tests(statement).items():
        size = len(pairs[id(pair)][0]) if id(pair) in pairs else 0
        symbols[phi] = tuple(rng.choice((Fraction(0), _HALF, Fraction(1))) for _ in range(size))
    shaped = functions_with_a_shape(statement)
    functions = {name: drawn_shape(rng) if name in shaped and rng.random() < 0.9 else _function(rng)
                 for name in free_functions(statement)}
    events = {s: frozenset(k for k in range(_OUTCOMES) if rng.random() < 0.5)
              for s in free_events(statement)}
    instance = Instance(pairs, symbols, functions, events, Composing(statement, rng))
    if fit(statement, instance, Walker(instance), rng):
        for pair in base_pairs(statement):
            if pair.mechanism is not None:
                pairs[id(pair)] = _mechanism_masses(pair, symbols, rng)
    return instance


def _notions(statement):
    """Nodes that are asked of two distributions, with these two."""
    for form in (statement.claim, *statement.where):
        for e in expressions(form):
            for node in sp.sympify(e).atoms(privacy.Profile, privacy.Loss):
                yield node.args[:2]
            for node in sp.sympify(e).atoms(privacy.Moment, privacy.RenyiDivergence):
                yield node.args[1:]


def _mixtures(statement):
    """Distributions that are mixtures of others."""
    return {e for both in _notions(statement) for e in both if not isinstance(e, Distribution)}


def _mixed_places(statement, instance):
    """Logs of the likelihood ratios of mixtures."""
    found = set()
    for first, second in _notions(statement):
        if isinstance(first, Distribution) and isinstance(second, Distribution):
            continue
        try:
            P, Q = instance.oriented(first, second)
        except (Undefined, Unclear):
            continue
        found |= {p / q for p, q in zip(P, Q, strict=True) if p and q}
    return [log(r) for r in sorted(found)]


def _mechanism_masses(mechanism, symbols, rng):
    """Exact masses of a concrete pair; its free parameters are drawn into ``symbols``."""
    if type(mechanism).__name__ == "Power":
        masses = _mechanism_masses(mechanism.pair, symbols, rng)
        return finite.repeated(*masses, mechanism.count)
    if type(mechanism).__name__ == "OverlappingMixtures":
        return _mixed_masses(mechanism, symbols, rng)
    if isinstance(getattr(mechanism, "masses", None), tuple):
        return tuple(zip(*mechanism.masses, strict=True))
    if type(mechanism).__name__ == "NamedOutcomes":
        return _named_masses(mechanism, symbols, rng)
    if type(mechanism).__name__ != "RandomizedResponse":
        raise Unclear(f"the oracle has no masses for {type(mechanism).__name__}")
    for parameter, values in ((mechanism.eps, _BUDGETS), (mechanism.leak, _LEAKS)):
        if parameter.is_Symbol and parameter not in symbols:
            symbols[parameter] = rng.choice(values)
    walker = Walker(Instance({}, symbols))
    odds, leak = exp(walker.scalar(mechanism.eps)), walker.scalar(mechanism.leak)
    if not isinstance(odds, Fraction) or not isinstance(leak, Fraction):
        raise Unclear("randomized response with irrational masses")
    return finite.randomized_response(odds, leak)


def _mixed_masses(mechanism, symbols, rng):
    """Each outcome is drawn from P with the weight of its member, else from Q."""
    P, Q = _mechanism_masses(mechanism.pair, symbols, rng)
    members = []
    for weight in (mechanism.first, mechanism.second):
        for symbol in sorted(weight.free_symbols, key=str):
            if symbol not in symbols:
                symbols[symbol] = rng.choice([w for w in _WEIGHTS if w <= 1])
        share = Walker(Instance({}, symbols)).scalar(weight)
        if not isinstance(share, Fraction) or not 0 <= share <= 1:
            raise Unclear("a weight that is no rational number in [0, 1]")
        members.append(tuple(share * p + (1 - share) * q for p, q in zip(P, Q, strict=True)))
    return tuple(members)


def _named_masses(mechanism, symbols, rng):
    """Masses as they are written, row by row; they must be rational and in [0, 1]."""
    for parameter in sorted(mechanism.free_symbols, key=str):
        if parameter not in symbols:
            symbols[parameter] = rng.choice(_BUDGETS if parameter.is_positive else _LEAKS)
    walker = Walker(Instance({}, symbols))
    return distributions([tuple(walker.scalar(x) for x in row[1:]) for row in mechanism.table])


def distributions(rows):
    """Masses outcome by outcome, side by side; Unclear for others than rational ones."""
    if not all(isinstance(x, Fraction) and 0 <= x <= 1 for row in rows for x in row):
        raise Unclear("masses that are no rational numbers in [0, 1]")
    return tuple(zip(*rows, strict=True))


def _masses(rng):
    if rng.random() < 0.2:
        return rng.choice(_SPECIAL_PAIRS)
    continuity = rng.choice(("both", "both", "forward", "backward", "any"))
    return finite.random_pair(rng, continuity=continuity)


def _places(ratios):
    """Logs of the likelihood ratios of the pairs and of their products: where atoms sit."""
    single = [log(r) for found in ratios for r in found]
    if len(ratios) > 1:
        for combination in product(*ratios):
            total = Fraction(0)
            for r in combination:
                total = add(total, log(r))
            single.append(total)
    return single


def _value(symbol, places, zeros, rng):
    if symbol.is_integer:
        low = 1 if symbol.is_positive else 0 if symbol.is_nonnegative else -3
        return Fraction(rng.randint(low, 4))
    if symbol.is_real:
        allowed = [x for x in _candidates(places, rng)
                   if not (symbol.is_positive and sign(x) <= 0)
                   and not (symbol.is_nonnegative and sign(x) < 0)
                   and not (symbol.is_nonzero and sign(x) == 0)]
        return rng.choice(allowed)
    if symbol.is_real is False and symbol.is_complex is not True:
        raise Unclear(f"no values for {symbol}")
    if zeros and rng.random() < 0.2:
        return rng.choice(zeros)
    if rng.random() < 0.6:
        return rng.choice(_ORDERS)
    return mp.mpc(*rng.choice(_COMPLEX))


def _candidates(places, rng):
    """A class of real values, chosen at random: atoms, logs of rationals, small rationals."""
    logs = [log(Fraction(a, b)) for a, b in ((2, 1), (1, 2), (3, 2), (2, 3), (5, 1), (1, 7))]
    kind = rng.random()
    if kind < 0.45 and places:
        return [*places, *map(neg, places), *logs]
    if kind < 0.65:
        return logs
    return _REALS


def _function(rng):
    """A function or measure on R that decays on both sides, some with jumps or impulses."""
    a, b = (Fraction(rng.choice((1, 2, 3, 4)), 2) for _ in range(2))
    up = Signal.step(Fraction(0))
    down = Signal.constant(Fraction(1)) - up
    right, left = up * Signal.exponential(-a), down * Signal.exponential(b)
    choices = [
        right, left, right + left.scaled(Fraction(2)), Signal.variable() * right,
        up - Signal.step(Fraction(1)),
        Signal.step(Fraction(-1)) - Signal.step(Fraction(2)),
        right.compose(Fraction(1), Fraction(-1)),
        right + Signal.impulse(Fraction(1)),
        (right + left) + Signal.impulse(Fraction(0), Fraction(3)),
        Signal.constant(Fraction(1)), Signal(),
    ]
    return rng.choice(choices)
