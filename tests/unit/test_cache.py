"""The cache: what is kept, when it is found again, what it never keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.core.verdict import Judgement, Kind, Witness
from lapdp.theory import Eq, Le, delta, pair, product_pair, reals
from lapdp.theory import cache as module
from lapdp.theory.cache import MARK, Cache, Kept, default_folder
from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.loading import load
from lapdp.theory.runner import run
from lapdp.theory.statement import Statement

x, y = reals("x y")
FILE = """
import sympy as sp
from lapdp.theory import *
x = reals("x")
with theorem("p/one"):
    claim("eq-1", Eq(sp.exp(x) * sp.exp(-x), 1))
    claim("eq-2", Eq(sp.exp(x), 1))
"""


@pytest.fixture
def statements(tmp_path: Path) -> list[Statement]:
    (tmp_path / "one.py").write_text(FILE)
    return load(tmp_path / "one.py")


def kept(folder: Path, **options: object) -> Cache:
    return Cache(folder / "kept", **{"digits": 30, "seed": 0, "numeric": False, **options})


def judged(kind: Kind, seconds: float = 0.5) -> Kept:
    witness = Witness("finite([1], [1])", {}, "1", "2") if kind is Kind.REFUTED else None
    return Kept(Judgement(kind, "by hand", witness=witness).record(), seconds)


TESTED, REFUTED, OPEN_ONE = map(judged, (Kind.TESTED, Kind.REFUTED, Kind.UNDECIDED))


def test_a_second_run_judges_nothing(statements: list[Statement], tmp_path: Path) -> None:
    first = run(statements, numeric=False, cache=kept(tmp_path))
    second = run(statements, numeric=False, cache=kept(tmp_path), timeout=0.001)
    assert [r["cached"] for r in first] == [False, False]
    assert [r["cached"] for r in second] == [True, True]
    strip = [{k: v for k, v in r.items() if k != "cached"} for r in first]
    assert strip == [{k: v for k, v in r.items() if k != "cached"} for r in second]
    assert [r["verdict"] for r in second] == ["derived", "refuted"]


def test_an_interrupted_run_resumes(statements: list[Statement], tmp_path: Path) -> None:
    def interrupt(done: int, *_: object) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(statements, 1, numeric=False, cache=kept(tmp_path), progress=interrupt)
    # the record enters the cache before anybody is told of it
    again = run(statements, numeric=False, cache=kept(tmp_path))
    assert sorted(r["cached"] for r in again) == [False, True]


def test_options_and_code_belong_to_the_key(statements: list[Statement], tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    one = statements[0]
    kept(tmp_path).put(one, TESTED)
    assert kept(tmp_path).get(one) == TESTED
    for other in ({"digits": 31}, {"seed": 1}, {"numeric": True}):
        assert kept(tmp_path, **other).get(one) is None
    monkeypatch.setattr(module, "code_digest", lambda: "other")
    assert kept(tmp_path).get(one) is None


def test_hints_belong_to_the_key_and_names_do_not(tmp_path: Path) -> None:
    plain, hinted, renamed = (Statement(name, Eq(x, y), hints=hints) for name, hints in (
        ("p/eq-1", {}), ("p/eq-1", {"witness": {"x": 1}}), ("q/eq-9", {})))
    folder = kept(tmp_path)
    folder.put(plain, REFUTED)
    assert folder.get(hinted) is None
    assert folder.get(renamed) == REFUTED


OPEN = """
from lapdp.theory import *
P, Q = pair()
open_one = NotAlways(Le(E(3, P, Q), E(2, P, Q)))
with theorem("p/open"):
    claim("eq-1", open_one)
    claim("eq-2", open_one, cited="Nobody 1900")
"""


def test_what_the_clock_ended_is_tried_again(statements: list[Statement], tmp_path: Path) -> None:
    stopped = run(statements, 1, numeric=False, cache=kept(tmp_path), timeout=0.0001)
    assert {r["verdict"] for r in stopped} == {"undecided"}
    assert [path.name for path in kept(tmp_path).folder.iterdir()] == [MARK]


def test_what_the_engine_leaves_open_is_kept(tmp_path: Path) -> None:
    (tmp_path / "open.py").write_text(OPEN)
    first, second = (run(load(tmp_path / "open.py"), 1, numeric=False, cache=kept(tmp_path))
                     for _ in range(2))
    assert [r["verdict"] for r in second] == ["undecided", "admitted"]
    assert [r["cached"] for r in second] == [True, True]
    assert [r["reason"] for r in second] == [r["reason"] for r in first]


def test_a_citation_belongs_to_the_key(tmp_path: Path) -> None:
    plain, cited = (Statement("p/eq-1", Eq(x, y), cited=c) for c in ("", "Nobody 1900"))
    kept(tmp_path).put(plain, OPEN_ONE)
    assert kept(tmp_path).get(cited) is None


def test_a_cache_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(InputError, match="--no-cache"):
        kept(tmp_path)


def test_another_judge_takes_no_cache(statements: list[Statement], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another judge"):
        run(statements, judge="some:judge", cache=kept(tmp_path))


def test_where_the_cache_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAPDP_CACHE", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("LAPDP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "lapdp"


def test_fingerprints_tell_pairs_apart() -> None:
    P, Q = pair()
    A, B = pair()
    M, N = product_pair((P, Q), (A, B))
    twice = product_pair((P, Q), (P, Q))
    forms = [
        Le(delta(P, Q)(x), delta(A, B)(x)), Le(delta(P, Q)(x), delta(P, Q)(x)),
        Le(delta(P, Q)(x), delta(B, A)(x)), Le(delta(P, Q)(x), delta(Q, P)(x)),
        Le(delta(M, N)(x), 1), Le(delta(P, Q)(x), 1), Le(delta(*twice)(x), 1),
        Le(delta(P, Q)(y), 1),
    ]
    assert len({fingerprint([f]) for f in forms}) == len(forms)
    again = pair()
    assert fingerprint([Le(delta(*again)(x), 1)]) == fingerprint([Le(delta(P, Q)(x), 1)])


def test_fingerprints_do_not_see_where_dummies_begin() -> None:
    """SymPy numbers them from a random place on."""
    first, again, other = (sp.Dummy("u", real=True) for _ in range(3))

    def nested(a: sp.Dummy, b: sp.Dummy) -> sp.Expr:
        return sp.Integral(sp.Integral(sp.exp(-a * b), (a, 0, 1)) * b**2, (b, 0, 1))

    assert fingerprint([Eq(first, 1)]) == fingerprint([Eq(again, 1)])
    assert fingerprint([Eq(first, again)]) != fingerprint([Eq(first, first)])
    assert fingerprint([Eq(first, 1), Eq(first, 2)]) != fingerprint([Eq(first, 1), Eq(other, 2)])
    assert len({fingerprint([Eq(nested(*(sp.Dummy(n) for n in "ab")), 1)])
                for _ in range(3)}) == 1


def test_fingerprints_see_assumptions_and_mechanisms() -> None:
    from lapdp.privacy.mechanisms import laplace
    from lapdp.privacy.nodes import mechanism_pair
    from lapdp.theory import positives

    z = positives("x")
    assert fingerprint([Eq(x, 1)]) != fingerprint([Eq(z, 1)])
    found = {fingerprint([Le(delta(*mechanism_pair(laplace(scale)))(y), 1)])
             for scale in (1, 2, z, positives("w"))}
    assert len(found) == 4
