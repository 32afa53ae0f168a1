"""Verdicts, named facts, errors: what it takes to say ``proved`` or ``derived``."""

from lapdp.core.errors import IllFormed, InputError, LapdpError, Undefined, Unsupported
from lapdp.core.facts import Fact
from lapdp.core.verdict import (
    Certificate,
    Judgement,
    Kind,
    Leaf,
    Numeric,
    Proof,
    Rejected,
    Split,
    Witness,
    seal,
    worst,
)

__all__ = [
    "Certificate", "Fact", "IllFormed", "InputError", "Judgement", "Kind", "LapdpError", "Leaf",
    "Numeric", "Proof", "Rejected", "Split", "Undefined", "Unsupported", "Witness", "seal", "worst",
]
