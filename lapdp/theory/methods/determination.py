"""Equal curves, equal pairs: implications between two pairs by a complete invariant.

A functional determines a pair when the whole loss distribution can be recovered from it.  The
recovery formulas are lemmas about every pair, proved here by kernels each time they are used:

* the profile on R: f_Z = delta'' - delta' and Pr[Z = oo] = lim delta;
* E_q on a line Re q = c, 0 < c < 1: the inversion integral gives the profile;
* R_q (or E_q) at every real q = 1/(1 + r), 0 < q < 1, or at the orders of any interval in between:
  E_q is analytic on the strip 0 < Re q < 1 for every pair, so its values on the line Re q = 1/2 are
  determined;
* R_q (or E_q) at every real q > 1, where the transform of the profile converges somewhere: E_q is
  analytic on a strip 1 < Re q < c, and the inversion integral on a line there gives the profile;
* R_q (or E_q) at the orders of any interval above 1 at whose upper end E_q of one pair is finite:
  the same strip, for the other pair, too, as the values on the interval are equal.
* the distribution function of the loss: f_Z is its derivative;
* the characteristic function, of the loss if P << Q, or of its finite part: a finite measure is
  determined by its Fourier transform, and what it lacks of mass 1 is Pr[Z = oo];
* the moment generating function E[e^(sZ)] at all real s: for -1 < s < 0 it is E_q, q = 1 + s;
* the trade-off function on [0, 1], through the profile: two implications.
* R_q (or E_q) at q = 2, 3, 4, ...: E_(k+1) is moment k of the likelihood ratio e^Z under P.  These
  determine its law where the losses of both pairs are bounded above, or where the moments of one
  are below c d^k k!; every finite moment leaves no mass at infinity.

A notion that depends on a pair through its loss distribution only then has equal values at the two
pairs.  A density or a loss at an outcome, and the mean of a test or the measure of an event that
stands for any, are no such notions: two pairs have no outcomes in common.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Bilateral, D, Lim, Linv
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.inner_loss import Inner
from lapdp.privacy.tradeoff_nodes import RandomizedTest, TradeOff
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.implications import has_value
from lapdp.theory.methods.kernels import KernelMethod, describe_choice
from lapdp.theory.methods.registry import by_lemmas
from lapdp.theory.rewriting import Fresh, lemma_of, on_parameters
from lapdp.theory.statement import Statement

OF_THE_LOSS = (pn.Profile, pn.LossCDF, pn.LossDensity, pn.Probability, pn.Expectation, pn.Moment,
               pn.RenyiDivergence, pn.IntegralOverSpace, TradeOff, Inner)
"""Notions of a pair that are functions of its loss distribution."""
OF_A_SPACE = (pn.Event, pn.Measure, pn.Outcome, RandomizedTest)
"""What belongs to the space of a pair: two pairs do not share it."""


def by_determination(statement: Statement, prove: Any = None) -> Judgement | None:
    """Prove ``A[pair 1] = A[pair 2] for all ... implies C[pair 1] = C[pair 2]``.

    Raises :class:`Unsupported` when A is none of the known complete invariants.
    """
    claim = statement.claim
    if isinstance(claim, lang.ImpliesOn):
        return _from_levels(statement, prove)
    if not isinstance(claim, lang.Implies):
        return None
    if not all(isinstance(x, sp.Eq) for x in (claim.hypothesis, claim.conclusion)):
        raise Unsupported("an implication between two equalities is needed")
    first, second = _two_pairs(statement)
    _plain_context(statement, prove)
    for equality in (claim.hypothesis, claim.conclusion):
        swapped = equality.lhs.xreplace(dict(zip(first, second, strict=True)))
        if sp.expand(swapped - equality.rhs) != 0:
            raise Unsupported("the two sides are not one expression at two pairs")
    lemmas, facts = _of_whole_orders(statement, (first, second)) or _recovery(
        claim.hypothesis.lhs, claim.over, _converges_somewhere(statement, first),
        _continuous(statement, claim.hypothesis.lhs), _interval(statement, first, prove))
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
    return Judgement(Kind.DERIVED, "complete invariant", proof=proof)


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
    # the pair on the left comes first, whatever it is called
    left = statement.claim.hypothesis.lhs.free_symbols
    one, two = sorted(map(members, pairs), key=lambda pair: not left & set(pair))
    return one, two


def _from_levels(statement: Statement, prove: Any) -> Judgement | None:
    """From equal trade-off functions over equal profiles to the conclusion."""
    claim = statement.claim
    if not all(isinstance(x, sp.Eq) for x in (claim.hypothesis, claim.conclusion)):
        return None
    sides = (claim.hypothesis.lhs, claim.hypothesis.rhs)
    if prove is None or not all(isinstance(e, TradeOff) for e in sides) or isinstance(
            claim.conclusion.lhs, pn.Profile):
        return None
    e = Fresh(statement).real("e")
    profiles = lang.Eq(*(pn.Profile(*side.args[:2], e) for side in sides))
    steps = [("profiles", replace(claim, conclusion=profiles)),
             ("the conclusion", lang.Implies(profiles, claim.conclusion, over=(e,)))]
    return by_lemmas("complete invariant", [
        (what, prove(lemma_of(statement, form, statement.where))) for what, form in steps])


def _plain_context(statement: Statement, prove: Any) -> None:
    """Hypotheses leave the quantified variables alone, and the conclusion has a value."""
    claim = statement.claim
    if any(set(claim.over) & set(sp.sympify(e).free_symbols)
           for form in statement.where for e in lang.expressions(form)):
        raise Unsupported("a hypothesis restricts the variable of the invariant")
    conclusion = claim.conclusion.lhs
    if not _is_of_the_loss(conclusion):
        raise Unsupported("the conclusion is no functional of the loss distribution")
    if isinstance(conclusion, (pn.Profile, pn.LossCDF, pn.Probability)) and has_value(conclusion):
        return
    defined = [form.expr for form in statement.where if isinstance(form, lang.Defined)]
    if isinstance(conclusion, (pn.Moment, pn.RenyiDivergence)) and conclusion in defined:
        return
    if prove is None:
        raise Unsupported("the conclusion must be a profile or an expression declared defined")
    if isinstance(conclusion, TradeOff):
        for form in (lang.Ge(conclusion.args[2], 0), lang.Le(conclusion.args[2], 1)):
            prove(lemma_of(statement, form, on_parameters(statement.where)))
        return
    for side in (claim.conclusion.lhs, claim.conclusion.rhs):
        # a side that equals itself has a value
        prove(lemma_of(statement, lang.Eq(side, side), statement.where))


def _is_of_the_loss(e: Any) -> bool:
    """Does an expression depend on pairs through their loss distributions only?"""
    if isinstance(e, OF_THE_LOSS):
        return not e.atoms(*OF_A_SPACE)
    if isinstance(e, pn.Distribution):
        return False
    return not e.has(pn.Distribution) or all(map(_is_of_the_loss, e.args))


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


def _basis(P: Any, Q: Any) -> list[tuple[str, Any, Any]]:
    """The loss distribution from the profile."""
    t = lang.reals("t")
    profile = pn.delta(P, Q)
    Z = pn.PLD(P, Q)
    return [
        ("loss density", lang.Eq(pn.f(Z)(t), D(profile(t), t, 2) - D(profile(t), t)), ()),
        ("mass at infinity", lang.Eq(pn.Pr(Z, "==", sp.oo), Lim(profile(t), t, sp.oo)), ()),
    ]


def _of_whole_orders(statement: Statement, pairs: tuple[tuple[Any, Any], tuple[Any, Any]]
                     ) -> tuple[list[tuple[str, Any, Any]], set[known.Fact]] | None:
    """The invariant is E_q or R_q at q = 2, 3, ..., and these moments determine the losses."""
    invariant, over = statement.claim.hypothesis.lhs, statement.claim.over
    if not isinstance(invariant, (pn.Moment, pn.RenyiDivergence)) or len(over) != 1:
        return None
    (n,) = over
    if not n.is_integer or not n.is_nonnegative or not (invariant.args[0] - n).is_Integer:
        return None
    if not _is_whole(n):
        raise Unsupported(f"moments of all orders are needed: {n} is restricted further")
    least = int(invariant.args[0] - n) + (1 if n.is_positive else 0)
    if least != 2 and not (isinstance(invariant, pn.Moment) and least in (0, 1)):
        raise Unsupported("moments of all orders from 2 on are needed")
    P, Q = pn.pair("P", "Q")
    if all(any(_is_bounded(h, p) for h in statement.where) for p in pairs):
        return _basis(P, Q), {known.BOUNDED_MOMENTS}
    if any(_grows_slowly(h, p) for h in statement.where for p in pairs):
        return _basis(P, Q), {known.GROWING_MOMENTS}
    raise Unsupported("moments of whole orders are not known to determine these pairs")


def _is_bounded(form: Any, pair: tuple[Any, Any]) -> bool:
    """Does a hypothesis say that no loss lies above a number?"""
    if not isinstance(form, (sp.Eq, sp.Le)) or form.rhs != 0:
        return False
    e = form.lhs
    if isinstance(e, pn.Profile):
        return e.args[:2] == pair and bool(e.args[2].is_real)
    return isinstance(e, pn.Probability) and e.args[0].args == pair and (
        str(e.args[1]) in (">", ">=")) and bool(e.args[2].is_real)


def _grows_slowly(form: Any, pair: tuple[Any, Any]) -> bool:
    """Does a hypothesis say E_(k+1) < c d^k k! for k = 1, 2, ..., c and d positive numbers?"""
    if not isinstance(form, lang.ForAll) or form.where or len(form.over) != 1 or not isinstance(
            form.claim, (sp.Lt, sp.Le)):
        return False
    (k,) = form.over
    moment, bound = form.claim.lhs, form.claim.rhs
    if not isinstance(moment, pn.Moment) or moment.args != (k + 1, *pair) or not _is_whole(k):
        return False
    rest = sp.Mul(*(f for f in sp.Mul.make_args(bound / sp.factorial(k)) if f.has(k)))
    return not bound.has(pn.Distribution) and bool(rest.is_Pow) and rest.exp == k and bool(
        rest.base.is_positive) and not rest.base.has(k) and bool(bound.is_positive)


def _is_whole(k: Any) -> bool:
    """Does a symbol run over all whole numbers from 0 or 1 on?"""
    return any(k.assumptions0 == lang.naturals("k", start).assumptions0 for start in (0, 1))


def _is_plain(symbol: Any, **assumptions: bool) -> bool:
    """Does a symbol run over the whole real (or positive) line?"""
    wanted: dict[str, Any] = sp.Symbol("x", **assumptions).assumptions0
    return bool(symbol.assumptions0 == wanted)


def _interval(statement: Statement, first: tuple[Any, Any], prove: Any) -> str:
    """Where the orders q of the invariant, E_q or R_q, form an interval: ``between`` 0 and 1, or
    ``above`` 1 with a finite moment of the first pair at its upper end; else nothing.

    q = (l m + h n u)/(m + n u) with numbers m, n > 0 takes the values strictly between l and h.
    """
    claim = statement.claim
    if not isinstance(claim.hypothesis.lhs, (pn.RenyiDivergence, pn.Moment)) or len(
            claim.over) != 1 or prove is None:
        return ""
    (u,) = claim.over
    top, bottom = (sp.Poly(part, u) if part.is_polynomial(u) else None
                   for part in sp.fraction(sp.cancel(claim.hypothesis.lhs.args[0])))
    if not _is_plain(u, positive=True) or top is None or bottom is None or (
            bottom.degree() != 1 or top.degree() > 1):
        return ""
    weights = bottom.coeff_monomial(1), bottom.coeff_monomial(u)
    if not all(w.is_Rational for w in weights) or weights[0] * weights[1] <= 0:
        return ""
    least, most = (sp.cancel(top.coeff_monomial(part) / w)
                   for part, w in zip((1, u), weights, strict=True))
    above = lang.Defined(pn.E(most, *first)) in statement.where
    ends = [lang.Ge(least, 1)] if above else [lang.Ge(least, 0), lang.Le(most, 1)]
    try:
        for form in (*ends, lang.Lt(least, most)):
            prove(lemma_of(statement, form, on_parameters(statement.where)))
    except Unsupported:
        return ""
    return "above" if above else "between"


def _recovery(invariant: Any, over: tuple[Any, ...], somewhere: bool, continuous: bool,
              interval: str = "") -> tuple[list[tuple[str, Any, Any]], set[known.Fact]]:
    """Lemmas that recover a fresh pair's loss distribution from the invariant."""
    P, Q = pn.pair("P", "Q")
    eps, gamma = lang.reals("eps gamma")
    s = lang.complexes("s")
    profile, Z = pn.delta(P, Q), pn.PLD(P, Q)
    basis = _basis(P, Q)
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
        if interval == "between" or (rate in over and _is_plain(rate, positive=True)):
            line = lang.Eq(profile(eps), 1 + Linv(transform, s, eps, sp.Rational(1, 2)))
            return [("profile from a line", line, ()), *basis], {known.RESIDUES,
                                                                 known.IDENTITY_THEOREM}
        excess = invariant.args[0] - 1
        if interval == "above" or (
                excess in over and _is_plain(excess, positive=True) and somewhere):
            line = lang.Eq(profile(eps), Linv(transform, s, eps, gamma))
            where = (lang.Lt(gamma, 0), lang.Defined(pn.E(1 - gamma, P, Q)))
            return [("profile from a line", line, where), *basis], {known.RESIDUES,
                                                                     known.IDENTITY_THEOREM}
    found = _of_the_loss(invariant, over, continuous)
    if found is not None:
        return found
    if _generating(invariant, over):
        (x,) = invariant.args[0].atoms(sp.Symbol) & set(over)
        line = lang.Eq(profile(eps), 1 + Linv(transform, s, eps, sp.Rational(1, 2)))
        same = lang.Eq(pn.Ex(sp.exp(x * Z), Z), pn.E(1 + x, P, Q))
        return [("moments", same, (lang.Lt(x, 0), lang.Gt(x, -1))),
                ("profile from a line", line, ()), *basis], {known.RESIDUES,
                                                             known.IDENTITY_THEOREM}
    raise Unsupported(f"{invariant} is not known to determine the pair")


def _of_the_loss(invariant: Any, over: tuple[Any, ...], continuous: bool
                 ) -> tuple[list[tuple[str, Any, Any]], set[known.Fact]] | None:
    """Lemmas for a distribution function or a characteristic function."""
    P, Q = pn.pair("P", "Q")
    t = lang.reals("t")
    Z = pn.PLD(P, Q)
    infinite = pn.Pr(Z, "==", sp.oo)
    if isinstance(invariant, pn.LossCDF) and invariant.args[2] == 0 and (
            invariant.args[1] in over and _is_plain(invariant.args[1], real=True)):
        return [("loss density", lang.Eq(pn.f(Z)(t), D(pn.F(Z)(t), t)), ()),
                ("mass at infinity", lang.Eq(infinite, 1 - Lim(pn.F(Z)(t), t, sp.oo)), ())], set()
    whole = Bilateral(pn.f(Z)(t), t, sp.Integer(0))
    missing = ("mass at infinity", lang.Eq(infinite, 1 - whole), ())
    if isinstance(invariant, Bilateral):
        body, bound, at = invariant.args
        x = sp.expand(sp.I * at)
        if isinstance(body, pn.LossDensity) and body.args[1] == bound and x in over and (
                _is_plain(x, real=True)):
            return [missing], {known.FOURIER_UNIQUENESS}
    if isinstance(invariant, pn.Expectation) and continuous and isinstance(
            invariant.args[0], sp.exp):
        body, loss = invariant.args
        x = sp.expand(-sp.I * body.args[0] / loss)
        if x in over and _is_plain(x, real=True):
            same = lang.Eq(pn.Ex(sp.exp(sp.I * x * Z), Z), Bilateral(pn.f(Z)(t), t, -sp.I * x))
            return [("Fourier transform", same, (lang.ac(P, Q),)), missing], {
                known.FOURIER_UNIQUENESS}
    return None


def _generating(invariant: Any, over: tuple[Any, ...]) -> bool:
    """Is it E[e^(sZ)] for all real s?"""
    if not isinstance(invariant, pn.Expectation) or not isinstance(invariant.args[0], sp.exp):
        return False
    s = sp.cancel(invariant.args[0].args[0] / invariant.args[1])
    return s in over and _is_plain(s, real=True)


def _continuous(statement: Statement, invariant: Any) -> bool:
    """Are both pairs declared absolutely continuous in the order of the loss?"""
    if not isinstance(invariant, pn.Expectation):
        return False
    declared = [(h.P, h.Q) for h in statement.where if isinstance(h, lang.AbsolutelyContinuous)]
    losses = [e.args[1] for e in (statement.claim.hypothesis.lhs, statement.claim.hypothesis.rhs)]
    return all(tuple(z.args) in declared for z in losses)
