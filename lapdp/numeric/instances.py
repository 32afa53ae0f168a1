"""Random instances of a statement: parameter values, pairs, functions.

Drawn with :class:`random.Random`: the same seed gives the same instances on every machine.
Special points are mixed in on purpose: 0, +-1, a loss of the drawn pair, another parameter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from lapdp.core.errors import InputError, Unsupported
from lapdp.numeric import pairs as numeric_pairs
from lapdp.numeric.generalized import Impulse, PiecewiseCallable
from lapdp.numeric.pairs import Pair
from lapdp.numeric.tails import Number
from lapdp.privacy.nodes import Event
from lapdp.privacy.operations import Product

KINDS = ("both", "not P << Q", "not Q << P", "neither", "equal", "density")
"""Kinds of arbitrary pairs: which masses vanish, equal distributions, two densities."""

MARKERS = frozenset({"<", "<=", ">", ">=", "==", "_", "_+", "_-"})
"""Names of symbols that stand for a relation or a side, not for a number."""

_RANGES = ((-24, 24), (1, 8), (0, 8))


@dataclass
class Instance:
    """Values of symbols, pairs by identity, functions by name; ``digits`` to be compared."""

    values: dict[Any, Any] = field(default_factory=dict)
    digits: int = 30
    pairs: dict[int, Pair] = field(default_factory=dict)
    functions: dict[str, PiecewiseCallable] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """The instance as plain data."""
        return {
            "parameters": {str(k): mp.nstr(v, 15) for k, v in self.values.items()},
            **{name: text for name, text in self.texts.items()},
        }


def expressions(form: Any) -> Iterable[sp.Basic]:
    """SymPy trees inside a relation or a dataclass form."""
    if isinstance(form, sp.Basic):
        yield form
    elif isinstance(form, (tuple, list)):
        for part in form:
            yield from expressions(part)
    elif is_dataclass(form):
        for f in fields(form):
            yield from expressions(getattr(form, f.name))


def finite_pair(rng: random.Random, kind: str) -> Pair:
    """A pair with 2 to 4 outcomes and rational masses of small denominators.

    >>> pair = finite_pair(random.Random(1), "not P << Q")
    >>> any(q == 0 < p for p, q in pair.outcomes), all(p > 0 for p, q in pair.outcomes)
    (True, True)
    """
    n = rng.randint(3 if kind == "neither" else 2, 4)
    a = [rng.randint(1, 9) for _ in range(n)]
    b = a[:] if kind == "equal" else [rng.randint(1, 9) for _ in range(n)]
    if kind in ("not P << Q", "neither"):
        b[0] = 0
    if kind in ("not Q << P", "neither"):
        a[-1] = 0
    return Pair([(Fraction(x, sum(a)), Fraction(y, sum(b))) for x, y in zip(a, b, strict=True)])


def density_pair(rng: random.Random) -> tuple[Pair, str]:
    """Exponentials of rates 1 and 2 in either order, a Laplace shift or a Gaussian shift."""
    shape = rng.choice(("exponential", "reversed exponential", "Laplace", "Gaussian"))
    one, two = (lambda x: mp.exp(-x)), (lambda x: 2 * mp.exp(-2 * x))
    if shape == "exponential":
        return numeric_pairs.density(one, two, (0, mp.inf)), "Exp(1), Exp(2)"
    if shape == "reversed exponential":
        return numeric_pairs.density(two, one, (0, mp.inf)), "Exp(2), Exp(1)"
    if shape == "Laplace":
        return numeric_pairs.density(
            lambda x: mp.exp(-abs(x)) / 2, lambda x: mp.exp(-abs(x - 1)) / 2, (-mp.inf, mp.inf),
            (0, 1)), "Laplace(0, 1), Laplace(1, 1)"

    def normal(mean: int) -> Callable[[Any], Any]:
        return lambda x: mp.exp(-((x - mean) ** 2) / 2) / mp.sqrt(2 * mp.pi)

    return numeric_pairs.density(normal(0), normal(1), (-mp.inf, mp.inf)), "N(0, 1), N(1, 1)"


def describe(pair: Pair) -> str:
    """Outcome masses as exact fractions."""
    return "[" + ", ".join(f"({p}, {q})" for p, q in pair.outcomes) + "]"


def mechanism_pair(mechanism: Any, values: dict[Any, Any]) -> Pair:
    """The pair of a mechanism at parameter values, by its ``numeric_pair`` protocol.

    A product may have densities in one of its factors.
    """
    try:
        shape, *data = mechanism.numeric_pair(values)
    except Unsupported:
        if not isinstance(mechanism, Product):
            raise
        first, second = (mechanism_pair(m, values) for m in (mechanism.first, mechanism.second))
        return first.times(second)
    if shape == "finite":
        return numeric_pairs.finite(data[0])
    if shape == "density":
        p, q, support, kinks = data
        return numeric_pairs.density(p, q, support, kinks)
    raise InputError(f"numeric_pair must give 'finite' or 'density', not {shape!r}")


def draw_symbol(symbol: Any, rng: random.Random, special: list[Number]) -> Number:
    """A value within the assumptions of ``symbol``; positive ones positive, integers whole."""
    if symbol.is_integer:
        low = 1 if symbol.is_positive else (0 if symbol.is_nonnegative else -3)
        return mp.mpf(rng.randint(low, 4))
    if not symbol.is_extended_real:
        if rng.random() < 0.12:
            return mp.mpf(rng.randint(-1, 1))
        re = mp.mpf(rng.randint(-20, 28)) / 8
        return re if rng.random() < 0.3 else mp.mpc(re, mp.mpf(rng.randint(-16, 16) or 3) / 8)
    if rng.random() < 0.35:
        value = rng.choice([mp.mpf(0), mp.mpf(1), mp.mpf(-1), *special, *special]) + 0
    else:
        low, high = rng.choice(_RANGES)
        value = mp.mpf(rng.randint(low, high)) / 8 + (
            mp.mpf(1) / 16 if rng.random() < 0.3 else 0)
    if symbol.is_positive:
        return abs(value) if value != 0 else mp.mpf(rng.randint(1, 24)) / 8
    return abs(value) if symbol.is_nonnegative else value


def random_function(rng: random.Random, simple: bool = False) -> tuple[PiecewiseCallable, str]:
    """A function with known kinks: two-sided or one-sided exponentials, a bump, a step; impulses.

    ``simple`` leaves out bumps and sums, for integrals within integrals.  Every smooth tail decays
    at least like e^(-5|t|/2), so that strips around 0 are not empty.
    """
    shapes = ("two-sided", "one-sided", "step", "bump", "mixed")
    shape = rng.choice(shapes[:3] if simple else shapes)
    terms = []
    for kind in (("two-sided", "one-sided") if shape == "mixed" else (shape,)):
        c = mp.mpf(rng.choice([-3, -2, -1, 1, 2, 3])) / 2
        a, b = mp.mpf(rng.randint(5, 10)) / 2, mp.mpf(rng.randint(-4, 4)) / 4
        terms.append(_TERMS[kind](c, a, b))
    impulses = []
    if rng.random() < 0.3:
        impulses.append(Impulse(mp.mpf(rng.choice([0, 0, -1, 1, 2])) / 2,
                                mp.mpf(rng.choice([-1, 1, 2]))))
    text = " + ".join(t[2] for t in terms) + "".join(
        f" + {mp.nstr(i.mass, 5)} impulse at {mp.nstr(i.at, 5)}" for i in impulses)
    pieces = [t[0] for t in terms]
    return PiecewiseCallable(
        lambda t: sum((f(t) for f in pieces), mp.mpf(0)),
        tuple(sorted({b for t in terms for b in t[1]} | {i.at for i in impulses})),
        tuple(impulses),
    ), text


def _two_sided(c: Number, a: Number, b: Number) -> Any:
    return (lambda t: c * mp.exp(-a * abs(t - b)), [b],
            f"{mp.nstr(c, 5)} exp(-{mp.nstr(a, 5)} |t - {mp.nstr(b, 5)}|)")


def _one_sided(c: Number, a: Number, b: Number) -> Any:
    return (lambda t: c * mp.exp(-a * (t - b)) if t >= b else mp.mpf(0), [b],
            f"{mp.nstr(c, 5)} exp(-{mp.nstr(a, 5)} (t - {mp.nstr(b, 5)})) [t >= {mp.nstr(b, 5)}]")


def _bump(c: Number, a: Number, b: Number) -> Any:
    return (lambda t: c * mp.exp(-a * (t - b) ** 2), [b],
            f"{mp.nstr(c, 5)} exp(-{mp.nstr(a, 5)} (t - {mp.nstr(b, 5)})^2)")


def _step(c: Number, a: Number, b: Number) -> Any:
    end = b + a / 2
    return (lambda t: c if b <= t < end else mp.mpf(0), [b, end],
            f"{mp.nstr(c, 5)} [{mp.nstr(b, 5)} <= t < {mp.nstr(end, 5)}]")


_TERMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "two-sided": _two_sided, "one-sided": _one_sided, "bump": _bump, "step": _step,
}


def _symbols_of(mechanism: Any) -> set[Any]:
    """Symbols in the fields of a mechanism, or those that it names as ``free_symbols``."""
    named = getattr(mechanism, "free_symbols", None)
    if named is not None:
        return set(named)
    return {s for e in expressions(mechanism) for s in e.free_symbols}


class Drawer:
    """Draws instances of one statement."""

    def __init__(self, statement: Any, digits: int) -> None:
        self.digits = digits
        forms = (statement.claim, *statement.where)
        self.trees = [e for form in forms for e in expressions(form)]
        self.names = sorted({a.func.__name__ for e in self.trees for a in e.atoms(AppliedUndef)})
        atomic = {id(p): p for pair in statement.pairs for p in pair.atoms()}
        self.pairs = sorted(atomic.values(), key=lambda p: str(p.name))
        own = {s for p in self.pairs for s in _symbols_of(p.mechanism)}
        self.first = sorted(own, key=str)
        self.events = sorted({s for e in self.trees for s in e.free_symbols
                              if isinstance(s, Event)}, key=str)
        self.rest = [s for s in statement.parameters if s not in own and s.name not in MARKERS]
        self.simple = False
        self.dense = sum(p.mechanism is None for p in self.pairs) == 1 and not any(
            p.factors for p in statement.pairs)

    def remake(self, instance: Instance) -> None:
        """The pairs of mechanisms anew, after values of their parameters have changed."""
        for p in self.pairs:
            if p.mechanism is not None:
                instance.pairs[id(p)] = mechanism_pair(p.mechanism, instance.values)

    def draw(self, rng: random.Random, kind: str) -> Instance:
        """One instance; hypotheses are not looked at, a mechanism may refuse its parameters."""
        instance = Instance(digits=self.digits)
        special: list[Number] = []

        def assign(symbols: list[Any]) -> None:
            for s in symbols:
                instance.values[s] = value = draw_symbol(s, rng, special)
                if mp.im(value) == 0 and s.is_extended_real:
                    special.extend([value, -value])

        assign(self.first)
        for p in self.pairs:
            if p.mechanism is not None:
                pair = mechanism_pair(p.mechanism, instance.values)
                text = repr(p.mechanism)
            elif kind == "density" and self.dense:
                pair, text = density_pair(rng)
            else:
                pair = finite_pair(rng, rng.choice(KINDS[:4]) if kind == "density" else kind)
                text = describe(pair)
            instance.pairs[id(p)], instance.texts[f"pair {p.name}"] = pair, text
            special.extend(x for z in pair.breaks for x in (z, -z))
        for name in self.names:
            instance.functions[name], instance.texts[f"function {name}"] = random_function(
                rng, self.simple)
        assign(self.rest)
        for event in self.events:
            instance.values[event] = rng.getrandbits(16)
        return instance
