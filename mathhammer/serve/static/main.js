// The page: what is asked is in the address; every change of it asks anew.
import { get, latest, post } from "./api.js";
import { brief, byId, el, put } from "./dom.js";
import { answerDuel } from "./duel.js";
import { answerLists, startLists } from "./lists.js";
import { picker } from "./picker.js";
import { showAnswer, showError } from "./results.js";
import { readState, writeState } from "./state.js";
import { loadUnit, profileCard, unitCard } from "./units.js";

const VIEWS = ["compare", "lists", "duel"];
const ask = latest();
const units = { attackers: [], targets: [], one: [], other: [] };
let state = readState(window.location.hash);
let words = null; // what the game knows
let answered = null;

const texts = (side) => units[side].map((unit) => unit.text);

// Writes the address; a step of its own in the history where something was added or taken away.
function remember(step = false) {
  state.attackers = texts("attackers");
  state.targets = texts("targets");
  state.one = texts("one")[0] || "";
  state.other = texts("other")[0] || "";
  const address = writeState(state);
  if (address === window.location.hash) return;
  if (step) window.history.pushState(null, "", address);
  else window.history.replaceState(null, "", address);
}

function question() {
  const asked = { system: state.game, attackers: texts("attackers"), targets: texts("targets"), method: state.method || "exact", by_save: Number(state.shown || 0) };
  if (state.distance) asked.distance = Number(state.distance);
  if (state.round) asked.round = Number(state.round);
  return asked;
}

async function answer() {
  if (state.view === "duel") { await answerDuel(state); return; }
  const place = byId("results");
  if (!units.attackers.length) { brief(""); put(place, el("p", { class: "hint" }, "Pick a unit that attacks: the answer comes at once.")); return; }
  place.setAttribute("aria-busy", "true");
  try {
    const found = await ask((signal) => post("answer", question(), signal));
    if (found) {
      answered = found;
      showAnswer(place, found, Number(state.shown || 0), (shown) => { state.shown = String(shown); remember(); answer(); });
    }
  } catch (error) {
    showError(place, error.message);
  }
  place.setAttribute("aria-busy", "false");
}

const PLACES = { attackers: "attackers", targets: "targets", one: "side-a", other: "side-b" };

function drawCards(side) {
  put(byId(PLACES[side]), ...units[side].map((unit, place) => unitCard(unit, {
    open: Boolean(unit.open),
    changed: async ({ reload } = {}) => {
      remember();
      if (reload) await again(side, place);
      answer();
    },
    gone: () => { units[side].splice(place, 1); drawCards(side); remember(true); answer(); focusOn(side); },
  })));
}

function focusOn(side) {
  const input = byId({ attackers: "add-attacker", targets: "add-target", one: "add-a", other: "add-b" }[side]).querySelector("input");
  if (input) input.focus();
}

// A unit anew from its text, once its leaders are others.
async function again(side, place) {
  const before = units[side][place];
  try {
    units[side][place] = Object.assign(await loadUnit(before.text, state.game, before.side), { open: true });
  } catch (error) {
    showError(byId(side === "one" || side === "other" ? "duel-results" : "results"), error.message);
  }
  drawCards(side);
}

const sideOf = (side) => (side === "targets" ? "target" : "attacker");

async function add(side, text) {
  try {
    const unit = await loadUnit(text, state.game, sideOf(side));
    unit.open = side === "attackers" && units.attackers.length === 0;
    if (side === "one" || side === "other") units[side] = [unit];
    else units[side].push(unit);
    drawCards(side);
    remember(true);
    await answer();
  } catch (error) {
    showError(byId(state.view === "duel" ? "duel-results" : "results"), error.message);
  }
}

function profile() {
  let index = -1;
  const made = profileCard(words.sliders, async (line) => {
    const unit = await loadUnit(line, state.game, "target").catch(() => null);
    if (!unit || !units.targets[index]?.info.profile) return;
    units.targets[index] = unit;
    byId("targets").children[index]?.querySelector("b")?.replaceChildren(unit.info.name);
    remember();
    answer();
  });
  const close = el("button", { type: "button", onclick: () => made.node.remove() }, "Done");
  made.node.append(close);
  add("targets", made.line()).then(() => { index = units.targets.length - 1; byId("targets").append(made.node); made.node.querySelector("input").focus(); });
}

async function useGame(key) {
  words = await get("game", { system: key });
  state.game = key;
  byId("game").value = key;
  const game = () => state.game;
  const references = () => words.targets.map((one) => ({ name: one.name, note: `reference target: ${one.text}` }));
  put(byId("add-attacker"), picker({ label: "Add an attacker", game, onpick: (name) => add("attackers", name) }));
  put(byId("add-target"), picker({ label: "Add a target", game, extra: references, onpick: (name) => add("targets", name) }));
  put(byId("add-a"), picker({ label: "Unit of side A", game, onpick: (name) => add("one", name) }));
  put(byId("add-b"), picker({ label: "Unit of side B", game, onpick: (name) => add("other", name) }));
  byId("profile").hidden = words.sliders.length === 0;
}

// Everything as the address says.
async function restore() {
  state = readState(window.location.hash);
  if (!VIEWS.includes(state.view)) state.view = "compare";
  for (const view of VIEWS) byId(view).hidden = view !== state.view;
  for (const link of byId("views").children) {
    if (link.dataset.view === state.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId("game-label").hidden = state.view === "lists"; // a list says itself which game it is of
  brief("");
  const games = [...byId("game").options];
  const wrong = [];
  if (state.game && !games.some((option) => option.value === state.game)) {
    wrong.push(`link: '${state.game}' is no game of this page (${games.map((option) => option.textContent).join(", ")})`);
    state = { ...state, attackers: [], targets: [], one: "", other: "" };
  }
  await useGame(games.some((option) => option.value === state.game) ? state.game : byId("game").dataset.first);
  const wanted = { attackers: state.attackers, targets: state.targets, one: state.one ? [state.one] : [], other: state.other ? [state.other] : [] };
  for (const [side, given] of Object.entries(wanted)) {
    const loaded = await Promise.all(given.slice(0, 12).map((text) => loadUnit(text, state.game, sideOf(side)).catch((error) => { wrong.push(error.message); return null; })));
    units[side] = loaded.filter(Boolean);
    drawCards(side);
  }
  for (const [id, name] of Object.entries(FIELDS)) byId(id).value = state[name] || byId(id).dataset.usual || "";
  if (wrong.length) showError(byId(state.view === "duel" ? "duel-results" : "results"), ...wrong);
  else if (state.view === "lists") await answerLists();
  else await answer();
}

const FIELDS = { distance: "distance", round: "round", method: "method", first: "first", rounds: "rounds", "duel-distance": "inches", charge: "charge", approach: "approach" };

function startFields() {
  for (const [id, name] of Object.entries(FIELDS)) {
    const field = byId(id);
    field.dataset.usual = field.tagName === "SELECT" ? field.options[0].value : field.defaultValue;
    field.addEventListener("change", () => {
      state[name] = field.value === field.dataset.usual ? "" : field.value;
      remember();
      answer();
    });
  }
  byId("game").addEventListener("change", () => { window.location.hash = writeState({ view: state.view, game: byId("game").value }); });
  byId("reference").addEventListener("click", () => { units.targets = []; drawCards("targets"); state.shown = ""; remember(true); answer(); });
  byId("profile").addEventListener("click", profile);
  for (const link of byId("views").children) link.addEventListener("click", (event) => { event.preventDefault(); window.location.hash = writeState({ ...state, view: link.dataset.view }); });
}

function startTheme() {
  const button = byId("theme");
  const dark = () => (document.documentElement.dataset.theme || (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const say = () => { button.textContent = dark() ? "Light" : "Dark"; };
  const redraw = () => { say(); if (answered && state.view === "compare") showAnswer(byId("results"), answered, Number(state.shown || 0), (shown) => { state.shown = String(shown); remember(); answer(); }); };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("theme", document.documentElement.dataset.theme);
    } catch {
      say(); // a browser that keeps nothing: it holds for this page
    }
    redraw();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  say();
}

async function start() {
  startTheme();
  startLists({ read: () => state, write: (changes) => { Object.assign(state, changes); remember(); } });
  const toAnswer = () => { const place = byId({ compare: "results", lists: "list-results", duel: "duel-results" }[state.view || "compare"]); place.scrollIntoView(); place.focus({ preventScroll: true }); };
  byId("skip").addEventListener("click", toAnswer);
  byId("see").addEventListener("click", toAnswer);
  startFields();
  try {
    const known = await get("games");
    put(byId("game"), ...known.games.map((game) => el("option", { value: game.key }, game.short)));
    byId("game").dataset.first = known.first;
    await restore();
  } catch (error) {
    showError(byId("results"), error.message);
    byId("compare").hidden = false;
  }
  window.addEventListener("hashchange", restore);
  document.documentElement.dataset.ready = "yes";
}

start();
