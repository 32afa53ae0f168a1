"""An audit as one HTML page that fetches nothing: counts, filters, a table, every call in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from lapdp.report.audits import certified

_TONES = {"valid": "good", "estimate": "good", "vacuous": "plain", "refused": "plain",
          "off": "warn", "timeout": "warn", "memory": "warn", "undecided": "plain",
          "no verdict": "plain", "invalid": "bad", "nonsense": "bad"}

_STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --back: #fff; --soft: #f3f4f6; --line: #d5d9df;
  --good: #1a7f37; --warn: #9a6700; --bad: #c4222e; --plain: #57606a; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7eb; --back: #14171b; --soft: #1e2329;
  --line: #373e47; --good: #57c26f; --warn: #d9a633; --bad: #ff7b72; --plain: #9aa4af;
  --link: #6cb2f2 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 96rem; padding: 1.5rem; color: var(--text);
  background: var(--back); font: 15px/1.45 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 0 .3rem } h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem }
p, ul { max-width: 60rem } code, pre, .n { font: 13px/1.4 ui-monospace, monospace }
pre { background: var(--soft); padding: .5rem; overflow-x: auto; margin: .2rem 0 .6rem }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid var(--line);
  vertical-align: top }
th button { all: unset; cursor: pointer; font-weight: 600 }
th button:focus-visible { outline: 2px solid var(--link) }
td.n, th.n { text-align: right; white-space: nowrap }
.tone-good { color: var(--good) } .tone-warn { color: var(--warn) }
.tone-bad { color: var(--bad); font-weight: 600 } .tone-plain { color: var(--plain) }
#filters { display: flex; flex-wrap: wrap; gap: .4rem .9rem; margin: .6rem 0; align-items: center }
#filters input[type=search] { min-width: 18rem; padding: .3rem; font: inherit }
summary { cursor: pointer } dt { font-weight: 600 } dd { margin: 0 0 .4rem }
"""

_SCRIPT = """
const body = document.querySelector("#rows tbody"), rows = [...body.rows];
const search = document.querySelector("#search"), kinds = [...document.querySelectorAll(".kind")];
const shown = document.querySelector("#shown");
function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const wanted = new Set(kinds.filter(k => k.checked).map(k => k.value));
  let count = 0;
  for (const row of rows) {
    const fits = wanted.has(row.dataset.kind)
      && words.every(w => row.dataset.text.includes(w));
    row.hidden = !fits; count += fits;
  }
  shown.textContent = count + " of " + rows.length + " rows";
}
function order(column, numeric, button) {
  const up = button.dataset.up !== "yes";
  button.dataset.up = up ? "yes" : "no";
  const key = row => row.cells[column].dataset.key;
  rows.sort((a, b) => {
    const x = key(a), y = key(b);
    if (numeric) {
      if (x === "" || y === "") return (x === "") - (y === "");
      return up ? x - y : y - x;
    }
    return up ? x.localeCompare(y) : y.localeCompare(x);
  });
  body.append(...rows);
}
document.querySelectorAll("#rows th button").forEach((button, column) =>
  button.addEventListener("click", () => order(column, button.dataset.numeric === "yes", button)));
search.addEventListener("input", filter);
kinds.forEach(k => k.addEventListener("change", filter));
filter();
"""

_COLUMNS = (("verdict", False), ("accountant", False), ("question and call", False),
            ("answer", True), ("certified value", True), ("relative error", True),
            ("digits", True), ("seconds", True))


def page(report: Mapping[str, Any]) -> str:
    """The page of the document of :func:`lapdp.report.audits.document`."""
    names = ", ".join(f"{a['name']} ({a['distribution']} {a['version']})"
                      for a in report["accountants"])
    versions = ", ".join(f"{k} {v}" for k, v in report["versions"].items())
    parts = [
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Audit of {escape(names)}</title>", f"<style>{_STYLE}</style>", "</head>", "<body>",
        f"<h1>Audit of {escape(names)}</h1>",
        f"<p>lapdp {escape(report['lapdp'])}; {escape(versions)}; "
        f"{'a quick look' if report['quick'] else 'the chosen rows of the whole grid'}, "
        f"at most {report['timeout']:g} s a call.</p>",
        *_missing(report["missing"]), *_counts(report),
        "<h2>How to read this</h2>", "<ul>",
        *(f"<li>{escape(caveat)}</li>" for caveat in report["caveats"]), "</ul>",
        *_meanings(report), *_filters(report["rows"]), *_table(report["rows"]),
        f"<script>{_SCRIPT}</script>", "</body>", "</html>"]
    return "\n".join(parts) + "\n"


def _missing(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return [f"<p>Not audited: {escape(one['name'])} is not installed "
            f"(<code>{escape(one['install'])}</code>).</p>" for one in found]


def _counts(report: Mapping[str, Any]) -> list[str]:
    kinds = [kind for kind in report["verdicts"]
             if any(row["verdict"] == kind for row in report["rows"])]
    lines = ["<h2>Counts</h2>", '<div class="scroll"><table><thead><tr>',
             "<th>accountant</th><th>method</th><th>claims</th>",
             *(f'<th class="n tone-{_TONES[kind]}">{kind}</th>' for kind in kinds),
             "</tr></thead><tbody>"]
    for accountant in report["accountants"]:
        for method in accountant["methods"]:
            if method["counts"]:
                settings = ", ".join(f"{k}={v}" for k, v in method["settings"].items())
                lines.append(
                    f"<tr><td>{escape(accountant['name'])}</td><td>{escape(method['name'])}<br>"
                    f"<small>{escape(settings)}</small></td><td>{method['kind']}, "
                    f"{method['direction']}<br><small>{escape(method['source'])}</small></td>"
                    + "".join(f'<td class="n">{method["counts"].get(kind, "")}</td>'
                              for kind in kinds) + "</tr>")
    return [*lines, "</tbody></table></div>"]


def _meanings(report: Mapping[str, Any]) -> list[str]:
    return ["<details><summary>The verdicts</summary><dl>",
            *(f'<dt class="tone-{_TONES[kind]}">{kind}</dt><dd>{escape(text)}</dd>'
              for kind, text in report["verdicts"].items()), "</dl></details>"]


def _filters(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    counts = Counter(row["verdict"] for row in rows)
    return ["<h2>Rows</h2>", '<div id="filters">',
            '<input id="search" type="search" aria-label="filter" '
            'placeholder="words: gaussian x1000 epsilon">',
            *(f'<label class="tone-{_TONES[kind]}"><input class="kind" type="checkbox" '
              f'value="{kind}" checked> {kind} ({count})</label>'
              for kind, count in counts.most_common()), '<span id="shown"></span></div>']


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    heads = "".join(f'<th><button data-numeric="{"yes" if numeric else "no"}">{name}</button></th>'
                    for name, numeric in _COLUMNS)
    return ['<div class="scroll"><table id="rows"><thead><tr>' + heads + "</tr></thead><tbody>",
            *map(_row, rows), "</tbody></table></div>"]


def _row(row: Mapping[str, Any]) -> str:
    found, kind = row["certified"], row["verdict"]
    error = row["relative_error"] or ""
    digits = "" if row["digits"] is None else str(row["digits"])
    answer = "<br>".join(map(escape, row["answer"])) or escape(row["problem"])
    cells = [
        (kind, f'<span class="tone-{_TONES[kind]}">{kind}</span>', ""),
        (row["accountant"],
         f"{escape(row['accountant'])}<br><small>{escape(row['method'])}</small>", ""),
        (row["id"], _details(row), ""),
        (_key(row["answer"][-1]) if row["answer"] else "", answer, "n"),
        (_key(found.get("value", "")), escape(certified(row)).replace(" +/- ", "<br>&plusmn; "),
         "n"),
        (_key(error), error, "n"), (digits, digits, "n"),
        (str(row["seconds"]), f"{row['seconds']:.2f}", "n"),
    ]
    text = f"{row['accountant']} {row['id']} {kind} {row['claim']['kind']}".lower()
    return (f'<tr data-kind="{kind}" data-text="{escape(text)}">' + "".join(
        f'<td class="{css}" data-key="{escape(key)}">{shown}</td>' for key, shown, css in cells)
        + "</tr>")


def _key(number: str) -> str:
    """A number as JavaScript reads it."""
    return {"inf": "Infinity", "-inf": "-Infinity", "nan": "", "oo": "Infinity"}.get(number, number)


def _details(row: Mapping[str, Any]) -> str:
    claim, query = row["claim"], row["query"]
    mechanisms = "".join(f"<pre>{escape(text)}</pre>" for text in query["mechanism"])
    reason = f"<dt>Reason</dt><dd>{escape(row['reason'])}</dd>" if row["reason"] else ""
    return (
        f"<details><summary><code>{escape(row['id'])}</code></summary><dl>"
        f"<dt>Asked</dt><dd>{query['wants']} at {escape(query['at'])}, exactly "
        f"<code>{escape(_clipped(query['exactly']))}</code>, of{mechanisms}</dd>"
        f"<dt>Claims</dt><dd>{claim['kind']}, {claim['direction']}; {escape(claim['source'])}</dd>"
        f"{reason}<dt>The call</dt><dd><pre>{escape(row['call'])}</pre></dd>"
        f"<dt>The certified value</dt><dd><pre>{escape(row['certified']['code'])}</pre></dd>"
        f"<dt>Again</dt><dd><pre>{escape(row['command'])}</pre></dd></dl></details>")


def _clipped(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"


__all__ = ["page"]
