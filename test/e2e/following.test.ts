import type { Page } from "@playwright/test";
import { enter } from "./fixtures/api.ts";
import { answered, composer, conversation, lastTurn, send } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

const jump = (page: Page) => page.getByRole("button", { name: "Jump to latest" });

/** How far the transcript's end is below what is in view, in px. */
const distance = (page: Page) =>
  conversation(page).evaluate((log) => {
    const box = log.parentElement ?? log;
    return box.scrollHeight - box.clientHeight - box.scrollTop;
  });

const isAtEnd = (page: Page) => expect.poll(() => distance(page)).toBeLessThanOrEqual(1);

/** An answer that is much longer than the window and still grows. */
async function askAtLength(page: Page): Promise<void> {
  await send(page, "speed 250\nbytes 60000");
  await expect.poll(() => lastTurn(page).evaluate((turn) => turn.clientHeight)).toBeGreaterThan(1_500);
}

/** Waits until the transcript was told of its scrolling. */
const frames = (page: Page) =>
  page.evaluate(async () => {
    for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
  });

test("an answer is followed whatever shrinks and grows around it, and left by a person alone", async ({ page }) => {
  await enter(page);
  await page.goto("/");
  await askAtLength(page);
  await isAtEnd(page);

  // What is folded away and drawn again within a frame, in the answer or below it.
  await conversation(page).evaluate((log) => {
    const turn = log.querySelector<HTMLElement>("article:last-of-type");
    turn?.style.setProperty("display", "none");
    // Which lays it out.
    turn?.append(document.createComment(String(log.parentElement?.scrollHeight)));
    turn?.style.removeProperty("display");
  });
  await frames(page);
  await isAtEnd(page);
  await expect(jump(page)).toHaveCount(0);
  // Lines that are written meanwhile, and a keyboard that opens and closes.
  await composer(page).fill("One\nTwo\nThree");
  await page.setViewportSize({ width: 390, height: 844 });
  await isAtEnd(page);
  await page.setViewportSize({ width: 390, height: 500 });
  await isAtEnd(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await isAtEnd(page);
  await expect(jump(page)).toHaveCount(0);

  // The wheel, a key, and a search in the page.
  await page.mouse.move(720, 400);
  const scrollUp = () => conversation(page).evaluate((log) => log.parentElement?.scrollBy(0, -700));
  const leave = [
    () => page.mouse.wheel(0, -300),
    async () => {
      await page.mouse.click(720, 400);
      await page.keyboard.press("PageUp");
    },
    async () => {
      await page.keyboard.press("Control+f");
      await scrollUp();
    },
  ];
  for (const [place, go] of leave.entries()) {
    await go();
    await expect(jump(page), `way ${place}`).toBeVisible();
    const before = await distance(page);
    // It grows on below.
    await expect.poll(() => distance(page)).toBeGreaterThan(before);
    await jump(page).click();
    await expect(jump(page)).toHaveCount(0);
    await isAtEnd(page);
  }
  await page.getByRole("button", { name: "Stop" }).click();
  await answered(page);
  await isAtEnd(page);
  // Once nothing changes any more, a reading aid that moves it unheard.
  await frames(page);
  await scrollUp();
  await expect(jump(page)).toBeVisible();
});
