import { conversation, lastTurn, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

const WAITING = /^Still waiting for the model… \d+ s$/;

for (const [when, fault] of [
  ["before its first word", "hang"],
  ["in the middle of an answer", "hang-mid-stream"],
] as const) {
  test(`a model that falls silent ${when} is said to be waited for, until it is stopped`, async ({ page }) => {
    await page.clock.install();
    await page.goto("/");
    await send(page, `A question about harbours\nfault ${fault}`);
    await page.waitForURL("**/c/*");
    if (fault === "hang-mid-stream") await expect(lastTurn(page)).toContainText("standing in for");
    const stop = page.getByRole("button", { name: "Stop" });
    await expect(stop).toBeVisible();
    await expect(conversation(page).getByText(WAITING)).toHaveCount(0);
    await page.clock.runFor(10_000);
    await expect(lastTurn(page).getByText(WAITING)).toBeVisible();
    await page.clock.runFor(60_000);
    await expect(lastTurn(page).getByText(/^Still waiting for the model… 1 min \d+ s$/)).toBeVisible();
    await stop.click();
    await expect(lastTurn(page).getByRole("button", { name: "Regenerate", exact: true })).toBeEnabled();
    await expect(conversation(page).getByText("Still waiting")).toHaveCount(0);
  });
}
