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

from lapdp.calculus.sequences import SequenceSymbol
from lapdp.numeric import pairs as numeric_pairs
from lapdp.numeric.functions import random_function, shaped_functions
from lapdp.numeric.generalized import PiecewiseCallable
from lapdp.numeric.models import OUTCOMES, Rows, letters_of, mechanism_pair, symbols_of
from lapdp.numeric.pairs import Pair
from lapdp.numeric.tails import Number
from lapdp.privacy.families import Composed, Conditional, Family, parts_of
from lapdp.privacy.nodes import Distribution, Event, Outcome
from lapdp.privacy.tradeoff_nodes import RandomizedTest

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
    pools: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    """Fibres of families and releases of compositions, by identity of the pair or composition."""
    sequences: dict[str, tuple[Number, ...]] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """The instance as plain data; an event by the places of its outcomes."""
        return {
            "parameters": {str(k): _outcomes(v) if isinstance(k, Event) else mp.nstr(v, 15)
                           for k, v in self.values.items()},
            **{name: text for name, text in self.texts.items()},
        }


def _outcomes(bits: int) -> str:
    return f"{{{', '.join(str(k) for k in range(bits.bit_length()) if bits >> k & 1)}}}"


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


def describe(pair: Any) -> str:
    """Outcome masses as exact fractions."""
    return "[" + ", ".join(f"({', '.join(map(str, row))})" for row in pair.outcomes) + "]"


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


class Drawer:
    """Draws instances of one statement."""

    def __init__(self, statement: Any, digits: int) -> None:
        self.digits = digits
        forms = (statement.claim, *statement.where)
        self.trees = [e for form in forms for e in expressions(form)]
        self.names = sorted({a.func.__name__ for e in self.trees for a in e.atoms(AppliedUndef)})
        self.sequences = sorted({str(x) for e in self.trees for x in e.atoms(SequenceSymbol)})
        spoken = {id(d.pair): d.pair for e in self.trees for d in e.atoms(Distribution)}
        parts = {id(x): x for p in spoken.values() for a in p.atoms() for x in parts_of(a)}
        self.pairs = sorted((p for p in parts.values() if p.role is None and not p.factors
                             and len(p.names) == 2), key=lambda p: str(p.name))
        self.pools = sorted(owners_of(parts.values()), key=lambda owner: str(owner[1]))
        hidden = {s for p in spoken.values() for s in letters_of(p)}
        own = {s for p in self.pairs for s in symbols_of(p.mechanism)}
        bound = bound_letters(forms)
        free = {s for e in self.trees for s in e.free_symbols} | hidden
        plain = {s for s in free | set(statement.parameters) if type(s) in (sp.Symbol, sp.Dummy)
                 and s.name not in MARKERS} - bound | set(statement.parameters)
        self.first = sorted(own & plain, key=str)
        self.events = sorted((s for s in free - bound if isinstance(s, Event)), key=str)
        self.letters = sorted((s for s in free - bound if isinstance(s, Outcome)), key=str)
        self.tests = sorted((s for s in free - bound if isinstance(s, RandomizedTest)), key=str)
        self.rest = sorted(plain - own, key=str)
        self.simple = False
        self.shaped = False
        self.dense = sum(p.mechanism is None for p in self.pairs) == 1 and not self.pools and (
            not any(p.factors for p in spoken.values()))

    def remake(self, instance: Instance) -> None:
        """The pairs of mechanisms anew, after values of their parameters have changed."""
        for p in self.pairs:
            if p.mechanism is not None:
                instance.pairs[id(p)] = mechanism_pair(p.mechanism, instance.values)

    def draw(self, rng: random.Random, kind: str) -> Instance:
        """One instance; hypotheses are not looked at, a mechanism may refuse its parameters."""
        instance = Instance(digits=self.digits)
        special: list[Number] = []
        self.assign(instance, self.first, rng, special)
        for p in self.pairs:
            if p.mechanism is not None:
                if not set(symbols_of(p.mechanism)) <= set(instance.values):
                    continue
                pair = mechanism_pair(p.mechanism, instance.values)
                text = repr(p.mechanism)
            else:
                pair, text = self.free_pair(rng, kind)
            instance.pairs[id(p)], instance.texts[f"pair {p.name}"] = pair, text
            special.extend(x for z in pair.breaks for x in (z, -z))
        for identity, name, count in self.pools:
            pool = self.pool(rng, kind, count)
            instance.pools[identity] = pool
            instance.texts[f"fibres {name}"] = "; ".join(map(describe, pool))
        for name in self.names:
            instance.functions[name], instance.texts[f"function {name}"] = self.function(rng)
        for name in self.sequences:
            instance.sequences[name] = self.numbers(rng)
            instance.texts[f"sequence {name}"] = ", ".join(
                mp.nstr(x, 5) for x in instance.sequences[name]) + ", ..."
        self.assign(instance, self.rest, rng, special)
        for event in self.events:
            instance.values[event] = rng.getrandbits(16)
        for letter in self.letters:
            instance.values[letter] = mp.mpf(rng.randrange(OUTCOMES))
        for test in self.tests:
            instance.values[test] = rng.randrange(5**6)
        return instance

    def assign(self, instance: Instance, symbols: list[Any], rng: random.Random,
               special: list[Number]) -> None:
        """Values of symbols; those of the ones before are special points for the next."""
        for s in symbols:
            instance.values[s] = value = self.value(s, rng, special)
            if mp.im(value) == 0 and s.is_extended_real:
                special.extend([value, -value])

    def value(self, symbol: Any, rng: random.Random, special: list[Number]) -> Number:
        """A value within the assumptions of a symbol."""
        return draw_symbol(symbol, rng, special)

    def free_pair(self, rng: random.Random, kind: str) -> tuple[Pair, str]:
        """An arbitrary pair."""
        if kind == "density" and self.dense:
            return density_pair(rng)
        pair = finite_pair(rng, rng.choice(KINDS[:4]) if kind == "density" else kind)
        return pair, describe(pair)

    def pool(self, rng: random.Random, kind: str, count: int) -> tuple[Any, ...]:
        """Fibres of a family, as many as outcomes, or releases of a composition."""
        kinds = KINDS[:5]
        if count == 2:
            return tuple(finite_pair(rng, kind if k == 0 and kind in kinds else rng.choice(kinds))
                         for k in range(rng.randint(1, OUTCOMES)))
        return tuple(finite_rows(rng, count) for _ in range(rng.randint(1, OUTCOMES)))

    def function(self, rng: random.Random) -> tuple[PiecewiseCallable, str]:
        """An arbitrary function; of a given shape, now and then, where others met no hypothesis."""
        if self.shaped and rng.random() < 0.5:
            return rng.choice(shaped_functions())
        return random_function(rng, self.simple)

    def numbers(self, rng: random.Random) -> tuple[Number, ...]:
        """What an arbitrary sequence runs through."""
        return tuple(mp.mpf(rng.randint(-8, 16)) / 4 for _ in range(rng.randint(1, 5)))


def owners_of(parts: Iterable[Any]) -> list[tuple[int, str, int]]:
    """What needs fibres: (identity, name, distributions) of families, of compositions of arbitrary
    releases, of several distributions on one space."""
    found: dict[int, tuple[int, str, int]] = {}
    for p in parts:
        count = len(p.names)
        if isinstance(p.role, Family) or (p.role is None and count > 2):
            found[id(p)] = id(p), p.name, count
        if isinstance(p.role, (Composed, Conditional)):
            made = p.role.composition
            if made.each is None and made.mechanism is None:
                found[id(made)] = id(made), ", ".join(made.names), 2
    return list(found.values())


def bound_letters(forms: Iterable[Any]) -> set[Any]:
    """Letters that quantifiers bind and that stand free nowhere else."""
    bound: set[Any] = set()

    def walk(form: Any) -> set[Any]:
        """The free letters of a form."""
        if isinstance(form, (tuple, list)):
            return set().union(*map(walk, form)) if form else set()
        if isinstance(form, sp.Basic):
            return set(form.free_symbols) | {
                s for d in form.atoms(Distribution) for s in letters_of(d.pair)}
        if not is_dataclass(form):
            return set()
        own: set[Any] = set()
        for name in ("over", "made"):
            own |= set(getattr(form, name, ()))
        own |= {getattr(form, name) for name in ("t", "symbol") if hasattr(form, name)}
        inside = {s for f in fields(form) if f.name not in ("over", "made", "t", "symbol")
                  for s in walk(getattr(form, f.name))}
        bound.update(own)
        return inside - own

    free: set[Any] = set()
    for form in forms:
        free |= walk(form)
    return bound - free


def finite_rows(rng: random.Random, count: int) -> Rows:
    """Several distributions on a space of 2 to 4 outcomes."""
    n = rng.randint(2, 4)
    masses = [[rng.randint(0, 5) for _ in range(n)] for _ in range(count)]
    for row in masses:
        row[rng.randrange(n)] += 1
    return Rows(list(zip(*([Fraction(x, sum(row)) for x in row] for row in masses),
                         strict=True)))
