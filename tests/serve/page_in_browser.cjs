// Uses the page of `mathhammer serve` in a real browser as a player would; prints what it saw as JSON. Needs playwright-core on NODE_PATH.
"use strict";
const { chromium } = require("playwright-core");
const [base, browser_path, pictures, list_file, other_file] = process.argv.slice(2);
const quiet = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

async function look() {
  const browser = await chromium.launch({ executablePath: browser_path, args: quiet.split(" ") });
  const seen = { errors: [], foreign: [] };
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light", permissions: ["clipboard-read", "clipboard-write"] });
  const open = async (options) => {
    const page = options ? await browser.newPage(options) : await context.newPage();
    page.on("console", (message) => { if (["error", "warning"].includes(message.type())) seen.errors.push(message.text()); });
    page.on("pageerror", (error) => seen.errors.push(String(error)));
    page.on("request", (request) => { if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) seen.foreign.push(request.url()); });
    page.on("dialog", (dialog) => { seen.errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    return page;
  };
  const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  const shot = (page, name) => page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  const answered = (page, act) => Promise.all([page.waitForResponse((response) => response.url().endsWith("/api/answer") && response.status() === 200), act()]).then(() => page.waitForSelector("#results[aria-busy=false] table.compared"));
  const cells = (page, column) => page.locator(`table.compared tbody tr td:nth-child(${column})`).allInnerTexts();

  // search as you type, and the answer is there
  const page = await open();
  await page.goto(base);
  await ready(page);
  seen.hint = await page.locator("#results").innerText();
  await page.getByLabel("Add an attacker").fill("libera");
  await page.waitForSelector("#add-attacker li");
  seen.found = await page.locator("#add-attacker li span").first().innerText();
  await answered(page, () => page.locator("#add-attacker li").first().click());
  seen.reference_targets = await page.locator("table.compared").count();
  await page.getByLabel("Add a target").fill("clanr");
  await page.waitForSelector("#add-target li");
  await answered(page, () => page.locator("#add-target li").first().click());
  seen.plain = (await cells(page, 4))[0];

  // a switch changes the answer at once
  const begun = Date.now();
  await answered(page, () => page.locator("#attackers .chip", { hasText: "+1 to hit" }).first().click());
  seen.milliseconds = Date.now() - begun;
  seen.switched = (await cells(page, 4))[0];
  seen.conditions = await page.locator(".conditions").innerText();

  // a second attacker, side by side
  await page.getByLabel("Add an attacker").fill("rat ogors");
  await page.waitForSelector("#add-attacker li");
  await answered(page, () => page.getByLabel("Add an attacker").press("Enter"));
  seen.compared = await page.locator("table.compared tbody th").allInnerTexts();
  seen.best = await page.locator("tr.best").count();
  await shot(page, "compare_light");

  // the profile of sliders
  await page.getByRole("button", { name: "A profile of your own" }).click();
  await page.waitForSelector(".profile");
  await answered(page, () => page.getByRole("slider", { name: "Save" }).press("ArrowLeft"));
  seen.profile = await page.locator(".profile-line").innerText();
  seen.targets = await page.locator("table.compared").count();

  // everything is in the address, and the picture and the texts can be taken along
  seen.link = page.url();
  await page.getByRole("button", { name: "Copy command" }).click();
  seen.command = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy Markdown" }).click();
  seen.markdown = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy CSV" }).click();
  seen.csv = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy picture" }).click();
  await page.waitForFunction(() => document.getElementById("told").textContent.startsWith("Picture"));
  seen.told = await page.locator("#told").innerText();
  await page.locator("details.explain summary").first().click();
  seen.explained = await page.locator("details.explain pre").first().innerText();
  const again = await open();
  await again.goto(seen.link);
  await ready(again);
  await again.waitForSelector("table.compared");
  seen.same_by_link = JSON.stringify(await cells(again, 4)) === JSON.stringify(await cells(page, 4));
  seen.chips_by_link = await again.locator("#attackers .chip input:checked").count();
  await again.close();

  // back takes the last step back
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll("#targets .card").length === 1);
  seen.after_back = await page.locator("#targets .card").count();

  // dark by the switch, and it stays
  await page.locator("#theme").click();
  seen.dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.reload();
  await ready(page);
  seen.dark_stays = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.waitForSelector("table.compared");
  await shot(page, "compare_dark");
  await page.emulateMedia({ media: "print" });
  seen.print = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.querySelector(".ask").checkVisibility()]);
  await page.emulateMedia({ media: "screen" });

  // lists: one, then two, and the distribution behind a cell
  await page.getByRole("link", { name: "Lists" }).click();
  await page.locator("#drops input[type=file]").first().setInputFiles(list_file);
  await page.waitForSelector("#list-results table.heat");
  seen.coverage = await page.locator("#list-results .coverage").first().innerText();
  seen.maps_of_one = await page.locator("table.heat").count();
  await page.locator("#drops input[type=file]").nth(1).setInputFiles(other_file);
  await page.waitForFunction(() => document.querySelectorAll("table.heat").length === 2);
  seen.verdict = await page.locator(".verdict").innerText();
  seen.map_top = await page.evaluate(() => document.querySelector("table.heat").getBoundingClientRect().top + window.scrollY - document.getElementById("list-results").getBoundingClientRect().top - window.scrollY);
  const cell = page.locator("table.heat td button").first();
  await cell.click();
  seen.cell = await page.locator("dialog").innerText();
  seen.bars = await page.locator("dialog svg rect").count();
  await shot(page, "cell_dark");
  await page.keyboard.press("Escape");
  seen.focus_back = await cell.evaluate((node) => node === document.activeElement);
  await shot(page, "lists_dark");
  seen.evil_ran = await page.evaluate(() => window.evil === undefined ? "no" : "yes");

  // what holds for all attacks of lists is switched, is in the address, and the keyboard stays where it was
  await page.locator("#list-switches summary").click();
  await page.locator("#list-switches .chip", { hasText: /^charged$/ }).locator("input").focus();
  await Promise.all([page.waitForResponse((response) => response.url().endsWith("/api/lists")), page.keyboard.press("Space")]);
  await page.waitForFunction(() => document.querySelector("#list-results[aria-busy=false] .conditions")?.textContent.includes("charged"));
  seen.list_conditions = await page.locator("#list-results .conditions").innerText();
  seen.list_link = page.url();
  seen.list_focus = await page.evaluate(() => document.activeElement.closest(".chip")?.textContent);
  await page.getByRole("button", { name: "Copy command" }).click();
  seen.list_command = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy CSV" }).click();
  seen.list_csv = await page.evaluate(() => navigator.clipboard.readText());
  seen.game_of_lists = await page.locator("#game").isVisible();

  // a duel
  await page.goto(`${base}/#v=duel&g=aos4&x=Liberators&y=Clanrats&n=3`);
  await page.waitForSelector("#duel-results table");
  seen.rounds = await page.locator("#duel-results tbody tr").count();
  await page.getByRole("button", { name: "Copy picture" }).click();
  await page.waitForFunction(() => document.getElementById("told").textContent.startsWith("Picture"));
  await page.getByRole("button", { name: "Copy Markdown" }).click();
  seen.duel_markdown = await page.evaluate(() => navigator.clipboard.readText());
  await shot(page, "duel_dark");

  // an error is a sentence
  await page.goto(`${base}/#v=compare&g=aos4&a=Librators`);
  await page.waitForSelector("#results .error");
  seen.sentence = await page.locator("#results .error").innerText();
  await page.goto(`${base}/#v=compare&g=chess&a=Liberators`);
  await page.waitForFunction(() => document.querySelector("#results .error")?.textContent.includes("chess"));
  seen.no_game = await page.locator("#results .error").innerText();
  seen.errors = seen.errors.filter((text) => !text.includes("400 (Bad Request)")); // what the browser says of that answer
  await page.close();

  // keys alone
  const keys = await open();
  await keys.goto(base);
  await ready(keys);
  for (let step = 0; step < 20; step += 1) {
    await keys.keyboard.press("Tab");
    if (await keys.evaluate(() => document.activeElement.getAttribute("role") === "combobox")) break;
  }
  await keys.keyboard.type("stormv");
  await keys.waitForSelector("#add-attacker li");
  seen.expanded = await keys.evaluate(() => document.activeElement.getAttribute("aria-expanded"));
  seen.active = await keys.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent);
  await answered(keys, () => keys.keyboard.press("Enter"));
  for (let step = 0; step < 60; step += 1) {
    await keys.keyboard.press("Shift+Tab");
    if (await keys.evaluate(() => document.activeElement.type === "checkbox")) break;
  }
  await answered(keys, () => keys.keyboard.press("Space"));
  const before = keys.url();
  await keys.locator("#skip").focus();
  await keys.keyboard.press("Enter");
  seen.skipped_to = await keys.evaluate(() => document.activeElement.id);
  seen.skip_keeps = keys.url() === before && await keys.locator("#attackers .card").count() === 1;
  seen.said = await keys.getByRole("status").first().innerText();
  seen.by_keys = await keys.locator("#attackers .chip input:checked").count();
  seen.unlabelled = await keys.evaluate(() => [...document.querySelectorAll("input, select, textarea, button")].filter((node) => node.checkVisibility() && !node.labels?.length && !node.getAttribute("aria-label") && !node.textContent.trim()).map((node) => node.outerHTML));
  await keys.close();

  // a phone
  for (const [scheme, name] of [["light", "phone_light"], ["dark", "phone_dark"]]) {
    const phone = await open({ viewport: { width: 360, height: 740 }, colorScheme: scheme, hasTouch: true });
    await phone.goto(`${base}/#v=compare&g=aos4&a=10+Liberators%3A+charged&a=Rat+Ogors&t=40+Clanrats%3A+in+cover`);
    await phone.waitForSelector("table.compared");
    await phone.locator("#attackers summary").first().click();
    seen[name] = await phone.evaluate(() => document.documentElement.scrollWidth);
    await answered(phone, () => phone.locator("#attackers .chip", { hasText: "+1 to hit" }).first().click());
    seen[`${name}_brief`] = await phone.evaluate(() => { const at = document.getElementById("brief").getBoundingClientRect(); return at.top > 0 && at.bottom <= window.innerHeight && document.getElementById("brief").textContent; });
    await shot(phone, name);
    await phone.getByRole("link", { name: "Lists" }).click();
    await phone.locator("#drops input[type=file]").first().setInputFiles(list_file);
    await phone.waitForSelector("#list-results table.heat");
    seen[`${name}_lists`] = await phone.evaluate(() => document.documentElement.scrollWidth);
    await shot(phone, `${name}_lists`);
    await phone.close();
  }
  await browser.close();
  return seen;
}

look().then((seen) => process.stdout.write(JSON.stringify(seen)), (error) => { process.stderr.write(String(error.stack || error)); process.exit(1); });
