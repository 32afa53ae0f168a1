"""Claims about every pair of densities: which way to a claim is tried, and in which order.

In the end a term that is linear in the densities is one integral over the space, and an equation
or inequality follows from the one between integrands, for all values of the densities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from lapdp.proving.adaptive_moments import AdaptiveMoments
from lapdp.proving.affinities import Affinities
from lapdp.proving.alternatives import Alternatives
from lapdp.proving.averages import Averages
from lapdp.proving.bounded_means import BoundedMeans
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.continuity import Continuity
from lapdp.proving.contradictions import Contradictions
from lapdp.proving.convex_moments import ConvexMoments
from lapdp.proving.denominators import Denominators
from lapdp.proving.derivation import Derivation, NotFound
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
from lapdp.proving.replaced import Replaced
from lapdp.proving.reversal import Reversal
from lapdp.proving.rewritings import Rewritings
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


class Prover(Rewritings):
    """Arithmetic that also knows integrals over the space and over the line: which way is tried
    when."""

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
        self.affinities, self.convex_moments = Affinities(self), ConvexMoments(self)
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
        self.reversal, self.replaced = Reversal(self), Replaced(self)
        self.levels = Levels(self)
        self.contradictions = Contradictions(self)
        self.normal_sums, self.transforms = NormalSums(self), ProductsOfTransforms(self)
        self.releases = Releases(self)
        self.histories = Histories(self)
        self.known: dict[int, list[int]] = {}

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
        if head in ("le", "eq") and self.histories.of(goal) and (
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
        known = self.convex_moments.enriched(self.dominated_moments.enriched(known))
        return self.replaced.enriched(known)

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
        for first in (self.convex_moments.found, self.loss_means.found, self.joint_convexity.found,
                      self.total_variation.found, self.affinities.found, self.bounded_means.found,
                      self.moment_tails.found, self.event_powers.found, self.holder.found,
                      self.replaced.found, self.gaps.found, self.continuity.within,
                      self.guarantees.found,
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
