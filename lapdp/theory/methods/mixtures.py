"""Several distributions on one space: mixtures, suprema over events, and their existence.

A combination of distributions is a dictionary {distribution: weight}.  Hypotheses
``SameMeasure(P, sum w_i D_i)`` let P be replaced.  What is used, for arbitrary distributions D_i:

* two combinations with the same weights are the same measure, and suprema over events of two
  bodies with the same weights are equal;
* sup_S sum c_i D_i(S) <= sum max(0, c_i), since 0 <= D_i(S) <= 1;
* sup_S (k a(S) + b(S)) <= k sup_S a(S) + sup_S b(S) for k >= 0;
* the first two are sharp: for distributions D_i at different outcomes two combinations differ where
  a weight does, and the supremum is sum max(0, c_i), so that parameters refute as well;
* P = sum w_i D_i and Q = sum v_i D_i for some distributions D_i exactly when w, v are probability
  vectors and delta_{P|Q}(t) <= sum max(0, w_i - e^t v_i) for all real t: the pair is then a
  post-processing of the finite pair (w, v) (comparison of dichotomies).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.core import facts as known
from lapdp.core.errors import IllFormed, Unsupported
from lapdp.core.verdict import Judgement, Kind, Proof
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.dominance import order_sides, plain_relations
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.supposed import linear_parts
from lapdp.theory.rewriting import Fresh
from lapdp.theory.statement import Statement

Combination = dict[Any, Any]
SECONDS = 2.0
"""Of the search for parameters, for one relation."""
SINGULAR = "point masses at different outcomes, and their mixtures"


def by_mixtures(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a claim about several distributions on one space by its weights."""
    claim = statement.claim
    if isinstance(claim, lang.ExistsDistributions):
        return _existence(statement, prove)
    if isinstance(claim, lang.SameMeasure):
        sides = [combination(e) for e in (claim.lhs, claim.rhs)]
        return _equal(statement, sides, prove, False)
    if not isinstance(claim, sp.core.relational.Relational) or not any(
            len(p.names) > 2 for p in statement.pairs):
        return None
    if isinstance(claim, sp.Eq) and all(isinstance(e, pn.SupOverEvents)
                                        for e in (claim.lhs, claim.rhs)):
        sides = [_of_supremum(e) for e in (claim.lhs, claim.rhs)]
        return _equal(statement, sides, prove, True)
    left, right, relation = order_sides(claim)
    if not isinstance(left, pn.SupOverEvents):
        raise Unsupported("a supremum below an expression of the parameters is needed")
    weights = _rewritten(statement, _of_supremum(left))
    if sp.sympify(right).has(pn.SupOverEvents):
        return _below_suprema(statement, weights, right, relation, prove)
    if _arbitrary(right):
        raise Unsupported("a supremum below an expression of the parameters is needed")
    form = relation(_positive(weights), right, evaluate=False)
    lemma = Statement(f"{statement.id}: the weights", form, where=plain_relations(statement.where))
    try:
        return by_lemmas("mixtures", [*_totals(statement, prove),
                                      ("sum of the positive weights", prove(lemma))])
    except Unsupported:
        return _refuted(statement, [form])


def _below_suprema(statement: Statement, weights: Combination, right: Any, relation: Any,
                   prove: Prove) -> Judgement:
    """A supremum below non-negative multiples of suprema and an expression of the parameters."""
    coefficients, bound = linear_parts(right, right.atoms(pn.SupOverEvents))
    if any(_arbitrary(e) for e in (*coefficients.values(), bound)):
        raise Unsupported("suprema with coefficients that depend on distributions")
    where = plain_relations(statement.where)
    lemmas, rest = _totals(statement, prove), dict(weights)
    for supremum, k in coefficients.items():
        lemmas.append((f"{k} >= 0", prove(Statement(f"{statement.id}: a coefficient",
                                                    lang.Ge(k, 0), where=where))))
        for d, c in _rewritten(statement, _of_supremum(supremum)).items():
            rest[d] = rest.get(d, 0) - k * c
    left = _positive({d: sp.expand(c) for d, c in rest.items()})
    lemmas.append(("positive weights of the rest", prove(Statement(
        f"{statement.id}: the rest", relation(left, bound, evaluate=False), where=where))))
    return by_lemmas("mixtures", lemmas)


def combination(e: Any, event: Any = None) -> Combination:
    """The weights of a linear combination of distributions, or of their measures of ``event``."""
    e = sp.sympify(e)
    leaf = _leaf(e, event)
    if leaf is not None:
        return {leaf: sp.Integer(1)}
    found: Combination = {}
    if e.is_Add:
        for a in e.args:
            for d, c in combination(a, event).items():
                found[d] = found.get(d, 0) + c
        return found
    if e == 0:
        return found
    carriers = [a for a in sp.Mul.make_args(e) if _arbitrary(a)]
    if not e.is_Mul or len(carriers) != 1:
        raise Unsupported(f"{e} is not a linear combination of distributions")
    rest = sp.Mul(*(a for a in e.args if a is not carriers[0]))
    return {d: c * rest for d, c in combination(carriers[0], event).items()}


def _leaf(e: Any, event: Any) -> Any:
    if event is None:
        return e if isinstance(e, pn.Distribution) and e.pair.mechanism is None else None
    if isinstance(e, pn.Measure) and e.args[1] == event and e.args[0].pair.mechanism is None:
        return e.args[0]
    return None


def _arbitrary(e: Any) -> set[Any]:
    return {s for s in sp.sympify(e).free_symbols
            if isinstance(s, pn.Distribution) and s.pair.mechanism is None}


def _of_supremum(e: Any) -> Combination:
    body, event = e.args
    return combination(body, event)


def _positive(weights: Combination) -> Any:
    """The supremum over events, for distributions at different outcomes."""
    return sp.Add(*(sp.Max(0, c) for c in weights.values()))


def _defined(statement: Statement) -> dict[Any, Combination]:
    """The mixtures that hypotheses define."""
    found: dict[Any, Combination] = {}
    for form in statement.where:
        if isinstance(form, lang.SameMeasure) and isinstance(form.lhs, pn.Distribution):
            found.setdefault(form.lhs, combination(form.rhs))
    return found


def _rewritten(statement: Statement, weights: Combination) -> Combination:
    """The combination with each distribution that a hypothesis defines replaced by its mixture."""
    defined = _defined(statement)
    found: Combination = {}
    for d, c in weights.items():
        for part, w in defined.get(d, {d: sp.Integer(1)}).items():
            found[part] = found.get(part, 0) + c * w
    if set(found) & set(defined):
        raise Unsupported("a mixture of distributions that are mixtures themselves")
    if len({d.pair for d in {*weights, *found}}) > 1:
        raise IllFormed("distributions on different spaces")
    return found


def _totals(statement: Statement, prove: Prove) -> list[tuple[str, Proof]]:
    """The mixtures of the hypotheses have mass 1."""
    return [(f"{d} has mass 1", _total(statement, weights, prove))
            for d, weights in _defined(statement).items()]


def _total(statement: Statement, weights: Combination, prove: Prove) -> Proof:
    return prove(Statement(f"{statement.id}: total weight", lang.Eq(
        sp.Add(*weights.values()), 1), where=plain_relations(statement.where)))


def _equal(statement: Statement, sides: list[Combination], prove: Prove, suprema: bool
           ) -> Judgement | None:
    first, second = (_rewritten(statement, side) for side in sides)
    members = sorted({*first, *second}, key=str)
    where = plain_relations(statement.where)
    forms = [lang.Eq(first.get(d, 0), second.get(d, 0)) for d in members]
    try:
        lemmas = _totals(statement, prove)
        for d, form in zip(members, forms, strict=True):
            lemma = Statement(f"{statement.id}: weight of {d}", form, where=where)
            lemmas.append((f"weight of {d}", prove(lemma)))
        return by_lemmas("mixtures", lemmas)
    except Unsupported:
        return _refuted(statement, [lang.Eq(_positive(first), _positive(second))]
                        if suprema else forms)


def _refuted(statement: Statement, forms: list[Any]) -> Judgement:
    """Parameters at which distributions at different outcomes contradict the claim.

    The hypotheses hold there: every mixture has weights >= 0 with sum 1.
    """
    from lapdp.theory.witness import search

    where = list(plain_relations(statement.where))
    mixtures = _defined(statement)
    used = [h for h in statement.where if isinstance(h, lang.SameMeasure)]
    if len(used) != len(mixtures) or len(used) + len(where) != len(statement.where):
        raise Unsupported("hypotheses that are not mixtures or relations of parameters")
    for weights in mixtures.values():
        where += [lang.Ge(w, 0) for w in weights.values()]
        where.append(lang.Eq(sp.Add(*weights.values()), 1))
    names = ", ".join(statement.pairs[0].names if statement.pairs else ())
    for form in forms:
        witness, _ = search(Statement(statement.id, form, where=tuple(where),
                                      hints=statement.hints), [], SECONDS)
        if witness is not None:
            text = f"{names} = {SINGULAR}; {witness.text}"
            return Judgement(Kind.REFUTED, "mixtures", reason=witness.why,
                             witness=replace(witness, text=text))
    raise Unsupported("no parameters found that contradict the weights")


def finite_pair(claim: lang.ExistsDistributions) -> tuple[Any, Any, list[tuple[Any, Any]]]:
    """P, Q and the weights (w_i, v_i) of an existence claim P = sum w_i D_i, Q = sum v_i D_i."""
    if len(claim.claims) != 2:
        raise Unsupported("the existence of distributions needs two equations")
    targets = [c.lhs for c in claim.claims]
    pn.oriented(*targets)
    parts = [combination(c.rhs) for c in claim.claims]
    if set().union(*parts) - set(claim.made) or len(set(claim.made)) != len(claim.made) or (
            set(targets) & set(claim.made)):
        raise Unsupported("the mixtures must consist of the distributions that are claimed")
    zero = sp.Integer(0)
    return (*targets, [(parts[0].get(d, zero), parts[1].get(d, zero)) for d in claim.made])


def below(P: Any, Q: Any, weights: list[tuple[Any, Any]], t: Any) -> Any:
    """The order of profiles that decides an existence claim."""
    bound = sp.Add(*(sp.Max(0, w - sp.exp(t) * v) for w, v in weights))
    return lang.Le(pn.Profile(P, Q, t), bound)


def _existence(statement: Statement, prove: Prove) -> Judgement:
    P, Q, weights = finite_pair(statement.claim)
    made = set(statement.claim.made)
    if any(made & set(sp.sympify(e).free_symbols)
           for h in statement.where for e in lang.expressions(h)):
        raise IllFormed("a hypothesis speaks about distributions that are claimed to exist")
    where = plain_relations(statement.where)
    lemmas: list[tuple[str, Proof]] = []
    for k, side in enumerate(("first", "second")):
        vector = [w[k] for w in weights]
        for w in vector:
            lemma = Statement(f"{statement.id}: weight", lang.Ge(w, 0), where=where)
            lemmas.append((f"a weight of the {side} mixture", prove(lemma)))
        total = dict(zip(statement.claim.made, vector, strict=True))
        lemmas.append((f"the {side} mixture has mass 1", _total(statement, total, prove)))
    t = Fresh(statement).real("t")
    order = Statement(f"{statement.id}: order of profiles", below(P, Q, weights, t),
                      where=statement.where)
    lemmas.append(("the profile lies below that of the weights", prove(order)))
    return by_lemmas("post-processing", lemmas, [known.BLACKWELL])


__all__ = ["below", "by_mixtures", "combination", "finite_pair"]
