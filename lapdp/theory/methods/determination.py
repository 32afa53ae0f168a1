"""Equal curves, equal pairs: implications between two pairs by a complete invariant.

A functional determines a pair when the whole loss distribution can be recovered from it.  The
recovery formulas are lemmas about every pair, proved here by kernels each time they are used:

* the profile on R: f_Z = delta'' - delta' and Pr[Z = oo] = lim delta;
* E_q on a line Re q = c, 0 < c < 1: the inversion integral gives the profile;
* R_q (or E_q) at every real q = 1/(1 + r), 0 < q < 1: E_q is analytic on the strip 0 < Re q < 1
  for every pair, so its values on the line Re q = 1/2 are determined;
* R_q (or E_q) at every real q > 1, where the transform of the profile converges somewhere: E_q is
  analytic on a strip 1 < Re q < c, and the inversion integral on a line there gives the profile.

Every expression of the language depends on a pair through its loss distribution only, so equal
invariants give equal values of any one expression at the two pairs.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Bilateral, D, Lim, Linv
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, seal
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.kernels import KernelMethod, describe_choice
from lapdp.theory.statement import Statement


def by_determination(statement: Statement, _prove: Any = None) -> Judgement | None:
    """Prove ``A[pair 1] = A[pair 2] for all ... implies C[pair 1] = C[pair 2]``.

    Raises :class:`Unsupported` when A is none of the known complete invariants.
    """
    claim = statement.claim
    if not isinstance(claim, lang.Implies):
        return None
    first, second = _two_pairs(statement)
    _plain_context(statement, first)
    for equality in (claim.hypothesis, claim.conclusion):
        swapped = equality.lhs.xreplace(dict(zip(first, second, strict=True)))
        if not isinstance(equality, sp.Eq) or sp.expand(swapped - equality.rhs) != 0:
            raise Unsupported("the two sides are not one expression at two pairs")
    lemmas, facts = _recovery(claim.hypothesis.lhs, claim.over, _converges_somewhere(
        statement, first))
    trees: list[tuple[str, Any]] = []
    used = {known.DISINTEGRATION, *facts}
    for name, form, where in lemmas:
        lemma = Statement(id=f"lemma/{name}", claim=form, where=where)
        method = KernelMethod(lemma, gather(lemma))
        run = method.execute()
        if run.failures():
            raise Unsupported(f"the recovery lemma {name} is not proved")
        used |= run.facts
        trees += [(f"{name}: {describe_choice(c)}", tree) for c, tree in run.trees]
    proof = seal(Certificate("complete invariant", tuple(trees), tuple(used)))
    return Judgement(Kind.PROVED, "complete invariant", proof=proof)


def _two_pairs(statement: Statement) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    pairs = statement.pairs
    if len(pairs) != 2 or any(p.factors or p.mechanism is not None for p in pairs):
        raise Unsupported("an implication between two arbitrary pairs is needed")
    found = {s for e in lang.expressions(statement.claim) for s in sp.sympify(e).free_symbols
             if isinstance(s, pn.Distribution)}
    def members(p: Any) -> tuple[Any, Any]:
        by_side = {s.side: s for s in found if s.pair is p}
        if set(by_side) != {0, 1}:
            raise Unsupported("both members of each pair must occur")
        return by_side[0], by_side[1]
    return members(pairs[0]), members(pairs[1])


def _plain_context(statement: Statement, first: tuple[Any, Any]) -> None:
    """Hypotheses leave the quantified variables alone, and the conclusion has a value."""
    claim = statement.claim
    if any(set(claim.over) & set(sp.sympify(e).free_symbols)
           for form in statement.where for e in lang.expressions(form)):
        raise Unsupported("a hypothesis restricts the variable of the invariant")
    conclusion = claim.conclusion.lhs
    if isinstance(conclusion, (pn.Profile, pn.LossCDF, pn.Probability)):
        return
    defined = [form.expr for form in statement.where if isinstance(form, lang.Defined)]
    if not isinstance(conclusion, (pn.Moment, pn.RenyiDivergence)) or conclusion not in defined:
        raise Unsupported("the conclusion must be a profile or an expression declared defined")


def _converges_somewhere(statement: Statement, first: tuple[Any, Any]) -> bool:
    """Is the transform of the first pair's profile declared to converge at some point?"""
    P, Q = first
    for form in statement.where:
        if isinstance(form, lang.Exists) and isinstance(form.claim, lang.Converges):
            node = form.claim.node
            body, t = node.args[0], node.args[1]
            if isinstance(node, Bilateral) and body == pn.Profile(P, Q, t) and not form.where:
                return True
    return False


def _is_plain(symbol: Any, **assumptions: bool) -> bool:
    """Does a symbol run over the whole real (or positive) line?"""
    wanted: dict[str, Any] = sp.Symbol("x", **assumptions).assumptions0
    return bool(symbol.assumptions0 == wanted)


def _recovery(invariant: Any, over: tuple[Any, ...], somewhere: bool
              ) -> tuple[list[tuple[str, Any, Any]], set[known.Fact]]:
    """Lemmas that recover a fresh pair's loss distribution from the invariant."""
    P, Q = pn.pair("P", "Q")
    t, eps, gamma = lang.reals("t eps gamma")
    s = lang.complexes("s")
    Z = pn.PLD(P, Q)
    profile = pn.delta(P, Q)
    basis: list[tuple[str, Any, Any]] = [
        ("loss density", lang.Eq(pn.f(Z)(t), D(profile(t), t, 2) - D(profile(t), t)), ()),
        ("mass at infinity", lang.Eq(pn.Pr(Z, "==", sp.oo), Lim(profile(t), t, sp.oo)), ()),
    ]
    transform = pn.E(1 - s, P, Q) / (s * (s - 1))
    if isinstance(invariant, pn.Profile):
        x = invariant.args[2]
        if x in over and _is_plain(x, real=True):
            return basis, set()
    if isinstance(invariant, pn.Moment):
        c, w = invariant.args[0].as_real_imag()
        if c.is_Rational and 0 < c < 1 and w in over and _is_plain(w, real=True):
            line = lang.Eq(profile(eps), 1 + Linv(transform, s, eps, 1 - c))
            return [("profile from a line", line, ()), *basis], {known.RESIDUES}
    if isinstance(invariant, (pn.RenyiDivergence, pn.Moment)):
        rate = sp.cancel(1 / invariant.args[0]) - 1
        if rate in over and _is_plain(rate, positive=True):
            line = lang.Eq(profile(eps), 1 + Linv(transform, s, eps, sp.Rational(1, 2)))
            return [("profile from a line", line, ()), *basis], {known.RESIDUES,
                                                                 known.IDENTITY_THEOREM}
        excess = invariant.args[0] - 1
        if excess in over and _is_plain(excess, positive=True) and somewhere:
            line = lang.Eq(profile(eps), Linv(transform, s, eps, gamma))
            where = (lang.Lt(gamma, 0), lang.Defined(pn.E(1 - gamma, P, Q)))
            return [("profile from a line", line, where), *basis], {known.RESIDUES,
                                                                     known.IDENTITY_THEOREM}
    raise Unsupported(f"{invariant} is not known to determine the pair")
