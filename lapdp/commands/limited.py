"""Questions answered in a process of their own, which is ended when its time is up."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import InputError, LapdpError

if TYPE_CHECKING:
    from lapdp.theory.workers import Outcome


def outcome(answer: str, question: Any, timeout: float) -> Outcome:
    """What becomes of a question for ``answer`` ("module:function"): its record, or why none.

    A record with an ``error`` is raised as :class:`InputError`.
    """
    from lapdp.theory.runner import check_time_limit
    from lapdp.theory.workers import Server, Setup

    check_time_limit(timeout)
    server = Server(Setup(answer, timeout=timeout))
    try:
        found = server.ask({"pickle": pickle.dumps(question)}, timeout)
    finally:
        server.close()
    if found.result is not None and found.result.get("error"):
        raise InputError(found.result["error"])
    return found


def ask(answer: str, question: Any, timeout: float) -> dict[str, Any]:
    """The record, as plain data; :class:`LapdpError` where there is none in time, or none at all.
    """
    found = outcome(answer, question, timeout)
    if found.result is None:
        raise LapdpError(f"no answer: {found.failure}")
    record: dict[str, Any] = found.result
    return record


__all__ = ["ask", "outcome"]
