"""Kept derivations printed as Rocq files, for a second opinion of a proof assistant.

A step becomes a lemma, a rule of the kernel a lemma of the library beside this file.
"""

from lapdp.report.rocq.files import LIBRARY, module, printed, write
from lapdp.report.rocq.words import NotPrinted

__all__ = ["LIBRARY", "NotPrinted", "module", "printed", "write"]
