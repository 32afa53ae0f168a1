"""A counterexample looked at once more, by the definitions: no code of the search is used.

Masses stay Fractions, notions are the sums of their definitions (:mod:`lapdp.numeric`), trade-off
functions the lemma of Neyman and Pearson.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.core.errors import LapdpError, Undefined
from lapdp.numeric import pairs as numeric_pairs
from lapdp.numeric.claims import holds
from lapdp.numeric.evaluate import Evaluator
from lapdp.numeric.instances import Instance as NumericInstance
from lapdp.numeric.models import mechanism_pair
from lapdp.numeric.parts import number
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.tradeoff_nodes import TradeOff
from lapdp.theory.instances import Instance
from lapdp.theory.rewriting import map_form

DIGITS, GUARD = 40, 20


def second_look(claim: Any, instance: Instance) -> tuple[bool | None, str]:
    """Does the claim hold at an instance, by the definitions?  None with the reason where these do
    not reach it; otherwise both values, to 40 digits, are behind the answer.

    >>> from lapdp import finite
    >>> from lapdp.theory import Eq, delta, pair
    >>> P, Q = pair(); half = finite([1, 0], ["1/2", "1/2"])
    >>> at = Instance({P.pair: (repr(half), half)}, {}, {})
    >>> second_look(Eq(delta(P, Q)(0), 1), at)
    (False, '0.5 and 1.0')
    """
    with mp.workdps(DIGITS + GUARD):
        try:
            there = NumericInstance(digits=DIGITS)
            for s, v in instance.values.items():
                there.values[s] = mp.mpmathify(sp.N(v, DIGITS + GUARD))
            for a, (_, m) in instance.pairs.items():
                there.pairs[id(a)] = (
                    numeric_pairs.finite(list(m.masses)) if isinstance(m, FinitePair)
                    else mechanism_pair(m, there.values))
            for event, places in instance.events.items():
                there.values[event] = _bits(instance, places)
            ev = Evaluator(there)
            found = holds(map_form(claim, lambda e: _without_trade_offs(e, ev)), ev)
        except (LapdpError, ArithmeticError, NotImplementedError, TypeError, ValueError) as why:
            return None, str(why) or type(why).__name__
    if found.holds is None:
        return None, found.why
    both = f"{_short(found.lhs)} and {_short(found.rhs)}"
    if found.holds and _crossed(claim, found.lhs, found.rhs):
        return None, f"{both}: too close to tell apart by the definitions"
    return found.holds, both


def _crossed(claim: Any, lhs: str, rhs: str) -> bool:
    """Do the values of a weak order lie the wrong way, nearer than its tolerance?"""
    sides = {"<=": (lhs, rhs), ">=": (rhs, lhs)}.get(getattr(claim, "rel_op", ""))
    try:
        return sides is not None and mp.mpf(sides[0]) > mp.mpf(sides[1])
    except ValueError:
        return False


def _bits(instance: Instance, places: frozenset[int]) -> int:
    """The event as the numeric column counts it: bit k for outcome k of the one pair."""
    if len(instance.pairs) != 1:
        raise Undefined("an event of a product, by the definitions")
    return sum(1 << k for k in places)


def _without_trade_offs(e: Any, ev: Evaluator) -> Any:
    """Trade-off functions replaced by their values: tests that reject by the ratio Q/P."""
    e = sp.sympify(e)
    found = {node: _trade_off(ev.pair(*node.args[:2]), ev.value(node.args[2]))
             for node in e.atoms(TradeOff)}
    return e.xreplace(found)


def _trade_off(pair: Any, level: Any) -> Any:
    if pair.parts:
        raise Undefined("a trade-off function of densities, by its definition")
    if not 0 <= level <= 1:
        raise Undefined("a level outside [0, 1]")
    budget, missed = mp.mpf(level), mp.mpf(1)
    rejectable = [(p, q) for p, q in pair.outcomes if q]
    for p, q in sorted(rejectable, key=lambda row: row[0] / row[1]):
        mass, seen = number(p), number(q)
        share = mp.mpf(1) if mass <= budget else budget / mass
        missed -= share * seen
        budget -= share * mass
    return sp.Float(missed, DIGITS + GUARD)


def _short(text: str) -> str:
    try:
        return str(mp.nstr(mp.mpf(text), 12))
    except ValueError:
        return text


__all__ = ["second_look"]
