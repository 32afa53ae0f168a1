"""What a bound letter is declared to be must hold wherever it runs.

The expression under a binder is simplified by what its letter is declared to be: of a positive s
the absolute value is s, of a whole number n the cosine of 2 pi n is 1.  An integral of it over
(-1, 1), or over all reals, is then another one than was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus import sequences as sq
from lapdp.core.errors import IllFormed
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang

WHOLE = (sq.FiniteSum, sq.BinomialMean)
"""Binders whose letter runs over whole numbers."""
SMOOTH = (cn.OneSided, cn.IntegralOnLine, cn.Convolution, cn.Primitive, cn.Limit)
"""Binders that a single point does not change."""
ALONG_THE_LINE = (cn.Limit, lang.Continuous, lang.ContinuousOn, lang.ConvexOn,
                  lang.NonincreasingOn, lang.ImpliesOn, lang.BigO)
"""What means another thing of a complex letter: a limit, say, from all sides of the plane."""
PLAIN = {"real", "commutative", "complex", "finite", "extended_real", "hermitian"}


def require_ranges(forms: Iterable[Any]) -> None:
    """Refuse a bound letter that runs outside of what it is declared to be, or that the loss in
    a density depends on, and a complex one where real numbers are meant.

    >>> s = sp.Symbol("s", positive=True)
    >>> require_ranges([lang.Le(cn.Int(sp.exp(-s), s, 0, sp.oo), 1)])
    >>> require_ranges([lang.Le(cn.Int(sp.exp(-s), s, -1, 1), 1)])
    Traceback (most recent call last):
        ...
    lapdp.core.errors.IllFormed: s is positive and runs from -1 to 1: bind a real letter
    """
    for node, letter, lower, upper in _binders(forms):
        if isinstance(node, ALONG_THE_LINE) and not letter.is_real:
            raise IllFormed(f"{letter} is complex and runs over real numbers: bind a real letter")
        declared = {k for k, v in letter._assumptions_orig.items() if v} - PLAIN
        if isinstance(node, cn.Limit) and letter.is_integer:
            raise IllFormed(f"{letter} is a whole number, and a limit runs from {lower} to {upper}"
                            ": bind a real letter, limits of sequences are not read")
        if declared and not _fits(node, letter, lower, upper):
            words = " and ".join(sorted(declared))
            wanted = "whole number" if isinstance(node, WHOLE) else "real letter"
            raise IllFormed(f"{letter} is {words} and runs from {lower} to {upper}: bind a "
                            f"{wanted}" + (" of any sign" if isinstance(node, WHOLE) else ""))
        for density in node.atoms(pn.LossDensity) if isinstance(node, cn.Node) else ():
            inside = (lang.letters_inside(d.pair) for d in density.atoms(pn.Distribution))
            if letter in density.args[1].free_symbols and letter in (
                    density.args[0].free_symbols.union(*inside)):
                raise IllFormed(f"{density}: the loss depends on {letter}, at which its density is "
                                "taken")


def _fits(node: Any, letter: Any, lower: Any, upper: Any) -> bool:
    ends = [sp.sympify(lower), sp.sympify(upper)]
    if isinstance(node, WHOLE):
        # a sum over no numbers at all is 0: only its first index counts
        first = ends[0]
        return bool(letter.is_integer and letter.is_nonnegative and (
            first.is_extended_positive if letter.is_positive else first.is_extended_nonnegative))
    if letter.is_integer:
        return False
    if letter.is_nonnegative:
        return all(e.is_extended_positive or (e.is_extended_nonnegative and (
            isinstance(node, SMOOTH) or not letter.is_positive)) for e in ends)
    if letter.is_nonpositive:
        return all(e.is_extended_negative or (e.is_extended_nonpositive and (
            isinstance(node, SMOOTH) or not letter.is_negative)) for e in ends)
    return False


def _binders(forms: Iterable[Any]) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Each binder with its letter and the ends between which the letter runs."""
    for form in forms:
        yield from _of_form(form)
        for expression in lang.expressions(form):
            for node in sp.preorder_traversal(sp.sympify(expression)):
                found = _of_node(node)
                if found is not None:
                    yield (node, *found)


def _of_node(node: Any) -> tuple[Any, Any, Any] | None:
    match node:
        case cn.OneSided():
            return node.args[1], sp.S.Zero, sp.oo
        case cn.Bilateral() | cn.SymmetricIntegral():
            return node.args[1], -sp.oo, sp.oo
        case cn.IntegralOnLine() | tn.SupOverReals() | tn.InfOverReals() | sq.FiniteSum():
            return node.args[1], node.args[2], node.args[3]
        case sq.BinomialMean():
            return node.args[1], sp.S.Zero, node.args[2]
        case cn.Convolution():
            return node.args[2], node.args[3], sp.oo
        case cn.Impulse():
            return node.args[1], node.args[2], node.args[2]
        case cn.Primitive():
            return node.args[1], node.args[2], node.args[1]
        case cn.Limit():
            return _near(*node.args[1:])
    return None


def _near(t: Any, point: Any, side: Any) -> tuple[Any, Any, Any]:
    """Where a letter may be taken on its way to a limit: on one side of the point, or on both."""
    if point.is_infinite:
        return (t, sp.S.One, point) if point == sp.oo else (t, point, -sp.S.One)
    if point.is_nonzero:
        return t, point, point
    return t, *{"_+": (point, sp.S.One), "_-": (-sp.S.One, point)}.get(
        str(side), (-sp.S.One, sp.S.One))


def _of_form(form: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """The forms that bind a letter on an interval, whatever they stand in."""
    if isinstance(form, tuple):
        for part in form:
            yield from _of_form(part)
    if isinstance(form, sp.Basic) or not is_dataclass(form):
        return
    letter = getattr(form, "t", None)
    if isinstance(letter, sp.Symbol):
        yield (form, letter, getattr(form, "lower", -sp.oo), getattr(form, "upper", sp.oo))
    for f in fields(form):
        yield from _of_form(getattr(form, f.name))
