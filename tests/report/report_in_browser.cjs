// Opens a report in a real browser and uses it as a reader would; prints what it saw as JSON. Needs playwright-core on NODE_PATH.
"use strict";
const { chromium } = require("playwright-core");
const [page_file, browser_path, pictures] = process.argv.slice(2);
const quiet = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

async function look() {
  const browser = await chromium.launch({ executablePath: browser_path, args: quiet.split(" ") });
  const seen = { errors: [], requests: [] };
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: "light" });
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) seen.errors.push(message.text()); });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) seen.requests.push(request.url()); });
  page.on("dialog", (dialog) => { seen.errors.push("dialog: " + dialog.message()); dialog.dismiss(); });
  const shot = async (name) => { if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` }); };
  await page.goto("file://" + page_file);
  seen.title = await page.title();
  await shot("light");

  // a cell opens its distribution; Escape closes it and gives the focus back
  const cell = page.locator(".heat td a").first();
  seen.cell = await cell.textContent();
  seen.cards_before = await page.locator(".card:visible").count();
  await cell.click();
  seen.card = await page.locator(".card:visible").innerText();
  seen.bars = await page.locator(".card:visible svg path").count();
  await shot("card_light");
  await page.keyboard.press("Escape");
  seen.cards_after = await page.locator(".card:visible").count();
  seen.focus_back = await page.evaluate(() => document.activeElement.id) === await cell.getAttribute("id");

  // keys alone: arrows move between cells, Enter opens
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  seen.card_by_keys = await page.locator(".card:visible h4").innerText();
  await page.waitForFunction(() => document.activeElement?.classList.contains("close"));
  await page.keyboard.press("Enter"); // the focus is on Close
  seen.cards_closed_by_keys = await page.locator(".card:visible").count();

  // a table is sorted by a click on its heading, both ways
  const table = page.locator("table.sort", { hasText: "Loadout" }).first();
  const place = (await table.locator("th").allInnerTexts()).findIndex((text) => text.startsWith("Health"));
  const values = () => table.locator(`tbody tr td:nth-child(${place + 1})`).allInnerTexts();
  seen.unsorted = await values();
  await table.locator("th button").nth(place).click();
  seen.sorted_down = await values();
  seen.aria = await table.locator("th").nth(place).getAttribute("aria-sort");
  await table.locator("th button").nth(place).press("Enter");
  seen.sorted_up = await values();

  // dark, print, and without scripts
  await page.emulateMedia({ colorScheme: "dark" });
  seen.dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await shot("dark");
  await cell.click();
  await shot("card_dark");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  seen.print = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.querySelector("nav").checkVisibility(), document.querySelector(".card:target").checkVisibility()]);
  await page.close();
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto("file://" + page_file);
  await plain.locator(".heat td a").first().click();
  seen.card_without_script = await plain.locator(".card:visible").count();
  await plain.locator(".card:visible .close").click();
  seen.closed_without_script = await plain.locator(".card:visible").count();
  await browser.close();
  console.log(JSON.stringify(seen));
}

look().catch((error) => { console.error(error); process.exit(1); });
