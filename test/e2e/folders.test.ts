import type { Locator, Page } from "@playwright/test";
import { callApi, enter, makeChat } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { sidebar } from "./fixtures/chat.ts";
import { holdFirstRead } from "./fixtures/late-answer.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

function row(page: Page, title: string): Locator {
  return sidebar(page).getByRole("link", { name: title, exact: true });
}

function folder(page: Page, name: string): Locator {
  return sidebar(page).getByRole("treeitem", { name, exact: true });
}

/** The names and levels of the folders in sight, top to bottom. */
function tree(page: Page): Promise<string[]> {
  return sidebar(page)
    .getByRole("treeitem")
    .evaluateAll((items) => items.map((item) => `${item.getAttribute("aria-level")} ${item.getAttribute("aria-label")}`));
}

async function choose(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole("menuitem", { name }).click();
}

async function drag(page: Page, from: Locator, to: Locator, part = 0.5): Promise<void> {
  // The folders come a moment after the chats, and move them down.
  await to.hover();
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error("What is dragged, or where to, is not in sight.");
  await page.mouse.move(start.x + 60, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + 60, start.y + start.height / 2 - 10, { steps: 2 });
  await page.mouse.move(end.x + 60, end.y + end.height * part, { steps: 4 });
}

test("folders are made, nested, filled by mouse and keys, renamed and deleted with a way back; tags filter; another tab follows", async ({
  page,
  context,
  allowConsole,
}) => {
  await enter(page);
  for (const title of ["Invoices of May", "Garden plan", "Lisbon in spring"]) await makeChat(page, title);
  await page.addInitScript(() => localStorage.setItem("sidebar-view-mode", JSON.stringify("all")));
  await page.goto("/");
  const other = await context.newPage();
  await other.addInitScript(() => localStorage.setItem("sidebar-view-mode", JSON.stringify("all")));
  await other.goto("/");

  // Made by the list's menu; in the other tab they come by themselves.
  const field = sidebar(page).getByRole("textbox", { name: "Folder name" });
  for (const name of ["Work", "Home"]) {
    await sidebar(page).getByRole("button", { name: "List options" }).click();
    await choose(page, "New folder");
    await field.fill(name);
    await field.press("Enter");
    await expect(folder(page, name)).toBeFocused();
  }
  await expect.poll(() => tree(other)).toEqual(["1 Work", "1 Home"]);

  // A chat goes in by mouse and stands in its folder alone; Escape drops nothing.
  await drag(page, row(page, "Garden plan"), folder(page, "Work"));
  await page.keyboard.press("Escape");
  await page.mouse.up();
  // Neither does a release that the page was not told of.
  await drag(page, row(page, "Garden plan"), folder(page, "Work"));
  await page.evaluate(() => window.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, buttons: 0 })));
  await page.mouse.up();
  await drag(page, row(page, "Invoices of May"), folder(page, "Work"));
  await page.mouse.up();
  await expect(row(page, "Invoices of May")).toHaveCount(0);
  await expect(row(page, "Garden plan")).toBeVisible();
  await expect(folder(other, "Work")).toHaveAccessibleDescription("1 chat");
  await expect(row(other, "Invoices of May")).toHaveCount(0);

  // Another by keys, into a folder that is made by typing; the row's menu offers the same.
  await row(page, "Lisbon in spring").hover();
  await sidebar(page).getByRole("button", { name: "Actions for Lisbon in spring" }).click();
  await choose(page, "Move to folder…");
  await expect(page.getByRole("combobox", { name: "Search folders" })).toBeFocused();
  await page.keyboard.press("Escape");
  await row(page, "Lisbon in spring").focus();
  await page.keyboard.press("m");
  await page.getByRole("combobox", { name: "Search folders" }).fill("Travel");
  await page.getByRole("option", { name: "New folder “Travel”" }).click();
  await expect(row(page, "Lisbon in spring")).toHaveCount(0);
  await expect.poll(() => tree(page)).toEqual(["1 Work", "1 Home", "1 Travel"]);

  // A folder goes into another by mouse, among its siblings and out again by keys.
  await drag(page, folder(page, "Travel"), folder(page, "Home"));
  await page.mouse.up();
  await expect.poll(() => tree(page)).toEqual(["1 Work", "1 Home", "2 Travel"]);
  await folder(page, "Home").focus();
  await page.keyboard.press("Alt+Shift+ArrowUp");
  await expect.poll(() => tree(page)).toEqual(["1 Home", "2 Travel", "1 Work"]);
  await expect(folder(page, "Home")).toBeFocused();
  await expect.poll(() => tree(other)).toEqual(["1 Home", "1 Work"]);
  await page.keyboard.press("ArrowRight");
  await expect(folder(page, "Travel")).toBeFocused();
  await page.keyboard.press("F2");
  await field.fill("Journeys");
  await field.press("Enter");
  await expect(folder(page, "Journeys")).toBeFocused();
  await expectAccessible(page);

  // The window's own keys work in the tree as well.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(folder(page, "Journeys")).toBeFocused();

  // Opened, it lists its chats, and a chat begun now goes into it.
  await page.keyboard.press("Enter");
  await expect(row(page, "Lisbon in spring")).toBeVisible();
  await expect(row(page, "Garden plan")).toHaveCount(0);
  await expect(page.getByRole("note", { name: "Folder of the new chat" })).toContainText("Journeys");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("say Porto in autumn");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/c/*");
  await expect(
    sidebar(page)
      .getByRole("listitem")
      .filter({ has: page.getByRole("link") }),
  ).toHaveCount(2);

  // Tags are ticked in the chat's own menu and filter the list.
  await page.getByRole("main").getByRole("button", { name: "Chat actions" }).click();
  await choose(page, "Tags…");
  await page.getByRole("combobox", { name: "Search tags" }).fill("Iberia");
  await page.getByRole("option", { name: "New tag “Iberia”" }).click();
  await expect(page.getByRole("option", { name: "Iberia", exact: true })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");
  await sidebar(page).getByRole("button", { name: "Back to Home" }).click();
  await sidebar(page).getByRole("button", { name: "All chats" }).click();
  await sidebar(page).getByRole("button", { name: "List options" }).click();
  await choose(page, "Filter by tag…");
  await page.getByRole("option", { name: "Iberia" }).click();
  await expect(
    sidebar(page)
      .getByRole("listitem")
      .filter({ has: page.getByRole("link") }),
  ).toHaveCount(1);
  await sidebar(page).getByRole("button", { name: "Clear the filter Iberia" }).click();

  // Deleted, what was in it moves up; Undo brings it back as it was.
  await folder(page, "Home").hover();
  await sidebar(page).getByRole("button", { name: "Actions for Home" }).click();
  await choose(page, "Delete folder");
  await expect.poll(() => tree(page)).toEqual(["1 Journeys", "1 Work"]);
  const deletion = page.getByRole("region", { name: "Notifications" }).getByRole("listitem").filter({ hasText: "“Home” was deleted" });
  await deletion.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => tree(page)).toEqual(["1 Home", "2 Journeys", "1 Work"]);

  // Where the folders cannot be read, their chats stand among the others, until they can.
  const refusal = { status: 403, json: { error: "Folders rest.", code: "FORBIDDEN" } };
  allowConsole(/403 \(Forbidden\) \(.*\/api\/folders\)/);
  await other.route("**/api/folders", (route) => route.fulfill(refusal));
  await other.reload();
  await expect(sidebar(other).getByRole("alert")).toContainText("Folders rest.");
  await expect(row(other, "Invoices of May")).toBeVisible();
  await other.unroute("**/api/folders");
  // They may have been asked for again by themselves meanwhile.
  await expect(async () => {
    if (await folder(other, "Work").isHidden()) await sidebar(other).getByRole("button", { name: "Try again" }).click({ timeout: 1_000 });
    await expect(folder(other, "Work")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(row(other, "Invoices of May")).toHaveCount(0);
});

furtherTest(
  "a folder that is named before the folders were read gets the focus with its row, unless the person went on",
  async ({ page }) => {
    await enter(page);
    await makeChat(page, "Garden plan");
    await page.addInitScript(() => localStorage.setItem("sidebar-view-mode", JSON.stringify("all")));
    const field = sidebar(page).getByRole("textbox", { name: "Folder name" });
    const nameOne = async (name: string) => {
      await sidebar(page).getByRole("button", { name: "List options" }).click();
      await choose(page, "New folder");
      await field.fill(name);
      await field.press("Enter");
      await expect(field).toBeHidden();
    };
    let [held, letGo] = ["GET", () => {}];
    await page.route("**/api/folders", async (route) => {
      if (route.request().method() === held) await new Promise<void>((resolve) => (letGo = resolve));
      await route.continue();
    });
    const answer = (method: string) =>
      page.waitForResponse((response) => response.request().method() === method && response.url().endsWith("/api/folders"));

    const made = answer("POST");
    await page.goto("/");
    await nameOne("Work");
    await made;
    await expect(folder(page, "Work")).toBeHidden();
    held = "POST";
    letGo();
    await expect(folder(page, "Work")).toBeFocused();

    await nameOne("Home");
    await expect(folder(page, "Home")).toBeVisible();
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    await message.focus();
    const readAgain = answer("GET");
    held = "";
    letGo();
    await readAgain;
    await expect(folder(page, "Home")).toBeVisible();
    await page.keyboard.type("on it goes");
    await expect(message).toHaveValue("on it goes");
  },
);

test("a folder that is made elsewhere while the folders are read for the first time is shown", async ({ page }) => {
  await enter(page);
  await page.addInitScript(() => localStorage.setItem("sidebar-view-mode", JSON.stringify("all")));
  const firstRead = await holdFirstRead(page, "**/api/folders");
  const line = page.waitForEvent("websocket");
  const hears = (what: string) => line.then((socket) => socket.waitForEvent("framereceived", ({ payload }) => payload.includes(what)));
  const [opened, changed] = [hears('"hello"'), hears('"content.changed"')];
  await page.goto("/");
  await Promise.all([opened, firstRead.asked]);
  await callApi(page, { method: "POST", path: "/api/folders", body: { id: crypto.randomUUID(), name: "Work" } });
  await changed;
  await firstRead.tell();
  await expect(folder(page, "Work")).toBeVisible();
});

furtherTest("folders and tags that could not be read are not said to be none, and are asked for again", async ({ page, allowConsole }) => {
  allowConsole(/the server responded with a status of 503/);
  await enter(page);
  const chatId = await makeChat(page, "Ferries");
  const refused = { status: 503, json: { code: "INTERNAL", error: "Not now." } };
  await page.route("**/api/folders", (route) => route.fulfill(refused));
  await page.goto(`/c/${chatId}`);
  await page.getByRole("main").getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Move to folder…" }).click();
  const picker = page.getByRole("dialog", { name: "Move to folder" });
  await expect(picker.getByRole("alert")).toContainText("Your folders could not be loaded.", { timeout: 15_000 });
  await expect(picker).not.toContainText("There are no folders yet");
  // Nor is one made whose name may be taken.
  await picker.getByRole("combobox", { name: "Search folders" }).fill("Ships");
  await expect(picker.getByRole("alert")).toBeVisible();
  await expect(picker.getByRole("option")).toHaveCount(0);
  await picker.getByRole("combobox", { name: "Search folders" }).fill("");
  await page.unroute("**/api/folders");
  await picker.getByRole("button", { name: "Try again" }).click();
  await expect(picker).toContainText("There are no folders yet. Type a name to make one.");
  await expect(picker.getByRole("combobox", { name: "Search folders" })).toBeFocused();

  await page.route("**/api/folders", (route) => route.fulfill(refused));
  await page.reload();
  await page.getByRole("main").getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Tags…" }).click();
  const tags = page.getByRole("dialog", { name: "Tags" });
  await expect(tags.getByRole("alert")).toContainText("Your tags could not be loaded.", { timeout: 15_000 });
  await tags.getByRole("combobox", { name: "Search tags" }).fill("Sea");
  await expect(tags.getByRole("option")).toHaveCount(0);
});
