"""Counterexamples that need proofs: a claim fails where what it supposes holds for all values.

At a concrete instance (mechanisms for the pairs, numbers for the parameters) an implication fails
when its hypothesis is proved for all values of its bound variables and the negation of its
conclusion is proved; a claim of existence fails when the negation is proved for all values.  The
hypotheses of the statement are proved at the instance as well.  That a claim is not always true
fails where it is proved: then every instance is a witness.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.verdict import Judgement, Kind, Proof, Witness
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.instances import allowed
from lapdp.theory.methods.having_values import require_kept
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.render import text as in_words
from lapdp.theory.render import text_of_form
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement

METHOD = "counterexample"
NEGATIONS = {sp.Lt: lang.Ge, sp.Le: lang.Gt, sp.Gt: lang.Le, sp.Ge: lang.Lt, sp.Eq: lang.Ne,
             sp.Ne: lang.Eq}
VALUES = (sp.Integer(1), sp.Integer(0), sp.Integer(5))
_MOST = 4


@dataclass(frozen=True)
class Lemma:
    """What is proved at the instance, and which part of the statement it answers."""

    what: str
    relation: Any
    proof: Proof


def by_counterexample(statement: Statement, prove: Prove) -> Judgement | None:
    """Refute an implication or a claim of existence, or prove that a claim is not always true.

    Relations too where the hints name pairs: no others are searched for then.

    The hints name the instance: ``{"witness": {"eps": 1}, "pairs": {"P1": gaussian(1)}}``, the
    pairs by their first members; parameters without a hint get small numbers.  Raises
    :class:`Unsupported` where no instance is found.
    """
    claim = statement.claim
    negated = isinstance(claim, lang.NotAlways)
    form = claim.claim if negated else claim
    named = isinstance(form, Relational) and "pairs" in statement.hints
    if not isinstance(form, (lang.Implies, lang.Exists)) and not negated and not named:
        return None
    if isinstance(form, lang.Exists) and form.where:
        raise Unsupported("a condition on the value that exists")
    reasons: list[str] = []
    for values in _values(statement):
        try:
            lemmas, text = fails_at(statement, form, values, prove)
        except (Unsupported, Undefined, InputError) as problem:
            reasons.append(str(problem))
            continue
        if negated:
            return by_lemmas(METHOD, [
                (f"{lemma.what}: {text_of_form(lemma.relation)}", lemma.proof) for lemma in lemmas])
        return refuted(METHOD, text, values, lemmas)
    raise Unsupported(f"no instance: {reasons[-1] if reasons else 'none to try'}")


def refuted(method: str, text: str, values: dict[Any, Any], lemmas: list[Lemma]) -> Judgement:
    """Refuted at an instance: the hypotheses and, last, the negation are proved there."""
    negation = lemmas[-1].relation
    shown = "proved at the instance: " + "; ".join(
        f"{lemma.what}: {text_of_form(lemma.relation)}" for lemma in lemmas)
    return Judgement(Kind.REFUTED, method, reason=shown, witness=Witness(
        text, {str(k): str(v) for k, v in values.items()},
        in_words(negation.lhs), in_words(negation.rhs), shown))


def by_contrary(statement: Statement, prove: Prove) -> Judgement | None:
    """Refute that a claim is not always true by a proof that it is."""
    claim = statement.claim
    if not isinstance(claim, lang.NotAlways):
        return None
    prove(lemma_of(statement, claim.claim, statement.where))
    shown = text_of_form(claim.claim)
    why = f"proved for all pairs and values: {shown}"
    return Judgement(Kind.REFUTED, "the contrary", reason=why, witness=Witness(
        "every pair and all values", {}, "", "", why))


def _values(statement: Statement) -> Iterator[dict[Any, Any]]:
    """Numbers for the parameters: the hinted ones, small ones for the rest."""
    hinted = statement.hints.get("witness", {})
    count = 0
    for value in VALUES:
        point = {s: sp.sympify(hinted.get(str(s), value)) for s in statement.parameters}
        if all(allowed(s, v) for s, v in point.items()) and count < _MOST:
            count += 1
            yield point
        if all(str(s) in hinted for s in statement.parameters):
            return


def fails_at(statement: Statement, form: Any, values: dict[Any, Any], prove: Prove
              ) -> tuple[list[Lemma], str]:
    """Proofs that the hypotheses hold and the form fails at the instance, and its description."""
    members, shown = _members(statement, values)
    bound = lang.bound_symbols(form)
    lemmas: list[Lemma] = []

    def put(e: Any) -> Any:
        return sp.sympify(e).xreplace(members).subs(values, simultaneous=True)

    def at(relation: Any) -> Any:
        if not isinstance(relation, Relational):
            raise Unsupported(f"{type(relation).__name__} at an instance")
        require_kept(relation, values)
        return relation.func(put(relation.lhs), put(relation.rhs), evaluate=False)

    def lemma(what: str, relation: Any) -> None:
        found = prove(Statement(id=f"{statement.id}/{what}", claim=relation))
        lemmas.append(Lemma(what, relation, found))

    for k, condition in enumerate(statement.where, 1):
        if isinstance(condition, lang.AbsolutelyContinuous):
            _require_continuous(*(_member(members, d) for d in (condition.P, condition.Q)))
            continue
        if any(bound & set(sp.sympify(e).free_symbols) for e in lang.expressions(condition)):
            raise Unsupported("a hypothesis on a bound variable")
        lemma(f"hypothesis {k}", at(condition))
    conclusion = form
    if isinstance(form, lang.Implies):
        lemma("for all values", at(form.hypothesis))
        conclusion = form.conclusion
        if bound & {s for e in lang.expressions(conclusion) for s in sp.sympify(e).free_symbols}:
            raise Unsupported("a conclusion for all values")
    elif isinstance(form, lang.Exists):
        conclusion = form.claim
    relation = at(conclusion)
    negation = NEGATIONS[relation.func](relation.lhs, relation.rhs)
    lemma("against it", negation)
    return lemmas, "; ".join([*shown, *(f"{s} = {v}" for s, v in values.items())])


def _members(statement: Statement, values: dict[Any, Any]) -> tuple[dict[Any, Any], list[str]]:
    """The members of concrete pairs in place of those of the statement."""
    hinted = statement.hints.get("pairs", {})
    members: dict[Any, Any] = {}
    shown: list[str] = []
    symbols = {s for f in (statement.claim, *statement.where) for e in lang.expressions(f)
               for s in sp.sympify(e).free_symbols if isinstance(s, pn.Distribution)}
    made: dict[Any, Any] = {}

    def concrete(pair: Any) -> Any:
        if pair.role is not None:
            # its law is that of the parts: a mechanism of its own would contradict theirs
            raise Unsupported(f"an instance for a composition, {', '.join(pair.names)}")
        if pair not in made:
            made[pair] = (pn.product_pair(*map(concrete, pair.factors), names=pair.names)
                          if pair.factors else pn.mechanism_pair(_at(pair), *pair.names))
        return made[pair]

    def _at(pair: Any) -> Any:
        given = pair.mechanism
        mechanism = hinted.get(pair.names[0]) if given is None else given.substitute(values)
        if mechanism is None or len(pair.names) != 2:
            raise Unsupported(f"no mechanism for the pair {', '.join(pair.names)}")
        shown.append(f"{', '.join(pair.names)} = mechanism_pair({mechanism!r})")
        return mechanism

    for pair in statement.pairs:
        members |= {s: concrete(pair)[s.side] for s in symbols if s.pair is pair}
    return members, shown


def _member(members: dict[Any, Any], distribution: Any) -> Any:
    if distribution not in members:
        raise Unsupported(f"absolute continuity of the mixture {distribution} at an instance")
    return members[distribution]


def _require_continuous(P: Any, Q: Any) -> None:
    """P << Q: no loss of a factor of a concrete pair without parameters has mass at +oo."""
    identity, reverse = pn.oriented(P, Q)
    for factor in identity.atoms():
        masses = factor.mechanism.infinite_masses(Cell())
        if not masses[1 if reverse else 0].is_zero():
            raise Unsupported("the instance is not absolutely continuous")


__all__ = ["by_contrary", "by_counterexample", "fails_at"]
