"""`lapdp verify --search --keep`: derivations are found, written and then replayed."""

from __future__ import annotations

from lapdp import verify
from lapdp.cli import main
from lapdp.core.verdict import Kind
from lapdp.theory import Le, T, claim, delta, derivations, kept_verdicts, pair, reals
from lapdp.theory.derivations import place, read
from tests.effort import calls_at_most

FILE = '''"""Two statements."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps = reals("eps")

with theorem("found2026/masses", "Masses"):
    claim("mass", Le(delta(P, Q)(eps), 1))
    claim("wrong", Le(delta(P, Q)(eps), sp.Rational(1, 2)))
'''


def test_found_kept_and_replayed(tmp_path, capsys):
    proof = tmp_path / "found.py"
    proof.write_text(FILE)
    options = [str(proof), "--no-numeric", "--jobs", "1"]
    assert main(["verify", *options, "--keep"]) == 2
    assert "--search" in capsys.readouterr().err
    assert not place(str(proof)).exists()
    main(["verify", *options, "--search", "--keep"])
    said = capsys.readouterr()
    assert "1 derivations kept in 1 files" in said.err and "proved" in said.out
    assert [name.rpartition("/")[2] for name in read(place(str(proof)))] == ["mass"]
    main(["verify", *options, "--no-cache"])
    assert "proved" in capsys.readouterr().out


def test_what_a_file_no_longer_states_is_forgotten(tmp_path, capsys):
    """A statement under a new name leaves nothing behind under the old one."""
    proof = tmp_path / "found.py"
    options = ["verify", str(proof), "--no-numeric", "--jobs", "1", "--search", "--keep"]
    for name in ("mass", "total"):
        proof.write_text(FILE.replace('"mass"', f'"{name}"'))
        main(options)
        for kept in (derivations.read(place(str(proof))), kept_verdicts.read(
                kept_verdicts.place(str(proof)))):
            assert {k.rpartition("/")[2] for k in kept} <= {name, "wrong"}
        assert f"found2026/{name}" in derivations.read(place(str(proof)))
    for name in ("half", "mass"):
        # of another name, then of the same one: what it says now is no longer what was proved
        proof.write_text(FILE)
        main(options)
        assert "found2026/mass" in derivations.read(place(str(proof)))
        proof.write_text(FILE.replace('claim("mass"', f'claim("{name}"').replace(
            "eps), 1))", "eps), 0))"))
        main(options)
        assert not place(str(proof)).exists()
    capsys.readouterr()


def test_no_method_begins_when_the_time_is_up():
    (P, Q), (a, eps) = pair(), reals("a eps")
    stated = claim("late", T(P, Q)(a) >= 1 - a, where=[a >= 0, a <= 1, Le(delta(P, Q)(eps), 0)])
    with calls_at_most(3_000_000):
        found = verify(stated, seconds=1e-6, numeric=False)
    assert found.kind is Kind.UNDECIDED
    assert any("the time is up" in said for said in (found.reason, *found.tried))
    assert not any("kernel: " in said for said in found.tried)
