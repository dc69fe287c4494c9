// Answers to take along: as picture, CSV, Markdown, command, Python, link.
import { tell } from "./dom.js";

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // no clipboard outside of secure pages: the old way
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "away";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  tell(`${what} copied`);
}

export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A picture of a chart, twice as sharp as on the page.
export async function pictureOf(chart) {
  const [width, height] = chart.getAttribute("viewBox").split(" ").slice(2).map(Number);
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(chart)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export async function copyPicture(chart) {
  const blob = await pictureOf(chart);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    tell("Picture copied");
  } catch {
    saveFile(blob, "mathhammer.png");
    tell("Picture saved");
  }
}
