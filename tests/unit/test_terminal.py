"""What a terminal shows: colours, one line of progress, and what Ctrl-C leaves."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from lapdp.commands import progress as progress_lines
from lapdp.commands.estimates import Estimate, in_words
from lapdp.commands.progress import Progress
from lapdp.report import terminal, text
from lapdp.testing import check_bound

WIPE = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "setting", "wanted"), [
    (Terminal, {}, True),
    (io.StringIO, {}, False),
    (Terminal, {"NO_COLOR": "1"}, False),
    (Terminal, {"NO_COLOR": ""}, True),
    (Terminal, {"TERM": "dumb"}, False),
    (io.StringIO, {"FORCE_COLOR": "1"}, True),
    (io.StringIO, {"FORCE_COLOR": "0"}, False),
    (io.StringIO, {"FORCE_COLOR": ""}, False),
    (Terminal, {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
    (Terminal, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
])
def test_one_rule_for_colours(stream, setting, wanted, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    assert terminal.colours_wanted(stream()) is wanted
    assert text.paint("refuted", wanted) == ("\x1b[31mrefuted\x1b[0m" if wanted else "refuted")


def test_a_long_check_tells_its_law_and_its_examples_on_a_terminal_alone(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_lines, "LONG", 0.0)

    def slow(pair, eps):
        time.sleep(0.05)
        return 1.0

    for stream, told in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        check_bound(slow, of="delta", laws="valid", examples=30)
        said = stream.getvalue()
        # the clock looks once a second
        assert bool(re.search(r"on valid for \d s, example \d+ of 30", said)) is told
        assert ("[1/1]" in said) is told and said.endswith(WIPE) is told and "\n" not in said


def test_progress_is_one_line_on_a_terminal_and_nothing_elsewhere(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    for stream, quiet, shown in (
        (Terminal(), False, True), (Terminal(), True, False), (io.StringIO(), False, False)
    ):
        with Progress(stream, quiet) as progress:
            progress.step(1, 2, "a/eq-1", "proved")
        said = stream.getvalue()
        assert ("[1/2]  a/eq-1 proved" in said) is shown
        assert said.endswith(WIPE) is shown and "\n" not in said
    monkeypatch.setenv("TERM", "dumb")
    with Progress(stream := Terminal(), False) as progress:
        progress.step(1, 2, "a/eq-1", "proved")
    assert stream.getvalue() == ""


def test_files_and_pipes_get_a_line_now_and_then(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for quiet in (False, True):
        with Progress(stream := io.StringIO(), quiet) as progress:
            for done in range(1, 8):
                now[0] += 12
                progress.step(done, 8, f"a/eq-{done}\x1b[2J", "proved")
        lines = stream.getvalue().splitlines()
        assert len(lines) == (0 if quiet else 2) and "\x1b" not in stream.getvalue()
        assert all(line.startswith("lapdp: [") for line in lines)


@pytest.mark.parametrize("columns", [20, 33, 80])
def test_the_line_keeps_to_the_width(columns, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    with Progress(stream := Terminal(), False) as progress:
        progress.step(1, 2, "a/eq-1 \x1b[2J\n" + "long" * 40, "proved")
    lines = stream.getvalue().split(WIPE)
    assert [len(line) for line in lines if line] == [columns - 1]
    assert lines[1].endswith("...") and "\x1b" not in "".join(lines)


def test_what_takes_long_is_named(monkeypatch):
    progress = Progress(io.StringIO(), False, costs={"a": 2.0, "b": 30.0}, limit=60)
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    progress.begin("a")
    now += 2
    progress.step(1, 2, "a", "proved")
    progress.begin("b")
    now += 10
    assert progress.line() == "[1/2]  about 20 s left  on b for 10 s (at most 60 s)"
    now += 45
    assert progress.line() == "[1/2]  some seconds left  on b for 55 s (at most 60 s)"


def test_an_estimate_is_what_was_measured():
    costs = {f"s{i}": 1.0 for i in range(10)} | {"long": 40.0}
    estimate = Estimate(costs, workers=2)
    # never less than what one process needs for the longest
    assert estimate.left(11, {}) == 40.0
    for i in range(10):
        estimate.finished(f"s{i}", 2.0)
    assert estimate.left(1, {}) == 80.0 and estimate.left(1, {"long": 70.0}) == 10.0
    # verdicts that are kept come at once and tell nothing
    fresh = Estimate({}, workers=1)
    fresh.finished("kept", None)
    assert fresh.left(5, {}) is None
    fresh.finished("worked", 6.0)
    assert fresh.left(5, {}) == 30.0 and in_words(30.0) == "about 30 s left"


SLOW = """
import sys, time
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, seal

class Held:
    def discharge(self, path): pass
    def describe(self): return "held"

def judge(statement, *, digits, seed, numeric):
    time.sleep(statement.hints.get("seconds", 0))
    return Judgement(Kind.DERIVED, "kernels", 
                     proof=seal(Certificate("k", (("k", Leaf((Held(),))),))))
"""
FILE = """
from lapdp.theory import *
x = reals("x")
with theorem("a/theorem-1", "First"):
    claim("eq-1", Eq(x, x), printed=r"x \\leq \\varepsilon")
    claim("eq-2", Eq(x + 1, x + 1), hints={"seconds": 30})
"""
# in the background of a script interrupts are ignored, and children inherit that
RUN = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from lapdp import cli
from lapdp.theory import runner, workers
workers.Setup.judge = runner.BY_RECORD = sys.argv[1]
sys.exit(cli.main(sys.argv[2:]))
"""


class Session:
    """A command on a pseudo-terminal, and what is seen there."""

    def __init__(self, place, *words, columns=80):
        ours, theirs = pty.openpty()
        env = {k: v for k, v in os.environ.items()
               if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
        env |= {"TERM": "xterm", "PYTHONPATH": os.pathsep.join(sys.path),
                "LAPDP_CACHE": str(place / "cache")}
        import fcntl
        import struct
        import termios

        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, f"{place / 'slow.py'}:judge", *words], cwd=place,
            stdin=theirs, stdout=theirs, stderr=theirs, env=env)
        os.close(theirs)
        self.terminal, self.seen = ours, ""

    def until(self, pattern, seconds=60):
        """Read until the pattern is seen, or the end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not re.search(pattern, self.seen):
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.terminal, 4096).decode()
                except OSError:  # the other side is closed
                    break
        assert re.search(pattern, self.seen), self.seen
        return self

    def end(self):
        self.until(r"\Z" if self.process.poll() is not None else "lapdp: interrupted[^\n]*\n")
        code = self.process.wait(30)
        os.close(self.terminal)
        return code


@pytest.fixture
def place(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs/p.py").write_text(FILE)
    return tmp_path


def test_interrupted_verification_says_what_is_kept_and_goes_on(place):
    session = Session(place, "verify", "--jobs", "1", "--no-numeric")
    session.until(r"on a/eq-2 for \d+ s \(at most 60 s\)")
    assert "[1/2]" in session.seen
    session.process.send_signal(signal.SIGINT)
    assert session.end() == 130
    last = session.seen.split(WIPE)[-1]
    assert last.strip() == ("lapdp: interrupted after 1 of 2: these verdicts are kept, the same "
                            "command goes on from here")
    again = Session(place, "verify", "--jobs", "1", "--no-numeric", "a/eq-1")
    again.until("look closer: lapdp show a/eq-1, or all as pages: add --html DIR")
    assert again.process.wait(30) == 0
    assert "\x1b[32mderived" in again.seen and "1 statement: 1 derived" in again.seen


def test_what_is_shown_fits_the_terminal(place):
    session = Session(place, "show", "a/eq-1", "--no-numeric", columns=60)
    session.until("reproduce:")
    session.until("--no-numeric")
    session.process.wait(30)
    shown = session.seen.split(WIPE)[-1]
    assert "printed:     x ≤ ε" in shown and "encoded" not in shown
    lines = [line for line in shown.splitlines() if "reproduce" not in line]
    assert max(map(len, lines)) <= 62


def test_one_question_says_how_long_it_takes(place):
    session = Session(place, "check", "x == x", "--timeout", "40", columns=50)
    # judged at once by the fake judge, once its process has started
    session.until("check: ")
    session.process.wait(30)
    assert all(len(part) < 50 for part in session.seen.split(WIPE)[1:-1])
