"""Values that depend on pairs as letters: what holds for all numbers holds for them.

Probabilities lie in [0, 1]; the mean of a function has a finite value where a hypothesis bounds it
from above by numbers.  Equal expressions have equal letters.  A relation of l and r is one of n and
0 where l - r = n/d, and the sign of d is a lemma; a hypothesis that divides by d holds only where d
differs from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Proof
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove
from lapdp.theory.rewriting import Fresh, lemma_of, on_parameters
from lapdp.theory.statement import Statement

MEASURED = (pn.Probability, pn.LossCDF, pn.Profile, pn.Measure)
"""Values in [0, 1]."""
MEANS = (pn.Expectation,)
"""Values that need not be finite."""
VALUES = (*MEASURED, *MEANS)
TURNED = {sp.Le: sp.Ge, sp.Lt: sp.Gt, sp.Ge: sp.Le, sp.Gt: sp.Lt, sp.Eq: sp.Eq, sp.Ne: sp.Ne}

Lemmas = list[tuple[str, Proof]]


def values_in(form: Any) -> list[Any]:
    """The values in a form that depend on pairs, outermost ones, in a fixed order."""
    found: dict[Any, None] = {}

    def walk(e: Any) -> None:
        if isinstance(e, VALUES):
            found[e] = None
        else:
            for a in e.args:
                walk(a)
    for e in lang.expressions(form):
        walk(sp.sympify(e))
    return sorted(found, key=sp.default_sort_key)


def denominators(form: Any) -> list[Any]:
    """What a form divides by, as it is written; nodes are not looked into."""
    found: dict[Any, None] = {}

    def walk(e: Any) -> None:
        if isinstance(e, Node):
            return
        if e.is_Pow and e.exp.could_extract_minus_sign() and e.base.free_symbols:
            found[e.base] = None
        for a in e.args:
            walk(a)
    for e in lang.expressions(form):
        walk(sp.sympify(e))
    return sorted(found, key=sp.default_sort_key)


class Letters:
    """Values as letters, hypotheses as relations between letters, denominators cleared."""

    def __init__(self, statement: Statement, bases: Iterable[Any], prove: Prove, lemmas: Lemmas
                 ) -> None:
        self.statement, self.prove, self.lemmas = statement, prove, lemmas
        self.letters: dict[Any, Any] = {}
        fresh = Fresh(statement)
        relations = [h for h in statement.where if type(h) in TURNED]
        for form in (statement.claim, *relations, *(lang.Ne(base, 0) for base in bases)):
            for node in values_in(form):
                if node not in self.letters:
                    self.letters[node] = fresh.real("p")
        self.where: list[Any] = list(on_parameters(statement.where))
        for node, letter in self.letters.items():
            if not isinstance(node, MEANS):
                # it has a value only where its event, or its argument, has one
                lemma = lemma_of(self.statement, lang.Ge(node, 0), statement.where)
                self.lemmas.append((f"{node} has a value", self.prove(lemma)))
                self.where += [lang.Ge(letter, 0), lang.Le(letter, 1)]
        for form in relations:
            if values_in(form) and all(map(self._rational, lang.expressions(form))):
                self._suppose(form)
        self._require_finite_means(relations)
        if not all(map(self._rational, lang.expressions(statement.claim))):
            raise Unsupported("more than sums, products and quotients of values")

    def _rational(self, e: Any) -> bool:
        """Sums, products, whole powers, and exponentials of parameters."""
        e = sp.sympify(e).xreplace(self.letters)
        if e.is_Symbol or (e.is_number and e.is_finite):
            return bool(e.is_real)
        if isinstance(e, sp.exp):
            return not e.free_symbols & set(self.letters.values()) and self._rational(e.args[0])
        if e.is_Pow and not e.exp.is_Integer:
            return False
        return (e.is_Add or e.is_Mul or e.is_Pow) and all(
            self._rational(a) for a in e.args)

    def require_nonzero(self, bases: Iterable[Any]) -> None:
        """Every denominator of the claim, as it was written, differs from 0."""
        for base in bases:
            here = base.xreplace(self.letters)
            if not self._rational(here) or not any(self._holds(claim) for claim in (
                    lang.Gt(here, 0), lang.Lt(here, 0), lang.Ne(here, 0))):
                raise Unsupported(f"that the denominator {base} differs from 0")

    def _require_finite_means(self, relations: Iterable[Any]) -> None:
        """A mean that a hypothesis puts below a number, maybe with a positive factor and with a
        number added, is one: where it is -oo it has no value, and the hypothesis does not hold."""
        bounded: set[Any] = set()
        for form in relations:
            if type(form) not in (sp.Le, sp.Lt, sp.Ge, sp.Gt):
                continue
            small, big = (form.lhs, form.rhs) if isinstance(form, (sp.Le, sp.Lt)) else (
                form.rhs, form.lhs)
            terms = [x for x in sp.Add.make_args(small) if x.has(*MEANS)]
            means = [x for t in terms for x in sp.Mul.make_args(t) if x.has(*MEANS)]
            if big.has(*MEANS) or len(means) != 1 or not isinstance(means[0], MEANS) or not all(
                    map(self._rational, (small, big))):
                continue  # what is no number may be +oo itself
            factor = (terms[0] / means[0]).xreplace(self.letters)
            if factor == 1 or self._holds(lang.Gt(factor, 0)):
                bounded.add(means[0])
        for node in self.letters:
            if isinstance(node, MEANS) and node not in bounded:
                raise Unsupported(f"that {node} is finite")

    def _suppose(self, form: Any) -> None:
        """A hypothesis between letters; one that cannot be written so is left out."""
        for base in denominators(form):
            if not base.has(*VALUES):
                continue
            here = base.xreplace(self.letters)
            self.where.append(lang.Ne(here, 0))
            for sign in (1, -1):
                if self._holds(lang.Ge(sign * here, 0)):
                    self.where[-1] = lang.Gt(sp.expand(sign * here), 0)
                    break
        cleared = self.cleared(form)
        if cleared is not None:
            self.where.append(cleared)

    def lemma(self, claim: Any) -> Statement:
        """A claim about letters, for all numbers."""
        return replace(self.statement, id=f"{self.statement.id}/letters", claim=claim,
                       where=tuple(self.where), hints={})

    def _holds(self, claim: Any) -> bool:
        try:
            proof = self.prove(self.lemma(claim))
        except Unsupported:
            return False
        self.lemmas.append((f"the sign of {claim.lhs}", proof))
        return True

    def cleared(self, form: Any) -> Any:
        """The relation between letters with no denominators; None where a sign is open."""
        difference = sp.sympify(form.lhs - form.rhs).xreplace(self.letters)
        above, below = sp.fraction(sp.together(difference))
        relation, factor = type(form), sp.Integer(1)
        for part in sp.Mul.make_args(sp.factor(below)):
            base, power = part.as_base_exp()
            if base.is_positive and base.is_number:
                factor *= part
            elif base == -1 and power == 1:
                factor *= -1
            elif not power.is_Integer:
                return None
            elif self._holds(lang.Gt(base, 0)):
                continue
            elif self._holds(lang.Lt(base, 0)):
                if power % 2:
                    relation = TURNED[relation]
            elif relation in (sp.Eq, sp.Ne) and self._holds(lang.Ne(base, 0)):
                continue
            else:
                return None
        return relation(sp.expand(above / factor), 0, evaluate=False)

    def back(self, form: Any) -> Any:
        """A relation between letters as one between values."""
        values = {letter: node for node, letter in self.letters.items()}
        return form.func(form.lhs.xreplace(values), form.rhs, evaluate=False)


__all__ = ["MEASURED", "TURNED", "VALUES", "Lemmas", "Letters", "denominators", "values_in"]
