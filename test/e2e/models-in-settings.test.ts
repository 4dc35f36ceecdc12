import type { Locator, Page } from "@playwright/test";
import { callApi, enter } from "./fixtures/api.ts";
import { modelButton, pickModel } from "./fixtures/chat.ts";
import { modelOptions as options, modelSearch as search } from "./fixtures/models.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

async function openSettings(page: Page, tab: string): Promise<Locator> {
  await page.getByRole("button", { name: /^Profile: / }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("tab", { name: tab }).click();
  await expect(dialog.getByRole("tabpanel", { name: tab })).toBeVisible();
  return dialog;
}

test("only ticked models appear in the selector, and a preferred one outside gives way to the first allowed", async ({
  page,
  allowConsole,
}) => {
  allowConsole(/the server responded with a status of 503/);
  await enter(page);
  await callApi(page, { method: "PATCH", path: "/api/user", body: { preferred_model: "openai/gpt-5-nano" } });
  await page.goto("/");
  await expect(modelButton(page)).toContainText("GPT-5 nano");
  const settings = await openSettings(page, "Models");
  const undo = settings.getByRole("button", { name: "Undo" });
  await expect(undo).toBeDisabled();
  await settings.getByRole("button", { name: "Clear" }).click();
  await expect(settings.getByRole("checkbox", { name: "Auto", exact: true })).toBeChecked();
  const searchbox = settings.getByRole("searchbox", { name: "Search models" });
  // Each by its name, as a list that scrolls takes no clicks.
  for (const name of ["Llama 4 Scout", "Claude Haiku 4.5", "Grok 4"]) {
    await searchbox.fill(name);
    await settings.getByRole("checkbox", { name, exact: true }).check();
  }
  await undo.click();
  await expect(settings.getByRole("checkbox", { name: "Grok 4", exact: true })).not.toBeChecked();
  await expect(settings.getByText(/^3 of \d+ models selected$/)).toBeVisible();
  // Changes are saved one after another: what fails is to be the next one.
  await expect
    .poll(async () => JSON.stringify(await callApi(page, { method: "GET", path: "/api/user/model-allowlist" })))
    .toMatch(/^(?=.*Llama 4 Scout)(?=.*Claude Haiku 4\.5)(?!.*Grok 4)/);
  await page.route("**/api/user/model-allowlist", (route) =>
    route.fulfill({ status: 503, json: { error: "Not right now.", code: "INTERNAL" } }),
  );
  // What is not saved goes back by itself, without anything else being asked.
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/auth/session", async (route) => {
    await mayAnswer;
    await route.continue();
  });
  await settings.getByRole("button", { name: "Select all" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Not right now.");
  await expect(settings.getByText(/^3 of \d+ models selected$/)).toBeVisible();
  answer();
  await page.unroute("**/api/auth/session");
  await page.unroute("**/api/user/model-allowlist");
  // It holds however one leaves.
  await page.keyboard.press("Escape");
  await expect(settings).toHaveCount(0);

  await expect(modelButton(page)).not.toContainText("GPT-5 nano");
  await modelButton(page).click();
  // Autopilot, which chooses among them, is always there.
  await expect(options(page)).toHaveCount(4);
  await page.keyboard.press("Escape");
  await page.reload();
  await modelButton(page).click();
  await expect(options(page)).toHaveCount(4);
  await page.keyboard.press("Escape");
  const general = await openSettings(page, "General");
  await general.getByRole("button", { name: "Preferred model" }).click();
  await expect(options(page)).toHaveCount(3);
  // The list closes before what it stands on.
  await page.keyboard.press("Escape");
  await expect(options(page)).toHaveCount(0);
  await expect(general).toBeVisible();
});

furtherTest("the preferred model is what new chats start with", async ({ page, allowConsole }) => {
  allowConsole(/status of 404/);
  await enter(page);
  const settings = page.getByRole("dialog", { name: "Settings" });
  // A page without a message box.
  await page.goto("/nowhere?settings=general");
  const preferred = settings.getByRole("button", { name: "Preferred model" });
  await preferred.click();
  // Its keys open the message box's list.
  await expect(page.getByRole("dialog", { name: "Preferred model" }).locator("kbd")).toHaveCount(0);
  await search(page).fill("claude opus 4.5");
  await options(page).first().click();
  const pro = page.getByRole("dialog", { name: "Pro Model Access Required" });
  await pro.getByRole("button", { name: "I want this model" }).click();
  await expect(pro.getByText("Thanks! We'll keep you updated")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(pro).toHaveCount(0);
  await expect(settings).toBeVisible();

  await page.goto("/");
  await openSettings(page, "General");
  await expect(settings.getByText("New chats start with your last one")).toBeVisible();
  const saved = page.waitForResponse((response) => response.request().postData()?.includes("preferred_model") ?? false);
  await preferred.click();
  await search(page).fill("llama 4 scout");
  await options(page).first().click();
  await expect(search(page)).toHaveCount(0);
  await expect(preferred).toHaveText(/Llama 4 Scout/);
  expect((await saved).status()).toBe(200);
  await page.keyboard.press("Escape");
  await expect(modelButton(page)).toContainText("Llama 4 Scout");
  await page.reload();
  await expect(modelButton(page)).toContainText("Llama 4 Scout");
  // What is picked for one chat does not become the next one's.
  await pickModel(page, "mistral small");
  await expect(modelButton(page)).toContainText("Mistral Small");
  // Nor that of a chat which was left before it began.
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("waiting for you");
  await page.getByRole("option", { name: "Waiting for you", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Waiting for you", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(modelButton(page)).toContainText("Llama 4 Scout");
  await pickModel(page, "mistral small");
  await page.reload();
  await expect(modelButton(page)).toContainText("Llama 4 Scout");
});
