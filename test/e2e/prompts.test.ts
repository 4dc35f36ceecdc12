import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { callApi, enter } from "./fixtures/api.ts";
import { answered, composer, turns } from "./fixtures/chat.ts";
import { answerLate } from "./fixtures/late-answer.ts";
import { expect, test } from "./fixtures/test.ts";

const WORKFLOW = "delay 1500\nsay draft\n---\nsay second after {{LAST_ANSWER}}\n---\nsay third after {{LAST_ANSWER}}";

async function openPrompts(page: Page): Promise<Locator> {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("manage prompts");
  await page.getByRole("option", { name: "Manage prompts", exact: true }).click();
  return page.getByRole("dialog", { name: "Manage prompts" });
}

function rows(dialog: Locator): Locator {
  return dialog.getByRole("listitem");
}

async function make(dialog: Locator, name: string, content: string): Promise<void> {
  await dialog.getByRole("button", { name: "Create New Prompt" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Content" }).fill(content);
  await dialog.getByRole("button", { name: "Create prompt" }).click();
  await expect(rows(dialog).first()).toContainText(name);
}

async function chooseFrom(dialog: Locator, item: string): Promise<void> {
  await dialog.getByRole("button", { name: "Export and import" }).click();
  await dialog.page().getByRole("menuitem", { name: item }).click();
}

test("prompts are made, changed, ordered, copied, taken along to another account and deleted; a workflow runs step by step", async ({
  page,
  newDevice,
  allowConsole,
}, testInfo) => {
  await enter(page);
  await callApi(page, { method: "POST", path: "/api/user-system-prompts", body: { name: "Editor", content: "Plain words." } });
  await callApi(page, { method: "POST", path: "/api/user-contexts", body: { name: "House rules" } });
  await page.goto("/");
  const dialog = await openPrompts(page);
  await expect(dialog.getByText("You haven't created any prompts yet.")).toBeVisible();

  // What is wrong is said at its field, and nothing is made.
  await dialog.getByRole("button", { name: "Create New Prompt" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("  ");
  await dialog.getByRole("button", { name: "Create prompt" }).click();
  await expect(dialog.getByText("Name cannot be empty.")).toBeVisible();
  await expect(dialog.getByText("Content cannot be empty.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await make(dialog, "Week in five lines", "Read my chats and write five lines.");
  await make(dialog, "Second opinion", "Ask three models about {{topic}}.");
  await make(dialog, "Tender answer", "Answer for {{client}}.");
  await expect(rows(dialog)).toHaveText([/Tender answer/, /Second opinion/, /Week in five lines/]);

  // Advanced configuration is out of sight where nothing is set.
  await dialog.getByRole("button", { name: "Edit Tender answer" }).click();
  const advanced = dialog.getByRole("button", { name: /^Advanced configuration/ });
  await expect(advanced).toHaveAttribute("aria-expanded", "false");
  await dialog
    .getByRole("textbox", { name: "Content" })
    .fill(`Answer for {{client}}, {{client}} in {{tone:formal,short}}.\n---\nShorten it.`);
  await expect(dialog.getByText("Asks for client and tone, once each. Runs in 2 steps.")).toBeVisible();
  await advanced.click();
  await dialog.getByRole("combobox", { name: "Persona" }).selectOption({ label: "Editor" });
  await dialog.getByRole("button", { name: "Tools", exact: true }).click();
  const tool = page.getByRole("listbox", { name: "Tools" }).getByRole("option").first();
  await tool.click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Knowledge", exact: true }).click();
  await page
    .getByRole("listbox", { name: "Knowledge" })
    .getByRole("option", { name: /^House rules/ })
    .click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Model", exact: true }).click();
  await page.getByRole("combobox", { name: "Search models" }).fill("gpt-5 nano");
  await page.getByRole("listbox", { name: "Models" }).getByRole("option").first().click();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(rows(dialog).first()).toContainText("2 steps");

  // The form shows what was saved before the answer to saving arrives.
  const { asked, tell } = await answerLate(page, { read: "**/api/template-messages/*", change: "**/api/template-messages/*" });
  await dialog.getByRole("button", { name: "Edit Tender answer" }).click();
  await asked;
  await dialog.getByRole("textbox", { name: "Content" }).press("!");
  const read = page.waitForResponse(
    (response) => response.request().method() === "GET" && response.url().includes("/api/template-messages/"),
  );
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await (await read).finished();
  tell();
  await expect(dialog.getByRole("textbox", { name: "Content" })).toBeHidden();
  await dialog.getByRole("button", { name: "Edit Tender answer" }).click();
  await expect(advanced).toHaveAttribute("aria-expanded", "true");
  await expect(dialog.getByRole("combobox", { name: "Persona" })).toHaveText(/Editor/);
  await expect(dialog.getByRole("button", { name: "Knowledge", exact: true })).toHaveAccessibleDescription("House rules");
  await expect(dialog.getByRole("button", { name: "Model", exact: true })).toContainText("GPT-5 nano");

  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await expect(rows(dialog)).toHaveText([/Tender answer/, /Tender answer \(copy\)/, /Second opinion/, /Week/]);
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Tender answer (copy)");

  // By the keyboard, then by the pointer.
  const handle = dialog.getByRole("button", { name: "Move Week in five lines" });
  await handle.press("ArrowUp");
  await expect(rows(dialog)).toHaveText([/Tender answer/, /\(copy\)/, /Week/, /Second opinion/]);
  await expect(handle).toBeFocused();
  const [from, to] = [await handle.boundingBox(), await rows(dialog).first().boundingBox()];
  if (!from || !to) throw new Error("The rows are not there.");
  await page.mouse.move(from.x + 4, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 4, to.y + 60, { steps: 4 });
  await page.mouse.move(from.x + 4, to.y + 4, { steps: 4 });
  const moved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.url().includes("/api/template-messages/"));
  await page.mouse.up();
  const order = [/Week/, /Tender answer/, /\(copy\)/, /Second opinion/];
  await expect(rows(dialog)).toHaveText(order);
  // Shown before it is stored.
  await moved;
  await page.reload();
  await openPrompts(page);
  await expect(rows(dialog)).toHaveText(order);

  // Another person takes all of it from the file.
  const [download] = await Promise.all([page.waitForEvent("download"), chooseFrom(dialog, "Export prompts and personas")]);
  const path = testInfo.outputPath("prompts.json");
  await download.saveAs(path);
  const other = await newDevice();
  await enter(other);
  await other.goto("/");
  const theirs = await openPrompts(other);
  const outcome = other.getByRole("dialog", { name: /mport/ }).last();
  const importFile = async (file: string | { name: string; mimeType: string; buffer: Buffer }) => {
    const [chooser] = await Promise.all([other.waitForEvent("filechooser"), chooseFrom(theirs, "Import from a file")]);
    await chooser.setFiles(file);
  };
  const broken = (await readFile(path, "utf8")).replace('"Second opinion"', '""');
  allowConsole(/400/);
  await importFile({ name: "broken.json", mimeType: "application/json", buffer: Buffer.from(broken) });
  await expect(outcome).toContainText("Prompt 4 of this file: Name cannot be empty. Nothing was imported.");
  await outcome.getByRole("button", { name: "Done" }).click();
  await importFile(path);
  await expect(outcome).toContainText("4 prompts and 1 persona came in.");
  await outcome.getByRole("button", { name: "Done" }).click();
  await expect(rows(theirs)).toHaveText(order);
  await theirs.getByRole("button", { name: "Edit Tender answer", exact: true }).click();
  await expect(theirs.getByRole("combobox", { name: "Persona" })).toHaveText(/Editor/);

  const question = other.getByRole("alertdialog", { name: "Delete this prompt?" });
  await theirs.getByRole("button", { name: "Delete Second opinion" }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(rows(theirs)).toHaveCount(4);
  await theirs.getByRole("button", { name: "Delete Second opinion" }).click();
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(rows(theirs)).toHaveCount(3);

  // A workflow: each step has the answer before it, filled in as it is sent.
  await page.keyboard.press("Escape");
  await composer(page).fill(WORKFLOW);
  await composer(page).press("Enter");
  await page.waitForURL("**/c/*");
  await expect(page.getByText("step 2 of 3")).toBeVisible();
  await expect(page.getByText("step 3 of 3")).toBeVisible();
  await expect(turns(page)).toHaveCount(6);
  await answered(page);
  await expect(turns(page).nth(5)).toContainText("third after second after draft");

  await turns(page).first().hover();
  await turns(page).first().getByRole("button", { name: "Save as prompt" }).click();
  await expect(dialog.getByRole("textbox", { name: "Content" })).toHaveValue("delay 1500\nsay draft");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Draft");
  await dialog.getByRole("button", { name: "Create prompt" }).click();
  await expect(rows(dialog).first()).toContainText("Draft");
});
