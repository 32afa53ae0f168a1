"""Worker processes without the second that each takes to load the engine.

A command that is called in the process of the tests finds SymPy loaded there, does not fork it, and
asks a fresh interpreter (:mod:`lapdp.theory.workers`).  Here one interpreter is started in the same
way, once in a process of tests; it loads what workers load, runs no test and no proof file, and
each worker is a fork of it that executes the program of a fresh one.  Modules of tests with
``pytestmark = pytest.mark.fresh_workers``, those on workers themselves, start real ones.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from types import SimpleNamespace
from typing import Any

from lapdp.theory import serving, workers

BOOT = ("import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
        "from tests.nursery import tend; tend(int(sys.argv[1]))")
LOADED = (*serving.WARM, *serving.SEARCH, "lapdp.theory.engine", "lapdp.theory.supervising")
MOST = 1 << 17
"""Bytes of an environment and a path."""
WIDTH = 20
"""Bytes that tell the number of a process."""

_taken: list[float] = []


def taken() -> float:
    """Seconds of a processor that workers took which have ended: nobody here waits for them."""
    return sum(_taken)


class _Nursery:
    """The interpreter that is forked, and the connection to it."""

    def __init__(self) -> None:
        self.asking, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (self.asking, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MOST)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", BOOT, str(theirs.fileno()), json.dumps(sys.path)],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                start_new_session=True, env={**os.environ, "PYTHONHASHSEED": "0"})

    def end(self) -> None:
        self.asking.close()
        self.process.wait()


class _Worker:
    """What the caller of ``subprocess.Popen`` sees of a worker."""

    def __init__(self, nursery: _Nursery, words: list[str], descriptor: int, errors: int,
                 env: dict[str, str]) -> None:
        self.returncode: int | None = None
        self._told, theirs = os.pipe()
        asked = json.dumps([words, os.getcwd(), env]).encode()
        assert len(asked) < MOST
        socket.send_fds(nursery.asking, [asked], [descriptor, errors, theirs])
        os.close(theirs)
        self.pid = int(os.read(self._told, WIDTH))

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not wait([self._told], timeout):
                raise subprocess.TimeoutExpired("worker", timeout or 0.0)
            code, seconds = os.read(self._told, 99).split()
            os.close(self._told)
            self.returncode = int(code)
            _taken.append(float(seconds))
        return self.returncode


@contextmanager
def open_nursery() -> Iterator[SimpleNamespace]:
    """What stands for the module ``subprocess`` in :mod:`lapdp.theory.workers`."""
    made: list[_Nursery] = []

    def start(command: list[str], **how: Any) -> Any:
        if command[:4] != [sys.executable, "-P", "-c", workers._BOOT]:
            return subprocess.Popen(command, **how)
        if not made:
            made.append(_Nursery())
        return _Worker(made[0], command[3:], *how["pass_fds"], how["stderr"].fileno(), how["env"])

    try:
        yield SimpleNamespace(Popen=start, DEVNULL=subprocess.DEVNULL,
                              TimeoutExpired=subprocess.TimeoutExpired)
    finally:
        for nursery in made:
            nursery.end()


# -- in the nursery -------------------------------------------------------------------------------


def tend(descriptor: int) -> None:
    """Fork a worker for each request until nobody is left who could ask."""
    asked = socket.socket(fileno=descriptor)
    for name in LOADED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for workers
    while True:
        request, passed, *_ = socket.recv_fds(asked, MOST, 3)
        if not request:
            return
        if not os.fork():
            try:
                asked.close()
                _watch(*json.loads(request), *passed)
            finally:
                os._exit(0)
        for each in passed:
            os.close(each)


def _watch(words: list[str], folder: str, env: dict[str, str], connection: int, errors: int,
           told: int) -> None:
    """Fork the worker, wait for it, and say how it ended and what it took."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if not pid:
        _become(words, folder, env, connection, errors, told)
    os.close(connection)
    _, status, used = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    os.write(told, f"{code} {used.ru_utime + used.ru_stime}".encode())


def _become(words: list[str], folder: str, env: dict[str, str], connection: int, errors: int,
            told: int) -> None:
    """Execute the program of a worker as a fresh interpreter does, and end."""
    code = 1
    try:
        os.setsid()
        os.write(told, str(os.getpid()).encode().ljust(WIDTH))
        os.close(told)
        os.dup2(errors, 2)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(env)
        program, _, *others = words
        sys.argv = ["-c", str(connection), *others]
        exec(program, {"__name__": "__main__"})
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)
