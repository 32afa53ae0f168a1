"""Kept derivations, damaged: what the kernel still accepts must be true.

    python -m tests.campaigns.derivations [--mutants 5000] [--seed 0]

A number, symbol, binder, premise, rule, conclusion or entry of a kept derivation is changed.  The
kernel refuses what comes out, or its last theorem is the same as before, or another one; the other
one, and theorems on the way that are new, are put before the oracle at finite pairs.  Exit code 1
if one is false.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from functools import lru_cache

from mpmath import mp

from lapdp.kernel import RULES, Refused, read_lines
from lapdp.theory.derivations import read
from lapdp.theory.library import shipped_library
from tests.oracle.judge import verdict

ALIKE = [
    ["le", "lt", "eq"], ["and", "or", "imp", "iff"], ["allR", "exR"], ["allO", "exO"],
    ["allS", "exS"], ["max", "min", "add", "mul"], ["inv", "exp", "log", "sqrt", "erfc", "cos"],
    ["re", "im", "abs"], ["oint", "supS"], ["oiny", "allO"], ["lint", "supR"], ["liny", "allR"],
]
"""Symbols that stand in for each other."""
NUMBERS = [(0, 1), (1, 1), (-1, 1), (2, 1), (1, 2), (3, 1), (-2, 1)]
WORDS = ["sum", "scale", "zero", "finite", "infinite", "constant", "product", "decay", "equal", "0",
         "1", "64", "abs", "max", "min", "exp positive", "exp monotone", "R", "O", "D", "S", "J"]
NEW_THEOREMS = 12
"""How many new theorems on the way are looked at, of one mutant."""


@lru_cache(maxsize=4)
def pool(longest):
    """All kept derivations of at most so many lines, by id."""
    found = {}
    for path in sorted(shipped_library().rglob("*.derivations")):
        found.update({name: lines for name, (_, lines) in read(path).items()
                      if len(lines) <= longest})
    return found


def other(rng, x, choices):
    """A choice that is not x."""
    left = [c for c in choices if c != x]
    return rng.choice(left) if left else x


def changed_term(rng, row, place):
    """A row of a term, and the name of what was changed."""
    symbol, args = row[1], row[2:]
    if symbol == "n":
        return "number", ["t", "n", *other(rng, tuple(args), NUMBERS)]
    if symbol == "b":
        return "binder", ["t", "b", max(0, args[0] + rng.choice((-1, 1))), args[1]]
    if symbol == "v":
        if rng.random() < 0.5:
            return "letter", ["t", "v", args[0] + "'", args[1]]
        return "sort", ["t", "v", args[0], other(rng, args[1], "RCFOSDGJ")]
    kind = rng.choice(("symbol", "order", "child"))
    same = [group for group in ALIKE if symbol in group]
    if kind == "symbol" and same:
        return kind, ["t", other(rng, symbol, rng.choice(same)), *args]
    if kind == "order" and len(args) > 1 and args[-1] != args[-2]:
        return "orientation", ["t", symbol, *args[:-2], args[-1], args[-2]]
    if args:
        args = list(args)
        args[rng.randrange(len(args))] = rng.randrange(place)
    return "child", ["t", symbol, *args]


def changed_step(rng, row, terms, steps):
    """A row of a step, and the name of what was changed."""
    _, rule, goal, premises, data = row
    kind = rng.choice(("rule", "premise", "conclusion", "data", "data", "order"))
    if kind == "premise" and premises and steps:
        new = list(premises)
        new[rng.randrange(len(new))] = rng.randrange(steps)
        return kind, ["p", rule, goal, new, data]
    if kind == "order" and len(premises) > 1:
        return "orientation", ["p", rule, goal, premises[::-1], data]
    if kind == "conclusion":
        return kind, ["p", rule, rng.randrange(terms), premises, data]
    if kind == "data" and data:
        new = json.loads(json.dumps(data))
        i = rng.randrange(len(new))
        if type(new[i]) is str:
            new[i] = other(rng, new[i], WORDS)
        elif type(new[i]) is list and rng.random() < 0.5 and premises:
            new[i][1] = [*new[i][1], rng.randrange(len(premises))]
        elif type(new[i]) is list:
            new[i][0] = rng.randrange(terms)
        else:
            new[i] = rng.randrange(terms)
        return kind, ["p", rule, goal, premises, new]
    if kind == "premise" and premises:
        return "premise left out", ["p", rule, goal, premises[1:], data]
    return "rule", ["p", other(rng, rule, sorted(RULES)), goal, premises, data]


def mutant(rng, lines):
    """What was changed, and the lines with the change."""
    i = rng.randrange(len(lines))
    row = json.loads(lines[i])
    terms = sum(line.startswith('["t"') for line in lines[:i])
    if row[0] == "t":
        kind, row = changed_term(rng, row, max(terms, 1))
    else:
        kind, row = changed_step(rng, row, terms, i - terms)
    return kind, [*lines[:i], json.dumps(row), *lines[i + 1:]]


def sequents(checker):
    """The theorems, comparable between banks."""
    digest = lru_cache(maxsize=None)(checker.bank.digest)
    return [(frozenset(map(digest, t.hyps)), digest(t.claim)) for t in checker.theorems]


def outcome(rng, lines):
    """The kind of change; refused, unchanged, true, unclear or FALSE; the theorem in question."""
    kind, damaged = mutant(rng, lines)
    try:
        checker = read_lines(damaged)
    except Refused:
        return kind, "refused", None
    if not checker.theorems:
        return kind, "refused", None
    before, after = sequents(read_lines(lines)), sequents(checker)
    known = set(before)
    fresh = [t for t, digests in zip(checker.theorems, after, strict=True) if digests not in known]
    last = "unchanged"
    if after[-1] != before[-1]:
        last = verdict(rng, checker.bank, checker.theorems[-1])
        if last == "FALSE":
            return kind, last, (checker.bank, checker.theorems[-1])
    for theorem in fresh[-NEW_THEOREMS:]:
        if verdict(rng, checker.bank, theorem) == "FALSE":
            return kind, "FALSE", (checker.bank, theorem)
    return kind, last, None


def campaign(mutants, seed, longest=700):
    """How many mutants of each kind came to which end, and the false theorems."""
    rng = random.Random(seed)
    names = sorted(pool(longest))
    ends, false = Counter(), []
    with mp.workdps(60):
        for _ in range(mutants):
            name = rng.choice(names)
            kind, end, found = outcome(rng, pool(longest)[name])
            ends[kind, end] += 1
            if found is not None:
                false.append((name, kind, *found))
    return ends, false


def main(arguments=None):
    from lapdp.kernel.printing import text

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    ends, false = campaign(given.mutants, given.seed)
    for (kind, end), count in sorted(ends.items()):
        print(f"{kind:18} {end:10} {count:6}")
    for name, kind, bank, theorem in false:
        print(f"FALSE {name} ({kind}): {' ; '.join(text(bank, h) for h in theorem.hyps)} |- "
              f"{text(bank, theorem.claim)}")
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
