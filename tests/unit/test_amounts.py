"""``--quiet`` and ``--verbose`` on every command: less than by default, and more."""

from __future__ import annotations

import io

import pytest

from lapdp import cli
from tests.answers_here import without_processes

# command, what quiet prints, what verbose adds (None: the command has no more to tell)
COMMANDS = [
    (["verify", "chourasia2024/eq-30", "--no-numeric"], "3 statements: ", "symbolic: "),
    (["show", "chourasia2024/eq-22", "--no-numeric"], "chourasia2024/eq-22: ", ""),
    (["check", "1 + x == x + 1", "--no-numeric"], "derived", ""),
    (["list", "chourasia2024/eq-30"], "chourasia2024/eq-30", "delta"),
    (["profile", "laplace(1)"], "delta(t) = ", None),
    (["delta", "laplace(1)", "--eps", "1/3"], "0.28346", "mechanism: laplace(1"),
    (["epsilon", "laplace(1)", "--delta", "1/3"], "0.18906", "delta:     1/3"),
    (["renyi", "laplace(1)", "--at", "2", "--digits", "5"], "0.6", "q:         2"),
    (["sweep", "-"], "1 of 1 questions are answered", "    by closed form, "),
    (["dominates", "laplace(1)", "laplace(2)"], "proved", "larger:  laplace(1, 1)"),
    (["mechanisms"], "approximate_dp", None),
    (["mechanisms", "laplace"], "laplace(", None),
    (["laws"], "limits", None),
    (["facts"], "", None),
    (["reference", "--family", "staircase"], "0.", "confirmed by"),
    (["reference", "--family", "staircase", "--check"], "", ""),
]


def said(words, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("delta(laplace(1), 1/3)"))
    code = cli.main(words)
    out, err = capsys.readouterr()
    assert err == "" and code in (0, 1)
    return out


@pytest.mark.parametrize(("words", "quiet", "verbose"), COMMANDS, ids=[" ".join(c[0])
                                                                       for c in COMMANDS])
def test_quiet_is_less_and_verbose_is_more(words, quiet, verbose, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("LAPDP_CACHE", str(tmp_path))
    without_processes(monkeypatch)
    plain = said(words, capsys, monkeypatch)
    less = said([*words, "-q"], capsys, monkeypatch)
    assert less.startswith(quiet) and less.strip() and len(less) <= len(plain)
    if verbose is None:
        assert cli.main([*words, "-v"]) == 2
        capsys.readouterr()
        return
    more = said([*words, "--verbose"], capsys, monkeypatch)
    assert verbose in more and len(more.splitlines()) >= len(plain.splitlines())
