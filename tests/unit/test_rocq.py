"""Derivations printed as Rocq files: complete, closed, and only what the kernel accepts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lapdp import cli
from lapdp.kernel import RULES, Bank, Refused
from lapdp.report.rocq import LIBRARY, NotPrinted, printed
from lapdp.report.rocq.analysis import Rules
from lapdp.report.rocq.identities import Identities
from lapdp.report.rocq.logic import Logic
from lapdp.report.rocq.words import RESERVED, Words
from lapdp.theory.derivations import read
from lapdp.theory.library import shipped_library

KEPT = {name: lines for file in ("laws/reversal", "chourasia2024/section_2_1")
        for name, (_, lines) in read(shipped_library() / f"{file}.derivations").items()}
SHORT = ("laws/reversal.atoms", "laws/reversal.tails", "chourasia2024/eq-7.3")
SOURCES = {path.stem: path.read_text(encoding="ascii") for path in LIBRARY}
WORD = re.compile(r"[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*")
LIBRARY_WORDS = {word for text in SOURCES.values() for word in WORD.findall(text)} | {
    "PEc", "PEX", "PEadd", "PEmul", "Qmake", "conj", "eq_ind", "False_ind", "iff_refl", "IZR",
    "Rlt_irrefl", "Rle_refl", "eq_refl", "or_introl", "or_intror", "ex_intro"}


def open_words(lemma: str) -> set[str]:
    """Words of a lemma that neither it nor the library binds."""
    bound = set(re.findall(r"(?:\(|fun |forall |exists )(\w[\w']*) :", lemma))
    bound |= {w for pair in re.findall(r"ex_intro _ (\S+) (\S+) =>", lemma) for w in pair}
    bound |= {w for names in re.findall(r"fun ([\w' ]+) =>", lemma) for w in names.split()}
    return set(WORD.findall(lemma)) - bound - LIBRARY_WORDS


@pytest.mark.parametrize("name", SHORT)
def test_every_step_is_a_lemma_in_which_every_variable_is_bound(name):
    text = printed(name, KEPT[name])
    rules = [row[1] for row in map(json.loads, KEPT[name]) if row[0] == "p"]
    lemmas = re.findall(r"^Lemma s_(\d+)(.*?)Qed\.  \(\* (\w+) \*\)$", text,
                        re.MULTILINE | re.DOTALL)
    assert [(int(n), rule) for n, _, rule in lemmas] == list(enumerate(rules, 1))
    for n, lemma, _ in lemmas:
        earlier = open_words(lemma)
        assert all(re.fullmatch(r"s_\d+", w) and int(w[2:]) < int(n) for w in earlier), earlier
    theorem = text[text.index("Theorem "):]
    assert theorem.count("Theorem") == 1 and "Admitted" not in text and "Axiom" not in text
    assert f"exact (s_{len(rules)}" in theorem and "Print Assumptions" in theorem


def test_a_forged_derivation_is_not_printed():
    """One number of a derivation changed: the kernel refuses, so nothing is written."""
    lines = KEPT["laws/reversal.tails"]
    place = next(i for i, line in enumerate(lines) if json.loads(line)[:2] == ["t", "n"])
    row = json.loads(lines[place])
    forged = [*lines[:place], json.dumps([*row[:2], row[2] + 1, row[3]]), *lines[place + 1:]]
    with pytest.raises(Refused):
        printed("forged", forged)
    with pytest.raises(Refused, match="under hypotheses"):
        printed("forged", ['["t","false"]', '["p","hyp",0,[],[]]'])
    with pytest.raises(Refused, match="no rule"):
        printed("forged", ['["t","false"]', '["p","sorry",0,[],[]]'])


def test_what_the_library_has_no_words_for_is_named(monkeypatch):
    assert all(hasattr(Rules, f"_{rule}") for rule in RULES)
    with pytest.raises(NotPrinted, match="the symbol given"):
        printed("x", ['["t","v","h","H"]', '["t","v","x","O"]', '["t","given",0,1]',
                      '["t","dens",2,1]', '["t","eq",3,3]', '["p","refl",4,[],[]]'])
    monkeypatch.delattr(Logic, "_taut")
    with pytest.raises(NotPrinted, match="the rule taut"):
        printed("laws/reversal.tails", KEPT["laws/reversal.tails"])


def test_letters_keep_plain_names_and_never_meet():
    b = Bank()
    words = Words(b)
    names = [("x", "R"), ("x", "D"), ("c'1", "O"), ("@", "F"), ("R", "D"), ("eps", "R"),
             ("t_0", "R"), ("a b", "R"), ("fun", "G")]
    found = [words.letter(n) for n in names]
    assert len(set(found)) == len(names) and not set(found) & RESERVED
    assert found[0] == "x" and found[5] == "eps" and all(WORD.fullmatch(n) for n in found)
    inner = b.make("allR", b.make("lt", b.bound(0, "R"), b.bound(1, "R")))
    assert words.text(b.make("exR", inner)) == "(exists t_0 : R, (forall t_1 : R, (t_1 < t_0)))"


def test_dropped_letters_get_a_value():
    """A letter that only premises have: any value of its sort."""
    lines = ['["t","v","x","R"]', '["t","eq",0,0]', '["p","refl",1,[],[]]', '["t","n",0,1]',
             '["t","eq",2,2]', '["t","not",3]', '["t","or",3,4]', '["p","taut",5,[0],[]]']
    assert "(s_1 0)" in printed("x", lines)


def test_exponentials_are_powers_of_one_another():
    """exp(x/2) exp(x/2) exp(-x) = 1 is handed over with the equations between the atoms."""
    b = Bank()
    x, made = b.letter("x", "R"), Identities(Words(b))
    half = b.make("exp", b.make("mul", b.number(1, 2), x))
    minus = b.make("exp", b.make("mul", b.number(-1), x))
    proof = made.proof(b.make("mul", b.make("mul", half, half), minus), b.number(1))
    assert "exp_cancel" in proof and proof.count("exp_sum") >= 2
    assert made.proof(x, x) == "(eq_refl x)"
    assert "exp" not in made.proof(b.make("add", x, x), b.make("mul", b.number(2), x))


def test_assumptions_are_stated_once_and_documented():
    stated = re.findall(r"^(?:Axiom|Parameter) (\w+)", SOURCES["Assumptions"], re.MULTILINE)
    assert len(stated) == len(set(stated))
    for name in ("Rules", "Numbers"):
        code = re.sub(r"\(\*.*?\*\)", "", SOURCES[name], flags=re.DOTALL)
        assert not re.search(r"\b(Axioms?|Parameters?|Admitted|admit|Hypothes[ie]s)\b", code)
    page = (Path(__file__).parents[2] / "docs" / "rocq.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert listed == stated


def test_the_command(tmp_path, capsys):
    assert cli.main(["export", "laws/reversal.tails", "--rocq", "--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert re.fullmatch(r"laws/reversal.tails: \d+ steps, .*laws_reversal_tails.v\n", out)
    assert err == ""
    names = (tmp_path / "_CoqProject").read_text().splitlines()
    assert names == ["-R . Lapdp", "Assumptions.v", "Rules.v", "Numbers.v", "laws_reversal_tails.v"]
    assert all((tmp_path / name).is_file() for name in names[1:])
    assert cli.main(["export", "laws/reversal.tails", "--out", str(tmp_path)]) == 2
    assert "--rocq is missing" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    place = str(tmp_path / "file" / "inside")
    assert cli.main(["export", "laws/reversal.tails", "--rocq", "--out", place]) == 2
    assert "cannot write" in capsys.readouterr().err
