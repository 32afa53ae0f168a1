"""The one door to ``proved``: what the core seals and what it turns away."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, EmptyCell, SignOf, explore
from lapdp.core import facts as known
from lapdp.core.verdict import (
    HOLDS,
    Certificate,
    Judgement,
    Kind,
    Leaf,
    Proof,
    Rejected,
    Split,
    Witness,
    check_tree,
    seal,
    worst,
)
from lapdp.theory.obligations import (
    ConvergesHere,
    DivergesHere,
    ExcludedBy,
    Fails,
    HasSign,
    InfiniteHere,
    NoMass,
    NoPartner,
    Vanishes,
)

x, y = sp.symbols("x y", real=True)
q = sp.Symbol("q", complex=True)
F = Form.of
ABOVE = SignOf(F(x))
TRUE = Vanishes((), Scalar.of(0), "zero")
FALSE = Vanishes((), Scalar.of(1), "one")
WITNESS = Witness("x = 1", {"x": "1"}, "1", "2")
decay = Exact.step(0, 1, -1)


def certificate(tree, facts=()):
    return Certificate("kernels", (("all", tree),), facts)


def test_a_proof_lists_cells_facts_and_steps():
    tree = Split(ABOVE, {a: Leaf((TRUE,)) for a in "<=>"})
    proof = seal(certificate(tree, (known.TONELLI, known.FUBINI, known.TONELLI)))
    assert proof.cells == 3
    assert proof.facts == (known.FUBINI, known.TONELLI)
    assert len(proof.steps) == 3
    assert "x < 0" in proof.steps[0]


@pytest.mark.parametrize(
    "tree",
    [
        Leaf(()),
        Leaf((FALSE,)),
        Leaf((TRUE, FALSE)),
        Leaf((Fails("it fails"),)),
        Split(ABOVE, {}),
        Split(ABOVE, {"<": Leaf((TRUE,)), ">": Leaf((TRUE,))}),
        Split(ABOVE, {a: Leaf((TRUE,)) for a in "<=>!"}),
        Split(ABOVE, {"<": Leaf((TRUE,)), "=": Leaf((FALSE,)), ">": Leaf((TRUE,))}),
        Split(ABOVE, {"<": Leaf((TRUE,)), "=": Leaf(()), ">": Leaf((TRUE,))}),
    ],
)
def test_incomplete_or_false_trees_are_rejected(tree):
    with pytest.raises(Rejected):
        seal(certificate(tree))


def test_an_empty_certificate_proves_nothing():
    with pytest.raises(Rejected):
        seal(Certificate("kernels", ()))


def test_a_question_without_answers_proves_nothing():
    class Nothing:
        def answers(self):
            return ()

    with pytest.raises(Rejected):
        seal(certificate(Split(Nothing(), {})))


def test_only_seal_makes_proofs():
    with pytest.raises(Rejected):
        Proof(object(), "kernels", (), 1, ())
    with pytest.raises(Rejected):
        Proof(None, "kernels", (), 1, ())


def on(*answers):
    return tuple((SignOf(F(f)), a) for f, a in answers)


@pytest.mark.parametrize(
    ("obligation", "good", "bad"),
    [
        (Vanishes((), to_scalar(sp.exp(x) - sp.exp(y)), "w"), on((x - y, "=")), on((x - y, ">"))),
        (HasSign((), to_scalar(1 - sp.exp(-x)), ">", "w"), on((x, ">")), on((x, "="))),
        (HasSign((), to_scalar(1 - sp.exp(-x)), ">=", "w"), on((x, "=")), on((x, "<"))),
        (HasSign((), to_scalar(1 - sp.exp(-x)), "!=", "w"), on((x, "<")), on((x, "="))),
        (HasSign((), to_scalar(1 - sp.exp(-x)), ">", "w"), on((x - 1, ">")), ()),
        (EmptyCell(()), on((x, ">"), (x, "<")), on((x, ">"))),
        (EmptyCell(((F(x), ">="),)), on((x, "<")), on((x, "="))),
        (ExcludedBy((), F(x - y), "w"), on((x - y, "=")), on((x - y, "<"))),
        (ExcludedBy((), F(x - y), "w"), on((x - y, "=")), ()),
        (
            ExcludedBy((), F(q - 1), "w"),
            on((sp.re(q) - 1, "="), (sp.im(q), "=")),
            on((sp.re(q) - 1, "="), (sp.im(q), ">")),
        ),
        (ConvergesHere((), decay, F(x), "w"), on((x + 1, ">")), on((x + 1, "="))),
        (DivergesHere((), decay, F(x), "w"), on((x + 1, "=")), on((x + 1, ">"))),
        (ConvergesHere((), decay, F(x), "w"), on((x, ">")), ()),
        (InfiniteHere((), lambda c: c.sign(F(x)) > 0, "w"), on((x, ">")), on((x, "="))),
        (NoMass((), (to_scalar(x - y),), "w"), on((x - y, "=")), on((x - y, ">"))),
        (NoPartner((Leaf((TRUE,)),), "w"), (), None),
        (
            NoPartner((Leaf((HasSign((), Scalar.of(F(x)), ">", "w"),)),), "w"),
            on((x, ">")),
            on((x, "<")),
        ),
        (Fails("never"), None, on((x, ">"))),
    ],
)
def test_obligations_are_discharged_again(obligation, good, bad):
    if good is not None:
        obligation.discharge(good)
        assert obligation.describe()
    if bad is not None:
        with pytest.raises(Rejected):
            obligation.discharge(bad)


def test_a_forged_tree_is_found_out():
    """Answers that were not asked, and leaves that claim another case's defect."""
    tree = explore(
        [],
        lambda cell: (
            (HasSign((), Scalar.of(F(x)) ** 2, ">", "square"),)
            if cell.sign(F(x))
            else (Vanishes((), Scalar.of(F(x)), "root"),)
        ),
    )
    assert seal(certificate(tree)).cells == 3
    swapped = Split(
        tree.question, {"<": tree.branches["="], "=": tree.branches["="], ">": tree.branches[">"]}
    )
    with pytest.raises(Rejected):
        seal(certificate(swapped))
    other = Split(SignOf(F(y)), dict(tree.branches))
    with pytest.raises(Rejected):
        seal(certificate(other))


def test_subtrees_are_checked_below_their_path():
    tree = Leaf((HasSign((), Scalar.of(F(x)), ">", "w"),))
    assert check_tree(tree, on((x, ">")), "part") == 1
    with pytest.raises(Rejected):
        check_tree(tree, (), "part")
    assert Cell((), on((x, ">"))).sign(F(x)) == 1


def test_judgements():
    proof = seal(certificate(Leaf((TRUE,))))
    proved = Judgement(Kind.DERIVED, "kernels", proof=proof)
    assert proved.record()["symbolic"]["cells"] == 1
    for kind in Kind:
        with pytest.raises(Rejected):
            Judgement(kind, "m", proof=None if kind in HOLDS else proof)
    for forged in (None, "proof", True, object(), Certificate("m", ())):
        with pytest.raises(Rejected):
            Judgement(Kind.DERIVED, "m", proof=forged)
    with pytest.raises(Rejected):
        Judgement(Kind.REFUTED, "m")
    with pytest.raises(Rejected):
        replace(proved, kind=Kind.TESTED)
    refuted = Judgement(Kind.REFUTED, "witness", witness=WITNESS)
    with pytest.raises(Rejected):
        replace(refuted, witness=None)
    assert refuted.record()["witness"]["lhs"] == "1"
    assert replace(proved, seconds=2.0).proof is proof


def test_the_worst_verdict():
    order = list(Kind)
    for k, kind in enumerate(order):
        assert worst(order[: k + 1]) is kind
    assert worst([Kind.UNDECIDED, Kind.ADMITTED, Kind.CERTIFIED]) is Kind.UNDECIDED
