"""Workers that are forks of one process: nothing tells them from fresh interpreters."""

from __future__ import annotations

import subprocess

from lapdp.theory import workers
from lapdp.theory.workers import Setup, run_tasks
from tests import nursery

JUDGE = """
import os, signal, sys
from types import SimpleNamespace

def judge(said, **how):
    if said == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    if said == "exits":
        os._exit(7)
    if said == "busy":
        sum(range(10_000_000))
    found = {"folder": os.getcwd(), "path": sys.path, "hash": hash(said), "words": sys.argv[2:],
             "environment": {k: v for k, v in os.environ.items() if k != "LC_CTYPE"},
             "session": os.getsid(0) == os.getppid(), "safe": sys.flags.safe_path, "how": how,
             "open": [os.path.basename(os.readlink(f"/proc/self/fd/{k}")) for k in (0, 1)]}
    return SimpleNamespace(record=lambda: found)
"""


def outcomes(place, *said):
    """What becomes of each question."""
    found = {}
    (place / "judge.py").write_text(JUDGE, encoding="utf-8")
    run_tasks([{"given": each} for each in said], Setup(f"{place / 'judge.py'}:judge"), 1, 60.0,
              lambda index, outcome: found.update({said[index]: (outcome.result, outcome.failure)}))
    return found


def test_forked_and_fresh_ones_answer_alike(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAPDP_SEEN", "yes")
    forked = outcomes(tmp_path, "plain", "killed", "exits")
    assert workers.subprocess is not subprocess
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAPDP_SEEN", "yes")
    monkeypatch.setenv("LAPDP_CACHE", forked["plain"][0]["environment"]["LAPDP_CACHE"])
    assert workers.subprocess is subprocess
    assert outcomes(tmp_path, "plain", "killed", "exits") == forked
    record, _ = forked["plain"]
    assert record["environment"]["LAPDP_SEEN"] == "yes" and record["folder"] == str(tmp_path)
    assert record["session"] and record["safe"] and record["open"] == ["null", "null"]
    assert forked["killed"][1].startswith("crash: SIGSEGV")


def test_what_they_took_is_told(tmp_path):
    before = nursery.taken()
    outcomes(tmp_path, "busy")
    assert nursery.taken() > before
