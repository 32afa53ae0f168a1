"""LaTeX as MathML, which browsers draw by themselves: pages need no script, no network for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape, unescape
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

_ACCENTS = {r"\'e": "é", r"\`e": "è", r"\"o": "ö", r"\"u": "ü", r"\'o": "ó", r"\H{o}": "ő"}
"""Letters of names in the prose of a paper."""
_TAGS = frozenset({
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msub", "msup", "msubsup", "munder",
    "mover", "munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd", "mstyle",
    "mpadded", "mphantom", "menclose",
})
"""Elements of MathML that only show something."""
_ATTRIBUTES = frozenset({
    "display", "stretchy", "fence", "form", "lspace", "rspace", "accent", "accentunder",
    "movablelimits", "linethickness", "mathvariant", "columnalign", "displaystyle",
    "scriptlevel", "minsize", "maxsize", "largeop", "separator", "width", "height", "depth",
    "notation", "symmetric", "rowspacing", "columnspacing", "columnlines",
})
"""Attributes that only say how; a link is none of them."""
LINE = 24
"""Characters of prose inside of a formula that stay together."""
RELATIONS = tuple("=<>≤≥≠≈≪≫∈⊆→⇒⇔⟹⟺⟶≔\u223c")
SUMS = tuple("+-\u2212±")
"""Signs before which a formula may go on in a new line."""


@lru_cache(maxsize=4096)
def mathml(latex: str, *, block: bool = False) -> str:
    """A formula as a ``<math>`` element; the LaTeX itself in ``<code>`` where it cannot be read.

    ``block`` sets it on a line of its own.  The source is kept as the ``alttext``, for readers that
    draw no MathML.

    >>> print(mathml("x"))
    <math display="inline" alttext="x"><mrow><mi>x</mi></mrow></math>
    >>> mathml("x&") == mathml("x").replace('alttext="x"', 'alttext="x&amp;"')
    True
    >>> mathml(r"\\left(x")
    '<code class="latex">\\\\left(x</code>'
    """
    return _converted(latex, block) or f'<code class="latex">{escape(latex)}</code>'


def readable(latex: str) -> bool:
    """Can the formula be drawn?

    >>> readable(r"\\frac{1}{2}"), readable("x^2^2"), readable(r"\\quadq")
    (True, False, False)
    """
    return bool(_converted(latex, False))


@lru_cache(maxsize=4096)
def wrapped(latex: str) -> str:
    """A formula on lines of its own: pieces that a narrow page sets one below the other.

    Browsers break no ``<math>``; the formula is cut before relations, sums and words.

    >>> print(wrapped("x = y").replace("> <", ">\\n<"))
    <math display="inline" displaystyle="true" alttext="x = y"><mrow><mi>x</mi></mrow></math>
    <math display="inline" displaystyle="true"><mrow><mo form="infix">=</mo><mi>y</mi></mrow></math>
    """
    return " ".join(_cut(latex, {"display": "inline", "displaystyle": "true"}))


def _cut(latex: str, how: dict[str, str]) -> list[str]:
    """The pieces of a formula, each an element with these attributes."""
    tree = _tree(latex, False)
    if tree is None:
        return [f'<code class="latex">{escape(latex)}</code>']
    row = tree[0] if len(tree) == 1 and tree[0].tag == "mrow" else tree
    made = []
    for number, piece in enumerate(_pieces([part for each in row for part in _words(each)])):
        shown = Element("math", how)
        if not number:
            shown.set("alttext", latex)
        SubElement(shown, "mrow").extend(piece)
        made.append(tostring(shown, encoding="unicode", short_empty_elements=False))
    return made


def _words(part: Any) -> list[Any]:
    """A part of a formula; long prose in it as several, of some words each."""
    text = part.text or ""
    if part.tag != "mtext" or len(text) <= LINE:
        return [part]
    found, line = [], ""
    # a space between words may be one that does not break
    for word in re.findall(r"\s*\S+\s*", text):
        if line and len(line + word) > LINE:
            found.append(line)
            line = ""
        line += word
    made = []
    for each in (*found, line):
        piece = Element("mtext", part.attrib)
        piece.text = each
        made.append(piece)
    return made


def _pieces(parts: list[Any]) -> Iterator[list[Any]]:
    """The parts between places where a line may end; none of these is inside brackets."""
    piece: list[Any] = []
    depth = 0
    for part in parts:
        sign = _core(part)
        binary = piece and _core(piece[-1]) not in (*RELATIONS, *SUMS, "(", "[", "{", ",")
        words = part.tag in ("mtext", "mspace")
        if piece and depth == 0 and (words or sign in RELATIONS or (sign in SUMS and binary)):
            yield piece
            piece = []
            if part.tag == "mo":
                part.set("form", "infix")
        piece.append(part)
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
    if piece:
        yield piece


def _core(part: Any) -> str:
    """The sign that a part is, or that has its indices."""
    while part.tag in ("msub", "msup", "msubsup", "munder", "mover", "munderover") and len(part):
        part = part[0]
    return (part.text or "") if part.tag == "mo" else ""


def _converted(latex: str, block: bool) -> str:
    tree = _tree(latex, block)
    return "" if tree is None else tostring(tree, encoding="unicode", short_empty_elements=False)


def _tree(latex: str, block: bool) -> Any:
    # an import of 50 ms, which only pages need
    from latex2mathml.converter import convert_to_element

    text = latex
    for written, letter in _ACCENTS.items():
        text = text.replace(written, letter)
    if r"\begin" not in text:
        # where a line of a display is aligned with its others
        text = re.sub(r"(?<!\\)&", "", text)
    try:
        tree = convert_to_element(text, display="block" if block else "inline")
    except Exception:  # the library's errors have no common ancestor; the caller shows the source
        return None
    for element in tree.iter():
        # the library writes entities as text, and what stands in \\text{} as it is
        element.text = unescape(element.text or "").replace(r"\_", "_")
        for name in set(element.attrib) - _ATTRIBUTES:
            del element.attrib[name]
        if element.tag not in _TAGS or element.text.startswith("\\"):
            return None
    tree.set("alttext", latex)
    return tree


def mixed(text: str) -> str:
    """Prose with formulas between dollar signs, as HTML; long ones may go on in a new line.

    >>> print(mixed("if $x$ & y"))
    if <math display="inline" alttext="x"><mrow><mi>x</mi></mrow></math> &amp; y
    >>> mixed("$x = y$").count("<wbr>")
    1
    """
    parts, inside = [], False
    for part in _between_dollars(text):
        parts.append("<wbr>".join(_cut(part, {"display": "inline"})) if inside else escape(part))
        inside = not inside
    return "".join(parts)


def _between_dollars(text: str) -> Iterator[str]:
    """Prose and formulas in turn; a formula may hold prose with dollars of its own, in braces."""
    part, depth, inside = "", 0, False
    for char in text:
        depth += inside * ((char == "{") - (char == "}"))
        if char == "$" and depth == 0:
            yield part
            part, inside = "", not inside
        else:
            part += char
    yield part


__all__ = ["mathml", "mixed", "readable", "wrapped"]
