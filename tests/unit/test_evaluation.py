"""Values and regions of transforms, and inversion on a chosen line, against quadrature."""

import mpmath as mp
import pytest
import sympy as sp

from lapdp.core.errors import InputError, Unsupported
from lapdp.theory import B, L, evaluate, inverse

t = sp.Symbol("t", real=True)
s = sp.Symbol("s", complex=True)
a = sp.Symbol("a", positive=True)

ONE_SIDED = [sp.exp(-t), t**3 * sp.exp(-2 * t), sp.sin(3 * t), t * sp.cos(t),
             sp.Heaviside(t - 2) * sp.exp(-t), sp.cosh(t) * sp.exp(-3 * t),
             sp.Max(0, 1 - sp.exp(t - 1))]


@pytest.mark.parametrize("g", ONE_SIDED, ids=str)
def test_one_sided_values_agree_with_quadrature_inside_the_region(g):
    found = evaluate(L(g, t, s))
    point = mp.mpc(2, "0.7")
    assert found.region.contains(2)
    with mp.workdps(25):
        f = sp.lambdify(t, g.rewrite(sp.Piecewise), "mpmath")
        whole = mp.quad(lambda x: mp.exp(-point * x) * f(x), [0, 1, 2, 4, 8, 16, 60])
        value = sp.lambdify(s, found.value, "mpmath")(point)
        assert mp.almosteq(whole, value, 1e-15)


def test_two_sided_region_is_an_open_strip_and_widens_with_the_decay():
    found = evaluate(B(sp.exp(-a * sp.Abs(t)), t, s))
    assert str(found.region) == "-a < Re s < a"
    assert sp.cancel(found.value - 2 * a / (a**2 - s**2)) == 0


def test_a_box_has_an_entire_transform():
    box = sp.Heaviside(t) - sp.Heaviside(t - 1)
    found = evaluate(B(box, t, s))
    assert str(found.region) == "all s"
    assert sp.cancel(found.value - (1 - sp.exp(-s)) / s) == 0


def test_one_rational_function_has_an_inverse_for_each_strip():
    G = 1 / ((s + 1) * (s - 2))
    inverses = [inverse(G, s, t, gamma) for gamma in (-2, 0, 3)]
    assert len(set(inverses)) == 3
    for gamma, g in zip((-2, 0, 3), inverses, strict=True):
        back = evaluate(B(g, t, s))
        assert back.region.contains(gamma)
        assert sp.cancel(back.value - G) == 0


@pytest.mark.parametrize(("call", "said"), [
    (lambda: evaluate(L(sp.exp(2 * t), t, 1)), "outside the region of convergence"),
    (lambda: evaluate(B(sp.exp(t), t, s)), "converges for no s"),
    (lambda: inverse(1 / s, s, t, 0), "a pole lies on the line"),
    (lambda: evaluate(sp.exp(t)), "takes a transform"),
    (lambda: inverse(1 / (s - sp.Symbol("b", real=True)), s, t, 0), "give it in where"),
])
def test_mistakes_get_one_clear_line(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_outside_the_exact_class_is_said():
    with pytest.raises(Unsupported):
        evaluate(L(sp.exp(-t**2), t, s))
