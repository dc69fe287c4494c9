// Two units fight it out, round by round.
import { latest, post } from "./api.js";
import { byRound } from "./chart.js";
import { copyPicture, copyText } from "./copying.js";
import { brief, byId, counted, el, number, percent, put, table } from "./dom.js";
import { showError } from "./results.js";

const ask = latest();

export function duelQuestion(state) {
  const question = { system: state.game, a: state.one, b: state.other, first: state.first || "a", rounds: Number(state.rounds || 5), charge: state.charge || "both", approach: state.approach || "none" };
  if (state.inches) question.distance = Number(state.inches);
  return question;
}

function split(found) {
  const [win, lose] = [found.answer.p_win, found.answer.p_lose];
  const bar = el("div", { class: "split", role: "img", "aria-label": `${found.names[0]} wins ${percent(win)}, ${found.names[1]} wins ${percent(lose)}, neither ${percent(1 - win - lose)}` });
  for (const [share, kind] of [[win, "a"], [1 - win - lose, "none"], [lose, "b"]]) {
    const part = el("span", { class: kind }, share > 0.08 ? percent(share) : "");
    part.style.setProperty("flex-grow", String(Math.max(share, 0.0001)));
    bar.append(part);
  }
  return bar;
}

function showDuel(place, found) {
  const [one, other] = found.names;
  const rounds = table("Round by round", [["Round", false], [`${one} won`, true], [`${other} won`, true], [`Models of ${one}`, true], [`Models of ${other}`, true], ["In combat", true]],
    found.rounds.map((point) => [String(point.round), percent(point.p_win), percent(point.p_lose), number(point.models[0]), number(point.models[1]), percent(point.p_engaged)]));
  const verdict = `${one}: win ${percent(found.answer.p_win)}, lose ${percent(found.answer.p_lose)}, neither ${percent(1 - found.answer.p_win - found.answer.p_lose)}`;
  const of = (name) => [0, ...found.rounds.map((point) => point[name])];
  const chart = byRound([[`${one} won`, of("p_win")], [`${other} won`, of("p_lose")]], { title: `${one} against ${other}`, note: found.conditions.text, width: Math.max(320, Math.min(760, place.clientWidth || 720)) });
  brief(verdict);
  put(place,
    el("p", { class: "conditions" }, found.conditions.text),
    el("p", { class: "verdict" }, verdict),
    split(found),
    el("p", { class: "legend" }, el("span", { class: "key a" }, one), el("span", { class: "key none" }, "neither is gone"), el("span", { class: "key b" }, other)),
    rounds,
    chart,
    el("div", { class: "row take", role: "group", "aria-label": "Take the answer along" }, el("button", { type: "button", onclick: () => copyPicture(chart) }, "Copy picture"),
      el("button", { type: "button", onclick: () => copyText(found.csv, "CSV") }, "Copy CSV"), el("button", { type: "button", onclick: () => copyText(found.markdown, "Markdown") }, "Copy Markdown"),
      el("button", { type: "button", onclick: () => copyText(found.command, "Command") }, "Copy command"), el("button", { type: "button", onclick: () => copyText(`import mathhammer\n${found.python}`, "Python") }, "Copy Python"),
      el("button", { type: "button", onclick: () => copyText(window.location.href, "Link") }, "Copy link")),
    found.not_counted.length ? el("details", {}, el("summary", {}, counted(found.not_counted.length, "rule is not counted", "rules are not counted")), el("ul", {}, ...found.not_counted.map((line) => el("li", {}, line)))) : null,
    el("details", { class: "explain" }, el("summary", {}, "Step by step, with all assumptions"), el("pre", { tabindex: "0" }, found.explain)));
}

export async function answerDuel(state) {
  const place = byId("duel-results");
  if (!state.one || !state.other) { brief(""); put(place, el("p", { class: "hint" }, "Pick a unit for each side.")); return; }
  place.setAttribute("aria-busy", "true");
  try {
    const found = await ask((signal) => post("duel", duelQuestion(state), signal));
    if (found) showDuel(place, found);
  } catch (error) {
    showError(place, error.message);
  }
  place.setAttribute("aria-busy", "false");
}
