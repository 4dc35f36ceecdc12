import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { newestCode } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { callApi, enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { composer, turns } from "./fixtures/chat.ts";
import { newAddress } from "./fixtures/sign-in.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const WithId = z.optional(z.object({ id: z.string() }));
const Made = z.object({ persona: WithId, prompt: WithId, context: WithId });
const Named = z.array(z.object({ id: z.string(), name: z.string() }));
const Personas = z.object({ personas: Named });
const Prompts = z.object({ prompts: Named });

/** Three steps, two variables. */
const WORKFLOW = "say One for {{week}}\n---\nsay Two for {{team}}, after {{LAST_ANSWER}}\n---\nsay Three for {{week}}";

const MARKUP = "<img src=x onerror=\"document.title='owned'\"> **Be brief.**";

async function make(page: Page, path: string, body: object): Promise<string> {
  const { persona, prompt, context } = Made.parse(await callApi(page, { method: "POST", path, body }));
  return persona?.id ?? prompt?.id ?? context?.id ?? "";
}

/** Does something from the palette. */
async function choose(page: Page, action: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill(action);
  await page.getByRole("option", { name: action, exact: true }).click();
}

/** Makes a link in the open form of a persona or a prompt, copies it and answers it. */
async function share(page: Page, kind: "persona" | "prompt"): Promise<string> {
  await page.getByRole("button", { name: "Share", exact: true }).last().click();
  const dialog = page.getByRole("dialog", { name: `Share ${kind}` });
  await dialog.getByRole("button", { name: /^Generate (?:new )?link$/ }).click();
  await expect(dialog.getByRole("textbox", { name: "Share link" })).toHaveValue(/share_/);
  await expect(page.getByText("Share link generated successfully!").first()).toBeVisible();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  await expect(page.getByText("Share link copied to clipboard!").first()).toBeVisible();
  const link = await dialog.getByRole("textbox", { name: "Share link" }).inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toHaveCount(0);
  return link;
}

/** Signs in on the login page that is open. */
async function signInHere(page: Page, email: string): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  const code = page.getByRole("textbox", { name: "Code" });
  await expect(code).toBeVisible();
  await code.fill(await until(`the code mailed to ${email}`, () => newestCode(new URL(page.url()).origin, email)));
}

test("a persona and a workflow are shared by link, imported by a stranger once they have signed in, and used by a deeplink on a phone", async ({
  page,
  newDevice,
  allowConsole,
}) => {
  allowConsole(/status of 404/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(page);
  await make(page, "/api/user-system-prompts", { name: "Editor", content: MARKUP });
  await make(page, "/api/template-messages", { name: "Weekly", content: WORKFLOW });
  await page.goto("/");
  await choose(page, "Manage Personas");
  await page.getByRole("button", { name: "Edit Editor" }).click();
  const replaced = await share(page, "persona");
  const persona = await share(page, "persona");
  expect(persona).not.toBe(replaced);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await choose(page, "Manage prompts");
  await page.getByRole("button", { name: "Edit Weekly" }).click();
  const prompt = await share(page, "prompt");
  await page.getByRole("button", { name: "Share", exact: true }).last().click();
  await expect(page.getByRole("dialog", { name: "Share prompt" })).toContainText("It has been shared by a link since");
  await expectAccessible(page);

  const other = await newDevice();
  await other.goto(`${persona}&${new URL(prompt).searchParams.toString()}`);
  const dialog = other.getByRole("dialog");
  await expect(other.getByRole("dialog", { name: "Editor" })).toContainText("A persona, made on");
  await expect(dialog.getByRole("region", { name: "Text" })).toHaveText(MARKUP);
  await expect(dialog).toContainText("Please sign in to import this persona");
  await expect(other).toHaveURL("/");
  await expect(other).not.toHaveTitle("owned");
  await expectAccessible(other);
  await dialog.getByRole("link", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/auth\/\?returnUrl=%2F%3Fshare_system_prompt%3D/);
  await signInHere(other, newAddress());
  await dialog.getByRole("button", { name: "Import" }).dblclick();
  await expect(other.getByText("The persona was imported.")).toBeVisible();
  await expect(other.getByRole("dialog", { name: "Weekly" })).toContainText("say One for {{week}}");
  await other.getByRole("dialog", { name: "Weekly" }).getByRole("button", { name: "Import" }).click();
  await expect(other.getByText("The prompt was imported.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const { personas } = Personas.parse(await callApi(other, { method: "GET", path: "/api/user-system-prompts" }));
  const [editor, ...further] = personas.filter(({ name }) => name === "Editor");
  expect(further).toEqual([]);
  const [weekly] = Prompts.parse(await callApi(other, { method: "GET", path: "/api/template-messages" })).prompts;

  await other.setViewportSize({ width: 390, height: 844 });
  await other.goto(`/new?template=${weekly?.id}&persona=${editor?.id}`);
  const form = other.getByRole("dialog", { name: "Weekly" });
  await form.getByRole("textbox", { name: "week" }).fill("week 47");
  await form.getByRole("textbox", { name: "team" }).fill("Nordlicht");
  await form.getByRole("button", { name: "Send" }).click();
  await other.waitForURL("**/c/*");
  await expect(turns(other)).toHaveCount(6);
  for (const [index, answer] of ["One for week 47", "Two for Nordlicht, after One for week 47", "Three for week 47"].entries())
    await expect(turns(other).nth(2 * index + 1)).toContainText(answer);
  await expect(other.getByRole("button", { name: "Switch persona" })).toHaveAccessibleDescription("Editor");

  await other.goto(replaced);
  const failure = other.getByRole("alertdialog", { name: "Error" });
  await expect(failure).toContainText("Shared persona not found");
  await failure.getByRole("button", { name: "Close" }).click();
  await expect(failure).toHaveCount(0);
});

furtherTest("something shared that cannot be loaded for now is asked for again on a press", async ({ page, allowConsole }) => {
  allowConsole(/status of 429/);
  await enter(page);
  const id = await make(page, "/api/template-messages", { name: "Weekly", content: WORKFLOW });
  const made = await callApi(page, { method: "POST", path: `/api/template-messages/${id}/share`, body: {} });
  const asked = "**/api/shared/template-messages/*";
  const refused = { error: "Too many requests. Wait a little and try again.", code: "RATE_LIMITED" };
  await page.route(asked, (route) => route.fulfill({ status: 429, json: refused }));
  await page.goto(z.object({ shareUrl: z.string() }).parse(made).shareUrl);
  const failure = page.getByRole("alertdialog", { name: "Error" });
  await expect(failure).toContainText(refused.error);
  await expectAccessible(page);
  await page.unroute(asked);
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(failure).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: "Weekly" }).getByRole("button", { name: "Import" })).toBeEnabled();
});

test("a deeplink sets up a new chat on a phone, goes along with signing in, and is made by its builder", async ({ page, newDevice }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const email = await enter(page);
  const personaId = await make(page, "/api/user-system-prompts", { name: "Editor", content: MARKUP });
  const promptId = await make(page, "/api/template-messages", { name: "Weekly", content: "Sum up {{week}}." });
  const knowledgeId = await make(page, "/api/user-contexts", { name: "House rules", text_content: "No shoes." });

  const phone = await newDevice({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.goto(`/new?prompt=Keep%20it%20short&template=${promptId}&persona=${personaId}&model=gone/model`);
  await expect(composer(phone)).toHaveValue("Keep it short");
  await expect(phone).toHaveURL("/new");
  const notices = phone.getByRole("region", { name: "Notifications" });
  await expect(notices).toContainText("Sign in to use all of this link");
  await expect(notices).toContainText("the model gone/model (not known here)");
  await composer(phone).fill("Keep it very short");
  await notices.getByRole("button", { name: "Sign in" }).tap();
  await signInHere(phone, email);
  const form = phone.getByRole("dialog", { name: "Weekly" });
  await form.getByRole("textbox", { name: "week" }).fill("week 47");
  await form.getByRole("button", { name: "Insert" }).tap();
  await expect(composer(phone)).toHaveValue("Sum up week 47.\n\nKeep it very short");
  await expect(phone).toHaveURL("/new");
  await expect(phone.getByRole("button", { name: "Switch persona" })).toHaveAccessibleDescription("Editor");
  await expect(phone.getByRole("log", { name: "Conversation" })).toHaveCount(0);

  // Sent from the form, the link's text goes along; closed, the form leaves it as it was.
  await page.goto(`/new?prompt=Keep%20it%20short&template=${promptId}`);
  const weekly = page.getByRole("dialog", { name: "Use Weekly" });
  await weekly.getByRole("button", { name: "Close" }).click();
  await expect(composer(page)).toHaveValue("Keep it short");
  await page.goto(`/new?prompt=Keep%20it%20short&template=${promptId}`);
  await weekly.getByRole("textbox", { name: "week" }).fill("week 48");
  await expect(weekly.locator("[data-prompt-preview]")).toHaveText("Sum up week 48.\n\nKeep it short");
  await weekly.getByRole("button", { name: "Send" }).click();
  await page.waitForURL("**/c/*");
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("Keep it short");
  await page.goto("/new");
  await expect(composer(page)).toHaveValue("");

  await choose(page, "Deeplink builder");
  const builder = page.getByRole("dialog", { name: "Deeplink builder" });
  await builder.getByRole("textbox", { name: "Prompt" }).fill("Write & publish?");
  await builder.getByRole("combobox", { name: "Persona" }).selectOption("Editor");
  await builder.getByRole("button", { name: "Knowledge", exact: true }).click();
  await page
    .getByRole("listbox", { name: "Knowledge" })
    .getByRole("option", { name: /^House rules/ })
    .click();
  await page.keyboard.press("Escape");
  await builder.getByRole("switch", { name: "Enable Auto Settings" }).check();
  const origin = new URL(page.url()).origin;
  const url = `${origin}/new?prompt=Write%20%26%20publish%3F&persona=${personaId}&knowledge=${knowledgeId}&auto_settings=true`;
  await expect(builder.getByRole("region", { name: "Generated URL" })).toHaveText(url);
  await builder.getByRole("button", { name: "Copy" }).click();
  await expect(builder.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  await expectAccessible(page);
  const opened = page.waitForEvent("popup");
  await builder.getByRole("link", { name: "Open" }).click();
  const tab = await opened;
  await expect(composer(tab)).toHaveValue("Write & publish?");
  await expect(tab.getByRole("button", { name: "Switch model" })).toHaveAccessibleDescription("Autopilot");
  await expect(tab.getByRole("button", { name: "Switch persona" })).toHaveAccessibleDescription("Editor");
  await expect(tab.getByRole("list", { name: "Knowledge" })).toContainText("House rules");
  await tab.close();

  await builder.getByRole("button", { name: "How deeplinks work" }).click();
  const docs = page.getByRole("dialog", { name: "How deeplinks work" });
  await expect(docs.getByRole("term")).toHaveText(["prompt", "template", "model", "persona", "knowledge", "auto_settings"]);
  const examples = docs.getByRole("link");
  await expect(examples).toHaveCount(3);
  await expectAccessible(page);
  const addresses = await examples.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  await docs.getByRole("button", { name: "Done" }).click();

  await builder.getByRole("textbox", { name: "Prompt" }).fill("too long ".repeat(900));
  // What a prompt would read in another way is no longer kept as one.
  await builder.getByRole("textbox", { name: "Prompt" }).fill(`${"too long ".repeat(900)}{{week}}`);
  await expect(builder.getByRole("region", { name: "Link" })).toContainText("it can't be saved as a prompt, which would fill in {{week}}.");
  await expect(builder.getByRole("button", { name: "Save as prompt" })).toHaveCount(0);
  await builder.getByRole("textbox", { name: "Prompt" }).fill("too long ".repeat(900));
  await builder.getByRole("button", { name: "Save as prompt" }).click();
  await expect(builder.getByRole("region", { name: "Generated URL" })).toHaveText(/\/new\?template=[\w-]{36}&persona=/);
  await builder.getByRole("button", { name: "Done" }).click();
  await choose(page, "How deeplinks work");
  await docs.getByRole("button", { name: "Done" }).click();
  await page.goto(addresses[0] ?? "");
  await expect(page.getByRole("textbox", { name: "week" })).toBeVisible();
  await page.goto("/");
  await composer(page).fill("My own words");
  await page.goto(addresses[1] ?? "");
  await expect(composer(page)).toHaveValue("Explain tides to a child.");
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("The link's text took your draft's place");
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(composer(page)).toHaveValue("My own words");
  await page.goto(addresses[2] ?? "");
  await expect(page.getByRole("button", { name: "Switch model" })).toHaveAccessibleDescription("Autopilot");
  await expect(page.getByRole("region", { name: "Notifications" }).getByRole("listitem")).toHaveCount(0);
});
