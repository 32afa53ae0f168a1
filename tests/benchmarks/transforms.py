"""k-fold transforms by the exact class against SymPy's ``integrate``, in one run.

SymPy gets each task in a process of its own, which is killed after a while; both are timed without
the start of their process, and where both answer the values are compared.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time

import sympy as sp

CAP = 10.0
"""Seconds that SymPy has for one task."""
RUNS = 3

t, u = sp.symbols("t u", real=True)


def noise_exact(k):
    """Transform at s = 1/3 of the k-fold convolution of e^-|t|/2."""
    from lapdp.calculus.exact import Exact
    from lapdp.calculus.form import Form
    from lapdp.calculus.ordering import Cell
    from lapdp.calculus.transform import bilateral, convolve

    cell, zero = Cell(), Form.of(0)
    half = sp.Rational(1, 2)
    noise = Exact.term(half, 1).before(zero, cell) + Exact.term(half, -1).after(zero, cell)
    total = noise
    for _ in range(k - 1):
        total = convolve(total, noise, cell)
    return bilateral(total, Form.of(sp.Rational(1, 3)), cell).to_sympy()


def noise_sympy(k):
    total = noise = sp.exp(-sp.Abs(t)) / 2
    for _ in range(k - 1):
        total = sp.integrate(total.subs(t, u) * noise.subs(t, t - u), (u, -sp.oo, sp.oo))
    return sp.integrate(total * sp.exp(-t / 3), (t, -sp.oo, sp.oo))


def laplace_exact(k):
    """The privacy profile at 1/4 of the k-fold Laplace mechanism, from its curve."""
    from lapdp import laplace

    return (laplace(1) ** k).profile(t).subs(t, sp.Rational(1, 4))


def laplace_sympy(k):
    """(47) from the empty product on: the loss is 1 - 2x of density e^-x/2 between two atoms."""
    curve = sp.Piecewise((1 - sp.exp(t), t < 0), (0, True))
    for _ in range(k):
        between = sp.integrate(curve.subs(t, t - 1 + 2 * u) * sp.exp(-u) / 2, (u, 0, 1))
        curve = curve.subs(t, t - 1) / 2 + sp.exp(-1) * curve.subs(t, t + 1) / 2 + between
    return curve.subs(t, sp.Rational(1, 4))


def response_exact(k):
    """(27) for k-fold randomized response: the transform at 1 - q = -1/2 of its profile."""
    from lapdp import randomized_response
    from lapdp.calculus.form import Form
    from lapdp.calculus.ordering import Cell
    from lapdp.calculus.transform import bilateral

    pair = randomized_response(sp.log(3)) ** k
    curve = pair.model().profile(Cell())
    return bilateral(curve, Form.of(sp.Rational(-1, 2)), Cell()).to_sympy()


def response_sympy(k):
    from lapdp import randomized_response

    curve = (randomized_response(sp.log(3)) ** k).profile(t)
    return sp.integrate(curve * sp.exp(t / 2), (t, -sp.oo, sp.oo))


TASKS = {
    "transform of k-fold Laplace noise": (noise_exact, noise_sympy),
    "profile of k-fold Laplace": (laplace_exact, laplace_sympy),
    "transform of the profile of k-fold randomized response": (response_exact, response_sympy),
}


def timed(job, k):
    """Seconds and value of one call."""
    start = time.perf_counter()
    value = job(k)
    return time.perf_counter() - start, str(sp.N(value, 20))


def _child(job, k, pipe):
    pipe.send(timed(job, k))


def capped(job, k):
    """The same in a process that is killed after CAP seconds: None then."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(job, k, sender), daemon=True)
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(CAP) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def compared(theirs, mine):
    """What SymPy's answer is worth."""
    if "Integral" in theirs:
        return "left unevaluated"
    try:
        agree = abs(sp.Float(theirs, 20) - sp.Float(mine, 20)) < 1e-15
    except ValueError:
        agree = False
    return "agrees" if agree else f"wrong: {theirs[:30]} for {mine[:20]}"


def main() -> None:
    """One line a task: both times, their ratio, and whether the values agree to 15 digits."""
    for name, (exact, integrate) in TASKS.items():
        print(name)
        for k in (1, 2, 3):
            runs = [timed(exact, k) for _ in range(RUNS)]
            mine, value = statistics.median(r[0] for r in runs), runs[0][1]
            theirs = capped(integrate, k)
            if theirs is None:
                shown = f"> {CAP:.0f} s, or no answer   ratio > {CAP / mine:9.0f}"
            else:
                shown = (f"{theirs[0]:9.4f} s   ratio {theirs[0] / mine:9.1f}   "
                         f"{compared(theirs[1], value)}")
            print(f"  k = {k}   lapdp {mine:9.4f} s   integrate {shown}", flush=True)


if __name__ == "__main__":
    main()
