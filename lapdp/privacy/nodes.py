"""SymPy nodes for the notions that papers print: profiles, losses, moments, events.

A :class:`PairOf` is one pair (P, Q): *arbitrary* (a claim about every pair), *product* of pairs, or
*concrete* (it carries a mechanism).  The nodes never evaluate by themselves.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node, operand
from lapdp.core.calls import fitting
from lapdp.core.errors import IllFormed, InputError, Unsupported, called


class PairOf:
    """Identity of a pair (P, Q); ``factors`` for a product, ``mechanism`` for a concrete pair,
    ``role`` for one that belongs to a composition (see :mod:`lapdp.privacy.families`); more than
    two ``names`` for several distributions on one space."""

    def __init__(
        self,
        name: str,
        names: tuple[str, ...],
        factors: tuple[PairOf, ...] = (),
        mechanism: Any = None,
        role: Any = None,
    ) -> None:
        self.name, self.names, self.factors, self.mechanism = name, names, factors, mechanism
        self.role = role

    def atoms(self) -> tuple[PairOf, ...]:
        """The pairs that are no products, in order."""
        if not self.factors:
            return (self,)
        return tuple(a for f in self.factors for a in f.atoms())

    def __repr__(self) -> str:
        return f"{'pair' if len(self.names) == 2 else 'distributions'} {', '.join(self.names)}"


class Distribution(sp.Symbol):
    """One member of a pair; as a factor in an expression it is its density."""

    pair: PairOf
    side: int

    def __new__(cls, name: str, pair: PairOf, side: int) -> Any:
        # the identity of the pair is part of the symbol's name space through a dummy assumption key
        obj = sp.Symbol.__xnew__(cls, name, nonnegative=True)
        obj.pair, obj.side = pair, side
        return obj

    def _hashable_content(self) -> Any:
        return (*super()._hashable_content(), id(self.pair), self.side)

    def __getnewargs_ex__(self) -> Any:
        return ((self.name, self.pair, self.side), {})

    def __call__(self, event: Any) -> Any:
        return Measure(self, event)


@fitting
def pair(first: str = "P", second: str = "Q") -> tuple[Distribution, Distribution]:
    """An arbitrary pair of probability distributions on one space, by two names or one text of two.

    >>> P, Q = pair("P", "Q")
    >>> pair("A B")
    (A, B)
    >>> delta(P, Q)(sp.Symbol("eps"))
    delta(P, Q)(eps)
    """
    first, second = _two_names(first, second)
    p = PairOf(f"{first},{second}", (first, second))
    return Distribution(first, p, 0), Distribution(second, p, 1)


def _two_names(first: Any, second: Any) -> tuple[str, str]:
    """Two different names, also where both stand in the first text; else :class:`InputError`."""
    if not isinstance(first, str) or not isinstance(second, str):
        raise InputError(f"{called(first if not isinstance(first, str) else second)} is no name of "
                         'a distribution: names are texts, such as "P" and "Q"')
    found = first.replace(",", " ").split()
    if len(found) == 2 and second == "Q" and all(name.isidentifier() for name in found):
        first, second = found
    elif len(first.split()) != 1:
        raise InputError(f'"{first[:40]}" is no name: write pair("P", "Q")')
    if first == second:
        raise InputError(f"both distributions are called {first}: give two names")
    return first, second


@fitting
def distributions(*names: str) -> tuple[Distribution, ...]:
    """Arbitrary probability distributions on one space, three or more of them.

    Of any two of them, and of mixtures of them, one speaks as of a pair: ``delta(A, B)(eps)``,
    ``R(q, A, C)``, ``KL(A, (B + C)/2)``, ``T(A, C)(x)``; and of all of them by events.
    Raises :class:`InputError` for fewer than three names or one given twice.

    >>> A, B, C = distributions("A B C")
    >>> (A.pair is C.pair, A == distributions("A", "B", "C")[0])
    (True, False)
    """
    found = tuple(" ".join(names).replace(",", " ").split())
    if len(found) == 2:
        raise InputError("give three or more different names: two distributions are a pair, "
                         f'write pair("{found[0]}", "{found[1]}")')
    if len(found) < 3 or len(set(found)) != len(found):
        raise InputError("give three or more different names: two distributions are a pair")
    family = PairOf(",".join(found), found)
    return tuple(Distribution(name, family, k) for k, name in enumerate(found))


@fitting
def mechanism_pair(mechanism: Any, first: str = "P", second: str = "Q") -> tuple[Any, Any]:
    """The two distributions of a concrete mechanism, as members of one pair.

    Raises :class:`InputError` for names that are none, and for two mechanisms: P and Q are both
    distributions of one.
    """
    if not isinstance(first, str):
        raise InputError("mechanism_pair takes one mechanism, which is a pair by itself; "
                         f"{called(first)} is a second one: write P, Q = mechanism_pair(gaussian(1)"
                         ') and A, B = mechanism_pair(laplace(1), "A", "B")')
    first, second = _two_names(first, second)
    p = PairOf(f"{first},{second}", (first, second), mechanism=mechanism)
    return Distribution(first, p, 0), Distribution(second, p, 1)


@fitting
def product_pair(
    *pairs: tuple[Distribution, Distribution], names: tuple[str, str] | None = None
) -> tuple[Any, Any]:
    """The product (P1 x P2 x ..., Q1 x Q2 x ...) of independent pairs.

    It is named P, Q unless a factor has such a name: then M, N.

    >>> P, Q = product_pair(pair("P1", "Q1"), pair("P2", "Q2"))
    >>> len(P.pair.atoms())
    2
    """
    for a, b in pairs:
        if oriented(a, b)[1]:
            raise InputError("give each factor of a product as (P, Q), not reversed")
    names = names or names_beside(*(a.pair for a, _ in pairs))
    p = PairOf(",".join(names), names, factors=tuple(a.pair for a, _ in pairs))
    return Distribution(names[0], p, 0), Distribution(names[1], p, 1)


def names_beside(*parts: PairOf) -> tuple[str, str]:
    """Names of a pair that is made of others: P and Q, unless one of these has such a name."""
    taken = {name for part in parts for a in (part, *part.atoms()) for name in a.names}
    choices = (("P", "Q"), ("M", "N"), ("A", "B"), ("C", "D"), ("V", "W"))
    return next((names for names in choices if not taken & set(names)), choices[0])


def oriented(first: Any, second: Any) -> tuple[PairOf, bool]:
    """The pair of two distributions and whether they come reversed.

    Raises :class:`Unsupported` for mixtures, see :func:`lapdp.privacy.mixtures.members`.
    """
    if not isinstance(first, Distribution) or not isinstance(second, Distribution):
        if all(isinstance(e, sp.Expr) and e.atoms(Distribution) for e in (first, second)):
            raise Unsupported(f"mixtures, {first} and {second}, are not reached here")
        raise IllFormed(f"{first} and {second} are not both distributions")
    if first.pair is not second.pair or first.side == second.side or len(first.pair.names) != 2:
        raise IllFormed(f"{first} and {second} are not the two members of one pair"
                        + _way_out(first, second))
    return first.pair, first.side == 1


def _way_out(first: Distribution, second: Distribution) -> str:
    """What to write instead, where two distributions are no pair."""
    if first == second:
        return f": {first} stands twice"
    if first.pair is second.pair:
        return (f", but of {len(first.pair.names)} distributions: delta({first}, {second})(eps), "
                f"R(q, {first}, {second}), T({first}, {second})(x) and events speak of any two of "
                "them; what is said here needs P, Q = pair()")
    if first.pair.names == second.pair.names:
        return (": they are of two pairs with the same names; make the pair once, as in "
                "P, Q = pair()")
    return f": {first} is of {first.pair}, {second} of {second.pair}"


def members_of(first: Any, second: Any) -> tuple[Any, Any]:
    """Two distributions as they stand, of a pair or of several on one space, or the members of the
    product that two monomials write.

    Refuses at once what no pair occurs in; mixtures are looked at when they are judged.  The same
    factors make the same product, in whatever order they come.

    >>> (P1, Q1), (P2, Q2) = pair("P1", "Q1"), pair("P2", "Q2")
    >>> delta(P1*P2, Q1*Q2)(0) == delta(P2*P1, Q2*Q1)(0)
    True

    Raises :class:`IllFormed` for a product beside what is none of the same pairs.
    """
    if of_several(first, second) and first != second:
        return first, second
    if isinstance(first, Distribution) and isinstance(second, Distribution):
        oriented(first, second)
        return first, second
    if not all(isinstance(e, sp.Expr) and e.atoms(Distribution) for e in (first, second)):
        raise IllFormed(f"{first} and {second} are not both distributions")
    sides = _factors(first), _factors(second)
    if not any(sides):
        return first, second
    for reverse, (P, Q) in ((False, sides), (True, sides[::-1])):
        if P and Q and all(d.side == 0 for d in P) and all(d.side == 1 for d in Q) and (
                [d.pair for d in P] == [d.pair for d in Q]):
            made = _product_of(tuple(d.pair for d in P))
            return made[::-1] if reverse else made
    raise IllFormed(f"{first} and {second} are no product of pairs: the factors of both belong to "
                    "the same pairs, as in delta(P1*P2, Q1*Q2)(eps), or "
                    "P, Q = product_pair((P1, Q1), (P2, Q2))")


def _factors(e: Any) -> list[Distribution]:
    """The distributions of a product of two or more of them and of nothing else, in one order."""
    powers = e.as_powers_dict()
    if not all(isinstance(d, Distribution) and k.is_Integer and k > 0 for d, k in powers.items()):
        return []
    found = [d for d, k in powers.items() for _ in range(int(k))]
    return sorted(found, key=lambda d: (d.pair.name, id(d.pair))) if len(found) > 1 else []


@lru_cache(maxsize=4096)
def _product_of(pairs: tuple[PairOf, ...]) -> tuple[Any, Any]:
    """The members of the product of pairs, the same ones at each call."""
    names = tuple("*".join(p.names[k] for p in pairs) for k in (0, 1))
    made = PairOf(",".join(names), names, factors=pairs)
    return Distribution(names[0], made, 0), Distribution(names[1], made, 1)


class Profile(Node):
    """Privacy profile delta_{P|Q}(eps), equation (6): args (P, Q, eps)."""

    def _latex(self, printer: Any) -> str:
        p, q, e = (printer._print(a) for a in self.args)
        return rf"\delta_{{{p}|{q}}}\left({e}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "delta({}, {})({})".format(*(printer._print(a) for a in self.args))


class Loss(Node):
    """Privacy loss random variable of PLD(P||Q): args (P, Q)."""

    is_extended_real = True

    def _latex(self, printer: Any) -> str:
        p, q = (printer._print(a) for a in self.args)
        return rf"Z_{{{p}\|{q}}}"

    def _sympystr(self, printer: Any) -> str:
        return "PLD({}, {})".format(*(printer._print(a) for a in self.args))


class LossCDF(Node):
    """Pr[Z <= x] (or Pr[Z < x] when strict is 1): args (Z, x, strict)."""

    def _latex(self, printer: Any) -> str:
        z, x = (printer._print(a) for a in self.args[:2])
        return rf"F_{{{z}}}\left({x}{'^-' if self.args[2] == 1 else ''}\right)"

    def _sympystr(self, printer: Any) -> str:
        z, x, _ = (printer._print(a) for a in self.args)
        return f"F({z})({x}{', strict=True' if self.args[2] == 1 else ''})"


class LossDensity(Node):
    """Generalised density of Z on the finite reals, impulses included: args (Z, x)."""

    def _latex(self, printer: Any) -> str:
        z, x = (printer._print(a) for a in self.args)
        return rf"f_{{{z}}}\left({x}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "f({})({})".format(*(printer._print(a) for a in self.args))


class Probability(Node):
    """Pr[Z rel x]: args (Z, relation name as Symbol, x)."""

    marker = 1

    def _latex(self, printer: Any) -> str:
        z, r, x = self.args
        return rf"\Pr\left[{printer._print(z)} {_REL_TEX[str(r)]} {printer._print(x)}\right]"


class Expectation(Node):
    """Expectation over one loss variable: args (body, Z)."""

    def _latex(self, printer: Any) -> str:
        body, z = (printer._print(a) for a in self.args)
        return rf"\mathbb{{E}}_{{{z}}}\left[{body}\right]"


class Moment(Node):
    """E_q(P||Q), the integral of P^q Q^(1-q), equation (8): args (q, P, Q)."""

    def _latex(self, printer: Any) -> str:
        q, p, r = (printer._print(a) for a in self.args)
        return rf"\mathrm{{E}}_{{{q}}}\left({p}\middle\|{r}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "E({}, {}, {})".format(*(printer._print(a) for a in self.args))


class RenyiDivergence(Node):
    """R_q(P||Q) = log(E_q)/(q - 1), principal branch, equation (8): args (q, P, Q)."""

    def _latex(self, printer: Any) -> str:
        q, p, r = (printer._print(a) for a in self.args)
        return rf"\mathrm{{R}}_{{{q}}}\left({p}\middle\|{r}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "R({}, {}, {})".format(*(printer._print(a) for a in self.args))


class Event(sp.Symbol):
    """A measurable set: the variable of a supremum over events, or, free, "for all events"."""


class Unnamed(Event, sp.Dummy):
    """An event that no name stands for: each is another one."""


class Outcome(sp.Symbol):
    """An outcome of an earlier release: the index of a family of pairs."""


class Complement(Node):
    """Complement of an event: args (S,)."""

    def _latex(self, printer: Any) -> str:
        return rf"{printer._print(self.args[0])}^{{\complement}}"


class Measure(Node):
    """P(S) for an event S, its complement, or the outcomes of a relation: args (P, S)."""

    def _latex(self, printer: Any) -> str:
        p, s = (printer._print(a) for a in self.args)
        return rf"{p}\left({s}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "{}({})".format(*(printer._print(a) for a in self.args))


class SupOverEvents(Node):
    """Supremum over all measurable events: args (body, S)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        body, s = operand(printer, self.args[0]), printer._print(self.args[1])
        return rf"\sup_{{{s}\subset\Omega}} {body}"


class SupOverOutcomes(Node):
    """Supremum over all outcomes of an earlier release: args (body, x)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        body, x = operand(printer, self.args[0]), printer._print(self.args[1])
        return rf"\sup_{{{x}}} {body}"

    def _sympystr(self, printer: Any) -> str:
        return "Sup({}, {})".format(*(printer._print(a) for a in self.args))


class IntegralOverSpace(Node):
    """Integral over the sample space, or an event, of an expression in the densities:
    args (body,) or (body, event)."""

    def _latex(self, printer: Any) -> str:
        part = printer._print(self.args[1]) if len(self.args) > 1 else r"\Omega"
        return rf"\int_{{{part}}} {operand(printer, self.args[0])}\,d\theta"


_RELATIONS = {"<", "<=", ">", ">=", "=="}
_REL_TEX = {"<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq", "==": "="}


@fitting
def delta(P: Any, Q: Any = None, *more: Any) -> Any:
    """Privacy profile of (P, Q) as a function of eps in R, equation (6): ``delta(P, Q)(eps)``.

    Of two of several distributions it is written as the supremum over events that it is:

    >>> A, B, C = distributions("A B C")
    >>> delta(A, C)(0)
    SupOverEvents(A(S) - C(S), S)
    """
    if more:
        raise IllFormed(f"delta({', '.join(map(str, (P, Q, *more)))}) has too many arguments: "
                        "write delta(P, Q)(eps)")
    if Q is None:
        raise IllFormed(f"delta({P}) lacks a distribution: write delta(P, Q)(eps)")
    if of_several(P, Q):
        return lambda eps: _supremum(P, Q, eps)
    P, Q = members_of(P, Q)
    return lambda eps: Profile(P, Q, eps)


def of_several(*members: Any) -> bool:
    """Are all these made of the members of one space of three or more distributions?"""
    spaces = {d.pair for e in members if isinstance(e, sp.Expr) for d in e.atoms(Distribution)}
    made = all(isinstance(e, sp.Expr) and e.atoms(Distribution) for e in members)
    return made and len(spaces) == 1 and len(next(iter(spaces)).names) > 2


def _supremum(P: Any, Q: Any, eps: Any) -> Any:
    """sup over S of P(S) - e^eps Q(S), for mixtures of several distributions too."""
    if sp.sympify(eps) == sp.oo:
        raise IllFormed(f"delta({P}, {Q})(oo) is of a pair, not of several distributions")
    S = Event("S")
    body = sp.expand(P - sp.exp(eps) * Q)
    found = {d: Measure(d, S) for d in body.atoms(Distribution)}
    if any(sp.diff(body, d).has(Distribution) for d in found) or body.xreplace(
            dict.fromkeys(found, sp.Integer(0))) != 0:
        raise IllFormed(f"{P} and {Q} are no mixtures of distributions")
    return SupOverEvents(body.xreplace(found), S)


@fitting
def PLD(P: Any, Q: Any) -> Any:
    """Privacy loss variable Z = log(P/Q) under P, values in (-oo, +oo], Definition 3.1."""
    P, Q = members_of(P, Q)
    return Loss(P, Q)


@fitting
def F(Z: Any) -> Any:
    """Cumulative distribution function Pr[Z <= x]; ``F(Z)(x, strict=True)`` is Pr[Z < x]."""
    return lambda x, strict=False: LossCDF(_loss(Z), x, int(strict))


@fitting
def f(Z: Any) -> Any:
    """Generalised density of Z on the finite reals (footnote 7): impulses at its atoms."""
    return lambda x: LossDensity(_loss(Z), x)


@fitting
def Pr(Z: Any, relation: str | None = None, x: Any = None) -> Any:
    """Probability that Z stands in ``relation`` ('<', '<=', '>', '>=', '==') to ``x``, or that the
    one relation given holds.

    Raises :class:`InputError` for what is no such relation.

    >>> P, Q = pair()
    >>> Z = PLD(P, Q)
    >>> Pr(Z, ">", 0).free_symbols == {P, Q}
    True
    >>> Pr(Z > 1) == Pr(1 < Z) == Pr(Z, ">", 1)
    True
    """
    if relation is None or x is None:
        Z, relation, x = _of_loss(Z)
    if relation not in _RELATIONS:
        raise InputError(f"unknown relation {relation!r}: use one of {sorted(_RELATIONS)}")
    return Probability(_loss(Z), sp.Symbol(relation), x)


@fitting
def _of_loss(relation: Any) -> tuple[Any, str, Any]:
    """The loss, how it is compared, and with what."""
    how = 'Pr takes a relation of the loss, Pr(Z > 1), or three arguments: Pr(Z, "==", 1)'
    if not isinstance(relation, sp.core.relational.Relational):
        # Z == 1 is False for Python before anyone could read it
        raise InputError(how)
    name = relation.rel_op
    if isinstance(relation.lhs, Loss):
        return relation.lhs, name, relation.rhs
    if isinstance(relation.rhs, Loss):
        return relation.rhs, {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(name, name), (
            relation.lhs)
    raise InputError(f"{relation}: solve it for the loss; {how}")


def Ex(body: Any, Z: Any = None) -> Any:
    """Expectation of ``body`` (an expression in the loss variable Z) over PLD; of one loss in it,
    that one is meant.

    Raises :class:`InputError` where Z is left out and the body speaks of none, or of two.

    >>> P, Q = pair()
    >>> Z = PLD(P, Q)
    >>> Ex(Z) == Ex(Z, Z), Ex(sp.exp(-Z)) == Ex(sp.exp(-Z), Z)
    (True, True)
    """
    if Z is None:
        losses = sorted(sp.sympify(body).atoms(Loss), key=str)
        if len(losses) != 1:
            raise InputError(f"Ex of which loss? {body} speaks of "
                             + (" and ".join(map(str, losses)) or "none")
                             + ": write Ex(body, PLD(P, Q))")
        Z, = losses
    return Expectation(body, _loss(Z))


@fitting
def E(q: Any, P: Any, Q: Any = None) -> Any:
    """Moment E_q(P||Q) of complex order q: ``E(q, P, Q)``, or ``E(P, Q)(q)`` as in texts.

    >>> P, Q = pair()
    >>> E(P, Q)(2) == E(2, P, Q)
    True
    """
    return _of_order(Moment, q, P, Q)


@fitting
def R(q: Any, P: Any, Q: Any = None) -> Any:
    """Renyi divergence of complex order q (principal branch of the logarithm): ``R(q, P, Q)``, or
    ``R(P, Q)(q)`` as in texts."""
    return _of_order(RenyiDivergence, q, P, Q)


def _of_order(notion: Any, q: Any, P: Any, Q: Any) -> Any:
    if Q is None:
        first, second = members_of(q, P)
        return lambda order: notion(order, first, second)
    return notion(q, *members_of(P, Q))


@fitting
def Omega(body: Any, over: Any = None) -> Any:
    """Integral over the sample space, or over an event; P and Q inside are densities.

    A density as a factor is what the rest is integrated against: where it vanishes nothing counts,
    whatever the other factors are there.

    >>> P, Q = pair()
    >>> Omega(P**2/Q, over=Event("S")).args
    (P**2/Q, S)
    """
    return IntegralOverSpace(body) if over is None else IntegralOverSpace(body, over)


def _loss(Z: Any) -> Any:
    if not isinstance(Z, Loss):
        raise IllFormed(f"{Z} is not a privacy loss variable; write PLD(P, Q)")
    return Z
