"""What is typed wrongly gets one line that says what to do, and exit code 2."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from lapdp import cli
from tests.answers_here import without_processes

LONG = "x" * 5000
WRONG = """
frobnicate                              -> is no command: there are verify, ledger
verfy                                   -> did you mean verify?
verify --qiet                           -> is no option of lapdp verify: did you mean --quiet?
verify nothere                          -> no statement 'nothere'; see lapdp list
show eq-47                              -> did you mean chourasia2024/eq-47
verify chourasia2024/eq-999             -> did you mean chourasia2024/eq-99
verify none.py                          -> there is no file none.py
verify text.txt                         -> is no proof file: give an id, a .py file or a folder
verify folder                           -> is a folder without proof files
verify ''                               -> a target is empty: give an id
verify folder::eq-1                     -> no statement 'folder::eq-1'
verify LONG                             -> no statement 'xxxx
verify émile                            -> no statement 'émile'; see lapdp list
verify --jobs -1                        -> jobs must be a positive integer
verify --jobs                           -> --jobs: a value is missing
verify --jobs 1.5                       -> '1.5' is no whole number
verify --timeout -5                     -> the time limit must be a positive number of seconds
verify --timeout 1e999                  -> the time limit must be a positive number of seconds
verify --timeout soon                   -> 'soon' is no number of seconds
verify --seed -1                        -> the seed must be an integer >= 0
verify --digits 0                       -> digits must be between 1 and 1000
verify --html text.txt                  -> text.txt is a file: name a folder for the pages
verify --html folder/no/where           -> make it first
verify --json folder                    -> folder is a folder: name a file
verify --json no/report.json            -> there is no folder no: make it first
verify --json LONG                      -> File name too long
verify --json /nothere/x chourasia2024/eq-30 --no-numeric -> there is no folder /nothere
verify -q -v                            -> --verbose: does not go with -q/--quiet
verify --cache text.txt chourasia2024   -> name another with --cache or leave it out
show                                    -> ID is missing (see lapdp show --help)
show chourasia2024/eq                   -> statements: show takes one, or a theorem
show chourasia2024/eq-30 again          -> 'again' is one word too many
ledger nothere --out out                -> no statement 'nothere'
ledger chourasia2024                    -> --out is missing
ledger chourasia2024 --out text.txt     -> text.txt is a file: name a folder
ledger chourasia2024 --out no/where     -> make it first
delta 'gaussian(1)' --eps 1 --delta 1e-5 -> lapdp epsilon gives eps for a delta
delta 'gaussian(1)' --delta 1e-5        -> lapdp epsilon gives eps for a delta
renyi 'gaussian(1)' --alpha 2           -> the order is --at
delta 'gaussian(1)^10' --eps 1          -> powers are written **
check 'x < 1' --where 'x > 0 and x < 1' -> is two conditions: give each by itself
list nothere                            -> no statement 'nothere'; see lapdp list
list -x                                 -> '-x' is no option of lapdp list: there are --quiet,
check                                   -> RELATION is missing
check '1 = 1'                           -> write == for equality
check 'renyi(P, Q)(2) >= 0'              -> is R(P, Q)(q)
check 'D_alpha(P||Q) >= 0'               -> R(P, Q)(q) is the Renyi divergence
check 'Pr[Z > eps] <= 1'                 -> write Pr(PLD(P, Q) > eps)
check 'x < 2' --where 'x in [0, 1]'      -> write two relations
training --noise 1                      -> the noise is --sigma
delta 'subsample(gaussian(1))' --eps 1   -> is poisson(mechanism, rate)
check x                                 -> 'x' is no relation: use == != < <= > >=
check 'x =='                            -> cannot read 'x ==': check signs and commas
check 'foo(x) == 1'                     -> unknown name 'foo': did you mean floor?
check 'x == 1' --where                  -> --where: a value is missing
check 'é == 1'                          -> formulas are plain
check 'x == 1' --examples 0             -> examples must be an integer >= 1
check 'delta(P) == 1'                   -> write delta(P, Q)(x)
check LONG                              -> the text has 5000 characters: at most 2000 are read
delta                                   -> MECH, --eps are missing (see lapdp delta --help)
delta gaussian(1) --eps                 -> --eps: a value is missing
delta gaussian(1) --eps x               -> eps = x must be a number
delta gaussian(1) --eps 0.1.2           -> cannot read '0.1.2'
delta gaussian(1) --eps nan             -> unknown name 'nan': a number is needed
delta gaussian(1) --eps inf             -> write oo for infinity
delta gaussian(1) --eps oo              -> is not a finite number
delta gausian(1) --eps 1                -> did you mean gaussian?
delta gaussian --eps 1                  -> is no mechanism: write calls such as
delta gaussian() --eps 1                -> it is gaussian(sigma, sensitivity=1)
delta gaussian(-1) --eps 1              -> sigma = -1 must be positive
delta gaussian(1,2,3) --eps 1           -> it is gaussian(sigma, sensitivity=1)
delta gaussian(sgma=1) --eps 1          -> gaussian has no parameter 'sgma'; it is gaussian(sigma,
delta "gaussian('a')" --eps 1           -> write it like "0.1" or "1/3"
delta gaussian(1)**0.5 --eps 1          -> powers of mechanisms are integers
delta 'gaussian(1' --eps 1              -> a bracket is not closed
delta '' --eps 1                        -> the text is empty
delta 3 --eps 1                         -> '3' is no mechanism
delta gaussian(1) --eps 1 --digits 0    -> digits must be a whole number between 1 and 100000
delta gaussian(1) --eps 1 --digits ten  -> 'ten' is no whole number
delta gaussian(1) --eps 1 --direction u -> 'u' is no --direction: there are forward, reverse, both
delta gaussian(s) --eps 1               -> substitute numbers for them
delta LONG --eps 1                      -> at most 2000 are read
delta finite([1/2,1/3],[1,0]) --eps 1   -> P sums to 5/6, not to 1
epsilon gaussian(1) --delta 2           -> between 0 and 1
epsilon gaussian(1) --eps 1              -> lapdp delta gives delta at an eps
convert --eps 1                         -> --rho is missing
training                                -> rate is missing: the part of the records
training --rate 0.01 --sigma 1          -> steps and epsilon and delta are left out
training --rate 1 --sigma 1 --steps 9 --eps 1 --delta 0.1 -> none is left out
training --rate 2 --sigma 1 --steps 9 --eps 1 -> rate = 2 must be between 0 and 1
training --rate 1 --sigma x --steps 9 --eps 1 -> sigma = 'x' is not a number
training --rate 1 --sigma 1 --steps 9 --eps x -> epsilon = x must be a number
training --rate 1 --sigma 1 --steps 9 --eps -1 -> epsilon = -1 must be a number, at least 0
training --rate 1 --sigma 1 --steps 0.5 --eps 1 -> steps = 1/2 must be a whole number
training --rate 1 --sigma 1 --steps 9 --eps 1 --further 1,2 -> must be RATE,SIGMA,STEPS
training --rate 1 --sigma 1 --steps 9 --eps 1 --further 1,2,x -> further phase 1: steps = 'x'
training --rate 1 --sigma 1 --steps 9 --eps 1 --neighbours any -> neighbours = any must be one of
training --rate 1 --sigma 1 --steps 9 --eps 1 --digits 0 -> digits must be a whole number
convert --rho 1                         -> one of the arguments --eps --delta is required
profile                                 -> MECH is missing
profile laplace(1) --format latx        -> did you mean latex?
profile laplace(t)                      -> name the parameter of the mechanism otherwise
profile laplace(1) --at 't +'           -> cannot read 't +'
renyi laplace(1) --digits 5             -> it needs --at
renyi laplace(1) --json                 -> give --at and --digits too
renyi laplace(1) --verbose              -> give --at and --digits too
tradeoff laplace(1) --at 2              -> a level must lie in [0, 1]
characteristic randomized_response(1,0.1) -> does not exist
sweep                                   -> FILE is missing
sweep nothere.txt                       -> 'nothere.txt' cannot be read: No such file
sweep folder                            -> 'folder' cannot be read: Is a directory
sweep /proc/self/mem                    -> cannot be read: Input/output error
sweep binary.txt                        -> is no text in UTF-8
sweep empty.txt                         -> holds no question: write lines such as
sweep text.txt                          -> question 1, 'words': 'words' is no call
sweep good.txt --jobs many              -> must be a positive whole number or "all"
contradictions chourasia2024            -> chourasia2024 alone, steps of proofs left out,
contradictions chourasia2025            -> did you mean
dominates laplace(1)                    -> SMALLER is missing
dominates laplace(1) laplce(1)          -> did you mean laplace?
dominates laplace(1) 3                  -> '3' is no mechanism
dominates laplace(1) laplace(2) --digits 0 -> --digits must be between 1 and 10000
new                                     -> new what? Give a kind and a name
new thorem x                            -> 'thorem' is no kind: did you mean theorem?
new theorem                             -> NAME is missing (see lapdp new theorem --help)
new theorem My                          -> write small letters and digits, such as my-bound
new test class                          -> is a word of Python
audit                                   -> name an accountant, or all
audit gogle                             -> 'gogle' is no accountant: did you mean google?
audit opendp --jobs 0                   -> --jobs must be at least 1
mechanisms laplce                       -> 'laplce' is no mechanism: did you mean laplace?
mechanisms laplace gaussian             -> 'gaussian' is one word too many
laws joint                              -> 'joint' is no law: did you mean joint
laws q                                  -> 'q' is no law: there are
facts x                                 -> 'x' is one word too many
reference --family laplce               -> 'laplce' has no reference values; there are
reference --format xml                  -> 'xml' is no --format: there are text, csv, json
reference --out folder                  -> folder is a folder: name a file
reference --check --out x.csv           -> leave out --out
"""
CASES = [tuple(part.strip() for part in line.split(" -> ")) for line in WRONG.strip().splitlines()]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    found = tmp_path_factory.mktemp("wrong")
    (found / "folder").mkdir()
    for name, content in (("text.txt", b"words"), ("binary.txt", b"\xff\xfe\x00"),
                          ("empty.txt", b"# nothing"), ("good.txt", b"delta(laplace(1), 1)")):
        (found / name).write_bytes(content)
    return found


@pytest.mark.parametrize(("typed", "says"), CASES, ids=[typed for typed, _ in CASES])
def test_one_line_says_what_to_do(typed, says, place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    without_processes(monkeypatch)
    words = [LONG if word == "LONG" else word for word in shlex.split(typed)]
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("lapdp: ") and err.count("\n") == 1
    assert says in err and len(err) < 330, err
    assert "Errno" not in err and "Traceback" not in err


def test_each_wrong_invocation_is_another():
    assert len({typed for typed, _ in CASES}) == len(CASES) >= 60


def test_a_full_disk_and_a_reader_that_leaves():
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with open("/dev/full", "w") as full:
        ended = subprocess.run([sys.executable, "-m", "lapdp", "facts"], stdout=full,
                               check=False, stderr=subprocess.PIPE, text=True, env=env, timeout=60)
    assert ended.returncode == 2 and ended.stderr == "lapdp: No space left on device\n"
    ended = subprocess.run(f"{sys.executable} -m lapdp list | head -1", shell=True, text=True,
                           check=False, capture_output=True, env=env, timeout=60)
    assert ended.stdout.startswith("id ") and ended.stderr == ""
