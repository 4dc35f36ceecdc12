import type { Locator, Page } from "@playwright/test";
import { callApi, enter, makeChat, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { ask, sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

function row(page: Page, title: string): Locator {
  return sidebar(page).getByRole("link", { name: title, exact: true });
}

function tab(page: Page, name: string): Locator {
  return sidebar(page).getByRole("tab", { name, exact: true });
}

async function mark(page: Page, id: string, body: object): Promise<void> {
  await callApi(page, { method: "PATCH", path: `/api/chat/${id}`, body });
}

/** The headings and titles of the list from the top. */
async function lines(page: Page): Promise<string[]> {
  return sidebar(page)
    .getByRole("listitem")
    .evaluateAll((items) =>
      items.map((item) => item.querySelector("a")?.getAttribute("aria-label") ?? item.querySelector("h2")?.textContent ?? ""),
    );
}

function toasts(page: Page): Locator {
  return page.getByRole("region", { name: "Notifications" });
}

async function inMenu(page: Page, title: string, name: string): Promise<void> {
  await row(page, title).hover();
  await sidebar(page)
    .getByRole("button", { name: `Actions for ${title}` })
    .click();
  // Another row's menu may be on its way out.
  const menu = page.getByRole("menu", { name: `Actions for ${title}` });
  await menu.getByRole("menuitem", { name: new RegExp(`^${name}\\b`) }).click();
}

test("the inbox groups what is unread, pinned and recent, in every tab, and opening a chat reads it", async ({
  page,
  context,
  allowConsole,
}) => {
  allowConsole(/the server responded with a status of 503/);
  await enter(page);
  const [first, second, third] = [await makeChat(page, "Lighthouse"), await makeChat(page, "Harbour"), await makeChat(page, "Bridge")];
  await mark(page, first, { isRead: false });
  await mark(page, second, { isPinned: true });
  await callApi(page, { method: "PATCH", path: "/api/user", body: { artifacts_enabled: false } });
  await page.addInitScript(() => localStorage.setItem("sidebar-view-mode", JSON.stringify("artifacts")));
  await page.goto("/");
  // Artifacts are switched off, so their tab falls back.
  await expect(tab(page, "Inbox")).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => lines(page)).toEqual(["Unread", "Lighthouse", "Pinned", "Harbour", "Last 24 hours", "Bridge"]);
  await expect(tab(page, "Inbox")).toHaveAccessibleDescription("1 unread");

  const other = await context.newPage();
  await other.goto(`/c/${third}`);
  await expect(other).toHaveTitle("(1) Bridge · Polylogue");
  await row(page, "Lighthouse").click();
  await expect.poll(() => lines(other)).toEqual(["Pinned", "Harbour", "Last 24 hours", "Bridge", "Lighthouse"]);
  await expect(other).toHaveTitle("Bridge · Polylogue");

  // Marked by hand, the chat on screen stays unread.
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Mark unread" }).click();
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Pin", exact: true }).click();
  await inMenu(page, "Harbour", "Unpin");
  await expect.poll(() => lines(other)).toEqual(["Unread", "Lighthouse", "Last 24 hours", "Bridge", "Harbour"]);
  await expect(page).toHaveTitle("(1) Lighthouse · Polylogue");

  await page.route("**/api/chat/*", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 503, json: { error: "The database is resting.", code: "INTERNAL" } })
      : route.fallback(),
  );
  await inMenu(page, "Bridge", "Pin");
  await expect(toasts(page)).toContainText("Failed to update pin state");
  await expect(toasts(page)).toContainText("The database is resting.");
  await expect.poll(() => lines(page)).toEqual(["Unread", "Lighthouse", "Last 24 hours", "Bridge", "Harbour"]);
});

furtherTest("in a narrow window a row of the drawer has its menu for the mouse", async ({ page }) => {
  await enter(page);
  await makeChat(page, "Harbour");
  await page.setViewportSize({ width: 700, height: 800 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open sidebar" }).click();
  await inMenu(page, "Harbour", "Rename");
  const field = sidebar(page).getByRole("textbox", { name: "Chat title" });
  await expect(field).toBeFocused();
  await field.fill("Lighthouse");
  await field.press("Enter");
  await expect(row(page, "Lighthouse")).toBeFocused();
});

furtherTest("a reply that ends while nobody looks makes its chat unread, one that is watched does not", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await ask(page, "say Watched to its end");
  await expect(row(page, "Watched to its end")).toBeVisible();
  await startChat(page, "say Answered behind curtains");
  await expect(row(page, "Answered behind curtains")).toHaveAccessibleDescription(/^Unread/);
  await expect(row(page, "Watched to its end")).not.toHaveAccessibleDescription(/Unread/);
  expect((await lines(page))[0]).toBe("Unread");
  await tab(page, "Chats").click();
  await page.reload();
  await expect(tab(page, "Chats")).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await expect(page.getByRole("button", { name: "Expand sidebar" })).toHaveAccessibleDescription("1 unread");
});

furtherTest(
  "badges stop at 99 and 9, a list on its way shows eight rows, and a row that is pointed at is fetched ahead",
  async ({ page }) => {
    await enter(page);
    const id = await makeChat(page, "Pointed at");
    const list = Promise.withResolvers<void>();
    await page.route(/\/api\/chats\?/, async (route) => {
      await list.promise;
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), unreadCount: 120 } });
    });
    await page.goto("/");
    await expect(sidebar(page).locator("[data-skeleton]")).toHaveCount(8);
    list.resolve();
    await expect(tab(page, "Inbox")).toHaveAccessibleDescription("99+ unread");
    await expect(page).toHaveTitle(/^\(99\+\) /);
    const fetched = page.waitForRequest(new RegExp(`/api/chat/${id}/messages`));
    await row(page, "Pointed at").hover();
    await fetched;
    await page.getByRole("button", { name: "Collapse sidebar" }).click();
    await expect(page.getByRole("button", { name: "Expand sidebar" })).toHaveAccessibleDescription("9+ unread");
  },
);

test("many chats are archived at once, taken back, found in the archive and restored; shared ones say why they stay", async ({
  page,
  newDevice,
}) => {
  const friend = newAddress("friend");
  await enter(await newDevice(), friend);
  await enter(page);
  const ids = new Map<string, string>();
  for (const title of ["Alpha", "Beta", "Gamma", "Delta", "Omega"]) ids.set(title, await makeChat(page, title));
  await callApi(page, {
    method: "POST",
    path: `/api/chat/${ids.get("Gamma")}/share`,
    body: { type: "user", email: friend, permissionLevel: "viewer" },
  });
  await page.goto(`/c/${ids.get("Delta")}`);
  await tab(page, "Chats").click();
  await expect(row(page, "Omega")).toBeVisible();
  const bar = sidebar(page).getByRole("toolbar", { name: "Selected chats" });

  // From Delta to Alpha, by Shift.
  await row(page, "Delta").hover();
  await sidebar(page).getByRole("checkbox", { name: "Select Delta" }).click();
  // The bar comes above the list, whose rows then stand lower.
  await expect(bar.getByText("1 selected")).toBeVisible();
  await row(page, "Alpha").click({ modifiers: ["Shift"] });
  await expect(bar.getByText("4 selected")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);

  await bar.getByRole("button", { name: "Archive", exact: true }).click();
  await expect(toasts(page)).toContainText("3 chats archived, 1 not");
  await expect(toasts(page)).toContainText(/shared.*\(Gamma\)/i);
  await expect.poll(() => lines(page)).toEqual(["Today", "Omega", "Gamma"]);
  // The next one that stays is open in its place.
  await expect(page).toHaveURL(`/c/${ids.get("Gamma")}`);
  await toasts(page).getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => lines(page)).toEqual(["Today", "Omega", "Delta", "Gamma", "Beta", "Alpha"]);

  await inMenu(page, "Beta", "Archive");
  await expect(row(page, "Beta")).toHaveCount(0);
  await sidebar(page).getByRole("button", { name: "Archived" }).click();
  await expect(row(page, "Beta")).toHaveAccessibleDescription(/Archived/);
  await inMenu(page, "Beta", "Unarchive");
  await expect(sidebar(page).getByText("Nothing is archived")).toBeVisible();
  await sidebar(page).getByRole("button", { name: "All chats" }).click();
  await expect(row(page, "Beta")).toBeVisible();

  await row(page, "Alpha").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await expect(bar.getByText("5 selected")).toBeVisible();
  await expect(sidebar(page).getByText("All 5 chats of this list are selected")).toBeVisible();
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog", { name: "Delete 5 chats?" }).getByRole("button", { name: "Delete" }).click();
  await expect(sidebar(page).getByText("No chats yet")).toBeVisible();
  await expect(page).toHaveURL((url) => url.pathname === "/");
});

furtherTest("the list is worked by keys alone while it has the focus", async ({ page }) => {
  await enter(page);
  const ids = new Map<string, string>();
  for (const title of ["One", "Two", "Three", "Four", "Five"]) ids.set(title, await makeChat(page, title));
  await page.goto("/");
  await expect(row(page, "Five")).toBeVisible();
  // Somewhere else the letters are only letters.
  await page.keyboard.press("e");
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toHaveValue("e");

  await row(page, "Five").focus();
  await page.keyboard.press("j");
  await expect(row(page, "Four")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/c/${ids.get("Four")}`);
  await row(page, "Four").focus();
  await page.keyboard.press("e");
  // The next one is open and has the focus.
  await expect(page).toHaveURL(`/c/${ids.get("Three")}`);
  await expect(row(page, "Three")).toBeFocused();
  await expect(row(page, "Four")).toHaveCount(0);

  await page.keyboard.press("k");
  await page.keyboard.press("p");
  await expect.poll(() => lines(page)).toEqual(["Pinned", "Five", "Last 24 hours", "Three", "Two", "One"]);
  await expect(row(page, "Five")).toBeFocused();
  await page.keyboard.press("u");
  await expect(row(page, "Five")).toHaveAccessibleDescription(/^Unread/);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+J");
  const bar = sidebar(page).getByRole("toolbar", { name: "Selected chats" });
  await expect(bar.getByText("2 selected")).toBeVisible();
  await page.keyboard.press("u");
  await expect(bar).toHaveCount(0);
  await expect.poll(() => lines(page)).toEqual(["Unread", "Five", "Three", "Two", "Last 24 hours", "One"]);
  await row(page, "Two").focus();
  await page.keyboard.press("x");
  await expect(bar).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  await page.keyboard.press("F2");
  await expect(sidebar(page).getByRole("textbox", { name: "Chat title" })).toBeFocused();
});
