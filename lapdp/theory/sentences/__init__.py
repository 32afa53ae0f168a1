"""Statements as sentences of the kernel: what is proved is what was written.

``elaborate`` turns the unevaluated trees of a statement into terms, literally, or refuses with the
reason; nothing is simplified or approximated.  This package is trusted beside
:mod:`lapdp.kernel`: a derivation proves a statement only as far as its sentence says it.
"""

from __future__ import annotations

from lapdp.kernel.saying import NotSaid, Sentence
from lapdp.theory.sentences.elaborate import elaborate

__all__ = ["NotSaid", "Sentence", "elaborate"]
