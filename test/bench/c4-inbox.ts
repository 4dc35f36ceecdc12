import type { Page } from "@playwright/test";
import * as z from "zod";
import type { Bench, Figure } from "./figure.ts";
import { openProbe, SLOW_FRAME_MS } from "./page-probe.ts";
import { addListedChats, makeChats, makeUsers } from "./seed.ts";

const CHATS = 20_000;
/** A hard throw of the wheel. */
const PIXELS_A_FRAME = 400;
const Heap = z.object({ usedSize: z.number() });
const Scrolled = z.object({ most: z.number(), height: z.number() });

/** An inbox of 20,000 chats, a seventh of them unread: opened, switched, and scrolled to its very end. */
export const bench: Bench = {
  id: "C4",
  title: "Inbox of 20,000 chats, opened and scrolled",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const [chat] = await makeChats(server, await makeUsers(server, 1));
    if (!chat) throw new Error("No chat was made.");
    const { user, chatId } = chat;
    await server.whileStopped((persistTo) => addListedChats(persistTo, { chatId, count: CHATS }));
    const time = { unit: "ms" as const, isTime: true };
    const opened: Figure = { ...time, name: "from the address to the first row, warm", values: [], target: 500 };
    const switched: Figure = { ...time, name: "from the tab to its list as it was left", values: [], target: 50 };
    const rows: Figure = { name: "rows in the document, at most", unit: "nodes", values: [], target: 60 };
    const scrolledRows: Figure = { name: "rows scrolled past", unit: "rows", values: [], target: CHATS - 1, isLowerBetter: false };
    const speed: Figure = {
      name: "scrolling to the end",
      unit: "frames/s",
      values: [],
      target: 58,
      isLowerBetter: false,
      isTime: true,
      notes: [],
    };
    const slow: Figure = { name: `frames over ${SLOW_FRAME_MS} ms`, unit: "%", values: [], target: 1, isTime: true };
    const heap: Figure = { name: "heap with all 20,000", unit: "MB", values: [], target: 120 };
    for (let run = 0; run < runs; run += 1) {
      const probe = await openProbe(await browser(), { server, user });
      const { page, session } = probe;
      await page.goto("/");
      await page.locator(FIRST_ROW).first().waitFor();
      await page.waitForLoadState("networkidle");
      await page.reload();
      await page.locator(FIRST_ROW).first().waitFor();
      opened.values.push(z.number().parse(await page.evaluate("performance.now()")));

      await page.getByRole("tab", { name: "Chats" }).click();
      await page.getByRole("heading", { name: "Today", exact: true }).waitFor();
      const stop = await probe.watchFrames();
      const { most, height } = Scrolled.parse(await page.evaluate(scrollToEnd, PIXELS_A_FRAME));
      const { frames } = await stop();
      rows.values.push(most);
      scrolledRows.values.push(Math.round(height / 52));
      speed.values.push((1000 * frames.length) / frames.reduce((sum, { ms }) => sum + ms, 0));
      slow.values.push((100 * frames.filter(({ ms }) => ms > SLOW_FRAME_MS).length) / frames.length);
      speed.notes?.push(frames.filter(({ ms }) => ms > 20).length);

      await session.send("HeapProfiler.collectGarbage");
      heap.values.push(Heap.parse(await session.send("Runtime.getHeapUsage")).usedSize / 1e6);
      await page.getByRole("tab", { name: "Inbox" }).click();
      await page.getByRole("heading", { name: "Unread", exact: true }).waitFor();
      switched.values.push(await switchBack(page));
      await probe.close();
    }
    return [opened, switched, rows, scrolledRows, speed, slow, heap];
  },
};

const FIRST_ROW = "nav[aria-label='Chats'] a[href^='/c/']";

/** Goes back to the long list; answers the milliseconds until its rows stood there, where it was left. */
async function switchBack(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const tab = document.querySelector<HTMLElement>("[role=tab][aria-label=Chats]");
    const start = performance.now();
    tab?.click();
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const box = document.querySelector("nav[aria-label='Chats'] ul")?.closest(".overflow-y-auto");
      const top = box?.getBoundingClientRect().top ?? 0;
      const isShown = [...document.querySelectorAll("nav[aria-label='Chats'] a[href^='/c/']")].some(
        (row) => row.getBoundingClientRect().top >= top && row.getBoundingClientRect().bottom < innerHeight,
      );
      if (box && box.scrollTop > 100_000 && isShown) return performance.now() - start;
    }
  });
}

/** In the page: scrolls with each frame until nothing more comes; answers the most rows that stood there at once, and how far it went. */
async function scrollToEnd(pixels: number): Promise<{ most: number; height: number }> {
  const rows = () => document.querySelectorAll("nav[aria-label='Chats'] a[href^='/c/']").length;
  const scroller = document.querySelector("nav[aria-label='Chats'] ul")?.closest(".overflow-y-auto");
  if (!scroller) throw new Error("The list does not scroll.");
  const hasMore = () => [...scroller.querySelectorAll("button")].some(({ textContent }) => textContent === "Load more chats");
  let most = rows();
  while (hasMore() || scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    scroller.scrollTop += pixels;
    most = Math.max(most, rows());
  }
  return { most, height: scroller.scrollHeight };
}
