"""Sentences about compositions that suppose bounds for all orders, by way of the one that supposes
them at the order of the claim.

R_t(P, Q) <= r t for all t > 1 is supposed of each release; a claim about R_q of all of them, q > 1,
follows from the sentence that supposes R_q(P, Q) <= r q.
"""

from __future__ import annotations

from collections.abc import Callable

from lapdp.kernel import Bank
from lapdp.proving.channels import Way
from lapdp.proving.citing import parts
from lapdp.proving.derivation import Derivation
from lapdp.proving.recursions import is_definition


def at_own_order(b: Bank, goal: int) -> list[Way]:
    """The way to a sentence about compositions by its premises at one order; none for others."""
    premises, claim = parts(b, goal)
    every = [h for h in premises if b.rows[h][0] == "allR" and not _defines(b, h)]
    orders = [order for h in premises if (order := _order(b, h, claim)) is not None]
    if not every or len(orders) != 1 or not any(_defines(b, h) for h in premises):
        return []

    def way(d: Derivation, prove: Callable[[Derivation, int], int]) -> int:
        return _instances(d, goal, every, orders[0], prove)
    return [way]


def _defines(b: Bank, h: int) -> bool:
    """Is it the start or the step of a recursion, or both?"""
    if b.rows[h][0] == "and":
        return all(_defines(b, k) for k in b.children(h))
    return is_definition(b, h)


def _order(b: Bank, h: int, claim: int) -> tuple[int, int] | None:
    """A letter q of the claim that a premise says to be above 1, and the premise."""
    if b.rows[h][0] != "lt":
        return None
    one, q = b.children(h)
    return (q, h) if one == b.number(1) and b.rows[q][0] == "v" and (
        b.letters[q] <= b.letters[claim]) else None


def _instances(d: Derivation, goal: int, every: list[int], order: tuple[int, int],
               prove: Callable[[Derivation, int], int]) -> int:
    premises, claim = parts(d.b, goal)
    q, above = order
    given = d.assume(d.conj(premises))
    made = [d.taut(h, given) for h in premises if _defines(d.b, h)]
    known = [d.taut(h, given) for h in premises if h not in every and not _defines(d.b, h)]
    larger = d.taut(above, given)
    for h in every:
        at = d.inst(d.taut(h, given), q)
        if d.head(d.claim(at)) == "imp" and d.kids(d.claim(at))[0] == above:
            at = d.mp(at, larger)
        known.append(at)
    other = claim
    for theorems in (known, made):  # definitions first, as sentences have them
        other = d.mk("imp", d.conj([d.claim(i) for i in theorems]), other)
    found = d.mp(d.mp(prove(d, other), d.both(*made)), d.both(*known))
    return d.taut(goal, d.disch(d.claim(given), found))


__all__ = ["at_own_order"]
