"""The conjecture tool at its edges: what it says where it cannot decide, and what it refuses."""

from __future__ import annotations

import pytest
import sympy as sp
from mpmath import mp

from lapdp import gaussian, laplace, randomized_response
from lapdp.core.errors import IllFormed, InputError
from lapdp.core.verdict import Witness
from lapdp.privacy.finite import finite
from lapdp.testing import conjecture
from lapdp.testing.conjectures import searching
from lapdp.testing.conjectures.second_route import second_look
from lapdp.testing.strategies import finite_pairs, mechanisms
from lapdp.theory import (
    Eq,
    Event,
    Le,
    R,
    T,
    claim,
    complexes,
    delta,
    functions,
    mechanism_pair,
    naturals,
    pair,
    positives,
    product_pair,
    reals,
)
from lapdp.theory.code import code
from lapdp.theory.instances import Instance
from lapdp.theory.statement import Statement, collecting

P, Q = pair()
P1, Q1 = pair("P1", "Q1")
BOTH = product_pair((P, Q), (P1, Q1), names=("P", "Q"))
eps, q, a = reals("eps q a")
b, n, z = positives("b"), naturals("n"), complexes("z")


def test_a_conjecture_is_neither_true_nor_false():
    found = conjecture(delta(P, Q)(0), "<=", delta(Q, P)(1))
    assert found.refuted and not found.open and not found.proved
    with pytest.raises(TypeError, match="refuted, proved or open"):
        bool(found)
    assert repr(found).endswith("refuted)")
    text = found._repr_markdown_()
    assert "firebrick" in text and found.latex() in text


def test_failures_where_both_sides_have_a_value_come_first():
    found = conjecture(R(q, P, Q), "<=", R(q, Q, P), where=q > 1)
    assert not found.counterexample.undefined
    assert "undefined" not in found.witness.lhs + found.witness.rhs


def test_a_claim_without_a_value_says_so():
    found = conjecture(R(2, P, Q) - R(3, P, Q), "<=", 0, examples=60)
    assert found.refuted and found.counterexample.undefined
    assert "Defined(...)" in str(found) and "oo - oo" in str(found)
    level = conjecture(T(P, Q)(a), "<=", 1 - a, examples=40)
    assert level.counterexample.undefined
    assert "fails at" in level.latex()


def test_a_parameter_of_a_mechanism():
    L1, L2 = mechanism_pair(laplace(b))
    found = conjecture(delta(L1, L2)(eps), "<=", 1 - sp.exp(eps), examples=30)
    assert found.witness.text == "P, Q = mechanism_pair(laplace(1, 1)); b = 1; eps = 0"
    assert found.counterexample.second


def test_a_mechanism_follows_its_parameter():
    """The pair of a witness is the mechanism at the value that the witness gives its letter."""
    sigma = positives("sigma")
    G, H = mechanism_pair(gaussian(sigma), "G", "H")
    bound = sp.Rational(5, 4) * sp.exp(-sigma**2 * eps**2 / 2)
    found = conjecture(delta(G, H)(eps), "<=", bound, where=eps > 0)
    assert found.refuted
    instance = found.counterexample.instance
    scale, at = instance.values[sigma], instance.values[eps]
    (_, made), = instance.pairs.values()
    assert made == gaussian(scale)
    with mp.workdps(30):
        s, e = mp.mpf(scale.p) / scale.q, mp.mpf(sp.N(at, 30))
        left = mp.ncdf(1 / (2*s) - e*s) - mp.exp(e) * mp.ncdf(-1 / (2*s) - e*s)
        assert left > mp.mpf(5) / 4 * mp.exp(-(s * e)**2 / 2)
        assert float(found.witness.lhs.rpartition(" = ")[2]) == pytest.approx(float(left))
    # in the words of the field, to be read and to be pasted
    assert "[" not in found.witness.lhs and "_erfc" not in str(found)
    exact = sp.sympify(found.witness.lhs.rpartition(" = ")[0])
    assert float(exact.evalf(20)) == pytest.approx(float(left), rel=1e-12)
    assert r"\operatorname{erfc}{\left(" in found.latex() and "erfc[" not in found.latex()


@pytest.mark.parametrize(("make", "letter", "low"), [
    (laplace, positives("b"), 0), (randomized_response, reals("x"), 0)])
def test_every_simpler_instance_has_the_mechanism_of_its_values(make, letter, low):
    """Shrinking changes letters: pairs are made anew, and values without a mechanism left out."""
    M, N = mechanism_pair(make(letter), "M", "N")
    found = conjecture(delta(M, N)(eps), "<=", 0, where=eps >= 0)
    (_, made), = found.counterexample.instance.pairs.values()
    assert found.refuted and made == make(found.counterexample.instance.values[letter])
    instance = Instance({M.pair: (repr(make(2)), make(2))}, {}, {letter: sp.Integer(2)})
    moved = instance.at({letter: sp.Integer(3)})
    assert moved.pairs[M.pair][1] == make(3) and instance.at({letter: sp.Integer(-1)}) is None


def test_what_is_not_drawn_at_random_goes_to_the_engine():
    from lapdp.theory import L

    g = functions("g")
    found = conjecture(L(g(eps), eps, 2), "==", 1, seconds=60)
    assert found.counterexample is None and found.refuted
    assert "not drawn at random" in str(found)
    with pytest.raises(InputError, match="no random counterexample"):
        _ = found.python


def test_time_and_contradictory_hypotheses():
    late = conjecture(delta(P, Q)(eps), "<=", 1, seconds=0.001)
    assert late.open and "time limit" in str(late)
    empty = conjecture(delta(P, Q)(eps), "<=", 1, where=[eps > 1, eps < 0], examples=5)
    assert empty.verdict == "ill-formed" and "contradict" in str(empty)


@pytest.mark.parametrize(("arguments", "options", "message"), [
    ((delta(P, Q)(0), "=<", 1), {}, "'=<' is no relation"),
    (("delta(P, Q)(0)", "<=", 1), {}, "no side of a relation"),
    ((delta(P, Q)(0), "<=", 0.5), {}, "is a float"),
    ((delta(P, Q)(0), "<=", True), {}, "no side of a relation"),
    ((delta(P, Q)(0), "<=", [1]), {}, "is no number"),
    ((delta(P, Q)(0), "<=", 1), {"examples": 0}, "examples=0"),
    ((delta(P, Q)(0), "<=", 1), {"seed": "x"}, "seed='x'"),
    ((delta(P, Q)(0), "<=", 1), {"seed": -1}, "the seed"),
    ((delta(P, Q)(0), "<=", 1), {"seconds": 0}, "time limit"),
    ((delta(P, Q)(0), "<=", 1), {"max_size": True}, "max_size=True"),
    ((delta(P, Q)(0), "<=", 1), {"over": mechanisms(families=["laplace"])}, "finite pairs"),
    ((len, "<=", 1), {}, "functions need over="),
    ((len, "<", 1), {"over": finite_pairs()}, "between functions"),
    ((len, "<=", 1), {"over": [1]}, "a strategy of hypothesis"),
    ((len, "<=", 1), {"over": finite_pairs(), "where": eps > 0}, "take no where="),
])
def test_refusals(arguments, options, message):
    with pytest.raises(InputError, match=message) as refused:
        conjecture(*arguments, **options)
    assert "\n" not in str(refused.value)


def test_a_hypothesis_that_sympy_has_decided_is_refused():
    with pytest.raises(IllFormed, match="True is not a claim"):
        conjecture(delta(P, Q)(b), "<=", 1, where=b > 0)


def test_a_fault_of_the_search_is_not_shown_as_a_refutation(monkeypatch):
    """The second route looks at every failure: one that it does not see stops everything."""
    wrong = Witness("made up", {}, "1", "0", "a fault")
    monkeypatch.setattr(searching.Trial, "against", lambda self, claim: wrong)
    with pytest.raises(searching.Disagreement, match="two routes disagree"):
        searching.search(claim("true", Le(delta(P, Q)(0), 1)), examples=5)


def test_the_second_route_by_hand():
    half = finite([1, 0], ["1/2", "1/2"])
    at = Instance({P.pair: (repr(half), half)}, {}, {a: sp.Rational(1, 4)})
    # reject the second outcome: it costs nothing and finds half of Q; a quarter of the first too
    assert second_look(Eq(T(P, Q)(a), sp.Rational(3, 8)), at)[0] is True
    assert second_look(Eq(T(Q, P)(a), sp.Rational(1, 2)), at)[0] is True
    assert second_look(Eq(T(P, Q)(2 + a), 0), at)[0] is not True
    S = Event("S")
    there = Instance(at.pairs, {}, {}, {S: frozenset({0})})
    assert second_look(Eq(P(S) - Q(S), sp.Rational(1, 2)), there)[0] is True


@pytest.mark.parametrize("form", [
    Eq(delta(*BOTH)(2 * eps), delta(P, Q)(eps) + delta(P1, Q1)(-eps / 3)),
    Le(R(q, Q, P), sp.sqrt(b) * sp.Rational(2, 3) - sp.log(1 + b**n)),
    Eq(sp.Max(a, 0) / (1 + b), sp.exp(-eps) * abs(eps)),
    Le(P(Event("S")), T(P, Q)(a) + sp.oo),
])
def test_code_makes_the_same_statement(form):
    text = code(Statement("x", form), "bound")
    with collecting() as made:
        exec("import sympy as sp\nfrom lapdp.theory import *\n" + text, {})
    assert made.statements["bound"].hash == Statement("x", form).hash


def test_a_statement_is_written_and_judged_again(tmp_path):
    from lapdp.theory.loading import load_file

    found = conjecture(delta(P, Q)(eps), "<=", delta(P, Q)(2 * eps), examples=30)
    file = tmp_path / "mine.py"
    file.write_text(found.statement("mine/bound", title="A bound"))
    (made,) = load_file(file)
    assert (made.id, made.expected, made.title) == ("mine/bound", "refuted", "A bound")
    assert made.hash == found.claimed.hash
    for name in ("", "mine/", 'x"y', "a/b c"):
        with pytest.raises(InputError, match="is no id"):
            found.statement(name)


def test_the_same_seed_finds_the_same():
    first, second = (conjecture(delta(P, Q)(eps), "==", delta(Q, P)(eps), seed=4)
                     for _ in range(2))
    assert str(first) == str(second)


def test_a_conjecture_that_fails_only_far_from_one():
    found = conjecture(delta(*mechanism_pair(laplace(positives("b")), "L", "M"))(eps), "<=",
                       1 - eps/1000, where=[eps > 0, eps <= 10])
    assert found.refuted
    assert float(found.witness.lhs.rpartition(" = ")[2]) > 1 - float(
        sp.sympify(found.witness.values["eps"]))/1000


def test_values_nearer_than_the_tolerance_are_no_disagreement():
    """exp(-1000) against exp(-1001): the definitions take both for 0, and say nothing."""
    s = positives("s")
    small, less = sp.exp(-s), sp.exp(-s - 1)
    at = Instance({}, {}, {s: sp.Integer(1000)})
    assert second_look(Le(small, less), at)[0] is None
    assert second_look(Le(less, small), at)[0] is True
    assert second_look(Le(small, less), Instance({}, {}, {s: sp.Integer(1)}))[0] is False
