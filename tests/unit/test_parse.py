"""The language of formulas as text: what it reads, exactly, and what it refuses."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lapdp.calculus.nodes import B, D, Int, L, Linv, conv
from lapdp.core.errors import InputError
from lapdp.theory import guards
from lapdp.theory.guards import MAX_TEXT, Budget
from lapdp.theory.language import Eq, Ge, Gt, Le, Lt, Ne
from lapdp.theory.parse import (
    parse_call,
    parse_condition,
    parse_expression,
    parse_mechanism,
    parse_relation,
)

t, x, a, eps = sp.symbols("t x a eps", real=True)
s, q = sp.symbols("s q", complex=True)
R = sp.Rational

READ = {
    "0.1": R(1, 10),
    "1e-8": R(1, 10**8),
    "2.50E+1": sp.Integer(25),
    ".5": R(1, 2),
    "5.": sp.Integer(5),
    "1/3 - 1/6": R(1, 6),
    "2 - 3 - 4": sp.Integer(-5),
    "8/2/2": sp.Integer(2),
    "-2**2": sp.Integer(-4),
    "2**-1": R(1, 2),
    "2**3**2": sp.Integer(512),
    "(-x)**2": x**2,
    "+x": x,
    "exp(-a*t)/2": sp.exp(-a * t) / 2,
    "sqrt(pi)*exp(s**2/4)*erfc(s/2)/2": sp.sqrt(sp.pi) * sp.exp(s**2 / 4) * sp.erfc(s / 2) / 2,
    "abs(x) + Abs(x)": 2 * sp.Abs(x),
    "max(x, 0, a) + min(x, a)": sp.Max(x, 0, a) + sp.Min(x, a),
    "Max(x, 0, a) - Min(x, a)": sp.Max(x, 0, a) - sp.Min(x, a),
    "Ei(t) + E1(x) + expint(2, x)": sp.Ei(t) + sp.E1(x) + sp.expint(2, x),
    "gamma(q) + loggamma(a)": sp.gamma(q) + sp.loggamma(a),
    "uppergamma(a, x) - lowergamma(a, x)": sp.uppergamma(a, x) - sp.lowergamma(a, x),
    "besselj(0, x)*bessely(1, x)": sp.besselj(0, x) * sp.bessely(1, x),
    "besseli(a, x) + besselk(a, x)": sp.besseli(a, x) + sp.besselk(a, x),
    "Heaviside(t - 1) + DiracDelta(t)": sp.Heaviside(t - 1) + sp.DiracDelta(t),
    "re(s) + I*im(s)": sp.re(s) + sp.I * sp.im(s),
    "exp(-oo) + EulerGamma": sp.EulerGamma,
    "L(exp(-t**2), t, s)": L(sp.exp(-(t**2)), t, s),
    "B(exp(-abs(t)), t, 1 - q)": B(sp.exp(-sp.Abs(t)), t, 1 - q),
    "Linv(1/s, s, x, 1)": Linv(1 / s, s, x, 1),
    "Int(exp(-t), t)": Int(sp.exp(-t), t),
    "Int(exp(-t), t, 0, oo)": Int(sp.exp(-t), t, 0, sp.oo),
    "D(exp(t), t) + D(exp(t), t, 2)": D(sp.exp(t), t) + D(sp.exp(t), t, 2),
    "conv(t, exp(t), t, 0)": conv(t, sp.exp(t), t, lower=0),
    "x\n + 1": x + 1,
}


@pytest.mark.parametrize("text", READ)
def test_expressions_are_read_exactly(text: str) -> None:
    value = parse_expression(text)
    assert value == READ[text]
    assert not value.has(sp.Float)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, places=6, max_value=10**9))
def test_decimals_keep_their_value(number: Any) -> None:
    value = parse_expression(str(number))
    assert Fraction(int(value.p), int(value.q)) == Fraction(number)


def test_names_can_be_given() -> None:
    positive = sp.Symbol("s", positive=True)
    assert parse_expression("s + gamma", {"s": positive, "gamma": x}) == positive + x


def test_piecewise_keeps_its_pieces() -> None:
    value = parse_expression("piecewise((0, t < 0), (t, 0 <= t < 1), (1, True))")
    assert isinstance(value, sp.Piecewise)
    assert [value.subs(t, v) for v in (-1, R(1, 2), 3)] == [0, R(1, 2), 1]


@pytest.mark.parametrize(("sign", "relation"), [
    ("==", Eq), ("!=", Ne), ("<", Lt), ("<=", Le), (">", Gt), (">=", Ge)])
def test_relations_stay_unevaluated(sign: str, relation: Any) -> None:
    assert parse_relation(f"1 {sign} 2") == relation(sp.Integer(1), sp.Integer(2))
    assert parse_condition(f"x {sign} a") == [relation(x, a)]


def test_chains_are_lists_of_relations() -> None:
    assert parse_condition("0 < x <= 1") == [Lt(sp.Integer(0), x), Le(x, sp.Integer(1))]
    with pytest.raises(InputError, match="one relation"):
        parse_relation("0 < x < 1")


class Named:
    """A mechanism that only knows how it was written."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __mul__(self, other: Named) -> Named:
        return Named(f"({self.name} * {other.name})")

    def __pow__(self, k: int) -> Named:
        return Named(f"{self.name}**{k}")


CATALOGUE: dict[str, Any] = {
    "gaussian": lambda sigma, sensitivity=1: Named(f"g[{sigma},{sensitivity}]"),
    "finite": lambda P, Q: Named(f"f{P}{Q}"),
    "bare": object,
    "reverse": lambda m: Named(f"r{m.name}"),
}


@pytest.mark.parametrize(("text", "read"), [
    ("gaussian(0.5)", "g[1/2,1]"),
    ("gaussian(sensitivity=2, sigma=sqrt(2))", "g[sqrt(2),2]"),
    ("gaussian(1)*gaussian(2)*gaussian(3)", "((g[1,1] * g[2,1]) * g[3,1])"),
    ("(gaussian(1)*gaussian(2))**3", "(g[1,1] * g[2,1])**3"),
    ("reverse(gaussian(sigma)**2)", "rg[sigma,1]**2"),
    ("finite([1/2, 1/2], [1/3, 2/3])", "f[1/2, 1/2][1/3, 2/3]"),
])
def test_mechanisms(text: str, read: str) -> None:
    assert parse_mechanism(text, CATALOGUE).name == read


@pytest.mark.parametrize(("text", "message"), [
    ("gausian(1)", "did you mean gaussian?"),
    ("gaussian()", "missing a required argument: 'sigma'; it is gaussian(sigma, sensitivity=1)"),
    ("gaussian(1, tau=2)", "gaussian has no parameter 'tau'"),
    ("gaussian(1).reverse()", "reverse(gaussian(1))"),
    ("gaussian(1) + gaussian(2)", "* for products"),
    ("gaussian(1)**0", "at least 1"),
    ("gaussian(1)**x", "integers"),
    ("(gaussian(1)**10000000)**10000000", "at most 1000000000000 factors"),
    ("reverse(gaussian(1)**10000000)**10000000", "at most 1000000000000 factors"),
    ("gaussian(*[1])", "only numbers, names"),
    ("gaussian(**gaussian)", "as name=value"),
    ("gaussian(sigma=1, sigma=2)", "as name=value"),
    ("finite([1 < 2], [1])", "a relation where"),
    ("bare()*gaussian(1)", "no product of these mechanisms"),
    ("bare()**2", "no product of these mechanisms"),
    ("1/2", "is no mechanism"),
    ("gaussian", "is no mechanism"),
])
def test_mechanisms_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_mechanism(text, CATALOGUE)
    assert message in str(error.value)


@pytest.mark.parametrize(("text", "message"), [
    ("expp(x)", "did you mean exp?"),
    ("dTV(P, Q)", "total variation is TV(P, Q)"),
    ("DKL(P, Q)", "divergence is KL(P, Q)"),
    ("wzxyvkj(x)", "notions of pairs: delta, T, R, E"),
    ("bessel_j(0, x)", "did you mean besselj?"),
    ("E", "write exp(1)"),
    ("e**x", "write exp(x)"),
    ("ln(x)", "write log(x)"),
    ("x^2", "write ** for powers"),
    ("x = 1", "write == for equality"),
    ("exp", "write exp(...)"),
    ("exp(1, 2)", "exp takes 1 arguments, not 2"),
    ("L(t, t)", "L takes 3 arguments, not 2"),
    ("L(t, 2, s)", "must be a symbol"),
    ("L(g=t, t=t, s=s)", "by position"),
    ("D(t, t, 1/2)", "integer from 1"),
    ("1/0", "division by 0"),
    ("1/(x - x)", "division by 0"),
    ("0**-1", "has no value"),
    ("log(0)", "has no value"),
    ("oo - oo", "has no value"),
    ("sin(oo)", "has no value"),
    ("x < 1", "a relation where an expression"),
    ("(x + 1", "')' is missing"),
    ("x + 1)", "closes nothing"),
    ("x + [1)", "closes nothing"),
    ("1_000", "cannot read the number"),
    ("0x10", "cannot read the number"),
    ("2j", "write numbers such as"),
    ("a" * 33, "up to 32 letters"),
    ("piecewise(1)", "piecewise((value, condition)"),
    ("piecewise()", "1 to 20 pieces"),
    ("Max(I, 1)", "not comparable"),
    ("", "is empty"),
    ("x +", "check signs"),
    ("\u0436", "formulas are plain"),
])
def test_expressions_refused_with_a_hint(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_expression(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_relations_refused() -> None:
    with pytest.raises(InputError, match="is no relation"):
        parse_condition("x")
    with pytest.raises(InputError, match="relations are"):
        parse_condition("x in a")
    with pytest.raises(InputError, match="a text, not int"):
        parse_expression(3)  # type: ignore[arg-type]


def test_budget_cuts_off_work_and_leaves_no_hook() -> None:
    with pytest.raises(InputError, match="too long to build"), Budget(10_000):
        sp.uppergamma(500, x)
    assert sys.getprofile() is None


def test_budget_counts_work_and_not_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage collection of a large heap, however slow, refuses no text; work of its own does."""
    now = 1.0
    monkeypatch.setattr(guards.time, "thread_time", lambda: now)

    def slow(phase: str, info: dict[str, int]) -> None:
        nonlocal now
        now += 60 if phase == "start" else 0

    with Budget(10_000, seconds=0.5) as budget:
        gc.callbacks.append(slow)  # behind the budget's own: the time passes between its two calls
        try:
            gc.collect()
        finally:
            gc.callbacks.remove(slow)
        assert now > 60
        budget.check()
    with pytest.raises(InputError, match="too long to build"), Budget(seconds=0.5) as late:
        now += 1
        late.check()


def test_words_and_lists_among_the_arguments() -> None:
    seen = []

    def noise(*given: object, **named: object) -> object:
        seen.append((given, named))
        return given

    parse_mechanism('noise([1, "1/3"], "remove", side="add", inner=[noise(2), (0.5, x)])',
                    {"noise": noise})
    third = sp.Rational(1, 3)
    assert seen[-1][0] == ([1, third], "remove")
    assert seen[-1][1]["side"] == "add"
    assert seen[-1][1]["inner"] == [(2,), [sp.Rational(1, 2), x]]


@pytest.mark.parametrize("text", [
    'noise("a b")', 'noise("")', 'noise("1/0")', 'noise("x" + "y")', 'noise("a")("b")', '"noise"',
    'noise("\\n")', "noise('a)", 'noise("9**9")', 'noise(1, "-")', '"noise"(1)', 'noise(b"a")',
    'noise(f"a")', 'noise("a"*9)', 'noise(["a", {1: 2}])', 'noise("1/2/3")', 'noise("a")**"b"',
])
def test_quotes_refused(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_mechanism(text, {"noise": lambda *a: a})
    assert "\n" not in str(error.value)


IN_QUOTES = {
    "0.048": R(6, 125), "1e-5": R(1, 10**5), "-2.5E+3": sp.Integer(-2500), "1/3": R(1, 3),
    "-4/6": R(-2, 3), "+7": sp.Integer(7), ".5": R(1, 2), "5.": sp.Integer(5),
    "1e-1000": R(1, 10**1000), "9" * 200: sp.Integer(10**200 - 1),
}


@pytest.mark.parametrize("written", IN_QUOTES)
def test_a_number_in_quotes_is_that_number_wherever_a_number_may_stand(written: str) -> None:
    number, quoted = IN_QUOTES[written], f'"{written}"'
    assert parse_expression(quoted) == parse_expression(f"'{written}'") == number
    assert parse_expression(f"x + 2*{quoted}") == x + 2 * number
    assert parse_mechanism(f"noise({quoted}, [{quoted}], a={quoted})", {
        "noise": lambda *given, **named: [*given, named]}) == [number, [number], {"a": number}]
    assert parse_condition(f"t < {quoted}") == [Lt(t, number)]
    assert parse_call(f"delta(noise({quoted}), {quoted})") == (
        "delta", [f"noise({quoted})", quoted], {})


@pytest.mark.parametrize(("written", "told"), {
    '"nan"': "quotes hold one number", '"inf"': "quotes hold one number",
    '"-oo"': "quotes hold one number", '"0x10"': "quotes hold one number",
    '"1_000"': "quotes hold one number", '"1/3/3"': "quotes hold one number",
    '"1e5/3"': "quotes hold one number", '"1/-3"': "quotes hold one number",
    '"--1"': "quotes hold one number", '"."': "quotes hold one number", '""': "quotes hold one",
    '"1e"': "quotes hold one number", '"2**9"': "quotes hold one number", '" 1"': "quotes hold one",
    '"1" "0"': "quotes hold one number", 'u"10"': "quotes hold one number",
    f'"{"1" * 1900}x"': "quotes hold one number", f'"{"1" * 201}"': "more than 200 digits",
    f'"1/{"1" * 201}"': "more than 200 digits", '"1/0"': "division by 0",
    '"1e999999999"': "exponent of '1e999999999' is larger", '"1e-1001"': "is larger than 1000",
    '"10': "quotes hold one number", "'10\"": "quotes hold one number",
}.items())
def test_what_is_no_number_in_quotes_is_refused_in_one_line(written: str, told: str) -> None:
    for text in (written, f"exp({written})", f"1 + {written}"):
        with pytest.raises(InputError, match=told) as error:
            parse_expression(text)
        assert "\n" not in str(error.value) and len(str(error.value)) < 250


HOSTILE = [
    "__import__('os').system('true')", "__import__(os)", "__builtins__", "x.__class__",
    "().__class__", "exp.__globals__", "x[0]", "[x for x in a]", "(x for x in a)", "{x: 1}",
    "{1, 2}", "lambda: 1", "(y := 1)", "'text'", '"text"', "f'{x}'", "b'1'", "exp(*a)",
    "exp(**a)", "exp(x=1)", "x if a else t", "x and a", "not x", "await x", "(yield)", "...",
    "None", "True", "x @ a", "x // a", "x % a", "x << 9", "x; a", "x # a", "\0", "x\\", "eval(x)",
    "exec(x)", "open(x)", "getattr(x, a)", "exp(x)(t)", "(exp)(x)(1)", "[1, 2]", "(1, 2)", "x, t",
    "1 if 1", "print(1)", "`x`", "$x", "x?",
    "9**9**9**9", "2**(10**9)", "(1+t)**100000", "2**-(10**9)", "10**10**10", "1e999999999",
    "1e-999999999", "1e99999999999999999999", "9" * 300, "0." + "1" * 300, "((2*x)**1000)**1000",
    "(((1+x)**1000)**1000)**1000", "x**(10**9)", "exp(10**10)", "exp(exp(exp(10)))", "gamma(10**9)",
    "loggamma(10**9)", "factorial(10**9)", "besselj(10**9, 1)", "uppergamma(1000, x)",
    "lowergamma(1001/2, x)", "expint(-1000, x)", "expint(-1000, 1000)", "erfi(10**900)",
    "exp(10**9*log(2))", "2**(x+10**9)*2**(-x)", "(2**(10**9*x))**(1/x)", "(2**(1000*x))**(1000/x)",
    "(999/1000)**1e-300", "*".join(f"12**(1/{p})" for p in (997, 991, 983, 977, 971, 967)),
    "*".join(f"12**({'-' if p % 2 else ''}x+1/{p})" for p in range(991, 997)) + "-1/0",
    "cosh(10**10)", "re((x+I*y)**1000)", "floor(exp(6000))",
    "re(1/(s+1/(s+1/(s+1/(s+1/(s+1/(s+1/(s+1/(s+1/s)))))))))", "besselj(0," * 58 + "1" + ")" * 58,
    "Max(" + ",".join(f"a{i}" for i in range(300)) + ")", "*".join(["10**999"] * 250),
    "*".join(["1/10**999"] * 180), "*".join(["(10**999)**(x+1)"] * 110),
    "+".join(["uppergamma(999,x)*y"] * 90), "+".join(["x"] * 999), "(" * 61 + "x" + ")" * 61,
    "(" * 999, "[" * 999, "exp(" * 300 + "x" + ")" * 300, "-" * 1990 + "x", "~" * 1990 + "x",
    "x" + "**x" * 600, "not " * 400 + "x", "x" * (MAX_TEXT + 1), "x" + "<x" * 900,
]

PROBE = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))  # of the processor, for all of them together
from lapdp.core.errors import InputError
from lapdp.theory.parse import parse_expression, parse_mechanism
answers = []
for text in json.load(sys.stdin):
    for read in (parse_expression, lambda text: parse_mechanism(text, {"finite": list})):
        try:
            answer = "read"
            read(text)
        except InputError as error:
            answer = str(error)
        answers.append((text[:60], answer))
json.dump(answers, sys.stdout)
"""


def test_hostile_texts_are_refused_with_bounded_work_and_memory() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], input=json.dumps(HOSTILE), text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    answers = json.loads(done.stdout)
    assert len(answers) == 2 * len(HOSTILE)
    assert [text for text, answer in answers if answer == "read"] == []
    assert [text for text, answer in answers if "\n" in answer or len(answer) > 500] == []
