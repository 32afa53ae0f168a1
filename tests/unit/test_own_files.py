"""What lapdp writes replaces its own files and no others, and is whole or not there."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from lapdp.cli import main
from lapdp.core.errors import InputError
from lapdp.report import json_report
from lapdp.report.site import check_site_folder, write_site
from lapdp.report.site.writing import MARK
from lapdp.theory import derivations, disk


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if not p.is_dir())


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


# -- pages ------------------------------------------------------------------------------------

def test_pages_replace_pages_and_leave_what_the_user_put_there(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    write_site(folder, {"index.html": "one", "a/b.html": "two", "a/c.html": "three"})
    for name in (".git/config", "CNAME", "a/mine.html"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
    said = write_site(folder, {"index.html": "four", "a/b.html": "two", "d/e.html": "five"})
    assert names(folder) == [".git/config", MARK, "CNAME", "a/b.html", "a/mine.html", "d/e.html",
                             "index.html"]
    assert (folder / "index.html").read_text() == "four"
    assert str(said) == ("3 files, 2 of them replaced, 1 removed; whatever else is in the folder "
                         "is untouched")
    assert [p.name for p in tmp_path.iterdir()] == ["pages"]


def test_a_page_that_the_user_has_changed_is_the_users(tmp_path: Path) -> None:
    write_site(tmp_path, {"index.html": "one", "old.html": "two"})
    (tmp_path / "old.html").write_text("mine")
    write_site(tmp_path, {"index.html": "three"})
    assert (tmp_path / "old.html").read_text() == "mine"
    for name in ("index.html", "new.html"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(InputError, match=f"{name} is not as lapdp has written it"):
            write_site(tmp_path, {name: "four"})
        assert (tmp_path / name).read_text() == "mine"
        write_site(tmp_path, {"other.html": ""})


def test_a_list_of_files_that_leads_elsewhere_removes_nothing(tmp_path: Path) -> None:
    mine, folder = tmp_path / "mine.txt", tmp_path / "pages"
    mine.write_text("")
    digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    write_site(folder, {"index.html": "one"})
    (folder / "out").symlink_to(tmp_path)
    hostile = ("../mine.txt", str(mine), "out/mine.txt", "")
    (folder / MARK).write_text(json.dumps({"files": {name: [digest] for name in hostile}}))
    (folder / "index.html").unlink()
    write_site(folder, {"index.html": "two"})
    assert mine.exists()
    with pytest.raises(InputError, match="out is a link"):
        write_site(folder, {"out/b.html": "three"})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.txt", "pages"]
    for text in ("", "[]", '"QED"', '{"files": 1}', "[" * 10**5):
        (folder / MARK).write_text(text)
        with pytest.raises(InputError, match="does not say which files"):
            check_site_folder(folder)


def test_an_interrupted_replacement_is_finished_by_the_next(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "pages"
    old, new = ({f"{k}.html": f"{word} {k}" for k in range(4)} for word in ("old", "new"))
    write_site(folder, {**old, "gone.html": "old"})
    replace, calls = os.replace, []

    def killed(*names: object) -> None:
        calls.append(names)
        if len(calls) == 4:
            raise KeyboardInterrupt
        replace(*names)

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_site(folder, new)
    assert len({text.read_text()[:3] for text in folder.glob("?.html")}) == 2
    monkeypatch.setattr(os, "replace", replace)
    write_site(folder, new)
    assert names(folder) == [MARK, *sorted(new)] and names(tmp_path) == [
        f"pages/{name}" for name in (MARK, *sorted(new))]


def test_a_full_disk_costs_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "pages"
    write_site(folder, {"index.html": "one"})
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="No space left"):
        write_site(folder, {"index.html": "two"})
    assert (folder / "index.html").read_text() == "one"
    assert [p.name for p in tmp_path.iterdir()] == ["pages"]


# -- reports ----------------------------------------------------------------------------------

MINE = '"""My theorem."""\nfrom lapdp.theory import *\n'
OVERWRITING = (
    "verify --json FILE", "verify chourasia2024/eq-30 --json FILE", "sweep good.txt --json FILE",
    "audit google --json FILE", "audit google --html FOLDER", "ledger chourasia2024 --out FOLDER",
    "reference --out FILE", "reference --format csv --out FILE", "reference -q --out FILE",
    "new theorem mine", "new test mine")


def test_no_command_overwrites_what_is_no_report_of_its_own(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``verify --json proofs/mine.py`` with the name of the report forgotten cost the proofs."""
    monkeypatch.chdir(tmp_path)
    kept = ["proofs/mine.py", "tests/test_mine.py", *(
        f"out/{name}" for name in ("index.html", "audit.json", "ledger.md", "errata.md",
                                   "errata.tex"))]
    for name in kept:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(MINE)
    Path("good.txt").write_text("delta(laplace(1), 1)\n")
    for line in OVERWRITING:
        words = line.replace("FILE", "proofs/mine.py").replace("FOLDER", "out").split()
        code = main(words)
        said = capsys.readouterr().err
        if "audit" not in line or "is not installed" not in said:
            assert "is there already" in said, line
        assert code == 2, line
        assert all(Path(name).read_text() == MINE for name in kept), line


def test_reports_replace_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in ("--out a", "--format csv --out b", "--format json --out c", "-q --out d"):
        for _ in range(2):
            assert main(["reference", "--family", "laplace", *line.split()]) == 0
    (tmp_path / "empty").touch()
    json_report.write("empty", {}, json_report.REPORT)


def test_a_file_that_is_replaced_keeps_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    mask = os.umask(0o077)
    try:
        json_report.write(file, {"one": 1})
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.chmod(0o640)
        os.umask(0o022)
        json_report.write(file, {"two": 2})
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    finally:
        os.umask(mask)


def test_derivations_are_written_beside_nothing_of_the_user(tmp_path: Path) -> None:
    """The half-written file was called NAME.new, whatever lay there."""
    (tmp_path / "one.new").write_text("mine")
    derivations.write(tmp_path / "one.derivations", {"a/eq-1": ("digest", ["line"])})
    assert (tmp_path / "one.new").read_text() == "mine"
    assert derivations.read(tmp_path / "one.derivations") == {"a/eq-1": ("digest", ["line"])}
    assert len(list(tmp_path.iterdir())) == 2


def test_what_fails_leaves_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(OSError, match="directory"):
        disk.write_whole(tmp_path / "there", b"no file")
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        disk.write_new(tmp_path / "mine", b"yours")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        disk.write_whole(tmp_path / "mine", b"yours")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "there"]
    assert (tmp_path / "mine").read_text() == "mine"
