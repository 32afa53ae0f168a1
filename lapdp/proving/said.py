"""Formulas by texts, laws about numbers that are proved once, and integrals of sums and multiples.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from lapdp.kernel.texts import read

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Said:
    """Short hands for steps about numbers and integrals, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.laws: dict[str, int] = {}
        self.names: dict[str, Any] = {}

    def say(self, text: str, **names: Any) -> int:
        """The term or formula of a text."""
        return read(self.d.b, text, {**self.names, **names})

    def of(self, text: str, variable: str = "v", **names: Any) -> Any:
        """A text as a function of one of its letters."""
        name, letter = self.d.fresh("R", variable)
        body = self.d.b.abstract(self.say(text, **names, **{variable: letter}), name, "R")
        return partial(self.d.b.open, body)

    def law(self, text: str, *premises: int, **names: int) -> int:
        """What a text ``premise; premise => conclusion`` about letters for real numbers says of
        such terms, the premises being theorems."""
        d = self.d
        places = sorted(names)
        if text not in self.laws:
            letters = [d.fresh("R", n) for n in places]
            at = {n: t for n, (_, t) in zip(places, letters, strict=True)}
            parts = [part.strip() for part in text.replace("=>", ";").split(";")]
            *given, claim = [self.say(part, **at) for part in parts if part]
            facts = [d.assume(f) for f in given]
            found = self.a.prove(claim, facts)
            found = d.disch_all(given, found)
            self.laws[text] = d.gen_all([(name, "R") for name, _ in letters], found)
        made = self.laws[text]
        for n in places:
            made = d.inst(made, names[n])
        for i in premises:
            made = d.mp(made, i)
        return made

    # integrals ----------------------------------------------------------------------------------

    def _integrand(self, iny: int) -> tuple[str, str, int]:
        d = self.d
        head = d.head(d.claim(iny))
        return head, head.replace("iny", "int"), d.kids(d.claim(iny))[0]

    def scaled(self, c: int, iny: int) -> tuple[int, int]:
        """iny c f and I c f = c I f, from iny f."""
        d = self.d
        head, symbol, f = self._integrand(iny)
        body = d.mk("mul", d.b.lift(c), f)
        first, second = d.parts(d.do("integral", d.conj([d.mk(head, body), d.mk(
            "eq", d.mk(symbol, body), d.mul(c, d.mk(symbol, f)))]), [iny], ["scale", c]))
        return first, second

    def added(self, one: int, other: int) -> tuple[int, int]:
        """iny f + g and I f + g = I f + I g, from iny f and iny g."""
        d = self.d
        (head, symbol, f), (_, _, g) = self._integrand(one), self._integrand(other)
        body = d.mk("add", f, g)
        first, second = d.parts(d.do("integral", d.conj([d.mk(head, body), d.mk(
            "eq", d.mk(symbol, body), d.add(d.mk(symbol, f), d.mk(symbol, g)))]), [one, other],
            ["sum"]))
        return first, second

    def rim(self, iny: int) -> tuple[int, int]:
        """iny |f| and |I f| <= I |f|, from iny f."""
        d = self.d
        head, symbol, f = self._integrand(iny)
        size = d.mk("abs", f)
        rim = d.do("dominate", d.mk(head, size), [iny])
        return rim, d.do("mono", d.mk("le", d.mk("abs", d.mk(symbol, f)), d.mk(symbol, size)), [
            iny, rim])

    def below(self, everywhere: int, one: int, other: int) -> int:
        """I f <= I g, from f <= g everywhere, iny f and iny g."""
        d = self.d
        (_, symbol, f), (_, _, g) = self._integrand(one), self._integrand(other)
        return d.do("mono", d.mk("le", d.mk(symbol, f), d.mk(symbol, g)), [everywhere, one, other])

    def times(self, text: str, *facts: int, **names: Any) -> int:
        """A relation whose gap is the product of those of the facts."""
        return self.d.do("arith", self.say(text, **names), list(facts), [
            [self.d.num(1), list(range(len(facts)))]])
