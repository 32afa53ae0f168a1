"""LaTeX as one line of Unicode, for terminals: what is known is drawn, the rest stays as it is."""

from __future__ import annotations

import re
import unicodedata

_DROPPED = frozenset({"left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "displaystyle",
                      "limits", "nolimits", "middle", "biggl", "biggr", "bigg"})
_SPACES = frozenset({"quad", "qquad", ",", ";", ":", " ", "\\", "!"})
_PLAIN = frozenset({"text", "mathrm", "textbf", "mathbf", "operatorname", "mathit", "textit",
                    "mathsf", "mathcal", "mbox", "textrm", "emph"})
_BOARD = {letter: unicodedata.lookup(f"DOUBLE-STRUCK CAPITAL {letter}") for letter in "RCNZQP"}
_SIGNS = {"leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "infty": "∞",
          "int": "∫", "sum": "∑", "prod": "∏", "in": "∈", "notin": "∉", "to": "→", "cdot": "·",
          "times": "\N{MULTIPLICATION SIGN}", "ll": "≪", "forall": "∀", "exists": "∃",
          "Re": "Re", "Im": "Im",
          "otimes": "⊗", "circledast": "⊛", "pm": "±", "colon": ":", "|": "‖", "Vert": "‖",
          "vert": "|", "mid": "|", "{": "{", "}": "}", "%": "%", "&": "&", "_": "_", "dots": "…",
          "ldots": "…", "cdots": "…"}
_ACCENTS = {"overline": "\N{COMBINING OVERLINE}", "bar": "\N{COMBINING OVERLINE}",
            "dot": "\N{COMBINING DOT ABOVE}", "ddot": "\N{COMBINING DIAERESIS}",
            "hat": "\N{COMBINING CIRCUMFLEX ACCENT}", "tilde": "\N{COMBINING TILDE}"}
_TOKEN = re.compile(r"\\([a-zA-Z]+|.)\s*|([{}^_])|([^\\{}^_]+)", re.DOTALL)
_SIMPLE = re.compile(r"[\w.∞]*|\(.*\)")


def readable(latex: str) -> str:
    """A formula on one line of Unicode.

    >>> readable(r"\\delta_{P|Q}(\\varepsilon) \\leq \\frac{1}{2} e^{-\\varepsilon}")
    'δ_(P|Q)(ε) ≤ 1/2 e^(-ε)'
    >>> readable(r"\\sqrt{x+1}, \\; q \\neq 0, \\unknown")
    '√(x+1), q ≠ 0, \\\\unknown'
    """
    try:
        shown = _Reader(latex).group()
    except (IndexError, RecursionError):
        return latex  # braces that do not match: better as it stands
    return re.sub(r"\s+", " ", shown).strip()


class _Reader:
    """Tokens of LaTeX, taken from the left."""

    def __init__(self, latex: str) -> None:
        self.tokens: list[tuple[str, str, str]] = _TOKEN.findall(latex.replace("$", ""))[::-1]

    def group(self) -> str:
        """All up to the brace that closes, or to the end."""
        parts = []
        while self.tokens and self.tokens[-1][1] != "}":
            parts.append(self.one())
        return "".join(parts)

    def one(self) -> str:
        command, sign, text = self.tokens.pop()
        if command:
            return self.command(command)
        if sign == "{":
            inner = self.group()
            self.tokens.pop()
            return inner
        if sign in ("^", "_"):
            return sign + _closed(self.argument())
        return sign or text

    def argument(self) -> str:
        """What a command takes: a group, or one letter."""
        text = self.tokens[-1][2].lstrip()
        if self.tokens[-1][2]:
            self.tokens.pop()
            if len(text) > 1:
                self.tokens.append(("", "", text[1:]))
            return text[:1] if text else self.argument()
        return self.one()

    def command(self, name: str) -> str:
        if name in _DROPPED:
            return ""
        if name in _SPACES:
            return " "
        if name in ("frac", "tfrac", "dfrac"):
            return f"{_closed(self.argument())}/{_closed(self.argument())}"
        if name == "sqrt":
            return f"√{_closed(self.argument())}"
        if name in ("mathbb", "mathds"):
            letter = self.argument()
            return _BOARD.get(letter, letter)
        if name in _PLAIN:
            return self.argument()
        if name in _ACCENTS:
            letter = self.argument()
            return letter[:1] + _ACCENTS[name] + letter[1:]
        known = _SIGNS.get(name) or _greek(name)
        if known:
            # a letter stands alone, a relation has room
            return known if len(known) == 1 and known.isalpha() else _spaced(name, known)
        return f"\\{name} "


def _spaced(name: str, sign: str) -> str:
    relations = {"leq", "le", "geq", "ge", "neq", "ne", "in", "notin", "to", "ll", "times", "cdot",
                 "otimes", "circledast"}
    return f" {sign} " if name in relations else sign


def _closed(inner: str) -> str:
    inner = inner.strip()
    return inner if _SIMPLE.fullmatch(inner) else f"({inner})"


def _greek(name: str) -> str:
    """A Greek letter by its name in LaTeX."""
    plain = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi"}.get(name, name)
    kind = "CAPITAL" if plain[:1].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {kind} LETTER {plain.replace('lambda', 'lamda')}")
    except KeyError:
        return {"log": "log", "exp": "exp", "min": "min", "max": "max", "sup": "sup", "inf": "inf",
                "lim": "lim", "sin": "sin", "cos": "cos", "Pr": "Pr", "erf": "erf", "ln": "ln"
                }.get(name, "")


__all__ = ["readable"]
