"""``conjecture(lhs, relation, rhs)``: the question, in either of its forms."""

from __future__ import annotations

from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy.core.relational import Relational

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, called
from lapdp.testing.conjectures.functions import FunctionConjecture, searched
from lapdp.testing.conjectures.results import Conjecture
from lapdp.testing.conjectures.searching import Searched, search
from lapdp.theory import language as lang
from lapdp.theory.statement import Statement

RELATIONS = {"==": lang.Eq, "!=": lang.Ne, "<": lang.Lt, "<=": lang.Le, ">": lang.Gt,
             ">=": lang.Ge}


@fitting
def conjecture(lhs: Any, relation: str | None = None, rhs: Any = None, *,
               over: st.SearchStrategy[Any] | None = None, where: Any = (), examples: int = 200,
               seed: int = 0, seconds: float = 30.0, max_size: int = 3, accuracy: Any = None,
               absolute: Any = 0
               ) -> Conjecture | FunctionConjecture:
    """Look for the smallest counterexample of ``lhs relation rhs``; without one, for a proof.

    Arguments: two sides in the words of :mod:`lapdp.theory`, free letters meaning "for all", and
    one of ``== != < <= > >=``; ``where`` a hypothesis or several.  ``examples`` random exact
    instances are drawn from ``seed``: finite pairs up to ``max_size`` outcomes (or from the
    strategy ``over``), parameters at losses of these pairs, at 0, at small numbers of both signs.
    A failure is shrunk, and looked at once more by the definitions.  Where none is found the engine
    judges the statement for every pair, in a process that is ended after ``seconds``; the search
    may take as long.  Of mechanisms alone, which have closed forms, the engine is asked first.

    With functions for the sides, called with each case that ``over`` draws, there is a search
    only: functions cannot be proved.  Then the relation is ``==``, ``<=`` or ``>=``, and
    ``accuracy`` is the relative accuracy that you state of rounded numbers that they return, and
    ``absolute`` what is allowed beside it.

    Returns a :class:`Conjecture`, whose ``verdict`` is ``refuted`` with a witness, ``proved``,
    ``derived``, ``certified``, or ``open`` with how far was searched.  Raises :class:`InputError`
    for what is no relation, floats, options without meaning.  One relation may stand for the three
    arguments: ``conjecture(Le(lhs, rhs))``.

    >>> from lapdp.theory import delta, pair, reals
    >>> (P, Q), eps = pair(), reals("eps")
    >>> found = conjecture(delta(P, Q)(2*eps), "<=", delta(P, Q)(eps))
    >>> print(found.witness.text, "|", found.witness.lhs, "|", found.witness.rhs)
    P, Q = mechanism_pair(finite([1], [1])); eps = -log(2) | 3/4 | 1/2
    >>> conjecture(delta(P, Q)(2*eps), "<=", delta(P, Q)(eps), where=eps >= 0, examples=20).verdict
    'derived'
    """
    if relation is None:
        lhs, relation, rhs = _parts(lhs)
    _check_options(relation, examples, seed, seconds, max_size)
    if any(callable(side) and not isinstance(side, sp.Basic) for side in (lhs, rhs)):
        if where != ():
            raise InputError("functions take no where=: let over= draw the cases that are meant")
        return searched(lhs, relation, rhs, over, examples, seed, seconds, accuracy, absolute)
    claim = RELATIONS[relation](_side(lhs), _side(rhs))
    hypotheses = tuple(where) if isinstance(where, (tuple, list)) else (where,)
    statement = Statement(id="conjecture", claim=claim, where=hypotheses)
    known = None
    if over is None and statement.of_mechanisms:
        # closed forms decide sooner than instances are drawn
        first = Conjecture(statement, Searched(seed=seed, stopped="closed forms decide"), seconds)
        if not (first.open or first.witness):
            return first
        known = first.judged
    found = search(statement, examples=examples, seed=seed, seconds=seconds, max_size=max_size,
                   over=over)
    answer = Conjecture(statement, found, seconds, known)
    if found.found is None:
        _ = answer.judged  # here, so that nothing that is asked of the answer takes long
    return answer


def _parts(given: Any) -> tuple[Any, str, Any]:
    """The sides and the sign of a relation given as one."""
    if isinstance(given, Statement) or not isinstance(given, Relational):
        hint = ("a statement goes to verify(...)" if isinstance(given, Statement)
                else f"{called(given)} alone is none")
        raise InputError(f'conjecture takes a relation: {hint}; write conjecture(lhs, "<=", rhs)')
    return given.lhs, given.rel_op, given.rhs


def _check_options(relation: Any, examples: Any, seed: Any, seconds: Any, max_size: Any) -> None:
    from lapdp.theory.runner import check_options

    if relation not in RELATIONS:
        raise InputError(f"{str(relation)[:40]!r} is no relation: write one of "
                         f"{', '.join(RELATIONS)} in quotes")
    for name, value in (("examples", examples), ("max_size", max_size)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InputError(f"{name}={value!r} must be an integer >= 1")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise InputError(f"seed={seed!r} must be an integer")
    check_options(1, seconds, 30, seed)


def _side(side: Any) -> Any:
    if isinstance(side, (str, bool)):
        raise InputError(f"{side!r} is no side of a relation: write an expression, or give the "
                         "whole text to `lapdp check`")
    try:
        value = sp.sympify(side)
    except (sp.SympifyError, TypeError) as problem:
        raise InputError(f"{str(side)[:40]} is no side of a relation: write an expression in the "
                         "words of lapdp.theory, or a function") from problem
    if not isinstance(value, sp.Expr):
        raise InputError(f"{str(side)[:40]} is no number: write an expression in the words of "
                         "lapdp.theory")
    floats = sorted(value.atoms(sp.Float), key=str)
    if floats:
        raise InputError(f"{floats[0]} is a float: write a fraction such as sp.Rational(1, 10)")
    return value


__all__ = ["conjecture"]
