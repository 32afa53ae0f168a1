"""What a worker process does with a task: fetch a statement by its source, judge it, send plain
data.

:mod:`lapdp.theory.supervising` says in which process that happens.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import math
import pickle
import random
import signal
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import IllFormed, InputError
from lapdp.core.room import with_room
from lapdp.theory.outlines import outlines

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_GRACE = 5
LOADING = 120.0
"""Seconds that a proof file may take to be executed where that is a task of its own."""
WARM = ("sympy.codegen.ast", *(f"lapdp.{name}" for name in (
    "theory.loading", "theory.sentences", "theory.gaussian_integrals", "theory.words",
    "theory.untouched", "theory.evaluation", "theory.quotients", "theory.values",
    "privacy.mechanisms.finite", "privacy.overlapping", "privacy.symbolic_powers",
    "proving.search")))
SEARCH = ("lapdp.numeric.hostile",)
"""What judging needs, and a search: imported once, not in the fork of each proof file.  A judge
asks for a derivation, too: of "false" from hypotheses that no instance is seen to meet."""


@with_room
def serve_all(tasks: Connection, answers: Connection, judge: Callable[..., Any],
              setup: dict[str, Any]) -> None:
    """Answer one task after the other until there are no more, or the memory is at its end."""
    while True:
        try:
            task = tasks.recv()
        except EOFError:
            return
        # should all others be gone, nobody else ends a judge that runs for ever
        most = LOADING if "outlines" in task else setup["timeout"]
        signal.alarm(math.ceil(most) + _GRACE)
        answer = answered(task, judge, setup)
        signal.alarm(0)
        answers.send(answer)
        if answer[0] == "exhausted":
            return


def answered(task: dict[str, Any], judge: Callable[..., Any], setup: dict[str, Any]
             ) -> tuple[str, Any]:
    """("result", what the judge says), or a kind of failure and its words."""
    try:
        if "outlines" in task:
            # what is left of other files of the room is in use: not gone through again and again
            gc.freeze()
            told = outlines(_file(task["source"]).values(), task["outlines"])
            return "result", {"record": told}
        statement = statement_of(task)
        if task.get("identity") and task["identity"] != _identity(statement):
            return "failed", "the proof file was changed while it was judged"
        if "kept" in task and (record := _replayed(statement, task["kept"])) is not None:
            return "result", {"record": record, "replayed": True}
    except (InputError, IllFormed) as problem:
        return "bad input", str(problem)
    except MemoryError:
        return "exhausted", _exhausted(setup["memory"])
    except Exception as problem:
        return "failed", place_of(problem)
    from sympy.core.random import seed

    # whatever draws from the shared generators must not depend on what ran before
    seed(setup["seed"])
    random.seed(setup["seed"])
    try:
        judgement = judge(statement, digits=setup["digits"], seed=setup["seed"],
                          numeric=setup["numeric"])
        record = judgement.record()
        # turned to text here: what is no plain data fails as this statement's failure
        plain = json.loads(json.dumps(record, allow_nan=False))
        return "result", {"record": plain, "lines": _lines(statement, judgement)}
    except MemoryError:
        return "exhausted", _exhausted(setup["memory"])
    except (Exception, SystemExit) as problem:
        return "failed", place_of(problem)


def _replayed(statement: Any, kept: dict[str, Any]) -> dict[str, Any] | None:
    """A record of an earlier run, if the kernel accepts the derivation anew; else None."""
    from lapdp.theory import derivations

    lines = kept["lines"]
    checked = (derivations.replayed(statement) if lines is None
               else derivations.accepted(statement, lines))
    if checked is None:
        return None
    found: dict[str, Any] = kept["record"]
    return {**found, "derivation": checked.record(),
            "symbolic": {**found["symbolic"], "facts": list(checked.facts)}}


def _lines(statement: Any, judgement: Any) -> list[str] | None:
    """The lines of a derivation that lies nowhere yet: a cache keeps them to be read again."""
    checked = getattr(judgement, "checked", None)
    if checked is None:
        return None
    from lapdp.theory.derivations import lies_beside

    return None if lies_beside(statement, checked) else list(checked.lines)


def _identity(statement: Any) -> str:
    from lapdp.theory.fingerprint import identity

    return identity(statement)


def statement_of(task: dict[str, Any]) -> Any:
    """The statement a task names: by file and id, itself, or as a pickle."""
    if "source" in task:
        return _file(task["source"])[task["id"]]
    if "given" in task:
        return task["given"]
    return pickle.loads(task["pickle"])


@cache
def _file(source: str) -> dict[str, Any]:
    from lapdp.theory.loading import load_file

    return {s.id: s for s in load_file(source)}


def load_judge(reference: str) -> Callable[..., Any]:
    """The judge that ``module:name`` or ``file.py:name`` names."""
    where, _, name = reference.rpartition(":")
    if where.endswith(".py"):
        spec = importlib.util.spec_from_file_location("_lapdp_judge", Path(where))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(where)
    found: Callable[..., Any] = getattr(module, name)
    for needed in (*WARM, *(SEARCH if "search" in name else ())):
        importlib.import_module(needed)
    from lapdp.theory.instances import prepare
    from lapdp.theory.untouched import looked_at

    prepare()
    looked_at()
    return found


def limit_memory(limit: int) -> None:
    """Bound the address space of this process, 0 for no bound, and write no core dumps."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not limit:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _exhausted(limit: int) -> str:
    return f"memory limit of {limit / 2**30:g} GiB"


def place_of(problem: BaseException) -> str:
    """Type, message and innermost line of an exception."""
    message = (str(problem).strip().splitlines() or [""])[0]
    frames = traceback.extract_tb(problem.__traceback__)
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(problem).__name__}: {message[:300]}{at}"
