import type { Locator, Page } from "@playwright/test";
import { enter, makeChat } from "./fixtures/api.ts";
import { ask, composer, sidebar } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const NOT_FOUND = "This chat doesn't exist, or you have no access to it.";

function row(page: Page, title: string): Locator {
  return sidebar(page).getByRole("link", { name: title, exact: true });
}

function notices(page: Page): Locator {
  return page.getByRole("region", { name: "Notifications" });
}

function heading(page: Page, name: string): Locator {
  return page.getByRole("main").getByRole("heading", { level: 1, name, exact: true });
}

async function openRowMenu(page: Page, title: string): Promise<void> {
  await row(page, title).hover();
  await sidebar(page)
    .getByRole("button", { name: `Actions for ${title}` })
    .click();
}

test.describe("renaming", () => {
  test("a chat is renamed in the header: Enter and leaving the field save, Escape does not, an empty title is not taken", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    const chatId = await ask(page, "say Lanterns beside water");
    await expect(heading(page, "Lanterns beside water")).toBeVisible();
    const other = await context.newPage();
    await other.goto(`/c/${chatId}`);
    const field = page.getByRole("textbox", { name: "Chat title" });
    const begin = async () => {
      await heading(page, (await page.getByRole("heading", { level: 1 }).textContent()) ?? "").hover();
      await page.getByRole("main").getByRole("button", { name: "Rename" }).click();
      await expect(field).toBeFocused();
    };

    await begin();
    await expect(field).toHaveValue("Lanterns beside water");
    await field.fill("  By Enter  ");
    await field.press("Enter");
    await expect(heading(page, "By Enter")).toBeVisible();
    await expect(row(page, "By Enter")).toBeVisible();
    await expect(heading(other, "By Enter")).toBeVisible();
    await expect(row(other, "By Enter")).toBeVisible();

    await begin();
    await field.fill("By leaving");
    const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.url().endsWith(chatId));
    await composer(page).click();
    await expect(heading(page, "By leaving")).toBeVisible();

    await begin();
    await field.fill("Never mind");
    await field.press("Escape");
    await expect(heading(page, "By leaving")).toBeVisible();

    await begin();
    await field.fill("   ");
    await field.press("Enter");
    await expect(heading(page, "By leaving")).toBeVisible();

    // Shown before it is stored.
    await saved;
    await page.reload();
    await expect(heading(page, "By leaving")).toBeVisible();
    await expect(row(page, "By leaving")).toBeVisible();
    await expect(page).toHaveTitle(/By leaving/);
  });

  furtherTest("a chat is renamed from its row's menu and with F2, by the same rules, and the header follows", async ({ page }) => {
    await page.goto("/");
    await ask(page, "say Renamed later twice");
    const field = sidebar(page).getByRole("textbox", { name: "Chat title" });

    await openRowMenu(page, "Renamed later twice");
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await expect(field).toBeFocused();
    await field.fill("Renamed by Enter");
    await field.press("Enter");
    await expect(row(page, "Renamed by Enter")).toBeFocused();
    await expect(heading(page, "Renamed by Enter")).toBeVisible();

    await row(page, "Renamed by Enter").focus();
    await page.keyboard.press("F2");
    await field.fill("Renamed by leaving");
    await composer(page).click();
    await expect(row(page, "Renamed by leaving")).toBeVisible();

    await row(page, "Renamed by leaving").focus();
    await page.keyboard.press("F2");
    await field.fill("Never mind");
    await field.press("Escape");
    await expect(row(page, "Renamed by leaving")).toBeVisible();

    await row(page, "Renamed by leaving").focus();
    await page.keyboard.press("F2");
    await field.fill("");
    await field.press("Enter");
    await expect(row(page, "Renamed by leaving")).toBeVisible();
  });

  furtherTest("a title that the server does not take goes back, and the reason is said", async ({ page, allowConsole }) => {
    allowConsole(/the server responded with a status of 503/);
    await page.goto("/");
    await ask(page, "say Persistent title stays");
    await expect(heading(page, "Persistent title stays")).toBeVisible();
    await page.route("**/api/chat/*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 503, json: { error: "The database is resting.", code: "INTERNAL" } })
        : route.fallback(),
    );
    await page.getByRole("main").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Chat title" }).fill("Passing title goes");
    await page.keyboard.press("Enter");
    const toasts = page.getByRole("region", { name: "Notifications" });
    await expect(toasts.getByText("Failed to rename chat")).toBeVisible();
    await expect(toasts.getByText("The database is resting.")).toBeVisible();
    await expect(heading(page, "Persistent title stays")).toBeVisible();
    await expect(row(page, "Persistent title stays")).toBeVisible();
  });
});

test.describe("deleting", () => {
  test("deleting the open chat asks first, goes home, and leaves no way back", async ({ page, context, allowConsole }) => {
    allowConsole(/the server responded with a status of 404/);
    await page.goto("/");
    const chatId = await ask(page, "say Doomed harbour chat");
    const other = await context.newPage();
    await other.goto(`/c/${chatId}`);
    await expect(row(other, "Doomed harbour chat")).toBeVisible();
    await composer(other).fill("Half a thought about harbours");

    await page.getByRole("button", { name: "Chat actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("alertdialog", { name: /^Delete/ });
    await expect(dialog).toContainText("Doomed harbour chat");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row(page, "Doomed harbour chat")).toBeVisible();

    await page.getByRole("button", { name: "Chat actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(page).toHaveURL((url) => url.pathname === "/");
    await expect(composer(page)).toBeFocused();
    await expect(row(page, "Doomed harbour chat")).toHaveCount(0);
    // The tab that showed it goes home too, and its list follows.
    await expect(other).toHaveURL((url) => url.pathname === "/");
    await expect(row(other, "Doomed harbour chat")).toHaveCount(0);
    // It says why, and keeps what was being written; the tab that deleted it knows.
    await expect(notices(other)).toContainText("This chat was deletedWhat you had not sent is in the message box of a new chat.");
    await expect(composer(other)).toHaveValue("Half a thought about harbours");
    await expect(notices(page)).not.toContainText("This chat was deleted");

    await page.goto(`/c/${chatId}`);
    await expect(heading(page, NOT_FOUND)).toBeVisible();
  });

  furtherTest("deleting another chat from its row leaves the open one open", async ({ page }) => {
    await page.goto("/");
    await ask(page, "say Leaving harbour chat");
    await sidebar(page).getByRole("link", { name: "New Chat" }).click();
    const remainingId = await ask(page, "say Staying harbour chat");
    await openRowMenu(page, "Leaving harbour chat");
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page
      .getByRole("alertdialog", { name: /^Delete/ })
      .getByRole("button", { name: "Delete" })
      .click();
    await expect(row(page, "Leaving harbour chat")).toHaveCount(0);
    await expect(page).toHaveURL(`/c/${remainingId}`);
    await expect(row(page, "Staying harbour chat")).toBeVisible();
  });
});

test("the list holds 120 chats, newest first, loads them while scrolling, and keeps few rows in the page", async ({ page }) => {
  await enter(page);
  for (let tens = 0; tens < 12; tens += 1) {
    await Promise.all(Array.from({ length: 10 }, (_, ones) => makeChat(page, `Chat number ${tens * 10 + ones + 1}`)));
  }
  await page.goto("/");
  await sidebar(page).getByRole("tab", { name: "Chats" }).click();
  const rows = sidebar(page).getByRole("listitem").getByRole("link");
  await expect(rows.first()).toHaveAccessibleName(/^Chat number 1(1\d|20)$/);
  await expect(sidebar(page).getByRole("heading", { name: "Today" })).toBeVisible();
  expect(await rows.count()).toBeLessThanOrEqual(60);

  // The focus goes along however far it is, and back.
  await rows.first().focus();
  await page.keyboard.press("End");
  // Of ten made at once any may be the last.
  await expect(sidebar(page).locator("a:focus")).toHaveAccessibleName(/^Chat number ([1-7]\d|80)$/);
  await expect(sidebar(page).locator("a:focus")).toBeInViewport();
  await page.keyboard.press("Home");
  await expect(rows.first()).toBeFocused();

  await rows.first().hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 1_500);
      expect(await rows.count()).toBeLessThanOrEqual(60);
      return rows.last().getAttribute("aria-label");
    })
    .toMatch(/^Chat number ([1-9]|10)$/);
  const oldest = (await rows.last().getAttribute("aria-label")) ?? "";
  // By key, as a list that still scrolls takes no clicks.
  await row(page, oldest).press("Enter");
  await expect(heading(page, oldest)).toBeVisible();
  await expect(row(page, oldest)).toHaveAttribute("aria-current", "page");
});

furtherTest("the sidebar collapses to the rail and back, and stays as it was after a reload", async ({ page }) => {
  await enter(page);
  await makeChat(page, "Only in the full sidebar");
  await page.goto("/");
  await expect(row(page, "Only in the full sidebar")).toBeVisible();
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await expect(row(page, "Only in the full sidebar")).toHaveCount(0);
  await expect(sidebar(page).getByRole("link", { name: "New Chat" })).toBeVisible();
  expect((await sidebar(page).boundingBox())?.width).toBe(56);

  await page.reload();
  await expect(page.getByRole("button", { name: "Expand sidebar" })).toBeVisible();
  expect((await sidebar(page).boundingBox())?.width).toBe(56);
  await page.getByRole("button", { name: "Expand sidebar" }).click();
  await expect(row(page, "Only in the full sidebar")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+b");
  await expect(row(page, "Only in the full sidebar")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+b");
  await page.reload();
  await expect(row(page, "Only in the full sidebar")).toBeVisible();
});

furtherTest(
  "a chat of somebody else, of nobody, and no id at all show one and the same page",
  async ({ page, newDevice, allowConsole }) => {
    allowConsole(/the server responded with a status of 404/);
    await enter(page);
    const stranger = await newDevice();
    await stranger.goto("/");
    const theirs = await ask(stranger, "say Secret harbour chat");

    const texts: string[] = [];
    for (const id of [theirs, crypto.randomUUID(), "not-an-id"]) {
      await page.goto(`/c/${id}`);
      await expect(heading(page, NOT_FOUND)).toBeVisible();
      await expect(composer(page)).toHaveCount(0);
      await expect(page).toHaveTitle(/^Not found/);
      texts.push(await page.getByRole("main").innerText());
    }
    expect(texts).toEqual([texts[0], texts[0], texts[0]]);
    await page.getByRole("main").getByRole("link", { name: "New Chat" }).click();
    await expect(composer(page)).toBeFocused();
  },
);
