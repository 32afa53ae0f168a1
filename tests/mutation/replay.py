"""The oracle at the engine's own witness: is it a counterexample by the definitions too?"""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

import sympy as sp
from mpmath import mp
from sympy.core.relational import Relational

from lapdp.calculus.sequences import Term
from lapdp.privacy.families import Composed, Conditional, Family, Processed, parts_of
from lapdp.theory.language import expressions, free_events, pairs_of
from tests.mutation.compositions import Composing, parts
from tests.mutation.fitting import mix
from tests.mutation.forms import supposed, true
from tests.mutation.instance import Instance
from tests.mutation.instances import base_pairs, distributions, free_functions
from tests.mutation.oracle_check import DIGITS
from tests.mutation.walker import Walker
from tests.oracle import finite
from tests.oracle.reals import Unclear, Undefined, is_infinite
from tests.oracle.signals import Signal

_FINITE = re.compile(r"finite\(\[(.*?)\], \[(.*?)\]\)")
_RESPONSE = re.compile(
    r"(?:mechanism_pair\()?randomized_response\((.*?), ([^()]*(?:\([^()]*\))?)\)\)?")
_OUTCOMES = re.compile(r"(?:mechanism_pair\()?outcomes\(\{(.*)\}\)\)?")
_ROW = re.compile(r'"[^"]*": \((.*?), ((?:[^,"]|\([^"]*?\))*)\)(?=, "|$)')


RELEASES = "the witness does not name all releases of which a hypothesis speaks"


def replay(statement, witness):
    """What the oracle says of a refutation at its witness.

    ``confirmed``: the hypotheses hold there and the claim does not; ``undefined``: no side of the
    claim has a value; ``infinite``: the claim holds for the oracle with oo as a value, while a
    divergent transform has no value for the engine; ``denied``: the claim holds; ``outside``: a
    hypothesis fails; ``beyond``: an instance or a convention that the oracle does not have, with
    the reason.
    """
    with mp.workdps(DIGITS):
        try:
            walker = Walker(read(statement, witness.text))
            for h in statement.where:
                if not supposed(h, walker):
                    return f"beyond: {RELEASES}" if _of_releases(h) else "outside"
            if not true(statement.claim, walker):
                return "confirmed"
            return "infinite" if _infinite(statement.claim, walker) else "denied"
        except Undefined:
            return "undefined"
        except Unclear as reason:
            return f"beyond: {reason}"


def _of_releases(form):
    """Does a hypothesis speak of every release of a composition?  A witness names the first k."""
    return any(isinstance(part.role, Conditional) for pair in pairs_of(form)
               for atom in pair.atoms() for part in parts_of(atom))


def _infinite(claim, walker):
    claim = getattr(claim, "conclusion", claim)
    if not isinstance(claim, Relational):
        return False
    sides = [is_infinite(walker.scalar(e)) for e in (claim.lhs, claim.rhs)]
    return all(sides) if isinstance(claim, sp.Eq) else any(sides)


def read(statement, text):
    """The instance that a witness describes; Unclear for what the oracle does not have."""
    given = dict(part.split(" = ", 1) for part in text.split("; ") if " = " in part)
    numbers = Walker(Instance({}, {}))
    pairs = {id(p): _masses(given.get(", ".join(p.names), "pairs at a limit"), numbers)
             if len(p.names) == 2 else _rows(p.names, given)
             for p in base_pairs(statement)}
    t = sp.Symbol("t", real=True)
    functions = {name: _signal(sp.sympify(given[f"{name}(t)"], {"t": t}), t, numbers)
                 for name in free_functions(statement)}
    symbols = {s: numbers.scalar(sp.sympify(given[str(s)]))
               for s in statement.parameters if str(s) in given}
    events = {s: frozenset(map(int, re.findall(r"\d+", given[str(s)])))
              for s in free_events(statement)}
    found = Instance(pairs, symbols, functions, events, Composing(statement, Random(0)))
    _read_compositions(statement, text, given, numbers, found.composing)
    mix(statement, found, Walker(found))
    return found


def _rows(names, given):
    """The masses of several distributions, as the witness writes them; else they sit at different
    outcomes, but for the mixtures."""
    count = len(names)
    if all(given.get(name, "").startswith("(") for name in names):
        return tuple(tuple(map(Fraction, given[name].strip("()").split(", "))) for name in names)
    return tuple(tuple(Fraction(int(i == k)) for i in range(count)) for k in range(count))


_ELEMENT = re.compile(r"(.+)_(\d+)'*$")
_AT = re.compile(r"([^;]+) at (\w+) = (\d+) = mechanism_pair\(([^;]*)\)")


def _read_compositions(statement, text, given, numbers, composing):
    """Families, elements of sequences and releases; compositions beyond two releases are not."""
    at = {(names.strip(), int(place)): _masses(pair, numbers)
          for names, _, place, pair in _AT.findall(text)}
    names = {str(x.args[0]): x.args[0] for form in (statement.claim, *statement.where)
             for e in expressions(form) for x in sp.sympify(e).atoms(Term)}
    for key, value in given.items():
        found = _ELEMENT.match(key)
        if found and found[1] in names:
            composing.sequences[names[found[1]], Fraction(int(found[2]))] = numbers.scalar(
                sp.sympify(value))
    for pair in parts(statement):
        if isinstance(pair.role, Family):
            fibres = _members_of_a_pair(pair, given, at) if len(pair.names) > 2 else _places(
                at, ", ".join(pair.names))
            composing.families[id(pair)] = fibres
            if fibres:  # means are over the uniform law
                law = [Fraction(1, len(fibres))] * len(fibres)
                composing.laws[pair.role.outcome, len(fibres)] = law
        if isinstance(pair.role, Processed):
            name = pair.role.channel.name
            rows = [[Fraction(m.strip(' "')) for m in row.split(",")]
                    for row in re.findall(r"\[([^\[\]]+)\]", given.get(name, ""))]
            composing.channels[id(pair.role.channel), len(rows)] = rows
        if isinstance(pair.role, (Composed, Conditional)):
            composition = pair.role.composition
            first, second = (", ".join(f"{n}_{j}" for n in composition.names) for j in (1, 2))
            letter = pair.role.outcome if isinstance(pair.role, Conditional) else "x"
            later = ", ".join(f"{n}_2^{letter}" for n in composition.names)
            if first in given:
                composing.releases[id(composition), 1, ()] = _masses(given[first], numbers)
            for j, masses in enumerate(_places(at, later) if second not in given else []):
                composing.releases[id(composition), 2, (j,)] = masses


def _members_of_a_pair(pair, given, at):
    """Several distributions that a witness takes to be the members of one pair, place by place.

    It says so in its first part, as in ``M_0^b = A, M_x^b = A, M_y^b = B``.
    """
    first, *others = pair.names
    sides = re.findall(r" = ([AB])(?=, |$)", f"{first} = {given.get(first, '')}")
    if len(sides) != 1 + len(others):
        raise Unclear("distributions that the witness does not name")
    made = {who for who, _ in at if re.fullmatch(r"A'*\^(\w+), B'*\^\1", who)}
    if len(made) != 1:
        raise Unclear("a family that the witness does not name")
    return [tuple(masses["AB".index(side)] for side in sides)
            for masses in _places(at, made.pop())]


def _places(at, names):
    return [masses for (who, _), masses in sorted(at.items()) if who == names]


def _masses(text, numbers):
    found = _FINITE.search(text)
    if found:
        return tuple(tuple(Fraction(m.strip('"')) for m in side.split(", "))
                     for side in found.groups())
    found = _RESPONSE.fullmatch(text)
    if found:
        odds, leak = (numbers.scalar(sp.sympify(x)) for x in (f"exp({found[1]})", found[2]))
        if isinstance(odds, Fraction) and isinstance(leak, Fraction):
            return finite.randomized_response(odds, leak)
    found = _OUTCOMES.fullmatch(text)
    if found:
        return distributions([[numbers.scalar(sp.sympify(x)) for x in row]
                              for row in _ROW.findall(found[1])])
    raise Unclear(f"the oracle does not have {text}")


def _signal(e, t, numbers):
    """Steps, impulses, exponentials, their sums and products, as signals."""
    if e.is_Add or e.is_Mul:
        first, *rest = (_signal(a, t, numbers) for a in e.args)
        for other in rest:
            first = first + other if e.is_Add else first * other
        return first
    if isinstance(e, (sp.Heaviside, sp.DiracDelta)):
        slope, offset = e.args[0].coeff(t, 1), e.args[0].coeff(t, 0)
        place = numbers.scalar(-offset / slope)
        if isinstance(e, sp.DiracDelta):
            return Signal.impulse(place)
        step = Signal.step(place)
        return step if slope > 0 else Signal.constant(Fraction(1)) - step
    return numbers.signal(e, t)
