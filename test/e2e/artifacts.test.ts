import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import * as z from "zod/mini";
import { callApi, enter, startChat } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { composer, sidebar } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

const Content = z.object({ artifact: z.object({ content: z.string(), version: z.number() }) });
const TEXT = "## What it costs\n\nThe rent of two rooms is 21,600.\n\n| Item | Cost |\n|---|--:|\n| Rent | 21,600 |\n";

function source(page: Page): Locator {
  return page.getByRole("textbox", { name: "Artifact text" });
}

function preview(page: Page): Locator {
  return page.getByRole("region", { name: "Preview" });
}

async function read(page: Page, id: string): Promise<z.infer<typeof Content>["artifact"]> {
  return Content.parse(await callApi(page, { method: "GET", path: `/api/artifacts/${id}` })).artifact;
}

async function saved(page: Page): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: /^Saved$/ })).toBeVisible();
}

test("an artifact is written, saved by itself, compared, restored, shared, and taken away as Word", async ({ page, newDevice }) => {
  await enter(page);
  await page.goto("/");
  await sidebar(page).getByRole("tab", { name: "Artifacts" }).click();
  await expect(sidebar(page).getByText("No artifacts yet. Create your first one!")).toBeVisible();

  // Straight to its page, where the text is what one goes on with.
  await sidebar(page).getByRole("button", { name: "New Artifact" }).click();
  await expect(page).toHaveURL(/\/artifacts\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").at(-1) ?? "";
  await expect(source(page)).toBeFocused();
  await page.keyboard.insertText(TEXT);
  await page.getByRole("textbox", { name: "Title" }).fill("Lisbon office");
  await page.getByRole("textbox", { name: "Title" }).press("Enter");
  await expect(preview(page).getByRole("heading", { name: "What it costs" })).toBeVisible();
  await expect(preview(page).getByRole("cell", { name: "21,600" })).toBeVisible();
  await saved(page);
  await expect.poll(async () => (await read(page, id)).content).toBe(TEXT);
  await expect(sidebar(page).getByRole("link", { name: "Lisbon office" })).toBeVisible();
  await expectAccessible(page);

  // Somebody else's change comes in while nobody types, without a reload; and its difference is in the history.
  const { version } = await read(page, id);
  const edited = TEXT.replace("is 21,600", "is 22,000");
  const body = { content: edited, base_version: version, is_review: true };
  await callApi(page, { method: "PUT", path: `/api/artifacts/${id}/content`, body });
  await expect(preview(page).getByText("The rent of two rooms is 22,000.")).toBeVisible();
  await page.getByRole("button", { name: "Versions" }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  await expect(versions.getByText("Current")).toBeVisible();
  await versions
    .getByRole("button", { name: /^Version \d+$/ })
    .first()
    .click();
  const comparison = page.getByRole("region", { name: "Comparison" });
  await expect(comparison.getByText("1 change")).toBeVisible();
  await expect(comparison.locator("mark").filter({ hasText: "22,000" })).toBeVisible();
  await expectAccessible(page);
  const older = versions.getByRole("button", { name: /^Restore Version/ }).first();
  await older.focus();
  await older.press("Enter");
  await expect(page.getByText(/^Version \d+ is restored$/)).toBeVisible();
  await expect(preview(page).getByText("The rent of two rooms is 21,600.")).toBeVisible();
  await versions.getByRole("button", { name: "Close versions" }).click();

  // Found in the text by the keyboard, and Tab leads out of the editor.
  await source(page).click();
  await page.keyboard.press("ControlOrMeta+f");
  await page.keyboard.type("rooms");
  await expect(page.locator(".cm-searchMatch")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(source(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(source(page)).not.toBeFocused();

  // Shared to read with somebody who has no way to change it.
  const reader = await newDevice({ colorScheme: "dark" });
  const address = await enter(reader, newAddress());
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share artifact" });
  await dialog.getByRole("textbox", { name: "Email" }).fill(address);
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await expect(dialog.getByText("2 people")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await reader.goto("/artifacts");
  await expect(reader.getByText(/^Shared by /).first()).toBeVisible();
  await reader.getByRole("main").getByRole("link", { name: "Lisbon office" }).click();
  await expect(preview(reader).getByText("The rent of two rooms is 21,600.")).toBeVisible();
  await expect(reader.getByRole("heading", { name: "Lisbon office" })).toBeVisible();
  await expect(reader.getByRole("button", { name: "Share", exact: true })).toHaveCount(0);
  await expect(reader.getByRole("textbox", { name: "Title" })).toHaveCount(0);
  await expectReadable(reader);

  // Away as a Word document.
  await page.getByRole("button", { name: "Download" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as Word" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("Lisbon office.docx");
  const files = unzipSync(readFileSync(await download.path()));
  expect(strFromU8(files["word/document.xml"] ?? new Uint8Array())).toContain("What it costs");
});

test("artifacts come from files, show what they are made of, begin a chat, and are gone where nobody wants them", async ({ page }) => {
  await enter(page);
  await page.goto("/artifacts");
  await expect(page.getByRole("main").getByText("No artifacts yet. Create your first one!")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Upload" }).click();
  const dialog = page.getByRole("dialog", { name: "Upload artifacts" });
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await dialog
    .getByLabel("Files to upload")
    .setInputFiles([
      file("Costs.md", "```csv\nItem,Cost\nRent,900\nDesk,1200\n```\n"),
      file("Notes.txt", "# Notes\n\nSome **words**."),
      file("picture.png", "x"),
      file("long.md", "x".repeat(1_100_000)),
    ]);
  await expect(page.getByText("2 files uploaded successfully, 2 failed").first()).toBeVisible();
  await expect(dialog.getByText("Invalid file type. Allowed: .md, .markdown, .mdx, .txt")).toBeVisible();
  await expect(dialog.getByText("File too large. Maximum file size is 1MB")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("main").getByText("Notes Some words.")).toBeVisible();
  await expectAccessible(page);

  // A table of comma-separated values sorts and filters.
  await page.getByRole("main").getByRole("link", { name: "Costs" }).click();
  await page.getByRole("button", { name: "Cost", exact: true }).click();
  await page.getByRole("button", { name: "Cost", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "Cost" })).toHaveAttribute("aria-sort", "descending");
  await expect(page.getByRole("row").nth(1)).toContainText("Desk");
  await page.getByRole("searchbox", { name: "Filter rows" }).fill("rent");
  await expect(page.getByText("1 of 2 rows")).toBeVisible();

  // A chat begins with it attached.
  await page.getByRole("button", { name: "Artifact actions" }).click();
  await page.getByRole("menuitem", { name: "Open in a chat" }).click();
  await expect(composer(page)).toBeVisible();
  await expect(page.getByText("Costs.md")).toBeVisible();

  // On a phone each thing is reached, too.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/artifacts");
  await page.getByRole("main").getByRole("link", { name: "Notes" }).click();
  await expect(preview(page).getByText("Some words.")).toBeVisible();
  await expectAccessible(page);

  await callApi(page, { method: "PATCH", path: "/api/user", body: { artifacts_enabled: false } });
  await page.goto("/artifacts");
  await expect(page.getByRole("heading", { name: "Artifacts are switched off" })).toBeVisible();
});

test("a model's change is a card in its chat, is reviewed hunk by hunk, and an answer becomes an artifact", async ({ page }) => {
  await enter(page);
  const before = "# Plan\n\nRent is 37,250.\n\nThe desks stay.\n\nThe offer of 3 November.\n";
  const made = await callApi(page, { method: "POST", path: "/api/artifacts", body: { title: "Plan", content: before } });
  const { id } = z.object({ id: z.string() }).parse(made);
  const edits = [
    { old_text: "37,250", new_text: "38,040" },
    { old_text: "3 November", new_text: "10 November" },
  ];
  const { chatId } = await startChat(page, `call editArtifact ${JSON.stringify({ artifact_id: id, edits })}\nthen\nsay Both are new.`);
  await page.goto(`/c/${chatId}`);
  await expect(page.getByRole("button", { name: "2 added, 2 removed" })).toBeVisible();
  await page.getByRole("button", { name: "2 added, 2 removed" }).click();
  await expect(page.getByRole("region", { name: "Changes" }).locator("mark").filter({ hasText: "38,040" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save as artifact" }).first().click();
  await expect(page.getByText("Saved as artifact")).toBeVisible();

  await page.getByRole("link", { name: "Review", exact: true }).click();
  const review = page.getByRole("region", { name: "Review" });
  await expect(review.getByText("0 accepted, 2 open")).toBeVisible();
  await expectAccessible(page);
  await review.getByRole("region", { name: "Change 2" }).getByRole("button", { name: "Reject" }).click();
  await expect.poll(async () => (await read(page, id)).content).toBe(before.replace("37,250", "38,040"));
  await review.getByRole("region", { name: "Change 1" }).getByRole("button", { name: "Accept" }).click();
  await expect(review.getByText("All decided")).toBeVisible();
  await review.getByRole("button", { name: "Done" }).click();
  await expect(preview(page).getByText("Rent is 38,040.")).toBeVisible();
  await expect(preview(page).getByText("The offer of 3 November.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Review", exact: true })).toHaveCount(0);

  // Undone from the chat, what others wrote since stays.
  const { content, version } = await read(page, id);
  const body = { content: content.replace("The desks stay.", "The desks go."), base_version: version };
  await callApi(page, { method: "PUT", path: `/api/artifacts/${id}/content`, body });
  await page.goto(`/c/${chatId}`);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("log").getByText("Undone")).toBeVisible();
  expect((await read(page, id)).content).toBe(before.replace("The desks stay.", "The desks go."));
});
