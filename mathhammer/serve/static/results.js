// The answer of a comparison: curve, table, table by save, what is counted, every step, and what to take along.
import { atLeast } from "./chart.js";
import { copyPicture, copyText } from "./copying.js";
import { brief, counted, el, number, percent, put, table } from "./dom.js";

export function showError(place, ...texts) {
  brief("");
  put(place, el("div", { class: "error", role: "alert" }, ...texts.map((text) => el("p", {}, text))));
}

// The answer of one target in a line.
function inShort(target, rows) {
  const said = rows.filter((row) => row.slain !== null).map((row) => {
    const done = row.target_models === 1 ? `${number(row.lost, 1)} of ${row.health} wounds` : `${number(row.slain, 1)} of ${row.target_models} slain`;
    return `${nameOf(row, rows)} ${done}, destroyed ${percent(row.p_destroyed)}`;
  });
  return `Against ${target}: ${said.join("; ") || "no attack"}`;
}

function groupsOf(answer) {
  const groups = new Map();
  for (const row of answer.rows) {
    if (!groups.has(row.target)) groups.set(row.target, []);
    groups.get(row.target).push(row);
  }
  return groups;
}

const nameOf = (row, rows) => (rows.filter((one) => one.attacker === row.attacker).length > 1 ? `${row.attacker} (${row.kind})` : row.attacker);

function curve(answer, target, rows, width) {
  const one = rows.find((row) => row.slain !== null);
  if (!one) return null;
  const wounds = one.target_models === 1;
  const lines = rows.filter((row) => row.slain !== null).map((row) => [nameOf(row, rows), wounds ? row.lost_at_least : row.at_least]);
  return atLeast(lines, { title: `Against ${target}`, note: answer.conditions.text, what: wounds ? `wounds lost of ${one.health}` : "models slain", width });
}

function chances(rows) {
  if (rows.every((row) => row.slain === null)) return null;
  const wounds = rows[0].target_models === 1;
  const of = (row) => (wounds ? row.lost_at_least : row.at_least) || [];
  const most = Math.min(60, Math.max(1, ...rows.map((row) => of(row).reduce((last, chance, k) => (chance > 0.0005 ? k : last), 0))));
  const columns = [["At least", false], ...rows.map((row) => [nameOf(row, rows), true])];
  const body = Array.from({ length: most }, (_, k) => [String(k + 1), ...rows.map((row) => percent(of(row)[k + 1] || 0))]);
  return el("details", {}, el("summary", {}, "The chances as numbers"), table(`Chance of at least k ${wounds ? "wounds lost" : "models slain"}`, columns, body));
}

function numbers(groups) {
  const columns = [["Attacker", false], ["Kind", false], ["Damage", true], ["Slain", true], ["Destroyed", true], ["Per 100 points", true], ["Points removed", true]];
  return [...groups].map(([target, rows]) => table(`Against ${target}`, columns, rows.map((row) => [
    row.attacker, row.kind || "no such weapon", row.damage === null ? "-" : `${number(row.damage)} ± ${number(row.damage_sd)}`,
    row.slain === null ? "-" : `${number(row.slain)} ± ${number(row.slain_sd)}`, percent(row.p_destroyed), number(row.damage_per_100), number(row.points_removed, 0),
  ]), { class: "compared", classOf: (place) => (rows.length > 1 && rows[place].rank === 1 && rows[place].damage !== null ? "best" : null) }));
}

function bySave(found) {
  if (!found) return null;
  const columns = [["Attacker", false], ...found.saves.map((save) => [save, true])];
  if (found.rows.every((row) => row.damage.every((value) => value === null))) return null;
  const rows = found.rows.map((row) => [nameOf(row, found.rows), ...row.damage.map((value) => number(value))]);
  return table(`Mean damage if the save of ${found.target} were`, columns, rows);
}

function takeAlong(answer, chart) {
  const button = (text, act) => el("button", { type: "button", onclick: act }, text);
  return el("div", { class: "row take", role: "group", "aria-label": "Take the answer along" },
    chart ? button("Copy picture", () => copyPicture(chart)) : null,
    button("Copy CSV", () => copyText(answer.csv, "CSV")),
    button("Copy Markdown", () => copyText(answer.markdown, "Markdown")),
    button("Copy command", () => copyText(answer.command, "Command")),
    button("Copy Python", () => copyText(`import mathhammer\n${answer.python}`, "Python")),
    button("Copy link", () => copyText(window.location.href, "Link")));
}

function whatCounts(answer, rows) {
  const rules = [...new Set(rows.flatMap((row) => row.rules || []))];
  return [
    answer.remarks.length ? el("ul", { class: "remarks" }, ...answer.remarks.map((line) => el("li", {}, line))) : null,
    rules.length ? el("details", {}, el("summary", {}, `${counted(rules.length, "rule", "rules")} at work`), el("ul", {}, ...rules.map((line) => el("li", {}, line)))) : null,
    answer.not_counted.length
      ? el("details", { class: "missing", open: answer.not_counted.length <= 3 }, el("summary", {}, counted(answer.not_counted.length, "rule is not counted", "rules are not counted")), el("ul", {}, ...answer.not_counted.map((line) => el("li", {}, line))))
      : rows.every((row) => row.slain === null) ? null : el("p", { class: "stats" }, "Every rule of these units that is about this attack is counted."),
  ];
}

function steps(rows) {
  return rows.filter((row) => row.explain).map((row) => el("details", { class: "explain" }, el("summary", {}, `Step by step: ${nameOf(row, rows)}`), el("pre", { tabindex: "0" }, row.explain)));
}

// Shows an answer; `shown` is the target that curve and steps are about, `choose` takes another one.
export function showAnswer(place, answer, shown, choose) {
  const groups = groupsOf(answer);
  const names = answer.targets.map((target) => target.label);
  const target = names[Math.min(shown, names.length - 1)];
  const rows = groups.get(target) || [...groups.values()][0];
  const chart = curve(answer, target, rows, Math.max(340, Math.min(760, place.clientWidth || 720)));
  const pick = names.length > 1 ? el("select", { id: "shown-target" }, ...names.map((name, n) => el("option", { value: n, selected: n === shown }, name))) : null;
  if (pick) pick.addEventListener("change", () => choose(Number(pick.value)));
  brief(inShort(target, rows));
  const about = answer.targets.find((one) => one.label === target);
  put(place,
    el("p", { class: "conditions" }, answer.conditions.text),
    pick ? el("p", {}, el("label", { for: "shown-target" }, "Curve, saves and steps against "), pick) : null,
    about ? el("p", { class: "stats" }, `${about.label}: ${about.text}`) : null,
    chart,
    takeAlong(answer, chart),
    ...numbers(groups),
    bySave(answer.by_save),
    chances(rows),
    ...whatCounts(answer, rows),
    ...steps(rows),
    el("details", {}, el("summary", {}, "The same elsewhere"), el("pre", { tabindex: "0" }, answer.command), el("pre", { tabindex: "0" }, answer.python)));
}
