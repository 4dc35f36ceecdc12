import { enter } from "./fixtures/api.ts";
import { answered, ask, lastTurn, pickModel, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test("Autopilot is switched on in the settings, says what it chose in each turn, and is left by picking a model", async ({ page }) => {
  await enter(page);
  await page.goto("/?settings=general");
  const settings = page.getByRole("dialog", { name: "Settings" });
  const saved = page.waitForResponse((response) => response.request().postData()?.includes("auto_mode_default") ?? false);
  await settings.getByRole("switch", { name: "Autopilot" }).click();
  expect((await saved).ok()).toBe(true);
  await expect(settings.getByRole("switch", { name: "Autopilot" })).toBeChecked();
  await page.goto("/");
  const selector = page.getByRole("button", { name: "Switch model" });
  await expect(selector).toHaveText("Autopilot");
  await ask(page, "say hello");
  await expect(lastTurn(page)).toContainText("Autopilot: a light model for a short question. Tools: Web search, Todo list");
  await expect(page.getByRole("button", { name: "Select tools" })).toHaveCount(0);

  await page.reload();
  await expect(selector).toHaveText("Autopilot");
  await expect(lastTurn(page)).toContainText("Autopilot: a light model for a short question.");
  await send(page, "Refactor this code, please\nsay done");
  await expect(lastTurn(page)).toContainText("Autopilot: a strong model for code.");
  await answered(page);

  await pickModel(page, "GPT-5 mini");
  await expect(selector).toHaveText("GPT-5 mini");
  await expect(page.getByRole("button", { name: "Select tools" })).toBeVisible();
});
