// Elements from names, attributes and texts. Texts are always text: a name of a unit is never read as HTML.

export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function put(place, ...children) {
  place.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
}

export const byId = (id) => document.getElementById(id);

let serial = 0;
export const newId = (stem) => `${stem}-${(serial += 1)}`;

export const percent = (share) => {
  if (share === null || share === undefined) return "-";
  if (share > 0 && share < 0.0005) return "<0.1%";
  if (share < 1 && share > 0.9995) return ">99.9%";
  return `${(100 * share).toFixed(1)}%`;
};

export const number = (value, digits = 2) => (value === null || value === undefined ? "-" : value.toFixed(digits));

export const counted = (count, one, several) => `${count} ${count === 1 ? one : several}`;

// Two spellings of one word: case, spaces, hyphens and underscores do not matter.
export const squeezed = (text) => text.toLowerCase().replace(/[\s_\-'’]+/g, "");

const isLong = (cell) => typeof cell === "string" && cell.length > 40;

// A table: columns are [heading, is a number]; rows are lists of texts or elements.
export function table(caption, columns, rows, options = {}) {
  const head = el("tr", {}, ...columns.map(([heading, right]) => el("th", { scope: "col", class: right ? "n" : null }, heading)));
  const body = rows.map((row, place) =>
    el("tr", { class: options.classOf ? options.classOf(place) : null },
      ...row.map((cell, column) => (column === 0
        ? el("th", { scope: "row" }, cell)
        : el("td", { class: columns[column][1] ? "n" : isLong(cell) ? "long" : null, "data-label": columns[column][0] }, cell)))));
  return captioned(caption, el("table", { class: options.class || null }, el("thead", {}, head), el("tbody", {}, ...body)));
}

// A table below its caption, which stays where it is when a wide table is moved.
export function captioned(caption, node, kind = "wide") {
  const id = newId("caption");
  node.setAttribute("aria-labelledby", id);
  return el("div", { class: "captioned" }, el("p", { class: "caption", id }, caption),
    el("div", { class: kind, tabindex: "0", role: "region", "aria-labelledby": id }, node));
}

// The answer in a line: screen readers say it when it changes, and on a phone it stays in sight below the switches.
export function brief(text) {
  if (byId("brief").textContent !== text) byId("brief").textContent = text;
  byId("brief-bar").hidden = !text;
}

// Says something for a moment, also to screen readers.
let saying = 0;
export function tell(text) {
  const place = byId("told");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(saying);
  saying = setTimeout(() => place.classList.remove("shown"), 2500);
}
