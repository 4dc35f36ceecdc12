import { readFile } from "node:fs/promises";
import { enter } from "./fixtures/api.ts";
import { ask, composer, lastTurn, pickModel, send, sidebar } from "./fixtures/chat.ts";
import { expectAccessible } from "./fixtures/axe.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

test("the balance goes down as a reply is charged, in every open tab", async ({ page, context }) => {
  await enter(page);
  await page.goto("/");
  const balance = sidebar(page).getByRole("button", { name: /^Profile: / });
  await expect(balance).toContainText("$5.00");
  const other = await context.newPage();
  await other.goto("/");
  await expect(sidebar(other).getByRole("button", { name: /^Profile: / })).toContainText("$5.00");
  await ask(page, "speed 0\nbytes 20000");
  await expect(balance).toContainText("$4.9");
  await expect(sidebar(other).getByRole("button", { name: /^Profile: / })).toContainText("$4.9");
  await sidebar(other)
    .getByRole("button", { name: /^Profile: / })
    .click();
  await expect(other.getByRole("menu", { name: "Profile" }).locator("xpath=..")).toContainText(/Credits\s*\$4\.9/);
  await lastTurn(page).getByRole("button", { name: "Details", exact: true }).click();
  const details = page.getByRole("dialog", { name: "Details" });
  await expect(details.getByText("Cost", { exact: true })).toBeVisible();
  await expect(details.getByText(/^\$0\.\d+ in this chat$/)).toBeVisible();
  // Six rows at most, and what they are about stays in sight.
  expect(await details.getByRole("term").count()).toBeLessThanOrEqual(6);
  const [facts, answer] = [await details.boundingBox(), await lastTurn(page).locator("[data-answer]").boundingBox()];
  const isBeside = facts && answer && (facts.x >= answer.x + answer.width || facts.y >= answer.y + answer.height);
  expect(isBeside, "the details stand beside the answer or below it").toBe(true);
});

test("what was spent is shown by day, model and chat, and downloaded as CSV", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await ask(page, "speed 0\nbytes 9000");
  await page.goto("/?settings=usage");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByText(/left, .* spent\./)).toBeVisible();
  await expect(settings.getByRole("listitem").first()).toContainText("$0.");
  await expectAccessible(page);
  await settings.getByRole("tab", { name: "By model" }).click();
  await expect(settings.getByRole("listitem").first()).toContainText("$0.");
  await settings.getByRole("tab", { name: "By chat" }).click();
  await expect(settings.getByRole("listitem").getByRole("link")).toHaveAttribute("href", /\/c\//);
  const [download] = await Promise.all([page.waitForEvent("download"), settings.getByRole("link", { name: "Download CSV" }).click()]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toBe("time,what,model,chat,message,amount_usd,balance_usd,paid_by");
  expect(lines.length).toBeGreaterThan(2);
});

furtherTest(
  "an answer that may cost more than is left is refused, the text stays, and the way to the credits is offered",
  async ({ page, allowConsole }) => {
    allowConsole(/402/);
    await enter(page);
    await page.route("**/api/chat/*/messages", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 402, json: { error: "Your credits are used up.", code: "INSUFFICIENT_CREDITS" } })
        : route.continue(),
    );
    await page.goto("/");
    await send(page, "a question that must not be lost");
    await expect(page.getByRole("alert")).toContainText("Your credits are used up.");
    await expect(composer(page)).toHaveValue("a question that must not be lost");
    await page.getByRole("alert").getByRole("button", { name: "See credits" }).click();
    await expect(page.getByRole("dialog", { name: "Settings" }).getByRole("heading", { name: "Credits and usage" })).toBeVisible();
  },
);

furtherTest("an answer that ends where no more of it was held back says so, and goes on when asked", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await pickModel(page, "GPT-5 Pro");
  await ask(page, "speed 0\nbytes 60000");
  const turn = lastTurn(page);
  await expect(turn.getByText("This is as long as one answer may be with what is left to spend.")).toBeVisible();
  await expectAccessible(page);
  await turn.getByRole("button", { name: "Continue" }).click();
  await expect(turn.getByText("This is as long as one answer may be")).toBeHidden();
});
