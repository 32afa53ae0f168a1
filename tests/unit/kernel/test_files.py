"""Files of lines: what the command says, and that whatever is wrong ends at one door."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest

from lapdp.core.checked import NotAccepted, accept
from lapdp.kernel import RULES, Refused, read_lines
from lapdp.kernel.__main__ import main
from lapdp.kernel.symbols import SIGNATURES
from lapdp.theory.derivations import read
from lapdp.theory.library import shipped_library

GOOD = ['["t","v","x","R"]', '["t","exp",0]', '["t","n",0,1]', '["t","lt",2,1]',
        '["p","law",3,[],["exp positive",0]]']
"""0 < exp(x)."""
OPEN = ['["t","v","A","F"]', '["p","hyp",0,[],[]]']
FALSE = ['["t","n",0,1]', '["t","n",1,1]', '["t","eq",0,1]', '["p","refl",2,[],[]]']


def test_the_command_alone(tmp_path):
    """In a fresh process, which imports nothing else of lapdp and no SymPy."""
    path = tmp_path / "d"
    path.write_text("\n".join(GOOD))
    program = ("import sys, runpy\nsys.argv = ['kernel', sys.argv[1]]\n"
               "try:\n    runpy.run_module('lapdp.kernel', run_name='__main__')\n"
               "except SystemExit as end:\n    assert end.code == 0\n"
               "others = {m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)\n"
               "print(sorted(m for m in sys.modules if m.startswith('lapdp.')\n"
               "             and not m.startswith('lapdp.kernel')), 'sympy' in others)\n")
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True,
                          text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "theorem  (0 < exp(x))" and lines[1] == "facts    none"
    assert lines[2] == "steps    1" and lines[-1] == "[] False"


def test_what_the_command_prints(tmp_path, capsys):
    path = tmp_path / "d"
    path.write_text("\n".join(OPEN))
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["given    A", "theorem  A"]
    path.write_text("\n".join(FALSE))
    assert main([str(path)]) == 1
    assert capsys.readouterr().err == "refused: line 4: two sides\n"
    path.write_text(GOOD[0])
    assert main([str(path)]) == 1 and "no theorem" in capsys.readouterr().err
    path.write_bytes(b"\xff\xfe")
    assert main([str(path)]) == 2 and "cannot read" in capsys.readouterr().err
    assert main([str(tmp_path / "none")]) == 2 and main([]) == 2


@pytest.mark.parametrize("line, why", [
    ("", "line 6"), ("nonsense", "JSONDecodeError"), ("{}", "neither"), ("[]", "neither"),
    ('["t"]', "neither"), ('["t",1]', "neither"), ('["q","refl",0,[],[]]', "neither"),
    ('["p","refl",3]', "neither"), ('["p","refl",3,0,[]]', "neither"),
    ('["p","refl",3,[],{}]', "neither"), ('["p","nothing",3,[],[]]', "no rule"),
    ('["p","__class__",3,[],[]]', "no rule"), ('["t","exp",7]', "no earlier term"),
    ('["t","exp",-1]', "no earlier term"), ('["t","exp",true]', "no earlier term"),
    ('["t","n",1.0,1]', "numbers are whole"), ('["t","n",NaN,1]', "numbers are whole"),
    ('["t","n",Infinity,1]', "numbers are whole"), ('["t","n",true,1]', "whole numbers and names"),
    ('["t","n",1e3,1]', "numbers are whole"), ('["t","n",null,1]', "whole numbers and names"),
    ('["t","n",' + "9" * 5000 + ",1]", "ValueError"), ('["t","v",["x"],"R"]', "whole numbers"),
    ('["p","refl",3,[1],[]]', "earlier theorem"), ('["p","refl",3,[-1],[]]', "earlier theorem"),
    ('["p","refl",3,[true],[]]', "earlier theorem"), ('["p","refl",true,[],[]]', "no earlier"),
    ('["p","refl",0,[],[]]', "closed formula"), ('["p","law",3,[],["exp positive",9]]', "earlier"),
    ('["p","law",3,[],["exp positive",1.5]]', "numbers are whole"),
    ('["p","law",3,[],["exp positive",[[]]]]', "no earlier"), ("[" * 100_000, "RecursionError"),
    ('["p","arith",3,[],[' + "[" * 500 + "]" * 500 + "]]", "line 6"),
])
def test_one_door(line, why):
    with pytest.raises(Refused, match=why):
        read_lines([*GOOD, line])


def test_random_damage_ends_at_the_door():
    """Entries of kept lines replaced by anything: refused or accepted, never another exception."""
    pool = [lines for path in sorted((shipped_library() / "laws").glob("*.derivations"))
            for _, lines in read(path).values() if len(lines) < 600]
    junk = [True, None, -1, 10**30, "x", "", [], [0, [0]], [0, [True]], [0, "a"], {}, "R", 0, 1, 2,
            "\ud800", *SIGNATURES, *RULES]
    rng = random.Random(7)

    def damaged(x):
        if type(x) is list and x and rng.random() < 0.8:
            y, j = list(x), rng.randrange(len(x))
            kind = rng.random()
            if kind < 0.7:
                y[j] = damaged(x[j])
            elif kind < 0.85:
                del y[j]
            else:
                y.insert(j, rng.choice(junk))
            return y
        return rng.choice(junk)

    refused = 0
    for _ in range(150):
        lines = list(rng.choice(pool))
        i = rng.randrange(len(lines))
        lines[i] = json.dumps(damaged(json.loads(lines[i])))
        try:
            read_lines(lines)
        except Refused:
            refused += 1
    assert refused > 130


def test_long_calculations_end():
    """Shared terms double with each row: none of the rules writes them out."""
    rows = ['["t","v","A","F"]', *(f'["t","and",{i},{i}]' for i in range(150)),
            '["t","imp",150,0]', '["p","taut",151,[],[]]']
    assert len(read_lines(rows).theorems) == 1
    powers = ['["t","v","x","R"]', '["t","n",3,1]', *(f'["t","mul",{i},{i}]' for i in range(1, 90)),
              '["t","lt",0,90]', '["p","arith",91,[],[]]']
    with pytest.raises(Refused, match="too long"):
        read_lines(powers)
    tower = ['["t","n",1,1]', *(f'["t","exp",{i}]' for i in range(40)), '["t","lt",0,40]',
             '["p","ball",41,[],["64"]]']
    with pytest.raises(Refused, match="no finite"):
        read_lines(tower)


def test_only_the_sentence_asked_for_counts():
    from lapdp.kernel import Bank

    bank = Bank()
    goal = bank.make("lt", bank.number(0), bank.make("exp", bank.letter("x", "R")))
    other = bank.make("lt", bank.number(0), bank.make("exp", bank.letter("y", "R")))
    assert accept(GOOD, bank.digest(goal)).rules == {"law": 1}
    with pytest.raises(NotAccepted, match="another sentence"):
        accept(GOOD, bank.digest(other))
    with pytest.raises(NotAccepted, match="left open"):
        accept(OPEN, bank.digest(bank.letter("A", "F")))
    with pytest.raises(NotAccepted, match="no theorem"):
        accept(GOOD[:-1], bank.digest(goal))
    with pytest.raises(NotAccepted, match="two sides"):
        accept(FALSE, bank.digest(goal))
    spaced = [line.replace(",", " , ").replace("[", "[ ") for line in GOOD]
    assert accept(spaced, bank.digest(goal)).rules == {"law": 1}


TWICE = ['["t","v","A","F"]', '["t","v","B","F"]', '["t","and",0,1]', '["p","hyp",0,[],[]]',
         '["p","hyp",1,[],[]]', '["p","taut",2,[0,1],[]]']
"""A, B |- A and B."""


def test_a_checker_after_another_one():
    """It makes no theorem twice, and counts what is said again."""
    first = read_lines(TWICE)
    rows = len(first.bank.rows)
    again = read_lines(TWICE, first)
    assert again.bank is first.bank and len(again.bank.rows) == rows
    assert all(a is b for a, b in zip(again.theorems, first.theorems, strict=True))
    assert again.uses == first.uses == {"hyp": 2, "taut": 1}


@pytest.mark.parametrize("before, lines", [
    # the same rule and conclusion by other premises, and by other data
    (TWICE, [*TWICE[:-1], '["p","taut",2,[0,0],[]]']),
    (TWICE, [*TWICE[:-1], '["p","taut",2,[],[]]']),
    (GOOD, [*GOOD[:-1], '["p","law",3,[],["exp positive",1]]']),
    (GOOD, [*GOOD[:-1], '["p","law",3,[],["square",0]]']),
    (GOOD, [*GOOD[:-1], '["p","law",3,[],["exp positive","0"]]']),
    # the same premises and data for another conclusion, and by another rule
    (TWICE, [*TWICE[:-1], '["t","and",2,0]', '["t","v","C","F"]', '["p","taut",4,[0,1],[]]']),
    (TWICE, [*TWICE[:-1], '["p","disch",2,[0,1],[]]']),
    # true is not 1
    ([*TWICE, '["t","n",0,1]', '["t","lt",3,3]', '["t","n",1,1]', '["p","hyp",4,[],[]]',
      '["p","arith",4,[3],[[5,[0]]]]'],
     [*TWICE, '["t","n",0,1]', '["t","lt",3,3]', '["t","n",1,1]', '["p","hyp",4,[],[]]',
      '["p","arith",4,[3],[[5,[false]]]]'])])
def test_what_was_made_stands_for_nothing_else(before, lines):
    with pytest.raises(Refused):
        read_lines(lines)
    with pytest.raises(Refused):
        read_lines(lines, read_lines(before))


def test_nothing_goes_on_with_a_bank_that_was_left():
    """After a refusal, or an exception whatever, a derivation begins with a bank of its own."""
    from lapdp.core import checked
    from lapdp.kernel import Bank

    bank = Bank()
    goal = bank.make("lt", bank.number(0), bank.make("exp", bank.letter("x", "R")))
    accept(GOOD, bank.digest(goal))
    assert len(checked._BEFORE) == 1
    with pytest.raises(NotAccepted):
        accept([*GOOD, "nonsense"], bank.digest(goal))
    assert not checked._BEFORE
    accept(GOOD, bank.digest(goal))

    def stopped():
        yield GOOD[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        accept(stopped(), bank.digest(goal))
    assert not checked._BEFORE
    with pytest.raises(NotAccepted, match="another sentence"):
        accept(GOOD, "0" * 64)
    assert not checked._BEFORE
