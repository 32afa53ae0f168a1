"""Where the shipped library of papers lies: in a source checkout, or in an installation."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import lapdp
from lapdp.core.errors import InputError


def shipped_library() -> Path:
    """The folder of the papers that come with lapdp, one folder in it for each.

    In a source checkout (also when installed with ``pip install -e``) that is ``proofs/`` beside
    the package; in an installed wheel the package ``lapdp_proofs``.  The checkout comes first:
    what is edited there is what is checked.  Raises :class:`InputError` when there is neither.

    >>> (shipped_library() / "chourasia2024").is_dir()
    True
    """
    checkout = Path(lapdp.__file__).resolve().parent.parent
    # a folder named proofs in site-packages may be anybody's
    if (checkout / "pyproject.toml").is_file() and (checkout / "proofs").is_dir():
        return checkout / "proofs"
    spec = find_spec("lapdp_proofs")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("the library of lapdp is not installed: reinstall lapdp")
    return Path(next(iter(spec.submodule_search_locations)))
