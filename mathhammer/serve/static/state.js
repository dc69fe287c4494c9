// The question lives in the address: a link repeats it, and going back goes back.

const MANY = { a: "attackers", t: "targets", ls: "situation", lc: "commands" };
const ONE = { v: "view", g: "game", d: "distance", r: "round", m: "method", s: "shown", x: "one", y: "other", f: "first", n: "rounds", i: "inches", c: "charge", p: "approach", lg: "listGame", la: "auras", lw: "anyway" };

export function readState(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const state = {};
  for (const [key, name] of Object.entries(MANY)) state[name] = words.getAll(key).filter(Boolean);
  for (const [key, name] of Object.entries(ONE)) state[name] = words.get(key) || "";
  return state;
}

export function writeState(state) {
  const words = new URLSearchParams();
  for (const [key, name] of Object.entries(ONE)) if (state[name]) words.set(key, state[name]);
  for (const [key, name] of Object.entries(MANY)) for (const value of state[name] || []) words.append(key, value);
  return `#${words}`;
}
