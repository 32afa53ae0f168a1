"""``lapdp new``: files to start from, which run as they are."""

from __future__ import annotations

import argparse
import math
import os
import re
from fractions import Fraction
from keyword import iskeyword
from pathlib import Path
from typing import Any

from lapdp.commands.declaring import Commands, declared
from lapdp.commands.exits import GOOD
from lapdp.core.errors import InputError

_EXAMPLES = {"theorem": "lapdp new theorem my-bound", "test": "lapdp new test my-mechanism",
             "paper": "lapdp new paper my-paper"}
_PLACES = 1000
_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")

THEOREM = '''"""{title}: what is claimed, and where it is printed."""

import sympy as sp

from lapdp.theory import *

# Letters: an arbitrary pair of distributions, real numbers.  A free letter means "for all".
P, Q = pair("P", "Q")
eps, t = reals("eps t")

with theorem("{name}/theorem-1", "{title}"):
    # One statement for each displayed line, as it is printed.  This one is true for every pair:
    # the engine proves it from what the notions mean.
    claim(
        "eq-1",
        Le(delta(P, Q)(t), delta(P, Q)(eps)),
        where=Ge(t, eps),
        printed=r"\\delta(t)\\le\\delta(\\varepsilon)\\text{{ for }}t\\ge\\varepsilon",
    )

    # This one is false as printed: the witness that `lapdp verify` finds says why.  `expected`
    # records the verdict, and `repaired_by` names the corrected statement beside it.
    claim(
        "eq-2",
        Eq(delta(Q, P)(eps), delta(P, Q)(eps)),
        expected="refuted",
        repaired_by="{name}/eq-2.repaired",
    )
    repair(
        "eq-2.repaired",
        "eq-2",
        Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)),
    )

# Hypotheses go into `where=[...]`, such as `ac(P, Q)` for P << Q.  A mechanism in place of P, Q:
# P, Q = mechanism_pair(laplace(b), "P", "Q") with b = positives("b").  Write sp.Rational(1, 10) or
# "0.1" in a mechanism, never the float 0.1.
'''


_TEST = '''"""{title}: laws of a mechanism, and of what is claimed of it."""

from fractions import Fraction

import sympy as sp
from hypothesis import strategies as st

from lapdp.testing import check_accountant, check_bound, check_mechanism
from lapdp.testing.strategies import neighbours


# The mechanism: from a dataset (a tuple of records) and parameters to the probability of each
# outcome.  Numbers are exact: ints, Fractions, SymPy.  This one tells a bit, truly with odds : 1.
def {function}(data, odds):
    (bit,) = data
    return {{bit: Fraction(odds, odds + 1), 1 - bit: Fraction(1, odds + 1)}}


# Where parameters and neighbouring datasets are drawn from.
CASES = {{"over": {{"odds": st.integers(2, 9)}},
         "neighbours": neighbours(values=(0, 1), max_size=1)}}


def test_the_mechanism_is_private():
    # Is it eps-private for eps = log(odds), in both directions, and no better?  Try
    # sp.log(odds) / 2: the test then fails with the smallest case, as Python to paste.
    check_mechanism({function}, **CASES, guarantee=lambda odds: sp.log(odds), tight=True)


# A bound of yours: here delta of a group of k from (eps, delta) of one.  Try delta * k.
def group_delta(eps, delta, k):
    return delta * sum(sp.exp(i * eps) for i in range(k))


def test_the_bound_is_never_below_the_truth():
    check_bound(group_delta, of="group", doubles=False)


# An accountant of yours: delta(eps) of independent releases of one pair, here by all outcomes; call
# your own code with pair.P and pair.Q.  Try copies * pair.hockey_stick(sp.exp(eps)).
def composed_delta(pair, eps, copies):
    return (pair**copies).hockey_stick(sp.exp(eps))


def test_the_accountant_never_tells_too_little():
    check_accountant(composed_delta, doubles=False)
'''


_KNOWN = '''"""{title}: laws of a pair of this mechanism, and of what is claimed of it."""

{imports}
from lapdp.testing import mechanism_laws, parametrize_with_laws

# The distributions of what is released on two neighbouring datasets.
PAIR = {pair}

# What is claimed of it: (eps, delta), here delta at eps = 1 rounded up.  Try ("1/2", delta): the
# tests then fail, and show by how much.  Exact numbers, SymPy, or text such as "1e-6".
GUARANTEE = (1, "{delta}")


# The notions of the pair against each other, by routes of their own, and the guarantee in both
# directions.  More can be claimed: profile=, renyi=, tradeoff=, loss=, mass_at_infinity= ...
@parametrize_with_laws(mechanism_laws(PAIR, guarantee=GUARANTEE))
def test_the_pair_obeys(law):
    law()
'''


def add(commands: Commands) -> None:
    """The command ``new``, with its kinds."""
    new = commands.add("test", "new", _no_kind, "write a file to start from, which runs as it is",
                       examples="\n".join(_EXAMPLES.values()))
    kinds = new.add_subparsers(metavar="KIND", title="kinds")
    for name, run, says in (
            ("theorem", theorem, "write proofs/NAME.py: statements with their verdicts"),
            ("test", test,
             "write tests/test_NAME.py: laws of a mechanism of the catalogue, or of your own")):
        kind = declared(kinds, name, says, _EXAMPLES[name])
        kind.add_argument("name", metavar="NAME", help="small letters, such as my-bound")
        kind.set_defaults(run=run, parser=kind)
    kind = declared(kinds, "paper", "write a repository that checks a paper whenever it changes",
                    _EXAMPLES["paper"], """
It holds proofs/NAME.py, a workflow of GitHub, and a README that says what to edit; NAME is that of
the folder.  No file is replaced.""")
    kind.add_argument("folder", metavar="DIR",
                      help="a folder in small letters, new or without these files")
    kind.set_defaults(run=_paper, parser=kind)


def _no_kind(_: argparse.Namespace) -> int:
    raise InputError("new what?  Give a kind and a name, such as: lapdp new theorem my-bound")


def _paper(arguments: argparse.Namespace) -> int:
    from lapdp.commands.paper import paper

    return paper(arguments)


def test(arguments: argparse.Namespace) -> int:
    """Write tests/test_NAME.py: of a pair of the catalogue if it bears that name, else of a
    mechanism, a bound and an accountant to be replaced.
    """
    from lapdp.privacy.mechanisms import CARDS

    function, title = names(arguments.name)
    file = Path("tests") / f"test_{function}.py"
    known = CARDS.get(function)
    _write(file, _known(known, title) if known and known.in_formulas else
           _TEST.format(function=function, title=title))
    print(f"wrote {file}\nrun it:  pytest {file}")
    return GOOD


def _known(card: Any, title: str) -> str:
    """The test of the first example of a card."""
    given = card.examples[0]
    pair, name = card.make(*given), card.make.__name__
    text = f"{name}({', '.join(map(repr, given))})"
    # a claim that holds in both directions
    worst = max(each.delta(1, 8).upper for each in (pair, pair.reverse()))
    delta = Fraction(math.ceil(worst * _PLACES), _PLACES)
    imports = f"from lapdp import {name}"
    if "log(" in text:
        imports += "\nfrom sympy import log"
    return _KNOWN.format(title=title, imports=imports, pair=text, delta=f"{float(delta):g}")


def theorem(arguments: argparse.Namespace) -> int:
    """Write proofs/NAME.py, which holds three statements and their verdicts."""
    name = arguments.name
    module, title = names(name)
    file = Path("proofs") / f"{module}.py"
    _write(file, THEOREM.format(name=name, title=title))
    print(f"wrote {file}\njudge it:   lapdp verify {file}\nas a test:  pytest {file}")
    return GOOD


def names(name: str) -> tuple[str, str]:
    """The name of a module or function, and a title.

    >>> names("my-bound")
    ('my_bound', 'My bound')
    """
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name: write small letters and digits, such as my-bound")
    function = name.replace("-", "_")
    if iskeyword(function):
        raise InputError(f"{name!r} is a word of Python: take another name")
    return function, function.replace("_", " ").capitalize()


def _write(file: Path, content: str) -> None:
    """A new file, its folder with it; what is there already stays."""
    from lapdp.theory import disk

    if os.path.lexists(file):
        raise InputError(f"{file} is there already: take another name, or remove it")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        disk.write_new(file, content.encode("utf-8"))
    except OSError as problem:
        raise InputError(f"{file} cannot be written: {problem.strerror}") from None


__all__ = ["THEOREM", "add", "names", "test", "theorem"]
