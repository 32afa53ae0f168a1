"""The judge of ``lapdp check`` for statements about pairs: random pairs first, then the engine; of
mechanisms alone, closed forms first."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.core.verdict import HOLDS, Judgement, Kind
from lapdp.privacy.nodes import Expectation, Moment, RenyiDivergence
from lapdp.theory import engine
from lapdp.theory.cited_laws import cited_law
from lapdp.theory.judged import Judged
from lapdp.theory.language import Defined, Eq, expressions
from lapdp.theory.parse_pairs import in_words
from lapdp.theory.render import text_of_form
from lapdp.theory.statement import Statement

if TYPE_CHECKING:
    from lapdp.testing.conjectures.searching import Searched

EXAMPLES, SECONDS = 200, 55.0
SHARE = 3
"""Random pairs have at most one in so many of all seconds; the engine has at most half of what is
left, and the search for a derivation of what it leaves open the others."""
LEAST = 0.5
"""Seconds of a part for which none are left."""
BRIEF = 0.5
"""Seconds for a witness of the engine's own where random pairs have one."""


def judge(statement: Statement, *, digits: int = 30, seed: int = 0, numeric: bool = True,
          examples: int = EXAMPLES, seconds: float = SECONDS) -> Judgement:
    """The verdict of the engine, with the smallest counterexample among random pairs; of a law of
    the library, at once.

    ``examples`` bound the search among pairs, and ``seconds`` all of it: what was found when they
    are over is the answer.  Without hypothesis there are no random pairs; a statement that is not
    about pairs goes to the engine alone, and one about mechanisms alone, which have closed forms,
    goes there first.

    >>> from lapdp.theory import Le, claim, delta, pair, reals
    >>> (P, Q), eps = pair(), reals("eps")
    >>> found = judge(claim("x", Le(delta(P, Q)(eps), delta(Q, P)(eps))), numeric=False)
    >>> print(found.kind, found.method, found.witness.text, sep="; ")
    refuted; random pairs; P, Q = mechanism_pair(finite([1, 0], ["1/2", "1/2"])); eps = -log(2)
    """
    start = time.monotonic()

    def left() -> float:
        return max(LEAST, seconds - (time.monotonic() - start))
    asked = partial(engine.judge, statement, digits=digits, seed=seed, numeric=numeric)
    if not statement.pairs:
        return asked(seconds=left())
    judged = None
    if statement.of_mechanisms:
        judged = asked(seconds=left() / 2)
        if judged.kind is not Kind.UNDECIDED:
            return judged
    law = cited_law(statement, seconds)
    if law is not None:
        return asked(seconds=left(), law=law)
    try:
        from lapdp.testing.conjectures.searching import search
    except ModuleNotFoundError as missing:
        if missing.name != "hypothesis":
            raise
        said = 'no random pairs: they need hypothesis, pip install "lapdp[testing]"'
        return _noted(asked(seconds=left()) if judged is None else judged, said)
    found = search(statement, examples=examples, seed=seed, seconds=seconds / SHARE)
    if judged is None:
        judged = (asked(seconds=left() / 2) if found.found is None
                  else asked(seconds=left(), patience=BRIEF))
    if found.found is None:
        judged = engine.with_search(statement, judged, left())
        judged = _where_finite(statement, judged, left())
    return _joined(_noted(judged, f"random pairs: {found}"), found)


def _where_finite(statement: Statement, judged: Judged, seconds: float) -> Judged:
    """What is open, with the condition under which it is proved: that means, moments and
    divergences are finite.  In a root or a logarithm +oo has no value."""
    given = {h.expr for h in statement.where if isinstance(h, Defined)}
    nodes = {node for e in expressions(statement.claim)
             for node in sp.sympify(e).atoms(Expectation, Moment, RenyiDivergence)
             if not _always_finite(node)} - given
    if judged.kind is not Kind.UNDECIDED or not nodes:
        return judged
    forms = [Defined(node) for node in sorted(nodes, key=str)]
    less = replace(statement, where=(*statement.where, *forms))
    if cited_law(less, seconds) is None:
        bare = replace(judged, numeric=None)
        if engine.with_search(less, bare, seconds).kind is not Kind.PROVED:
            return judged
    said = [in_words(text_of_form(Eq(h.expr, 0))).removesuffix(" == 0") for h in forms]
    return replace(judged, holds_under=" and ".join(f"Defined({x})" for x in said),
                   scope="sufficient")


def _always_finite(node: Any) -> bool:
    """E_q for 0 <= q <= 1 lies in [0, 1]."""
    return isinstance(node, Moment) and node.args[0].is_number and bool(0 <= node.args[0] <= 1)


def _noted(judged: Judgement, said: str) -> Judgement:
    reason = judged.reason
    if judged.kind is Kind.UNDECIDED:
        reason = f"{said}; {reason}" if reason else said
    return replace(judged, tried=(*judged.tried, said), reason=reason)


def _joined(judged: Judgement, found: Searched) -> Judgement:
    """Where both speak they must agree; of two witnesses the one that was shrunk is shown."""
    searched: dict[str, Any] = {k: v for k, v in asdict(replace(found, found=None)).items()
                                if k != "found"}
    judged = replace(judged, extra={**judged.extra, "search": searched})
    smallest = found.found
    if smallest is None or (smallest.undefined and judged.kind is Kind.REFUTED):
        return judged
    if judged.kind in (*HOLDS, Kind.CERTIFIED):
        return replace(judged, kind=Kind.UNDECIDED, proof=None, checked=None, reason=(
            f"the routes disagree, please report this: {judged.kind} by {judged.method}, "
            f"refuted at {smallest.witness.text}"))
    if judged.kind is Kind.ILL_FORMED:
        return judged
    again = f"; once more, by the definitions: {smallest.second}" if smallest.second else ""
    witness = replace(smallest.witness, why=smallest.witness.why + again)
    return replace(judged, kind=Kind.REFUTED, method="random pairs", witness=witness,
                   reason=smallest.witness.why)


__all__ = ["judge"]
