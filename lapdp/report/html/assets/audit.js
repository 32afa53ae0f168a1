// Filters and order of the rows of an audit.
const body = document.querySelector("#rows tbody"), rows = [...body.rows];
const form = document.querySelector("#filters"), search = document.querySelector("#search");
const kinds = [...document.querySelectorAll(".kind")], shown = document.querySelector("#shown");
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = new Set(kinds.filter(k => k.checked).map(k => k.value));
  let count = 0;
  for (const row of rows) {
    const fits = wanted.has(row.dataset.kind)
      && words.every(w => row.dataset.text.includes(w));
    row.hidden = !fits;
    count += fits;
  }
  shown.textContent = `${count} of ${rows.length} rows`;
}
function order(column, head) {
  const up = head.ariaSort !== "ascending", numeric = head.dataset.numeric === "yes";
  for (const other of head.parentNode.cells) other.ariaSort = "none";
  head.ariaSort = up ? "ascending" : "descending";
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
document.querySelectorAll("#rows thead th").forEach((head, column) =>
  head.querySelector("button").addEventListener("click", () => order(column, head)));
form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
addEventListener("beforeprint", () =>
  document.querySelectorAll("#rows details").forEach(d => { d.open = true; }));
filter();
