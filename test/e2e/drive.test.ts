import { enter } from "./fixtures/api.ts";
import { answered, lastTurn, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test("a Drive is indexed, asked about and cited, and a file of it is picked into knowledge", async ({ page, context }) => {
  await enter(page);
  await page.goto("/?settings=tools");
  const card = page.getByRole("group", { name: "Google", exact: true });
  await card.getByRole("button", { name: "Connect", exact: true }).click();
  // What an account granted stays granted, also for the test of a grant in part.
  await page.getByLabel("Teo Brandt, teo.brandt@example.com").check();
  await page.getByRole("button", { name: "Continue" }).click();
  const notices = page.getByRole("region", { name: "Notifications" });
  await card.getByRole("button", { name: "Index Drive" }).click();
  await expect(notices.getByText("Google Drive indexing started")).toBeVisible();
  await expect(card.getByText("5 of 6 files can be searched, 1 skipped.")).toBeVisible({ timeout: 30_000 });
  await card.getByText("Files that cannot be searched").click();
  await expect(card.getByText("Team.jpg: Files of this kind have no text that is read.")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Select tools" }).click();
  await page.getByRole("option", { name: /Google Drive/ }).click();
  await page.keyboard.press("Escape");
  await send(page, `call searchIndexedFiles {"query":"rent of the studio in Moabit"}\nthen\nsay It is 2,150 euros [1].`);
  await page.waitForURL("**/c/*");
  await answered(page);
  await lastTurn(page)
    .getByRole("button", { name: /Source 1: Lease of the studio/ })
    .click();
  const passage = page.getByRole("dialog");
  await expect(passage.getByText("The rent is 2,150 euros a month.")).toBeVisible();
  await expect(passage.getByRole("link", { name: "Open the file" })).toHaveAttribute("href", /pdf-demo-lease/);
  await page.keyboard.press("Escape");

  // Files are picked in Google's own window, once there is an entry.
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("manage knowledge");
  await page.getByRole("option", { name: "Manage knowledge", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Manage knowledge" });
  await dialog.getByRole("button", { name: "Create New Knowledge" }).click();
  await dialog.getByRole("button", { name: "Google Drive" }).click();
  await expect(notices.getByText("Save knowledge entry first")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Studio");
  await dialog.getByRole("button", { name: "Create knowledge", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Edit knowledge" })).toBeVisible();
  const opening = context.waitForEvent("page");
  await dialog.getByRole("button", { name: "Google Drive" }).click();
  const picker = (await opening).frameLocator("iframe");
  await picker.getByLabel("Studio handbook").check();
  await picker.getByLabel("Contracts").check();
  await picker.getByRole("button", { name: "Select" }).click();
  const files = dialog.getByRole("region", { name: "Files" });
  await expect(files.getByText("Google Docs", { exact: false })).toBeVisible();
  await expect(files.getByText("Synced")).toHaveCount(3, { timeout: 20_000 });
  await expect(files.getByRole("link", { name: "Lease of the studio.pdf" })).toBeVisible();
});
