// Light or dark before anything is drawn: as the reader chose, else as the browser says.
"use strict";
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    chosen = null; // a browser that keeps nothing
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
