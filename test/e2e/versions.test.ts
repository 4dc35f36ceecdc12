import { type Locator, type Page } from "@playwright/test";
import { messagesOf } from "./fixtures/api.ts";
import { answered, ask, composer, conversation, copied, lastTurn, send, turns } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

function version(turn: Locator, text: string): Locator {
  return turn.getByText(text, { exact: true });
}

async function regenerate(page: Page): Promise<void> {
  await lastTurn(page).getByRole("button", { name: "Regenerate", exact: true }).click();
}

async function edit(page: Page, turn: Locator, text: string): Promise<void> {
  await turn.hover();
  await turn.getByRole("button", { name: "Edit" }).click();
  const field = page.getByRole("textbox", { name: "Edited text" });
  await expect(field).toBeFocused();
  await field.fill(text);
  await field.press("Enter");
  await expect(field).toHaveCount(0);
}

test("regenerating keeps every version, the switch goes between them, and a reload keeps the choice", async ({ page }) => {
  await page.goto("/");
  const chatId = await ask(page, "Tell me about harbours\nspeed 0");
  const first = await copied(page, lastTurn(page));
  await expect(page.getByRole("button", { name: "Previous version" })).toHaveCount(0);

  await regenerate(page);
  await expect(version(lastTurn(page), "2/2")).toBeVisible();
  await answered(page);
  const second = await copied(page, lastTurn(page));
  expect(second).not.toBe(first);
  await regenerate(page);
  await expect(version(lastTurn(page), "3/3")).toBeVisible();
  await answered(page);
  const third = await copied(page, lastTurn(page));
  expect(new Set([first, second, third]).size).toBe(3);
  await expect(turns(page)).toHaveCount(2);
  await expect(lastTurn(page).getByRole("button", { name: "Next version" })).toBeDisabled();

  await lastTurn(page).getByRole("button", { name: "Previous version" }).click();
  await expect(version(lastTurn(page), "2/3")).toBeVisible();
  expect(await copied(page, lastTurn(page))).toBe(second);
  await page.reload();
  await expect(version(lastTurn(page), "2/3")).toBeVisible();
  expect(await copied(page, lastTurn(page))).toBe(second);

  await lastTurn(page).getByRole("button", { name: "Previous version" }).click();
  await expect(version(lastTurn(page), "1/3")).toBeVisible();
  await expect(lastTurn(page).getByRole("button", { name: "Previous version" })).toBeDisabled();
  expect(await copied(page, lastTurn(page))).toBe(first);
  expect((await messagesOf(page, chatId)).at(-1)?.content).toBe(first);
});

furtherTest(
  "two tabs of one reader look at the same version, and what follows it answers it, not the latest",
  async ({ page, context }) => {
    await page.goto("/");
    await ask(page, "say Answer the first");
    await regenerate(page);
    await expect(version(lastTurn(page), "2/2")).toBeVisible();
    await answered(page);
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(version(lastTurn(other), "2/2")).toBeVisible();
    await lastTurn(other).getByRole("button", { name: "Previous version" }).click();
    await expect(version(lastTurn(other), "1/2")).toBeVisible();
    await expect(version(lastTurn(page), "1/2")).toBeVisible();
    await send(page, "say A question to the first version");
    await expect(turns(page)).toHaveCount(4);
    await answered(page);
    await expect(version(turns(page).nth(1), "1/2")).toBeVisible();
    await turns(page).nth(1).hover();
    await turns(page).nth(1).getByRole("button", { name: "Next version" }).click();
    await expect(version(turns(page).nth(1), "2/2")).toBeVisible();
    await expect(turns(page)).toHaveCount(2);
    await expect(version(lastTurn(other), "2/2")).toBeVisible();
  },
);

furtherTest(
  "an edit stays open when another tab goes to another version, says so, and leads back to its own",
  async ({ page, context }) => {
    await page.goto("/");
    await ask(page, "say First question");
    await send(page, "say Second question");
    await expect(turns(page)).toHaveCount(4);
    await answered(page);
    await turns(page).nth(2).hover();
    await turns(page).nth(2).getByRole("button", { name: "Edit" }).click();
    const field = page.getByRole("textbox", { name: "Edited text" });
    await field.fill("say Second question, bet");

    const other = await context.newPage();
    await other.goto(page.url());
    await expect(turns(other)).toHaveCount(4);
    await edit(other, turns(other).nth(2), "say Second question of the other tab");
    await answered(other);
    const notice = page.getByRole("status").filter({ hasText: "Another version was chosen elsewhere." });
    await expect(notice).toBeVisible();
    await expect(field).toBeFocused();
    await page.keyboard.type("ter");
    await expect(field).toHaveValue("say Second question, better");

    // A version further up leaves no place for it: it stands at the end.
    await edit(other, turns(other).first(), "say First question of the other tab");
    await expect(turns(other)).toHaveCount(2);
    await answered(other);
    await expect(conversation(page)).toContainText("First question of the other tab");
    await expect(field).toHaveValue("say Second question, better");
    await expect(notice).toBeVisible();
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeEnabled();
    await field.press("Enter");
    await expect(field).toHaveCount(0);
    await expect(turns(page)).toHaveCount(4);
    await answered(page);
    await expect(lastTurn(page)).toContainText("Second question, better");
    await expect(version(turns(page).nth(2), "3/3")).toBeVisible();
    await expect(version(turns(page).first(), "1/2")).toBeVisible();
  },
);

furtherTest("another model answers beside the first, and each version names its own", async ({ page }) => {
  await page.goto("/");
  await ask(page, "Which bridges are the oldest\nspeed 0");
  await lastTurn(page).getByRole("button", { name: "Answer with another model" }).click();
  await page.getByRole("combobox", { name: "Search models" }).fill("llama 4 scout");
  await page.getByRole("combobox", { name: "Search models" }).press("Enter");
  await expect(version(lastTurn(page), "2/2")).toBeVisible();
  await answered(page);
  await expect(lastTurn(page)).toHaveAccessibleName("Llama 4 Scout");
  await expect(lastTurn(page)).toContainText("standing in for Llama 4 Scout");
  await lastTurn(page).getByRole("button", { name: "Previous version" }).click();
  await expect(version(lastTurn(page), "1/2")).toBeVisible();
  await expect(lastTurn(page)).not.toHaveAccessibleName("Llama 4 Scout");
});

test("editing a message makes a new branch, and the version switch shows the complete other branch again", async ({ page }) => {
  await page.goto("/");
  await ask(page, "say Original answer");
  await send(page, "say Original follow-up");
  await expect(turns(page)).toHaveCount(4);
  await answered(page);

  await edit(page, turns(page).first(), "say Edited answer");
  await expect(turns(page)).toHaveCount(2);
  await answered(page);
  await expect(version(turns(page).first(), "2/2")).toBeVisible();
  await expect(lastTurn(page)).toContainText("Edited answer");
  await expect(conversation(page)).not.toContainText("Original");

  await turns(page).first().getByRole("button", { name: "Previous version" }).click();
  await expect(turns(page)).toHaveCount(4);
  await expect(lastTurn(page)).toContainText("Original follow-up");
  await expect(conversation(page)).not.toContainText("Edited");
  await page.reload();
  await expect(turns(page)).toHaveCount(4);
  await expect(version(turns(page).first(), "1/2")).toBeVisible();
  // The edit was taken: editing again starts from the text as it stands.
  const code = Promise.withResolvers<void>();
  await page.route("**/assets/message-editor-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await turns(page).first().hover();
  await turns(page).first().getByRole("button", { name: "Edit" }).click();
  // The question stays in its place until the code of its editor is here.
  await expect(turns(page).first()).toContainText("say Original answer");
  code.resolve();
  await expect(page.getByRole("textbox", { name: "Edited text" })).toHaveValue("say Original answer");
});

furtherTest("Arrow up in the empty composer edits the last own message; Escape leaves everything as it was", async ({ page }) => {
  await page.goto("/");
  await ask(page, "say First words");
  await send(page, "say Last words");
  await expect(turns(page)).toHaveCount(4);
  await answered(page);

  await composer(page).focus();
  await page.keyboard.press("ArrowUp");
  const field = page.getByRole("textbox", { name: "Edited text" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("say Last words");
  await field.fill("something else entirely");
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(turns(page)).toHaveCount(4);
  await expect(turns(page).nth(2)).toContainText("say Last words");
  await expect(page.getByRole("button", { name: "Previous version" })).toHaveCount(0);
  await expect(composer(page)).toBeFocused();

  // From its button, the focus goes back to the button.
  await turns(page).nth(2).hover();
  await turns(page).nth(2).getByRole("button", { name: "Edit" }).click();
  await field.fill("");
  await expect(field).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(turns(page).nth(2).getByRole("button", { name: "Edit" })).toBeFocused();

  await composer(page).fill("not empty");
  await page.keyboard.press("ArrowUp");
  await expect(field).toHaveCount(0);

  await composer(page).fill("");
  await page.keyboard.press("ArrowUp");
  await expect(field).toHaveValue("say Last words");
  await field.fill("say Better words");
  await field.press("Enter");
  await expect(version(turns(page).nth(2), "2/2")).toBeVisible();
  await answered(page);
  await expect(lastTurn(page)).toContainText("Better words");
  await expect(turns(page).first()).toContainText("First words");
});

furtherTest("an edit that the server refuses is offered again with its text", async ({ page, allowConsole }) => {
  allowConsole(/the server responded with a status of 503/);
  await page.goto("/");
  await ask(page, "say Before the edit");
  await page.route("**/edit", (route) => route.fulfill({ status: 503, json: { error: "Not right now.", code: "INTERNAL" } }), { times: 1 });
  await turns(page).first().hover();
  await turns(page).first().getByRole("button", { name: "Edit" }).click();
  const field = page.getByRole("textbox", { name: "Edited text" });
  await field.fill("say After the edit");
  await field.press("Enter");
  await expect(page.getByRole("region", { name: "Notifications" }).getByText("Not right now.")).toBeVisible();
  await expect(field).toHaveValue("say After the edit");
  await field.press("Enter");
  await answered(page);
  await expect(version(turns(page).first(), "2/2")).toBeVisible();
  await expect(lastTurn(page)).toContainText("After the edit");
});
