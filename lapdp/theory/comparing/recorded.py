"""Answers to questions between papers that are kept beside the library: ``contradictions.json``.

To put a thousand instances into some hundreds of questions takes minutes, and the questions of the
shipped papers change only where these do.  Each answer is kept under the digest of its question,
so that a changed statement is asked anew; and the outcome as a whole under the digest of all proof
files, so that nothing is executed as long as these are as they were.  Tests ask a sample again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lapdp.core.verdict import Kind
from lapdp.theory.library import shipped_library

FILE = "contradictions.json"

Answer = Mapping[str, str] | None
"""The witness that the values of two papers differ; None where no difference was seen."""


def place() -> Path:
    """The file of the shipped library."""
    return shipped_library() / FILE


def recorded() -> dict[str, Answer]:
    """Answers by the digest of the question; none where the file is missing or damaged.

    >>> all(len(digest) > 10 for digest in recorded())
    True
    """
    found = _read().get("answers", {})
    return found if isinstance(found, dict) else {}


def outcome() -> dict[str, Any] | None:
    """What the command prints as JSON, if no proof file of the library has changed since."""
    found = _read()
    told = found.get("outcome")
    return told if isinstance(told, dict) and found.get("files") == files_digest() else None


def files_digest() -> str:
    """A digest of the proof files of the library, with their names."""
    root = shipped_library()
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        text = file.read_bytes()
        digest.update(f"{file.relative_to(root).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def _read() -> dict[str, Any]:
    try:
        found = json.loads(place().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def told(answer: Answer) -> dict[str, Any]:
    """An answer as a judge gives it."""
    if answer is None:
        return {"verdict": str(Kind.UNDECIDED)}
    return {"verdict": str(Kind.REFUTED), "witness": dict(answer)}


def kept(result: Mapping[str, Any]) -> Answer:
    """What is kept of the answer of a judge.

    >>> kept({"verdict": "refuted", "witness": {"text": "x = 0", "lhs": "0", "rhs": "1"}})
    {'text': 'x = 0', 'lhs': '0', 'rhs': '1'}
    >>> kept(told(None)) is None
    True
    """
    if result["verdict"] != str(Kind.REFUTED):
        return None
    return dict(result["witness"])


__all__ = ["FILE", "Answer", "files_digest", "kept", "outcome", "place", "recorded", "told"]
