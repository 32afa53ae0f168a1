"""Conjectures: the smallest counterexample, or how far was searched and what the engine says.

>>> from lapdp.testing import conjecture
>>> from lapdp.theory import delta, pair, reals
>>> (P, Q), eps = pair(), reals("eps")
>>> found = conjecture(delta(P, Q)(eps), "==", delta(Q, P)(eps))
>>> print(found.verdict, "|", found.witness.text)
refuted | P, Q = mechanism_pair(finite([1, 0], ["1/2", "1/2"])); eps = log(2)
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        'lapdp.testing.conjecture needs hypothesis: pip install "lapdp[testing]"',
        name="hypothesis",
    ) from missing

from lapdp.testing.conjectures.asking import conjecture
from lapdp.testing.conjectures.results import Conjecture

del _hypothesis

__all__ = ["Conjecture", "conjecture"]
