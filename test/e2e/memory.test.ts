import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { callApi, enter, startChat } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { ask, lastTurn } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

const FACT = "Prefers answers in British English";
/** Two further facts, told in the same message. */
const MORE = ["Takes the train up to eight hours", "Runs a studio in Berlin"];
const OTHER = "openai/gpt-5-mini";

/** Saves a fact as a program with a key of this browser's person. */
async function saveByKey(page: Page, fact: string): Promise<void> {
  const key = { id: crypto.randomUUID(), name: "Program", scopes: ["memory"], budget: null };
  const { secret } = z.object({ secret: z.string() }).parse(await callApi(page, { method: "POST", path: "/api/keys", body: key }));
  const response = await fetch(`${process.env["E2E_URL"]}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "save_memory", arguments: { fact } } }),
  });
  expect(await response.text()).toContain("Saved");
}

test("a fact told in one chat is shown, listed, given to another model in another chat, corrected and imported", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  const calls = [FACT, ...MORE].map((fact) => `call saveMemory {"fact":"${fact}"}`);
  await ask(page, `${calls.join("\n")}\nthen\nsay I will.`);
  const chip = lastTurn(page).getByRole("list", { name: "Memory" });
  await expect(chip).toContainText(`Remembered${FACT}`);
  await expectAccessible(page);
  await chip.getByRole("button", { name: `Undo: ${FACT}` }).click();
  await expect(chip).toContainText(`Forgotten${FACT}`);
  await chip.getByRole("button", { name: `Keep: ${FACT}` }).click();
  await expect(chip).not.toContainText("Forgotten");
  // What a tool did leads to where it is corrected.
  await lastTurn(page).getByRole("button", { name: "Details" }).click();
  await page
    .getByRole("region", { name: "Tools" })
    .getByRole("button", { name: /^Wrong: Remembered/ })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "Settings" }).getByRole("textbox", { name: "Fact" })).toBeVisible();

  // The list leads back to the answer in which it was saved.
  await page.goto("/?settings=memory");
  const settings = page.getByRole("dialog", { name: "Settings" });
  const row = settings.getByRole("listitem").filter({ hasText: FACT });
  await expect(row).toContainText("not used yet");
  await expectAccessible(page);
  await row.getByRole("link").click();
  await expect(lastTurn(page)).toContainText("I will.");

  const { chatId } = await startChat(page, "show request", OTHER);
  await page.goto(`/c/${chatId}`);
  for (const fact of [FACT, ...MORE]) await expect(lastTurn(page)).toContainText(fact);
  await lastTurn(page).getByRole("button", { name: "Details" }).click();
  await page.getByRole("button", { name: `Wrong: ${FACT}` }).click();
  const field = settings.getByRole("textbox", { name: "Fact" });
  await expect(field).toHaveValue(FACT);
  await field.fill("Prefers answers in American English");
  await settings.getByRole("button", { name: "Save" }).click();
  const corrected = settings.getByRole("listitem").filter({ hasText: "American English" });
  await expect(corrected).toContainText("last used");
  await corrected.getByRole("button", { name: "History" }).click();
  await expect(corrected.getByRole("list", { name: "Earlier" })).toContainText(FACT);

  await settings.getByRole("button", { name: "Import memories" }).click();
  await settings.getByRole("button", { name: "Import", exact: true }).click();
  await expect(settings.getByRole("alert")).toHaveText("No valid entries");
  await settings
    .getByRole("textbox", { name: "Facts, one a line" })
    .fill(`Lives in Porto\n\nHas two daughters\nPrefers answers in American English`);
  await expect(settings.getByText("3 facts, 1 blank line dropped")).toBeVisible();
  await expectAccessible(page);
  await settings.getByRole("button", { name: "Import 3 memories" }).click();
  await expect(page.getByText("Memory import started")).toBeVisible();
  await expect(page.getByText("Memories imported")).toBeVisible();
  await expect(settings.getByRole("status")).toHaveText("Imported: 2 added, 1 duplicate, 0 failed");
  await settings.getByRole("searchbox", { name: "Search memory" }).fill("porto");
  await expect(settings.getByRole("listitem")).toHaveCount(1);
  await settings.getByRole("button", { name: "Forget ‘Lives in Porto’" }).click();
  await expect(settings.getByRole("listitem")).toContainText("Forgotten, no longer sent");
  await settings.getByRole("button", { name: "Undo: Lives in Porto" }).click();
  await expect(settings.getByRole("button", { name: "Forget ‘Lives in Porto’" })).toBeVisible();

  // What a program saved is the person's own once they say so.
  await saveByKey(page, "Works with Eve in Rotterdam");
  await settings.getByRole("searchbox", { name: "Search memory" }).fill("eve");
  const theirs = settings.getByRole("listitem").filter({ hasText: "Works with Eve" });
  await expect(theirs).toContainText("others may have worded it");
  await expectAccessible(page);
  await theirs.getByRole("button", { name: "Trust it: Works with Eve in Rotterdam" }).click();
  await expect(theirs).not.toContainText("others may have worded it");

  // An answer that came while the page stood has its receipt too; off the record no memory is read.
  await page.goto(`/c/${chatId}`);
  await ask(page, "say Of course.");
  await lastTurn(page).getByRole("button", { name: "Details" }).click();
  await expect(page.getByRole("region", { name: "Memory" })).toContainText("Has two daughters");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Off the record" }).click();
  await expect(page.getByText("Off the record", { exact: true })).toBeVisible();
  await ask(page, "say Nothing is noted.");
  await lastTurn(page).getByRole("button", { name: "Details" }).click();
  await expect(page.getByRole("dialog", { name: "Details" })).toContainText("Model");
  await expect(page.getByRole("region", { name: "Memory" })).toHaveCount(0);

  // A chat can be off the record from its first word on.
  await page.goto("/");
  await page.getByRole("button", { name: "Off the record" }).click();
  await expect(page.getByRole("note", { name: "Off the record" })).toContainText("No memory is read in this chat, and none is saved.");
  await expectAccessible(page);
  await ask(page, "show request");
  await expect(lastTurn(page)).toContainText("show request");
  await expect(lastTurn(page)).not.toContainText("Takes the train");
  await expect(page.getByText("Off the record", { exact: true })).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Off the record" })).toHaveAttribute("aria-pressed", "false");
});
