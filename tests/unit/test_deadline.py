"""A limit of wall time inside this process: what runs is stopped, what was decided stands."""

from __future__ import annotations

import signal
import sys
import threading
import time

import pytest

from lapdp.core.deadline import TimeUp, time_limit
from lapdp.core.verdict import Kind
from lapdp.testing import check_profile
from lapdp.testing.conformance import search
from lapdp.theory import engine
from lapdp.theory.language import Eq, reals
from lapdp.theory.statement import Statement

x = reals("x")
TRUE = Statement("p/true", Eq(x + 1, 1 + x))


def for_ever(*_):
    while True:
        pass


def test_what_does_not_look_at_the_clock_is_stopped(monkeypatch):
    monkeypatch.setattr(engine, "_decided", for_ever)
    found = engine.judge(TRUE, numeric=False, seconds=0.05)
    assert found.kind is Kind.UNDECIDED and found.reason == engine.TIME_IS_UP


def test_what_was_decided_stands_when_no_derivation_is_found_in_time(monkeypatch):
    monkeypatch.setattr(engine, "_searched", for_ever)
    monkeypatch.setattr(engine, "_replayed", lambda _: None)
    assert engine.judge(TRUE, numeric=False, patience=0.1, seconds=5.0, search=True
                        ).kind is Kind.DERIVED


def test_methods_come_before_the_search_for_a_witness(monkeypatch):
    monkeypatch.setattr(engine, "_replayed", lambda _: None)
    given = {}
    monkeypatch.setattr(engine, "_decided", lambda *at: given.update(at=at) or engine.Judgement(
        Kind.UNDECIDED, "none"))
    start = time.monotonic()
    engine._judge(TRUE, numeric=False, seconds=6.0)
    *_, patience, deadline = given["at"]
    assert patience <= 2.0 and deadline >= start + 4.0


def test_an_alarm_of_somebody_else_that_comes_first_is_left_alone():
    signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with time_limit(2000):
            assert 1 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_a_later_alarm_waits_and_has_the_time_that_is_left():
    handler = signal.signal(signal.SIGALRM, lambda *_: None)
    try:
        mine = signal.getsignal(signal.SIGALRM)
        signal.setitimer(signal.ITIMER_REAL, 1000, 7)
        with pytest.raises(TimeUp), time_limit(0.01):
            for_ever()
        left, again = signal.getitimer(signal.ITIMER_REAL)
        assert 900 < left < 1000 and again == 7
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


def test_an_alarm_that_garbage_swallows_rings_again_and_is_not_told(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))

    class Slow:
        def __del__(self):
            time.sleep(0.05)
            raise ValueError

    class Slower:
        def __del__(self):
            for_ever()
    with pytest.raises(TimeUp), time_limit(0.02):
        Slower()
        Slow()
        for_ever()
    assert told == [ValueError]           # what is no alarm is told as ever
    Slow()
    assert told == [ValueError, ValueError]


def test_limits_within_limits_each_ring():
    rung = []
    with pytest.raises(TimeUp), time_limit(0.2):
        try:
            with time_limit(0.01):
                for_ever()
        except TimeUp:
            rung.append("inner")
        for_ever()
    assert rung == ["inner"]
    # an inner limit beyond the outer one: the outer one rings, once more if it is not heard
    with pytest.raises(TimeUp), time_limit(0.02):
        try:
            with time_limit(100):
                for_ever()
        except TimeUp:
            rung.append("outer")
        for_ever()
    assert rung == ["inner", "outer"]
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_alarm_is_gone_afterwards_and_in_other_threads_there_is_none():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeUp), time_limit(0.01):
        for_ever()
    seen = []

    def elsewhere():
        with time_limit(0.001):
            seen.append(signal.getitimer(signal.ITIMER_REAL)[0])
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [0.0] and signal.getsignal(signal.SIGALRM) is before


def test_a_function_that_does_not_come_back_is_stopped(monkeypatch):
    monkeypatch.setattr(search, "GRACE", 0.05)
    report = check_profile(lambda eps: for_ever(), accuracy=0.1, laws="range", seconds=0.05,
                           on_fail="report")
    assert not report and report.cut and not report.failures


def test_an_alarm_that_rings_at_once_leaves_no_clock_behind():
    before = signal.getsignal(signal.SIGALRM)
    for k in range(2000):
        try:
            with time_limit(k % 7 * 2e-6):
                sum(range(50))
        except TimeUp:
            pass
        assert not signal.getitimer(signal.ITIMER_REAL)[0]
        assert signal.getsignal(signal.SIGALRM) == before
