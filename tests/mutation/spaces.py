"""Events, measures and integrals over a finite sample space, outcome by outcome."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from mpmath import mp

from lapdp.privacy import nodes as privacy
from lapdp.privacy import pointwise
from lapdp.privacy.events import Difference, Intersection, Outcomes, Union
from tests.oracle import finite, reals
from tests.oracle.reals import Unclear, Undefined, add, compare, is_infinite, mul, num
from tests.oracle.signals import Signal

LARGEST_SPACE = 9
"""Suprema over events are taken over all subsets, up to this many outcomes."""


class Spaces:
    """For a walker with an ``instance``, ``bound``, ``scalar`` and ``holds``."""

    def _space(self, e):
        """The pair whose members and whose factors' members occur in ``e``."""
        found = {id(d.pair): d.pair for d in e.atoms(privacy.Distribution)}
        for pair in found.values():
            if all(a in pair.atoms() for other in found.values() for a in other.atoms()):
                return pair
        if any(a in other.atoms() for pair in found.values() for other in found.values()
               if other is not pair for a in pair.atoms()):
            raise Unclear("an integral or a supremum over two spaces")
        return privacy.PairOf("", ("", ""), factors=tuple(found.values()))

    def _rows(self, pair):
        """The outcomes: for each factor the two masses."""
        atoms = pair.atoms()
        tables = [list(zip(*self.instance.masses(a), strict=True)) for a in atoms]
        return [dict(zip(atoms, row, strict=True)) for row in product(*tables)]

    def _at(self, e, row):
        """What the densities in ``e`` are at an outcome."""
        found = {}
        for d in e.atoms(privacy.Distribution):
            mass = Fraction(1)
            for a in d.pair.atoms():
                mass *= row[a][d.side]
            found[d] = mass
        return found

    def _supremum(self, e):
        body, event = e.args
        pair = self._space(body)
        size = len(self.instance.masses(pair)[0])
        if size > LARGEST_SPACE:
            raise Unclear("too many events")
        best, before = None, self.bound
        for chosen in finite.subsets(size):
            self.bound = {**before, event: frozenset(chosen)}
            value = self.scalar(body)
            if best is None or compare(value, best) > 0:
                best = value
        self.bound = before
        return best

    def _inside(self, event, place, row):
        if isinstance(event, privacy.Complement):
            return not self._inside(event.args[0], place, row)
        if isinstance(event, Union):
            return any(self._inside(part, place, row) for part in event.args)
        if isinstance(event, Intersection):
            return all(self._inside(part, place, row) for part in event.args)
        if isinstance(event, Difference):
            first, second = (self._inside(part, place, row) for part in event.args)
            return first and not second
        if isinstance(event, pointwise.Where):
            before, flag = self.bound, self.extended
            self.bound, self.extended = {**before, **self._at(event, row)}, True
            try:
                return self.holds(event.args[0])
            finally:
                self.bound, self.extended = before, flag
        if isinstance(event, Outcomes):
            pair = next(iter(row))
            if pair.mechanism is None:
                raise Unclear("named outcomes of an arbitrary pair")
            return str(pair.mechanism.table[place][0]) in event.names
        known = {**self.instance.events, **self.bound}
        if event not in known:
            raise Unclear("an event without a quantifier")
        return place in known[event]

    def _measure(self, e):
        distribution, event = e.args
        total = Fraction(0)
        for place, row in enumerate(self._rows(distribution.pair)):
            mass = self._at(distribution, row)[distribution]
            if mass and self._inside(event, place, row):
                total += mass
        return total

    def _counted(self, e):
        """Where that an integral counts, with the densities at each."""
        body, event = (*e.args, None)[:2]
        for place, row in enumerate(self._rows(self._space(body))):
            densities = self._at(body, row)
            if any(densities.values()):
                yield densities, event, place, row

    def _over_space(self, e):
        total, before, flag = Fraction(0), self.bound, self.over_space
        for densities, event, place, row in self._counted(e):
            if event is not None and not self._inside(event, place, row):
                continue
            self.bound = {**before, **densities}
            self.over_space = True
            try:
                total = add(total, self.scalar(e.args[0]))
            finally:
                self.bound, self.over_space = before, flag
        return total

    def at_outcomes(self, relation):
        """Both sides of a relation at every outcome that counts; Undefined where one has none."""
        body = sp.Tuple(*relation.args)
        for row in self._rows(self._space(body)):
            if not all(any(masses) for masses in row.values()):
                continue  # an outcome of a factor that never occurs
            densities = self._at(body, row)
            before, flag = self.bound, self.extended
            self.bound, self.extended = {**before, **densities}, True
            try:
                yield self.scalar(relation.lhs), self.scalar(relation.rhs)
            finally:
                self.bound, self.extended = before, flag

    def vanishes(self, e):
        """Is a product integrated against a density that is 0 here?"""
        whole = {}
        for factor in sp.Mul.make_args(e):
            base, exponent = factor.as_base_exp()
            if isinstance(base, privacy.Distribution):
                whole[base] = exponent
        if any(x != 1 for x in whole.values()):
            return False  # a monomial in the densities has conventions of its own
        return any(self.bound[d] == 0 for d in whole)

    def _loss_at(self, e):
        p, q = (self.scalar(d) for d in e.args)
        if p == q == 0:
            raise Undefined("log 0/0")
        if p == 0 or q == 0:
            return mp.inf if q == 0 else -mp.inf
        return reals.log(mul(p, reals.inverse(q)))

    def _ratio(self, e):
        p, q = (self.bound[d] for d in e.args)
        if p == q == 0:
            raise Undefined("0/0")
        return mp.inf if q == 0 else p / q

    def exponential_of_losses(self, exponent):
        """e^(c L + d): an infinite loss decides alone, unless c = 0."""
        exponent = sp.expand(exponent)
        ends = set()
        for loss in exponent.atoms(pointwise.LossAt):
            value = self._loss_at(loss)
            if not is_infinite(value):
                continue
            c = self.scalar(exponent.coeff(loss, 1))
            exponent = sp.expand(exponent - exponent.coeff(loss, 1) * loss)
            if num(c) == 0:
                continue
            real = mp.re(num(c)) * mp.sign(num(value))
            if real == 0 or (real > 0 and mp.im(num(c))):
                raise Undefined("a complex power of 0 or oo")
            ends.add(mp.inf if real > 0 else Fraction(0))
        if len(ends) == 2:
            raise Undefined("0 times oo")
        rest = reals.exp(self.scalar(exponent))
        return mul(ends.pop(), rest) if ends else rest

    # functions of a real variable -------------------------------------------------------------

    def signal_over_space(self, e, t):
        """A measure or an integral over the space whose event depends on ``t``."""
        if isinstance(e, privacy.Measure):
            e = privacy.IntegralOverSpace(*e.args)
        body = e.args[0]
        total, before, flag = Signal(), self.bound, self.over_space
        for densities, event, place, row in self._counted(e):
            self.bound = {**before, **densities}
            self.over_space = True
            try:
                part = self.signal(body, t)
                if event is not None and t not in event.free_symbols:
                    part = part.scaled(Fraction(int(self._inside(event, place, row))))
                elif event is not None:
                    self.bound = {**self.bound, **self._at(event, row)}
                    part = part * self._membership(event, t)
                total = total + part
            finally:
                self.bound, self.over_space = before, flag
        return total

    def _membership(self, event, t):
        if not isinstance(event, pointwise.Where):
            raise Unclear("the complement of an event that moves")
        relation = event.args[0]
        if any(is_infinite(self._loss_at(x)) for x in relation.atoms(pointwise.LossAt)):
            return Signal.constant(Fraction(int(self.holds(relation.subs(t, 0)))))
        if relation.rel_op == "==":
            return Signal()  # almost nowhere
        return self._signal_relation(relation, t)
