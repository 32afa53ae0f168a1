"""Seconds that are asked for: kept by a fork that is killed, whatever runs in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from lapdp.core.errors import InputError, LapdpError
from lapdp.core.verdict import Kind
from lapdp.theory import PLD, Eq, Le, Pr, bounded, claim, delta, engine, pair, reals
from lapdp.theory.bounded import may_fork, within

P, Q = pair()
eps, x = reals("eps x")
TRUE = claim("true", delta(P, Q)(eps) <= 1)
FALSE = claim("false", delta(P, Q)(eps) <= 0)

HANGING = """
import time
import flint
from lapdp.theory import claim, delta, pair, reals
from lapdp.theory import engine
P, Q = pair(); eps = reals("eps")

def hang(*_, **__):
    # a product of two primes of 157 and 183 digits: no signal is heard in the factoring
    flint.fmpz((2**521 - 1)*(2**607 - 1)).factor()

engine._decided = hang
start = time.monotonic()
found = engine.{how}(claim("mine", delta(P, Q)(eps) <= 1), seconds=2, numeric=False)
print(found.kind, "|", found.reason, "|", time.monotonic() - start < 30)
"""


@pytest.mark.parametrize("how", ["judge", "verify"])
def test_a_call_that_hangs_is_ended(how):
    done = subprocess.run([sys.executable, "-c", HANGING.replace("{how}", how)], timeout=100,
                          capture_output=True, text=True, check=False)
    assert done.stdout == (
        "undecided | stopped in a call of compiled code after 2 s: seconds= gives more | True\n"
    ), done.stderr


def test_what_a_fork_says_is_what_is_said_here():
    for statement in (TRUE, FALSE, claim("derived", Eq(delta(P, Q)(eps), delta(P, Q)(eps))),
                      claim("mass", Eq(Pr(PLD(P, Q), ">", eps), 0))):
        for search in (False, True):
            here = engine._judge(statement, numeric=False, search=search)
            there = within(statement, 60, lambda one=statement, search=search: engine._judge(
                one, numeric=False, search=search))
            told, wanted = there.record(), here.record()
            told["symbolic"].pop("seconds"), wanted["symbolic"].pop("seconds")
            assert told == wanted and there.statement is statement


def test_the_kernel_reads_here_what_a_fork_proved(monkeypatch):
    here = engine._judge(TRUE, numeric=False, search=True)
    assert here.kind is Kind.PROVED
    monkeypatch.setattr(bounded, "_plain", lambda found: {
        **{f: getattr(found, f) for f in ("kind", "method", "reason")}, "lines": ["[]"]})
    with pytest.raises(LapdpError, match="the kernel refuses here"):
        within(TRUE, 60, lambda: here)


def test_lines_of_another_sentence_prove_nothing():
    other = claim("other", Le(0, delta(P, Q)(eps)))
    proved = engine._judge(other, numeric=False, search=True)
    assert proved.kind is Kind.PROVED
    with pytest.raises(LapdpError, match="the kernel refuses here"):
        within(TRUE, 60, lambda: proved)


def test_mistakes_pass_through_a_fork():
    def mistaken():
        raise InputError("no such thing")
    with pytest.raises(InputError, match="no such thing"):
        within(TRUE, 10, mistaken)


def test_a_crash_of_the_fork_leaves_its_caller():
    found = within(TRUE, 10, lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert found.kind is Kind.UNDECIDED and "SIGKILL" in found.reason


def test_several_threads_are_not_forked():
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        assert not may_fork()
        start = time.monotonic()
        assert engine.judge(TRUE, numeric=False, seconds=1e-6).kind is Kind.UNDECIDED
        assert time.monotonic() - start < 10
    finally:
        over.set()
        other.join()
