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

/** Elements of the page. */
export async function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("*").length);
}
