import { enter } from "./fixtures/api.ts";
import { ask, lastTurn } from "./fixtures/chat.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const COLUMNS = Array.from({ length: 14 }, (_, index) => `a long column ${index}`);
const TABLE = `| ${COLUMNS.join(" | ")} |\n|${"---|".repeat(COLUMNS.length)}\n${`|${" cell |".repeat(COLUMNS.length)}\n`.repeat(40)}`;

test("a wide table scrolls by itself and can be seen larger under a head that stays", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await ask(page, `say ${TABLE}`);
  const table = lastTurn(page).getByRole("group", { name: /^Table: a long column 0/ });
  expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
  // In the answer too: half of it is read, and its head stands where it scrolled away.
  await table.evaluate((box) => box.scrollIntoView({ block: "center" }));
  const inAnswer = table.getByRole("columnheader").first();
  const shown = await page.getByRole("log").locator("..").boundingBox();
  await expect.poll(async () => Math.abs(((await inAnswer.boundingBox())?.y ?? 0) - (shown?.y ?? 0))).toBeLessThan(2);
  await table.hover();
  await expect(lastTurn(page).getByRole("button", { name: "Copy as CSV" })).toBeEnabled();
  await lastTurn(page).getByRole("button", { name: "Enlarge table" }).click();
  const large = page.getByRole("dialog").getByRole("group", { name: /^Table/ });
  const head = large.getByRole("columnheader").first();
  const top = (await head.boundingBox())?.y;
  await large.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect.poll(async () => Math.abs(((await head.boundingBox())?.y ?? 0) - (top ?? 0))).toBeLessThan(2);
});

furtherTest("a long message of one's own is folded, and a disclosure stays where it was pressed", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  // Folded, it would be hardly shorter.
  await ask(page, `say Short.\n${"One more line.\n".repeat(13)}`);
  await ask(
    page,
    `before Looking.\ncall exaCrawl {"urls":["https://kitchen.example/sourdough"]}\nthen\nsay Done.\n${"One more line.\n".repeat(30)}`,
  );
  const more = page.getByRole("button", { name: "Show more" });
  await expect(more).toHaveCount(1);
  await expect(more).toHaveAttribute("aria-expanded", "false");
  const row = lastTurn(page).getByRole("button", { name: /^Read kitchen/ });
  const top = (await row.boundingBox())?.y ?? 0;
  await row.click();
  await expect(row).toHaveAttribute("aria-expanded", "true");
  await expect.poll(async () => Math.abs(((await row.boundingBox())?.y ?? 0) - top)).toBeLessThan(3);
  await more.click();
  await expect(page.getByRole("button", { name: "Show less" })).toBeVisible();
});
