"""Induction on a whole number k, and the unfolding of one step of a recursion.

To prove a claim C(k) for all whole numbers k >= 0, prove C(0), and C(m + 1) supposing C(m).
The claim sees m only through values at m: elements d(m, .) of recursions become arbitrary
functions, the joint pair P_{1:m} an arbitrary pair, release m + 1 an arbitrary family, the elements
of sequences at m + 1 arbitrary numbers; a^m and sums up to m become numbers.  All that is known
of them is the supposition, and the hypotheses at m + 1.  So the step is proved for more than it is
needed for, and the sequences may be any.

The supposition is made for all values of those real variables of the claim that no hypothesis
restricts and on which no recursion or composed mechanism depends: they are generalised.
Hypotheses about k itself are left out.  *Unfolding* proves a claim about l >= 1, or about l and
l - 1, from the recursion alone, with no supposition.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus.nodes import Node
from lapdp.calculus.sequences import (
    BinomialMean,
    FiniteSum,
    Recursive,
    Term,
    elements,
    unrolled,
    weighted,
)
from lapdp.core import facts as known
from lapdp.core.errors import IllFormed, Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.privacy.finite import finite
from lapdp.theory import language as lang
from lapdp.theory.methods.accepted import derivation_of
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import (
    Fresh,
    at_indices,
    lemma_of,
    map_form,
    on_parameters,
    replace_terms,
    substituted,
    terms_of,
)
from lapdp.theory.statement import Statement


def indices_of(statement: Statement) -> list[Any]:
    """The whole numbers on which indices of the claim depend, sorted by name."""
    found: set[Any] = set()
    for e in lang.expressions(statement.claim):
        tree = sp.sympify(e)
        for x in (*tree.atoms(Recursive), *elements(tree)):
            found |= x.args[1].free_symbols
        for x in tree.atoms(BinomialMean):
            found |= x.args[2].free_symbols
        for x in tree.atoms(FiniteSum):
            found |= x.args[3].free_symbols
    for p in lang.pairs_of(statement.claim):
        for part in fam.parts_of(p):
            if isinstance(part.role, fam.Composed):
                found |= part.role.index.free_symbols
    return sorted((s for s in found if s.is_integer and s.is_nonnegative), key=str)


def by_unfolding(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a claim about l >= 1 from one step of its recursions."""
    problems: list[str] = []
    for k in indices_of(statement):
        first = _first(statement, k)
        if first < 1:
            continue
        try:
            lemmas = _Step(statement, k, first).unfolded()
            return by_lemmas("unfolding", [(what, prove(x)) for what, x in lemmas])
        except Unsupported as problem:
            problems.append(f"on {k}: {problem}")
    if problems:
        raise Unsupported("; ".join(problems))
    return None


def _first(statement: Statement, k: Any) -> int:
    """The least value of k that the statement allows, as far as it says so."""
    bounds = [int(h.rhs) for h in statement.where
              if isinstance(h, sp.Ge) and h.lhs == k and h.rhs.is_Integer]
    return max([int(bool(k.is_positive)), *bounds])


def by_induction(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove the claim at 0, and at m + 1 from the claim at m."""
    numbers = indices_of(statement)
    if not numbers or statement.hints.get("induction") == "done":
        return None
    if isinstance(statement.claim, (lang.Exists, lang.Implies)):
        return None
    problems: list[str] = []
    for k in numbers:
        try:
            base = at_zero(statement, k)
            step = _Step(statement, k)
            lemmas = [("the claim at 0", base), ("from m to m + 1", step.lemma(step.supposed()))]
            return by_lemmas("induction", [(what, _proved(what, x, prove)) for what, x in lemmas],
                             (known.INDUCTION,))
        except (Unsupported, IllFormed) as problem:
            problems.append(f"on {k}: {problem}")
    raise Unsupported("; ".join(problems))


def _proved(what: str, lemma: Statement, prove: Prove) -> Proof:
    """A proof by the methods of the engine or, where they find none, by a derivation."""
    try:
        return prove(lemma)
    except Unsupported:
        found = derivation_of(what, lemma)
        if found is None:
            raise
        return found


def at_zero(statement: Statement, k: Any) -> Statement:
    """The claim at k = 0: no release yet, recursions at their base."""
    trivial = pn.mechanism_pair(finite([1], [1]))

    def change(e: Any) -> Any:
        e = unrolled(substituted(e, {k: sp.Integer(0)}))
        return fam.replace_pairs(e, lambda p: trivial if isinstance(p.role, fam.Composed)
                                 and p.role.index == 0 else None)
    return lemma_of(statement, map_form(statement.claim, change), _without(statement.where, k))


def _without(where: Iterable[Any], k: Any) -> list[Any]:
    """The hypotheses that do not speak of k."""
    return [h for h in where if k not in {
        s for e in lang.expressions(h) for s in sp.sympify(e).free_symbols} and not any(
            isinstance(part.role, (fam.Composed, fam.Conditional))
            and k in part.role.index.free_symbols
            for p in lang.pairs_of(h) for part in fam.parts_of(p))]


class _Step:
    """The claim at m + 1 and at m, with letters for all that they know at m."""

    def __init__(self, statement: Statement, k: Any, first: int = 1) -> None:
        self.statement, self.k, self.first = statement, k, first
        self.fresh = Fresh(statement)
        self.m = self.fresh.natural("m")
        self.functions: dict[Any, Any] = {}
        self.letters: dict[Any, Any] = {}
        self.terms: dict[Any, Any] = {}
        self.before: dict[int, tuple[Any, Any]] = {}
        self.after: dict[int, tuple[Any, Any]] = {}
        self.releases: dict[int, tuple[Any, Any]] = {}
        restricted = {s for h in statement.where for s in lang.parameters(h)}
        # a letter stands for one function, or pair: what that depends on is not generalised
        restricted |= _hidden(statement.claim, k)
        self.general = [s for s in lang.parameters(statement.claim)
                        if s not in restricted and s.is_real and not s.is_integer]

    def lemma(self, supposed: Any) -> Statement:
        """The claim at m + 1, with the supposition as a hypothesis."""
        claim = self._form(self.statement.claim, self.m + self.first)
        where = [] if supposed is None else [supposed]
        later = [self.m + r for r in range(self.first + 1)]
        for h in at_indices(_without(self.statement.where, self.k), later):
            try:
                here = map_form(h, lambda e: self._hypothesis(self._summed(e)))
            except Unsupported:
                continue
            if not terms_of([here]) and not any(
                    isinstance(part.role, (fam.Composed, fam.Conditional))
                    for p in lang.pairs_of(here) for part in fam.parts_of(p)):
                where.append(here)
        # a second induction, on m, would only repeat the first
        return replace(lemma_of(self.statement, claim, where), hints={"induction": "done"})

    def unfolded(self) -> list[tuple[str, Statement]]:
        """The claim with letters for values at m; the recursions have values everywhere."""
        lemma = self.lemma(None)
        lemmas = [("the recursion unfolded", replace(lemma, claim=self._lettered(lemma.claim)))]
        # of a recursion all values are used here, with no supposition that they exist
        for number, rule in enumerate(self.functions):
            point = self.fresh.real("u")
            parts = [("its base", rule.base(point)), ("its step", self._hypothesis(
                rule.step(self.m + 1, point, self.functions[rule])))]
            for what, e in parts:
                form = self._lettered(lang.Eq(e, e))
                lemmas.append((f"recursion {number + 1} has values: {what}",
                               lemma_of(self.statement, form, on_parameters(lemma.where))))
        return lemmas

    def _lettered(self, form: Any) -> Any:
        """A form with letters for the values of the functions that stand for elements m."""
        mine = set(self.functions.values())
        bound = {x.args[x.bound_at] for e in lang.expressions(form)
                 for x in sp.sympify(e).atoms(Node) if x.bound_at is not None}
        values: dict[Any, Any] = {}
        for e in lang.expressions(form):
            for x in sp.sympify(e).atoms(AppliedUndef):
                if x.func in mine:
                    if bound & x.free_symbols:
                        raise Unsupported(f"{x} under an integral or a mean")
                    values[x] = self._letter(x.func(sp.expand(x.args[0])), "v")
        return map_form(form, lambda e: e.xreplace(values))

    def supposed(self) -> Any:
        """The claim at m, for all values of what is generalised."""
        form = self._form(self.statement.claim, self.m)
        if isinstance(form, lang.ForAll):
            return lang.ForAll((*self.general, *form.over), form.claim, form.where)
        return lang.ForAll(tuple(self.general), form) if self.general else form

    def _form(self, form: Any, index: Any) -> Any:
        return map_form(form, lambda e: self._at(e, index))

    def _at(self, e: Any, index: Any) -> Any:
        """An expression at k = m or m + 1 with letters for the values at m."""
        e = self._stepped(substituted(e, {self.k: index}))
        e = fam.replace_pairs(e, self._pair)
        return self._hypothesis(e)

    def _hypothesis(self, e: Any) -> Any:
        """Elements of sequences from m on, and releases after m, as letters."""
        e = fam.replace_pairs(e, self._pair)
        values = {x: self._term(x) for x in terms_of([lang.Defined(e)])
                  if (x.args[1] - self.m).is_nonnegative}
        return replace_terms(e, values)

    def _term(self, x: Any) -> Any:
        if x not in self.terms:
            self.terms[x] = self.fresh.real(str(x.args[0]))
        return self.terms[x]

    # -- nodes ----------------------------------------------------------------------------------

    def _stepped(self, e: Any) -> Any:
        """Values at m + 1 through values at m, and these as letters."""
        m = self.m
        if not e.args or isinstance(e, Term):
            return e
        if isinstance(e, Recursive):
            rule, index, point = e.args
            point = self._stepped(point)
            if index == m:
                return self._function(rule)(point)
            if index.is_Integer:
                return self._stepped(unrolled(e))
            if not (index - m).is_Integer or index - m < 0:
                raise Unsupported(f"{e} reaches further back than one step")
            return self._stepped(rule.step(index, point, lambda u: Recursive(rule, index - 1, u)))
        if isinstance(e, BinomialMean):
            body, y, n, p = e.args
            if n == m + 1:
                up = BinomialMean(body.subs(y, y + 1), y, m, p)
                return p * self._stepped(up) + (1 - p) * self._stepped(BinomialMean(body, y, m, p))
            if n.is_Integer:
                return self._stepped(weighted(e))
            return BinomialMean(self._stepped(body), y, n, self._stepped(p))
        if isinstance(e, FiniteSum):
            return self._sum(e)
        if e.is_Pow and m in e.exp.free_symbols:
            return self._power(e)
        return e.func(*(self._stepped(a) for a in e.args))

    def _function(self, rule: Any) -> Any:
        if rule not in self.functions:
            self.functions[rule] = self.fresh.function("g")
        return self.functions[rule]

    def _sum(self, e: Any) -> Any:
        body, i, first, last = e.args
        if first.is_Integer and last.is_Integer:
            return self._stepped(unrolled(e))
        if not first.is_Integer:
            raise Unsupported(f"the first index of {e} is no whole number")
        low = self._lowest(body)
        if first > low + 1:
            raise Unsupported(f"{e} begins too late for m = 0")
        if (last - self.m - low).is_positive and (last - self.m).is_Integer:
            whole = FiniteSum(body, i, first, last - 1)
            return self._sum(whole) + self._stepped(body.subs(i, last))
        if last != self.m + low or set(body.free_symbols) & {*self.general, self.m}:
            raise Unsupported(f"{e} depends on more than the sum before")
        return self._letter(e, "S")

    def _summed(self, e: Any) -> Any:
        """The sums of a hypothesis through the same letters."""
        sums = sorted(e.atoms(FiniteSum), key=str)
        return e.xreplace({x: self._sum(x) for x in sums})

    def _lowest(self, body: Any) -> int:
        """How far below k the sums of a body in the claim end: their letter is that sum."""
        ends = [sp.expand(x.args[3] - self.k) for e in lang.expressions(self.statement.claim)
                for x in sp.sympify(e).atoms(FiniteSum) if x.args[0] == body]
        return min([0, *(int(x) for x in ends if x.is_Integer)])

    def _power(self, e: Any) -> Any:
        """a^(m + r) = a^m a^r for r >= 0, also at a = 0, where 0^0 = 1."""
        r = sp.expand(e.exp - self.m)
        if isinstance(e, sp.exp) or e.base == sp.E:
            return e
        if not r.is_Integer or r < -1 or set(e.base.free_symbols) & {*self.general, self.m}:
            raise Unsupported(f"the power {e}")
        if r == -1:
            raise Unsupported(f"{e} has no value at m = 0 where its base is 0")
        return self._letter(e.base**self.m, "w") * e.base**r

    def _letter(self, e: Any, wanted: str) -> Any:
        if e not in self.letters:
            self.letters[e] = self.fresh.real(wanted)
        return self.letters[e]

    # -- pairs ----------------------------------------------------------------------------------

    def _pair(self, identity: Any) -> tuple[Any, Any] | None:
        """P_{1:m} as an arbitrary pair, P_{1:m+1} as that and one release more."""
        role = identity.role
        if isinstance(role, fam.Conditional):
            if role.index != self.m + 1:
                return None
            if not role.composition.independent and (
                    role.outcome != self._outcome(role.composition)):
                raise Unsupported("two letters for the outcomes of one composition")
            return self._release(role.composition)
        if not isinstance(role, fam.Composed):
            return None
        composition = role.composition
        if role.index == self.m:
            return self._earlier(composition)
        if role.index != self.m + 1:
            raise Unsupported(f"{identity} is more than one release away from m")
        key = id(composition)
        if key not in self.after:
            earlier = self._earlier(composition)
            names = tuple(self.fresh.name(n) for n in identity.names)
            arbitrary = composition.mechanism is None and composition.each is None
            release = (self._release(composition) if arbitrary
                       else composition.release(self.m + 1))
            if arbitrary and not composition.independent:
                self.after[key] = fam.adaptive_pair(earlier, release, (names[0], names[1]))
            else:
                self.after[key] = pn.product_pair(earlier, release, names=(names[0], names[1]))
        return self.after[key]

    def _earlier(self, composition: Any) -> tuple[Any, Any]:
        key = id(composition)
        if key not in self.before:
            self.before[key] = self.fresh.pair("P'", "Q'")
        return self.before[key]

    def _release(self, composition: Any) -> tuple[Any, Any]:
        """Release m + 1: a family, the same one in hypotheses and in the joint pair.

        An independent release is an arbitrary pair.
        """
        key = id(composition)
        if key not in self.releases and composition.independent:
            self.releases[key] = self.fresh.pair("A", "B")
        elif key not in self.releases:
            self.releases[key] = fam.family(self.fresh.name("A"), self.fresh.name("B"),
                                            self._outcome(composition))
        return self.releases[key]

    def _outcome(self, composition: Any) -> Any:
        """The letter of the outcomes in hypotheses on the releases."""
        return fam.outcome_of(composition, [
            p for h in self.statement.where for p in lang.pairs_of(h)])


def _hidden(claim: Any, k: Any) -> set[Any]:
    """The parameters of recursions, of sums up to k, of powers a^k and of composed mechanisms."""
    found: set[Any] = set()
    for e in lang.expressions(claim):
        tree = sp.sympify(e)
        for x in tree.atoms(Recursive, FiniteSum):
            found |= x.args[0].free_symbols
        for x in tree.atoms(sp.Pow):
            found |= x.base.free_symbols if k in x.exp.free_symbols else set()
    for p in lang.pairs_of(claim):
        for part in fam.parts_of(p):
            if isinstance(part.role, fam.Composed) and part.role.composition.mechanism is not None:
                release = part.role.composition.release(part.role.index)
                found |= release[0].pair.mechanism.free_symbols
    return found
