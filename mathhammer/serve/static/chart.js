// Charts as SVG: chances of at least k, and distributions. Colours are attributes, so that a picture can be made of them.
const NS = "http://www.w3.org/2000/svg";
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "1 4", "12 5"];

function svg(name, attributes, ...children) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

export function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  return { paper: of("--paper"), ink: of("--ink"), muted: of("--muted"), line: of("--line"), series: [1, 2, 3, 4, 5, 6].map((n) => of(`--c${n}`)) };
}

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// Lines of [name, chances by k]; title and note become part of the picture.
export function atLeast(lines, { title, note, what, width = 720 }) {
  const said = lines.map(([name, chances]) => `${name}: ${chances.slice(1, 6).map((chance, k) => `${(100 * chance).toFixed(0)}% for at least ${k + 1}`).join(", ")}`);
  let most = 1;
  for (const [, chances] of lines) chances.forEach((chance, k) => { if (chance > 0.002) most = Math.max(most, k); });
  return curves(lines, { title, note, width, said, most, axis: `at least so many ${what}` });
}

// Lines of [name, chances round by round].
export function byRound(lines, { title, note, width = 720 }) {
  const most = Math.max(1, ...lines.map(([, chances]) => chances.length - 1));
  const said = lines.map(([name, chances]) => `${name}: ${chances.slice(1).map((chance, k) => `${(100 * chance).toFixed(0)}% after round ${k + 1}`).join(", ")}`);
  return curves(lines, { title, note, width, said, most, axis: "after so many rounds" });
}

function curves(lines, { title, note, width, said, most, axis }) {
  const look = colours();
  const legend = 20 * lines.length;
  const [left, right, top, plot] = [46, 14, 50 + legend, 220];
  const height = top + plot + 58;
  const x = (k) => left + ((width - left - right) * k) / most;
  const y = (chance) => top + plot * (1 - chance);
  const text = (value, attributes) => { const node = svg("text", { fill: look.ink, "font-size": 13, "font-family": "system-ui, sans-serif", ...attributes }); node.textContent = value; return node; };
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "chart" }, svg("rect", { width, height, fill: look.paper }));
  const label = svg("title", {});
  label.textContent = `${title}. ${said.join("; ")}`;
  picture.append(label, text(shortened(title, Math.floor(width / 8.2)), { x: 10, y: 22, "font-size": 15, "font-weight": 600 }));
  picture.append(text(shortened(note, Math.floor(width / 6.2)), { x: 10, y: 40, fill: look.muted, "font-size": 11.5 }));
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(svg("path", { d: `M${left} ${y(share)}H${width - right}`, stroke: look.line, "stroke-width": 1 }));
    picture.append(text(`${100 * share}%`, { x: left - 6, y: y(share) + 4, "text-anchor": "end", fill: look.muted, "font-size": 12 }));
  }
  const step = Math.max(1, Math.ceil(most / Math.floor((width - left) / 42)));
  for (let k = 0; k <= most; k += step) picture.append(text(String(k), { x: x(k), y: top + plot + 18, "text-anchor": "middle", fill: look.muted, "font-size": 12 }));
  picture.append(text(axis, { x: left + (width - left - right) / 2, y: top + plot + 40, "text-anchor": "middle", "font-size": 12.5 }));
  lines.forEach(([name, chances], place) => {
    const colour = look.series[place % look.series.length];
    const points = Array.from({ length: most + 1 }, (_, k) => `${x(k).toFixed(1)} ${y(chances[k] || 0).toFixed(1)}`);
    picture.append(svg("path", { d: `M${points.join("L")}`, fill: "none", stroke: colour, "stroke-width": 2.4, "stroke-dasharray": DASHES[place % DASHES.length] }));
    if (most <= 40) for (const point of points) { const [cx, cy] = point.split(" "); picture.append(svg("circle", { cx, cy, r: 2.6, fill: colour })); }
    const row = 58 + 20 * place;
    picture.append(svg("path", { d: `M${left} ${row}h26`, stroke: colour, "stroke-width": 3, "stroke-dasharray": DASHES[place % DASHES.length] }));
    picture.append(text(shortened(name, Math.floor(width / 8)), { x: left + 34, y: row + 4 }));
  });
  return picture;
}

// The distribution behind a cell.
export function bars(chances, { label, width = 320 }) {
  const look = colours();
  const [height, floor] = [120, 100];
  const most = Math.max(...chances, 1e-9);
  const step = (width - 8) / chances.length;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "chart" });
  const title = svg("title", {});
  title.textContent = label;
  picture.append(title);
  chances.forEach((chance, k) => picture.append(svg("rect", { x: 4 + k * step + 0.5, y: floor - (floor - 6) * (chance / most), width: Math.max(1, step - 1), height: (floor - 6) * (chance / most), fill: look.series[0] })));
  picture.append(svg("path", { d: `M4 ${floor}H${width - 4}`, stroke: look.muted }));
  const every = Math.max(1, Math.ceil(chances.length / 10));
  for (let k = 0; k < chances.length; k += every) {
    const node = svg("text", { x: 4 + (k + 0.5) * step, y: floor + 15, "text-anchor": "middle", fill: look.muted, "font-size": 11, "font-family": "system-ui, sans-serif" });
    node.textContent = String(k);
    picture.append(node);
  }
  return picture;
}
