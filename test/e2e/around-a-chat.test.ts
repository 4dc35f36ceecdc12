import { readFile } from "node:fs/promises";
import { answered, ask, composer, conversation, lastTurn, send, sidebar, turns } from "./fixtures/chat.ts";
import { enter } from "./fixtures/api.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test("a fork goes on from any message in a chat of its own, which leads back", async ({ page }) => {
  await page.goto("/");
  const chatId = await ask(page, "say The first answer");
  await send(page, "say The second answer");
  await expect(turns(page)).toHaveCount(4);
  await answered(page);
  await turns(page).nth(1).hover();
  await turns(page).nth(1).getByRole("button", { name: "Fork", exact: true }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/c/") && !url.pathname.includes(chatId));
  await expect(turns(page)).toHaveCount(2);
  await expect(page.getByRole("heading", { level: 1, name: /\(fork\)$/ })).toBeVisible();
  await expect(sidebar(page).getByRole("link", { name: /\(fork\)$/ })).toBeVisible();
  await send(page, "say Another way");
  await expect(lastTurn(page)).toContainText("Another way");
  await answered(page);
  await page.getByRole("main").getByText("Forked from").locator("..").getByRole("link").click();
  await page.waitForURL(`**/c/${chatId}`);
  await expect(conversation(page)).toContainText("The second answer");
  await expect(conversation(page)).not.toContainText("Another way");
  await expect(composer(page)).toHaveValue("");

  await turns(page).first().hover();
  await turns(page).first().getByRole("button", { name: "Fork", exact: true }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/c/") && !url.pathname.includes(chatId));
  const unanswered = page.getByText("The last question has no answer yet.");
  await expect(unanswered).toBeVisible();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(lastTurn(page)).toContainText("The first answer");
  await answered(page);
  await expect(unanswered).toHaveCount(0);
});

test("a chat is summarised, exported in both formats, and printed whole by the menu and by keys", async ({
  page,
  context,
  allowConsole,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  await ask(page, "say Lanterns beside water, see [the lamps](https://example.org/lamps)");
  const open = async (name: string) => {
    await page.getByRole("button", { name: "Chat actions" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  allowConsole(/502/);
  let isBroken = true;
  await page.route("**/api/generate-chat-summary", async (route) => {
    if (!isBroken) return route.continue();
    return route.fulfill({ status: 502, json: { error: "Failed to generate summary", code: "SUMMARY_FAILED" } });
  });
  await open("Summarize");
  const dialog = page.getByRole("dialog", { name: "Summary" });
  await expect(dialog.getByRole("alert")).toContainText("Failed to summarize chat");
  isBroken = false;
  await dialog.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(dialog).toBeFocused();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim()).not.toBe("");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  for (const [format, extension] of [
    ["Markdown", "md"],
    ["JSON", "json"],
  ]) {
    await open("Export");
    const saved = page.waitForEvent("download");
    await page.getByRole("dialog", { name: "Export" }).getByRole("link", { name: format }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${extension}$`));
    expect(await readFile(await file.path(), "utf8")).toContain("Lanterns beside water");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }

  // On paper its title and links' addresses stand, and nothing that is around it.
  await page.evaluate(() => {
    window.print = () => void (document.body.dataset["prints"] = String(Number(document.body.dataset["prints"] ?? 0) + 1));
  });
  await open("Print");
  await expect(page.locator("body")).toHaveAttribute("data-prints", "1");
  await page.keyboard.press("Control+p");
  await expect(page.locator("body")).toHaveAttribute("data-prints", "2");
  const title = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await page.emulateMedia({ media: "print" });
  await expect(sidebar(page)).toBeHidden();
  await expect(composer(page)).toBeHidden();
  await expect(page.getByRole("main").locator("p[aria-hidden]").filter({ hasText: title }).filter({ visible: true })).toHaveCount(1);
  const after = await lastTurn(page)
    .getByRole("link", { name: "the lamps" })
    .evaluate((link) => getComputedStyle(link, "::after").content);
  expect(after).toContain("https://example.org/lamps");
});

furtherTest(
  "an exported chat is imported in the settings and opens, and what is no such file is refused in words",
  async ({ page, allowConsole }) => {
    await enter(page);
    await page.goto("/");
    const chatId = await ask(page, "say Lanterns beside water");
    const exported = await page.request.get(`/api/chat/${chatId}/export?format=json`);
    const file = (content: string | Buffer) => ({ name: "chat.json", mimeType: "application/json", buffer: Buffer.from(content) });
    await page.goto("/?settings=general");
    const settings = page.getByRole("dialog", { name: "Settings" });
    const pick = async (content: string | Buffer) => {
      const chooser = page.waitForEvent("filechooser");
      await settings.getByRole("button", { name: "Import chat" }).click();
      await (await chooser).setFiles(file(content));
    };
    allowConsole(/400/);
    await pick('{"name":');
    await expect(settings.getByRole("alert")).toHaveText("Failed to import chat. This is not a chat that was exported from Polylogue.");
    await pick('{"name":"package"}');
    await expect(settings.getByRole("alert")).toHaveText("Failed to import chat. This is not a chat that was exported from Polylogue.");
    await pick(await exported.body());
    await page.waitForURL((url) => url.pathname.startsWith("/c/") && !url.pathname.includes(chatId));
    await expect(settings).toHaveCount(0);
    await expect(turns(page)).toHaveCount(2);
    await expect(conversation(page)).toContainText("Lanterns beside water");
    await send(page, "say Another evening");
    await expect(lastTurn(page)).toContainText("Another evening");
    await answered(page);
  },
);

furtherTest("what is selected in an answer is asked about, by hand and by keys", async ({ page }) => {
  await page.goto("/");
  await ask(page, "say Lanterns beside water\n\nMoon above");
  const select = () => lastTurn(page).getByText("Lanterns beside water").click({ clickCount: 3 });
  await composer(page).fill("Before");
  await select();
  await page.getByRole("button", { name: "Ask about this" }).click();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue("Before\n\n> Lanterns beside water\n\n");
  await page.keyboard.type("Why?");
  await expect(composer(page)).toHaveValue("Before\n\n> Lanterns beside water\n\nWhy?");
  await expect(page.getByRole("button", { name: "Ask about this" })).toHaveCount(0);
  await composer(page).fill("");
  await select();
  await expect(page.getByRole("button", { name: "Ask about this" })).toBeVisible();
  await page.keyboard.press("Control+Shift+E");
  await expect(composer(page)).toHaveValue("> Lanterns beside water\n\n");
});

furtherTest("an answer is read aloud, paused and stopped, one at a time", async ({ page }) => {
  await page.addInitScript(() => {
    const spoken: string[] = [];
    const voice = {
      speak: (said: SpeechSynthesisUtterance) => spoken.push(`${said.lang}: ${said.text}`),
      cancel() {},
      pause() {},
      resume() {},
    };
    Object.defineProperty(window, "speechSynthesis", { value: voice });
    Object.defineProperty(window, "spoken", { value: spoken });
  });
  await page.goto("/");
  await ask(page, "say The first of the answers is **this**.");
  await send(page, "say And that is the second of them.");
  await expect(turns(page)).toHaveCount(4);
  await answered(page);
  await lastTurn(page).getByRole("button", { name: "Read aloud" }).click();
  await lastTurn(page).getByRole("button", { name: "Pause reading" }).click();
  await lastTurn(page).getByRole("button", { name: "Resume reading" }).click();
  await turns(page).nth(1).hover();
  await turns(page).nth(1).getByRole("button", { name: "Read aloud" }).click();
  await expect(lastTurn(page).getByRole("button", { name: "Read aloud" })).toBeVisible();
  await turns(page).nth(1).getByRole("button", { name: "Stop reading" }).click();
  await expect(page.getByRole("button", { name: "Stop reading" })).toHaveCount(0);
  expect(await page.evaluate("window.spoken")).toEqual(["en: And that is the second of them.", "en: The first of the answers is this."]);
});
