"""A sentence that a known theorem says in other letters.

A theorem with free letters holds for whatever is put in their places.  Where its claim becomes that
of a sentence, and its hypotheses follow from those of the sentence, its derivation and a few steps
more are a derivation of the sentence.  Terms are compared as they are written: nothing is
simplified or reordered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Any

from lapdp.kernel import Bank, Refused
from lapdp.kernel.symbols import SIGNATURES
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import Derivation, Exhausted, NotFound
from lapdp.proving.keeping import lines_of
from lapdp.proving.space import Prover

MORE = 1_000
"""Steps beyond those of the theorem that is cited."""
ORDERLESS = frozenset({"add", "mul"})
TRIES, MOST_OPERANDS, MOST_INSTANCES = 5_000, 5, 4
"""Bounds of a comparison: terms, summands or factors in any order, instances of a law."""

Sentence = Sequence[tuple[Any, ...]]
"""Terms, each a symbol with the places of its arguments among those before."""
Values = dict[tuple[str, str], int]
"""What stands for letters, each a name and a sort."""


def parts(b: Bank, goal: int) -> tuple[list[int], int]:
    """The hypotheses of a sentence, conjunctions taken apart from the left, and its claim."""
    premises: list[int] = []
    while b.rows[goal][0] == "imp":
        left, goal = b.children(goal)
        while b.rows[left][0] == "and":
            first, left = b.children(left)
            premises.append(first)
        premises.append(left)
    return premises, goal


def sentence_of(lines: Sequence[str]) -> Sentence:
    """The terms of the last conclusion of a derivation, as lines that :func:`said` reads; its
    steps are not looked at.

    Raises :class:`ValueError` for lines that are no derivation.

    >>> b = Bank()
    >>> lines = ['["t","n",0,1]', '["t","n",5,1]', '["t","eq",0,0]', '["p","refl",2,[],[]]']
    >>> said(b, sentence_of(lines)) == b.make("eq", b.number(0), b.number(0))
    True
    """
    last = json.loads(lines[-1])
    if last[0] != "p":
        raise ValueError("no step at the end")
    rows = [line for line in lines if line.startswith('["t"')]
    found: list[tuple[Any, ...]] = []
    places: dict[int, int] = {}

    def place(i: int) -> int:
        if i not in places:
            _, symbol, *args = json.loads(rows[i])
            found.append((symbol, *(map(place, args) if symbol in SIGNATURES else args)))
            places[i] = len(found) - 1
        return places[i]

    place(last[2])
    return found


def said(b: Bank, sentence: Sentence) -> int:
    """The last of these terms, in ``b``.  Raises :class:`Refused` for what is no term."""
    terms: list[int] = []
    for symbol, *args in sentence:
        terms.append(b.make(symbol, *([terms[i] for i in args] if symbol in SIGNATURES else args)))
    return terms[-1]


def matches(b: Bank, pattern: int, term: int, values: Values, tries: int = TRIES
            ) -> Iterator[Values]:
    """What the letters of ``pattern`` may stand for so that it becomes ``term``, up to the order of
    summands and of factors; ``tries`` bounds how many terms are compared.

    What is put for a letter has no variable that a binder around it binds.

    >>> b = Bank(); x, y = b.letter("x", "R"), b.letter("y", "R"); two = b.number(2)
    >>> list(matches(b, b.make("add", x, b.make("exp", x)), b.make("add", b.make("exp", y), y), {}))
    [{('x', 'R'): 1}]
    >>> list(matches(b, b.make("add", x, x), b.make("add", two, y), {}))
    []
    """
    left = tries

    def found(todo: list[tuple[int, int]], values: Values) -> Iterator[Values]:
        nonlocal left
        todo, values, seen = list(todo), dict(values), set[tuple[int, int]]()
        while todo:
            left -= 1
            both = p, t = todo.pop()
            if both in seen:
                continue
            seen.add(both)
            row = b.rows[p]
            if left < 0:
                return
            if row[0] == "v":
                key = str(row[1]), str(row[2])
                if values.setdefault(key, t) != t or b.sorts[t] != key[1] or b.loose[t]:
                    return
            elif not b.letters[p]:
                if p != t:
                    return
            elif row[0] != b.rows[t][0] or len(row) != len(b.rows[t]):
                return
            elif row[0] in ORDERLESS:
                ours, theirs = (_operands(b, str(row[0]), u) for u in both)
                if len(ours) != len(theirs) or len(ours) > MOST_OPERANDS:
                    return
                for order in permutations(theirs):
                    yield from found([*todo, *zip(ours, order, strict=True)], values)
                return
            else:
                todo += zip(b.children(p), b.children(t), strict=True)
        yield values

    return found([(pattern, term)], values)


def _operands(b: Bank, symbol: str, t: int) -> list[int]:
    """The summands of sums in sums, or the factors."""
    if b.rows[t][0] != symbol:
        return [t]
    return [u for a in b.children(t) for u in _operands(b, symbol, a)]


def instances(b: Bank, law: int, goal: int) -> Iterator[Values]:
    """What the letters of a law may stand for: its claim is that of the goal, and letters of its
    hypotheses alone are found in hypotheses of the goal."""
    (premises, claim), (given, wanted) = parts(b, law), parts(b, goal)
    todo = list(islice(matches(b, claim, wanted, {}), MOST_INSTANCES))[::-1]
    while todo:
        values = todo.pop()
        unknown = [h for h in premises if not b.letters[h] <= values.keys()]
        if not unknown:
            yield values
            continue
        # the one with most letters says most about them
        first = max(unknown, key=lambda h: len(b.letters[h]))
        todo += [more for g in reversed(given) for more in matches(b, first, g, values)]


def cited(b: Bank, goal: int, lines: Sequence[str], sentence: Sentence | None = None
          ) -> list[str] | None:
    """A derivation of the goal by way of that of another sentence, :func:`sentence_of` the lines;
    None where it is none of it.

    >>> b = Bank(); law = ['["t","v","x","R"]', '["t","eq",0,0]', '["p","refl",1,[],[]]']
    >>> two, three = b.number(2), b.number(3)
    >>> [cited(b, b.make("eq", two, x), law) is None for x in (two, three)]
    [False, True]
    """
    try:
        law = said(b, sentence or sentence_of(lines))
        found = list(islice(instances(b, law, goal), MOST_INSTANCES))
    except (ValueError, Refused):
        return None
    d = Derivation(b, len(lines) + MORE)
    for values in found:
        try:
            theorem = _at(d, _again(d, lines), values)
            return lines_of(d, _concluded(d, goal, theorem))
        except (NotFound, Exhausted, NeedSplit, Refused, RecursionError):
            continue
    return None


def _again(d: Derivation, lines: Sequence[str]) -> int:
    """The last theorem of a derivation, derived in another one."""
    terms: list[int] = []
    steps: list[int] = []

    def entry(x: Any) -> Any:
        if isinstance(x, str):
            return x
        return [terms[x[0]], x[1]] if isinstance(x, list) else terms[x]

    for line in lines:
        kind, name, *rest = json.loads(line)
        if kind == "t":
            terms.append(d.mk(name, *([terms[i] for i in rest] if name in SIGNATURES else rest)))
        else:
            goal, premises, data = rest
            steps.append(d.do(name, terms[goal], [steps[i] for i in premises],
                              [entry(x) for x in data]))
    return steps[-1]


def _at(d: Derivation, theorem: int, values: Values) -> int:
    """A theorem without hypotheses, at values of its letters: all at once, as these may name them.
    """
    letters = sorted(d.b.letters[d.claim(theorem)])
    theorem = d.gen_all(letters, theorem)
    return d.at(theorem, [values[letter] for letter in letters])


def _concluded(d: Derivation, goal: int, theorem: int) -> int:
    """The goal from an implication of the same claim, what else that supposes being proved."""
    if d.claim(theorem) == goal:
        return theorem
    given, wanted = parts(d.b, goal)
    needed, claim = parts(d.b, d.claim(theorem))
    missing = [h for h in dict.fromkeys(needed) if h not in given]
    if claim != wanted:  # in another order
        missing.append(d.mk("imp", claim, wanted))
    more = [Prover(d).prove(d.mk("imp", d.conj(given), h) if given else h) for h in missing]
    return d.taut(goal, theorem, *more)


__all__ = ["Sentence", "cited", "instances", "matches", "parts", "said", "sentence_of"]
