"""Named facts at letters, written out once more by hand, and near misses of each."""

from __future__ import annotations

from tests.unit.kernel.language import no, yes

NAMES = ("P", "Q", "J1", "J2", "n", "k", "e", "m", "s", "v", "t", "y", "a", "c", "b")
"""P, Q, V, U, n, k, e, m, s, v, t, z, w, c, W of the kernel's text."""
BELL = "(erfc (mul 1/2 (mul (sqrt 2) t)))"
ABOVE = f"(add 1 (add (mul -1 b) (mul 1/2 (mul b {BELL}))))"
SHIFT = "(exp (add e (add (mul -1 (mul n m)) (mul 1/2 (mul n v)))))"
FAR = "(erfc (mul 1/2 (mul (sqrt 2) y)))"
KINDS = {
    "above": ("(if (lt (mul (exp e) #0) #1) #1 0)", ABOVE),
    "from": ("(if (le (mul (exp e) #0) #1) #1 0)", ABOVE),
    "to": ("(if (le #1 (mul (exp e) #0)) #1 0)", f"(mul 1/2 (mul b (add 2 (mul -1 {BELL}))))"),
    "profile": ("(max 0 (add #1 (mul -1 (mul (exp e) #0))))", f"(add 1 (add (mul -1 b) (mul 1/2 "
                f"(mul b (add {BELL} (mul -1 (mul {SHIFT} {FAR})))))))"),
}
LOSS = "(add (log (dens P #0O)) (mul -1 (log (dens Q #0O))))"
OFF = f"(add {LOSS} (mul -1 m))"


def moment(power, value):
    """It exists and is w times the value."""
    body = f"(if (lt 0 (dens P #0O)) (if (lt 0 (dens Q #0O)) (mul (dens P #0O) {power}) 0) 0)"
    return [f"(oiny {body})", f"(eq (oint {body}) (mul a {value}))"]


def recursion(name, start):
    """The equations of a value of releases."""
    return [f"(allR (allR (eq (app3 {name} 0 #1 #0) {start})))",
            f"(allR (imp (nat #0) (allR (allR (eq (app3 {name} (add #2 1) #1 #0) (oint (app3 "
            f"{name} #3 (mul #2 (dens P #0O)) (mul #1 (dens Q #0O)))))))))"]


def conj(parts):
    """All of them, from the right."""
    return parts[0] if len(parts) == 1 else f"(and {parts[0]} {conj(parts[1:])})"


def hypotheses(kind):
    """What the fact supposes, in order."""
    lost = conj([*recursion("J2", "(if (eq #0 0) #1 0)"),
                 "(eq b (add 1 (mul -1 (app3 J2 n 1 1))))"])
    return [
        "(nat n)", "(le 1 n)", "(lt 0 k)", "(eq (mul k k) n)", "(lt 0 s)", "(eq (mul s s) v)",
        "(eq (mul k (mul s t)) (add e (mul -1 (mul n m))))",
        "(eq (mul k (mul s y)) (add e (add (mul -1 (mul n m)) (mul n v))))", "(lt 0 a)",
        "(eq a (add 1 (mul -1 (oint (if (eq (dens Q #0O) 0) (dens P #0O) 0)))))",
        *moment(LOSS, "m"), *moment(f"(mul {OFF} {OFF})", "v"),
        *moment(f"(mul (mul (abs {OFF}) (abs {OFF})) (abs {OFF}))", "c"),
        *recursion("J1", KINDS[kind][0]), f"(or {lost} (and (eq a 1) (eq b 1)))"]


def fact(name, kind):
    """The sentence."""
    apart = f"(abs (add (app3 J1 n 1 1) (mul -1 {KINDS[kind][1]})))"
    given = hypotheses(kind)
    if name == "berry-esseen":
        near = f"(lt (mul k (mul s (mul s (mul s {apart})))) (mul 1187/2500 (mul c b)))"
    else:
        given.append("(le 0 t)")
        near = (f"(le (mul k (mul s (mul s (mul s (mul (add 1 (mul t (mul t t))) {apart}))))) "
                "(mul 129/5 (mul c b)))")
    return f"(imp {conj(given)} (and (lt 0 b) {near}))"


def cited(name, kind, terms=NAMES):
    """The data of a step."""
    return [f"={name}", f"={kind}", *terms]


FACTS = ("berry-esseen", "nonuniform berry-esseen")
UNIFORM = fact("berry-esseen", "above")
CHANGES = [
    # a hypothesis weakened
    ("(and (le 1 n) ", "(and (le 0 n) "), ("(lt 0 s)", "(le 0 s)"), ("(lt 0 k)", "(le 0 k)"),
    ("(lt 0 a)", "(le 0 a)"), ("(eq (mul s s) v)", "(le (mul s s) v)"),
    # orientation: the other density, the other end, the other tail
    ("(eq (dens Q #0O) 0) (dens P #0O)", "(eq (dens P #0O) 0) (dens Q #0O)"),
    ("(mul #2 (dens P #0O)) (mul #1 (dens Q #0O))", "(mul #2 (dens Q #0O)) (mul #1 (dens P #0O))"),
    ("(mul #2 (dens P #0O)) (mul #1", "(mul #1 (dens P #0O)) (mul #2"),
    ("(lt (mul (exp e) #0) #1)", "(lt #1 (mul (exp e) #0))"),
    ("(lt (mul (exp e) #0) #1)", "(le (mul (exp e) #0) #1)"),
    ("(mul (exp e) #0)", "(mul (exp (mul -1 e)) #0)"),
    ("(if (eq #0 0) #1 0)", "(if (eq #1 0) #0 0)"),
    # numbers
    ("1187/2500", "47/100"), ("1187/2500", "1187/5000"),
    (BELL, BELL.replace(" t)", " (mul -1 t))")),
    (BELL, BELL.replace("sqrt 2", "sqrt 3")), ("(mul 1/2 (mul b ", "(mul 1 (mul b "),
    ("(add e (mul -1 (mul n m)))", "(add e (mul n m))"), ("(mul k k) n", "(mul n n) k"),
    ("(lt (mul k (mul s", "(lt (mul n (mul s"), ("(imp (nat #0)", "(imp (le 0 #0)"),
    (" (lt 0 b) ", " (lt 1 b) "), ("(eq a 1) (eq b 1)", "(eq a 1) (eq c 1)"),
]
"""Texts that occur in the uniform bound on a tail, and what makes another sentence of it."""


def without(kind, place):
    """The sentence with one hypothesis left out."""
    given = hypotheses(kind)
    shorter = conj([h for i, h in enumerate(given) if i != place])
    return fact("berry-esseen", kind).replace(conj(given), shorter)


ROWS = [
    *(yes("fact", f"|- {fact(name, kind)}", data=cited(name, kind))
      for name in FACTS for kind in KINDS),
    *(no("fact", "another fact", f"|- {UNIFORM.replace(old, new)}",
         data=cited("berry-esseen", "above")) for old, new in CHANGES),
    *(no("fact", "another fact", f"|- {without(kind, place)}", data=cited("berry-esseen", kind))
      for kind in ("to", "profile") for place in range(len(hypotheses(kind)))),
    *(no("fact", "another fact", f"|- {fact(name, kind)}", data=cited(name, other))
      for name in FACTS for kind in KINDS for other in KINDS if other != kind),
    no("fact", "another fact", f"|- {UNIFORM}", data=cited("nonuniform berry-esseen", "above")),
    no("fact", "another fact", f"|- {fact(FACTS[1], 'above')}", data=cited(FACTS[0], "above")),
    no("fact", "another fact", f"|- {fact(FACTS[1], 'above').replace(' (le 0 t)', ' (le t 0)')}",
       data=cited(FACTS[1], "above")),
    no("fact", "another fact", f"|- {UNIFORM}",
       data=cited("berry-esseen", "above", ("Q", "P", *NAMES[2:]))),
    no("fact", "no fact", f"|- {UNIFORM}", data=cited("central limit", "above")),
    no("fact", "no fact", f"|- {UNIFORM}", data=cited("berry-esseen", "below")),
    no("fact", "no fact", f"|- {UNIFORM}", data=["=berry-esseen"]),
    no("fact", "terms expected", f"|- {UNIFORM}", data=cited("berry-esseen", "above", NAMES[:-1])),
    no("fact", "closed term", f"|- {UNIFORM}",
       data=cited("berry-esseen", "above", (*NAMES[:-1], "#0"))),
    no("fact", "where R is needed", f"|- {UNIFORM}",
       data=cited("berry-esseen", "above", (*NAMES[:-1], "P"))),
]
