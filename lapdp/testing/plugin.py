"""A pytest plugin: the statements of proof files are test items, judged by the engine.

Every file below the folders of the ini option ``lapdp_proofs`` (default: ``proofs``, beside the
configuration of pytest) is a proof file.  An item passes when its statement is proved, certified,
tested or admitted, or has the verdict on its record; ``expected="refuted"`` records a known fault.
The id of the item ends with the id of the statement; JUnit files get the verdict as a property.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lapdp.theory.runner import Judging
    from lapdp.theory.statement import Statement

_JUDGING = pytest.StashKey["Judging"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--lapdp-digits``, ``--lapdp-seed``, ``--lapdp-timeout`` and ``--lapdp-no-numeric``."""
    group = parser.getgroup("lapdp", "statements of differential privacy")
    group.addoption("--lapdp-digits", type=int, default=30, metavar="N",
                    help="digits of the numeric column (30)")
    group.addoption("--lapdp-seed", type=int, default=0, metavar="N",
                    help="seed of the instances of the numeric column (0)")
    group.addoption("--lapdp-timeout", type=float, default=60.0, metavar="S",
                    help="seconds for each statement (60)")
    group.addoption("--lapdp-no-numeric", action="store_true",
                    help="leave out the numeric column")
    parser.addini("lapdp_proofs", "folders of proof files, from the root of pytest",
                  type="linelist", default=["proofs"])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ProofFile | None:
    """A proof file, where one of the folders holds it and its name is not hidden."""
    config = parent.config
    if file_path.suffix != ".py":
        return None
    for name in config.getini("lapdp_proofs"):
        folder = config.rootpath / name
        if file_path.is_relative_to(folder) and not any(
                part.startswith(("_", ".")) for part in file_path.relative_to(folder).parts):
            made: ProofFile = ProofFile.from_parent(parent, path=file_path)
            return made
    return None


class ProofFile(pytest.File):
    """The statements of one file."""

    def collect(self) -> Iterator[StatementItem]:
        """An item a statement; a fault of the file is one clear line."""
        from lapdp.core.errors import LapdpError
        from lapdp.theory.loading import load_file

        try:
            statements = load_file(self.path)
        except LapdpError as problem:
            raise self.CollectError(str(problem)) from None
        for statement in statements:
            yield StatementItem.from_parent(self, name=statement.id, statement=statement)


class Unproved(Exception):
    """A statement has a verdict that its record does not expect."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__(result["verdict"])
        self.result = result


class StatementItem(pytest.Item):
    """One statement."""

    def __init__(self, *, statement: Statement, **rest: Any) -> None:
        super().__init__(**rest)
        self.statement = statement

    def runtest(self) -> None:
        """Judge the statement; :class:`Unproved` for a verdict that is not to be expected."""
        from lapdp.commands.exits import GOOD, exit_code

        result = _judging(self.config).judge(self.statement)
        self.user_properties += [("statement", result["id"]), ("verdict", result["verdict"]),
                                 ("hash", result["hash"])]
        if exit_code([result]) != GOOD:
            raise Unproved(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException],
                     style: Any = None) -> Any:
        """What ``lapdp show`` prints, with the witness."""
        if isinstance(excinfo.value, Unproved):
            from lapdp.report.text import full

            options = self.config.option
            return full(excinfo.value.result, reproduce=(
                f"lapdp verify {self.path}::{self.statement.id} --no-cache "
                f"--digits {options.lapdp_digits} --seed {options.lapdp_seed}"))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The file and the id."""
        return self.path, None, self.statement.id


def _judging(config: pytest.Config) -> Judging:
    if _JUDGING not in config.stash:
        from lapdp.theory.runner import Judging

        options = config.option
        config.stash[_JUDGING] = Judging(options.lapdp_timeout, options.lapdp_digits,
                                         options.lapdp_seed, numeric=not options.lapdp_no_numeric)
    return config.stash[_JUDGING]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse options without meaning before anything is judged."""
    if any(isinstance(item, StatementItem) for item in items):
        from lapdp.core.errors import InputError
        from lapdp.theory.runner import check_options

        options = config.option
        try:
            check_options(1, options.lapdp_timeout, options.lapdp_digits, options.lapdp_seed)
        except InputError as problem:
            raise pytest.UsageError(f"lapdp: {problem}") from None


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process that judged."""
    if _JUDGING in config.stash:
        config.stash[_JUDGING].close()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """How many statements have which verdict, with what makes them reproducible."""
    verdicts = Counter(
        value for reports in terminalreporter.stats.values() for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties if name == "verdict")
    if verdicts:
        import lapdp

        options = config.option
        told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
        terminalreporter.write_line(
            f"lapdp {lapdp.__version__}: {told} (digits {options.lapdp_digits}, "
            f"seed {options.lapdp_seed})")


__all__ = ["ProofFile", "StatementItem", "Unproved"]
