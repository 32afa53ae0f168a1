"""Threads take turns at the precision of ball arithmetic: each has the answer it has alone."""

from __future__ import annotations

import ast
import os
import random
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import flint
import pytest

from lapdp import gaussian, laplace, poisson, randomized_response
from lapdp.core.precision import alone, workdps, workprec
from lapdp.theory.checking import check_statement
from lapdp.theory.engine import judge

ROOT = Path(__file__).parents[2]

ASKS = (
    lambda: gaussian(2).delta(1, digits=60),
    lambda: (laplace(2) ** 20).delta(3),
    lambda: (randomized_response(1) ** 30).delta(2),
    lambda: poisson(gaussian(1), "0.1", direction="remove").delta(1),
    lambda: gaussian(2).epsilon("1e-5", digits=40),
)
THREADS, EACH = 6, 12


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads change places as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def in_threads(work) -> None:
    threads = [threading.Thread(target=work, args=(k,)) for k in range(THREADS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def test_numbers_do_not_depend_on_other_threads(restless: None) -> None:
    bits = flint.ctx.prec
    expected = [(x.value, x.radius) for x in (ask() for ask in ASKS)]
    wrong: list[object] = []

    def work(k: int) -> None:
        rng = random.Random(k)
        for _ in range(EACH):
            i = rng.randrange(len(ASKS))
            found = ASKS[i]()
            if (found.value, found.radius) != expected[i]:
                wrong.append((i, found))

    in_threads(work)
    assert not wrong
    assert flint.ctx.prec == bits


def test_a_precision_is_what_was_asked_for_until_its_end(restless: None) -> None:
    wrong: list[int] = []

    def work(k: int) -> None:
        for turn in range(200):
            bits = 60 + 10 * k
            with workprec(bits):
                flint.arb(2).exp().sin()
                if flint.ctx.prec != bits:
                    wrong.append(turn)
            with workdps(20 + k):
                if flint.ctx.dps != 20 + k:
                    wrong.append(turn)

    in_threads(work)
    assert not wrong


def test_verdicts_do_not_depend_on_other_threads(restless: None) -> None:
    texts = ["exp(x) > x", "delta(P, Q)(1) <= delta(P, Q)(0)", "log(2) < 7/10", "x**2 >= x"]
    expected = [judge(check_statement(t, ())).kind for t in texts]
    found: dict[int, object] = {}

    def work(k: int) -> None:
        found[k] = judge(check_statement(texts[k % len(texts)], ())).kind

    in_threads(work)
    assert [found[k] for k in range(THREADS)] == [expected[k % len(texts)] for k in range(THREADS)]


def test_a_fork_does_not_wait_for_a_thread_it_does_not_have() -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with alone():
            held.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    child = os.fork()
    if child == 0:
        with workprec(70):
            os._exit(7)
    try:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    finally:
        done.set()
        holder.join()


def test_no_precision_is_held_while_somebody_else_works() -> None:
    """A generator that waits inside of it would set the precision of whoever asks it, and set it
    back when it is collected, in the middle of something else."""
    held = []
    for path in sorted((ROOT / "lapdp").rglob("*.py")):
        for block in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(block, ast.With) and any(
                    name in ast.unparse(item.context_expr) for item in block.items
                    for name in ("workprec(", "workterms(", "workdps(", "flint.ctx")):
                held += [f"{path.name}:{inner.lineno}" for inner in ast.walk(block)
                         if isinstance(inner, ast.Yield | ast.YieldFrom)
                         and path.name != "precision.py"]
    assert not held
