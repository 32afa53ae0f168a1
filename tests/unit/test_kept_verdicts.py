"""The cache under faults: nothing foreign is removed, nothing planted believed, nothing hangs."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from lapdp.cli import main
from lapdp.core.errors import InputError
from lapdp.core.verdict import Judgement, Kind
from lapdp.theory import Eq, disk, reals, runner
from lapdp.theory import cache as module
from lapdp.theory.cache import MARK, Cache, Kept
from lapdp.theory.loading import load
from lapdp.theory.runner import run
from lapdp.theory.statement import Statement
from lapdp.theory.untouched import looked_at, untouched

x, y = reals("x y")
ONE, TWO = Statement("p/eq-1", Eq(x, x)), Statement("p/eq-2", Eq(x, y))
TESTED, OPEN_ONE = (Kept(Judgement(kind, "by hand").record(), 0.5)
                    for kind in (Kind.TESTED, Kind.UNDECIDED))
OLD = 40 * 86400
FILE = """
import sympy as sp
from lapdp.theory import *
x = reals("x")
with theorem("p/one"):
    claim("eq-1", Eq(sp.exp(x) * sp.exp(-x), 1))
    claim("eq-2", Eq(sp.exp(x), 1))
"""


def opened(folder: Path) -> Cache:
    return Cache(folder, digits=30, seed=0, numeric=False)


def age(path: Path, seconds: float) -> None:
    at = time.time() - seconds
    os.utime(path, (at, at))


# -- removal ----------------------------------------------------------------------------------

def test_only_folders_that_lapdp_has_made_are_removed(tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache in a folder of the user: every folder in it that was old went, ``.ssh`` too."""
    for name in (".ssh", "thesis", "0123456789abcdef"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "key").write_text("mine")
        age(tmp_path / name, OLD)
    monkeypatch.setattr(module, "code_digest", lambda: "a" * 16)
    old = opened(tmp_path)
    old.put(ONE, TESTED)
    monkeypatch.setattr(module, "code_digest", lambda: "b" * 16)
    young = opened(tmp_path)
    young.put(ONE, TESTED)
    assert old.folder is not None and young.folder is not None
    age(old.folder, OLD)
    monkeypatch.setattr(module, "code_digest", lambda: "c" * 16)
    opened(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        ".ssh", "0123456789abcdef", "b" * 16, "c" * 16, "thesis"]
    assert all((tmp_path / n / "key").read_text() == "mine" for n in (".ssh", "thesis"))


def test_files_of_the_user_in_an_old_folder_of_lapdp_stay(tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "code_digest", lambda: "a" * 16)
    old = opened(tmp_path)
    old.put(ONE, TESTED)
    assert old.folder is not None
    (old.folder / "notes.txt").write_text("mine")
    (old.folder / "link.json").symlink_to(tmp_path / "elsewhere")
    age(old.folder, OLD)
    monkeypatch.setattr(module, "code_digest", lambda: "b" * 16)
    opened(tmp_path)
    assert sorted(p.name for p in old.folder.iterdir()) == [MARK, "link.json", "notes.txt"]


def test_a_link_to_an_old_folder_leads_nowhere(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in (MARK, "f" * 64 + ".json"):
        (mine / name).write_text("mine")
    age(mine, OLD)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / ("a" * 16)).symlink_to(mine)
    opened(tmp_path / "kept")
    assert len(list(mine.iterdir())) == 2


def test_litter_of_killed_runs_goes_and_that_of_running_ones_stays(tmp_path: Path) -> None:
    folder = opened(tmp_path).folder
    assert folder is not None
    for name, old in (("one", 2 * disk.LITTER_SECONDS), ("two", 0.0)):
        (folder / f".{name}.new").write_text("half")
        age(folder / f".{name}.new", old)
    opened(tmp_path)
    assert sorted(p.name for p in folder.iterdir()) == [MARK, ".two.new"]


# -- what lies there ----------------------------------------------------------------------------

def record_file(cache: Cache) -> Path:
    assert cache.folder is not None
    [file] = cache.folder.glob("*.json")
    return file


def changed(**new: Any) -> Any:
    """A record with other content and the checksum of it: whoever wrote it knew how."""
    def write(file: Path) -> None:
        found = json.loads(file.read_text())
        body = {name: found[name] for name in ("record", "seconds", "lines")} | new
        file.write_text(json.dumps(
            {"key": file.stem, "sum": module._checksum(file.stem, body), **body}))
    return write


def replaced(text: str | bytes) -> Any:
    return lambda file: file.write_bytes(text if isinstance(text, bytes) else text.encode())


def instead(make: Any) -> Any:
    def put(file: Path) -> None:
        file.unlink()
        make(file)
    return put


RECORD = TESTED.record
DAMAGE = {
    "empty": replaced(""), "cut short": lambda f: f.write_bytes(f.read_bytes()[:-20]),
    "a list": replaced("[]"), "a word": replaced('"QED"'), "another object": replaced('{"a": 1}'),
    "no text": replaced(b"\xff\xfe\x00"), "deep": replaced("[" * 100_000),
    "an endless number": replaced("1" * 10_000), "not a number": replaced('{"key": NaN}'),
    "a bit flipped": lambda f: f.write_text(f.read_text().replace("tested", "proved")),
    "no such verdict": changed(record={**RECORD, "verdict": "QED"}),
    "proved by nobody": changed(record={**RECORD, "verdict": "proved"}),
    "refuted by nothing": changed(record={**RECORD, "verdict": "refuted"}),
    "no record": changed(record=None), "a part missing": changed(record={"verdict": "tested"}),
    "parts of other types": changed(record={**RECORD, "symbolic": []}),
    "seconds that are none": changed(seconds="soon"), "seconds below 0": changed(seconds=-1),
    "lines that are none": changed(lines=[1]),
    "a pipe": instead(os.mkfifo), "a folder": instead(os.mkdir),
    "a link to itself": instead(lambda f: f.symlink_to(f)),
    "a link to a device": instead(lambda f: f.symlink_to("/dev/zero")),
    "enormous": lambda f: os.truncate(f, 1 << 40),
    "unreadable": lambda f: f.chmod(0),
}


def test_damaged_and_hostile_records_count_as_none(tmp_path: Path) -> None:
    for name, damage in DAMAGE.items():
        cache = opened(tmp_path / name)
        cache.put(ONE, TESTED)
        damage(record_file(cache))
        found = opened(tmp_path / name).get(ONE)
        # the superuser may read what has no rights
        assert found is None or (name == "unreadable" and os.geteuid() == 0), name
        assert opened(tmp_path / name).seconds(ONE) is None or name == "unreadable", name


def test_a_record_copied_over_another_is_none(tmp_path: Path) -> None:
    """Eq(x, y) must not get the verdict of Eq(x, x)."""
    cache = opened(tmp_path)
    cache.put(ONE, TESTED)
    good = record_file(cache)
    cache.put(TWO, OPEN_ONE)
    assert cache.folder is not None
    [other] = [p for p in cache.folder.glob("*.json") if p != good]
    shutil.copyfile(good, other)
    assert cache.get(ONE) == TESTED and cache.get(TWO) is None


def test_records_and_folders_of_other_users_are_refused(tmp_path: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    cache = opened(tmp_path)
    cache.put(ONE, TESTED)
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    assert cache.get(ONE) is None
    other = opened(tmp_path)
    assert "belongs to another user" in other.trouble and other.get(ONE) is None


def test_a_cache_that_cannot_be_written_is_told_of_once_and_the_verdicts_come(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "one.py").write_text(FILE)
    monkeypatch.setattr(module.disk, "write_whole", full)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "one.py", "--no-numeric", "--quiet", "--cache", "kept"]) == 1
    said = capsys.readouterr()
    assert said.out == "2 statements: 1 derived, 1 refuted\n"
    assert said.err.count("\n") == 1 and "No space left on device" in said.err


def test_no_home_is_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("LAPDP_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    cache = Cache(digits=30, seed=0, numeric=False)
    cache.put(ONE, TESTED)
    assert cache.get(ONE) is None and cache.trouble == "there is no home folder"


def test_what_has_no_digest_is_judged_and_not_kept(tmp_path: Path) -> None:
    """A hint that is a function: nobody can tell what it holds."""
    odd = Statement("p/eq-1", Eq(x, x), hints={"choose": object()})
    cache = opened(tmp_path)
    cache.put(odd, TESTED)
    assert cache.get(odd) is None and cache.seconds(odd) is None


# -- proved comes from the kernel alone ---------------------------------------------------------

PROVABLE = """
from lapdp.theory import *
P, Q = pair()
eps, t = reals("eps t")
with theorem("p/one"):
    claim("eq-1", Le(delta(P, Q)(eps), 1))
"""


def test_proved_out_of_a_cache_is_what_the_kernel_reads_again(tmp_path: Path) -> None:
    from lapdp.theory.derivations import searched

    (tmp_path / "one.py").write_text(PROVABLE)
    statements = load(tmp_path / "one.py")
    checked, _ = searched(statements[0])
    assert checked is not None
    record = Judgement(Kind.PROVED, "derivation", checked=checked).record()
    cache = opened(tmp_path / "kept")
    cache.put(statements[0], Kept(record, 7.0, checked.lines))
    [again] = run(statements, 1, numeric=False, cache=cache)
    assert (again["verdict"], again["cached"], again["seconds"]) == ("proved", True, 7.0)
    # a record that says proved, without lines or with those of nothing, is evidence of nothing
    for lines in (None, (), checked.lines[:-1]):
        cache.put(statements[0], Kept(record, 7.0, lines))
        [judged] = run(statements, 1, numeric=False, cache=cache)
        assert (judged["verdict"], judged["cached"]) == ("derived", False)


PATCH = """
import lapdp.theory.engine as engine
import lapdp.theory.planner as planner
from lapdp.core.verdict import Judgement, Kind, Witness
from lapdp.theory import *
x = reals("x")
with theorem("a/one"):
    claim("eq-1", Eq(x, x))
{how}
"""
LIE = "lambda *_: Judgement(Kind.CERTIFIED, 'lie')"
HIDDEN = f"engine._decided.__globals__.update(Planner=None, Judgement=Judgement, _decided={LIE})"


def test_a_file_that_changes_the_engine_is_refused_and_the_engine_is_as_before(
        tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lapdp.theory import engine

    decided, code = engine._decided, engine._decided.__code__
    monkeypatch.chdir(tmp_path)
    ways = [f"engine._decided = {LIE}", f"engine._decided.__code__ = ({LIE}).__code__",
            f"planner.Planner.judge = {LIE}", "del engine._decided", HIDDEN]
    for how in ways:
        Path("patch.py").write_text(PATCH.format(how=how))
        assert main(["verify", "patch.py"]) == 2
        assert "patch.py: it changes lapdp.theory." in capsys.readouterr().err
        assert engine._decided is decided and decided.__code__ is code


def test_what_a_file_does_to_its_process_reaches_no_other_file(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that nobody sees, in one worker that judges two files."""
    hidden = f"import os\nif os.getpid() != {os.getpid()}:\n    "
    (tmp_path / "a.py").write_text(PATCH.format(
        how=hidden + "import builtins, threading\n    builtins.PLANTED = engine\n"
                     "    threading.Timer(0.2, lambda: setattr(engine, '_decided', " + LIE +
                     ")).start()\n    import time; time.sleep(0.1)"))
    (tmp_path / "b.py").write_text(FILE)
    with untouched():
        statements = [s for name in ("a.py", "b.py") for s in load(tmp_path / name)]
    found = run(statements, 1, numeric=False, timeout=60)
    assert [r["verdict"] for r in found[1:]] == ["derived", "refuted"]


def test_what_changed_before_a_block_is_not_of_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at the names of lapdp that was taken before is corrected, function by function."""
    looked_at()
    monkeypatch.setattr(runner, "MEMORY", 1)
    monkeypatch.setattr(runner.processors, "__code__", (lambda: 7).__code__)
    with untouched():
        pass
    assert (runner.MEMORY, runner.processors()) == (1, 7)
    with pytest.raises(InputError, match=r"runner\.processors"), untouched():
        runner.processors.__code__ = (lambda: 8).__code__
    assert runner.processors() == 7


def test_a_file_that_changes_while_it_is_judged_has_no_verdict(tmp_path: Path) -> None:
    """What was read first and what is judged are then two statements."""
    file = tmp_path / "one.py"
    file.write_text(FILE)
    statements = load(file)
    file.write_text(FILE.replace("Eq(sp.exp(x), 1)", "Eq(sp.exp(x), sp.exp(x))"))
    cache = opened(tmp_path / "kept")
    found = run(statements, 1, numeric=False, cache=cache)
    assert [r["verdict"] for r in found] == ["derived", "undecided"]
    assert found[1]["reason"] == "the proof file was changed while it was judged"
    assert cache.get(statements[1]) is None
