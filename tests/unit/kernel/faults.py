"""Faults put into the kernel, one at a time: a function whose text was changed.

A fault is *seen* if some row of the tables no longer gives what the table says.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from contextlib import contextmanager
from importlib import import_module

from lapdp.kernel import RULES, Bank, Refused
from tests.unit.kernel import tables
from tests.unit.kernel.language import term

MODULES = [import_module(f"lapdp.kernel.{name}") for name in (
    "terms", "rules", "domain", "polynomials", "logic", "analysis", "integrals", "balls",
    "facts")]


def source(function):
    """The tree of a function as it stands in its module."""
    return ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]


def compiled(tree, home):
    """The function that a changed tree defines, in the world of the module ``home``."""
    tree.decorator_list = []
    world = ast.Module([ast.ImportFrom("__future__", [ast.alias("annotations")], 0), tree], [])
    made = {}
    exec(compile(ast.fix_missing_locations(world), "<fault>", "exec"), vars(home), made)
    return made[tree.name]


def functions():
    """All functions of the kernel that rules are made of, with their modules."""
    return [(module, function) for module in MODULES for function in vars(module).values()
            if inspect.isfunction(function) and function.__module__ == module.__name__]


def find(name):
    """The module and the function of that name, ``Class.method`` for a method."""
    owner, _, last = name.rpartition(".")
    for module in MODULES:
        found = getattr(vars(module).get(owner), last, None) if owner else vars(module).get(last)
        if inspect.isfunction(found) and found.__module__ == module.__name__:
            return module, found
    raise AssertionError(f"no function {name} in the kernel")


@contextmanager
def in_place(function, changed):
    """The kernel with another function in place of one of its own, wherever it is known."""
    owner = function.__qualname__.rpartition(".")[0]
    homes = [getattr(m, owner) for m in MODULES if owner and hasattr(m, owner)]
    touched = []
    for home in homes or MODULES:
        if vars(home).get(function.__name__) is function:
            setattr(home, function.__name__, changed)
            touched.append(home)
    rule = RULES.get(function.__name__) is function
    if rule:
        RULES[function.__name__] = changed
    assert touched
    try:
        yield
    finally:
        for home in touched:
            setattr(home, function.__name__, function)
        if rule:
            RULES[function.__name__] = function


def strange(row):
    """Does this row give something else than the table says?  An accepted row may also fail."""
    try:
        theorem, goal = row.run()
    except Refused as problem:
        return not row.why or row.why not in str(problem)
    except Exception:
        return True
    return bool(row.why) or theorem != goal


def unsound(row):
    """Is a row that must be refused accepted, or are hypotheses lost?"""
    try:
        theorem, goal = row.run()
    except Exception:
        return False
    return bool(row.why) or not goal.hyps <= theorem.hyps


def terms_differ():
    """Does a bank take an ill-sorted term, or give another one than the tables of terms say?"""
    try:
        for symbol, args, _ in tables.ILL_SORTED:
            bank = Bank()
            given = [term(bank, a) for a in args]
            try:
                bank.make(symbol, *given)
            except Refused:
                continue
            return True
        bank = Bank()
        pairs = [(bank.open(term(bank, body), term(bank, value)), after)
                 for body, value, after in tables.OPENED]
        pairs += [(bank.put(term(bank, before), {("x", "R"): term(bank, "(add y #0)")}), after)
                  for before, after in tables.REPLACED]
        pairs += [(import_module("lapdp.kernel.domain").domain(bank, term(bank, sentence)), after)
                  for sentence, after in tables.CONDITIONS]
        return any(found != term(bank, after) for found, after in pairs)
    except Exception:
        return True


def without_check(function, number):
    """The function without its check of that number: ``require(...)`` or ``if ...: raise``."""
    tree = source(function)
    seen = -1

    class Drop(ast.NodeTransformer):
        def visit_Expr(self, node):
            nonlocal seen
            call = node.value
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "require":
                seen += 1
                return ast.Pass() if seen == number else node
            return node

        def visit_If(self, node):
            nonlocal seen
            self.generic_visit(node)
            if len(node.body) == 1 and isinstance(node.body[0], ast.Raise) and not node.orelse:
                seen += 1
                return ast.Pass() if seen == number else node
            return node

    return Drop().visit(tree)


def checks(function):
    """How many checks a function has."""
    return sum(
        (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
         and getattr(node.value.func, "id", "") == "require")
        or (isinstance(node, ast.If) and len(node.body) == 1
            and isinstance(node.body[0], ast.Raise) and not node.orelse)
        for node in ast.walk(source(function)))


def rewritten(function, old, new):
    """The function with a part of its text, which occurs once, replaced."""
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(old) == 1, f"{function.__name__}: {old} occurs {text.count(old)} times"
    return ast.parse(text.replace(old, new)).body[0]
