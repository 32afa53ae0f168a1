"""The ``hypothesis`` entry point: ``st.from_type`` and annotations draw pairs and notions.

Hypothesis calls :func:`register` when it is imported, in every process where lapdp is installed.
So nothing of lapdp is loaded then: a class is registered as soon as the module that defines it has
been imported, and its strategy is made when it is first asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

HOMES = {
    "lapdp.privacy.pair": ("Pair",),
    "lapdp.privacy.finite": ("FinitePair",),
    "lapdp.privacy.mechanism_table": ("MechanismTable",),
    "lapdp.privacy.mechanisms.law": ("Law",),
    "lapdp.privacy.notions.characteristic": ("Characteristic",),
    "lapdp.privacy.notions.loss": ("LossDistribution",),
    "lapdp.privacy.notions.moment": ("Moment", "RenyiDivergence"),
    "lapdp.privacy.notions.profile": ("PrivacyProfile",),
    "lapdp.privacy.notions.tradeoff": ("TradeOff",),
    "lapdp.testing.strategies.renyi_curves": ("RenyiCurve",),
}
"""The classes that are registered, by the modules that define them."""


def register() -> None:
    """Register the classes of modules that are loaded, and of the others once they are.

    >>> from hypothesis import find
    >>> from hypothesis import strategies as st
    >>> from lapdp.privacy.finite import FinitePair
    >>> register()
    >>> find(st.from_type(FinitePair), lambda pair: True)
    finite([1], [1])
    """
    for name in HOMES:
        if name in sys.modules:
            _register(sys.modules[name])
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _register(module: ModuleType) -> None:
    from hypothesis import strategies as st

    for name in HOMES[module.__name__]:
        st.register_type_strategy(getattr(module, name), partial(_strategy, name))


def _strategy(name: str, asked: type) -> SearchStrategy[Any]:
    from lapdp.testing.strategies.types import STRATEGIES

    return STRATEGIES[name]()


class _Finder(MetaPathFinder):
    """Finds the modules of :data:`HOMES` as they are found without it, to look at them after."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None,
                  target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname not in HOMES:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader(Loader):
    """Loads a module by its own loader, which the module keeps, then registers its classes."""

    def __init__(self, own: Loader) -> None:
        self.own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.own
        if module.__spec__ is not None:
            module.__spec__.loader = self.own
        self.own.exec_module(module)
        _register(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)


__all__ = ["HOMES", "register"]
