// Search as you type: a combobox over the units of a game, for mouse, keyboard and screen reader.
import { get, latest } from "./api.js";
import { el, newId, put } from "./dom.js";

export function picker({ label, game, extra = () => [], onpick }) {
  const list = newId("units");
  const ask = latest();
  let found = [];
  let at = -1;
  const input = el("input", {
    type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", placeholder: "a name, a faction or a keyword",
    "aria-expanded": "false", "aria-controls": list, "aria-autocomplete": "list", id: newId("pick"),
  });
  const options = el("ul", { id: list, role: "listbox", "aria-label": "Units", hidden: true });
  const show = () => {
    const open = found.length > 0;
    options.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    put(options, ...found.map((one, place) => el("li", {
      role: "option", id: `${list}-${place}`, "aria-selected": String(place === at), class: place === at ? "at" : null,
      onpointerdown: (event) => { event.preventDefault(); pick(place); },
    }, el("span", {}, one.name), el("small", {}, one.note))));
    if (at >= 0 && open) {
      input.setAttribute("aria-activedescendant", `${list}-${at}`);
      options.children[at].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const close = () => { found = []; at = -1; show(); };
  const pick = (place) => {
    const one = found[place];
    input.value = "";
    close();
    if (one) onpick(one.name);
  };
  const search = async () => {
    const text = input.value.trim();
    const offered = extra().filter((one) => one.name.toLowerCase().includes(text.toLowerCase()));
    const answer = await ask((signal) => get("units", { system: game(), q: text }, signal)).catch(() => ({ units: [] }));
    if (answer === null || document.activeElement !== input) return;
    const units = answer.units.map((one) => ({ name: one.name, note: [one.faction, one.points ? `${one.points} points` : ""].filter(Boolean).join(", ") }));
    found = [...offered, ...units].slice(0, 50);
    at = found.length ? 0 : -1;
    show();
  };
  input.addEventListener("input", search);
  input.addEventListener("focus", search);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!found.length) { search(); return; }
      at = (at + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      show();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (at >= 0) pick(at);
      else if (input.value.trim()) { const typed = input.value.trim(); input.value = ""; onpick(typed); }
    } else if (event.key === "Escape") close();
  });
  return el("div", { class: "picker" }, el("label", { for: input.id }, label), input, options);
}
