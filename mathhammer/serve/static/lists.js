// Army lists: files that are dropped, their coverage and report, and two of them as a heat map.
import { get, latest, post } from "./api.js";
import { bars } from "./chart.js";
import { copyText } from "./copying.js";
import { brief, byId, captioned, counted, el, newId, number, percent, put, table } from "./dom.js";
import { showError } from "./results.js";

const MOST = 2_000_000;
const ask = latest();
const given = [null, null];
const words = {}; // what each game knows, by its key
let address = null; // reads and writes what the address says

const encoded = (bytes) => {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
};

async function take(place, file, shown) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length > MOST) { showError(byId("list-results"), `${file.name}: larger than 2 MB (no real list is)`); return; }
  given[place] = { name: file.name, data: encoded(bytes) };
  shown.textContent = file.name;
  answerLists();
}

function drop(place, title) {
  const input = el("input", { type: "file", id: newId("file") });
  const shown = el("output", { for: input.id }, "no file yet");
  const area = el("textarea", { rows: 3, placeholder: "or paste the text of the list here", "aria-label": `${title}: text of the list` });
  const remove = el("button", { type: "button", onclick: () => { given[place] = null; input.value = ""; area.value = ""; shown.textContent = "no file yet"; answerLists(); } }, "Take away");
  const zone = el("div", { class: "drop" }, el("h2", {}, title), el("label", { for: input.id, class: "file" }, "Choose a file, or drop it here"), input, shown, area, remove);
  input.addEventListener("change", () => { if (input.files[0]) take(place, input.files[0], shown); });
  area.addEventListener("change", () => { if (area.value.trim()) take(place, new File([area.value], "pasted text"), shown); });
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files[0]) take(place, event.dataTransfer.files[0], shown);
  });
  return zone;
}

const tableOf = (one) => {
  const numeric = one.columns.map((_, column) => one.rows.some((row) => row[column][1] !== null));
  return table(one.name, one.columns.map((heading, column) => [heading, numeric[column]]), one.rows.map((row) => row.map((cell) => cell[0])));
};

function openCell(map, row, column, back) {
  const cell = map.cells[row][column];
  const dialog = byId("cell");
  const title = `${map.rows[row]} against ${map.columns[column]}`;
  const words = `${number(cell.lost, 1)} of ${cell.health} wounds lost on average, ${cell.tenths[0]} to ${cell.tenths[2]} in eight of ten rolls`;
  put(dialog, el("button", { type: "button", class: "close", autofocus: true, onclick: () => dialog.close() }, "Close"), el("h2", { id: "cell-title" }, title), bars(cell.chances, { label: words }),
    el("p", {}, `${cell.kind}: ${words}; spread ${number(cell.lost_sd, 1)}.`), el("p", {}, `Models slain ${number(cell.slain, 1)}, destroyed ${percent(cell.p_destroyed)}.`));
  dialog.onclose = () => back.focus();
  dialog.showModal();
}

export function heatMap(map) {
  const head = el("tr", {}, el("td", {}), ...map.columns.map((name) => el("th", { scope: "col" }, el("span", {}, name))));
  const body = map.cells.map((cells, row) => el("tr", {}, el("th", { scope: "row" }, map.rows[row]), ...cells.map((cell, column) => {
    if (cell.value === null) return el("td", { title: cell.why }, "-");
    const open = el("button", { type: "button", "aria-label": `${map.rows[row]} against ${map.columns[column]}: ${number(cell.value, 1)}, ${cell.kind}` }, number(cell.value, map.points ? 0 : 1), el("small", {}, cell.kind === "ranged" ? "r" : "m"));
    open.addEventListener("click", () => openCell(map, row, column, open));
    const place = el("td", { class: `h${cell.share > 0.76 ? " w" : ""}${cell.share > 0.45 ? " k" : ""}` }, open);
    place.style.setProperty("--v", cell.share.toFixed(2));
    return place;
  })));
  return captioned(`${map.title}: ${map.what} (m melee, r ranged; a cell opens its distribution)`,
    el("table", { class: "heat" }, el("thead", {}, head), el("tbody", {}, ...body)), "wide tall");
}

function oneList(one) {
  return el("section", {}, el("h2", {}, one.name), el("p", {}, one.facts), ...one.known.map((line, n) => el("p", { class: n ? "stats" : "coverage" }, line)),
    el("details", {}, el("summary", {}, "The list"), tableOf(one.units)),
    one.not_counted.length ? el("details", {}, el("summary", {}, counted(one.not_counted.length, "rule is not counted", "rules are not counted")), el("ul", {}, ...one.not_counted.map((line) => el("li", {}, line)))) : null,
    one.remarks.length ? el("details", {}, el("summary", {}, counted(one.remarks.length, "remark", "remarks")), el("ul", {}, ...one.remarks.map((line) => el("li", {}, line)))) : null);
}

function report(found) {
  return [
    el("h2", {}, found.title), el("p", { class: "conditions" }, found.conditions),
    el("div", { class: "verdict" }, ...found.verdict.map((line) => el("p", {}, line))),
    el("p", { class: "coverage" }, found.lists.map((one) => `${one.name}: ${one.known[0]}`).join(" · ")),
    ...found.maps.map(heatMap), ...found.tables.map(tableOf), ...found.lists.map(oneList),
    ...found.lasting.map((one) => el("section", {}, el("h2", {}, `What ${one.name} can take, and who carries it`), ...one.tables.map(tableOf), el("ul", {}, ...one.lacks.map((line) => el("li", {}, line))))),
  ];
}

function takeAlong(found) {
  const button = (text, act) => el("button", { type: "button", onclick: act }, text);
  return el("div", { class: "row take", role: "group", "aria-label": "Take the answer along" },
    button("Copy CSV", () => copyText(found.csv, "CSV")), button("Copy Markdown", () => copyText(found.markdown, "Markdown")), button("Copy command", () => copyText(found.command, "Command")));
}

// What holds for all attacks: situations and commands of the game, auras, a verdict anyway.
async function switches(game) {
  if (!game) { put(byId("list-switches")); return; }
  words[game] ||= await get("game", { system: game });
  const state = address.read();
  const chip = (title, what, on, change) => {
    const box = el("input", { type: "checkbox" });
    box.checked = on;
    box.addEventListener("change", () => { address.write(change(box.checked)); answerLists(); });
    return el("label", { class: "chip", title: what || null }, box, el("span", {}, title));
  };
  const of = (kind, given, name) => [["attacker", ""], ["target", kind === "situations" ? "target " : ""]].flatMap(([side, before]) => words[game].words[side][kind].map((one) => {
    const word = before + one.word;
    return chip(word, one.what, given.includes(word), (on) => ({ [name]: [...given.filter((other) => other !== word), ...(on ? [word] : [])] }));
  }));
  const focused = [...byId("list-switches").querySelectorAll("input")].indexOf(document.activeElement);
  const open = byId("list-switches").querySelector("details")?.open ?? Boolean(state.situation.length || state.commands.length || state.auras || state.anyway);
  put(byId("list-switches"), el("details", { class: "more", open }, el("summary", {}, "What holds for all attacks"),
    el("fieldset", {}, el("legend", {}, "Situation"), ...of("situations", state.situation, "situation")),
    el("fieldset", {}, el("legend", {}, "Commands"), ...of("commands", state.commands, "commands")),
    el("fieldset", {}, el("legend", {}, "Report"),
      chip("auras reach all friends", "units are in reach of their friends' auras", state.auras !== "no", (on) => ({ auras: on ? "" : "no" })),
      chip("a verdict anyway", "also where less than 90 % of a list's points are known", state.anyway === "yes", (on) => ({ anyway: on ? "yes" : "" })))));
  byId("list-switches").querySelectorAll("input")[focused]?.focus();
}

function listQuestion(one, other) {
  const state = address.read();
  const question = { list: one.data, names: [one, other].filter(Boolean).map((list) => list.name), situation: state.situation, commands: state.commands, auras: state.auras !== "no", anyway: state.anyway === "yes" };
  return other ? { ...question, other: other.data } : question;
}

export async function answerLists() {
  const place = byId("list-results");
  const [one, other] = given[0] ? given : [given[1], null];
  if (!one) {
    brief("");
    put(place);
    await switches(address.read().listGame).catch((error) => showError(place, error.message));
    return;
  }
  place.setAttribute("aria-busy", "true");
  try {
    const found = await ask((signal) => post(other ? "lists" : "list", listQuestion(one, other), signal));
    if (found) {
      const before = address.read().listGame;
      if (before !== found.system) address.write({ listGame: found.system });
      await switches(found.system);
      put(place, ...report(found), takeAlong(found));
      brief(found.verdict.join(" "));
    }
  } catch (error) {
    showError(place, error.message);
  }
  place.setAttribute("aria-busy", "false");
}

export function startLists(state) {
  address = state;
  put(byId("drops"), drop(0, "A list"), drop(1, "Against another list"));
}
