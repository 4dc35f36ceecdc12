import type { Locator, Page } from "@playwright/test";
import { cjkFont, fontPdf, utf16 } from "../support/cjk-pdfs.ts";
import { enter, messagesOf } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { answered, chatIdOf, composer, lastTurn, pickModel, turns } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

/** A picture of 4 × 3 pixels that a browser can draw. */
const PICTURE = {
  name: "sunset.png",
  mimeType: "image/png",
  buffer: Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGN4VmEDRww4OQB+8hM5Btu3cgAAAABJRU5ErkJggg==", "base64"),
};
/** Its letters are told by a table that the reader brings along. */
const JAPANESE = {
  name: "japanese.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from(fontPdf(cjkFont("/UniJIS-UTF16-H", "Japan1"), utf16("日本語"))),
};
const NOTES = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Plan\n\nBuy marmalade.") };

function chips(page: Page): Locator {
  return page.getByRole("list", { name: "Attached files" }).first().getByRole("listitem");
}

function sendButton(page: Page): Locator {
  return page.getByRole("button", { name: "Send", exact: true });
}

async function pick(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(files);
}

/** Gives the page what a person's clipboard or hand would: a paste into the composer, or files let go over the window. */
async function give(page: Page, kind: "paste" | "drop", { text = "", file = "" }: { text?: string; file?: string }): Promise<void> {
  await composer(page).evaluate(
    (field, [how, plainText, name]) => {
      const data = new DataTransfer();
      if (plainText) data.setData("text/plain", plainText);
      if (name) data.items.add(new File(["said in a file"], name));
      if (how === "drop") {
        window.dispatchEvent(new DragEvent("dragenter", { dataTransfer: data, bubbles: true }));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        return;
      }
      field.focus();
      const wasTaken = !field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      if (!wasTaken) document.execCommand("insertText", false, plainText);
    },
    [kind, text, file] as const,
  );
}

test("files are attached, kept across a reload, sent and shown", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await pickModel(page, "GPT-5 mini");
  await pick(page, PICTURE, NOTES);
  await expect(chips(page)).toHaveText([/sunset\.png\s*\d+ B/, /notes\.md\s*\d+ B/]);
  await expectAccessible(page);
  await page.reload();
  await expect(chips(page)).toHaveCount(2);
  await sendButton(page).click();
  await page.waitForURL("**/c/*");
  await answered(page);
  await expect(lastTurn(page)).toContainText("4 × 3");
  const question = turns(page).first();
  await expect.poll(() => question.getByRole("img", { name: "sunset.png" }).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(4);
  const download = page.waitForEvent("download");
  await question.getByRole("link", { name: /notes\.md/ }).click();
  expect((await download).suggestedFilename()).toBe("notes.md");
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(0);
  await expectAccessible(page);
  const [sent] = await messagesOf(page, chatIdOf(page));
  expect(sent?.attachments.map(({ name }) => name)).toEqual(["sunset.png", "notes.md"]);
});

furtherTest("a WebP is pasted, sent and shown", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await pickModel(page, "GPT-5 mini");
  await composer(page).evaluate(async (field) => {
    const canvas = new OffscreenCanvas(40, 30);
    canvas.getContext("2d")?.fillRect(0, 0, 20, 30);
    const data = new DataTransfer();
    data.items.add(new File([await canvas.convertToBlob({ type: "image/webp" })], "drawn.webp", { type: "image/webp" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(chips(page)).toHaveText([/drawn\.webp/]);
  await sendButton(page).click();
  await page.waitForURL("**/c/*");
  await answered(page);
  await expect(lastTurn(page)).toContainText("40 × 30");
  const picture = turns(page).first().getByRole("img", { name: "drawn.webp" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40);
});

test("what cannot be sent is said before sending", async ({ page, allowConsole }) => {
  allowConsole(/503|415/);
  await enter(page);
  await page.goto("/");
  await pickModel(page, "DeepSeek V3");
  await pick(page, { ...NOTES, name: "program.exe" }, PICTURE);
  await expect(chips(page).filter({ hasText: "program.exe" }).getByRole("alert")).toHaveText(
    "File type not supported or doesn't match its extension",
  );
  await expect(chips(page).filter({ hasText: "program.exe" })).toContainText("The message is sent without it.");
  await pick(page, { ...NOTES, name: "words.png" });
  const invalidChip = chips(page).filter({ hasText: "words.png" });
  await expect(invalidChip.getByRole("alert")).toHaveText("File type not supported or doesn't match its extension");
  await expect(invalidChip.locator("img")).toHaveCount(0);
  await expectAccessible(page);
  await expect(page.getByText(/cannot see pictures/)).toBeVisible();
  await composer(page).fill("What is this?");
  await expect(sendButton(page)).toBeDisabled();
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.getByRole("button", { name: "Remove sunset.png" }).click();
  expect((await deleted).status()).toBe(200);
  await expect(sendButton(page)).toBeEnabled();
  await page.route("**/attachments/**", (route) => route.fulfill({ status: 503, json: { error: "Busy.", code: "INTERNAL" } }), {
    times: 1,
  });
  await pick(page, NOTES);
  await expect(chips(page).filter({ hasText: "notes.md" }).getByRole("alert")).toHaveText("Busy.");
  await expect(chips(page).filter({ hasText: "notes.md" })).toContainText("Retry or remove it to send.");
  await expect(sendButton(page)).toBeDisabled();
  await page.getByRole("button", { name: "Retry notes.md" }).click();
  await sendButton(page).click();
  await page.waitForURL("**/c/*");
  await answered(page);
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(0);
  const [sent] = await messagesOf(page, chatIdOf(page));
  expect(sent?.attachments.map(({ name }) => name)).toEqual(["notes.md"]);
  // Words alone go without a refused file as well.
  await pick(page, { ...NOTES, name: "program.exe" });
  await expect(sendButton(page)).toBeDisabled();
  await composer(page).fill("And this?");
  await sendButton(page).click();
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(0);
  await answered(page);
  await expect(turns(page)).toHaveCount(4);
});

furtherTest("a PDF in Japanese is read for a model that takes words alone", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await pickModel(page, "DeepSeek V3");
  await pick(page, JAPANESE);
  await expect(chips(page)).toHaveText([/japanese\.pdf\s*\d+ B/]);
  await composer(page).fill("What does it say?");
  await sendButton(page).click();
  await page.waitForURL("**/c/*");
  await answered(page);
  await expect(lastTurn(page)).toContainText(`${"[Page 1]\n日本語".length} characters of text`);
});

furtherTest("a long paste is offered as a file, and files are pasted and dropped", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  const long = "All work and no play. ".repeat(200);
  await composer(page).fill("Read this: ");
  await give(page, "paste", { text: long });
  const offer = page.getByText("You pasted 4,400 characters.");
  await expect(offer).toBeVisible();
  // Written over, it is offered no more.
  await composer(page).press("ControlOrMeta+a");
  await page.keyboard.type("Read this: ");
  await expect(offer).toHaveCount(0);
  await give(page, "paste", { text: long });
  await expect(offer).toBeVisible();
  await page.getByRole("button", { name: "Attach as text" }).click();
  await expect(composer(page)).toHaveValue("Read this: ");
  await give(page, "paste", { file: "pasted.txt" });
  await give(page, "drop", { file: "dropped.csv" });
  await expect(chips(page)).toHaveText([/Pasted text\.txt\s*4 KB/, /pasted\.txt\s*14 B/, /dropped\.csv\s*14 B/]);
});

furtherTest("a visitor is asked to sign in, and nothing is taken", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Attach files" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Sign in required" }).getByRole("link", { name: "Sign in" })).toBeVisible();
  await give(page, "drop", { file: "dropped.csv" });
  await expect(page.getByRole("list", { name: "Attached files" })).toHaveCount(0);
});
