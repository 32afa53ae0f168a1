"""The pairs that a statement speaks of, made at the values of their letters.

A pair hides letters: parameters of its mechanism, the number of releases of a composition, the
outcome of a family.  So a pair is looked up with an environment, each time anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.numeric import pairs as numeric_pairs
from lapdp.numeric.elementary import Env, lookup, real
from lapdp.numeric.pairs import Pair
from lapdp.numeric.parts import exact, number
from lapdp.privacy import families as fam
from lapdp.privacy.mixtures import PLAIN, REVERSED, coefficients
from lapdp.privacy.nodes import Distribution, PairOf
from lapdp.privacy.operations import Product
from lapdp.privacy.parameters import demanded, in_numbers

MOST_RELEASES = 6
"""Releases of a composition that are multiplied out."""
MOST_OUTCOMES = 3000
"""Outcomes of a joint pair that are written down."""
NEAR = 1e-20
"""What rounded weights may lack of 1."""
OUTCOMES = 3
"""Outcomes over which the letter of a family runs; pools of fibres are no longer."""


class Rows:
    """Several distributions on one finite space: the masses of each outcome.

    >>> Rows([(Fraction(1), Fraction(0), Fraction(1, 2))]).masses()[0][2]
    mpf('0.5')
    """

    parts: tuple[Any, ...] = ()

    def __init__(self, outcomes: Iterable[tuple[Any, ...]]) -> None:
        self.outcomes = [tuple(map(Fraction, row)) for row in outcomes]

    def masses(self) -> list[tuple[Any, ...]]:
        """Masses of the outcomes at the current precision."""
        return [tuple(map(number, row)) for row in self.outcomes]


Pool = tuple[Any, ...]
"""The fibres of a family: the one at outcome x is number x modulo their count."""


def letters_of(identity: PairOf) -> frozenset[Any]:
    """The letters that a pair hides.

    >>> k = sp.Symbol("k", integer=True, nonnegative=True)
    >>> [str(s) for s in letters_of(fam.Composition()(k + 1)[0].pair)]
    ['k']
    """
    found: set[Any] = set()
    for part in (p for atom in identity.atoms() for p in fam.parts_of(atom)):
        found |= symbols_of(part.mechanism)
        role = part.role
        if isinstance(role, (fam.Composed, fam.Conditional)):
            found |= role.index.free_symbols | role.composition.letters
        if isinstance(role, fam.Conditional) and role.outcome is not None:
            found.add(role.outcome)
        if isinstance(role, fam.Family):
            found.add(role.outcome)
        if isinstance(role, fam.OnUnitInterval):
            found |= role.cdf.free_symbols - {role.x}
        if isinstance(role, (fam.Joint, fam.Averaged)):
            family = role.second if isinstance(role, fam.Joint) else role.family
            found |= letters_of(family) - {getattr(family.role, "outcome", None)}
    joined = {getattr(p.role, "outcome", None) for atom in identity.atoms()
              for p in fam.parts_of(atom)[1:]}
    return frozenset(found - (joined if identity.role is not None else set()))


def symbols_of(mechanism: Any) -> set[Any]:
    """Symbols in the fields of a mechanism, or those that it names as ``free_symbols``."""
    named = getattr(mechanism, "free_symbols", None)
    return fam.symbols_in(mechanism) if named is None else set(named)


def mechanism_pair(mechanism: Any, values: dict[Any, Any]) -> Pair:
    """The pair of a mechanism at parameter values, by its ``numeric_pair`` protocol.

    A product may have densities in one of its factors.  Raises :class:`InputError` where the
    mechanism has no such pair: a scale that is not positive, or is not real.
    """
    given = {s: v for s, v in values.items() if type(s) in (sp.Symbol, sp.Dummy)}
    _require_range(mechanism, given)
    try:
        shape, *data = mechanism.numeric_pair(given)
    except Unsupported:
        if not isinstance(mechanism, Product):
            raise
        first, second = (mechanism_pair(m, values) for m in (mechanism.first, mechanism.second))
        return first.times(second)
    except (TypeError, ZeroDivisionError, ValueError) as problem:
        raise InputError(f"no pair of {mechanism!r} at these parameters: {problem}") from None
    except NotImplementedError:
        raise Unsupported(f"no numbers are drawn for the parameters of {mechanism!r}") from None
    if shape == "finite":
        return numeric_pairs.finite(data[0])
    if shape == "density":
        p, q, support, kinks = data
        return numeric_pairs.density(p, q, support, kinks)
    raise InputError(f"numeric_pair must give 'finite' or 'density', not {shape!r}")


def _require_range(mechanism: Any, values: dict[Any, Any]) -> None:
    """Refuse parameters that are out of range, such as a shift by 0 of a mechanism whose
    sensitivity is positive, though there are numbers for them."""
    for e, strict in demanded(mechanism):
        if e.free_symbols <= {*values}:
            x = mp.re(in_numbers(e, values))
            if not (x > 0 if strict else x >= 0):
                raise InputError(f"no pair of {mechanism!r} at these parameters: it needs "
                                 f"{e} {'>' if strict else '>='} 0")


class Models:
    """Pairs at an instance, for one evaluator; made pairs are kept by the values of their letters.
    """

    def __init__(self, evaluator: Any) -> None:
        self.ev = evaluator
        self._made: dict[Any, Pair] = {}
        self._letters: dict[int, tuple[Any, ...]] = {}

    def letters(self, identity: PairOf) -> tuple[Any, ...]:
        """The letters that a pair hides, in order."""
        if id(identity) not in self._letters:
            self._letters[id(identity)] = tuple(sorted(letters_of(identity), key=str))
        return self._letters[id(identity)]

    def pair(self, first: Any, second: Any, env: Env) -> Pair:
        """The numeric pair of two distributions, in that order."""
        which, weights = coefficients(first, second)
        if len(which.names) > 2:
            return self._of_several(which, weights, env)
        if weights in (PLAIN, REVERSED):
            return self.of(which, env, weights == REVERSED)
        return self._mixture(which, weights, env)

    def of(self, which: PairOf, env: Env, reverse: bool = False) -> Pair:
        """The pair with that identity, its letters taken from ``env``."""
        key = (id(which), reverse, mp.prec, *(env.get(s) for s in self.letters(which)))
        if key not in self._made:
            made = self.of(which, env).reverse if reverse else self._build(which, env)
            made.tick = self.ev.tick
            if len(self._made) > 4000:
                self._made.clear()
            self._made[key] = made
        return self._made[key]

    def space(self, which: PairOf, env: Env) -> Pair | Rows:
        """The outcomes of a space with their masses, of two distributions or more."""
        return self.of(which, env) if len(which.names) == 2 else self._rows(which, env)

    def _rows(self, which: PairOf, env: Env) -> Rows:
        role = which.role
        try:
            if role is None:
                pool = self.ev.instance.pools[id(which)]
                if len(pool) != 1:
                    raise Unsupported("no numbers are drawn for several distributions on one space")
                (found,) = pool
            elif isinstance(role, fam.Family):
                pool = self._pool(which)
                found = pool[int(lookup(env, role.outcome)) % len(pool)]
            elif isinstance(role, fam.Averaged):
                found = mean_of(self._pool(role.family))
            else:
                raise KeyError
        except KeyError:
            raise Unsupported(f"the {which} are not drawn") from None
        return found  # type: ignore[no-any-return]

    def _mixture(self, which: PairOf, weights: Any, env: Env) -> Pair:
        rows = [[real(self.ev.value(w, env), "a weight") for w in row] for row in weights]
        key = (id(which), *map(tuple, rows), mp.prec,
               *(env.get(s) for s in self.letters(which)))
        if key not in self._made:
            self._made[key] = self.of(which, env).mixed(rows)
            self._made[key].tick = self.ev.tick
        return self._made[key]

    def _of_several(self, which: PairOf, weights: Any, env: Env) -> Pair:
        """Two of several distributions, or mixtures of them."""
        first, second = ([exact(real(self.ev.value(w, env), "a weight")) for w in row]
                         for row in weights)
        if any(min(row) < 0 or abs(float(sum(row) - 1)) > NEAR for row in (first, second)):
            raise Undefined("a mixture whose weights make no distribution")

        def mass(row: list[Fraction], masses: Any) -> Fraction:
            return sum((w * x for w, x in zip(row, masses, strict=True)), Fraction(0))

        return Pair([(mass(first, masses), mass(second, masses))
                     for masses in self.space(which, env).outcomes])

    def _build(self, which: PairOf, env: Env) -> Pair:
        if which.factors:
            return reduce(product_of, [self.of(f, env) for f in which.factors])
        if which.mechanism is not None:
            if not self.letters(which) and id(which) in self.ev.instance.pairs:
                return self.ev.instance.pairs[id(which)]  # type: ignore[no-any-return]
            return mechanism_pair(which.mechanism, env)
        if which.role is None:
            try:
                return self.ev.instance.pairs[id(which)]  # type: ignore[no-any-return]
            except KeyError:
                raise Unsupported(f"the {which} is not drawn") from None
        role = type(which.role)
        if role not in _ROLES:
            raise Unsupported(f"{which.role.described} are not drawn")
        return _ROLES[role](self, which, env)

    def _pool(self, owner: Any) -> Pool:
        try:
            return self.ev.instance.pools[id(owner)]  # type: ignore[no-any-return]
        except KeyError:
            raise Unsupported("a family that is not drawn") from None

    def _family(self, which: PairOf, env: Env) -> Pair:
        pool = self._pool(which)
        found: Pair = pool[int(lookup(env, which.role.outcome)) % len(pool)]
        return found

    def _averaged(self, which: PairOf, env: Env) -> Pair:
        made: Pair = mean_of(self._pool(which.role.family))
        return made

    def _joint(self, which: PairOf, env: Env) -> Pair:
        second = which.role.second
        first = self.of(which.role.first, env)
        letter = getattr(second.role, "outcome", None)
        return followed(first, lambda x: self.of(second, {**env, letter: mp.mpf(x)}))

    def _composed(self, which: PairOf, env: Env) -> Pair:
        count = self._count(which.role.index, env)
        if count > MOST_RELEASES:
            raise Unsupported("a composition of many releases")
        composition, made = which.role.composition, ONE_POINT
        for i in range(1, count + 1):
            made = followed(made, partial(self._release_after, composition, i, env))
        return made

    def _release_after(self, composition: Any, i: int, env: Env, x: int) -> Pair:
        return self._release(composition, i, x, env)

    def _conditional(self, which: PairOf, env: Env) -> Pair:
        role = which.role
        index = self._count(role.index, env)
        if index < 1:
            raise Undefined("a release before the first")
        x = 0 if role.outcome is None else int(lookup(env, role.outcome))
        return self._release(role.composition, index, x if index > 1 else 0, env)

    def _release(self, composition: Any, i: int, x: int, env: Env) -> Pair:
        """Release i given outcome number x of those before."""
        if composition.each is not None:
            first, second = composition.each
            return self.pair(first, second, env)
        if composition.mechanism is not None:
            return mechanism_pair(composition.mechanism(sp.Integer(i)), env)
        pool = self._pool(composition)
        found: Pair = pool[(i - 1 + (0 if composition.independent else x)) % len(pool)]
        return found

    def _count(self, index: Any, env: Env) -> int:
        value = real(self.ev.value(index, env), "a number of releases")
        if value != int(value) or value < 0:
            raise Undefined(f"{mp.nstr(value, 5)} is no number of releases")
        return int(value)


_ROLES: dict[Any, Callable[[Models, PairOf, Env], Pair]] = {
    fam.Family: Models._family,
    fam.Averaged: Models._averaged,
    fam.Joint: Models._joint,
    fam.Composed: Models._composed,
    fam.Conditional: Models._conditional,
}

ONE_POINT = Pair([(Fraction(1), Fraction(1))])
"""The only pair on a space of one point."""


def product_of(first: Pair, second: Pair) -> Pair:
    """The product of two pairs, of outcomes that can be written down."""
    if len(first.outcomes) * len(second.outcomes) > MOST_OUTCOMES:
        raise Unsupported("a product of many outcomes")
    return first.times(second)


def followed(first: Pair, second: Callable[[int], Pair]) -> Pair:
    """The joint pair P(x, y) = P1(x) P2^x(y), outcome by outcome."""
    if first.parts:
        others = [second(x) for x in range(OUTCOMES)]
        if any(o is not others[0] for o in others):
            raise Unsupported("a family over a continuous space")
        return product_of(first, others[0])
    if len(first.outcomes) == 1:
        return second(0)
    fibres = [second(x) for x in range(len(first.outcomes))]
    if any(f.parts for f in fibres):
        if any(f is not fibres[0] for f in fibres):
            raise Unsupported("a family of densities")
        return product_of(first, fibres[0])
    if sum(len(f.outcomes) for f in fibres) > MOST_OUTCOMES:
        raise Unsupported("a joint pair of many outcomes")
    return Pair([(p * a, q * b) for (p, q), f in zip(first.outcomes, fibres, strict=True)
                 for a, b in f.outcomes])


def mean_of(fibres: Pool) -> Any:
    """The mean of finite pairs, or rows, outcome by outcome, all fibres alike likely."""
    if any(f.parts for f in fibres):
        raise Unsupported("a mean of densities")
    rows = [list(f.outcomes) for f in fibres]
    width, count = max(map(len, rows)), len(rows[0][0])
    filled = [row + [(Fraction(0),) * count] * (width - len(row)) for row in rows]
    means = [tuple(sum((row[j][side] for row in filled), Fraction(0)) / len(rows)
                   for side in range(count)) for j in range(width)]
    return Pair(means) if count == 2 else Rows(means)  # type: ignore[arg-type]


def spoken_of(expr: Any) -> set[PairOf]:
    """The pairs whose members occur in an expression."""
    return {d.pair for d in expr.atoms(Distribution)}


__all__ = ["ONE_POINT", "OUTCOMES", "Models", "Pool", "Rows", "letters_of", "mechanism_pair",
           "spoken_of", "symbols_of"]
