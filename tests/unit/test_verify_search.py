"""`lapdp verify --search --keep`: derivations are found, written and then replayed."""

from __future__ import annotations

from lapdp.cli import main
from lapdp.theory.derivations import place, read

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
