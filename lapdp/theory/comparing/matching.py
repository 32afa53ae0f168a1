"""One-way matching: which values of a general statement's letters make it speak of an object.

``match(delta(P, Q)(log(alpha)), delta(A, B)(eps))`` finds P = A, Q = B, alpha = exp(eps).  Letters
are given values from the object only; a value outside the domain of its letter is refused, or
allowed under a condition that is returned beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.privacy.nodes import Distribution, PairOf


@dataclass
class Binding:
    """Values of letters and distributions; ``pairs`` holds (pair, reversed?) for each pair met."""

    letters: dict[Any, Any] = field(default_factory=dict)
    pairs: dict[int, tuple[PairOf, PairOf, bool]] = field(default_factory=dict)

    def conditions(self) -> list[Any] | None:
        """What the values must satisfy to lie in the domains of their letters; None: they cannot.

        >>> x, n = sp.Symbol("x", real=True), sp.Symbol("n", positive=True)
        >>> Binding({n: x - 1}).conditions(), Binding({n: sp.Integer(-2)}).conditions()
        ([x - 1 > 0], None)
        """
        found = []
        for letter, value in self.letters.items():
            for name, relation in _DOMAINS:
                if getattr(letter, f"is_{name}"):
                    held = getattr(value, f"is_{name}")
                    if held is False or (held is None and relation is None):
                        return None
                    if held is None:
                        found.append(relation(value, 0, evaluate=False))
                        break
        return found


# the strongest first: x > 0 also says that x is not negative
_DOMAINS: tuple[tuple[str, Any], ...] = (
    ("integer", None), ("real", None), ("complex", None), ("positive", sp.Gt),
    ("negative", sp.Lt), ("nonnegative", sp.Ge), ("nonpositive", sp.Le),
)


def match(pattern: Any, target: Any, letters: Iterable[Any]) -> Binding | None:
    """Values of ``letters`` and of the arbitrary pairs of ``pattern`` that make it ``target``.

    >>> from lapdp.theory import delta, pair, reals
    >>> P, Q = pair(); A, B = pair("A", "B"); eps, t = reals("eps t")
    >>> match(delta(P, Q)(t), delta(B, A)(-eps), [t]).letters
    {t: -eps}
    >>> match(delta(P, Q)(t), delta(A, A.pair and B)(0), []) is None
    True
    """
    binding = Binding()
    return binding if _Matching(set(letters), binding).same(pattern, target) else None


@dataclass
class _Matching:
    letters: set[Any]
    binding: Binding

    def same(self, p: Any, t: Any) -> bool:
        if isinstance(p, Distribution):
            return isinstance(t, Distribution) and self._member(p, t)
        if p in self.letters:
            return bool(self.binding.letters.setdefault(p, t) == t)
        known = p.xreplace(self.binding.letters)
        if known == t:
            return True
        open_letters = known.free_symbols & self.letters
        if not known.has(Node, Distribution) and len(open_letters) == 1:
            [letter] = open_letters
            value = solved(known, letter, t)
            if value is not None:
                self.binding.letters[letter] = value
                return True
        return (type(p) is type(t) and bool(p.args) and len(p.args) == len(t.args)
                and (isinstance(p, Node) or not (p.is_Add or p.is_Mul))
                and all(map(self.same, p.args, t.args)))

    def _member(self, p: Distribution, t: Distribution) -> bool:
        if len(p.pair.names) != 2 or len(t.pair.names) != 2:
            return False
        return self._pair(p.pair, t.pair, p.side != t.side)

    def _pair(self, p: PairOf, t: PairOf, reverse: bool) -> bool:
        known = self.binding.pairs.get(id(p))
        if known is not None:
            return known[1] is t and known[2] == reverse
        if p.role is not None:
            return False
        fits = True
        if p.factors:
            fits = len(p.factors) == len(t.factors) and all(
                self._pair(a, b, reverse) for a, b in zip(p.factors, t.factors, strict=True))
        elif p.mechanism is not None:
            fits = not reverse and t.mechanism is not None and self._held(p.mechanism, t.mechanism)
        if fits:
            self.binding.pairs[id(p)] = (p, t, reverse)
        return fits

    def _held(self, p: Any, t: Any) -> bool:
        """Two mechanisms of one kind, parameter by parameter."""
        if isinstance(p, sp.Basic) and isinstance(t, sp.Basic):
            return self.same(p, t)
        if isinstance(p, tuple) and isinstance(t, tuple):
            return len(p) == len(t) and all(map(self._held, p, t))
        if is_dataclass(p) and type(p) is type(t):
            return all(self._held(getattr(p, f.name), getattr(t, f.name)) for f in fields(p))
        return bool(p == t)


def solved(expression: Any, letter: Any, value: Any) -> Any:
    """The value of ``letter`` at which ``expression`` is ``value``; None where it is not plain.

    Steps through sums, non-zero numeric factors, exponentials and logarithms of positive letters.

    >>> a, e = sp.Symbol("a", positive=True), sp.Symbol("e", real=True)
    >>> solved(sp.log(1 / a), a, e), solved(a**2 + a, a, e)
    (exp(-e), None)
    """
    while expression != letter:
        if expression.is_Add or expression.is_Mul:
            rest, inner = expression.as_independent(letter, as_Add=expression.is_Add)
            if inner.is_Add if expression.is_Add else (inner.is_Mul or not rest.is_number):
                return None
            value = value - rest if expression.is_Add else value / rest
        elif isinstance(expression, sp.exp) and value.is_positive:
            inner, value = expression.args[0], sp.log(value)
        elif isinstance(expression, sp.log) and expression.args[0].is_positive:
            inner, value = expression.args[0], sp.exp(value)
        elif expression.is_Pow and expression.exp == -1 and value.is_positive:
            inner, value = expression.base, 1 / value
        else:
            return None
        if inner == expression:
            return None
        expression = inner
    return value


__all__ = ["Binding", "match", "solved"]
