import type { Locator, Page } from "@playwright/test";
import * as z from "zod/mini";
import { callApi, enter, messagesOf } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { answered, ask, chatIdOf, composer, lastTurn, modelButton, turns } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const Uses = z.object({ prompts: z.array(z.object({ name: z.string(), uses: z.number() })) });

const TENDER = `show request
speed 0
Answer {{client}} in {{word limit}} words, {{tone:formal,friendly}}, for {{audience=experts}}. {{NAME}} stays.
Once more, {{client}}: {{word limit}}.`;

async function makePrompts(page: Page): Promise<void> {
  const prompts = [
    { name: "Tender answer", content: TENDER },
    { name: "Second opinion", content: "say Another view on {{CURRENT_DATE}}", model_id: "openai/gpt-5-nano" },
    { name: "About the clipboard", content: "say {{CLIPBOARD}}", model_id: "openai/gpt-5-nano" },
    { name: "About the selection", content: "say It was {{SELECTION}}", model_id: "openai/gone" },
    { name: "Three steps", content: "say {{first}}\n---\nsay {{second}} after {{LAST_ANSWER}}\n---\nsay {{first}} again" },
  ];
  for (const body of prompts.toReversed()) await callApi(page, { method: "POST", path: "/api/template-messages", body });
}

function options(page: Page): Locator {
  return page.getByRole("listbox", { name: "Prompts" }).getByRole("option");
}

function form(page: Page, name: string): Locator {
  return page.getByRole("dialog", { name });
}

/** Finds a prompt by typing and takes the first. */
async function take(page: Page, query: string): Promise<void> {
  await composer(page).fill(`/${query}`);
  await expect(options(page).first()).toBeVisible();
  await composer(page).press("Enter");
}

function previewed(dialog: Locator): Promise<string[]> {
  return dialog.locator("[data-prompt-preview]").evaluateAll((parts) => parts.map((part) => part.textContent));
}

/** What the person's messages of a chat say, in order. */
async function sentTo(page: Page, chatId: string): Promise<string[]> {
  return (await messagesOf(page, chatId)).filter(({ role }) => role === "user").map(({ content }) => content);
}

test("a prompt is found by typing, filled in, seen as it is sent, inserted or sent, and its last values are offered again", async ({
  page,
}) => {
  await enter(page);
  await makePrompts(page);
  await page.goto("/");
  await composer(page).fill("Kept above\n");
  await composer(page).press("/");
  await expect(options(page)).toHaveText([
    /Tender answer/,
    /Second opinion/,
    /clipboard/,
    /selection/,
    /Three steps/,
    /Switch model/,
    /Switch persona/,
    /Manage/,
  ]);
  await expect(options(page).first()).toContainText("4 fields");
  // A path is what the person writes, and Escape leaves the rest as it is typed.
  await composer(page).pressSequentially("usr/bin");
  await expect(options(page)).toHaveCount(0);
  await composer(page).fill("Kept above\n/te");
  await expect(options(page)).toHaveText([/Tender answer/, /Three steps/]);
  await composer(page).press("Escape");
  await expect(options(page)).toHaveCount(0);
  await composer(page).pressSequentially("n");
  await expect(composer(page)).toHaveValue("Kept above\n/ten");
  await expect(options(page)).toHaveCount(0);
  await composer(page).fill("");
  await composer(page).fill("Kept above\n/tend");
  await expect(options(page).first()).toHaveAttribute("data-highlighted");
  await expectAccessible(page);
  await composer(page).press("Enter");

  const tender = form(page, "Use Tender answer");
  await expect(tender.getByRole("textbox", { name: "client" })).toBeFocused();
  // What asked for it does not come back.
  await page.keyboard.press("Escape");
  await expect(composer(page)).toHaveValue("Kept above\n");
  await composer(page).press("/");
  await composer(page).pressSequentially("tend");
  await expect(options(page).first()).toHaveAttribute("data-highlighted");
  await composer(page).press("Enter");
  await expect(tender.getByRole("textbox", { name: "client" })).toBeFocused();
  await tender.getByRole("textbox", { name: "client" }).pressSequentially("Ines {{tone}}");
  await page.keyboard.press("Enter");
  await expect(tender.getByRole("textbox", { name: "word limit" })).toBeFocused();
  await expect(tender.getByRole("textbox", { name: "word limit" })).toHaveAttribute("placeholder", "Empty stays as {{word limit}}");
  await page.keyboard.press("Enter");
  await expect(tender.getByRole("radio", { name: "formal" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(tender.getByRole("radio", { name: "friendly" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(tender.getByRole("textbox", { name: "audience" })).toHaveValue("experts");
  await expectAccessible(page);
  const [shown = ""] = await previewed(tender);
  expect(shown).toContain("Answer Ines {{tone}} in {{word limit}} words, friendly, for experts. {{NAME}} stays.");
  // What it is sent with is changed here, and Escape in a list leaves the form.
  await tender.getByRole("button", { name: "Model of this message" }).click();
  await page.getByRole("combobox", { name: "Search models" }).fill("llama 4 scout");
  await page.getByRole("listbox", { name: "Models" }).getByRole("option").first().click();
  await expect(tender.getByRole("button", { name: "Model of this message" })).toHaveAccessibleDescription(/^Llama 4 Scout/);
  const tools = tender.getByRole("button", { name: "Tools of this message" });
  await tools.click();
  await page.getByRole("option", { name: "Synthesis" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option", { name: "Synthesis" })).toHaveCount(0);
  await expect(tools).toHaveAccessibleDescription("1 tool");
  await expectAccessible(page);
  await tender.getByRole("textbox", { name: "audience" }).press("Enter");
  await page.waitForURL("**/c/*");
  await answered(page);
  const chatId = chatIdOf(page);
  await expect(modelButton(page)).toContainText("Llama 4 Scout");
  // What the model got is what the preview showed, byte for byte.
  expect(await sentTo(page, chatId)).toEqual([shown]);
  expect((await messagesOf(page, chatId)).at(-1)?.content).toContain(JSON.stringify(shown).slice(1, -1));

  // Inserted, below what is written there; the last values are offered.
  await composer(page).fill("Before");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search", exact: true }).fill("tender");
  await page.getByRole("option", { name: "Tender answer" }).click();
  await expect(tender.getByRole("textbox", { name: "client" })).toHaveValue("");
  await tender.getByRole("button", { name: "Use last values" }).click();
  await expect(tender.getByRole("textbox", { name: "client" })).toHaveValue("Ines {{tone}}");
  await tender.getByRole("textbox", { name: "word limit" }).fill("300");
  await tender.getByRole("button", { name: "Insert" }).click();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue(`Before\n\n${shown.replaceAll("{{word limit}}", "300")}`);

  // One that asks for nothing stands there at once; its date is today's.
  await take(page, "second");
  await expect(composer(page)).toHaveValue(/^say Another view on \d+ \w+ \d{4}$/);
  await expect(page.getByText("For the next message alone: GPT-5 nano")).toBeVisible();
  // Kept with the draft.
  await page.reload();
  await expect(composer(page)).toHaveValue(/^say Another view on \d+ \w+ \d{4}$/);
  await expect(page.getByText("For the next message alone: GPT-5 nano")).toBeVisible();
  await expect(modelButton(page)).not.toContainText("nano");
  // A chat that begins with it is set so.
  await page.getByRole("link", { name: "New Chat" }).click();
  await take(page, "second");
  await expect(modelButton(page)).toContainText("nano");
  const uses = async () => Uses.parse(await callApi(page, { method: "GET", path: "/api/template-messages" })).prompts;
  await expect.poll(uses).toMatchObject([{ name: "Tender answer", uses: 2 }, { name: "Second opinion", uses: 2 }, {}, {}, {}]);
});

furtherTest(
  "what a prompt takes from the clipboard and from a selection, its model, and a workflow with its values",
  async ({ page, context }) => {
    await enter(page);
    await makePrompts(page);
    await page.goto("/");
    const chatId = await ask(page, "say A lantern by the sea");

    await context.clearPermissions();
    await take(page, "clip");
    const clipboard = form(page, "Use About the clipboard");
    await expect(clipboard.getByText("The browser does not let this page read the clipboard.")).toBeVisible();
    await clipboard.getByRole("textbox", { name: "Clipboard" }).fill("Pasted by hand");
    await clipboard.getByRole("textbox", { name: "Clipboard" }).press("ControlOrMeta+Enter");
    await expect(turns(page)).toHaveCount(4);
    await answered(page);
    // Its model was this message's alone.
    const models = (await messagesOf(page, chatId)).filter(({ role }) => role === "assistant").map(({ model_id: model }) => model);
    expect(models[1]).toBe("openai/gpt-5-nano");
    expect(models[0]).not.toBe(models[1]);
    await expect(modelButton(page)).not.toContainText("nano");

    await turns(page).nth(1).getByText("A lantern by the sea").selectText();
    await page.getByRole("button", { name: "Use in a prompt" }).click();
    await page.getByRole("combobox", { name: "Search prompts" }).fill("selection");
    await page.keyboard.press("Enter");
    await expect(composer(page)).toHaveValue("say It was A lantern by the sea");
    await expect(page.getByText("Left out, as you can't use it: the model gone.")).toBeVisible();

    await take(page, "three");
    const steps = form(page, "Use Three steps");
    await steps.getByRole("textbox", { name: "first" }).fill("one\n---\nstill one");
    await steps.getByRole("textbox", { name: "second" }).fill("two");
    expect(await previewed(steps)).toEqual(["say one\n---\nstill one", "say two after {{LAST_ANSWER}}", "say one\n---\nstill one again"]);
    await steps.getByRole("button", { name: "Send" }).click();
    await expect(turns(page)).toHaveCount(10);
    await expect(lastTurn(page)).toContainText("still one again");
    await answered(page);
    expect((await sentTo(page, chatId)).slice(2)).toEqual([
      "say one\n---\nstill one",
      "say two after one\n---\nstill one",
      "say one\n---\nstill one again",
    ]);

    // Inserted, it runs in the same steps; a selection is spent by the question about it.
    await take(page, "three");
    await steps.getByRole("textbox", { name: "first" }).fill("one\n---\nstill one");
    await steps.getByRole("textbox", { name: "second" }).fill("two");
    await steps.getByRole("button", { name: "Insert" }).click();
    await expect(page.getByText("Runs as 3 steps")).toBeVisible();
    await composer(page).press("Enter");
    await expect(turns(page)).toHaveCount(16);
    await expect(lastTurn(page)).toContainText("still one again");
    await answered(page);
    expect((await sentTo(page, chatId)).slice(5)[0]).toBe("say one\n---\nstill one");
    await lastTurn(page).getByText("still one again").selectText();
    await page.getByRole("button", { name: "Ask about this" }).click();
    await expect(composer(page)).toHaveValue(/^> still one again/);
    await composer(page).press("Enter");
    await expect(turns(page)).toHaveCount(18);
    await answered(page);
    await take(page, "selection");
    await expect(form(page, "Use About the selection").getByRole("textbox", { name: "Selected text" })).toHaveValue("");
  },
);

furtherTest(
  "the knowledge of a prompt is seen before it is used, changed for this use, and named above the message box",
  async ({ page }) => {
    await enter(page);
    const [bees, wasps] = [crypto.randomUUID(), crypto.randomUUID()];
    const entry = (id: string, name: string, text: string) =>
      callApi(page, { method: "POST", path: "/api/user-contexts", body: { id, name, text_content: text } });
    await entry(wasps, "On wasps", "Wasps chew paper.");
    await entry(bees, "On bees", "Bees dance directions.");
    const prompt = { name: "Ask the hive", content: "show request\nspeed 0\nAbout {{what}}", context_ids: [bees] };
    await callApi(page, { method: "POST", path: "/api/template-messages", body: prompt });
    await page.goto("/");
    await ask(page, "say A chat of its own");

    await composer(page).fill("/hive");
    await expect(page.getByRole("definition").filter({ hasText: "On bees" })).toBeVisible();
    await composer(page).press("Enter");
    const dialog = form(page, "Use Ask the hive");
    const knowledge = dialog.getByRole("button", { name: "Knowledge of this message" });
    await expect(knowledge).toHaveText("On bees");
    await dialog.getByRole("textbox", { name: "what" }).fill("dances");
    await dialog.getByRole("button", { name: "Insert" }).click();
    await expect(page.getByText("For the next message alone: On bees")).toBeVisible();
    await page.getByRole("button", { name: "Send as the chat is set" }).click();

    await composer(page).fill("");
    await take(page, "hive");
    await dialog.getByRole("textbox", { name: "what" }).fill("paper");
    await knowledge.click();
    await page.getByRole("option", { name: "On wasps" }).click();
    await page.getByRole("option", { name: "On bees" }).click();
    await page.keyboard.press("Escape");
    await expect(knowledge).toHaveText("On wasps");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect(lastTurn(page)).toContainText("Wasps chew paper.");
    await expect(lastTurn(page)).not.toContainText("Bees dance directions.");
    await answered(page);
  },
);

furtherTest("on a phone the list is a drawer, and the form fits above the keyboard", async ({ newDevice }) => {
  const page = await newDevice({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto("/");
  await composer(page).tap();
  await composer(page).pressSequentially("/");
  await page.getByRole("option", { name: "Sign in to use prompts" }).tap();
  await page.getByRole("dialog", { name: "Sign in to use prompts" }).getByRole("button", { name: "Close" }).tap();
  await expect(composer(page)).toHaveValue("");

  await page.context().clearCookies();
  await enter(page);
  await makePrompts(page);
  await page.reload();
  await composer(page).pressSequentially("/");
  await page
    .getByRole("dialog", { name: "Prompts" })
    .getByRole("option", { name: /Tender answer/ })
    .tap();
  const tender = form(page, "Tender answer");
  // The keyboard takes half of the screen.
  await page.setViewportSize({ width: 390, height: 400 });
  await tender.getByRole("textbox", { name: "client" }).fill("Ines");
  await expect(tender.getByRole("textbox", { name: "client" })).toBeInViewport();
  await expect(tender.getByRole("button", { name: "Send" })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  await tender.getByRole("button", { name: "Insert" }).tap();
  await expect(composer(page)).toHaveValue(/Answer Ines in/);
});
