"""Claims about every pair of densities: integrals over the space, reduced to claims at one outcome.

A term that is linear in the densities is brought to one integral over the space (Fubini: integrals
over the line move inside); an equation or inequality then follows from the one between integrands,
for all values of the densities.  Constants are masses: c = oint c p.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.adaptive_moments import AdaptiveMoments
from lapdp.proving.alternatives import Alternatives
from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.averages import Averages
from lapdp.proving.bounded_means import BoundedMeans
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.certificates import RELATIONS
from lapdp.proving.continuity import Continuity
from lapdp.proving.contradictions import Contradictions
from lapdp.proving.denominators import Denominators
from lapdp.proving.derivation import MADE, Derivation, NotFound
from lapdp.proving.derivatives import Derivatives
from lapdp.proving.determination import Determination
from lapdp.proving.divergence import Divergence
from lapdp.proving.dominance import Dominance
from lapdp.proving.dominated_moments import DominatedMoments
from lapdp.proving.essential import Essential
from lapdp.proving.event_masses import EventMasses
from lapdp.proving.event_powers import EventPowers
from lapdp.proving.examples import Examples
from lapdp.proving.exponential_gaps import ExponentialGaps
from lapdp.proving.guaranteed_factors import GuaranteedFactors
from lapdp.proving.guarantees import Guarantees
from lapdp.proving.histories import Histories
from lapdp.proving.holder import Holder
from lapdp.proving.hypotheses import Hypotheses
from lapdp.proving.integration import Integration
from lapdp.proving.inversion import Inversion
from lapdp.proving.joint_convexity import JointConvexity
from lapdp.proving.leaves import Leaves
from lapdp.proving.levels import Levels
from lapdp.proving.limits import Limits
from lapdp.proving.line_sums import LineSums
from lapdp.proving.loss_means import LossMeans
from lapdp.proving.loss_moments import LossMoments
from lapdp.proving.losses import Losses
from lapdp.proving.majorants import Majorants
from lapdp.proving.masses import MassWeights
from lapdp.proving.means import Means
from lapdp.proving.mixtures import Mixtures
from lapdp.proving.models import FinitePairs
from lapdp.proving.moment_tails import MomentTails
from lapdp.proving.normal_sums import NormalSums
from lapdp.proving.positive_parts import PositiveParts
from lapdp.proving.positive_sums import PositiveSums
from lapdp.proving.powers import Powers
from lapdp.proving.products_of_transforms import ProductsOfTransforms
from lapdp.proving.recursions import Recursions
from lapdp.proving.release_moments import ReleaseMoments
from lapdp.proving.releases import Releases
from lapdp.proving.reversal import Reversal
from lapdp.proving.roots import Roots
from lapdp.proving.separation import Separation
from lapdp.proving.slopes import Slopes
from lapdp.proving.squares import Squares
from lapdp.proving.strictness import Strictness
from lapdp.proving.substitution import Substitution
from lapdp.proving.suprema import Suprema
from lapdp.proving.tightened import Tightened
from lapdp.proving.tonelli import Tonelli
from lapdp.proving.total_variation import TotalVariation
from lapdp.proving.trade_offs import TradeOffs
from lapdp.proving.unforeseen import FORESEEN, missed, tried
from lapdp.proving.uniqueness import Uniqueness

MOST_DEPTH = 24
MOST_WEIGHED = 4
MOST_NULLS = 2


@dataclass(frozen=True)
class Normal:
    """A term as one integral over the space: ``equation`` says term = oint body, ``iny`` that the
    body is integrable."""

    body: int
    equation: int
    iny: int


@dataclass(frozen=True)
class Masses:
    """The distributions whose mass 1 stands for constants: without and with an exponential."""

    plain: int
    exponential: int


Attempt = tuple[int, frozenset[int], bool, bool]
"""A goal, what the facts say, and what the prover was about."""


class Prover(Arithmetic):
    """Arithmetic that also knows integrals over the space and over the line."""

    def __init__(self, d: Derivation) -> None:
        super().__init__(d)
        self.finite = FinitePairs(d)
        self.integration = Integration(self)
        self.limits, self.line_sums = Limits(self), LineSums(self)
        self.divergence = Divergence(self)
        self.tonelli = Tonelli(self)
        self.continuity = Continuity(self)
        self.hypotheses = Hypotheses(self)
        self.suprema = Suprema(self)
        self.event_masses, self.event_powers = EventMasses(self), EventPowers(self)
        self.slopes, self.holder, self.gaps = Slopes(self), Holder(self), ExponentialGaps(self)
        self.means = Means(self)
        self.losses = Losses(self)
        self.moments, self.dominated_moments = LossMoments(self), DominatedMoments(self)
        self.strictness, self.roots = Strictness(self), Roots(self)
        self.loss_means, self.moment_tails = LossMeans(self), MomentTails(self)
        self.total_variation, self.substitution = TotalVariation(self), Substitution(self)
        self.bounded_means, self.adaptive_moments = BoundedMeans(self), AdaptiveMoments(self)
        self.dominance, self.averages = Dominance(self), Averages(self)
        self.mixtures, self.release_moments = Mixtures(self), ReleaseMoments(self)
        self.examples, self.joint_convexity = Examples(self), JointConvexity(self)
        self.powers = Powers(self)
        self.positive_parts, self.positive_sums = PositiveParts(self), PositiveSums(self)
        self.weights = MassWeights(self)
        self.majorants = Majorants(self)
        self.leaves = Leaves(self)
        self.recursions = Recursions(self)
        self.alternatives = Alternatives(self)
        self.denominators = Denominators(self)
        self.determination = Determination(self)
        self.uniqueness = Uniqueness(self)
        self.inversion, self.derivatives = Inversion(self), Derivatives(self)
        self.tightened = Tightened(self)
        self.squares = Squares(self)
        self.separation = Separation(self)
        self.guarantees, self.guaranteed_factors = Guarantees(self), GuaranteedFactors(self)
        self.essential = Essential(self)
        self.trade_offs = TradeOffs(self)
        self.reversal = Reversal(self)
        self.levels = Levels(self)
        self.contradictions = Contradictions(self)
        self.normal_sums, self.transforms = NormalSums(self), ProductsOfTransforms(self)
        self.releases = Releases(self)
        self.histories = Histories(self)
        self.known: dict[int, list[int]] = {}
        self.failed: set[Attempt] = set()
        self.depth = 0
        self.turned = False
        self.unknowns = False
        self.still = frozenset[int]()

    # goals ------------------------------------------------------------------------------------

    def prove(self, goal: int, facts: Sequence[int] = ()) -> int:
        """A theorem with that claim; integrability included.  Raises :class:`NotFound`."""
        d = self.d
        for i in facts:
            if d.claim(i) == goal:
                return i
        if (found := self._recalled(goal, facts)) is not None:
            return found
        if not self._lasting(goal):
            return self._proved(goal, facts)
        attempt = self._attempt(goal, facts)
        if attempt in self.failed:
            raise NotFound("tried before")
        try:
            found = self._proved(goal, facts)
        except NotFound:
            self.failed.add(attempt)
            raise
        except FORESEEN:
            raise
        except Exception as problem:
            self.failed.add(attempt)
            raise missed(problem) from None
        self.known.setdefault(goal, []).append(found)
        return found

    def _attempt(self, goal: int, facts: Sequence[int]) -> Attempt:
        """What a vain search is known by: facts count by what they say."""
        return goal, frozenset(map(self.d.claim, facts)), self.hypotheses.busy, self.unknowns

    def _lasting(self, goal: int) -> bool:
        """Is the claim one that may be asked for again: about whole integrals?"""
        return self.d.head(goal) in ("oiny", "liny", "allO") or (
            self.d.head(goal) in RELATIONS and self._speaks(goal))

    def _recalled(self, goal: int, facts: Sequence[int]) -> int | None:
        """A theorem made before from no more than the facts' hypotheses."""
        d = self.d
        if goal not in self.known:
            return None
        given = self.recursions.hyps.union(*(d.theorem(i).hyps for i in facts))
        return next((i for i in self.known[goal] if d.theorem(i).hyps <= given), None)

    def _proved(self, goal: int, facts: Sequence[int]) -> int:
        head = self.d.head(goal)
        if head == "false":
            return self.contradictions.found(facts)
        if head == "imp" and (found := self.recursions.enter(goal, facts)) is not None:
            return found
        if head == "nat":
            return self.recursions.nat(self.d.kids(goal)[0], facts)
        if head == "le" and (strict := self._strictly(goal, facts)) is not None:
            return self.d.do("arith", goal, [strict], [[self.d.num(1), [0]]])
        if head == "allR" and self.recursions.rules and (
                found := self.releases.integrable(goal)) is not None:
            return found
        if head in ("allR", *RELATIONS) and self.recursions.rules and (
                found := self.release_moments.found(goal, facts)) is not None:
            return found
        if head == "le" and self.histories.of(goal) and (
                found := self.histories.relation(goal, facts)) is not None:
            return found
        if head == "oiny" and (found := self.normal_sums.integrable(goal, facts)) is not None:
            return found
        if head in ("not", "le", "lt") and self.recursions.rules and (
                found := self.normal_sums.found(goal, facts)) is not None:
            return found
        if (found := self.hypotheses.chosen(goal, facts)) is not None:
            return found
        if head in ("oiny", *RELATIONS) and (
                found := self.adaptive_moments.found(goal, facts)) is not None:
            return found
        if head in ("oiny", "liny", *RELATIONS) and (
                found := self.transforms.found(goal, facts)) is not None:
            return found
        if head in ("not", *RELATIONS) and (
                rest := self.event_masses.complement(goal, facts)) is not None:
            return self._rewritten(goal, rest, facts)
        if head == "not" and self.recursions.of(goal) and (
                apart := self.recursions.invariants.losses.nonzero(goal, facts)) is not None:
            return apart
        if head == "not" and (apart := self.denominators.nonzero(goal, facts)) is not None:
            return apart
        if head in ("oiny", "in") and self.hypotheses.has_sets(goal):
            return self.hypotheses.folded(goal, facts)
        if head in ("oiny", "liny") and self.recursions.of(goal) and not self.unknowns:
            return self.recursions.factors.integrable(goal, facts)
        if head in ("oiny", "liny"):
            return self.with_splits(goal, facts, self._integrability)
        if head == "allO":
            name, x = self.d.fresh("O", "x")
            at = self.d.b.open(self.d.kids(goal)[0], x)
            inside = self.prove(at, self._closed([*facts, *self._positive(at)]))
            return self.d.do("gen", goal, [inside], [name, "O"])
        if head == "exR" and (found := self.examples.found(goal)) is not None:
            return found
        if head == "exR" and (found := self.derivatives.found(goal, facts)) is not None:
            return found
        if head == "exC" and (found := self.inversion.found(goal, facts)) is not None:
            return found
        if head in ("exS", "exR", "exC"):
            return self.hypotheses.witness(goal, facts)
        if head == "or" and (found := self._meaning_of_some(goal, facts)) is not None:
            return found
        if head == "not" and self.d.head(self.d.kids(goal)[0]) == "liny":
            return self.with_splits(goal, facts, self.divergence.denied)
        if head == "tends":
            return self.limits.tends(goal, facts)
        if head == "not" and self.d.head(same := self.d.kids(goal)[0]) == "eq":
            t, zero = self.d.kids(same)
            if zero == self.d.like(0, "C") and (apart := self.nonzero(t, facts)) is not None:
                return apart
        if head == "or" and (found := self.alternatives.found(goal, facts)) is not None:
            return found
        return super().prove(goal, facts)

    def _strictly(self, goal: int, facts: Sequence[int]) -> int | None:
        """The fact s < t for a goal s <= t."""
        d = self.d
        strict = d.mk("lt", *d.kids(goal))
        return next((i for i in facts if d.claim(i) == strict), None)

    def _meaning_of_some(self, goal: int, facts: Sequence[int]) -> int | None:
        """The domain condition of "there is": all instances have a meaning, or a true one has."""
        d = self.d
        some, every = d.kids(goal)
        if d.head(some) == "exC" and (found := self.inversion.found(some, facts)) is not None:
            return d.taut(goal, found)
        if d.head(some) == "exR" and (found := self.derivatives.found(some, facts)) is not None:
            return d.taut(goal, found)
        if d.head(every).replace("all", "ex") != d.head(some) or d.b.rows[
                d.kids(some)[0]][:2] != ("and", d.kids(every)[0]):
            return None
        for part in (every, some):
            try:
                return d.taut(goal, self.prove(part, facts))
            except NotFound:
                continue
        return None

    def released(self, facts: Sequence[int]) -> list[int]:
        """As in arithmetic, and what follows of real parts, places of continuity, and transforms
        that converge."""
        known = self._closed(facts)
        if (left := self._left_over(known)) is not None:
            known = self._closed([*known, *left])
            facts = known
        parts = self._real_parts([self.d.claim(i) for i in known])
        known = super().released([*facts, *parts])
        known = self.suprema.enriched(self.essential.enriched(self.moments.enriched(known)))
        known = self.tonelli.enriched(self.continuity.enriched(known))
        return self.dominated_moments.enriched(known)

    def _left_over(self, facts: Sequence[int]) -> list[int] | None:
        """B from A or B where a relation in A is decided otherwise; None where no fact is such."""
        d, found = self.d, []
        claims = {d.claim(i) for i in facts}
        plain = [i for i in facts if d.head(d.claim(i)) in RELATIONS
                 and not self._speaks(d.claim(i))]
        for i in facts:
            if d.head(d.claim(i)) != "or" or claims & {*d.kids(d.claim(i))}:
                continue
            for side, other in (d.kids(d.claim(i)), d.kids(d.claim(i))[::-1]):
                first = d.kids(side)[0] if d.head(side) == "and" else side
                if d.head(first) not in RELATIONS or self._speaks(first):
                    continue
                no = self.truth(first, plain)
                if no is not None and d.claim(no) != first:
                    found.append(d.taut(other, i, no))
        return found or None

    def _real_parts(self, formulas: Sequence[int]) -> list[int]:
        """re z = x for sums z whose real parts formulas without quantifiers speak of."""
        d, found = self.d, []
        for z in dict.fromkeys(t for f in formulas if not d.head(f).startswith("all")
                               for t in d.subterms(f) if d.head(t) == "re" and not d.b.loose[t]):
            if d.head(d.kids(z)[0]) in ("add", "mul", "cx"):
                try:
                    found.append(self.integration.complexes.real_part(d.kids(z)[0]))
                except NotFound:
                    continue
        return found

    def nonzero(self, t: int, facts: Sequence[int]) -> int | None:
        """not t = 0 as a theorem; a complex number by its real part as well."""
        found = super().nonzero(t, facts)
        d = self.d
        if found is not None or d.b.sorts[t] == "R":
            return found
        zero = d.like(0, "C")
        given = d.assume(d.mk("eq", t, zero))
        try:
            real, none = (self.integration.complexes.real_part(u) for u in (t, zero))
        except NotFound:
            return self.denominators.beside(t, facts)
        value, nothing = (d.kids(d.claim(e))[1] for e in (real, none))
        apart = super().nonzero(value, facts)
        if apart is None or nothing != d.num(0):
            return self.denominators.beside(t, facts)
        same = d.chain(d.turn(real), d.alike(d.mk("re", t), given), none)
        return d.taut(d.mk("not", d.claim(given)), d.disch(d.claim(given), same), apart)

    def laws_of(self, polynomials: Sequence[Polynomial], facts: Sequence[int]) -> list[int]:
        """As in certificates, and what the real parts of sums and products are."""
        d, found = self.d, super().laws_of(polynomials, facts)
        for number in self._atoms(polynomials):
            t = self.terms.term({((number, 1),): 1})
            if d.head(t) == "re" and d.head(d.kids(t)[0]) in ("add", "mul"):
                try:
                    found.append(self.integration.complexes.real_part(d.kids(t)[0]))
                except NotFound:
                    continue
        return found

    def with_splits(self, goal: int, facts: Sequence[int], attempt: object) -> int:
        """Try; where a condition on parameters is missing, prove both cases."""
        d = self.d
        self.depth += 1
        try:
            if self.depth > MOST_DEPTH:
                raise NotFound("too deep")
            try:
                return attempt(goal, facts)  # type: ignore[operator, no-any-return]
            except NeedSplit as need:
                condition = need.condition
            known = self.truth(condition, facts)
            no = d.mk("not", condition)
            if known is not None and known not in facts:
                return self.with_splits(goal, [*facts, known], attempt)
            if known is not None:
                return d.taut(goal, self._impossible(facts))
            both = [self.with_splits(goal, self._closed([*facts, d.assume(c)]), attempt)
                    for c in (condition, no)]
            return d.split(condition, *both)
        finally:
            self.depth -= 1

    def _impossible(self, facts: Sequence[int]) -> int:
        """|- false where a condition was asked for that the facts settle: the case does not occur.

        Raises :class:`NotFound` where it does.
        """
        try:
            return self.refute([i for i in facts if not self._speaks(self.d.claim(i))])
        except NotFound:
            raise NotFound("a condition that is known was asked for") from None

    def _next_case(self, formula: int, facts: Sequence[int]) -> tuple[str, int] | None:
        """As in arithmetic, functions of numbers first brought to one form."""
        for t in self.d.subterms(formula):
            if self.d.head(t) == "log" and not self.d.b.loose[t] and (
                    equation := self.logarithms.exponent(t, facts)) is not None:
                return "rewrite", equation
        if (equivalence := self._without_logs(formula, facts)) is not None:
            return "rewrite", equivalence
        found = super()._next_case(formula, facts)
        if found is not None and found[0] == "rewrite":
            return found
        for t in self.d.subterms(formula):
            if not self.d.b.loose[t] and (equation := self._one_form(t, facts)) is not None:
                return "rewrite", equation
        return found

    def _one_form(self, t: int, facts: Sequence[int]) -> int | None:
        """An equation t = t' with a tidier right side; None where there is nothing to do."""
        d = self.d
        head, complexes = d.head(t), self.integration.complexes
        if head == "exp":
            return (self.roots.argument(t, facts) or self.integration.unlogged(t, facts)
                    or self.logarithms.complex_power(t, facts)
                    or self.logarithms.real_power(t, facts))
        if head == "erfc":
            return self.roots.argument(t, facts)
        if head == "sqrt":
            return self.roots.equation(t, facts)
        if head == "log":
            return self.logarithms.as_sum(t, facts)
        part = head == "re" and d.head(d.kids(t)[0]) not in ("v", "oint", "lint")
        if not part and not (head == "abs" and d.b.sorts[d.kids(t)[0]] == "C"):
            return None
        try:
            equation = (complexes.real_part(d.kids(t)[0]) if part
                        else complexes.size(d.kids(t)[0], facts))
        except NotFound:
            return None
        return None if t in d.subterms(d.kids(d.claim(equation))[1]) else equation

    def _without_logs(self, formula: int, facts: Sequence[int]) -> int | None:
        """a < log x - log y <-> e^a y < x for a relation of the formula; None: there is none."""
        d = self.d
        for t in d.subterms(formula):
            if d.head(t) not in RELATIONS or d.b.loose[t] or (
                    d.b.sorts[d.kids(t)[0]] != "R") or not any(
                    d.head(u) == "log" and d.b.letters[u] for u in d.subterms(t)):
                continue
            found = self.integration.multiplied(t, facts)
            if found is not None and not any(
                    d.head(u) == "log" for u in d.subterms(found[0])):
                return found[1]
        return None

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """Suprema, then arithmetic, then integrals."""
        if self.recursions.of(goal) and not self.unknowns:
            return self.recursions.relation(goal, facts)
        return self.unknown(goal, facts)

    def unknown(self, goal: int, facts: Sequence[int]) -> int:
        """The same, values of functions defined by recursion taken as unknown numbers."""
        with self._values_unknown():
            return self._relation(goal, facts)

    def apart_from(self, goal: int, facts: Sequence[int]) -> int:
        """Any goal, values of functions defined by recursion taken as unknown numbers."""
        with self._values_unknown():
            return self.prove(goal, facts)

    @contextmanager
    def _values_unknown(self) -> Iterator[None]:
        before, self.unknowns = self.unknowns, True
        try:
            yield
        finally:
            self.unknowns = before

    def _relation(self, goal: int, facts: Sequence[int]) -> int:
        d = self.d
        if self.hypotheses.has_sets(goal):
            return self.hypotheses.folded(goal, facts)
        if self.suprema.of(goal):
            return self.suprema.relation(goal, facts)
        if (named := self._named(goal, facts)) is not None:
            return self._back(goal, named, facts)
        facts = [*facts, *self.hypotheses.applied(goal, facts), *self.means.facts(goal, facts),
                 *self._positive_inside(goal, facts)]
        if (known := self.suprema.known(goal, facts)) is not None:
            return known
        if not any(d.head(t) in ("oint", "lint") for t in d.subterms(goal)):
            facts = [*facts, *self.losses.facts(goal, facts)]
            try:
                if d.head(goal) == "eq" and self.roots.alike(goal):
                    # as they stand: of one of two equal roots a rewriting may make a product
                    with suppress(NotFound):
                        return self.identity(goal, facts)
                return super().relation(goal, facts)
            except NotFound as problem:
                for otherwise in (self.squares.relation, self.slopes.relation,
                                  self.trade_offs.from_fact):
                    try:
                        return otherwise(goal, facts)
                    except NotFound:
                        continue
                raise problem
        return self.with_splits(goal, facts, self._with_integrals)

    def _with_integrals(self, goal: int, facts: Sequence[int]) -> int:
        d = self.d
        for first in (self.loss_means.found, self.joint_convexity.found, self.total_variation.found,
                      self.bounded_means.found, self.moment_tails.found, self.event_powers.found,
                      self.holder.found, self.gaps.found,
                      self.continuity.within, self.guarantees.found,
                      self.dominated_moments.bounded.found, self.dominated_moments.infinite):
            if (found := tried(first, goal, facts)) is not None:
                return found
        step = self._next_case(goal, facts)
        if step is not None and d.b.sorts[d.kids(goal)[0]] == "C" and (
                product := self.separation.equation(goal, facts)) is not None:
            return self._multiplied(goal, product, facts)
        if step is not None:
            if step[0] == "rewrite":
                return self._back(goal, step[1], facts)
            raise NeedSplit(step[1])
        if d.head(goal) == "eq":
            try:
                return self.identity(goal, facts)
            except NotFound:
                pass
        for tactic in (self.line_sums.found, self._size, self.mixtures.found, self.averages.found,
                       self.dominance.found, self.guaranteed_factors.found,
                       self.positive_sums.found, self.derivatives.composed):
            if (found := tried(tactic, goal, facts)) is not None:
                return found
        for t in d.subterms(goal):
            if d.head(t) in ("oint", "lint") and d.kids(t)[0] == d.like(0, d.b.sorts[t]):
                return self._back(goal, d.parts(self.nothing(d.head(t), d.b.sorts[t]))[1], facts)
        if d.head(goal) == "eq" and (same := self._alike(goal, facts)) is not None:
            return self._back(goal, same, facts)
        if (same := self.substitution.equation(goal, facts)) is not None:
            return self._back(goal, same, facts)
        if (found := self.substitution.compared(goal, facts)) is not None:
            return found
        for t in d.subterms(goal):
            if d.head(t) == "lint" and not d.b.loose[t] and not self._speaks(t):
                found = self.integration.evaluate(d.kids(t)[0], facts)
                return self._back(goal, d.parts(found)[1], facts)
        if not self._speaks(goal):
            return super().relation(goal, facts)
        if (product := self.separation.equation(goal, facts)) is not None:
            return self._multiplied(goal, product, facts)
        for alike in (self._alike_inside, self._twins):
            if d.head(goal) == "eq" and (same := alike(goal, facts)) is not None:
                return self._back(goal, same, facts)
        if (found := self.denominators.relation(goal, facts)) is not None:
            return found
        for way in (self.tightened.relation, self.determination.relation,
                    self.uniqueness.relation):
            if (found := tried(way, goal, facts)) is not None:
                return found
        for logs in (self.powers.of_one_logarithm, self.powers.bounds.found):
            if (found := tried(logs, goal, facts)) is not None:
                return found
        if (found := self.squares.multiplied(goal, facts)) is not None:
            return found
        try:
            if self.event_masses.mixed(goal, facts):
                return self.event_masses.relation(goal, facts)
        except NotFound:
            pass
        try:
            return self.compared(goal, facts)
        except NotFound as problem:
            for otherwise in (self.weights.balanced.relation, self.hypotheses.between,
                              self.event_masses.relation):
                try:
                    return otherwise(goal, facts)
                except NotFound:
                    continue
            raise problem

    def _multiplied(self, goal: int, product: int, facts: Sequence[int]) -> int:
        """The goal with a double integral as products of integrals; these as unknown numbers."""
        d = self.d
        s, t = d.kids(d.claim(product))
        spoken = [i for i in facts if d.head(d.claim(i)) in RELATIONS]
        try:
            settled = self.by_arithmetic(d.b.open(d.hole(goal, s), t), spoken)
        except NotFound:
            return self._back(goal, product, facts)
        return self._rewritten(goal, product, [*facts, settled])

    def _rewritten(self, goal: int, equation: int, facts: Sequence[int]) -> int:
        """The goal, of any form, from the one with an equation applied."""
        d = self.d
        s, t = d.kids(d.claim(equation))
        body = d.hole(goal, s)
        found = self.prove(d.b.open(body, t), facts)
        return d.do("rewrite", goal, [d.turn(equation), found], [body])

    def _size(self, goal: int, facts: Sequence[int]) -> int | None:
        """``|oint f| <= t`` from oint |f| <= t; None for other goals."""
        d = self.d
        head, (s, t) = d.head(goal), d.kids(goal)
        if head not in ("le", "lt") or d.head(s) != "abs" or d.head(d.kids(s)[0]) != "oint":
            return None
        (f,) = d.kids(d.kids(s)[0])
        size = d.mk("abs", f)
        below = d.mk("oint", size)
        try:
            iny = self.prove(d.mk("oiny", f), facts)
            rim = d.do("dominate", d.mk("oiny", size), [iny])
            less = d.do("mono", d.mk("le", s, below), [iny, rim])
            rest = self.prove(d.mk(head, below, t), facts)
        except (NotFound, NeedSplit):
            return None
        return d.do("arith", goal, [less, rest], [[d.num(1), [0]], [d.num(1), [1]]])

    def _named(self, goal: int, facts: Sequence[int]) -> int | None:
        """A fact ``y = t`` for a letter y of the goal that the search has made, or for a transform
        that is exchanged."""
        d = self.d
        inside = set(d.subterms(goal))
        for i in facts:
            if i in self.tonelli.equations and d.kids(d.claim(i))[0] in inside:
                return i
        letters = {t for t in d.subterms(goal) if d.head(t) == "v"
                   and MADE in str(d.b.rows[t][1])}
        for i in facts:
            if d.head(d.claim(i)) == "eq":
                y, t = d.kids(d.claim(i))
                if y in letters and y not in d.subterms(t):
                    return i
        return None

    def _positive_inside(self, goal: int, facts: Sequence[int]) -> list[int]:
        """0 < s for integrals s of which a power e^(c log s) occurs."""
        d, found = self.d, []
        logs = dict.fromkeys(u for t in d.subterms(goal) if d.head(t) == "exp" for u in d.subterms(
            t) if d.head(u) == "log" and not d.b.loose[u] and self._speaks(u))
        for t in logs:
            try:
                found.append(self.prove(d.mk("lt", d.num(0), d.kids(t)[0]), facts))
            except (NotFound, NeedSplit):
                continue
        return found

    def by_cases(self, goal: int) -> int:
        """A relation without facts, its integrals taken as unknown numbers."""
        return super().relation(goal, [])

    def by_arithmetic(self, goal: int, facts: Sequence[int]) -> int:
        """The relation with its integrals as unknown numbers."""
        if self.d.head(goal) == "eq":
            return self.identity(goal, facts)
        for level in (0, 2):
            try:
                return self.plainly(goal, facts, level)
            except NotFound as failed:
                problem = failed
        raise problem

    def _alike(self, goal: int, facts: Sequence[int]) -> int | None:
        """An equation between two integrals over the line whose integrands are equal."""
        d = self.d
        whole = [t for t in d.subterms(goal) if d.head(t) == "lint" and not d.b.loose[t]]
        for n, s in enumerate(whole):
            for t in whole[n + 1:]:
                if d.b.sorts[s] != d.b.sorts[t]:
                    continue
                name, u = d.fresh("R", "t")
                at = d.mk("eq", *(d.b.open(d.kids(x)[0], u) for x in (s, t)))
                try:
                    inside = self.prove(at, facts)
                except (NotFound, NeedSplit):
                    continue
                return d.under("lint", d.gen(name, "R", inside))
        return None

    def _twins(self, goal: int, facts: Sequence[int]) -> int | None:
        """An integral of the left side that equals one of the right, where such are multiplied."""
        d = self.d
        if not any(d.head(u) == "mul" and all(self._speaks(k) for k in d.kids(u))
                   for u in d.subterms(goal)):
            return None
        left, right = ([t for t in d.subterms(side) if d.head(t) == "oint" and not d.b.loose[t]]
                       for side in d.kids(goal))
        for s in left:
            for t in right:
                if s in right or t in left or self.masses(s) != self.masses(t):
                    continue
                try:
                    return self.prove(d.mk("eq", s, t), facts)
                except (NotFound, NeedSplit):
                    continue
        return None

    def _alike_inside(self, goal: int, facts: Sequence[int]) -> int | None:
        """log s = log t, or 1/s = 1/t, for such terms of the goal with equal integrals inside."""
        d = self.d
        whole = [t for t in d.subterms(goal) if d.head(t) in ("log", "clog", "inv")
                 and not d.b.loose[t] and self._speaks(t)]
        for n, s in enumerate(whole):
            for t in whole[n + 1:]:
                if d.head(s) != d.head(t) or d.b.sorts[s] != d.b.sorts[t]:
                    continue
                try:
                    same = self.prove(d.mk("eq", *(d.kids(u)[0] for u in (s, t))), facts)
                except (NotFound, NeedSplit):
                    continue
                return d.alike(s, same)
        return None

    def _speaks(self, t: int) -> bool:
        """Does an integral over the space occur?"""
        return "oint" in self.d.symbols(t)

    def _varies(self, t: int) -> bool:
        """Does an integral over the space occur outside of what is taken for a number?"""
        if t in self.still or not self._speaks(t):
            return False
        return self.d.head(t) == "oint" or any(map(self._varies, self.d.kids(t)))

    def compared(self, goal: int, facts: Sequence[int]) -> int:
        """Compare the integrands of the two sides."""
        d = self.d
        head, (s, t) = d.head(goal), d.kids(goal)
        pointwise = [i for i in facts if self._pointwise(d.claim(i))]
        if self.finite.denied(goal, pointwise):
            raise NotFound("a goal on the way fails at a finite pair" + (
                " without the facts about integrals" if any(
                    self._speaks(d.claim(i)) and i not in pointwise
                    and d.head(d.claim(i)) not in ("oiny", "liny") for i in facts) else ""))
        if head == "lt":
            return self.strictness.relation(goal, facts)
        problems = []
        masses = self.choices(goal)
        products = any(d.head(u) == "mul" and all(self._speaks(k) for k in d.kids(u))
                       for u in d.subterms(goal))
        ways = [(mass, False, frozenset[int]()) for mass in masses]
        ways += [(mass, True, frozenset()) for mass in masses[:1] * products]
        if still := self._of_inner_densities(goal):
            ways += [(mass, False, still) for mass in masses]
        for mass, self.turned, self.still in ways:
            try:
                left, right = (self.normal(u, facts, mass) for u in (s, t))
                if head == "eq":
                    same = self._equal(left.body, right.body, facts)
                    return d.chain(left.equation, same, d.turn(right.equation))
                body, moved, iny = self._outside(left.body, right.body, left.iny, facts)
                name, x = d.fresh("O", "x")
                at = d.mk(head, d.b.open(body, x), d.b.open(right.body, x))
                inside = self._by_order(at, [*facts, *self._positive(at)])
                everywhere = d.gen(name, "O", inside)
                less = d.do("mono", d.mk("le", d.mk("oint", body), d.mk("oint", right.body)),
                            [everywhere, iny, right.iny])
                return d.do("arith", goal, [left.equation, moved, less, right.equation],
                            [[d.num(1), [0]], [d.num(1), [1]], [d.num(1), [2]],
                             [d.num(-1), [3]]])
            except NotFound as problem:
                problems.append(problem)
        self.turned, self.still = False, frozenset()
        try:
            return self.weights.relation(goal, facts)
        except NotFound:
            self._order_beside_one(goal, facts)
            raise problems[0] if problems else NotFound("no distribution occurs") from None

    def _by_order(self, goal: int, facts: Sequence[int]) -> int:
        """A relation between integrands; of two densities, where p <= q and where q < p."""
        d = self.d
        try:
            return self.prove(goal, facts)
        except NotFound:
            densities = [t for t in d.subterms(goal) if d.head(t) == "dens" and not d.b.loose[t]]
            if len(densities) != 2 or any(d.head(t) in ("log", "lint") for t in d.subterms(goal)):
                raise
            less = d.mk("le", *densities)
            if self.truth(less, facts) is not None:
                raise
        both = (d.assume(less), d.opposite(d.assume(d.mk("not", less))))
        return d.split(less, *(self.prove(goal, [*facts, i, *self._weighed(i, facts)])
                               for i in both))

    def _weighed(self, order: int, facts: Sequence[int]) -> list[int]:
        """0 <= (q - p) (b - a) for facts a <= b about parameters, from p <= q."""
        d, found = self.d, []
        low, high = d.kids(d.claim(order))
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) in ("le", "lt") and not self._speaks(claim) and not any(
                    d.head(t) in ("dens", "exp", "log") for t in d.subterms(claim)):
                a, b = d.kids(claim)
                if d.b.sorts[a] == "R":
                    found.append(d.do("arith", d.mk("le", d.num(0), d.mul(
                        d.sub(high, low), d.sub(b, a))), [order, i], [[d.num(1), [0, 1]]]))
        return found[:MOST_WEIGHED]

    def _order_beside_one(self, goal: int, facts: Sequence[int]) -> None:
        """Ask on which side of 1 the order of a profile lies, where finite pairs do not deny the
        claim."""
        d = self.d
        if d.head(goal) != "le" or self.weights.busy:
            return
        for h in self.hypotheses.profiles.hinges(goal):
            condition = d.mk("le", h.order, d.num(1))
            if d.head(h.order) == "exp" and self.truth(condition, facts) is None:
                raise NeedSplit(condition)

    def _pointwise(self, claim: int) -> bool:
        """May a fact help where integrands are compared: about numbers, or null functions?"""
        d = self.d
        return not self._speaks(claim) or (d.head(claim) == "eq" and d.head(
            d.kids(claim)[0]) == "oint" and d.kids(claim)[1] == d.num(0))

    def _of_inner_densities(self, goal: int) -> frozenset[int]:
        """Integrals of what a double integral has inside only: numbers, for its outer variable."""
        d = self.d
        whole = [t for t in d.subterms(goal) if d.head(t) == "oint" and not d.b.loose[t]]
        outer: set[int] = set()
        for t in whole:
            (body,) = d.kids(t)
            if d.head(body) == "oint":
                _, x = d.fresh("O", "x")
                outer |= {d.kids(u)[0] for u in d.subterms(d.b.open(body, x))
                          if d.head(u) == "dens" and not d.b.loose[u]}
        return frozenset(t for t in whole if outer and d.head(d.kids(t)[0]) != "oint"
                         and not outer & set(self.masses(t)))

    def _outside(self, f: int, g: int, iny: int, facts: Sequence[int]) -> tuple[int, int, int]:
        """f', oint f = oint f' and oiny f', where f' is f outside the null sets that the facts
        know and g on them."""
        d = self.d
        zero = d.num(0)
        nulls = self._nulls(facts, f, g)
        if not nulls:
            return f, d.refl(d.mk("oint", f)), iny
        conditions = [d.mk("eq", n, zero) for n, _ in nulls]
        changed = d.mk("if", d.conj(conditions), f, g)
        name, x = d.fresh("O", "x")
        given = [d.assume(d.b.open(c, x)) for c in conditions]
        both = d.both(*given)
        at = d.b.open(changed, x)
        chosen = d.mp(d.do("cases", d.mk("imp", d.claim(both), d.mk("eq", at, d.b.open(f, x)))),
                      both)
        inside = d.turn(chosen)
        inside = d.disch_all(map(d.claim, given), inside)
        goal = d.conj([d.mk("iff", d.mk("oiny", f), d.mk("oiny", changed)),
                       d.mk("eq", d.mk("oint", f), d.mk("oint", changed))])
        alike, same = d.parts(d.do("almost", goal, [
            *(p for _, three in nulls for p in three), d.gen(name, "O", inside)]))
        return changed, same, d.onward(alike, iny)

    def _equal(self, f: int, g: int, facts: Sequence[int]) -> int:
        """oint f = oint g: the integrands are equal, outside null sets that the facts know."""
        return self._alike_outside(f, g, facts)[1]

    def _alike_outside(self, f: int, g: int, facts: Sequence[int]) -> list[int]:
        """oiny f <-> oiny g, and oint f = oint g, from equal integrands outside null sets."""
        d = self.d
        goal = d.conj([d.mk("iff", d.mk("oiny", f), d.mk("oiny", g)),
                       d.mk("eq", d.mk("oint", f), d.mk("oint", g))])
        attempt = self._attempt(goal, facts)
        # the outcome of each attempt has a name of its own: only here is it seen to come back
        if attempt in self.failed:
            raise NotFound("tried before")
        name, x = d.fresh("O", "x")
        at = d.mk("eq", d.b.open(f, x), d.b.open(g, x))
        densities = self._positive(at)
        nulls = self._nulls(facts, f, g)
        given = [d.assume(d.mk("eq", d.b.open(n, x), d.num(0))) for n, _ in nulls]
        more = [i for g in given for i in (*self._positive(d.claim(g)), *self.tonelli.vanishing(g))]
        known = [*facts, *densities, *more, *given]
        try:
            inside = self.prove(at, self._closed(known) if nulls else known)
        except NotFound:
            self.failed.add(attempt)
            raise
        everywhere = d.gen(name, "O", d.disch_all(map(d.claim, given), inside))
        if not nulls:
            return [d.under("oiny", everywhere), d.under("oint", everywhere)]
        premises = [p for _, three in nulls for p in three]
        return d.parts(d.do("almost", goal, [*premises, everywhere]))

    def _as_another(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny f`` for a complex f that equals an integrable g of the facts almost everywhere."""
        d = self.d
        (f,) = d.kids(goal)
        if d.b.sorts[f] != "C":
            return None
        masses = set(self.masses(f))
        for i in facts:
            if d.head(d.claim(i)) != "oiny":
                continue
            (g,) = d.kids(d.claim(i))
            if d.b.sorts[g] != "C" or set(self.masses(g)) != masses:
                continue
            try:
                return d.taut(goal, self._alike_outside(f, g, facts)[0], i)
            except (NotFound, NeedSplit):
                continue
        return None

    def _nulls(self, facts: Sequence[int], *about: int) -> list[tuple[int, list[int]]]:
        """Bodies whose integral is 0 by a fact, with what says that they are >= 0, integrable:
        those first that speak of no other densities than the functions they are wanted for."""
        d, found = self.d, []
        known = [i for i in facts if d.head(d.claim(i)) == "eq" and d.head(
            d.kids(d.claim(i))[0]) == "oint" and d.kids(d.claim(i))[1] == d.num(0)]
        if about:
            here = {p for t in about for p in self.masses(t)}
            known.sort(key=lambda i: len({*self.masses(d.claim(i))} - here))
        for i in known:
            claim = d.claim(i)
            (n,) = d.kids(d.kids(claim)[0])
            name, x = d.fresh("O", "x")
            at = d.b.open(n, x)
            try:
                above = self.prove(d.mk("le", d.num(0), at), self._positive(at))
                iny = self.prove(d.mk("oiny", n), [
                    j for j in facts if d.head(d.claim(j)) in ("oiny", "le", "lt")
                    and not self._speaks(d.claim(j))])
            except NotFound:
                continue
            found.append((n, [d.gen(name, "O", above), iny, i]))
            if len(found) == MOST_NULLS:
                break
        return found

    def choices(self, t: int) -> list[Masses]:
        """Ways to read constants as masses: all of one distribution, or by exponential factors."""
        masses = self.masses(t)
        found = [Masses(p, p) for p in masses]
        return found + [Masses(p, q) for p in masses for q in masses if p != q]

    def masses(self, t: int) -> list[int]:
        """The distributions of which the integrals speak."""
        d = self.d
        found = [d.kids(u)[0] for u in d.subterms(t) if d.head(u) == "dens"]
        return [p for p in dict.fromkeys(found) if not d.b.loose[p]]

    def _positive(self, t: int) -> list[int]:
        """0 <= p(x) for the densities that occur."""
        d = self.d
        found = []
        for u in d.subterms(t):
            if d.head(u) == "dens" and not d.b.loose[u]:
                p, x = d.kids(u)
                below = d.mk("le", d.num(0), d.mk("dens", d.b.lift(p), d.b.bound(0, "O")))
                found.append(d.inst(d.do("density", d.mk("allO", below), [], [p]), x))
        return found

    # normal forms -----------------------------------------------------------------------------

    def normal(self, t: int, facts: Sequence[int], mass: Masses) -> Normal:
        """A term as one integral over the space; constants are multiplied by the mass.

        Raises :class:`NotFound` for what is not linear in the densities.
        """
        d = self.d
        head, kids = d.head(t), d.kids(t)
        if not self._varies(t):
            return self.constant(t, mass)
        if head == "oint":
            (body,) = kids
            return Normal(body, d.refl(t), self.prove(d.mk("oiny", body), facts))
        if head == "add":
            return self._sum(t, *(self.normal(k, facts, mass) for k in kids))
        if head == "mul":
            c, inner = kids if not self._varies(kids[0]) else (kids[1], kids[0])
            if self._varies(c) and self.turned:
                c, inner = inner, c
            return self._multiple(t, c, self.normal(inner, facts, mass))
        if head == "if":
            return self._choice(t, facts, mass)
        if head == "lint":
            return self._moved(t, facts, mass)
        if head == "cx":
            real = self.normal(kids[0], facts, mass)
            body = d.mk("cx", real.body)
            iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
                "eq", d.mk("oint", body), d.mk("cx", d.mk("oint", real.body)))]),
                [real.iny], ["embed"]))
            return Normal(body, d.chain(d.alike(t, real.equation), d.turn(equation)), iny)
        raise NotFound(f"{head} is not linear in the densities")

    def constant(self, c: int, mass: Masses) -> Normal:
        """c = oint c p; a sum with exponential factors is taken apart first."""
        d = self.d
        f = self.reader.read(c)
        plain = {m: v for m, v in f.items() if not self.terms.exponential_part(m)}
        if mass.plain != mass.exponential and (apart := self.positive_parts.apart(c)) is not None:
            made = self._choice(d.kids(d.claim(apart))[1], [], mass)
            return Normal(made.body, d.chain(apart, made.equation), made.iny)
        if mass.plain == mass.exponential or not plain or len(plain) == len(f):
            return self._mass(c, mass.plain if len(plain) == len(f) else mass.exponential)
        rest = {m: v for m, v in f.items() if m not in plain}
        sort = d.b.sorts[c]
        terms = [self.terms.term(part, sort) for part in (plain, rest)]
        whole = d.mk("add", *terms)
        made = self._sum(whole, self._mass(terms[0], mass.plain),
                         self._mass(terms[1], mass.exponential))
        same = self.identity(d.mk("eq", c, whole), [])
        return Normal(made.body, d.chain(same, made.equation), made.iny)

    def _mass(self, c: int, distribution: int) -> Normal:
        d = self.d
        p = d.mk("dens", d.b.lift(distribution), d.b.bound(0, "O"))
        iny, total = d.parts(self.mass_one(p))
        if d.b.sorts[c] == "C":
            body = d.mk("cx", p)
            iny, embedded = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
                "eq", d.mk("oint", body), d.mk("cx", d.mk("oint", p)))]), [iny], ["embed"]))
            inner = d.mk("cx", d.mk("oint", p))
            p = body
            total = d.chain(embedded, d.alike(inner, total))
        body = d.mk("mul", d.b.lift(c), p)
        product = d.mk("mul", c, d.mk("oint", p))
        iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
            "eq", d.mk("oint", body), product)]), [iny], ["scale", c]))
        value = self.identity(d.mk("eq", product, c), [total])
        return Normal(body, d.turn(d.chain(equation, value)), iny)

    def mass_one(self, p: int) -> int:
        """``oiny p and oint p = 1`` for a density, as a body."""
        d = self.d
        return d.do("density", d.conj([d.mk("oiny", p), d.mk("eq", d.mk("oint", p), d.num(1))]),
                    [], [d.kids(p)[0]])

    def with_masses(self, i: int) -> int:
        """s = u from s = t, where u is t with 1 for each total mass."""
        d = self.d
        for t in d.subterms(d.kids(d.claim(i))[1]):
            if d.head(t) == "oint" and d.head(d.kids(t)[0]) == "dens":
                total = d.parts(self.mass_one(d.kids(t)[0]))[1]
                i = d.chain(i, d.alike(d.kids(d.claim(i))[1], total))
        return i

    def _sum(self, t: int, first: Normal, second: Normal) -> Normal:
        d = self.d
        body = d.mk("add", first.body, second.body)
        value = d.mk("add", d.mk("oint", first.body), d.mk("oint", second.body))
        iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
            "eq", d.mk("oint", body), value)]), [first.iny, second.iny], ["sum"]))
        return Normal(body, self._collected(t, value, equation, first, second), iny)

    def _multiple(self, t: int, c: int, inner: Normal) -> Normal:
        d = self.d
        body = d.mk("mul", d.b.lift(c), inner.body)
        value = d.mk("mul", c, d.mk("oint", inner.body))
        iny, equation = d.parts(d.do("integral", d.conj([d.mk("oiny", body), d.mk(
            "eq", d.mk("oint", body), value)]), [inner.iny], ["scale", c]))
        return Normal(body, self._collected(t, value, equation, inner), iny)

    def _collected(self, t: int, value: int, equation: int, *inner: Normal) -> int:
        """t = oint body, where value is t with its parts replaced by their integrals."""
        d = self.d
        same = self.identity(d.mk("eq", t, value), [n.equation for n in inner])
        return d.chain(same, d.turn(equation))

    def _choice(self, t: int, facts: Sequence[int], mass: Masses) -> Normal:
        """if(c, a, b) with a condition free of the outcome."""
        d = self.d
        condition, yes, no = d.kids(t)
        denied = d.mk("not", condition)
        branches = []
        for c, part in ((condition, yes), (denied, no)):
            branches.append(self.normal(part, self._closed([*facts, d.assume(c)]), mass))
        body = d.mk("if", d.b.lift(condition), branches[0].body, branches[1].body)
        equations, inys = [], []
        for c, part, n in ((condition, yes, branches[0]), (denied, no, branches[1])):
            given = d.assume(c)
            chosen = d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", t, part))), given)
            name, x = d.fresh("O", "x")
            whole = d.b.open(body, x)
            law = d.do("cases", d.mk("imp", c, d.mk("eq", whole, d.b.open(n.body, x))))
            everywhere = d.gen(name, "O", d.turn(d.mp(law, given)))
            equations.append(d.chain(chosen, n.equation, d.under("oint", everywhere)))
            inys.append(d.taut(d.mk("oiny", body), d.under("oiny", everywhere), n.iny))
        return Normal(body, d.split(condition, *equations), d.split(condition, *inys))

    # integrals over the line of integrals over the space ---------------------------------------

    def _moved(self, t: int, facts: Sequence[int], mass: Masses) -> Normal:
        """lint of something linear in the densities: the integral over the space goes outside."""
        return self.fubini(t, facts, mass)[0]

    def fubini(self, t: int, facts: Sequence[int], mass: Masses) -> tuple[Normal, int]:
        """The normal form of a lint, and ``liny`` of its integrand; outside null sets that the
        facts know where it takes that."""
        try:
            return self._fubini(t, facts, mass, False)
        except NotFound:
            if not self._nulls(facts):
                raise
        return self._fubini(t, facts, mass, True)

    def _fubini(self, t: int, facts: Sequence[int], mass: Masses, outside: bool
                ) -> tuple[Normal, int]:
        d = self.d
        (g,) = d.kids(t)
        sort = d.b.sorts[t]
        name, u = d.fresh("R", "t")
        inner = self.normal(d.b.open(g, u), facts, mass)
        if outside:
            body, same, iny = self._outside(inner.body, d.like(0, sort), inner.iny, facts)
            inner = Normal(body, d.chain(inner.equation, same), iny)
        # g(u) = oint_x body(x, u) for all u
        each = d.gen(name, "R", inner.equation)
        xname, x = d.fresh("O", "x")
        at_x = d.b.abstract(d.b.open(inner.body, x), name, "R")  # a function of u, at the outcome x
        known = [*facts, *self._positive(d.b.open(inner.body, x))]
        value, evaluated = self.tree(at_x, known)
        iny_u, equals = d.parts(evaluated)
        size, absolute = self._absolutely(at_x, name, u, value, equals, known)
        # over x
        flat = d.b.abstract(value, xname, "O")
        rim = d.b.abstract(size, xname, "O")
        each_iny = d.gen(xname, "O", iny_u)
        iny_size = self.prove(d.mk("oiny", rim), facts)
        same_size = d.under("oiny", d.gen(xname, "O", absolute))
        iny_abs = d.taut(d.kids(d.claim(same_size))[0], same_size, iny_size)
        left = d.mk("oint", d.b.abstract(d.mk("lint", at_x), xname, "O"))
        right = d.mk("lint", d.b.abstract(d.mk("oint", inner.body), name, "R"))
        goal = d.conj([d.mk("liny", d.kids(right)[0]), d.mk("eq", left, right)])
        iny_right, swapped = d.parts(d.do("swap", goal, [each_iny, iny_abs]))
        flatten = d.under("oint", d.gen(xname, "O", equals))
        equation = d.chain(d.under("lint", each), d.turn(swapped), flatten)
        if sort != d.b.sorts[value]:
            raise NotFound("sorts differ")
        iny_flat = iny_size if rim == flat else d.do("dominate", d.mk("oiny", flat), [
            d.gen(xname, "O", self._below_size(iny_u, equals, absolute)), iny_size])
        iny_g = d.taut(d.mk("liny", g), d.under("liny", each), iny_right)
        return Normal(flat, equation, iny_flat), iny_g

    def _below_size(self, iny: int, equals: int, absolute: int) -> int:
        """``|v| <= w`` where lint f = v and lint |f| = w."""
        d = self.d
        whole, size = (d.kids(d.claim(i))[0] for i in (equals, absolute))
        rim = d.do("dominate", d.mk("liny", *d.kids(size)), [iny])
        less = d.do("mono", d.mk("le", d.mk("abs", whole), size), [iny, rim])
        return d.replace(d.replace(less, absolute), equals)

    def _absolutely(self, at_x: int, name: str, u: int, value: int, equals: int,
                    facts: Sequence[int]) -> tuple[int, int]:
        """A term for lint |f| and the equation."""
        d = self.d
        f = d.b.open(at_x, u)
        if d.b.sorts[f] == "R":
            try:
                above = self.prove(d.mk("le", d.num(0), f), facts)
                same = self.relation(d.mk("eq", d.mk("abs", f), f), [above])
                return value, d.chain(d.under("lint", d.gen(name, "R", same)), equals)
            except NotFound:
                pass
        size, evaluated = self.tree(d.mk("abs", at_x), facts)
        return size, d.parts(evaluated)[1]

    def tree(self, body: int, facts: Sequence[int]) -> tuple[int, int]:
        """The value of ``lint body``, cases included, and ``liny body and lint body = value``."""
        d = self.d
        self.depth += 1
        try:
            if self.depth > MOST_DEPTH:
                raise NotFound("too many cases of parameters")
            try:
                found = self.integration.evaluate(body, facts)
                return d.kids(d.claim(d.parts(found)[1]))[1], found
            except NeedSplit as need:
                condition = need.condition
            known = self.truth(condition, facts)
            if known is not None:
                if known in facts:
                    zero = d.like(0, d.b.sorts[body])
                    claim = d.conj([d.mk("liny", body), d.mk("eq", d.mk("lint", body), zero)])
                    return zero, d.taut(claim, self._impossible(facts))
                return self.tree(body, [*facts, known])
            if d.head(condition) not in RELATIONS:
                raise NotFound("a case distinction that is no relation")
            cases = []
            for c in (condition, d.mk("not", condition)):
                cases.append(self.tree(body, self._closed([*facts, d.assume(c)])))
            value = d.mk("if", condition, cases[0][0], cases[1][0])
            theorems = []
            for c, (v, found) in zip((condition, d.mk("not", condition)), cases, strict=True):
                law = d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", value, v))), d.assume(c))
                iny, equation = d.parts(found)
                theorems.append(d.both(iny, d.chain(equation, d.turn(law))))
            return value, d.split(condition, *theorems)
        finally:
            self.depth -= 1

    # integrability ----------------------------------------------------------------------------

    def _integrability(self, goal: int, facts: Sequence[int]) -> int:
        """oiny or liny of a body."""
        d = self.d
        symbol, (body,) = d.head(goal), d.kids(goal)
        if body == d.like(0, d.b.sorts[body]):
            return d.parts(self.nothing(symbol.replace("iny", "int"), d.b.sorts[body]))[0]
        if d.head(body) == "dens" and not d.b.loose[d.kids(body)[0]]:
            return d.parts(self.mass_one(body))[0]
        if symbol == "liny":
            if (found := self.substitution.integrable(goal, facts)) is not None:
                return found
            return self._on_the_line(goal, facts)
        for known_way in (self.moment_tails.integrable, self.loss_means.integrable,
                          self.joint_convexity.integrable, self.holder.integrable,
                          self.separation.integrable, self.dominated_moments.bounded.integrable,
                          self.uniqueness.tails.integrable, self.leaves.integrable):
            if (found := known_way(goal, facts)) is not None:
                return found
        if (alike := self._as_another(goal, facts)) is not None:
            return alike
        name, x = d.fresh("O", "x")
        at = d.b.open(body, x)
        known = self._positive(at)
        if d.b.sorts[body] == "C" and (same := self._integrable_beside(goal, facts)) is not None:
            return same
        problem = NotFound("no majorant")
        for majorant in self.majorants.of(body, facts):
            g = d.b.open(majorant.body, x)
            try:
                inside = self.prove(d.mk("le", d.mk("abs", at), g), [*facts, *known])
            except NotFound as found:
                problem = found
                continue
            return d.do("dominate", goal, [d.gen(name, "O", inside), majorant.iny])
        raise problem

    def _integrable_beside(self, goal: int, facts: Sequence[int]) -> int | None:
        """oiny f from a fact oiny g with f = g at every outcome."""
        d = self.d
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) == "oiny" and d.b.sorts[d.kids(claim)[0]] == "C":
                name, x = d.fresh("O", "x")
                at = d.mk("eq", *(d.b.open(d.kids(c)[0], x) for c in (claim, goal)))
                try:
                    inside = self.prove(at, self._closed([*facts, *self._positive(at)]))
                except (NotFound, NeedSplit):
                    continue
                return d.onward(d.under("oiny", d.gen(name, "O", inside)), i)
        return None

    def _on_the_line(self, goal: int, facts: Sequence[int]) -> int:
        """liny of a body: evaluated, by the other order of integration, or below another one."""
        d = self.d
        (body,) = d.kids(goal)
        problem = NotFound("no distribution occurs")
        try:
            if not self._speaks(body):
                return d.parts(self.integration.evaluate(body, facts))[0]
        except NotFound as found:
            problem = found
        for mass in self.choices(body) if self._speaks(body) else ():
            try:
                return self.fubini(d.mk("lint", body), facts, mass)[1]
            except NotFound as found:
                problem = found
        if (below := self.substitution.dominated(goal, facts)) is not None:
            return below
        raise problem

    def nothing(self, symbol: str, sort: str) -> int:
        """``iny 0 and I 0 = 0``."""
        d = self.d
        zero = d.like(0, sort)
        iny = d.mk(symbol.replace("int", "iny"), zero)
        return d.do("integral", d.conj([iny, d.mk("eq", d.mk(symbol, zero), zero)]), [], ["zero"])
