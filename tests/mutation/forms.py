"""Truth of claims and hypotheses at one instance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from mpmath import mp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as calculus
from lapdp.privacy import nodes as privacy
from lapdp.privacy import pointwise
from lapdp.theory import language
from tests.mutation import shapes
from tests.mutation.compositions import for_all
from tests.mutation.fitting import combination
from tests.oracle import finite, reals
from tests.oracle.feasible import mixtures_exist
from tests.oracle.reals import Unclear, Undefined, compare, is_infinite, num

LARGEST_CHOICE = 12
"""Outcomes, for each event, of the spaces in which all events are tried at once."""
CLEAR = 20
"""A relative gap above 10^-20 is clear; one below 10^-30 counts as none; between: no verdict."""


def supposed(form, walker):
    """A hypothesis without a value at an instance is not satisfied there."""
    try:
        return true(form, walker)
    except Undefined:
        return False


def true(form, walker):
    """Does a form hold at the walker's instance?  Undefined and Unclear pass through."""
    for kind, check in _FORMS.items():
        if isinstance(form, kind):
            return check(form, walker)
    raise Unclear(f"the oracle does not know {type(form).__name__}")


def _stands_free(e):
    """Does a density or a loss at an outcome stand outside every integral and event?"""
    if isinstance(e, (privacy.Distribution, pointwise.LossAt, pointwise.Ratio)):
        return True
    if isinstance(e, calculus.Node) and not isinstance(e, calculus.Indicator):
        return False
    return any(map(_stands_free, e.args))


def _at_every_outcome(form, walker):
    try:
        return all(_equal(x, y) if isinstance(form, sp.Eq) else _ordered(form.rel_op, x, y)
                   for x, y in walker.at_outcomes(form))
    except Undefined:
        return False


def _relation(form, walker):
    if any(map(_stands_free, form.args)):
        return _at_every_outcome(form, walker)
    if isinstance(form, sp.Eq):
        variables = _generalised(form)
        if variables:
            return _equal_measures(form, walker, variables)
        sides = [_side(e, walker) for e in (form.lhs, form.rhs)]
        if all(isinstance(s, Undefined) for s in sides):
            raise sides[0]
        if any(isinstance(s, Undefined) for s in sides):
            return False
        return _equal(*sides)
    left, right = walker.scalar(form.lhs), walker.scalar(form.rhs)
    if isinstance(form, sp.Ne):
        return not _equal(left, right)
    return _ordered(form.rel_op, left, right)


def _side(e, walker):
    try:
        return walker.scalar(e)
    except Undefined as reason:
        return reason


def _equal(x, y):
    if is_infinite(x) or is_infinite(y):
        return bool(num(x) == num(y))
    gap = reals.sub(x, y)
    if reals.is_exact(gap):
        return gap == 0
    size = max(mp.mpf(1), abs(num(x)), abs(num(y)))
    relative = abs(num(gap)) / size
    if relative > mp.mpf(10) ** -CLEAR:
        return False
    if relative > mp.mpf(10) ** -(CLEAR + 10):
        raise Unclear("a gap that is neither clear nor none")
    return True


def _ordered(relation, x, y):
    if is_infinite(x) and is_infinite(y) and num(x) == num(y):
        if "=" in relation:
            return True
        raise Unclear("oo < oo")
    if not is_infinite(x) and not is_infinite(y):
        gap = reals.sub(x, y)
        if mp.im(num(gap)):
            raise Undefined("an order of complex numbers")
        if not reals.is_exact(gap) and _equal(x, y):
            if "=" in relation:
                return True
            raise Unclear("a strict relation at equality to working precision")
    order = compare(x, y)
    return {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[relation]


# equalities of generalised functions ------------------------------------------------------------


def _generalised(form):
    """Variables in which a side is a measure outside of every integral."""
    found = set()
    for e in (form.lhs, form.rhs):
        _collect(e, found)
    return sorted(found, key=str)


def _collect(e, found):
    if isinstance(e, (calculus.OneSided, calculus.Bilateral, calculus.IntegralOnLine,
                      calculus.Limit, calculus.Impulse, calculus.Bromwich,
                      calculus.SymmetricIntegral, privacy.Expectation)):
        return
    if isinstance(e, privacy.LossDensity):
        found |= {s for s in e.args[1].free_symbols if s.is_real}
    elif isinstance(e, calculus.GeneralizedDerivative):
        found.add(e.args[1])
    elif isinstance(e, calculus.Convolution):
        found.add(e.args[2])
    else:
        for a in e.args:
            _collect(a, found)


def _equal_measures(form, walker, variables):
    if len(variables) != 1:
        raise Unclear("an equality of measures in several variables")
    t = variables[0]
    sides = []
    for e in (form.lhs, form.rhs):
        try:
            sides.append(walker.signal(e, t))
        except Undefined as reason:
            sides.append(reason)
    undefined = [s for s in sides if isinstance(s, Undefined)]
    if len(undefined) == 1:
        return False
    if undefined:
        raise undefined[0]
    if not sides[0].same_measure(sides[1], mp.mpf(10) ** -CLEAR):
        return False
    values = [_side(e, walker) for e in (form.lhs, form.rhs)]
    return any(isinstance(v, Undefined) for v in values) or _equal(*values)


# other forms ------------------------------------------------------------------------------------


def _defined(form, walker):
    try:
        return not is_infinite(walker.scalar(form.expr))
    except Undefined:
        return False


def _continuous(form, walker):
    signal = walker.signal(form.expr, form.t)
    if signal.impulses:
        return False
    return all(_equal(signal.limit(x, -1), signal.limit(x, 1)) and _has_value(signal, x)
               for x in signal.breaks)


def _has_value(signal, x):
    try:
        return _equal(signal.value(x), signal.limit(x, 1))
    except Undefined:
        return False


def _absolutely_continuous(form, walker):
    P, Q = walker.instance.oriented(form.P, form.Q)
    return all(q or not p for p, q in zip(P, Q, strict=True))


def _one_way(form, walker):
    P, Q = walker.instance.oriented(form.P, form.Q)
    rows = list(zip(P, Q, strict=True))
    return all(q or not p for p, q in rows) or all(p or not q for p, q in rows)


def _no_atom(form, walker):
    event = privacy.Probability(form.Z, sp.Symbol("=="), form.x)
    return walker.scalar(event) == 0


def _big_o(form, walker):
    """Growth of exponential polynomials at infinity; the bound must keep off 0 there."""
    at = walker.scalar(form.point)
    if not is_infinite(at):
        raise Unclear("a rate at a finite point")
    side = 1 if at == mp.inf else -1
    small, bound = (walker.signal(e, form.t).pieces[-1 if side == 1 else 0]
                    for e in (form.expr, form.bound))

    def growth(piece):
        return max(((side * mp.re(num(a)), n) for n, a in piece), default=None)

    if growth(small) is None:
        return True
    return growth(bound) is not None and growth(small) <= growth(bound)


_TRIED = [Fraction(n, 4) for n in (0, 4, -4, 8, 2, 6, -2, 10, 12, 16, 40)]


def _exists(form, walker):
    """True when a value is found among some; never false."""
    before = walker.instance.symbols
    try:
        for value in _TRIED:
            walker.instance.symbols = {**before, form.symbol: value}
            try:
                if all(supposed(h, walker) for h in form.where) and true(form.claim, walker):
                    return True
            except (Undefined, Unclear):
                continue
    finally:
        walker.instance.symbols = before
    raise Unclear("no value found for a claim of existence")


def _implies(form, walker):
    if not _throughout(form.hypothesis, form.over, walker):
        return True
    return true(form.conclusion, walker)


def _iff(form, walker):
    sides = [_throughout(side, [s for s in form.over if _mentions(side, s)], walker)
             for side in (form.first, form.second)]
    return sides[0] == sides[1]


def _mentions(form, symbol):
    return any(symbol in sp.sympify(e).free_symbols for e in language.expressions(form))


def _throughout(form, over, walker):
    """Does a form hold for all values of the bound variables?"""
    if not over:
        return supposed(form, walker)
    if all(isinstance(s, privacy.Event) for s in over):
        return _for_all_events(form, over, walker)
    return _for_all(language.Implies(form, form, over=tuple(over)), walker)


def _universal(form, walker):
    if not form.where and all(isinstance(s, privacy.Event) for s in form.over):
        return _for_all_events(form.claim, form.over, walker)
    return for_all(form, walker, true)


def _for_all_events(form, over, walker):
    """Every subset of the outcomes, one event at a time."""
    (event,) = over
    measures = {m for e in language.expressions(form) for m in sp.sympify(e).atoms(
        privacy.Measure) if event in m.free_symbols}
    (size,) = {len(walker.instance.masses(m.args[0].pair)[0]) for m in measures}
    before = walker.bound
    try:
        for chosen in finite.subsets(size):
            walker.bound = {**before, event: frozenset(chosen)}
            if not true(form, walker):
                return False
    finally:
        walker.bound = before
    return True


def _for_all(form, walker):
    """Does the hypothesis hold for all values of ``over``?  False by example, true by dominance."""
    before = walker.instance.symbols
    positive = any(s.is_positive for s in form.over)
    try:
        for value in _TRIED:
            if positive and value <= 0:
                continue
            walker.instance.symbols = {**before, **dict.fromkeys(form.over, value)}
            try:
                if not true(form.hypothesis, walker):
                    return False
            except (Undefined, Unclear):
                continue
    finally:
        walker.instance.symbols = before
    h = form.hypothesis
    profiles = isinstance(h, Relational) and h.rel_op in ("<=", ">=") and all(
        isinstance(e, privacy.Profile) and (e.args[2],) == tuple(form.over)
        for e in (h.lhs, h.rhs)
    )
    if not profiles:
        raise Unclear("a hypothesis for all values of a variable")
    sides = [h.lhs, h.rhs] if h.rel_op == ">=" else [h.rhs, h.lhs]
    return finite.dominates(*(walker.instance.oriented(*e.args[:2]) for e in sides),
                            above=Fraction(int(positive)))


def _same_measure(form, walker):
    left, right = (combination(e, walker) for e in (form.lhs, form.rhs))
    return all(map(_equal, left, right))


def _exist_distributions(form, walker):
    """Decided by a linear programme in the masses of the distributions."""
    targets, weights = [], []
    for c in form.claims:
        targets.append(combination(c.lhs, walker))
        vector = []
        for d in form.made:
            zero = dict.fromkeys(form.made, Fraction(0))
            before, walker.bound = walker.bound, {**walker.bound, **zero, d: Fraction(1)}
            try:
                vector.append(walker.scalar(c.rhs))
            finally:
                walker.bound = before
        if not all(isinstance(w, Fraction) for w in vector):
            raise Unclear("irrational weights")
        weights.append(vector)
    return mixtures_exist(targets, weights)


def _implies_on(form, walker):
    if (form.lower, form.upper) != (0, 1):
        raise Unclear("a hypothesis at other reals than levels")
    if not walker.relation_on_levels(form.hypothesis, form.t):
        return True
    return true(form.conclusion, walker)


def _continuous_on(form, walker):
    """Piecewise linear without jumps: the vertices are checked when they are found."""
    if (form.lower, form.upper) != (0, 1):
        raise Unclear("continuity at other reals than levels")
    return len(walker.curve(form.expr, form.t)) > 1


def _exist_events(form, walker):
    """All sets of outcomes are tried."""
    measures = {m for e in language.expressions(form) for m in sp.sympify(e).atoms(
        privacy.Measure)}
    (size,) = {len(walker.instance.masses(m.args[0].pair)[0]) for m in measures}
    if size * (len(form.made) + 1) > LARGEST_CHOICE:
        raise Unclear("too many events")
    before = walker.bound
    try:
        for chosen in product(finite.subsets(size), repeat=len(form.made)):
            walker.bound = {**before, **{
                s: frozenset(x) for s, x in zip(form.made, chosen, strict=True)}}
            if all(true(c, walker) for c in form.claims):
                return True
        return False
    finally:
        walker.bound = before


_FORMS = {
    Relational: _relation,
    language.ImpliesOn: _implies_on,
    language.ContinuousOn: _continuous_on,
    language.ConvexOn: shapes.convex, language.NonincreasingOn: shapes.nonincreasing,
    language.Converges: lambda form, walker: walker.converges(form.node),
    language.Diverges: lambda form, walker: not walker.converges(form.node),
    language.Defined: _defined,
    language.Continuous: _continuous,
    language.AbsolutelyContinuous: _absolutely_continuous,
    language.OneWayContinuous: _one_way,
    language.NoAtom: _no_atom,
    language.BigO: _big_o,
    language.Exists: _exists,
    language.Implies: _implies,
    language.SameMeasure: _same_measure,
    language.ExistsDistributions: _exist_distributions,
    language.AllOf: lambda form, walker: all(true(c, walker) for c in form.claims),
    language.ExistsEvents: _exist_events,
    language.Iff: _iff,
    language.ForAll: _universal,
}
