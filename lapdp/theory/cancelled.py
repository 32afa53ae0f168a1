"""What a formula needs where SymPy cancels it: x/x has no value at 0, log(x) - log(x) none below.

A formula given as text means what is written, and has a value only where all its parts have one.
SymPy cancels parts while it builds the expression; their conditions are kept here and claimed
beside the relation, so that ``x/x == 1`` is refuted at 0 and holds where x > 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.core.errors import InputError
from lapdp.privacy import nodes as pn
from lapdp.privacy.pointwise import LossAt, Ratio

PARTIAL = (sp.tan, sp.cot, sp.sec, sp.csc, sp.gamma, sp.loggamma, sp.Ei, sp.expint,
           sp.uppergamma, sp.lowergamma, sp.bessely, sp.besselk)
"""Functions that have no value at some points; the logarithm is treated apart."""
UNBOUNDED = (cn.Node, pn.Loss, LossAt, Ratio)
"""Values that may be infinite, or none."""
FINITE = (pn.Profile, pn.LossCDF, pn.Probability, pn.Measure, pn.SupOverEvents)
"""Nodes that have a finite value wherever their arguments have one, of mixtures where the weights
are in [0, 1]; a trade-off function has levels in [0, 1] only."""


@dataclass(frozen=True)
class Need:
    """A condition for a part of a formula to have a value.

    ``value`` is met where the part stands elsewhere; ``finite`` is not: oo - oo has no value.
    """

    kind: str
    of: Any

    @property
    def formula(self) -> Any:
        """The condition as a claim."""
        if self.kind in ("value", "finite"):
            from lapdp.theory.language import Defined

            return Defined(self.of)
        relation = {"nonzero": sp.Ne, "positive": sp.Gt, "nonnegative": sp.Ge}[self.kind]
        return relation(self.of, 0, evaluate=False)

    @property
    def words(self) -> str:
        """The condition in a message."""
        finite = self.kind in ("value", "finite")
        return f"a finite value of {self.of}" if finite else str(self.formula)

    @property
    def clear(self) -> bool:
        """Do the assumptions of the letters give it?"""
        if self.kind in ("value", "finite"):
            return False
        return bool(getattr(self.of, f"is_{self.kind}"))


def of_power(base: Any, exponent: Any) -> list[Need]:
    """What base**exponent needs: no zero below a bar, no root of a negative number.

    >>> x = sp.Symbol("x", real=True)
    >>> [need.formula for need in of_power(x, sp.Rational(-1, 2))]
    [Ne(x, 0), x >= 0]
    """
    found = []
    if not exponent.is_nonnegative:
        found.append(Need("nonzero", base))
        below = [f.base for f in sp.Mul.make_args(base) if f.is_Pow and not f.exp.is_nonnegative]
        found += [need for b in below for need in _infinite(b)]
    if exponent.is_zero:
        found += _infinite(base)
    if base == 1:
        found += _infinite(exponent)
    if exponent.is_integer is not True and _is_number_line(base):
        found.append(Need("nonnegative", base))
    return [need for need in found if not need.clear]


def of_value(value: Any, name: str = "", argument: Any = None) -> list[Need]:
    """What the value of a call needs: ``name`` and ``argument`` are those of the call."""
    if name == "log":
        need = Need("positive" if _is_number_line(argument) else "nonzero", argument)
        return [] if need.clear else [need]
    if name == "sqrt":
        return of_power(argument, sp.S.Half)
    outer = value.args[0] if value.could_extract_minus_sign() and value.is_Mul else value
    # in an order of its own: that of a set changes with the hash seed, and so would digests
    inner = sorted(value.atoms(*PARTIAL), key=sp.default_sort_key)
    return [Need("value", part) for part in dict.fromkeys([outer, value, *inner])
            if isinstance(part, (*PARTIAL, *UNBOUNDED)) and not _is_finite(part) and (
                isinstance(part, cn.Node) or part.free_symbols or part.atoms(pn.Distribution))]


def of_chain(parts: Iterable[Any], product: bool) -> list[Need]:
    """What a sum or a product needs where its parts cancel: oo - oo, 0 oo and oo/oo have no value.

    Raises InputError where that depends on the signs of exponents.

    >>> e = pn.E(*pn.pair())(2)
    >>> of_chain([2 * e, -e], product=False)
    [Need(kind='finite', of=E(2, P, Q))]
    >>> of_chain([2 * e, e], product=False), of_chain([e, e], product=True)
    ([], [])
    """
    met: dict[Any, list[Any]] = {}
    for part in parts:
        for item in (sp.Mul if product else sp.Add).make_args(part):
            core, times = item.as_base_exp() if product else item.as_coeff_Mul()[::-1]
            met.setdefault(core, []).append(times)
    found = []
    for core, times in met.items():
        infinite, signs = _infinite(core), {sp.sign(t) for t in times}
        if infinite and len(signs) > 1 and not all(sign.is_number for sign in signs):
            raise InputError(f"powers of {core}, which may be infinite, would be joined, and what "
                             "they need is lost: write one power, such as x**(a + b)")
        if infinite and ((product and sp.S.Zero in met) or len(signs) > 1):
            found += infinite
        elif product and not infinite:
            found += of_chain(times, product=False)
    return found


def _infinite(e: Any) -> list[Need]:
    """That the outermost parts which may be infinite are finite: what they bind is their own."""
    if isinstance(e, UNBOUNDED):
        return [] if _is_finite(e) else [Need("finite", e)]
    return [need for part in e.args for need in _infinite(part)]


def _is_number_line(e: Any) -> bool:
    """Is it real wherever it has a value, though SymPy may not know it of a notion?"""
    if e.is_extended_real is not None:
        return bool(e.is_extended_real)
    return not e.has(sp.I) and all(
        s.is_extended_real for s in e.free_symbols if not isinstance(s, pn.Event))


def _is_finite(part: Any) -> bool:
    """Has it a finite value wherever its arguments have one, whatever the letters are?"""
    return isinstance(part, FINITE) and not any(
        x.is_Add and x.atoms(pn.Distribution) and any(
            type(s) is sp.Symbol for s in x.free_symbols) and not x.atoms(cn.Node)
        for x in sp.preorder_traversal(part))


def lost(needs: Iterable[Need], kept: Iterable[Any]) -> list[Need]:
    """The needs that no part of the expressions ``kept`` shows any more.

    >>> x = sp.Symbol("x", real=True)
    >>> lost([Need("nonzero", x)], [x / x]), lost([Need("nonzero", x)], [1 + 1 / x])
    ([Need(kind='nonzero', of=x)], [])
    """
    seen = set().union(*map(_shown, kept))

    def there(need: Need) -> bool:
        if need.kind == "value":
            return need.of in seen
        if need.kind == "finite":
            return False
        if need.kind == "nonzero":
            return all(("nonzero", f) in seen for f in _factors(need.of))
        return (need.kind, _signed(need.of)) in seen
    gone: dict[Any, Need] = {}
    for need in needs:
        if not there(need):
            gone.setdefault(need.formula, need)
    return list(gone.values())


def _shown(e: Any) -> set[Any]:
    """The parts that have a value wherever ``e`` has one, and the conditions that they show."""
    found = {e}
    if isinstance(e, sp.Pow):
        # what stands below a bar stays there when it is written as a product
        found |= {(n.kind, f) for n in of_power(e.base, e.exp) for f in
                  (_factors(n.of) if n.kind == "nonzero" else {_signed(n.of)})}
    elif isinstance(e, sp.log):
        found |= {("nonzero", f) for f in _factors(e.args[0])}
        found |= {(kind, _signed(e.args[0])) for kind in ("positive", "nonnegative")}
    elif isinstance(e, (sp.Piecewise, pn.Expectation, pn.IntegralOverSpace, pn.SupOverEvents)):
        return found  # one piece needs a value, not all; events and losses are bound
    for part in e.args:
        found |= _shown(part)
    if isinstance(e, cn.Node):
        bound = e.atoms(sp.Symbol) - e.free_symbols
        found = {p for p in found if not _letters(p) & bound}
    return found


def _letters(part: Any) -> set[Any]:
    return set((part[1] if isinstance(part, tuple) else part).free_symbols)


def _signed(e: Any) -> Any:
    """The factors that decide the sign: SymPy takes positive ones out of roots and logarithms."""
    return sp.Mul(*(f for f in sp.Mul.make_args(e) if not f.is_positive))


def _factors(e: Any) -> set[Any]:
    """The factors that may vanish, each up to a constant."""
    found = set()
    for factor in sp.Mul.make_args(sp.together(e)):
        base = factor.base if isinstance(factor, sp.Pow) else factor
        if base.is_nonzero:
            continue
        _, plain = base.primitive()
        found.add(-plain if plain.could_extract_minus_sign() else plain)
    return found


__all__ = ["Need", "lost", "of_chain", "of_power", "of_value"]
