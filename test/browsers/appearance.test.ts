import { ask, button, callApi, command, COMPOSER, dialog, enter, field, link, writesLines } from "./fixtures.ts";
import type { Tab } from "./tab.ts";
import type { Target } from "./target.ts";
import { expect, test } from "./test.ts";

const QUOTE: Target = { css: "[aria-labelledby=left-off] li .italic" };

test("the home screen's quotes are set in the italic face and end with their whole mark", async ({ tab, newTab }) => {
  const email = await enter(tab);
  await tab.goto("/");
  await ask(tab, "say The harbour is open");
  // In a browser that has no face yet, which comes late.
  const fresh = await newTab();
  await enter(fresh, email);
  await fresh.goto("/");
  await fresh.see(QUOTE);
  await expect.poll(() => fresh.look(QUOTE, measureQuote).then(({ own, fallback }) => Math.abs(own - fallback))).toBeGreaterThan(0.5);
  const { room, overhang } = await fresh.look(QUOTE, measureQuote);
  expect(overhang).toBeGreaterThan(0);
  expect(room).toBeGreaterThanOrEqual(overhang);
});

/** How wide a quote is in its own face and in what stands in for that, how much room is kept behind its last letter, and how far that stands out. */
async function measureQuote([quote]: HTMLElement[]): Promise<{ own: number; fallback: number; room: number; overhang: number }> {
  const drawing = document.createElement("canvas").getContext("2d");
  // While the list is drawn anew.
  if (!quote || !drawing) return { own: 0, fallback: 0, room: 0, overhang: 0 };
  const { fontStyle, fontWeight, fontSize } = getComputedStyle(quote);
  // Of this machine, and late all the same: until then a third face would be measured.
  await document.fonts.load(`${fontStyle} ${fontWeight} ${fontSize} "Newsreader Fallback"`).catch(() => []);
  const probe = document.createElement("span");
  Object.assign(probe.style, {
    position: "absolute",
    whiteSpace: "nowrap",
    font: `${fontStyle} ${fontWeight} ${fontSize} "Newsreader Fallback"`,
  });
  probe.style.letterSpacing = getComputedStyle(quote).letterSpacing;
  probe.textContent = quote.textContent;
  document.body.append(probe);
  const range = document.createRange();
  range.selectNodeContents(quote);
  const written = range.getBoundingClientRect();
  drawing.font = `${fontStyle} ${fontWeight} ${fontSize} "Newsreader Variable"`;
  const mark = drawing.measureText("”");
  const sizes = {
    own: written.width,
    fallback: probe.getBoundingClientRect().width,
    room: quote.getBoundingClientRect().right - written.right,
    overhang: mark.actualBoundingBoxRight - mark.width,
  };
  probe.remove();
  return sizes;
}

test("whoever works with the mouse sees no ring stay behind", async ({ tab }) => {
  await enter(tab);
  await tab.goto("/");
  await tab.see(COMPOSER);
  const settings = dialog("Settings");
  await tab.click(button(/^Profile: /));
  await tab.click({ role: "menuitem", name: /^Settings/ });
  await tab.see({ role: "tabpanel", name: "General", within: settings });
  expect(await ringed(tab)).toEqual([]);
  await tab.click({ role: "tab", name: "Models", within: settings });
  await tab.see({ role: "tabpanel", name: "Models", within: settings });
  expect(await ringed(tab)).toEqual([]);
  await tab.click(button("Close", settings));
  await tab.lack(settings);
  expect(await ringed(tab)).toEqual([]);
  // By the keys it is there.
  await tab.press("Tab");
  expect(await ringed(tab)).toHaveLength(1);
});

/** What stands in a ring and is no field to write in. */
function ringed(tab: Tab): Promise<string[]> {
  return tab.evaluate(() =>
    Array.from(document.querySelectorAll(":focus-visible:not(input, textarea)"))
      .filter((element) => getComputedStyle(element).outlineStyle !== "none")
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

test("ends stand under each other, whatever room a scroll bar takes: in the models' columns, in settings and in the sidebar", async ({
  tab,
}) => {
  await enter(tab);
  await tab.goto("/robots.txt");
  for (let n = 0; n < 12; n += 1) await callApi(tab, "POST", "/api/chats", { id: crypto.randomUUID(), title: `Pier ${n}` });
  await tab.goto("/?settings=models");
  await tab.see({ role: "checkbox", within: dialog("Settings"), nth: 20 });
  const edges = await tab.evaluate(() => {
    const endOf = (element: Element | undefined) => element && Math.round(element.getBoundingClientRect().right);
    const panel = document.querySelector("[role=dialog] [role=tabpanel]:not([hidden])");
    const row = Array.from(panel?.querySelectorAll("li") ?? []).find(({ innerText }) => innerText.includes("Claude Opus 4.1"));
    const figures = Array.from(row?.querySelectorAll("label > span") ?? [], (figure) => endOf(figure));
    const spans = Array.from(panel?.querySelectorAll("span") ?? []);
    const heads = ["Context", "In / out per 1M"].map((text) => endOf(spans.find(({ textContent }) => textContent === text)));
    const undo = Array.from(panel?.querySelectorAll("button") ?? []).find(({ textContent }) => textContent === "Undo");
    return { heads, figures: figures.slice(1), rows: endOf(row), undo: endOf(undo) };
  });
  expect(edges.figures).toHaveLength(2);
  expect(edges.heads).toEqual(edges.figures);
  expect(edges.rows).toBe(edges.undo);

  const settings = dialog("Settings");
  await tab.click({ role: "tab", name: "General", within: settings });
  const row = button(/^Personas/, settings);
  await tab.see(row);
  // What scrolls ends at the edge of what does not.
  expect(await rightOf(tab, row)).toBe(edges.undo);
  await tab.click(button("Close", settings));
  await tab.lack(settings);
  await tab.click({ role: "tab", name: "Chats" });
  await tab.see(link("Pier 11"));
  expect(await tab.look(link("Pier 11"), ([chat]) => chat?.closest("[data-drag-scroll]")?.scrollTop)).toBe(0);
  expect(await rightOf(tab, link("Pier 11"))).toBe(await rightOf(tab, { role: "tablist", name: "Lists of chats" }));
});

/** Where a target ends, in px. */
function rightOf(tab: Tab, target: Target): Promise<number | undefined> {
  return tab.look(target, ([element]) => element && Math.round(element.getBoundingClientRect().right));
}

test.describe("at 390 px", () => {
  test.use({ width: 390 });

  test("wide tables, formulas, marks and a stuck head look as they should, and fields grow wherever many lines are written", async ({
    tab,
  }) => {
    await enter(tab);
    await tab.goto("/");
    const wide = `| ${Array.from({ length: 9 }, (_, n) => `Harbour ${n}`).join(" | ")} |`;
    await ask(tab, ["say $$\\tfrac{1}{2} + \\dfrac{1}{2}$$", "", wide, "|---".repeat(9) + "|", wide].join("\n"));
    await tab.see({ css: "math" });
    const marks = () => getComputedStyle(document.body, "::highlight(changed)").textDecorationLine;
    expect(await tab.evaluate(marks)).toBe("underline");
    const [inLine = 0, alone = 0] = await tab.look({ css: "mfrac" }, (fractions) =>
      fractions.map(({ offsetHeight, firstElementChild }) => firstElementChild?.getBoundingClientRect().height ?? offsetHeight),
    );
    expect(inLine).toBeLessThan(alone * 0.9);
    await expect.poll(() => tab.evaluate(shadowsOfTable, 0)).toEqual([0, 1]);
    await expect.poll(() => tab.evaluate(shadowsOfTable, 40)).toEqual([1, 1]);
    await expect.poll(() => tab.evaluate(shadowsOfTable, 10_000)).toEqual([1, 0]);
    await tab.goto("/");
    const rows = Array.from({ length: 60 }, (_, row) => `| Pier ${row} | ${row} |`);
    await ask(tab, ["speed 3000", "say | Pier | Price |", "|---|---|", ...rows, "", "The end of it. ".repeat(80)].join("\n"));
    await expect.poll(async () => darkest(tab, await tab.evaluate(passHalfOfTable))).toBeLessThan(180);

    await writesLines(tab, COMPOSER, 6);
    await tab.fill(COMPOSER, "speed 20\nbytes 20000");
    await tab.press("Enter");
    await tab.see(button("Stop"));
    await tab.fill(COMPOSER, "say one");
    await tab.press("Enter");
    await tab.click(button("Edit", { css: "section", text: "say one" }));
    await writesLines(tab, field("Edit queued message"), 6);

    const mail = { to: ["marta@oliveira.example"], subject: "March", body: "Dear Marta" };
    const content = `call sendEmail ${JSON.stringify(mail)}\nthen\nsay Done.`;
    const message = { id: crypto.randomUUID(), parent_id: null, content, model_id: "auto", tool_categories: ["email"] };
    await callApi(tab, "POST", `/api/chat/${crypto.randomUUID()}/messages`, message);
    await callApi(tab, "POST", "/api/template-messages", { name: "Tender answer", content: "say {{client}}" });
    await tab.goto("/approvals");
    await tab.click(button("Edit"));
    await writesLines(tab, field("Body"), 12);

    await tab.goto("/");
    await tab.fill(COMPOSER, "/Tender");
    await tab.click({ role: "option", text: "Tender answer" });
    const place: Target = { css: "[data-prompt-field]" };
    await writesLines(tab, place, 6);

    await tab.goto("/");
    await command(tab, "Manage prompts");
    await tab.click(button("Create New Prompt"));
    await writesLines(tab, field("Content"), 12);
  });
});

/** Scrolls the table sideways, and gives how much is seen of the shadows at its left and at its right. */
function shadowsOfTable(to: number): number[] {
  const frame = document.querySelector(".table-frame");
  frame?.firstElementChild?.scrollTo(to, 0);
  return frame ? ["::before", "::after"].map((part) => Number(getComputedStyle(frame, part).opacity)) : [];
}

/** Brings half of the table above the transcript's edge, and gives a place in its head's last pixels that no letter covers. */
async function passHalfOfTable(): Promise<{ x: number; y: number }> {
  const box = document.querySelector("[role=log]")?.parentElement;
  const table = box?.querySelector("table");
  const cell = table?.tHead?.rows[0]?.cells[0];
  if (!box || !table || !cell) throw new Error("There is no table.");
  box.scrollTop += table.getBoundingClientRect().top - box.getBoundingClientRect().top + table.offsetHeight / 2;
  for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
  const { right, bottom } = cell.getBoundingClientRect();
  return { x: Math.round(right - 4), y: Math.round(bottom) };
}

/** How light the darkest of the pixels around the end of a head is, from 0 to 255: its own line is darker than those between rows. */
async function darkest(tab: Tab, { x, y }: { x: number; y: number }): Promise<number> {
  const picture = (await tab.driver.screenshot()).toString("base64");
  return tab.evaluate(
    async (data, left, top) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.codePointAt(0) ?? 0);
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: image.width, height: image.height });
      const drawing = canvas.getContext("2d");
      drawing?.drawImage(image, 0, 0);
      const pixels = drawing?.getImageData(left, top - 2, 1, 4).data ?? [];
      return Math.min(...Array.from(pixels).filter((_, index) => index % 4 === 1));
    },
    picture,
    x,
    y,
  );
}
