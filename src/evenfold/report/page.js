"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  const toggle = document.getElementById("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  const showTheme = () => toggle.setAttribute("aria-pressed", String(isDark()));
  toggle.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  prefersDark.addEventListener("change", showTheme);
  showTheme();

  const table = document.getElementById("worst-labels");
  if (!table) {
    return;
  }
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const headings = Array.from(table.tHead.rows[0].cells);
  const collator = new Intl.Collator(undefined, { numeric: true });

  // Unknown values come last in descending order.
  const toNumber = (cell) => {
    const number = parseFloat(cell.textContent.replace(/,/g, ""));
    return Number.isNaN(number) ? -Infinity : number;
  };
  const compare = (column) =>
    column === 0
      ? (a, b) => collator.compare(a.cells[0].textContent, b.cells[0].textContent)
      : (a, b) => toNumber(a.cells[column]) - toNumber(b.cells[column]) || 0;

  headings.forEach((heading, column) => {
    heading.firstElementChild.addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const descending = before ? before === "ascending" : column > 0;
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const ordered = rows.slice().sort(compare(column));
      body.append(...(descending ? ordered.reverse() : ordered));
    });
  });

  const filter = document.getElementById("filter");
  const shown = document.getElementById("shown");
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
      count += row.hidden ? 0 : 1;
    }
    shown.textContent = wanted ? `${count} of ${rows.length} labels` : "";
  });
})();
