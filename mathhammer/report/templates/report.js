"use strict";
// Without this script the page can be read in full: it adds sorting, Escape, and arrow keys in heat maps.
for (const table of document.querySelectorAll("table.sort")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "ascending" : "descending");
      const key = (row) => {
        const cell = row.cells[place];
        const text = cell.dataset.v ?? cell.textContent;
        const number = parseFloat(text);
        return cell.classList.contains("n") ? (Number.isNaN(number) ? -Infinity : number) : text.toLowerCase();
      };
      const sign = down ? 1 : -1;
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const one = key(a), other = key(b);
        return sign * (one < other ? -1 : one > other ? 1 : 0);
      });
      table.tBodies[0].append(...rows);
    });
  });
}
const close = (card) => {
  const cell = document.getElementById("c" + card.id.slice(1));
  location.hash = cell.id;
  cell.focus();
};
addEventListener("hashchange", () => document.querySelector(".card:target .close")?.focus());
for (const link of document.querySelectorAll(".card .close")) {
  link.addEventListener("click", (event) => { event.preventDefault(); close(link.parentElement); });
}
addEventListener("keydown", (event) => {
  const card = document.querySelector(".card:target");
  if (event.key === "Escape" && card) { close(card); return; }
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const cell = document.activeElement?.closest?.(".heat td");
  if (!cell || !(event.key in steps)) return;
  const [down, right] = steps[event.key];
  const row = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + down];
  const next = row?.cells[cell.cellIndex + right]?.querySelector("a");
  if (next) { event.preventDefault(); next.focus(); }
});
