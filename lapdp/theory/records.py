"""What a record of a judgement looks like: one that was read from a disk is compared with this."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from lapdp.core.verdict import Kind

Shape = Any
"""A type, a tuple of shapes (any of them), a list of one shape, or a mapping of names to shapes."""
_NONE = type(None)
_FACTS = [str]
_WITNESS = {"text": str, "values": dict, "lhs": str, "rhs": str, "why": str}
_NUMERIC = {"method": str, "digits": int, "instances": int, "agrees": (bool, _NONE), "reason": str,
            "seconds": float}
_DERIVATION = {"digest": str, "steps": int, "rules": dict, "facts": _FACTS}
_SYMBOLIC = {"method": str, "facts": _FACTS, "cells": int, "steps": [str], "tried": [str],
             "seconds": float}
SHAPE: Mapping[str, Shape] = {
    "verdict": str, "reason": str, "symbolic": _SYMBOLIC, "checked": str, "believed": [str],
    "derivation": (_DERIVATION, _NONE), "numeric": (_NUMERIC, _NONE), "holds_under": str,
    "scope": str, "witness": (_WITNESS, _NONE)}
"""The record of :meth:`lapdp.core.verdict.Judgement.record`; more entries are allowed."""


def sound(record: Any) -> bool:
    """Could the engine have written this record?  Its parts, their types, a verdict there is.

    >>> from lapdp.core.verdict import Judgement
    >>> record = Judgement(Kind.TESTED, "balls").record()
    >>> sound(record), sound({**record, "verdict": "QED"}), sound({**record, "believed": [1]})
    (True, False, False)
    """
    if not _fits(record, SHAPE) or record["verdict"] not in {str(k) for k in Kind}:
        return False
    if (record["verdict"] == str(Kind.PROVED)) != (record["checked"] == "kernel"):
        return False
    return record["verdict"] != str(Kind.REFUTED) or record["witness"] is not None


def is_seconds(x: Any) -> bool:
    """A time that something took.

    >>> is_seconds(1.5), is_seconds(-1), is_seconds(float("nan")), is_seconds(True)
    (True, False, False, False)
    """
    return _fits(x, float) and math.isfinite(x) and x >= 0


def _fits(x: Any, shape: Shape) -> bool:
    if isinstance(shape, tuple):
        return any(_fits(x, each) for each in shape)
    if isinstance(shape, list):
        return isinstance(x, list) and all(_fits(each, shape[0]) for each in x)
    if isinstance(shape, Mapping):
        return isinstance(x, dict) and all(
            name in x and _fits(x[name], each) for name, each in shape.items())
    if shape is float:
        return isinstance(x, (int, float)) and not isinstance(x, bool)
    if shape is int:
        return isinstance(x, int) and not isinstance(x, bool)
    return isinstance(x, shape)


__all__ = ["is_seconds", "sound"]
