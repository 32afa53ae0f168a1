"""Discovery: what targets select, and one clear line for each mistake."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from lapdp.core.errors import InputError
from lapdp.theory import discovery
from lapdp.theory.discovery import Catalogue, _names, aggregates, discover
from lapdp.theory.loading import load, load_file
from tests.shelf import library


def proof(folder: Path, name: str, *lines: str, group: str = "a/theorem-1") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    body = "\n".join(f"    {line}" for line in lines) or "    pass"
    file = folder / name
    file.write_text(
        f"from lapdp.theory import *\nx = reals('x')\nwith theorem('{group}'):\n{body}\n"
    )
    return file


def ids(statements: list) -> list[str]:
    return [s.id for s in statements]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with ./proofs and a library elsewhere; no other package announces anything."""
    monkeypatch.setattr(discovery, "announced", list)
    proof(tmp_path / "here/proofs/a", "one.py", "claim('eq-20.2', Eq(x, x))",
          "claim('eq-2', Eq(x, x), repaired_by='a/eq-2.repaired')",
          "claim('eq-20.1', Eq(x, x))", "claim('remark-4.3', Eq(x, x))",
          "repair('eq-2.repaired', 'eq-2', Eq(x, x))")
    proof(tmp_path / "here/proofs/a", "two.py", "claim('eq-3', Eq(x, x))", group="a/theorem-3.2")
    proof(tmp_path / "library/b", "three.py", "claim('eq-1', Eq(x, x))", group="b/section-1")
    return tmp_path


def catalogue(house: Path) -> Catalogue:
    return Catalogue(house / "here", house / "library")


def test_no_target_means_proofs_here_else_the_library(house: Path) -> None:
    assert ids(catalogue(house).select()) == [
        "a/eq-2", "a/eq-2.repaired", "a/eq-3", "a/eq-20.1", "a/eq-20.2", "a/remark-4.3"
    ]
    assert ids(Catalogue(house, house / "library").select()) == ["b/eq-1"]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("a/eq-3", ["a/eq-3"]),
        ("a/eq-2", ["a/eq-2", "a/eq-2.repaired"]),
        ("a/eq-20", ["a/eq-20.1", "a/eq-20.2"]),
        ("a/theorem-3.2", ["a/eq-3"]),
        ("a/theorem-3", ["a/eq-3"]),
        ("a/remark", ["a/remark-4.3"]),
        ("b", ["b/eq-1"]),
        ("b/", ["b/eq-1"]),
        ("proofs/a/two.py", ["a/eq-3"]),
        ("proofs/a/one.py::eq-20", ["a/eq-20.1", "a/eq-20.2"]),
        ("proofs/a/one.py::a/eq-20.1", ["a/eq-20.1"]),
        ("../library", ["b/eq-1"]),
    ],
)
def test_targets(house: Path, target: str, expected: list[str]) -> None:
    assert ids(catalogue(house).select([target])) == expected


def test_targets_are_joined_once_each(house: Path) -> None:
    assert ids(catalogue(house).select(["b", "a/eq-3", "proofs/a/two.py"])) == ["a/eq-3", "b/eq-1"]


def test_an_unknown_target_names_the_closest_ids(house: Path) -> None:
    with pytest.raises(InputError, match=r"no statement 'a/eq-21'; did you mean a/eq-2"):
        catalogue(house).select(["a/eq-21"])
    with pytest.raises(InputError, match=r"there is no file proofs/none\.py"):
        catalogue(house).select(["proofs/none.py"])
    with pytest.raises(InputError, match=r"no statement 'eq-9'"):
        catalogue(house).select(["proofs/a/two.py::eq-9"])


def test_a_folder_named_like_a_paper_does_not_hide_the_paper(house: Path) -> None:
    (house / "here/b").mkdir()
    assert ids(catalogue(house).select(["b"])) == ["b/eq-1"]


def test_discover_reads_the_current_folder(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house / "here")
    assert ids(discover(["a/eq-3"])) == ["a/eq-3"]
    assert len(discover()) == 6


def test_an_id_declared_in_two_files(house: Path) -> None:
    proof(house / "here/proofs/a", "again.py", "claim('eq-3', Eq(x, 1))")
    with pytest.raises(InputError, match=r"a/eq-3 is declared in .*again\.py and in .*two\.py"):
        catalogue(house).select(["a"])


def test_a_repair_must_exist(house: Path) -> None:
    file = proof(house, "p.py", "claim('eq-9', Eq(x, x), repaired_by='a/eq-9.repaired')")
    with pytest.raises(InputError, match=r"a/eq-9: repaired_by names 'a/eq-9\.repaired'"):
        catalogue(house).select([str(file)])
    proof(house / "library/a", "nine.py", "repair('eq-9.repaired', 'b/eq-1', Eq(x, x))")
    assert ids(catalogue(house).select([str(file)])) == ["a/eq-9"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("claim('eq-1', 1/0)", r"p\.py:4: ZeroDivisionError"),
        ("claim('eq-1', x)", r"p\.py:4: a/eq-1: x is not a claim"),
        ("claim('eq-1', Exists(x, (x > 0) & (x < 1)))",
         r"p\.py:4: .* is not one claim: say AllOf\(\(first, second\)\)"),
        ("claim('eq-1', Eq(x, x), where=[(x > 0) & (x < 1)])", "as a tuple"),
        ("claim('eq-1', Eq(x, x)", r"p\.py:4: SyntaxError"),
        ("raise SystemExit(3)", r"p\.py:4: SystemExit"),
        ("import no_such_module", r"p\.py:4: ModuleNotFoundError"),
        ("claim('eq-1', Eq(x, x), expected='true')", r"a/eq-1: expected must be one of proved"),
    ],
)
def test_a_mistake_in_a_file_is_one_line(tmp_path: Path, line: str, message: str) -> None:
    file = proof(tmp_path, "p.py", line)
    with pytest.raises(InputError, match=message) as caught:
        load_file(file)
    assert "\n" not in str(caught.value)


def test_loading_leaves_no_trace_but_its_private_module(tmp_path: Path) -> None:
    (tmp_path / "lapdp_test_helper.py").write_text("LABEL = 'eq-5'")
    file = proof(tmp_path, "p.py", "from lapdp_test_helper import LABEL",
                 "claim(LABEL, Eq(x, x))", "import sys; sys.path.insert(0, 'elsewhere')")
    path, modules = list(sys.path), set(sys.modules)
    assert ids(load_file(file)) == ["a/eq-5"]
    assert sys.path == path
    assert all(name.startswith("_lapdp_proofs_") for name in set(sys.modules) - modules)
    assert load_file(file)[0].source == str(file)


def test_a_file_changed_within_the_second_is_read_again(tmp_path: Path) -> None:
    file = proof(tmp_path, "p.py", "claim('eq-1', Eq(x, x))")
    load_file(file)
    proof(tmp_path, "p.py", "claim('eq-2', Eq(x, x))")
    assert ids(load_file(file)) == ["a/eq-2"]


def test_hidden_files_are_no_proof_files(tmp_path: Path) -> None:
    proof(tmp_path, "_helper.py", "claim('eq-1', Eq(x, x))")
    proof(tmp_path / ".cache", "p.py", "claim('eq-2', Eq(x, x))")
    assert load(tmp_path) == []
    empty = proof(tmp_path, "empty.py")
    with pytest.raises(InputError, match="declares no statements"):
        Catalogue(tmp_path, tmp_path).select([str(empty)])


def test_other_packages_announce_proofs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof(tmp_path / "lapdp_other_proofs", "p.py", "claim('eq-1', Eq(x, x))", group="c/section-1")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [metadata.EntryPoint("other", "lapdp_other_proofs", discovery.ENTRY_POINTS)]
    monkeypatch.setattr(metadata, "entry_points", lambda group: points)
    (tmp_path / "library").mkdir()
    assert ids(Catalogue(tmp_path, tmp_path / "library").select(["c"])) == ["c/eq-1"]
    points[0] = metadata.EntryPoint("other", "no_such_package", discovery.ENTRY_POINTS)
    with pytest.raises(InputError, match="entry point other = no_such_package"):
        Catalogue(tmp_path, tmp_path / "library").select(["c"])


def test_aggregates_take_the_worst_member_and_no_repairs(tmp_path: Path) -> None:
    file = proof(tmp_path, "p.py", "claim('eq-13.1', Eq(x, x))", "claim('eq-13.2', Eq(x, x))",
                 "repair('eq-13.2.repaired', 'eq-13.2', Eq(x, x))", 
                 "claim('theorem-3.2', Eq(x, x))", "step('theorem-3.6.step-2', Eq(x, x))",
                 "claim('eq-14', Eq(x, x))")
    verdicts = {"a/eq-13.1": "tested", "a/eq-13.2": "proved", "a/eq-13.2.repaired": "refuted"}
    assert aggregates(load(file), verdicts) == {
        "a/eq-13": {"verdict": "tested", "members": ["a/eq-13.1", "a/eq-13.2"]}
    }


def test_every_statement_of_the_library_is_found_in_the_files_that_name_it():
    texts = {file: file.read_bytes() for file in Catalogue().library.files}
    for s in library():
        for label in {s.label, s.group or s.label}:
            naming = re.compile(discovery._names(s.paper, label))
            assert naming.search(texts[Path(s.source)]), (s.id, label)


def test_only_files_that_name_a_statement_are_executed():
    known = Catalogue()
    assert ids(known.select(["chourasia2024/eq-30"]))[0] == "chourasia2024/eq-30"
    assert len(known.library._loaded) < len(known.library.speaking_of("chourasia2024")) / 4


@pytest.mark.parametrize("target", ["nosuch", "foo/bar", "eq-47", "zhu2021/lemma-99999"])
def test_an_unknown_id_executes_few_files(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is spelt like it is looked for in the texts of the library."""
    executed = []

    def counted(file: Path) -> list[object]:
        executed.append(file)
        return load_file(file)

    monkeypatch.setattr(discovery, "load_file", counted)
    known = Catalogue(".")
    with pytest.raises(InputError, match=f"no statement '{target}'"):
        known.select([target])
    assert len(executed) < len(known.library.files) / 4


def test_every_id_of_the_library_is_found_by_its_name() -> None:
    """In the texts of the files: no others are executed to look it up."""
    for s in Catalogue(".").library.all:
        paper, _, label = s.id.partition("/")
        assert re.search(_names(paper, label), Path(s.source).read_bytes()), s.id
