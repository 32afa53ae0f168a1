"""Whole numbers in statements: sequences, recursions, finite sums, binomial means.

The nodes keep an index n symbolic; :func:`unrolled` writes them out at whole numbers, and
:func:`stepped` writes their values at n + 1 through values at n, which is what induction needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE

from lapdp.calculus.nodes import Node
from lapdp.core.calls import fitting
from lapdp.core.errors import IllFormed, Unsupported

INDEX = sp.Symbol("#l", integer=True, positive=True)
POINT = sp.Symbol("#t", real=True)
"""The letters of a recursion; one with recursions in its definition has others than those, which
may speak of its own."""


class SequenceSymbol(sp.Symbol):
    """The name of an arbitrary sequence of real numbers."""

    __iter__ = None  # indexing alone would make SymPy take it for a finite list

    def __getitem__(self, index: Any) -> Any:
        return Term(self, sp.sympify(index))


class Term(Node):
    """Element n of a sequence: args (name, n)."""

    is_real = True

    def _latex(self, printer: Any) -> str:
        # a name that ends in "_" keeps clear of a letter; nobody prints its empty index
        name = str(printer._print(self.args[0])).removesuffix("_{}")
        name = f"{{{name}}}" if "_" in name else name  # a second index needs braces
        return f"{name}_{{{printer._print(self.args[1])}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"{printer._print(self.args[0])}[{printer._print(self.args[1])}]"


class Previous(Node):
    """Inside a recursion: the element before, at a point: args (point,), and the index of the
    recursion where that is not INDEX."""

    is_real = True

    def _sympystr(self, printer: Any) -> str:
        return f"previous({printer._print(self.args[0])})"


class Recursion(sp.Basic):
    """A sequence of functions d(0, t) = base, d(l, t) = step: args (name, base, step), and its
    index and point where they are not INDEX and POINT.

    ``recursion`` builds one from two Python functions; calling it gives d(l, t).
    """

    @property
    def own(self) -> tuple[Any, Any]:
        """The letters for l and t in the definition."""
        index, point = self.args[3:] or (INDEX, POINT)
        return index, point

    @property
    def free_symbols(self) -> set[sp.Basic]:
        """Parameters and sequences of the definition."""
        inner: set[sp.Basic] = set(self.args[1].free_symbols) | set(self.args[2].free_symbols)
        return inner - set(self.own)

    def _eval_subs(self, old: sp.Basic, new: sp.Basic) -> sp.Basic | None:
        return self if old in self.own else None

    def _xreplace(self, rule: dict[Any, Any]) -> tuple[sp.Basic, bool]:
        # the index and the point are those of this definition alone
        found: tuple[sp.Basic, bool] = super()._xreplace({
            k: v for k, v in rule.items() if k not in self.own})
        return found

    def __call__(self, index: Any, point: Any) -> Any:
        return Recursive(self, index, point)

    def base(self, point: Any) -> Any:
        """d(0, point)."""
        return self.args[1].xreplace({self.own[1]: sp.sympify(point)})

    def step(self, index: Any, point: Any, previous: Callable[[Any], Any]) -> Any:
        """d(index, point) for index >= 1, with ``previous`` for d(index - 1, .)."""
        # the elements before come first: they tell by the index whose they are
        body = self._before(self.args[2], previous)
        return body.xreplace(dict(zip(self.own, map(sp.sympify, (index, point)), strict=True)))

    def _before(self, e: Any, previous: Callable[[Any], Any]) -> Any:
        """A part of the step with values for the elements before, those inside of others first."""
        if isinstance(e, Previous) and (e.args[1:] or (INDEX,)) == (self.own[0],):
            return previous(self._before(e.args[0], previous))
        if not e.has(Previous) or (isinstance(e, Recursion) and e.own == self.own):
            return e
        return e.func(*(self._before(a, previous) for a in e.args))


class Recursive(Node):
    """Element l of a recursion at t: args (recursion, l, t)."""

    is_real = True

    @property
    def free_symbols(self) -> set[sp.Basic]:
        return set().union(*(a.free_symbols for a in self.args))

    def _latex(self, printer: Any) -> str:
        name, index, point = (printer._print(a) for a in self._shown())
        return rf"{{{name}}}^{{({index})}}\left({point}\right)"

    def _sympystr(self, printer: Any) -> str:
        return "{}({}, {})".format(*(printer._print(a) for a in self._shown()))

    def _shown(self) -> tuple[Any, Any, Any]:
        return self.args[0].args[0], self.args[1], self.args[2]


class BinomialMean(Node):
    """Mean of ``body`` over Y ~ Binomial(n, p): args (body, Y, n, p), 0 <= p <= 1."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        body, y, n, p = (printer._print(a) for a in self.args)
        law = rf"\mathrm{{Binomial}}\left({n},{p}\right)"
        return rf"\underset{{{y}\leftarrow{law}}}{{\mathbb{{E}}}}\left[{body}\right]"

    def _sympystr(self, printer: Any) -> str:
        return "BinomialMean({}, {}, {}, {})".format(*(printer._print(a) for a in self.args))


class FiniteSum(Node):
    """Sum of ``body`` over i = first, ..., last (0 if none): args (body, i, first, last)."""

    bound_at = 1

    def _latex(self, printer: Any) -> str:
        i, first, last = (printer._print(a) for a in self.args[1:])
        body = printer.parenthesize(self.args[0], PRECEDENCE["Mul"], strict=True)
        return rf"\sum_{{{i}={first}}}^{{{last}}} {body}"

    def _sympystr(self, printer: Any) -> str:
        return "Sum({}, {}, {}, {})".format(*(printer._print(a) for a in self.args))


def elements(e: Any) -> set[Any]:
    """The elements of sequences in an expression, those inside of recursions left out."""
    tree = sp.sympify(e)
    own = {INDEX, *(r.own[0] for r in tree.atoms(Recursion))}
    return {x for x in tree.atoms(Term) if not own & x.args[1].free_symbols}


@fitting
def sequences(names: str) -> Any:
    """Arbitrary sequences of real numbers: ``e, d = sequences("e d")``; element l is ``e[l]``.

    >>> e = sequences("e")
    >>> e[1] + e[2]
    e[1] + e[2]
    """
    made = tuple(SequenceSymbol(n) for n in names.replace(",", " ").split())
    return made[0] if len(made) == 1 else made


@fitting
def recursion(name: str, base: Callable[[Any], Any],
              step: Callable[[Any, Any, Callable[[Any], Any]], Any]) -> Recursion:
    """A sequence of functions of a real variable, defined by recursion.

    Arguments: ``base(t)`` is element 0 at t; ``step(l, t, before)`` is element l >= 1 at t, where
    ``before(u)`` is element l - 1 at u.

    >>> t = sp.Symbol("t", real=True)
    >>> double = recursion("d", lambda t: t, lambda l, t, before: before(t) + before(t + l))
    >>> double(3, t), unrolled(double(1, t))
    (d(3, t), 2*t + 1)
    """
    index, point = sp.Dummy(integer=True, positive=True), sp.Dummy(real=True)
    said = sp.sympify(base(point)), sp.sympify(step(index, point, lambda u: Previous(u, index)))
    inside = {x for e in said for x in e.atoms(Recursion)}
    if not inside:
        return Recursion(sp.Symbol(name), said[0].xreplace({point: POINT}), Recursion(
            sp.Symbol(name), *said, index, point).step(INDEX, POINT, Previous))
    level = 1 + max(len(r.own[0].name) - len(INDEX.name) for r in inside)
    own = [sp.Symbol(x.name + "'" * level, **x.assumptions0) for x in (INDEX, POINT)]
    named = dict(zip((index, point), own, strict=True))
    return Recursion(sp.Symbol(name), *(e.xreplace(named) for e in said), *own)


def unrolled(e: Any) -> Any:
    """An expression with every recursion, sum and mean at a whole number written out.

    Raises :class:`Unsupported` where an index is no whole number, :class:`IllFormed` where it is
    negative.
    """
    e = sp.sympify(e)
    if not e.args or not e.has(Recursive, BinomialMean, FiniteSum):
        return e
    if isinstance(e, Recursive):
        rule, index, point = e.args[0], _whole(e.args[1]), unrolled(e.args[2])
        if index == 0:
            return unrolled(rule.base(point))
        return unrolled(rule.step(index, point, lambda u: Recursive(rule, index - 1, u)))
    if isinstance(e, BinomialMean):
        return unrolled(weighted(e))
    if isinstance(e, FiniteSum):
        body, i, first, last = e.args
        if not (first.is_Integer and last.is_Integer):
            raise Unsupported(f"the limits of {e} are no whole numbers")
        return sp.Add(*(unrolled(body.subs(i, j)) for j in range(int(first), int(last) + 1)))
    return e.func(*(unrolled(a) for a in e.args))


def weighted(e: Any) -> Any:
    """A binomial mean over a whole number of draws as the sum of its values with their weights."""
    body, y, n, p = e.args
    draws = _whole(n)
    return sp.Add(*(sp.binomial(draws, j) * p**j * (1 - p)**(draws - j) * body.subs(y, j)
                    for j in range(draws + 1)))


def _whole(index: Any) -> int:
    if not index.is_Integer:
        raise Unsupported(f"the index {index} is no whole number")
    if index < 0:
        raise IllFormed(f"the index {index} is negative")
    return int(index)
