import type { Page } from "@playwright/test";
import { sidebar } from "../../e2e/fixtures/chat.ts";
import { openList, withSidebar } from "../open.ts";
import { change, fail, hold, scene } from "../scene.ts";
import { LONG_TITLE, LONG_WORD } from "../seed/titles.ts";

const LISTS = /\/api\/(chats|inbox|folders)/;
const ARTIFACTS = /\/api\/artifacts/;

for (const [name, tab] of [
  ["inbox", "Inbox"],
  ["chats", "Chats"],
  ["artifacts", "Artifacts"],
] as const) {
  const requests = tab === "Artifacts" ? ARTIFACTS : LISTS;
  scene(`sidebar-${name}`, (page) => openList(page, tab));
  scene(`sidebar-${name}-empty`, (page) => openList(page, tab), { as: "newcomer" });
  scene(
    `sidebar-${name}-loading`,
    async (page) => {
      await hold(page, requests);
      await openList(page, tab);
    },
    { isLoading: true },
  );
  scene(`sidebar-${name}-failing`, async (page) => {
    await fail(page, requests);
    await openList(page, tab);
  });
}

scene("sidebar-folders", async (page) => {
  await openList(page, "Chats");
  await sidebar(page).getByRole("treeitem", { name: "Studio" }).press("ArrowRight");
  await sidebar(page).getByRole("treeitem", { name: "Offers and invoices" }).waitFor();
});
scene("sidebar-folder-opened", async (page) => {
  await openList(page, "Chats");
  await sidebar(page).getByRole("treeitem", { name: "Studio" }).click();
  await sidebar(page).getByRole("heading", { name: "Studio" }).waitFor();
});
scene("sidebar-long", async (page) => {
  await change(page, /\/api\/inbox/, (body) => ({ ...body, chats: many(body["chats"]) }));
  await change(page, /\/api\/chats\?/, (body) => ({ ...body, chats: many(body["chats"]) }));
  await openList(page, "Inbox");
});
scene("sidebar-row-menu", async (page) => {
  await openList(page, "Chats");
  const row = sidebar(page)
    .getByRole("link", { name: /Offer to Marta/ })
    .first();
  await row.hover();
  const menu = sidebar(page).getByRole("button", { name: /^Actions for Offer to Marta/ });
  // A finger ticks, and the bar over the ticked rows has what this menu offers.
  if (await hasFingers(page)) return select(page, 1);
  await menu.click();
  await page.getByRole("menu").waitFor();
});
scene("sidebar-profile-menu", async (page) => {
  await withSidebar(page);
  await page.getByRole("button", { name: /^Profile/ }).click();
  await page.getByRole("menuitem", { name: "About" }).waitFor();
});

for (const [name, tab] of [
  ["inbox", "Inbox"],
  ["chats", "Chats"],
] as const) {
  scene(`sidebar-${name}-selecting`, async (page) => {
    await openList(page, tab);
    await select(page, 3);
  });
}
scene("sidebar-selecting-all", async (page) => {
  await openList(page, "Chats");
  await select(page, 1);
  await page.getByRole("button", { name: /^Select all/ }).click();
});
scene("sidebar-selecting-menu", async (page) => {
  await openList(page, "Chats");
  await select(page, 1);
  await page.getByRole("button", { name: "More actions" }).click();
});
scene("sidebar-selecting-delete", async (page) => {
  await openList(page, "Chats");
  await select(page, 2);
  await page.getByRole("toolbar", { name: "Selected chats" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").waitFor();
});
scene("sidebar-selecting-refused", async (page) => {
  await openList(page, "Chats");
  await select(page, 2);
  await fail(page, /\/api\/chats\/bulk/);
  await page.getByRole("toolbar", { name: "Selected chats" }).getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
});

/** Rows with long names. */
function many(chats: unknown): unknown[] {
  if (!Array.isArray(chats)) throw new Error("A list of chats was expected.");
  return chats.map((chat: object, n) => ({ ...chat, title: n % 2 === 0 ? LONG_TITLE : LONG_WORD, lastMessagePreview: LONG_WORD }));
}

/** Ticks so many rows of the list, every other one: the first by its box, its menu or a long press, whichever there is. */
async function select(page: Page, count: number): Promise<void> {
  const row = sidebar(page)
    .getByRole("link", { name: /Offer to Marta/ })
    .first();
  const box = sidebar(page).getByRole("checkbox", { name: /Offer to Marta/ });
  const menu = sidebar(page).getByRole("button", { name: /^Actions for Offer to Marta/ });
  if (await hasFingers(page)) await row.dispatchEvent("pointerdown", { pointerType: "touch" });
  else {
    await row.hover();
    if (await box.isVisible()) await box.click();
    else {
      await menu.click();
      await page.getByRole("menuitem", { name: /^Select/ }).click();
    }
  }
  await sidebar(page).getByRole("toolbar", { name: "Selected chats" }).waitFor();
  for (let n = 1; n < count; n += 1)
    await sidebar(page)
      .getByRole("checkbox", { checked: false })
      .nth(n * 2)
      .click();
}

function hasFingers(page: Page): Promise<boolean> {
  return page.evaluate(() => window.matchMedia("(pointer: coarse)").matches);
}
