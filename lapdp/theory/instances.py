"""Exact instances for the search of counterexamples, from the smallest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import pairwise, product
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.nodes import Node
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.families import (
    Averaged,
    Composed,
    Conditional,
    Family,
    Joint,
    OnUnitInterval,
    Processed,
    parts_of,
)
from lapdp.privacy.mechanisms.exponential import exponential
from lapdp.privacy.model import Model
from lapdp.theory.channel_instances import CHANNELS, Row, outputs, rows_of
from lapdp.theory.decades import decades, in_turn
from lapdp.theory.heavy import heavy_tail
from lapdp.theory.language import free_events
from lapdp.theory.least_values import bounded_letters, determined, least_values
from lapdp.theory.rare import RARE, SMALL, levels
from lapdp.theory.several import RARE_ROWS, ROWS, Rows, rare_places, rows_of_spaces
from lapdp.theory.wild import fejer, oscillating

_H = Fraction(1, 2)
FINITE: tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...] = (
    ((1,), (1,)),
    ((1, 0), (_H, _H)),
    ((_H, _H), (1, 0)),
    ((1, 0), (0, 1)),
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))),
    ((Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 5), Fraction(4, 5))),
    ((_H, _H), (Fraction(1, 4), Fraction(3, 4))),
    ((Fraction(1, 4), Fraction(3, 4)), (_H, _H)),
    ((_H, _H, 0), (_H, 0, _H)),
    ((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
     (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))),
    # a rare outcome under Q: conversions of moments fail there
    ((_H, _H), (Fraction(1, 1024), Fraction(1023, 1024))),
    # far apart, with an outcome that only one of them has
    ((1, 0), (Fraction(1, 4), Fraction(3, 4))),
    ((Fraction(1, 4), Fraction(3, 4)), (1, 0)),
)
FIBRES = 4
"""How many of the finite pairs are tried as the fibre at one outcome and another elsewhere."""
LEAST = sp.Symbol("least")
"""In place of a value: the least one that a hypothesis allows, computed at the instance."""
TELLING = 128
"""Instances at least values, before others are tried as well."""
MOST_BOUNDS = 4
"""Numbers of hypotheses that are tried as values."""
WIDE = 6
"""Place of the pairs with infinite support, which have moments +oo, among the finite ones."""
_LOG2 = sp.log(2)
_COMPLEX_ZERO = sp.Rational(1, 2) + sp.I * sp.pi / (2 * _LOG2)
Way = tuple[tuple[int, ...], tuple[Any, ...]]
"""Places of models and functions, and a value of each letter."""
REALS = (sp.Integer(0), _LOG2, -_LOG2, sp.Integer(1), sp.Integer(2), sp.Rational(1, 2),
         sp.Integer(-1), sp.Integer(3), sp.Rational(-1, 2), sp.Integer(-2), sp.Integer(4))
POSITIVE = (sp.Integer(1), _LOG2, sp.Integer(2), sp.Rational(1, 2))
UNIT = (sp.Integer(0), *map(sp.Rational, ("1/2", "1", "1/4", "1/3")), _LOG2, sp.Rational(3, 4))
"""Probabilities: a logarithm is an odd rate."""
COMPLEX = (sp.Integer(2), sp.Rational(1, 2), sp.Integer(1), sp.Integer(0), sp.Integer(-1),
           _COMPLEX_ZERO, 2 + sp.I * sp.pi / _LOG2, sp.I, sp.Integer(3), sp.Rational(1, 4),
           2 + sp.I, sp.I / 2, sp.Integer(-2), sp.Integer(4))


@cache
def _functions() -> tuple[tuple[str, Any], ...]:
    zero, cell = Form({}), Cell()
    decay = Exact.step(0, 1, -1)
    box = Exact.step(0) - Exact.step(1)
    both = Exact.term(1, 1).before(zero, cell) + Exact.term(1, -1).after(zero, cell)
    return (
        ("exp(-t)*Heaviside(t)", decay), ("exp(-2*t)*Heaviside(t)", Exact.step(0, 1, -2)),
        ("Heaviside(t) - Heaviside(t - 1)", box), ("exp(-Abs(t))", both),
        ("Heaviside(t)", Exact.step(0)), ("1", Exact.term(1)),
        ("DiracDelta(t)", Exact.impulse(0)), ("DiracDelta(t - 1)", Exact.impulse(1)),
        oscillating(0), oscillating(1), fejer(1),
        ("exp(t)*Heaviside(t)", Exact.step(0, 1, 1)),
        ("exp(t)*Heaviside(-t)", Exact.term(1, 1).before(zero, cell)),
        ("exp(t)", Exact.term(1, 1)), ("t", Exact.term(1, 0, 1)),
    )


@cache
def _models() -> tuple[tuple[str, Any], ...]:
    """The pairs that are tried for any free one, made once: nothing changes a model."""
    models = [finite_instance(p, q) for p, q in FINITE]
    models[WIDE:WIDE] = [(repr(wide), wide.model())
                         for wide in (exponential(1, 2), exponential(2, 3))]
    return (*models, heavy_tail())


Made = dict[Any, tuple[str, Any]]
"""What to type for a pair, and its model."""


@dataclass(frozen=True)
class Instance:
    """Exact pairs, functions and parameter values."""

    pairs: dict[Any, tuple[str, Any]]
    functions: dict[str, tuple[str, Any]]
    values: dict[Any, Any]
    events: dict[Any, frozenset[int]] = field(default_factory=dict)
    """For each free event the places of its outcomes: those of full mass first, then the one where
    Q vanishes, then the one where P does."""
    families: dict[Any, list[tuple[str, Any]]] = field(default_factory=dict)
    """For each family, a pair for each outcome."""
    channels: dict[Any, tuple[Row, ...]] = field(default_factory=dict)
    """For each channel, the masses of its outputs at each input."""

    def at(self, values: Mapping[Any, Any]) -> Instance | None:
        """The same instance at these values of parameters, its mechanisms with it.

        A mechanism whose parameters are letters is one mechanism for each of their values; None
        where there is none.
        """
        changed = {**self.values, **values}
        concrete = _concrete([a for a in self.pairs if a.mechanism is not None], changed,
                             changed.values())
        if concrete is None:
            return None
        return replace(self, values=changed, pairs={**self.pairs, **concrete})

    def text(self) -> str:
        """Paste-ready description."""
        parts = [name if isinstance(m, Rows) else
                 f"{', '.join(p.names)} = mechanism_pair({name})"
                 for p, (name, m) in self.pairs.items()]
        parts += [f"{', '.join(p.names)} at {p.role.outcome} = {j} = mechanism_pair({name})"
                  for p, found in self.families.items() for j, (name, _) in enumerate(found, 1)]
        for through, rows in self.channels.items():
            lists = ", ".join(f"[{', '.join(map(_mass, row))}]" for row in rows)
            parts.append(f"{through.name} = [{lists}]")
        parts += [f"{n}(t) = {name}" for n, (name, _) in self.functions.items()]
        parts += [f"{s} = {v}" for s, v in self.values.items()]
        parts += [f"{s} = {{{', '.join(map(str, sorted(v)))}}}" for s, v in self.events.items()]
        return "; ".join(parts)


def candidates(statement: Any, functions: list[str], text: str = "") -> Iterator[Instance]:
    """Instances in the order of their size, each with all events for the free ones; with a
    ``text`` only those at which letters have the values that it says."""
    events = free_events(statement)
    for instance in _instances(statement, functions, text):
        subsets = _SUBSETS
        if any(isinstance(m, Rows) for _, m in instance.pairs.values()):
            subsets = _SUBSETS[:2**max(len(m.outcomes) for _, m in instance.pairs.values()
                                       if isinstance(m, Rows))]
        for chosen in product(subsets, repeat=len(events)):
            yield replace(instance, events=dict(zip(events, chosen, strict=True)))


_SUBSETS = tuple(frozenset(k for k in range(4) if n >> k & 1) for n in range(16))
"""Of the first outcomes of a space: witnesses are small."""


def _instances(statement: Any, functions: list[str], text: str) -> Iterator[Instance]:
    atoms = {id(a): a for p in statement.pairs for q in p.atoms() for a in parts_of(q)}.values()
    if any(isinstance(a.role, (Composed, Conditional, OnUnitInterval)) or (
            a.role is not None and len(a.names) != 2) for a in atoms):
        return
    several = [a for a in atoms if len(a.names) != 2]
    free = [a for a in atoms if a.mechanism is None and a.role is None and not a.factors
            and len(a.names) == 2]
    fixed = [a for a in atoms if a.mechanism is not None]
    adaptive = Adaptive([a for a in atoms if a.role is not None])
    models = list(_models())
    models[:0] = [(repr(m), m) for m in statement.hints.get("pairs", {}).values()]
    given = statement.hints.get("pairs", {})
    models[:0] = _modelled([given[a.names[0]] for a in free if a.names[0] in given])
    letters = _letters_of(statement, text, {x for a in fixed for x in a.mechanism.free_symbols})
    parameters, telling, known = statement.parameters, letters.telling, letters.known
    objects = _functions()
    widths = [len(models)] * len(free) + adaptive.widths + [
        len(objects)] * len(functions) + [len(ROWS)] * sum(len(a.names) for a in several)
    ways = _choices(widths, telling, known)
    if several:
        head = len(widths) - sum(len(a.names) for a in several)
        fewer = [*widths[:head], *(len(RARE_ROWS) for _ in widths[head:])]
        ways = in_turn(ways, ((places[:head] + rare_places(places[head:]), values)
                              for places, values in _choices(fewer, telling, known)))
    if letters.least:
        ways = in_turn(ways, _choices(widths, letters.pools, known), head=TELLING)
    if not free and not functions and not several and fixed and parameters:
        near = _numbers(statement.where)
        far = [letters.pool(s, decades(s, near)) for s in parameters]
        ways = in_turn(ways, _choices(widths, far, known))
    seen = set()
    concrete_at = lru_cache(maxsize=1024)(partial(_concrete, fixed, parameters))
    for places, values in ways if adaptive.families or several or not free else _with_rare(
            ways, statement, models, (len(free), *widths[len(free):]),
            dict(zip(parameters, telling, strict=True)), letters):
        if (places, values) in seen:
            continue
        seen.add((places, values))
        shape, rest = places[:len(free)], places[len(free):]
        chosen, rest = rest[:len(adaptive.widths)], rest[len(adaptive.widths):]
        assignment = dict(zip(parameters, values, strict=True))
        concrete = concrete_at(values)
        if concrete is None:
            continue
        pairs: dict[Any, tuple[str, Any]] = {
            **{a: models[k] for a, k in zip(free, shape, strict=True)}, **concrete}
        found = adaptive.at(chosen, pairs)
        if found is None:
            continue
        dependent, families, channels = found
        pairs.update(dependent)
        given, rest = rest[:len(functions)], rest[len(functions):]
        instance = least_values(
            Instance({**pairs, **rows_of_spaces(several, rest)},
                     {n: objects[k] for n, k in zip(functions, given, strict=True)},
                     assignment, families=families, channels=channels),
            {s: found for s, found in letters.least.items() if assignment[s] == LEAST},
            letters.equations)
        if instance is not None and all(
                within(statement.where, s, (instance.values[s],)) for s in letters.computed):
            yield instance


@dataclass(frozen=True)
class _Letters:
    """What the letters of a statement may be, in the order of its parameters."""

    pool: Callable[[Any, Any], tuple[Any, ...]]
    """Of a letter and values, those that it may have."""
    known: list[bool]
    """Hinted or not."""
    pools: list[tuple[Any, ...]]
    telling: list[tuple[Any, ...]]
    """:data:`LEAST` where hypotheses give a least value, else the pool."""
    least: dict[Any, Any]
    equations: dict[Any, Any]

    @property
    def computed(self) -> tuple[Any, ...]:
        """Letters with values that no list has been filtered for."""
        return *self.least, *self.equations


def _letters_of(statement: Any, text: str, used: set[Any]) -> _Letters:
    """Of a statement whose mechanisms have the letters ``used``: these are never computed."""
    parameters, where = statement.parameters, statement.where
    hinted = {s: _hinted(statement.hints.get("witness", {}), s) for s in parameters}
    beside = bounds(where)

    def pool(s: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return _pool(where, text, s, hinted[s], values)

    free = [s for s in parameters if not hinted[s] and s not in used]
    equations = determined(where, free)
    least = bounded_letters(where, [s for s in free if s not in equations])
    weights = {x for e in equations.values() for x in e.free_symbols}
    pools = [(LEAST,) if s in equations else tuple(
        v for v in pool(s, (*_values(where, s, text), *beside))
        if v.is_Rational or s not in weights) for s in parameters]
    telling = [(LEAST,) if s in least else values
               for s, values in zip(parameters, pools, strict=True)]
    return _Letters(pool, [bool(hinted[s]) for s in parameters], pools, telling, least, equations)


def _concrete(fixed: Sequence[Any], letters: Iterable[Any], values: Iterable[Any]
              ) -> dict[Any, tuple[str, Any]] | None:
    """The mechanisms of pairs at values of letters; None where one is not there."""
    at = dict(zip(letters, values, strict=True))
    found = {a: a.mechanism.substitute(at) for a in fixed}
    return None if None in found.values() else {a: (repr(m), m) for a, m in found.items()}


def _with_rare(ways: Iterator[Way], statement: Any, models: list[Any], widths: Sequence[int],
               pools: dict[Any, tuple[Any, ...]], letters: _Letters) -> Iterator[Way]:
    """In turn with the ways of :mod:`lapdp.theory.rare`, for claims that such pairs refute;
    ``widths`` are the number of free pairs, and the choices for all else."""
    (free, *others), small, first = widths, levels(statement), len(models)
    if not small:
        return ways
    models += [finite_instance(p, q) for p, q in RARE]
    near = [letters.pool(s, SMALL) if s in small else values for s, values in pools.items()]
    rare = _choices([len(RARE)] * free + others, near, letters.known)
    return in_turn(ways, ((tuple(k + first for k in places[:free]) + places[free:], values)
                          for places, values in rare))


def _values(where: Any, symbol: Any, text: str) -> tuple[Any, ...]:
    """Values of a letter of its kind, fractions first where it lies between 0 and 1; which those of
    a ``text`` are need not be asked."""
    if not symbol.is_real:
        return COMPLEX
    values = POSITIVE if symbol.is_positive else REALS
    if text:
        return (*values, *UNIT)
    known = within(where, symbol, values)
    return UNIT if known and all(0 <= v <= 1 for v in known) else values


def _pool(where: Any, text: str, symbol: Any, hinted: tuple[Any, ...], values: tuple[Any, ...]
          ) -> tuple[Any, ...]:
    """What a letter may be: a hint, then the values that satisfy what is said of it alone; only
    those that a ``text`` says, if there is one."""
    told = (v for v in dict.fromkeys(values) if not text or f"{symbol} = {_written(v)}" in text)
    pool = (*hinted, *within(where, symbol, tuple(told)))
    return tuple(v for v in pool if allowed(symbol, v))


def _choices(widths: list[int], pools: list[tuple[Any, ...]], hinted: list[bool]
             ) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
    """Places of models and functions, and a value of each letter: at hinted values first."""
    rounds = [[1 if known else len(pool) for pool, known in zip(pools, hinted, strict=True)]]
    if any(hinted):
        rounds.append([len(pool) for pool in pools])
    for sizes in rounds:
        for places in _by_sum([*widths, *sizes]):
            yield places[:len(widths)], tuple(
                pool[k] for pool, k in zip(pools, places[len(widths):], strict=True))


def _modelled(pairs: list[Any]) -> Iterator[tuple[str, Any]]:
    """The pairs of a hint that have an exact model: others are for methods, not for this search."""
    for m in pairs:
        try:
            yield repr(m), m.model()
        except Unsupported:
            continue


def finite_instance(p: tuple[Any, ...], q: tuple[Any, ...]) -> tuple[str, Model]:
    """A finite pair: what to type, and its model."""
    text = f"finite([{', '.join(map(_mass, p))}], [{', '.join(map(_mass, q))}])"
    masses = tuple((Scalar.of(a), Scalar.of(b)) for a, b in zip(p, q, strict=True))
    return text, Model.of_masses(masses)


@cache
def _masses() -> dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """The masses of the finite pairs, by what is typed for them."""
    return {finite_instance(p, q)[0]: (p, q) for p, q in FINITE}


def prepare() -> None:
    """Make what every search needs, in a process that is to be forked.

    >>> prepare()
    """
    _models()
    _functions()
    _masses()
    for symbol in (sp.Symbol("x", real=True), sp.Symbol("x", positive=True), sp.Symbol("x")):
        for value in dict.fromkeys((*REALS, *POSITIVE, *UNIT, *COMPLEX)):
            allowed(symbol, value)
            _written(value)
            _fails(sp.Ge, value, sp.S.Zero)


class Adaptive:
    """Instances of families, joint pairs and averages: a finite pair for each outcome."""

    def __init__(self, atoms: list[Any]) -> None:
        self.families = [a for a in atoms if isinstance(a.role, Family)]
        self.joints = [a for a in atoms if isinstance(a.role, Joint)]
        self.averages = [a for a in atoms if isinstance(a.role, Averaged)]
        self.processed = [a for a in atoms if isinstance(a.role, Processed)]
        self.channels = list(dict.fromkeys(a.role.channel for a in self.processed))
        few = range(FIBRES)
        # the same pair at every outcome, then one at the first outcome and another elsewhere
        self.shapes = [*((j, j) for j in range(len(FINITE))),
                       *((i, j) for i in few for j in few if i != j)]
        self.widths = [len(self.shapes)] * len(self.families) + [
            len(CHANNELS)] * len(self.channels)

    def at(self, chosen: tuple[int, ...], pairs: dict[Any, tuple[str, Any]]
           ) -> tuple[Made, dict[Any, list[tuple[str, Any]]], dict[Any, tuple[Row, ...]]] | None:
        """The pairs made of others, those of each family, and channels; None where these do not
        fit the pairs."""
        families = self.families_at(chosen[:len(self.families)], pairs)
        through = self.channels_at(pairs, chosen[len(self.families):])
        if families is None or through is None:
            return None
        processed = {a: finite_instance(*outputs(
            self._outcomes(a.role.first, pairs), through[a.role.channel])) for a in self.processed}
        return {**processed, **self.joints_at(pairs, families), **self.averages_at(families)
                }, families, through

    def families_at(self, chosen: tuple[int, ...], pairs: dict[Any, tuple[str, Any]]
                    ) -> dict[Any, list[tuple[str, Any]]] | None:
        """The pairs of each family; None where the first pair of a joint one is not finite."""
        found: dict[Any, list[tuple[str, Any]]] = {}
        for who, k in zip(self.families, chosen, strict=True):
            # one family may follow several first pairs, which then have the same outcomes
            firsts = [self._outcomes(j.role.first, pairs) for j in self.joints
                      if j.role.second is who]
            sizes = {len(first[0]) for first in firsts if first is not None} or {2}
            if None in firsts or len(sizes) > 1:
                return None
            (size,) = sizes
            head, tail = self.shapes[k]
            found[who] = [finite_instance(*FINITE[tail if j else head]) for j in range(size)]
        return found

    def _outcomes(self, who: Any, pairs: dict[Any, tuple[str, Any]]) -> Any:
        return _masses().get(pairs[who][0]) if who in pairs else None

    def joints_at(self, pairs: dict[Any, tuple[str, Any]],
                  families: dict[Any, list[tuple[str, Any]]]) -> dict[Any, tuple[str, Any]]:
        """P(x, y) = P1(x) P2^x(y), outcome by outcome."""
        found: dict[Any, tuple[str, Any]] = {}
        for joint in self.joints:
            first = self._outcomes(joint.role.first, pairs)
            fibres = [_masses()[text] for text, _ in families[joint.role.second]]
            sides = [tuple(Fraction(mass) * Fraction(m) for mass, fibre in
                           zip(first[side], fibres, strict=True) for m in fibre[side])
                     for side in (0, 1)]
            found[joint] = finite_instance(sides[0], sides[1])
        return found

    def channels_at(self, pairs: dict[Any, tuple[str, Any]], chosen: tuple[int, ...]
                    ) -> dict[Any, tuple[Row, ...]] | None:
        """The channels for the inputs that they have; None where one is no finite pair, or the
        inputs of one channel have different numbers of values."""
        found: dict[Any, tuple[Row, ...]] = {}
        for atom in self.processed:
            inputs = self._outcomes(atom.role.first, pairs)
            made = atom.role.channel
            if inputs is None or len(inputs[0]) != len(found.get(made, inputs[0])):
                return None
            found[made] = rows_of(chosen[self.channels.index(made)], len(inputs[0]))
        return found

    def averages_at(self, families: dict[Any, list[tuple[str, Any]]]
                    ) -> dict[Any, tuple[str, Any]]:
        """The means over the uniform law of the outcome, outcome by outcome of the second space."""
        found: dict[Any, tuple[str, Any]] = {}
        for mean in self.averages:
            fibres = [_masses()[text] for text, _ in families[mean.role.family]]
            width = max(len(p) for p, _ in fibres)
            sides = [tuple(sum((Fraction(fibre[side][k]) for fibre in fibres
                                if k < len(fibre[side])), Fraction(0)) / len(fibres)
                           for k in range(width)) for side in (0, 1)]
            found[mean] = finite_instance(sides[0], sides[1])
        return found


def _by_sum(sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """Index vectors below the sizes, those with a small sum first.

    >>> list(_by_sum([2, 2]))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    def parts(total: int, sizes: list[int]) -> Iterator[tuple[int, ...]]:
        if not sizes:
            if total == 0:
                yield ()
            return
        rest = sum(sizes[1:]) - len(sizes) + 1
        for first in range(max(0, total - rest), min(total, sizes[0] - 1) + 1):
            for others in parts(total - first, sizes[1:]):
                yield (first, *others)

    if all(sizes):
        for total in range(sum(sizes) - len(sizes) + 1):
            yield from parts(total, sizes)


def _mass(value: Any) -> str:
    """A mass as it is typed: Python would make a float of 1/2."""
    fraction = Fraction(value)
    return str(fraction) if fraction.denominator == 1 else f'"{fraction}"'


def allowed(symbol: Any, value: Any) -> bool:
    """Does a value satisfy all assumptions of a symbol?"""
    return all(getattr(value, f"is_{name}", None) == wanted
               for name, wanted in symbol.assumptions0.items())


def within(where: Any, symbol: Any, pool: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values that satisfy every hypothesis on this parameter alone; only a filter, since all
    hypotheses are checked exactly at each instance."""
    conditions = [h for h in where if isinstance(h, Relational) and h.free_symbols == {symbol}
                  and not h.atoms(Node)]
    return tuple(v for v in pool if not any(_is_false(h, symbol, v) for h in conditions))


def bounds(where: Any) -> tuple[Any, ...]:
    """Numbers by which hypotheses bound letters, what is between two, and 1 and 1/4 beyond each.

    >>> x = sp.Symbol("x")
    >>> bounds([x > 1])
    (1, 2, 0, 5/4, 3/4)
    """
    numbers = _numbers(where)
    between = [(a + b) / 2 for a, b in pairwise(numbers)]
    near = (1, -1, sp.Rational(1, 4), sp.Rational(-1, 4))
    return (*numbers, *between, *(c + step for step in near for c in numbers))


def _numbers(where: Any) -> tuple[Any, ...]:
    return tuple(sorted({c for h in where if isinstance(h, Relational) and not h.atoms(Node)
                         for c in h.args if c.is_Rational})[:MOST_BOUNDS])


@lru_cache(maxsize=4096)
def _written(value: Any) -> str:
    return str(value)


def _is_false(condition: Any, symbol: Any, value: Any) -> bool:
    return _fails(condition.func, *(value if side == symbol else side.subs(symbol, value)
                                    for side in condition.args))


@lru_cache(maxsize=4096)
def _fails(relation: Any, lhs: Any, rhs: Any) -> bool:
    """Statements ask few numbers the same again and again, and SymPy takes long to compare them."""
    ordered = not issubclass(relation, (sp.Eq, sp.Ne))
    if ordered and not (lhs.is_extended_real and rhs.is_extended_real):
        return True
    return bool(relation(lhs, rhs) == sp.false)


def _hinted(hint: dict[Any, Any], symbol: Any) -> tuple[Any, ...]:
    value = hint.get(str(symbol))
    return () if value is None else (sp.sympify(value),)
