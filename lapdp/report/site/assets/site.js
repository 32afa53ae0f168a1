// Search, filters, theme, links to folded evidence.  Without scripts the pages still read well.
"use strict";

const root = document.body.dataset.root;

// -- theme -----------------------------------------------------------------------------------

const theme = document.querySelector("#theme");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme
  || (prefersDark.matches ? "dark" : "light")) === "dark";
const showTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
theme.hidden = false;
theme.addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  if (document.documentElement.dataset.storage !== "refused") {
    localStorage.setItem("lapdp-theme", next);
  }
  showTheme();
});
prefersDark.addEventListener("change", showTheme);
showTheme();

// -- search ----------------------------------------------------------------------------------

const search = document.querySelector("#search"), found = document.querySelector("#found");
const MOST = 12;
let chosen = -1, index = null;

// all statements with their words: half a megabyte, fetched by who searches
function fetchIndex() {
  index ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = root + "assets/search.js";
    script.addEventListener("load", done);
    script.addEventListener("error", () => { index = null; failed(new Error(script.src)); });
    document.head.append(script);
  });
  return index;
}

function rank([id, , , , numbers, , words], asked) {
  // 0 is best; -1 leaves the statement out
  const label = id.split("/").pop();
  if (asked.length === 1) {
    const number = asked[0].replace(/^[(]?(?:eq[. -]?)?(\d+)[)]?$/, "$1");
    if (/^\d+$/.test(number)) {
      if (numbers.includes(Number(number))) return label.startsWith("eq-" + number) ? 0 : 1;
      return words.includes(asked[0]) && label.includes(number) ? 4 : -1;
    }
    if (label === asked[0] || id === asked[0]) return 0;
    if (label.startsWith(asked[0])) return 1;
  }
  if (!asked.every(word => words.includes(word))) return -1;
  return asked.every(word => id.includes(word)) ? 2 : 3;
}

async function lookUp() {
  if (!window.LAPDP_SEARCH) await fetchIndex();
  const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = asked.length === 0 ? [] : window.LAPDP_SEARCH
    .map((entry, place) => [rank(entry, asked), place, entry])
    .filter(([value]) => value >= 0)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  chosen = -1;
  search.removeAttribute("aria-activedescendant");
  found.replaceChildren(...hits.slice(0, MOST).map(([, , entry], place) => {
    const [id, url, verdict, sign, , where] = entry;
    const item = document.createElement("li"), link = document.createElement("a");
    const badge = document.createElement("span"), rest = document.createElement("span");
    item.id = "found-" + place;
    item.setAttribute("role", "option");
    link.href = root + url;
    link.tabIndex = -1;
    badge.className = "v-" + verdict;
    badge.textContent = sign + " " + verdict;
    rest.className = "where";
    rest.textContent = where;
    link.append(id + " ", badge, rest);
    item.append(link);
    return item;
  }));
  if (asked.length > 0) {
    const note = document.createElement("li");
    note.className = "note";
    note.setAttribute("role", "option");
    note.setAttribute("aria-disabled", "true");
    note.textContent = hits.length === 0 ? "nothing found"
      : hits.length > MOST ? hits.length + " found: add a word" : hits.length + " found";
    found.append(note);
  }
  found.hidden = asked.length === 0;
  search.setAttribute("aria-expanded", String(!found.hidden));
}

function choose(place) {
  const items = [...found.querySelectorAll("li:not(.note)")];
  if (items.length === 0) return;
  chosen = (place + items.length) % items.length;
  items.forEach((item, n) => item.setAttribute("aria-selected", String(n === chosen)));
  search.setAttribute("aria-activedescendant", items[chosen].id);
  items[chosen].scrollIntoView({ block: "nearest" });
}

function close() {
  found.hidden = true;
  search.setAttribute("aria-expanded", "false");
}

search.addEventListener("input", lookUp);
search.addEventListener("focus", () => { if (search.value) lookUp(); else fetchIndex(); });
search.addEventListener("keydown", event => {
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Escape") close();
  else if (event.key === "Enter") {
    // who types faster than the index comes waits for it
    (window.LAPDP_SEARCH ? Promise.resolve() : lookUp()).then(() => {
      const link = found.querySelectorAll("li:not(.note) a")[Math.max(chosen, 0)];
      if (link) { close(); link.click(); }
    });
  } else return;
  event.preventDefault();
});
document.addEventListener("click", event => {
  if (!event.target.closest(".search")) close();
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    search.focus();
  }
});

// -- a link to a statement unfolds its evidence --------------------------------------------------

function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const evidence = target.querySelector("details.evidence");
  if (evidence) evidence.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

addEventListener("beforeprint", () =>
  document.querySelectorAll("details").forEach(part => { part.open = true; }));

// -- copying ---------------------------------------------------------------------------------

if (navigator.clipboard) {
  document.querySelectorAll("pre.code").forEach(code => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    code.before(button);
  });
}

// -- what is wider than the page scrolls, and must then be reachable by keyboard ---------------------

const wide = [...new Set([
  ...document.querySelectorAll(
    ".formula, .repair, .witness pre, .printed, ol.errata p, ol.errata blockquote"),
  ...[...document.querySelectorAll("main math")].map(
    math => math.closest("p, dd, blockquote, li, figcaption, .note")).filter(part => part)])];
function reach(from) {
  for (const part of wide.slice(from, from + 50)) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
  if (from + 50 < wide.length) setTimeout(reach, 0, from + 50);
}
addEventListener("resize", () => reach(0));
setTimeout(reach, 0, 0);

// -- the filters of the ledger -------------------------------------------------------------------

const filters = document.querySelector("#filters");
if (filters) {
  const rows = [...document.querySelectorAll("#rows tbody tr")];
  const shown = document.querySelector("#shown");
  const boxes = [...filters.querySelectorAll("input[name=verdict]")];
  const selects = [...filters.querySelectorAll("select")];
  const words = filters.elements.words;

  const asked = new URLSearchParams(location.search);
  if (asked.has("verdict")) boxes.forEach(b => { b.checked = asked.getAll("verdict").includes(b.value); });
  selects.forEach(s => { if (asked.has(s.name)) s.value = asked.get(s.name); });
  if (asked.has("words")) words.value = asked.get("words");

  const apply = () => {
    const verdicts = new Set(boxes.filter(b => b.checked).map(b => b.value));
    const parts = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const fits = verdicts.has(row.dataset.verdict)
        && selects.every(s => !s.value || row.dataset[s.name] === s.value)
        && parts.every(part => row.dataset.words.includes(part));
      row.hidden = !fits;
      count += fits;
    }
    shown.textContent = count + " of " + rows.length + " statements";
  };
  filters.addEventListener("input", apply);
  filters.addEventListener("submit", event => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(apply));
  apply();
}

// -- the map: the arcs of one page alone -----------------------------------------------------------

document.querySelectorAll("svg.map").forEach(map => {
  const only = node => map.querySelectorAll(".arc").forEach(arc =>
    arc.classList.toggle("off", node !== null && arc.dataset.from !== node && arc.dataset.to !== node));
  map.querySelectorAll("[data-node]").forEach(link => {
    for (const event of ["mouseenter", "focus"]) link.addEventListener(event, () => only(link.dataset.node));
    for (const event of ["mouseleave", "blur"]) link.addEventListener(event, () => only(null));
  });
});
