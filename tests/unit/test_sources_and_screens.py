"""Look-ups execute what is asked for and say whose it is; nothing reaches a terminal raw."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lapdp.cli import main
from lapdp.report import json_report
from lapdp.report.pages import pages
from lapdp.report.site import site, write_site
from lapdp.report.terminal import plain
from lapdp.theory import Eq, discovery, reals
from lapdp.theory.discovery import Catalogue
from lapdp.theory.statement import Statement
from tests.shelf import library
from tests.site_pages import report_on

x = reals("x")
FILE = """
from pathlib import Path
from lapdp.theory import *
Path("executed.txt").open("a").write("{paper}\\n")
x = reals("x")
with theorem("{paper}/section-1"):
    claim("eq-1", Eq(x, x))
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose ./proofs has an id of the library, and one of its own."""
    monkeypatch.setattr(discovery, "announced", list)
    for folder, papers in (("proofs", ("shipped", "mine")), ("library", ("shipped", "other"))):
        (tmp_path / folder).mkdir()
        for paper in papers:
            (tmp_path / folder / f"{paper}.py").write_text(FILE.format(paper=paper))
    monkeypatch.setattr(discovery, "_shipped", lambda: tmp_path / "library")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def executed() -> list[str]:
    """What has been, since it was asked last."""
    file = Path("executed.txt")
    found = file.read_text().split() if file.exists() else []
    file.unlink(missing_ok=True)
    return found


def test_looking_up_a_shipped_id_executes_no_file_of_the_folder(
        house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = Catalogue().select(["shipped/eq-1"])
    assert [Path(s.source) for s in found] == [house / "library/shipped.py"]
    assert executed() == ["shipped"]
    assert main(["list", "shipped"]) == 0
    assert "from" not in capsys.readouterr().out.splitlines()[0] and executed() == ["shipped"]
    with pytest.raises(discovery.InputError, match="did you mean"):
        Catalogue().select(["shipped/eq-2"])
    assert "mine" not in executed()


def test_what_is_not_of_the_library_says_so(house: Path, capsys: pytest.CaptureFixture[str]
                                            ) -> None:
    for target in ("mine/eq-1", "proofs/mine.py"):
        assert main(["list", target]) == 0
        head, line = capsys.readouterr().out.splitlines()
        assert head.split()[0] == "from" and line.split()[:2] == ["proofs/mine.py", "mine/eq-1"]
        assert executed() == ["mine"]
    assert [s.id for s in Catalogue().select()] == ["mine/eq-1", "shipped/eq-1"]
    own = Catalogue()
    [statement] = own.select(["proofs/shipped.py"])
    assert discovery.not_of_the_library([statement], own) == ["proofs/shipped.py"]


def test_every_file_of_the_library_is_found_by_its_papers() -> None:
    """Files are chosen by their text, unread by Python."""
    shelf = Catalogue().library
    for paper in {s.paper for s in library()}:
        spoken = set(shelf.speaking_of(f"{paper}/eq-1"))
        assert {Path(s.source) for s in library() if s.paper == paper} <= spoken, paper


# -- screens ----------------------------------------------------------------------------------

NASTY = "\x1b[2J\x1b]0;window\x07\x9b31m\x08\u202egnp\x7f\x1b[8m"
HIDDEN = "from lapdp.theory import *\nx = reals('x')\nwith theorem('a/one', title={0!r}):\n" \
         "    claim('eq-1', Eq(x, x + 1), note={0!r}, printed={0!r}, expected='refuted')\n"


def raw(text: str) -> list[str]:
    return [c for c in NASTY if not c.isprintable() and c in text]


def test_escape_sequences_of_notes_and_titles_do_not_reach_a_terminal(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORCE_COLOR", "1")
    Path("a.py").write_text(HIDDEN.format(NASTY))
    Path("b.py").write_text(f"raise ValueError({NASTY!r})")
    Path(f"{NASTY[:4]}.py").write_text("claim(")
    for line in ("show a.py::eq-1 --no-numeric", "list a.py -v", "verify a.py -v --no-numeric",
                 "verify b.py", f"verify {NASTY[:4]}.py", f"list {NASTY}", f"check {NASTY}",
                 "verify a.py --json - --no-numeric"):
        main(line.split(" "))
        said = capsys.readouterr()
        left = plain(said.out + said.err)
        assert left == said.out + said.err, line
    coloured = "\x1b[31mrefuted"
    main(["verify", "a.py", "--no-numeric"])
    assert coloured in capsys.readouterr().out


def test_reports_hold_no_control_characters() -> None:
    one = Statement("a/eq-1", Eq(x, x + 1), note=NASTY, title=NASTY, expected="refuted")
    report = report_on([one])
    for name, content in {**pages("a", [one], report), "j": json_report.dumps(report)}.items():
        assert raw(content) == [], name
    assert json.loads(json_report.dumps({"note": NASTY})) == {"note": NASTY}


def test_long_titles_neither_break_nor_slow_pages(tmp_path: Path) -> None:
    long = "a title that does not end, $x^2$ and {" * 2000
    many = [Statement(f"a/eq-{k}", Eq(x, x), title=long, note=long, group="theorem-" + "1" * 400,
                      printed="x", expected="proved") for k in range(2)]
    many.append(Statement(f"{'b' * 400}/eq-1", Eq(x, x), title=long, group="other " * 100))
    made = site(many, report_on(many))
    write_site(tmp_path / "pages", made)
    assert all(len(part) < 255 for name in made for part in name.split("/"))
