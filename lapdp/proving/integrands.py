"""Relations between integrals over the space from relations between integrands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.normal_forms import NormalForms

if TYPE_CHECKING:
    from lapdp.proving.dominated_moments import DominatedMoments
    from lapdp.proving.holder import Holder
    from lapdp.proving.joint_convexity import JointConvexity
    from lapdp.proving.leaves import Leaves
    from lapdp.proving.loss_means import LossMeans
    from lapdp.proving.majorants import Majorants
    from lapdp.proving.masses import MassWeights
    from lapdp.proving.models import FinitePairs
    from lapdp.proving.moment_tails import MomentTails
    from lapdp.proving.separation import Separation
    from lapdp.proving.strictness import Strictness
    from lapdp.proving.substitution import Substitution
    from lapdp.proving.uniqueness import Uniqueness

MOST_WEIGHED = 4


class Integrands(NormalForms):
    """Comparison of integrands, and integrability by a majorant."""

    dominated_moments: DominatedMoments
    finite: FinitePairs
    holder: Holder
    joint_convexity: JointConvexity
    leaves: Leaves
    loss_means: LossMeans
    majorants: Majorants
    moment_tails: MomentTails
    separation: Separation
    strictness: Strictness
    substitution: Substitution
    uniqueness: Uniqueness
    weights: MassWeights

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
