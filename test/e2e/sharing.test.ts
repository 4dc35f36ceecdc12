import type { Page } from "@playwright/test";
import { enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { answered, ask, composer, conversation, send, sidebar, turns } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

async function openAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

async function shareWith(page: Page, { email, level }: { email: string; level: "Viewer" | "Editor" }): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Share chat" });
  await dialog.getByRole("textbox", { name: "Email" }).fill(email);
  await dialog.getByRole("combobox", { name: "May", exact: true }).selectOption(level);
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
}

test("an editor finds the chat, writes into it under their name, and loses it at once when the access is taken back", async ({
  page,
  newDevice,
}) => {
  await enter(page);
  const other = await newDevice();
  const email = await enter(other);
  await page.goto("/");
  await ask(page, "say The harbour plan");
  await other.goto("/");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await shareWith(page, { email, level: "Editor" });
  const dialog = page.getByRole("dialog", { name: "Share chat" });
  await expect(dialog.getByRole("listitem").filter({ hasText: email })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();

  await sidebar(other).getByRole("link", { name: "The harbour plan" }).click();
  await expect(conversation(other)).toContainText("The harbour plan");
  await send(other, "say Seen by both");
  await answered(other);
  await expect(turns(page)).toHaveCount(4);
  await expect(turns(page).nth(2)).toHaveAccessibleName(email.split("@")[0] ?? "");
  await expect(turns(page).nth(3)).toContainText("Seen by both");

  await page.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByRole("button", { name: /^Remove / }).click();
  await expect(dialog.getByText("Access removed")).toBeVisible();
  await expect(other).toHaveURL("/");
  await expect(other.getByRole("region", { name: "Notifications" })).toContainText("This chat is no longer shared with you");
  await expect(sidebar(other).getByRole("link", { name: "The harbour plan" })).toHaveCount(0);
});

test("a viewer reads along, has no composer, and goes on in a copy of their own", async ({ page, newDevice }) => {
  await enter(page);
  const other = await newDevice();
  const email = await enter(other);
  await page.goto("/");
  const chatId = await ask(page, "say Only to be read");
  await openAction(page, "Share");
  await shareWith(page, { email, level: "Viewer" });
  await other.goto(`/c/${chatId}`);
  await expect(conversation(other)).toContainText("Only to be read");
  await expect(composer(other)).toHaveCount(0);
  await expect(other.getByRole("button", { name: "Regenerate" })).toHaveCount(0);
  await other.getByRole("button", { name: "Continue in my own copy" }).click();
  await expect(composer(other)).toBeVisible();
  expect(new URL(other.url()).pathname).not.toBe(`/c/${chatId}`);
  await expect(conversation(other)).toContainText("Only to be read");
});

test("an address without an account is invited by mail, and finds the chat on signing up", async ({ page, newDevice, allowConsole }) => {
  allowConsole(/the server responded with a status of 404/);
  await enter(page);
  await page.goto("/");
  await ask(page, "say Waiting for Noor");
  await openAction(page, "Share");
  const email = newAddress();
  await shareWith(page, { email, level: "Viewer" });
  const question = page.getByRole("alertdialog", { name: "Not on Polylogue yet" });
  await expect(question).toContainText(email);
  await question.getByRole("button", { name: "Send Invite" }).click();
  const row = page.getByRole("dialog", { name: "Share chat" }).getByRole("listitem").filter({ hasText: email });
  await expect(row).toContainText("Invited, not signed up yet");
  const other = await newDevice();
  await enter(other, email);
  await other.goto("/");
  await expect(sidebar(other).getByRole("link", { name: "Waiting for Noor" })).toBeVisible();
});

test("a published chat reads well without scripts, for anyone, until it is unpublished", async ({ page, browser, allowConsole }) => {
  allowConsole(/the server responded with a status of 404/);
  await enter(page);
  await page.goto("/");
  const chatId = await ask(page, "say Everyone may **read** this");
  await openAction(page, "Publish");
  const dialog = page.getByRole("dialog", { name: /^Publish/ });
  await expect(dialog).toContainText("Later messages will appear there too.");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog.getByRole("textbox", { name: "Public link" })).toHaveValue(new RegExp(`/p/${chatId}$`));

  const visitor = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env["E2E_URL"] ?? "" });
  const reader = await visitor.newPage();
  await reader.goto(`/p/${chatId}`);
  await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(reader.getByRole("article").last().locator("strong")).toHaveText("read");
  await dialog.getByRole("button", { name: "Unpublish" }).click();
  await expect(dialog.getByRole("button", { name: "Publish", exact: true })).toBeVisible();
  expect((await reader.goto(`/p/${chatId}`))?.status()).toBe(404);
  await visitor.close();
});
