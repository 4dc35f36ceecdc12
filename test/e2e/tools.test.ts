import { listTodos } from "#shared/contracts/chat/todos.ts";
import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { Message } from "#shared/entities/message.ts";
import { toolCall } from "../support/sample-tool-call.ts";
import { callApi, enter, messagesOf, startChat } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { ask, chatIdOf, composer, lastTurn } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const SEARCH = `before I will look it up.
call parallelWebSearch {"objective":"How long to let sourdough rise","search_queries":["sourdough bread rise"]}
call exaCrawl {"urls":["https://kitchen.example/sourdough","https://nowhere.example/gone"]}
call exaImageSearch {"query":"autumn in Kyoto","count":3}
then
say It rises overnight [1], which \`dough[1]\` does not change.`;

test("tools stand as rows within the answer, say on a press what they gave, and the text cites their pages", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  const chatId = await ask(page, SEARCH);
  const turn = lastTurn(page);
  const searched = turn.getByRole("button", { name: /^Searched the web for sourdough bread rise \d+ results/ });
  await expect(searched).toBeVisible();

  // Between the text before the calls and the text after them.
  const text = await turn.innerText();
  const order = ["I will look it up.", "Searched the web", "Read 2 pages", "Searched for images", "It rises overnight"];
  const places = order.map((part) => text.indexOf(part));
  expect(Math.min(...places)).toBeGreaterThan(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(text).not.toContain("[1],");

  const read = turn.getByRole("button", { name: /^Read 2 pages/ });
  await expect(read).toContainText("1 failed");
  await read.focus();
  await read.press("Enter");
  await expect(read).toHaveAttribute("aria-expanded", "true");
  await expect(turn.getByRole("listitem").filter({ hasText: "nowhere.example" })).toContainText("Not read");
  await expect(turn.getByLabel("Input", { exact: true })).toContainText('"https://nowhere.example/gone"');
  await expect(turn.getByLabel("Output", { exact: true })).not.toBeEmpty();

  const images = turn.getByRole("list", { name: "Images" }).getByRole("img");
  await expect(images).toHaveCount(3);
  await images.first().scrollIntoViewIfNeeded();
  await expect.poll(() => images.first().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  for (const image of await images.all()) {
    expect(new URL((await image.getAttribute("src")) ?? "", page.url()).origin).toBe(new URL(page.url()).origin);
    expect(await image.getAttribute("alt")).not.toBe("");
  }

  const message = (await messagesOf(page, chatId)).at(-1);
  const chip = turn.getByRole("link", { name: `Source 1: ${message?.citations[0]?.title}` });
  await expect(chip).toHaveText("1");
  await expect(chip).toHaveAttribute("href", message?.citations[0]?.url ?? "");
  await expect(turn.getByText("dough[1]", { exact: true })).toBeVisible();

  await page.reload();
  await expect(searched).toBeVisible();
  await expect(chip).toBeVisible();
});

furtherTest("the chat's todo list is in its menu, and follows the model while it is open", async ({ page }) => {
  await enter(page);
  const { chatId } = await startChat(page, "say Hello.");
  await page.goto(`/c/${chatId}`);
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name: "Todo" }).click();
  const dialog = page.getByRole("dialog", { name: "Todo" });
  await expect(dialog.getByText("No todos yet for this chat")).toBeVisible();
  await expectAccessible(page);

  const parent = await settledReply(page, chatId);
  const content = `call addTodoItem {"text":"Book the van","status":"in_progress"}
call addTodoItem {"text":"Pack the books"}
then
say Planned.`;
  await callApi(page, {
    method: "POST",
    path: `/api/chat/${chatId}/messages`,
    body: { id: crypto.randomUUID(), parent_id: parent, content },
  });
  await expect(dialog.getByRole("listitem")).toHaveText(["Book the vanIn progress", "Pack the booksNot started"]);
  await expect(dialog.getByText("0 of 2 complete")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(lastTurn(page).getByRole("button", { name: "Added a todo Book the van" })).toBeVisible();

  const counter = page.getByRole("button", { name: "Todo, 0 of 2 complete" });
  await expect(counter).toHaveText("0/2");
  const { todos } = listTodos.response?.parse(await callApi(page, { method: "GET", path: `/api/chat/${chatId}/todos` })) ?? { todos: [] };
  await callApi(page, {
    method: "POST",
    path: `/api/chat/${chatId}/messages`,
    body: {
      id: crypto.randomUUID(),
      parent_id: await settledReply(page, chatId),
      content: `call updateTodoItem {"id":"${todos[0]?.id}","status":"complete"}\nthen\nsay Done.`,
    },
  });
  const further = page.getByRole("button", { name: "Todo, 1 of 2 complete" });
  await expect(further).toHaveText("1/2");
  await further.click();
  await expect(dialog.getByText("1 of 2 complete")).toBeVisible();
});

furtherTest(
  "the picked tools are the chat's, several models answer in sight, and a choice that is not saved goes back",
  async ({ page, allowConsole }) => {
    await enter(page);
    await page.goto("/");
    const button = page.getByRole("button", { name: "Select tools" });
    await expect(button).toHaveText("No tools");
    await button.click();
    const option = page.getByRole("listbox", { name: "Tools" }).getByRole("option", { name: "Synthesis" });
    await expect(page.getByText("Web search, artifact and to-do tools are used automatically at the agent's discretion.")).toBeVisible();
    await option.click();
    await expect(option).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await expect(button).toHaveText("1 tool");

    await ask(page, 'call multiModelSynthesis {"question":"Which bread is best?"}\nthen\nsay They agree.');
    const subAnswer = lastTurn(page).getByRole("list", { name: "Steps" }).getByRole("button").first();
    await expect(lastTurn(page)).toContainText(/Synthesis of \d answers/);
    await expect(subAnswer).toContainText("$");
    await subAnswer.click();
    await expect(subAnswer.locator("xpath=following-sibling::*").first()).not.toBeEmpty();
    await page.reload();
    await expect(button).toHaveText("1 tool");

    allowConsole(/500|Failed to load resource/);
    await page.route(`**/api/chat/${chatIdOf(page)}`, (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 500, json: { error: "Out of order.", code: "INTERNAL" } })
        : route.fallback(),
    );
    await button.press("Enter");
    await page.getByRole("listbox", { name: "Tools" }).press("Space");
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Out of order.");
    await expect(button).toHaveText("1 tool");
  },
);

furtherTest(
  "a category that has no key here is nowhere, and what could not be loaded is asked for again",
  async ({ page, allowConsole }) => {
    await page.route("**/api/tool-categories", async (route) => {
      const response = await route.fetch();
      const { categories } = z.object({ categories: z.array(z.looseObject({ id: z.string() })) }).parse(await response.json());
      await route.fulfill({ response, json: { categories: categories.filter(({ id }) => id !== "search" && id !== "synthesis") } });
    });
    await enter(page);
    await page.goto("/?settings=tools");
    const settings = page.getByRole("dialog", { name: "Settings" });
    await expect(settings.getByRole("region", { name: "Todo list" })).toBeVisible();
    await expect(settings.getByText(/Web search|Synthesis/)).toHaveCount(0);
    await page.keyboard.press("Escape");

    allowConsole(/the server responded with a status of 429/);
    let isReachable = false;
    await page.route("**/api/tool-categories", (route) =>
      isReachable ? route.fallback() : route.fulfill({ status: 429, json: { error: "Too many requests.", code: "RATE_LIMITED" } }),
    );
    await page.goto("/");
    const button = page.getByRole("button", { name: "Select tools" });
    await expect(button).toHaveText("Tools not loaded");
    await button.click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("The tools could not be loaded");
    isReachable = true;
    await button.click();
    await expect(page.getByRole("listbox", { name: "Tools" }).getByRole("option")).toHaveText([
      /Email/,
      /^GmailNot connected/,
      /Schedules/,
      /Phone/,
      /Truth seeker/,
      /^Google DriveNot connected/,
    ]);
    await expect(page.getByText("To-do tools are used automatically at the agent's discretion.")).toBeVisible();
    await expect(button).toHaveText("No tools");
  },
);

furtherTest(
  "settings hold which tools are on and with which new chats start, at once and in this browser too",
  async ({ page, allowConsole }) => {
    await enter(page);
    await page.goto("/?settings=tools");
    const settings = page.getByRole("dialog", { name: "Settings" });
    const search = settings.getByRole("region", { name: "Web search" });
    const defaults = settings.getByRole("switch", { name: "Synthesis in new chats" });
    await expect(search.getByText("3/3")).toBeVisible();
    await search.getByRole("button", { name: /^Web search/ }).click();
    await search.getByRole("switch", { name: "Search for images" }).click();
    await expect(search.getByText("2/3")).toBeVisible();
    await defaults.click();
    await expect(defaults).toBeChecked();
    const storedCategories = () => page.evaluate(() => JSON.parse(localStorage.getItem("user-preferences") ?? "{}").defaultToolCategories);
    await expect.poll(storedCategories).toEqual(["synthesis"]);
    await expect
      .poll(
        async () =>
          z
            .object({ settings: z.record(z.string(), z.unknown()) })
            .parse(await callApi(page, { method: "GET", path: "/api/user/tool-settings" })).settings,
      )
      .toMatchObject({ exaImageSearch: { enabled: false } });

    await page.reload();
    await expect(search.getByText("2/3")).toBeVisible();
    await expect(defaults).toBeChecked();
    await expect(page.getByRole("button", { name: "Select tools", includeHidden: true })).toHaveText("1 tool");

    allowConsole(/500|Failed to load resource/);
    await page.route("**/api/user/preferences", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 500, json: { error: "Out of order.", code: "INTERNAL" } })
        : route.fallback(),
    );
    await defaults.click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Out of order.");
    await expect(defaults).toBeChecked();
    expect(await storedCategories()).toEqual(["synthesis"]);
  },
);

test("what acts outside asks first: seen, edited, refused with nothing lost, then approved", async ({ page, allowConsole }) => {
  await enter(page);
  const { chatId } = await startChat(page, "say I wrote a draft.");
  await settledReply(page, chatId);
  const decisions: unknown[] = [];
  const waiting = await waitAt(page, chatId, (decision) => {
    decisions.push(decision);
    return decisions.length === 1 ? { status: 400, json: { error: "To must be an address.", code: "INVALID_INPUT" } } : null;
  });
  allowConsole(/400|Failed to load resource/);
  await page.goto(`/c/${chatId}`);

  const card = page.getByRole("region", { name: "Send letter" });
  await expect(card).toContainText("Waiting for you");
  await expect(card).toContainText("Re: March invoice");
  await expectAccessible(page);
  await card.getByRole("button", { name: "Edit" }).click();
  await expect(card.getByRole("textbox", { name: "To" })).toBeFocused();
  await card.getByRole("textbox", { name: "Subject" }).fill("Re: April invoice");
  await card.getByRole("textbox", { name: "Options" }).fill("{receipt");
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(card.getByRole("alert")).toHaveText("Options is not valid JSON.");
  await card.getByRole("textbox", { name: "Options" }).fill('{"receipt":false}');

  // What was typed survives a reload, and a refusal.
  await page.reload();
  await expect(card.getByRole("textbox", { name: "Subject" })).toHaveValue("Re: April invoice");
  await card.getByRole("checkbox", { name: /^Always allow/ }).check();
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(card.getByRole("alert")).toHaveText("To must be an address.");
  await expect(card.getByRole("textbox", { name: "Subject" })).toHaveValue("Re: April invoice");
  await expectAccessible(page);
  await card.getByRole("button", { name: "Approve" }).press("Enter");
  await expect(card).toHaveCount(0);
  await expect(lastTurn(page).getByRole("button", { name: "Used sendLetter Always allowed" })).toBeFocused();
  const input = { ...waiting, subject: "Re: April invoice", options: { receipt: false } };
  expect(decisions).toEqual([
    { decision: "always", input },
    { decision: "always", input },
  ]);
  await expect(composer(page)).toBeVisible();
});

/** The last reply's id, once it is settled. */
async function settledReply(page: Page, chatId: string): Promise<string> {
  await expect.poll(async () => (await messagesOf(page, chatId)).at(-1)?.status).toBe("done");
  return (await messagesOf(page, chatId)).at(-1)?.id ?? "";
}

type Refusal = { status: number; json: unknown } | null;

/** Makes the last reply one that waits for this person's word about a mail, as the server tells it; returns the mail. */
async function waitAt(page: Page, chatId: string, decide: (decision: unknown) => Refusal): Promise<Record<string, unknown>> {
  const input = { to: ["marta@example.pt"], subject: "Re: March invoice", body: "Dear Marta,\n\nfine.", options: { receipt: true } };
  const { user } = z
    .object({ user: z.object({ id: z.string(), display_name: z.string() }) })
    .parse(await callApi(page, { method: "GET", path: "/api/auth/session" }));
  const waiting = toolCall({
    id: crypto.randomUUID(),
    tool: "sendLetter",
    input,
    status: "waiting",
    approval: { user: { id: user.id, display_name: user.display_name }, decision: null },
  });
  let call = waiting;
  await page.route(`**/api/chat/${chatId}/messages`, async (route) => {
    const answer = z.object({ messages: z.array(Message), nextCursor: z.nullable(z.string()) }).parse(await (await route.fetch()).json());
    const messages = answer.messages.map((message) =>
      message.role === "assistant"
        ? { ...message, status: call === waiting ? ("waiting" as const) : message.status, tool_calls: [call] }
        : message,
    );
    await route.fulfill({ json: { ...answer, messages } });
  });
  await page.route(`**/api/chat/${chatId}/replies/*`, (route) =>
    route.fulfill({ contentType: "text/event-stream", body: "retry: 600000\n\n" }),
  );
  await page.route(`**/api/chat/${chatId}/tool-calls/${waiting.id}`, async (route) => {
    const refusal = decide(route.request().postDataJSON());
    if (refusal) return route.fulfill(refusal);
    call = { ...waiting, status: "done", approval: { user: { id: user.id, display_name: user.display_name }, decision: "always" } };
    return route.fulfill({ json: { call } });
  });
  return input;
}

furtherTest("a checked answer shows its steps, and underlines what it says otherwise than its draft", async ({ page }) => {
  await enter(page);
  const { chatId } = await startChat(page, "say Ready.");
  await callApi(page, { method: "PATCH", path: `/api/chat/${chatId}`, body: { tool_categories: ["truth-seeker"] } });
  await page.goto(`/c/${chatId}`);
  const input = { question: "What burned?", draft: "A third of the city was destroyed.", critique: "say ## What changed\n\n- The place." };
  await ask(page, `call truthSeekRefine ${JSON.stringify(input)}\nthen\nsay A third of the old town was destroyed.`);
  const turn = lastTurn(page);
  await expect(turn.getByText("Truth seeker")).toBeVisible();
  await turn.getByRole("button", { name: /^Refined .*1 change/ }).click();
  await expect(turn.getByText("The place.")).toBeVisible();
  const underlined = () =>
    page.evaluate(() =>
      Array.from(CSS.highlights.get("changed") ?? [], (range) => (range instanceof Range ? range.toString() : "not a live range")),
    );
  await expect.poll(underlined).toEqual(["old town"]);
});

furtherTest(
  "a guest sees an account's tools, chooses those that work without one, and is asked to sign in for the others",
  async ({ page }) => {
    await page.goto("/");
    await composer(page).fill("Ask the printer.");
    const button = page.getByRole("button", { name: "Select tools" });
    await button.click();
    await expectAccessible(page);
    const synthesis = page.getByRole("option", { name: "Synthesis" });
    await synthesis.click();
    await expect(synthesis).toHaveAttribute("aria-selected", "true");
    await expect(button).toHaveText("1 tool");
    await page.getByRole("option", { name: "Phone" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in to use Phone" });
    await expectAccessible(page);
    await dialog.getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/auth/login");
  },
);
