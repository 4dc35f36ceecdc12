import { enter } from "./fixtures/api.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { ask, lastTurn, pickModel } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

/** Two of these fit the model that is picked here, three do not. */
const LONG = "word ".repeat(4_000);

test("a chat that fills its model says so, and what came earlier is summarised above the answer", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await pickModel(page, "Phi 4");
  const gauge = page.getByRole("button", { name: /^Context \d+% full, next message about \$/ });
  await ask(page, `The first part. ${LONG}\nsay First.`);
  await expect(gauge).toHaveCount(0);
  await ask(page, `The second part. ${LONG}\nsay Second.`);
  await gauge.click();
  await expect(page.getByRole("dialog", { name: "Context" })).toContainText("of what Phi 4 can read. The next message will cost about $");
  await page.keyboard.press("Escape");

  await ask(page, `The third part. ${LONG}\nsay Third.`);
  const line = lastTurn(page).getByRole("button", { name: "Earlier messages were summarised" });
  await expect(line).toHaveAttribute("aria-expanded", "false");
  await line.click();
  await expect(lastTurn(page)).toContainText("in place of the first 4 messages");
  await expect(lastTurn(page)).toContainText("The first part.");
  await expectAccessible(page);
  await page.reload();
  await expect(line).toBeVisible();
});
