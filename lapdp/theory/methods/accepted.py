"""Lemmas that the kernel proves: one that the methods of the engine do not reach may be a law of
the library, or found by the search for derivations."""

from __future__ import annotations

import time

from lapdp.core.checked import Checked
from lapdp.core.deadline import TimeUp, time_limit
from lapdp.core.verdict import Certificate, Leaf, Proof, seal
from lapdp.theory.cited_laws import cited_law
from lapdp.theory.derivations import searched
from lapdp.theory.obligations import ByDerivation
from lapdp.theory.statement import Statement

STEPS, SECONDS = 3_000, 3.0
"""Steps of a search for one lemma, and its seconds of the processor."""


def derivation_of(what: str, lemma: Statement) -> Proof | None:
    """A sealed proof whose evidence is a derivation that the kernel accepted for the sentence of
    the lemma; None: there is none that rests on no named fact, or it is not found."""
    law = cited_law(lemma)
    checked = _found(lemma) if law is None else law[1]
    if checked is None or checked.facts:
        return None
    return seal(Certificate("a derivation", ((what, Leaf((ByDerivation(checked, what),))),), ()))


def _found(lemma: Statement) -> Checked | None:
    start = time.process_time()
    try:
        with time_limit(SECONDS, processor=True):
            return searched(lemma, STEPS)[0]
    except TimeUp:
        if time.process_time() - start < SECONDS:
            raise  # the time of the whole is up
        return None


__all__ = ["derivation_of"]
