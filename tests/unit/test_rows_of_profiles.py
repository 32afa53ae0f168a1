"""Profiles of many releases as rows: what is written has the values of inversion integrals."""

from __future__ import annotations

import re

import mpmath as mp
import pytest
import sympy as sp

from lapdp import exponential, laplace, randomized_response
from lapdp.core.errors import Unsupported
from lapdp.report.formats import write

PAIRS = [laplace(1)**40, laplace(2)**9 * randomized_response("1/10", "1/1000")**7,
         exponential(1, 2)**20 * laplace(1)**2]
LINE = re.compile(r"  \+ \[t (<|>=) (.*?)\] (.*), x = t ([+-]) (.*)")


def number(text, **names):
    """A line that a person reads, evaluated by mpmath."""
    text = re.sub(r"\d+", lambda found: f"mpf({found[0]})", text.replace("^", "**"))
    return eval(text, {"mpf": mp.mpf, "e": mp.e, "log": mp.log, **names})


def read(text, t):
    """The sum of the rows of a text at t."""
    first, *lines = text.splitlines()
    total = number(first.partition("=")[2].strip())
    for line in lines:
        side, at, value, _, _ = LINE.fullmatch(line).groups()
        c = number(at)
        if (t < c) == (side == "<"):
            total += number(value, x=t - c)
    return total


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize("at", ["-3/2", "5/3"])
def test_rows_have_the_values_of_the_integral(pair, at):
    x = sp.Rational(at)
    found = pair.delta(x, digits=20)
    assert "integral" in found.method or "given" in found.method
    module = {}
    exec(pair.profile.code("mpmath"), module)
    with mp.workdps(120):
        t = mp.mpf(x.p) / x.q
        values = [read(pair.profile.text(), t), module["profile"](t)]
        names = {}
        exec("from sympy import *", names)
        values.append(mp.mpmathify(sp.N(eval(write(pair.profile, "sympy"), {**names, "t": x}), 60)))
        lower, upper = (mp.mpf(y.numerator) / y.denominator for y in (found.lower, found.upper))
        assert all(lower <= value <= upper for value in values)


def test_a_hundred_releases_are_written_in_every_format():
    profile = (laplace(1)**100).profile
    latex = profile.latex()
    assert latex.count("{") == latex.count("}") and latex.count(r"\left") == latex.count(r"\right")
    assert len(profile.text().splitlines()) == 104
    with pytest.raises(Unsupported, match="cancel in doubles"):
        profile.code("numpy")
    with pytest.raises(Unsupported, match="too many digits"):
        (randomized_response("0.1", "1e-8")**1000).profile.text()
    # up to some degree pieces are what a person reads
    assert "if t <" in (laplace(1)**4).profile.text()
