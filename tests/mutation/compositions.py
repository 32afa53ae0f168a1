"""Compositions for the oracle: families, joint pairs, releases by history, recursions, means.

Everything is computed from masses: a joint pair outcome by outcome, a recursion by its own steps, a
binomial mean by its weights.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import comb

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import sequences
from lapdp.privacy import families
from lapdp.privacy import nodes as privacy
from lapdp.theory import language
from tests.mutation import shapes
from tests.mutation.fitting import family
from tests.oracle import finite, reals
from tests.oracle.reals import Unclear, Undefined, add, mul

LARGEST = 4
"""Hypotheses for all whole numbers are asked up to the largest that is drawn."""


def parts(statement):
    """All pairs a statement speaks of, those inside of others too."""
    found = {id(p): p for pair in statement.pairs for a in pair.atoms()
             for p in families.parts_of(a)}
    return list(found.values())


def dependent(pair):
    """Is the pair computed from others at each instance, rather than drawn?"""
    return pair.role is not None or bool(pair.factors) or has_elements(pair.mechanism)


def has_elements(mechanism):
    """Do parameters of a mechanism speak of elements of sequences?"""
    return any(isinstance(v, sp.Basic) and v.has(sequences.Term)
               for v in vars(mechanism).values()) if hasattr(mechanism, "__dict__") else False


def channel(rng, rows):
    """A random stochastic matrix with two columns."""
    return [(p, 1 - p) for p in (Fraction(rng.randint(0, 4), 4) for _ in range(rows))]


class Composing:
    """What is drawn for families, sequences and releases."""

    def __init__(self, statement, rng):
        self.rng = random.Random(rng.random())
        self.families, self.releases, self.sequences = {}, {}, {}
        self.places, self.laws, self.channels = {}, {}, {}
        self.statement = statement

    # sequences ----------------------------------------------------------------------------------

    def element(self, name, index):
        """Element ``index`` of a sequence: a privacy parameter where the name says so."""
        if index.denominator != 1 or index < 0:
            raise Unclear(f"element {index} of a sequence")
        if (name, index) not in self.sequences:
            text = str(name)
            if "eps" in text:
                value = reals.log(self.rng.choice((Fraction(1), Fraction(2), Fraction(5))))
            else:
                value = Fraction(self.rng.choice((0, 1, 2, 4)), 4)
            self.sequences[name, index] = value
        return self.sequences[name, index]

    # pairs --------------------------------------------------------------------------------------

    def masses(self, pair, instance):
        """(P, Q) of a pair with a role, at the present outcomes."""
        role = pair.role
        if role is None:
            return self._mechanism(pair.mechanism, instance)
        if isinstance(role, families.Family):
            return self._family(pair, instance)[self._place(role.outcome)]
        if isinstance(role, families.Joint):
            P, Q = instance.masses(role.first)
            fibres = self._family(role.second, instance)
            return tuple(tuple(m * x for m, fibre in zip(M, fibres, strict=True)
                               for x in fibre[side]) for side, M in enumerate((P, Q)))
        if isinstance(role, families.Averaged):
            return self._mean(role.family, instance)
        if isinstance(role, families.Processed):
            return self._processed(role, instance)
        if isinstance(role, families.OnUnitInterval):
            from tests.mutation.walker import Walker

            return shapes.on_unit_interval(role, Walker(instance))
        index = whole(role.index, instance)
        if isinstance(role, families.Conditional):
            history = self._place(role.outcome)
            if len(history) != index - 1:
                raise Unclear("a history of another length")
            return self._release(role.composition, index, history, instance)
        found = self.histories(role.composition, index, instance).values()
        return tuple(zip(*found, strict=True))

    def _processed(self, role, instance):
        """Outputs of a channel, of which a matrix is drawn once for so many inputs."""
        inputs = instance.masses(role.first)
        key = id(role.channel), len(inputs[0])
        if key not in self.channels:
            self.channels[key] = channel(self.rng, len(inputs[0]))
        rows = self.channels[key]
        laws = [[sum((m * row[k] for m, row in zip(law, rows, strict=True)), Fraction(0))
                 for k in range(len(rows[0]))] for law in inputs]
        kept = [k for k in range(len(rows[0])) if any(law[k] for law in laws)]
        return tuple(tuple(law[k] for k in kept) for law in laws)

    def _mean(self, pair, instance):
        """Each member's mean over a law of the outcome, drawn once for all of them."""
        fibres = self._family(pair, instance)
        law = self.laws.setdefault((pair.role.outcome, len(fibres)), self._law(len(fibres)))
        width = max(len(fibre[0]) for fibre in fibres)
        return tuple(
            tuple(sum((w * fibre[side][k] for w, fibre in zip(law, fibres, strict=True)
                       if k < len(fibre[side])), Fraction(0)) for k in range(width))
            for side in range(len(pair.names)))

    def _law(self, size):
        counts = [self.rng.randint(0, 3) for _ in range(size)]
        counts[0] += not any(counts)
        return [Fraction(n, sum(counts)) for n in counts]

    def _place(self, outcome):
        if outcome not in self.places:
            raise Unclear("an outcome without a quantifier")
        return self.places[outcome]

    def _family(self, pair, instance):
        """The pairs of a family: many are garbled versions of another pair of the statement."""
        if id(pair) not in self.families and len(pair.names) > 2:
            self.families[id(pair)] = [self._several(pair, instance) for _ in range(2)]
        if id(pair) not in self.families:
            joints = [p.role for p in parts(self.statement)
                      if isinstance(p.role, families.Joint) and p.role.second is pair]
            size = len(instance.masses(joints[0].first)[0]) if joints else 2
            plain = [p for p in parts(self.statement) if not dependent(p)]
            others = [p for p in plain if not any(j.first is p for j in joints)] or plain
            self.families[id(pair)] = [
                self._garbled(instance.masses(self.rng.choice(others)) if others
                              else finite.random_pair(self.rng)) for _ in range(size)]
        return self.families[id(pair)]

    def _several(self, pair, instance):
        """Distributions on one space: at random, or the members of a pair, some of them twice."""
        plain = [p for p in parts(self.statement) if not dependent(p) and len(p.names) == 2]
        if plain and self.rng.random() < 0.7:
            masses = self._garbled(instance.masses(self.rng.choice(plain)))
            return tuple(self.rng.choice(masses) for _ in pair.names)
        return family(self.rng, len(pair.names))

    def _garbled(self, masses):
        if self.rng.random() < 0.4:
            return finite.random_pair(self.rng)
        if self.rng.random() < 0.3:
            return masses
        return finite.post_process(*masses, channel(self.rng, len(masses[0])))

    def _release(self, composition, index, history, instance):
        key = (id(composition), index, history)
        if key not in self.releases:
            if composition.each is not None:
                self.releases[key] = instance.masses(composition.each[0].pair)
            elif composition.mechanism is not None:
                self.releases[key] = self._mechanism(composition.mechanism(sp.Integer(index)),
                                                     instance)
            else:
                self.releases[key] = self._garbled(self._worst(index))
        return self.releases[key]

    def _worst(self, index):
        """Randomized response at the parameters of a release, where sequences give them."""
        names = {str(x.args[0]): x.args[0] for form in (self.statement.claim,
                                                        *self.statement.where)
                 for e in language.expressions(form)
                 for x in sp.sympify(e).atoms(sequences.Term)}
        eps = next((s for n, s in names.items() if "eps" in n), None)
        leak = next((s for n, s in names.items() if "delta" in n), None)
        if eps is None or leak is None:
            return finite.random_pair(self.rng)
        odds = reals.exp(self.element(eps, Fraction(index)))
        return finite.randomized_response(odds, self.element(leak, Fraction(index)))

    def _mechanism(self, mechanism, instance):
        from tests.mutation.walker import Walker

        if type(mechanism).__name__ != "RandomizedResponse":
            raise Unclear(f"the oracle has no masses for {type(mechanism).__name__}")
        walker = Walker(instance)
        odds, leak = reals.exp(walker.scalar(mechanism.eps)), walker.scalar(mechanism.leak)
        if not isinstance(odds, Fraction) or not isinstance(leak, Fraction):
            raise Unclear("randomized response with irrational masses")
        if odds < 1 or not 0 <= leak <= 1:
            raise Unclear("parameters that no mechanism has")
        return finite.randomized_response(odds, leak)

    def histories(self, composition, length, instance):
        """{history: (P, Q)} of the first releases together."""
        found = {(): (Fraction(1), Fraction(1))}
        for index in range(1, length + 1):
            longer = {}
            for history, (p, q) in found.items():
                release = self._release(composition, index, history, instance)
                for y, (a, b) in enumerate(zip(*release, strict=True)):
                    longer[*history, y] = (p * a, q * b)
            found = longer
        return found

    def places_of(self, outcome, form, instance):
        """What the outcome may be: for the families of a form that depend on it."""
        found = set()
        for e in language.expressions(form):
            for s in sp.sympify(e).free_symbols:
                role = s.pair.role if isinstance(s, privacy.Distribution) else None
                if isinstance(role, families.Family) and role.outcome == outcome:
                    found.add(tuple(range(len(self._family(s.pair, instance)))))
                if isinstance(role, families.Conditional) and role.outcome == outcome:
                    index = whole(role.index, instance)
                    found.add(tuple(self.histories(role.composition, index - 1, instance)))
        if len(found) != 1:
            raise Unclear("outcomes of several spaces, or of none")
        return found.pop()


def whole(index, instance):
    """The value of an index at an instance."""
    from tests.mutation.walker import Walker

    value = Walker(instance).scalar(index)
    if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= 12:
        raise Unclear(f"the index {index}")
    return int(value)


# values ------------------------------------------------------------------------------------------


def recursive(walker, e):
    """d(index, t) by its steps."""
    rule, index, point = e.args
    return _element(walker, rule, whole_value(walker, index), walker.scalar(point), {})


def whole_value(walker, index):
    value = walker.scalar(index)
    if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
        raise Unclear(f"the index {index}")
    return int(value)


def _element(walker, rule, n, t, known):
    if (n, t) in known:
        return known[n, t]
    before = walker.bound
    body = rule.args[2] if n else rule.args[1]
    steps = {}
    try:
        walker.bound = {**before, sequences.POINT: t, sequences.INDEX: Fraction(n)}
        for x in body.atoms(sequences.Previous):
            at = walker.scalar(x.args[0])
            steps[x] = _element(walker, rule, n - 1, at, known)
            walker.bound = {**before, sequences.POINT: t, sequences.INDEX: Fraction(n)}
        walker.bound = {**walker.bound, **steps}
        known[n, t] = walker.scalar(body)
    finally:
        walker.bound = before
    return known[n, t]


def binomial_mean(walker, e):
    """The sum over y of C(n, y) p^y (1 - p)^(n - y) body(y)."""
    body, y, n, p = e.args
    n, p = whole_value(walker, n), walker.scalar(p)
    total = Fraction(0)
    for j, value in _bodies(walker, body, y, range(n + 1)):
        weight = Fraction(comb(n, j))
        for factor in [p] * j + [reals.sub(Fraction(1), p)] * (n - j):
            weight = mul(weight, factor)
        total = add(total, mul(weight, value))
    return total


def finite_sum(walker, e):
    """The sum of the bodies."""
    body, i, first, last = e.args
    first, last = (walker.scalar(x) for x in (first, last))
    total = Fraction(0)
    for _, value in _bodies(walker, body, i, range(int(first), int(last) + 1)):
        total = add(total, value)
    return total


def _bodies(walker, body, variable, numbers):
    before = walker.bound
    try:
        for j in numbers:
            walker.bound = {**before, variable: Fraction(j)}
            value = walker.scalar(body)
            walker.bound = before
            yield j, value
    finally:
        walker.bound = before


def supremum(walker, e):
    """The largest value over the outcomes."""
    body, x = e.args
    best = None
    for _ in each_place(walker, x, language.Defined(body)):
        value = walker.scalar(body)
        if best is None or reals.compare(value, best) > 0:
            best = value
    return best


def each_place(walker, x, form):
    """Set the outcome to each of its places."""
    composing = walker.instance.composing
    before = composing.places
    try:
        for place in composing.places_of(x, form, walker.instance):
            composing.places = {**before, x: place}
            yield place
    finally:
        composing.places = before


# universal forms ---------------------------------------------------------------------------------

_TRIED = [Fraction(n, 4) for n in (0, 4, -4, 8, 2, -2, 12)] + [
    reals.log(Fraction(a, b)) for a, b in ((2, 1), (1, 2), (3, 1), (5, 2), (1, 7))]


def for_all(form, walker, true):
    """Does a form hold for all values?  False by example; true for dominance, or finitely many."""
    relation = form.claim
    if isinstance(relation, sp.Le) and isinstance(relation.lhs, privacy.SupOverOutcomes):
        # a supremum is bounded iff every value is
        body, x = relation.lhs.args
        form = language.ForAll((*form.over, x), language.Le(body, relation.rhs), form.where)
    numbers = [s for s in form.over if s.is_integer]
    outcomes = [s for s in form.over if isinstance(s, privacy.Outcome)]
    variables = [s for s in form.over if s not in numbers and s not in outcomes]
    return _over_numbers(form, numbers, outcomes, variables, walker, true)


def _over_numbers(form, numbers, outcomes, variables, walker, true):
    before = walker.instance.symbols
    start = [1 if s.is_positive else 0 for s in numbers]
    try:
        for values in product(*(range(a, LARGEST + 1) for a in start)):
            walker.instance.symbols = {**before, **{
                s: Fraction(v) for s, v in zip(numbers, values, strict=True)}}
            if not _over_outcomes(form, outcomes, variables, walker, true):
                return False
        return True
    finally:
        walker.instance.symbols = before


def _over_outcomes(form, outcomes, variables, walker, true):
    if not outcomes:
        return _over_reals(form, variables, walker, true)
    first, *rest = outcomes
    return all([_over_outcomes(form, rest, variables, walker, true)
                for _ in each_place(walker, first, form)])


def _curve(e, variables, walker):
    """The masses of the two distributions whose profile, at the variable, an expression is."""
    if isinstance(e, privacy.Profile):
        return walker.instance.oriented(*e.args[:2]) if (e.args[2],) == tuple(variables) else None
    if not isinstance(e, privacy.SupOverEvents) or len(variables) != 1:
        return None
    body, event = e.args
    found = {c: d for d in body.atoms(privacy.Distribution)
             for c in (sp.expand(body).coeff(privacy.Measure(d, event)),)}
    rest = {sp.Integer(1), -sp.exp(variables[0])} ^ set(found)
    if rest or len(found) != len(body.atoms(privacy.Distribution)):
        return None
    return tuple(walker.instance.masses(d.pair)[d.side]
                 for d in (found[sp.Integer(1)], found[-sp.exp(variables[0])]))


def _over_reals(form, variables, walker, true):
    relation = form.claim
    if not variables:
        return not all(true(h, walker) for h in form.where) or true(relation, walker)
    before = walker.instance.symbols
    try:
        for value in _TRIED:
            walker.instance.symbols = {**before, **dict.fromkeys(variables, value)}
            try:
                if all(true(h, walker) for h in form.where) and not true(relation, walker):
                    return False
            except (Undefined, Unclear):
                continue
    finally:
        walker.instance.symbols = before
    ordered = isinstance(relation, Relational) and relation.rel_op in ("<=", ">=")
    sides = [_curve(e, variables, walker) for e in (relation.lhs, relation.rhs)] if ordered else []
    if not sides or None in sides:
        return shapes.ordered(form, walker)
    if relation.rel_op == "<=":
        sides.reverse()
    found = finite.dominates(*sides)
    if not found and form.where:
        raise Unclear("dominance on a part of the line")
    return found
