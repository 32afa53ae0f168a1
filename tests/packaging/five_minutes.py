"""The five minutes of the README, typed literally: an environment of its own, an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

from tests.packaging.conftest import ROOT, run

SECTION = (ROOT / "README.md").read_text(encoding="utf-8").partition(
    "## Test your own code\n")[2].partition("\n## ")[0]
INSTALL = re.search(r'`pip install "lapdp(\[\w+\])"`', SECTION)
TYPED = [line.partition("#")[0].split() for line in re.findall(r"^    (\w.*)$",
         SECTION.partition("```")[0], re.MULTILINE)]
EXAMPLE = re.search(r"```python\n(.*?)```", SECTION, re.DOTALL)

OWN = {
    # a mechanism, a bound and an accountant, each wrong, in three lines
    "test_mechanism": """
        from lapdp.testing import check_mechanism
        def coin(scale): return __import__("lapdp").laplace(scale)
        def test(): check_mechanism(coin, over={"scale": st.integers(1, 5)}, guarantee="1/2")
    """,
    "test_bound": """
        from lapdp.testing import check_bound
        def no_factor(eps, delta, k): return k * delta
        def test(): check_bound(no_factor, of="group", doubles=False)
    """,
    "test_accountant": """
        from lapdp.testing import check_accountant
        def add(pair, eps, copies): return copies * pair.hockey_stick(sp.exp(eps))
        def test(): check_accountant(add, doubles=False, laws="valid delta")
    """,
}


def follow(programs: Path, project: Path) -> None:
    """Type them in an empty folder, with the programs of an environment that has the extras."""
    assert EXAMPLE and TYPED[-1] == ["pytest"]
    *files, pytest_ = TYPED
    for command in files:
        assert "wrote" in run(project, programs / command[0], *command[1:])
    told = run(project, programs / pytest_[0])
    assert " passed" in told and "failed" not in told and "error" not in told

    # the example that is shown, without the names that earlier ones have imported
    example = project / "example.txt"
    example.write_text(f">>> import sympy as sp\n{EXAMPLE[1]}", encoding="utf-8")
    run(project, programs / "python", "-m", "doctest", example)

    # own things that are wrong: found, shrunk, shown as Python that runs
    for name, lines in OWN.items():
        (project / "tests" / f"{name}.py").write_text("\n".join(
            ["import sympy as sp", "from hypothesis import strategies as st",
             *map(str.strip, lines.strip().splitlines())]), encoding="utf-8")
    own = [f"tests/{name}.py" for name in OWN]
    told = run(project, programs / "pytest", *own, may_end=(1,))
    failures = re.findall(r"^E +lapdp\.testing\.LawFailed: (.*?)(?:\n\n|\nE *\n)", told,
                          re.DOTALL | re.MULTILINE)
    assert len(failures) == len(OWN) and all(" is false" in failure for failure in failures)
    # the tests that asked are the only code shown
    assert re.findall(r"^(\S+):\d+: ", told, re.MULTILINE) == own
