"""Do two statements agree?  The question itself is a statement, which the engine decides.

Two relations about one object, n = r and n = r', are compatible where r = r'; n <= r and n >= r'
where r' <= r.  The general statement is specialised to the object of the other
(:mod:`~lapdp.theory.comparing.matching`), hypotheses and domains with it.  What the engine refutes
is a contradiction: one of the two is false at the witness.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property, partial
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.core.errors import IllFormed, InputError, Unsupported
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.privacy.tradeoff_nodes import TradeOff
from lapdp.theory import language as lang
from lapdp.theory.comparing.matching import Binding, match
from lapdp.theory.rewriting import with_mechanism
from lapdp.theory.statement import Statement

NOTIONS = (pn.Profile, pn.LossCDF, pn.LossDensity, pn.Probability, pn.Expectation, pn.Moment,
           pn.RenyiDivergence, pn.SupOverEvents, TradeOff)
"""Objects on which statements are compared."""
_FLIPPED = {sp.Eq: sp.Eq, sp.Le: sp.Ge, sp.Lt: sp.Gt, sp.Ge: sp.Le, sp.Gt: sp.Lt}
_BELOW, _ABOVE = (sp.Le, sp.Lt), (sp.Ge, sp.Gt)
_STOPS = (Unsupported, IllFormed, InputError, TypeError, ValueError)


@dataclass(frozen=True)
class Said:
    """``node relation value``, as one statement has it."""

    statement: Statement
    node: Any
    relation: Any
    value: Any

    @cached_property
    def letters(self) -> dict[Any, Any]:
        """A letter of its own for each letter of the statement: it stays apart from all others."""
        return {s: sp.Dummy(s.name, **s.assumptions0) for s in self.statement.parameters}

    @cached_property
    def pattern(self) -> Any:
        """The node in these letters."""
        return _Change(self.letters, Binding()).expression(self.node)


@dataclass(frozen=True)
class Comparison:
    """Two statements about one object, and the statement that holds if both do."""

    first: Statement
    second: Statement
    about: Any
    question: Statement
    equally_general: bool
    """Does each of the two speak of the other one's object?"""


def said_by(statement: Statement) -> list[Said]:
    """What a relation, or each of several, says of a single notion that is one of its sides.

    >>> from lapdp.theory import *
    >>> P, Q = pair(); eps = reals("eps")
    >>> [s.relation.__name__ for s in said_by(claim("a", Ge(1, delta(P, Q)(eps))))]
    ['LessThan']
    """
    claim = statement.claim
    parts = claim.claims if isinstance(claim, lang.AllOf) else (claim,)
    sides = [side for form in parts if type(form) in _FLIPPED for side in (
        (form.lhs, type(form), form.rhs), (form.rhs, _FLIPPED[type(form)], form.lhs))]
    return [Said(statement, n, r, v) for n, r, v in sides if isinstance(n, NOTIONS)]


def compare(first: Said, second: Said) -> Comparison | None:
    """The question whether two of them agree; None where they speak of different objects, or cannot
    contradict each other.

    >>> from lapdp.theory import *
    >>> P, Q = pair(); A, B = pair("A", "B"); eps = reals("eps"); a = positives("alpha")
    >>> one = claim("p/a", Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps)*delta(P, Q)(-eps)))
    >>> two = claim("q/b", Eq(delta(A, B)(sp.log(a)), 1 - a*delta(B, A)(-sp.log(a))))
    >>> compare(said_by(one)[0], said_by(two)[0]).question.claim.rhs
    -exp(eps)*delta(P, Q)(-eps) + 1
    """
    relation = _relation(first.relation, second.relation)
    bindings = () if relation is None else _bindings(first, second)
    for general, special, binding in bindings:
        found = _specialised(general, special, binding)
        if found is not None:
            value, where = found
            left, right = (special.value, value) if special is first else (value, special.value)
            question = Statement(
                f"{first.statement.id}~{second.statement.label}",
                relation(left, right, evaluate=False), where=where, kind="law",
                note=f"{first.statement.id} and {second.statement.id} agree on {special.node}")
            return Comparison(first.statement, second.statement, special.node, question,
                              len(bindings) > 1)
    return None


def _bindings(first: Said, second: Said) -> list[tuple[Said, Said, Binding]]:
    """Which of two speaks of the other one's object, and how; the second one first."""
    return [(general, special, binding) for general, special in ((second, first), (first, second))
            if (binding := _matched(general, special)) is not None]


def _matched(general: Said, special: Said) -> Binding | None:
    try:
        binding = match(general.pattern, special.node, general.letters.values())
        return None if binding is None or binding.conditions() is None else binding
    except _STOPS:
        return None


def _relation(first: Any, second: Any) -> Any:
    """How the values must be related if the object has both relations to them."""
    if first is sp.Eq:
        return second if second in _FLIPPED else None
    if second is sp.Eq:
        return _FLIPPED[first]
    if (first in _BELOW) == (second in _BELOW):
        return None
    strict = sp.Lt in (first, second) or sp.Gt in (first, second)
    return (sp.Gt if strict else sp.Ge) if first in _BELOW else (sp.Lt if strict else sp.Le)


def _specialised(general: Said, special: Said, binding: Binding
                 ) -> tuple[Any, tuple[Any, ...]] | None:
    """Value and hypotheses of the general statement where it speaks of the special one's object,
    joined to the hypotheses of the special one."""
    try:
        conditions = binding.conditions() or ()
        apart, change = _Change(general.letters, Binding()), _Change(binding.letters, binding)
        where = [change.form(apart.form(h)) for h in general.statement.where]
        value = change.expression(apart.expression(general.value))
        return value, (*special.statement.where, *where, *conditions)
    except _STOPS:
        return None


@dataclass(frozen=True)
class _Change:
    """Letters and pairs replaced throughout an expression or a form."""

    letters: dict[Any, Any]
    binding: Binding

    def expression(self, e: Any) -> Any:
        e = sp.sympify(e).xreplace(self.letters)
        return fam.replace_pairs(e, self._pair)

    def _pair(self, identity: pn.PairOf) -> Any:
        known = self.binding.pairs.get(id(identity))
        if known is not None:
            _, target, reverse = known
            members = tuple(pn.Distribution(n, target, k) for k, n in enumerate(target.names))
            return members[::-1] if reverse else members
        if identity.role is not None and not identity.factors:
            return None
        return with_mechanism(identity, lambda x: x.xreplace(self.letters))

    def form(self, form: Any) -> Any:
        if isinstance(form, Relational):
            return form.func(self.expression(form.lhs), self.expression(form.rhs), evaluate=False)
        if is_dataclass(form) and not isinstance(form, type):
            return replace(form, **{f.name: self._part(getattr(form, f.name))
                                    for f in fields(form)})
        raise Unsupported(f"a hypothesis of the form {type(form).__name__}")

    def _part(self, part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(self._part(x) for x in part)
        return self.form(part) if isinstance(part, lang.FORMS) else self.expression(part)


def questions(doubted: Sequence[Statement], others: Sequence[Statement], most: int = 3
              ) -> Iterator[list[Comparison]]:
    """For each doubted statement, up to ``most`` questions to the others about its object.

    Those that are as general as the doubted statement come first, then equations, which tell more
    than bounds; else the order given holds.  Where two of them ask the same, or say what the
    doubted statement says, the later one is left out.
    """
    def order(first: Said, second: Said) -> tuple[bool, bool]:
        return len(_bindings(first, second)) < 2, not isinstance(second.statement.claim, sp.Eq)

    theirs: dict[type, list[Said]] = {}
    for said in (s for statement in others for s in said_by(statement)):
        theirs.setdefault(type(said.node), []).append(said)
    for first in (s for statement in doubted for s in said_by(statement)):
        found: dict[str, Comparison] = {}
        others_of = [s for s in theirs.get(type(first.node), ())
                     if s.statement.id != first.statement.id]
        # a question is written down only where it may be asked
        for second in sorted(others_of, key=partial(order, first)):
            made = compare(first, second) if len(found) < most else None
            if made is not None and made.question.claim.lhs != made.question.claim.rhs:
                found.setdefault(made.question.hash, made)
        yield list(found.values())


__all__ = ["NOTIONS", "Comparison", "Said", "compare", "questions", "said_by"]
