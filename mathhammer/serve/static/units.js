// A unit on the page: its expression, and switches for everything that can be said of it.
import { get } from "./api.js";
import { counted, el, newId, squeezed } from "./dom.js";

const OFTEN = 8; // switches that are shown before "more"

// The expression of a unit from its parts: [N] NAME [with LEADER] [: WORD, WORD].
export function expression(unit) {
  if (unit.info.profile) return unit.text;
  const size = unit.models === unit.info.smallest ? "" : `${unit.models} `;
  const led = unit.leaders.length ? ` with ${unit.leaders.join(", ")}` : "";
  const words = unit.words.length ? `: ${unit.words.join(", ")}` : "";
  return `${size}${unit.info.name}${led}${words}`;
}

export async function loadUnit(text, game, side) {
  const info = await get("unit", { system: game, text, side });
  return { text, info, side, models: info.models, leaders: info.leaders, words: info.words.filter((word) => squeezed(word) !== "reinforced") };
}

const has = (unit, word) => unit.words.some((one) => squeezed(one) === squeezed(word));

function toggle(unit, word, on) {
  unit.words = unit.words.filter((one) => squeezed(one) !== squeezed(word));
  if (on) unit.words.push(word);
}

function chip(unit, word, what, changed) {
  const box = el("input", { type: "checkbox" });
  box.checked = has(unit, word);
  box.addEventListener("change", () => { toggle(unit, word, box.checked); changed(); });
  return el("label", { class: "chip", title: what || null }, box, el("span", {}, word));
}

function chips(unit, title, offered, changed) {
  if (!offered.length) return null;
  const made = offered.map(({ word, what }) => chip(unit, word, what, changed));
  const often = made.slice(0, OFTEN);
  const rest = made.slice(OFTEN);
  const open = offered.slice(OFTEN).some(({ word }) => has(unit, word));
  return el("fieldset", {}, el("legend", {}, title), ...often,
    rest.length ? el("details", { class: "rest", open }, el("summary", {}, `${rest.length} more`), ...rest) : null);
}

function sizes(unit, changed) {
  const input = el("input", { type: "number", min: 1, max: 200, value: unit.models, inputmode: "numeric", list: newId("sizes") });
  const choices = el("datalist", { id: input.getAttribute("list") }, ...unit.info.sizes.map((size) => el("option", { value: size })));
  input.addEventListener("change", () => {
    const size = Math.round(Number(input.value));
    if (size >= 1) { unit.models = size; changed(); }
  });
  const quick = unit.info.sizes.length > 1 ? unit.info.sizes.slice(0, 4).map((size) => el("button", {
    type: "button", class: "size", "aria-label": `${size} models`, onclick: () => { input.value = size; unit.models = size; changed(); },
  }, String(size))) : [];
  return el("div", { class: "row size-row" }, el("label", {}, "Models ", input), choices, ...quick);
}

function weapons(unit, changed) {
  if (unit.side !== "attacker" || !unit.info.weapons.length) return null;
  const kinds = ["melee", "ranged", "all"];
  const name = newId("kind");
  const now = kinds.find((kind) => has(unit, kind)) || "best";
  const radio = (kind, what) => {
    const box = el("input", { type: "radio", name, value: kind });
    box.checked = kind === now;
    box.addEventListener("change", () => {
      for (const other of kinds) toggle(unit, other, false);
      if (kind !== "best") toggle(unit, kind, true);
      changed();
    });
    return el("label", { class: "chip", title: what }, box, el("span", {}, kind));
  };
  const offered = unit.info.kinds.length > 1
    ? [radio("best", "the kind that does more to each target"), radio("melee", "melee weapons"), radio("ranged", "ranged weapons"), radio("all", "a row for each kind")] : [];
  const named = unit.info.weapons.map((weapon) => el("div", { class: "weapon" },
    chip(unit, weapon.name, "use only the weapons that are switched on", changed),
    el("small", {}, `${weapon.kind}, ${weapon.bearers} × ${weapon.text}`)));
  const open = unit.info.weapons.some((weapon) => has(unit, weapon.name));
  return el("fieldset", {}, el("legend", {}, "Weapons"), ...offered,
    el("details", { class: "rest", open }, el("summary", {}, "by name"), ...named));
}

function others(unit, changed) {
  const known = [...unit.info.situations, ...unit.info.commands, ...unit.info.abilities, ...unit.info.weapons.map((weapon) => ({ word: weapon.name })),
    ...unit.info.buffs.map((word) => ({ word })), ...["best", "melee", "ranged", "all"].map((word) => ({ word }))].map(({ word }) => squeezed(word));
  const input = el("input", { type: "text", value: unit.words.filter((word) => !known.includes(squeezed(word))).join(", "), placeholder: "Crit (Mortal), 3 lost, +2 to wound", maxlength: 200 });
  input.addEventListener("change", () => {
    const typed = input.value.split(/,(?![^(]*\))/).map((word) => word.trim()).filter(Boolean);
    unit.words = [...unit.words.filter((word) => known.includes(squeezed(word))), ...typed];
    changed();
  });
  return el("label", { class: "line" }, "Other words ", input);
}

function leaders(unit, changed) {
  const input = el("input", { type: "text", value: unit.leaders.join(", "), placeholder: "a hero or leader beside it", maxlength: 120 });
  input.addEventListener("change", () => {
    unit.leaders = input.value.split(",").map((name) => name.trim()).filter(Boolean);
    changed({ reload: true });
  });
  return el("label", { class: "line" }, "With ", input);
}

function rules(unit) {
  if (!unit.info.rules.length) return null;
  return el("details", { class: "rest" }, el("summary", {}, counted(unit.info.rules.length, "rule", "rules")),
    el("ul", { class: "rules" }, ...unit.info.rules.map((rule) => el("li", {}, el("b", {}, rule.name), ` ${rule.state}`, rule.change ? el("small", {}, ` ${rule.change}`) : null))));
}

// The card of a unit; `changed` is called with every change, `gone` when it is taken away.
export function unitCard(unit, { changed, gone, open }) {
  const again = (how) => { unit.text = expression(unit); changed(how || {}); summary.textContent = described(unit); };
  const summary = el("small", { class: "words" }, described(unit));
  const remove = el("button", { type: "button", class: "remove", "aria-label": `Remove ${unit.info.name}`, onclick: gone }, "✕");
  const head = el("summary", {}, el("b", {}, unit.info.name), " ", summary);
  const body = unit.info.profile ? [el("p", { class: "stats" }, unit.info.stats)] : [
    el("p", { class: "stats" }, [unit.info.faction, unit.info.stats].filter(Boolean).join(": ")),
    sizes(unit, again),
    weapons(unit, again),
    chips(unit, "Abilities to use", unit.info.abilities, again),
    chips(unit, "Situation", unit.info.situations, again),
    chips(unit, "Commands", unit.info.commands, again),
    chips(unit, "Buffs", unit.info.buffs.map((word) => ({ word, what: "" })), again),
    unit.side === "attacker" ? leaders(unit, again) : null,
    others(unit, again),
    rules(unit),
  ];
  const card = el("details", { class: "unit", open }, head, ...body.filter(Boolean));
  card.addEventListener("toggle", () => { unit.open = card.open; });
  return el("div", { class: "card" }, card, remove);
}

function described(unit) {
  if (unit.info.profile) return "a profile of your own";
  const size = counted(unit.models, "model", "models");
  return [size, ...unit.leaders.map((name) => `with ${name}`), ...unit.words].join(", ");
}

// A target by sliders; its line is what the command line takes too.
export function profileCard(spec, onchange) {
  const values = Object.fromEntries(spec.map((one) => [one.name, one.value]));
  const line = () => spec.filter((one) => values[one.name] !== one.none).map((one) => one.text.replace("{}", values[one.name])).join(" ");
  const shown = el("output", { class: "profile-line" }, line());
  const rows = spec.map((one) => {
    const value = el("output", {}, told(one, one.value));
    const input = el("input", { type: "range", min: one.low, max: one.high, value: one.value, id: newId("slide"), "aria-valuetext": told(one, one.value) });
    input.addEventListener("input", () => {
      values[one.name] = Number(input.value);
      value.textContent = told(one, values[one.name]);
      input.setAttribute("aria-valuetext", value.textContent);
      shown.textContent = line();
      onchange(line());
    });
    return el("div", { class: "slider" }, el("label", { for: input.id }, one.label), input, value);
  });
  return { node: el("fieldset", { class: "profile" }, el("legend", {}, "A profile of your own"), ...rows, shown), line };
}

const told = (one, value) => (value === one.none ? "none" : one.none ? `${value}+` : String(value));
