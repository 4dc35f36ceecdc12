import { enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { composer, lastTurn } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test("a draft is scheduled by words, stands in the list, runs now, and its answer is in a chat", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await composer(page).fill("think Of light.\nsay The lanterns are lit.");
  await page.getByRole("button", { name: "Schedule this" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule this" });
  await expect(dialog.getByRole("textbox", { name: "Message" })).toHaveValue("think Of light.\nsay The lanterns are lit.");
  const when = dialog.getByRole("textbox", { name: "When" });
  await when.fill("soon");
  await expect(dialog.getByRole("alert")).toContainText("every first of the month");
  await expect(dialog.getByRole("button", { name: "Schedule", exact: true })).toBeDisabled();
  await when.fill("every monday and thursday at 7:15");
  await expect(dialog.getByRole("combobox", { name: "How often" })).toHaveValue("weekly");
  await expect(dialog.getByText(/^Next: /)).toContainText(/Thu .*, 7:15/);
  await dialog.getByRole("button", { name: "Friday" }).click();
  await expect(when).toHaveValue("Every Monday, Thursday and Friday at 7:15");
  await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(composer(page)).toHaveValue("");

  await page.goto("/schedules");
  const row = page.getByRole("list", { name: "Your schedules" }).getByRole("listitem").first();
  await expect(row).toContainText("Every Monday, Thursday and Friday at 7:15");
  await expect(row).toContainText("Has not run yet");
  await expectAccessible(page);
  const actions = row.getByRole("button", { name: /^Actions for/ });
  await actions.click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await expect(row.getByRole("link", { name: /^Done, / })).toBeVisible();
  await row.getByRole("button", { name: /^History of/ }).click();
  const runs = row.getByRole("list", { name: /^Runs of/ });
  await expect(runs).toContainText("Done");
  await actions.click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(row.getByText("Paused")).toBeVisible();
  await runs.getByRole("link", { name: "Open chat" }).click();
  await expect(lastTurn(page)).toContainText("The lanterns are lit.");
  await expect(lastTurn(page)).toContainText("Triggered by a schedule");
  // On a phone all of that needs more than a line, and the model keeps its name.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(lastTurn(page)).toContainText("Thought for");
  const isNameUncut = lastTurn(page).evaluate((turn) => {
    const name = Array.from(turn.querySelectorAll("span")).find(({ textContent }) => textContent === turn.ariaLabel);
    return name !== undefined && name.scrollWidth <= name.clientWidth;
  });
  expect(await isNameUncut).toBe(true);
});

furtherTest("on a phone a schedule that was refused says so in sight, and keeps what was typed", async ({ newDevice, allowConsole }) => {
  allowConsole(/the server responded with a status of 503/);
  const page = await newDevice({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await enter(page);
  await page.goto("/schedules");
  await page.getByRole("button", { name: "New schedule" }).tap();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  const message = dialog.getByRole("textbox", { name: "Message" });
  await message.fill("Which ferries are late this morning?");
  await dialog.getByText("Name, budget and who answers").tap();
  await page.route("**/api/schedules", (route) => route.fulfill({ status: 503, json: { code: "INTERNAL", error: "Not now." } }));
  await dialog.getByRole("button", { name: "Schedule", exact: true }).tap();
  await expect(dialog.getByRole("alert")).toHaveText("Not now.", { timeout: 15_000 });
  await expect(dialog.getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(message).toHaveValue("Which ferries are late this morning?");
});
