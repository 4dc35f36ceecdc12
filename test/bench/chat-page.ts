import type { CDPSession, Page } from "@playwright/test";
import * as z from "zod";

const Heap = z.object({ usedSize: z.number() });

/** The page's heap in MB, once its garbage is collected. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return Heap.parse(await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
}

/** In the page: notes when a message stands there, counted from the latest click, or from the page's start. */
export function watchForMessage(id: string): void {
  const noted: { clickedAt: number; shownAt: number | null } = { clickedAt: 0, shownAt: null };
  Object.assign(window, { __message: noted });
  addEventListener("pointerdown", ({ timeStamp }) => void (noted.clickedAt = timeStamp), { capture: true });
  const look = () => {
    if (document.querySelector(`article[data-message="${id}"]`)) requestAnimationFrame(() => void (noted.shownAt = performance.now()));
    else requestAnimationFrame(look);
  };
  look();
}

/** Milliseconds from the click, or the page's start, to the message that is watched for. */
export async function shownAfterClick(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => {
    const { clickedAt, shownAt } = Object(Reflect.get(window, "__message"));
    return shownAt === null ? null : shownAt - clickedAt;
  });
  return z.number().parse(await handle.jsonValue());
}

/** Opens a chat with a click on its row of the list, watched for its newest message. */
export async function openFromList(page: Page, { chatId, newest }: { chatId: string; newest: string }): Promise<void> {
  await page.goto("/");
  const link = page.getByRole("navigation", { name: "Chats" }).locator(`a[href="/c/${chatId}"]`);
  await link.waitFor();
  // A hand's pointer comes from somewhere; it must not rest on the chat, whose messages would be fetched ahead.
  await page.mouse.move(700, 300);
  await page.waitForLoadState("networkidle");
  await page.evaluate(watchForMessage, newest);
  // What waits for the message brings a script of its own, which must not be parsed between the press and the message.
  await page.waitForFunction(() => true);
  await link.click();
}

/** Elements of the page. */
export async function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("*").length);
}
