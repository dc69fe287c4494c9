// Questions to the program. What is wrong with one is a sentence, and is thrown as such.

export class Refused extends Error {}

async function read(response) {
  let found = null;
  try {
    found = await response.json();
  } catch {
    throw new Refused(`The program answered with status ${response.status} and no words.`);
  }
  if (!response.ok) throw new Refused(found.error || `The program answered with status ${response.status}.`);
  return found;
}

async function asked(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The program does not answer: is mathhammer serve still running?");
  }
  return read(response);
}

export function get(path, fields = {}, signal = undefined) {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return asked(`/api/${path}?${new URLSearchParams(given)}`, { signal });
}

export function post(path, question, signal = undefined) {
  return asked(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });
}

// One question at a time: a newer one breaks off the older.
export function latest() {
  let running = null;
  return async (ask) => {
    if (running) running.abort();
    const mine = new AbortController();
    running = mine;
    try {
      return await ask(mine.signal);
    } catch (error) {
      if (error.name === "AbortError") return null;
      throw error;
    } finally {
      if (running === mine) running = null;
    }
  };
}
