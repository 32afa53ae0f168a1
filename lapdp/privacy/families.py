"""Pairs that depend on earlier outcomes: families, adaptive compositions, compositions of k.

A *family* is an arbitrary pair for each outcome x of another space.  An *adaptive pair* is the
joint pair P(x, y) = P1(x) P2^x(y).  A *composition* is the sequence P_{1:k}, for every k, of the
joint outputs of k releases, each of which may depend on the earlier outcomes, or is one concrete
mechanism after the other.  An *averaged* pair is the mean of a family over one law of the outcome,
the same for all members: what a mechanism on a random sample of a dataset gives.  Families are
supposed to be measurable in x, as joint laws need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import sympy as sp

from lapdp.core.calls import fitting
from lapdp.core.errors import IllFormed, InputError, Unsupported
from lapdp.privacy.nodes import (
    Distribution,
    Outcome,
    PairOf,
    mechanism_pair,
    names_beside,
    oriented,
    product_pair,
)


@dataclass(frozen=True)
class Family:
    """The role of a pair that is given for each outcome."""

    described = "families"

    outcome: Any


@dataclass(frozen=True)
class Joint:
    """The role of a joint pair: the first pair, then the family."""

    described = "joint pairs"

    first: Any
    second: Any


@dataclass(frozen=True)
class Averaged:
    """The role of the mean of a family over the law of its outcome."""

    described = "averages"

    family: Any


@dataclass(frozen=True)
class Processed:
    """The role of the outputs of a channel, whose inputs have the laws of the first pair."""

    described = "outputs of a channel"

    first: Any
    channel: Any


@dataclass(frozen=True)
class Composed:
    """The role of the joint pair of the first ``index`` releases of a composition."""

    described = "compositions"

    composition: Any
    index: Any


@dataclass(frozen=True)
class Conditional:
    """The role of release ``index`` of a composition, given the earlier outcomes.

    ``outcome`` is None for a release that does not look at them.
    """

    described = "conditional pairs"

    composition: Any
    index: Any
    outcome: Any


@dataclass(frozen=True)
class OnUnitInterval:
    """The role of a pair on [0, 1]: P with the distribution function ``cdf`` of x in [0, 1), the
    rest of its mass at 1, and Q uniform."""

    described = "pairs on [0, 1]"

    cdf: Any
    x: Any


def members_of(identity: PairOf) -> tuple[Any, ...]:
    """The distributions of a pair."""
    return tuple(Distribution(name, identity, k) for k, name in enumerate(identity.names))


@fitting
def outcome(name: str = "x") -> Outcome:
    """An outcome, to index families: ``x = outcome("x")``."""
    return Outcome(name)


@fitting
def family(*names: Any) -> tuple[Any, ...]:
    """An arbitrary pair (P^x, Q^x) for each outcome x of another space: two names, then x.

    More names give several distributions on one space for each outcome.  Raises InputError
    without an outcome, or for fewer than two names.

    >>> x = outcome("x")
    >>> family("P2", "Q2", x)
    (P2^x, Q2^x)
    """
    *called, x = names
    if not isinstance(x, Outcome):
        raise InputError(f"a family needs an outcome, not {x!r}: x = outcome('x')")
    if len(called) < 2 or len(set(called)) != len(called):
        raise InputError("a family needs two or more different names, then its outcome")
    made = tuple(f"{name}^{x}" for name in called)
    return members_of(PairOf(",".join(made), made, role=Family(x)))


@fitting
def averaged(members: tuple[Any, ...], names: tuple[str, ...]) -> tuple[Any, ...]:
    """The means of the members of a family over one law of its outcome, the same for all of them.

    The law is arbitrary, and one for each outcome: averages over one x have it in common.  On a
    random sample b of a dataset a mechanism has the law M = sum_b Pr[b] M^b.  Raises InputError
    for what is no family, all members in their order.

    >>> b = outcome("b")
    >>> averaged(family("M", "N", b), ("A", "B"))
    (A, B)
    """
    identity = members[0].pair
    if not isinstance(identity.role, Family) or tuple(members) != members_of(identity):
        raise InputError("give all members of a family, in their order")
    if len(names) != len(members) or len(set(names)) != len(names):
        raise InputError(f"give {len(members)} different names")
    return members_of(PairOf(",".join(names), tuple(names), role=Averaged(identity)))


class Channel:
    """An arbitrary channel K: for each input x a law K_x of the output, the same whatever the law
    of the input is.

    ``K(P)`` is the law of the output where the input has the law P: its mass of an event S is the
    mean of K_x(S).  The laws K_x have densities with respect to one measure, jointly measurable.

    >>> from lapdp.privacy.nodes import pair
    >>> P, Q = pair()
    >>> K = channel("K")
    >>> K(P), K(Q), K(P).pair is K(Q).pair
    (K(P), K(Q), True)
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._made: dict[int, PairOf] = {}

    def __call__(self, law: Any) -> Distribution:
        """The law of the output.  Raises InputError for what is no arbitrary distribution."""
        if not isinstance(law, Distribution):
            raise InputError(f"{self.name}(P) is the output for inputs of a law P, not {law!r}")
        first = law.pair
        if first.mechanism is not None or first.factors or first.role is not None:
            raise InputError(f"the input of a channel has an arbitrary law, as in P, Q = pair() "
                             f"and {self.name}(P); {law} is made of other laws")
        if id(first) not in self._made:
            names = tuple(f"{self.name}({name})" for name in first.names)
            self._made[id(first)] = PairOf(",".join(names), names, role=Processed(first, self))
        return members_of(self._made[id(first)])[law.side]  # type: ignore[no-any-return]


@fitting
def channel(name: str = "K") -> Channel:
    """An arbitrary channel, a randomized map of outcomes: ``K = channel("K")``, then ``K(P)`` is
    the law of its output.  Raises InputError for what is no name."""
    if not isinstance(name, str) or not name.isidentifier():
        raise InputError(f"{name!r} is no name of a channel")
    return Channel(name)


@fitting
def adaptive_pair(first: tuple[Any, Any], second: tuple[Any, Any],
                  names: tuple[str, str] | None = None) -> tuple[Any, Any]:
    """The joint pair P(x, y) = P1(x) P2^x(y), Q(x, y) = Q1(x) Q2^x(y), Lemma 4.4.

    Arguments: ``first`` an arbitrary pair, ``second`` a family over its outcomes, each given as
    (P, Q).  It is named P, Q unless one of them has such a name: then M, N.  Raises InputError for
    reversed members, or a second pair that is no family.

    >>> from lapdp.privacy.nodes import pair
    >>> adaptive_pair(pair("P1", "Q1"), family("P2", "Q2", outcome("x")))
    (P, Q)
    >>> adaptive_pair(pair("P", "Q"), family("P2", "Q2", outcome("x")))
    (M, N)
    """
    if oriented(*first)[1] or oriented(*second)[1]:
        raise InputError("give each pair of a composition as (P, Q), not reversed")
    base, conditional = first[0].pair, second[0].pair
    if not isinstance(conditional.role, (Family, Conditional)):
        raise InputError("the second pair of an adaptive composition is a family")
    names = names or names_beside(base, conditional)
    return members_of(PairOf(",".join(names), names, role=Joint(base, conditional)))


@fitting
def unit_interval_pair(cdf: Any, x: Any, names: tuple[str, str] = ("P", "Q")) -> tuple[Any, Any]:
    """The pair on [0, 1]: P with the distribution function ``cdf`` on [0, 1), Q uniform.

    Arguments: an expression in the real symbol ``x``; what it lacks of 1 below 1 is the mass of P
    at 1.  Whether it is a convex distribution function is asked when a statement is judged.  Raises
    :class:`InputError` where ``x`` is no real symbol.  Zhu, Dong, Wang 2021, Lemma 9.

    >>> x = sp.Symbol("x", real=True)
    >>> unit_interval_pair(x**2, x)
    (P, Q)
    """
    if not isinstance(x, sp.Symbol) or not x.is_real:
        raise InputError(f"the variable of a distribution function is a real symbol, not {x!r}")
    return members_of(PairOf(",".join(names), names, role=OnUnitInterval(sp.sympify(cdf), x)))


def symbols_in(mechanism: Any) -> set[Any]:
    """The parameters of a mechanism: symbols in its fields, and in mechanisms that it holds."""
    if isinstance(mechanism, sp.Basic):
        return set(mechanism.free_symbols)
    if isinstance(mechanism, (tuple, list)):
        return {s for part in mechanism for s in symbols_in(part)}
    if is_dataclass(mechanism) and not isinstance(mechanism, type):
        return {s for f in fields(mechanism) for s in symbols_in(getattr(mechanism, f.name))}
    return set()


class Composition:
    """The sequence of joint pairs (P_{1:k}, Q_{1:k}), k = 0, 1, 2, ...

    ``C(k)`` is the joint pair of the first k releases; ``C.release(i, x)`` the pair of release i
    given the earlier outcomes x.  Without ``mechanism`` every release is an arbitrary family of
    pairs; with it, release i is the mechanism that it gives for i, whatever came before.  With
    ``each=(P, Q)`` every release is an independent copy of that pair, with ``independent=True`` an
    arbitrary pair of its own, whatever came before.

    >>> C = Composition("P", "Q")
    >>> k = sp.Symbol("k", integer=True, nonnegative=True)
    >>> C(k), C.release(k, outcome("x"))
    ((P_{1:k}, Q_{1:k}), (P_{k}^x, Q_{k}^x))
    """

    def __init__(self, first: str = "P", second: str = "Q",
                 mechanism: Callable[[Any], Any] | None = None,
                 each: tuple[Any, Any] | None = None, independent: bool = False) -> None:
        if each is not None and (mechanism is not None or oriented(*each)[1]):
            raise InputError("each release is one pair (P, Q), not reversed, or a mechanism")
        if independent and (mechanism is not None or each is not None):
            raise InputError("with a mechanism, or one pair for each, releases are independent")
        self.names, self.mechanism, self.each = (first, second), mechanism, each
        self.independent = independent
        self._made: dict[Any, PairOf] = {}

    @property
    def letters(self) -> set[Any]:
        """The parameters of the mechanism that is released, the number of the release left out.

        >>> from lapdp import randomized_response
        >>> s = sp.Symbol("s", positive=True)
        >>> Composition(mechanism=lambda i: randomized_response(s)).letters
        {s}
        """
        if self.mechanism is None:
            return set()
        index = sp.Dummy("i", integer=True, positive=True)
        return symbols_in(self.mechanism(index)) - {index}

    def __call__(self, k: Any) -> tuple[Any, Any]:
        """(P_{1:k}, Q_{1:k}); the same k gives the same pair."""
        k = sp.sympify(k)
        if k not in self._made:
            # a name with an index of its own is one letter to the next index
            letters = (f"{{{name}}}" if "_" in name else name for name in self.names)
            first, second = (f"{letter}_{{1:{k}}}" for letter in letters)
            names = (first, second)
            self._made[k] = PairOf(",".join(names), names, role=Composed(self, k))
        return members_of(self._made[k])

    def release(self, i: Any, x: Any = None) -> tuple[Any, Any]:
        """The pair of release i, given the earlier outcomes x."""
        i = sp.sympify(i)
        if self.each is not None:
            return self.each
        if self.mechanism is not None:
            index = str(i).replace(" ", "")  # of m + 1: names have no spaces
            return mechanism_pair(self.mechanism(i), *(f"{n}_{index}" for n in self.names))
        if self.independent:
            x = None
        elif not isinstance(x, Outcome):
            raise InputError("a release of an adaptive composition needs the earlier outcomes")
        if (i, x) not in self._made:
            given = "" if x is None else f"^{x}"
            names = (f"{self.names[0]}_{{{i}}}{given}", f"{self.names[1]}_{{{i}}}{given}")
            self._made[i, x] = PairOf(",".join(names), names, role=Conditional(self, i, x))
        return members_of(self._made[i, x])


@fitting
def composition(first: str = "P", second: str = "Q",
                mechanism: Callable[[Any], Any] | None = None, *,
                each: tuple[Any, Any] | None = None, independent: bool = False) -> Composition:
    """The joint pairs P_{1:k}, Q_{1:k} of k releases, for every k: see :class:`Composition`.

    With ``each=(P, Q)``, one arbitrary pair, they are its k-fold products P^k, Q^k; with
    ``independent=True`` the products P_1 x ... x P_k, Q_1 x ... x Q_k of arbitrary pairs.
    """
    return Composition(first, second, mechanism, each, independent)


def outcome_of(made: Composition, pairs: Iterable[PairOf]) -> Any:
    """The letter of earlier outcomes in the releases of a composition among some pairs."""
    for p in pairs:
        if isinstance(p.role, Conditional) and p.role.composition is made:
            return p.role.outcome
    return Outcome("x")


# -- replacing pairs ------------------------------------------------------------------------------

Replace = Callable[[PairOf], "tuple[Any, ...] | None"]


def replace_pairs(e: Any, replacement: Replace) -> Any:
    """An expression in which ``replacement`` gives new members for some pairs, else None.

    Products and joint pairs are rebuilt around their parts; a part of a joint pair that is replaced
    by something that cannot stand there raises :class:`IllFormed`.
    """
    e = sp.sympify(e)
    known: dict[int, tuple[Any, ...]] = {}
    swap: dict[Any, Any] = {}
    for member in e.free_symbols:
        if isinstance(member, Distribution):
            identity = member.pair
            if id(identity) not in known:
                known[id(identity)] = _replaced(identity, replacement)
            swap[member] = known[id(identity)][member.side]
    return e.xreplace({a: b for a, b in swap.items() if a != b})


def _replaced(identity: PairOf, replacement: Replace) -> tuple[Any, ...]:
    found = replacement(identity)
    if found is not None:
        return found
    if isinstance(identity.role, Composed) and identity.role.composition.each is not None:
        (part,) = {d.pair for d in identity.role.composition.each}
        if _replaced(part, replacement)[0].pair is not part:
            raise IllFormed("the pair that is repeated in a composition is replaced")
    if identity.factors:
        parts = [_replaced(f, replacement) for f in identity.factors]
        if all(p[0].pair is f for p, f in zip(parts, identity.factors, strict=True)):
            return members_of(identity)
        if any(oriented(*p)[1] for p in parts):
            raise IllFormed("a factor of a product is replaced by a reversed pair")
        return product_pair(*parts, names=(identity.names[0], identity.names[1]))
    if isinstance(identity.role, Joint):
        first, second = (_replaced(p, replacement)
                         for p in (identity.role.first, identity.role.second))
        if first[0].pair is identity.role.first and second[0].pair is identity.role.second:
            return members_of(identity)
        if oriented(*first)[1] or oriented(*second)[1]:
            raise IllFormed("a part of a joint pair is replaced by a reversed pair")
        return adaptive_pair(first, second, (identity.names[0], identity.names[1]))
    if isinstance(identity.role, Processed):
        (inner, *_) = _replaced(identity.role.first, replacement)
        if inner.pair is not identity.role.first:
            raise Unsupported("the input of a channel is replaced")
    if isinstance(identity.role, Averaged) and replacement(identity.role.family) is not None:
        raise Unsupported("the mean of a family is not the family at one outcome")
    return members_of(identity)


def parts_of(identity: PairOf) -> tuple[PairOf, ...]:
    """A pair with all pairs that it is made of."""
    inner: tuple[PairOf, ...] = identity.factors
    if isinstance(identity.role, Joint):
        inner = (identity.role.first, identity.role.second)
    elif isinstance(identity.role, Processed):
        inner = (identity.role.first,)
    elif isinstance(identity.role, Composed) and identity.role.composition.each is not None:
        inner = (identity.role.composition.each[0].pair,)
    elif isinstance(identity.role, Averaged):
        inner = (identity.role.family,)
    return (identity, *(x for p in inner for x in parts_of(p)))
