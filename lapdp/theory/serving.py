"""What runs inside a worker process: fetch a statement by its source, judge it, send plain data."""

from __future__ import annotations

import faulthandler
import importlib
import importlib.util
import json
import math
import pickle
import random
import signal
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from lapdp.core.errors import IllFormed, InputError

_GRACE = 5


def serve(descriptor: int) -> None:
    """Serve tasks from a connection until it closes; the first message is the set-up."""
    faulthandler.enable()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    connection = Connection(descriptor)
    setup = connection.recv()
    try:
        _limit_memory(setup["memory"])
        judge = _judge(setup["judge"])
    except Exception as problem:
        connection.send(("broken", f"{setup['judge']}: {_place(problem)}"))
        return
    connection.send(("ready", None))
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        # should the caller be gone, nobody else ends a judge that runs for ever
        signal.alarm(math.ceil(setup["timeout"]) + _GRACE)
        answer = _answer(task, judge, setup)
        signal.alarm(0)
        connection.send(answer)
        if answer[0] == "exhausted":
            return


def _answer(task: dict[str, Any], judge: Callable[..., Any], setup: dict[str, Any]
            ) -> tuple[str, Any]:
    try:
        statement = statement_of(task)
    except (InputError, IllFormed) as problem:
        return "bad input", str(problem)
    except MemoryError:
        return "exhausted", _exhausted(setup["memory"])
    except Exception as problem:
        return "failed", _place(problem)
    from sympy.core.random import seed

    # whatever draws from the shared generators must not depend on what ran before
    seed(setup["seed"])
    random.seed(setup["seed"])
    try:
        judgement = judge(statement, digits=setup["digits"], seed=setup["seed"],
                          numeric=setup["numeric"])
        record = judgement.record()
        if task.get("describe"):
            record = {**record, **_describe(statement)}
        # turned to text here: what is no plain data fails as this statement's failure
        return "result", json.loads(json.dumps(record, allow_nan=False))
    except MemoryError:
        return "exhausted", _exhausted(setup["memory"])
    except (Exception, SystemExit) as problem:
        return "failed", _place(problem)


def _describe(statement: Any) -> dict[str, Any]:
    from lapdp.theory.runner import describe

    return describe(statement)


def statement_of(task: dict[str, Any]) -> Any:
    """The statement a task names: by file and id, as a pickle, or as text to parse."""
    if "source" in task:
        return _file(task["source"])[task["id"]]
    if "pickle" in task:
        return pickle.loads(task["pickle"])
    from lapdp.theory.checking import check_statement

    return replace(check_statement(task["relation"], task["where"]), hints=task["hints"])


@cache
def _file(source: str) -> dict[str, Any]:
    from lapdp.theory.loading import load_file

    return {s.id: s for s in load_file(source)}


def _judge(reference: str) -> Callable[..., Any]:
    where, _, name = reference.rpartition(":")
    if where.endswith(".py"):
        spec = importlib.util.spec_from_file_location("_lapdp_judge", Path(where))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(where)
    found: Callable[..., Any] = getattr(module, name)
    return found


def _limit_memory(limit: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not limit:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _exhausted(limit: int) -> str:
    return f"memory limit of {limit / 2**30:g} GiB"


def _place(problem: BaseException) -> str:
    """Type, message and innermost line of an exception."""
    message = (str(problem).strip().splitlines() or [""])[0]
    frames = traceback.extract_tb(problem.__traceback__)
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(problem).__name__}: {message[:300]}{at}"
