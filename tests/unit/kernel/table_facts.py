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


ONE, OTHER = ("(dens P #0O)", "(app g (dens Q #0O))"), ("(dens Q #0O)", "(dens P #0O)")
SEEN = "(max 0 (add 1 (mul -1 (exp (add e (mul -1 #0))))))"
MEASURES = (*ONE, *OTHER, SEEN)
"""w1, X1, w2, X2, g of the kernel's text."""


def said_of(weight, seen, function):
    """The integrand of a function of the one real-valued variable."""
    return f"(mul {weight} {function.replace('#0', seen)})"


def laplace(weight, seen):
    """The transform at the variable of the quantifier outside."""
    return f"(mul {weight} (exp (mul #1 {seen})))"


def fourier(weight, seen):
    """The same on the imaginary axis."""
    return f"(mul (cx {weight}) (exp (mul i (cx (mul #1 {seen})))))"


def below(weight, seen):
    """The mass where the variable is at most that of the quantifier outside."""
    return f"(if (le {seen} #1) {weight} 0)"


RATE, GROWTH = "(exp 8)", "(exp (mul 8 #0))"
"""a and B of the bound on moments, B(k + 1) <= a (k + 1) B(k)."""
ENDS = {"same transforms": ("a", "b"), "moments that grow slowly": (RATE, GROWTH)}


def suppositions(name, measures=MEASURES):
    """What a fact about two measures supposes, in order."""
    first, second = measures[:2], measures[2:4]
    if name == "moments that grow slowly":
        one, two = laplace(*first), laplace(*second)
        after = GROWTH.replace("#0", "(add #0 1)")
        alike = [f"(allR (imp (nat #0) (and (oiny {one}) (and (oiny {two}) (and (eq (oint {one}) "
                 f"(oint {two})) (imp (le 1 #0) (and (le (oint {one}) {GROWTH}) (le {after} "
                 f"(mul {RATE} (mul (add #0 1) {GROWTH}))))))))))"]
    elif name == "same distribution functions":
        alike = [f"(allR (eq (oint {below(*first)}) (oint {below(*second)})))"]
    elif name == "same transforms":
        one, two = laplace(*first), laplace(*second)
        alike = ["(lt a b)", "(allR (imp (and (lt a #0) (lt #0 b)) (and "
                 f"(oiny {one}) (and (oiny {two}) (eq (oint {one}) (oint {two}))))))"]
    else:
        alike = [f"(allR (eq (oint {fourier(*first)}) (oint {fourier(*second)})))"]
    return [*(h for weight in (first[0], second[0])
              for h in (f"(allO (le 0 {weight}))", f"(oiny {weight})")), *alike]


def same(name, given=None, measures=MEASURES):
    """The sentence."""
    first, second = (said_of(*measures[i:i + 2], measures[4]) for i in (0, 2))
    return (f"(imp {conj(given or suppositions(name, measures))} (and (iff (oiny {first}) "
            f"(oiny {second})) (eq (oint {first}) (oint {second}))))")


def seen(name, measures=MEASURES, ends=None):
    """The data of a step."""
    return [f"={name}", *measures, *(ENDS.get(name, ()) if ends is None else ends)]


UNIQUE = ("same transforms", "same characteristic functions",
          "moments that grow slowly", "same distribution functions")
MEASURE_CHANGES = {
    "same transforms": [
        ("(lt a b)", "(le a b)"), ("(lt a b)", "(lt b a)"),
        ("(and (lt a #0) (lt #0 b))", "(and (lt a #0) (lt b #0))"),
        ("(and (lt a #0) (lt #0 b))", "(eq a #0)"), ("(mul #1 (dens P", "(mul -1 (dens P"),
        (f"(oiny {laplace(*ONE)})", f"(oiny {laplace(*OTHER)})"),
    ],
    "same characteristic functions": [
        ("(mul i (cx (mul #1 (dens P", "(mul (cx -1) (cx (mul #1 (dens P"),
        ("(mul i (cx (mul #1 (dens P", "(mul i (cx (mul (mul #1 #1) (dens P"),
    ],
    "moments that grow slowly": [
        ("(imp (nat #0)", "(imp (eq 1 #0)"), ("(imp (le 1 #0)", "(imp (le 2 #0)"),
        ("(mul (add #0 1) (exp (mul 8 #0)))", "(mul (mul (add #0 1) (add #0 1)) (exp (mul 8 #0)))"),
        ("(le (exp (mul 8 (add #0 1)))", "(le (exp (mul 8 #0))"),
        ("(mul #1 (dens P", "(mul -1 (dens P"), (f"(oiny {laplace(*OTHER)})", "(le 0 1)"),
        (f"(le (oint {laplace(*ONE)})", "(le 0"),
    ],
    "same distribution functions": [
        ("(allR (eq", "(exR (eq"), ("(le (dens P #0O) #1)", "(lt (dens P #0O) #1)"),
        ("(le (dens P #0O) #1)", "(le #1 (dens P #0O))"),
        ("(le (app g (dens Q #0O)) #1)", "(le #1 (app g (dens Q #0O)))"),
        ("(le (app g (dens Q #0O)) #1)", "(eq (app g (dens Q #0O)) #1)"),
        ("(le (dens P #0O) #1)", "(eq (dens P #0O) #1)"),
        ("(allR (eq (oint (if (le", "(allR (le (oint (if (le"),
    ],
}
COMMON = [
    ("(allO (le 0 (dens P #0O)))", "(allO (le (dens P #0O) 0))"),
    ("(oiny (dens Q #0O))", "(oiny (dens P #0O))"),
    ("(exp (add e (mul -1 (dens P", "(exp (add e (mul 1 (dens P"),
    ("(iff (oiny", "(imp (oiny"),
]
"""Texts that occur in the facts about two measures, and what makes another sentence of them."""
INNER = ("(oint (mul (dens P #0O) (dens Q #1O)))", "(add e (lint (mul #0 (dens P #1O))))", *OTHER,
         "(lint (exp (mul #0 #1)))")
"""Bodies with binders of their own."""


def inside(name):
    """The sentence with such bodies, written out: variables count the binders between."""
    first = (f"(mul {INNER[0]} (lint (exp (mul #0 (add e (lint (mul #0 (dens P #2O))))))))",
             f"(mul {OTHER[0]} (lint (exp (mul #0 (dens P #1O)))))")
    return (f"(imp {conj(suppositions(name, INNER))} (and (iff (oiny {first[0]}) (oiny {first[1]}"
            f")) (eq (oint {first[0]}) (oint {first[1]}))))")


def shorter(name, place):
    """The sentence with one hypothesis left out."""
    return same(name, [h for i, h in enumerate(suppositions(name)) if i != place])


WAVES = "(exp (mul i (cx #0)))"


UNREAL = ("(dens P #0O)", "(exp (mul i (cx (dens Q #0O))))", "(dens P #0O)", "(cx 0)", "(abs #0")


def complex_seen():
    """What "same transforms" would say of complex X: false, if Q is uniform on (0, 2 pi)."""
    text = same(UNIQUE[0], measures=(*UNREAL[:4], UNREAL[4] + ")"))
    return text.replace("(mul (dens P #0O) (exp (mul #1 ",
                        "(mul (cx (dens P #0O)) (exp (mul (cx #1) ")


def complex_valued(name):
    """The sentence about integrals of a complex function, the weight as a complex number."""
    first, second = (said_of(f"(cx {MEASURES[i]})", MEASURES[i + 1], WAVES) for i in (0, 2))
    return (f"(imp {conj(suppositions(name))} (and (iff (oiny {first}) (oiny {second})) "
            f"(eq (oint {first}) (oint {second}))))")


PLACE = ("(dens P #0O)", "(app g (dens Q #0O))", "e")
"""w, X, v of the facts that invert transforms."""


def gil_pelaez(weight=PLACE[0], seen=PLACE[1], v=PLACE[2]):
    """The sentence: u is #1 below an outcome, and t is #1 below u."""
    phi = f"(oint (mul (cx {weight}) (exp (mul i (cx (mul #1 (add {seen} (mul -1 {v}))))))))"
    wave = f"(mul (mul i (cx (inv #0))) {phi})"
    near = f"(if (and (lt (exp (mul -1 #1)) (abs #0)) (le (abs #0) 1)) {wave} (cx 0))"
    far = f"(if (and (lt 1 (abs #0)) (lt (abs #0) #1)) {wave} (cx 0))"
    sides = (f"(add (oint (if (lt {seen} {v}) {weight} 0)) "
             f"(mul -1 (oint (if (lt {v} {seen}) {weight} 0))))")
    return (f"(imp (and (allO (le 0 {weight})) (oiny {weight})) (and (allR (and (liny {near}) "
            f"(liny {far}))) (exC (exC (and (tends (lint {near}) #1C) (and (tends (lint {far}) #0C)"
            f" (eq (add #1C #0C) (cx (mul pi {sides})))))))))")


def bromwich(weight=PLACE[0], seen=PLACE[1], v=PLACE[2], r="a"):
    """The sentence."""
    decay = f"(add {v} (mul -1 {seen}))"
    at, line = f"(add (cx {r}) (mul i (cx #1)))", f"(add (cx {r}) (mul i (cx #0)))"
    along = (f"(if (lt (abs #0) #1) (mul (mul (inv {line}) (inv (add (cx -1) {line}))) (oint (mul "
             f"(cx {weight}) (exp (mul {at} (cx {decay})))))) (cx 0))")
    value = (f"(oint (mul {weight} (add (max 0 (add 1 (mul -1 (exp {decay})))) (if (lt {r} 0) 0 "
             f"(if (lt {r} 1) -1 (add (exp {decay}) -1))))))")
    return (f"(imp (and (allO (le 0 {weight})) (and (oiny {weight}) (and (not (eq {r} 0)) (and "
            f"(not (eq {r} 1)) (oiny (mul {weight} (exp (mul {r} {decay})))))))) (and (allR "
            f"(liny {along})) (tends (lint {along}) (cx (mul 2 (mul pi {value}))))))")


INVERSE = {"gil-pelaez": (gil_pelaez(), PLACE), "bromwich": (bromwich(), (*PLACE, "a"))}
INVERSE_CHANGES = {
    "gil-pelaez": [
        ("(oint (if (lt (app g", "(oint (if (le (app g"),
        ("(oint (if (lt e (app g", "(oint (if (le e (app g"), ("(cx (mul pi", "(cx (mul 2"),
        ("(lt (exp (mul -1 #1)) (abs #0))", "(lt (exp #1) (abs #0))"),
        ("(mul i (cx (inv #0)))", "(mul (cx -1) (cx (inv #0)))"),
        ("(mul #1 (add (app g (dens Q #0O)) (mul -1 e)))", "(mul #1 (add (app g (dens Q #0O)) e))"),
        ("(and (allO (le 0 (dens P #0O))) (oiny (dens P #0O)))", "(oiny (dens P #0O))"),
    ],
    "bromwich": [
        ("(not (eq a 0))", "(not (eq a 2))"), ("(not (eq a 1))", "(not (eq a 2))"),
        ("(if (lt a 0) 0", "(if (le a 0) 0"), ("(if (lt a 0) 0", "(if (lt a 2) 0"),
        ("(if (lt a 1) -1", "(if (lt a 1) 1"),
        ("(mul 2 (mul pi", "(mul 1 (mul pi"), ("(max 0 (add 1 (mul -1", "(max 0 (add -1 (mul 1"),
        ("(inv (add (cx -1)", "(inv (add (cx 1)"), ("(lt (abs #0) #1)", "(lt #0 #1)"),
        ("(exp (mul a (add e", "(exp (mul 1 (add e"),
    ],
}
"""Texts that occur in the facts that invert transforms, and what makes another sentence of them."""
INVERSE_ROWS = [
    *(yes("fact", f"|- {text}", data=[f"={name}", *terms])
      for name, (text, terms) in INVERSE.items()),
    *(no("fact", "another fact", f"|- {INVERSE[name][0].replace(old, new)}",
         data=[f"={name}", *INVERSE[name][1]])
      for name, changes in INVERSE_CHANGES.items() for old, new in changes),
    *(no("fact", "one variable", f"|- {text}", data=[f"={name}", *terms[:2], "#0", *terms[3:]])
      for name, (text, terms) in INVERSE.items()),
    *(no("fact", "one variable", f"|- {text}", data=[f"={name}", "(dens P #1O)", *terms[1:]])
      for name, (text, terms) in INVERSE.items()),
    *(no("fact", "variable of integration", f"|- {text}", data=[
        f"={name}", terms[0], "(supR (le #0 (dens P #1O)))", *terms[2:]])
      for name, (text, terms) in INVERSE.items()),
    *(no("fact", "terms expected", f"|- {text}", data=[f"={name}", *terms, "e"])
      for name, (text, terms) in INVERSE.items()),
    no("fact", "another fact", f"|- {bromwich()}", data=["=bromwich", *PLACE, "e"]),
    no("fact", "another fact", f"|- {bromwich()}", data=["=bromwich", *PLACE[:2], "a", "e"]),
]

MEASURE_ROWS = [
    *(yes("fact", f"|- {same(name)}", data=seen(name)) for name in UNIQUE),
    *(yes("fact", f"|- {inside(name)}", data=seen(name, INNER)) for name in UNIQUE),
    *(no("fact", "another fact", f"|- {same(name).replace(old, new)}", data=seen(name))
      for name in UNIQUE for old, new in [*MEASURE_CHANGES[name], *COMMON]),
    *(no("fact", "another fact", f"|- {shorter(name, place)}", data=seen(name))
      for name in UNIQUE for place in range(len(suppositions(name)))),
    *(no("fact", "another fact", f"|- {same(name, measures=(*mixed, SEEN))}", data=seen(name))
      for name in UNIQUE
      for mixed in ((*OTHER, *ONE), (ONE[0], OTHER[1], OTHER[0], ONE[1]))),
    *(no("fact", "another fact", f"|- {same(name)}", data=seen(other))
      for name in UNIQUE for other in UNIQUE if name != other
      and "transforms" not in name + other),
    no("fact", "another fact", f"|- {same(UNIQUE[0])}", data=seen(UNIQUE[0], ends=("b", "a"))),
    # captured: the variable of a body is the outcome, not a number that stands outside
    no("fact", "another sort", f"|- {same(UNIQUE[0])}",
       data=seen(UNIQUE[0], ("(exp #0)", *MEASURES[1:]))),
    no("fact", "another sort", f"|- {same(UNIQUE[0])}",
       data=seen(UNIQUE[0], (*MEASURES[:4], "(dens P #0O)"))),
    *(no("fact", "one variable", f"|- {same(name)}", data=seen(name, (
        *MEASURES[:place], body, *MEASURES[place + 1:])))
      for name in UNIQUE for place, body in ((0, "(dens P #1O)"), (1, "(mul #1 (dens P #0O))"),
                                             (4, "(add #0 #1)"))),
    *(no("fact", "one variable", f"|- {same(UNIQUE[0])}", data=seen(UNIQUE[0], ends=ends))
      for ends in (("#0", "b"), ("a", "#0"))),
    *(no("fact", "one variable", f"|- {same(UNIQUE[2])}", data=seen(UNIQUE[2], ends=ends))
      for ends in (("#0", GROWTH), (RATE, "(exp (add #0 #1))"))),
    no("fact", "another fact", f"|- {same(UNIQUE[2])}",
       data=seen(UNIQUE[2], ends=("(exp 9)", GROWTH))),
    # not measurable by structure
    *(no("fact", "variable of integration", f"|- {same(name, measures=bodies)}",
         data=seen(name, bodies))
      for name in UNIQUE for bodies in (
          ("(if (allR (le #0 (dens P #1O))) 1 0)", *MEASURES[1:]),
          (ONE[0], "(supR (le #0 (dens P #1O)))", *MEASURES[2:]),
          (*ONE, "(if (tends #0 (dens Q #0O)) 1 0)", *MEASURES[3:]))),
    *(no("fact", "variable of integration", f"|- {same(name)}",
         data=seen(name, (*MEASURES[:4], "(if (exO (eq (dens P #0O) #1)) 1 0)")))
      for name in UNIQUE),
    # sorts
    no("fact", "real body", f"|- {complex_seen()}",
       data=seen(UNIQUE[0], (*UNREAL[:4], UNREAL[4] + "C)"))),
    *(no("fact", "real body", f"|- {same(name)}", data=seen(name, (
        *MEASURES[:place], "(cx (dens P #0O))", *MEASURES[place + 1:])))
      for name in UNIQUE for place in range(4)),
    yes("fact", f"|- {complex_valued(UNIQUE[1])}", data=seen(UNIQUE[1], (*MEASURES[:4], WAVES))),
    no("fact", "another fact", f"|- {same(UNIQUE[1])}", data=seen(UNIQUE[1], (
        *MEASURES[:4], WAVES))),
    no("fact", "where R is needed", f"|- {same(UNIQUE[1])}",
       data=seen(UNIQUE[1], (*MEASURES[:4], "(add #0 (cx #0))"))),
    no("fact", "terms expected", f"|- {same(UNIQUE[0])}", data=seen(UNIQUE[0], ends=("a",))),
    no("fact", "terms expected", f"|- {same(UNIQUE[1])}", data=[*seen(UNIQUE[1]), "a"]),
]

ROWS = [
    *MEASURE_ROWS,
    *INVERSE_ROWS,
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
