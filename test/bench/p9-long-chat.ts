import type { Page } from "@playwright/test";
import { countNodes, heapOf, openFromList, shownAfterClick, watchForMessage } from "./chat-page.ts";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { openProbe } from "./page-probe.ts";
import { makeLongChat } from "./seed.ts";

const MESSAGES = 2_000;
const KEYS = 120;
/** The browser reports no inputs that took less, in milliseconds. */
const EVENT_TIMING_MIN_MS = 16;
/** Messages that the chat opens with: the newest ones in view first, the others when the page is idle. */
const WINDOW = 30;
/** How often the reader goes up to the start of what is loaded. */
const PAGES_UP = 5;

/** A chat of 2,000 messages and 2 MB: opened from the list, typed in, read upwards. */
export const bench: Bench = {
  id: "P9",
  title: "Opening a chat of 2,000 messages, 2 MB",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const { user, chatId, parentId: newest } = await makeLongChat(server, MESSAGES);
    const time = { unit: "ms" as const, isTime: true };
    const opened: Figure = { ...time, name: "from the click to the newest message", values: [], target: 200 };
    const direct: Figure = { ...time, name: "from the address to the newest message, cold cache", values: [], target: null };
    const nodes: Figure = { name: "nodes of the document", unit: "nodes", values: [], target: 3_000 };
    const heap: Figure = { name: "heap", unit: "MB", values: [], target: 60 };
    const input: Figure = { ...time, name: "x4, typing: input to paint, p98", values: [], target: 50 };
    const nodesUp: Figure = { name: `nodes after reading ${PAGES_UP} pages upwards`, unit: "nodes", values: [], target: null };
    const heapUp: Figure = { name: `heap after reading ${PAGES_UP} pages upwards`, unit: "MB", values: [], target: null };
    for (let run = 0; run < runs; run += 1) {
      const probe = await openProbe(await browser(), { server, user });
      const { page, session } = probe;
      await openFromList(page, { chatId, newest });
      opened.values.push(await shownAfterClick(page));
      await page.waitForFunction((count) => document.querySelectorAll("[role=log] article").length === count, WINDOW);
      await page.waitForLoadState("networkidle");
      nodes.values.push(await countNodes(page));
      heap.values.push(await heapOf(session));

      await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      await page
        .getByRole("textbox", { name: "Message", exact: true })
        .pressSequentially("lanterns and bridges ".repeat(KEYS / 20), { delay: 40 });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))));
      const { inputs } = await probe.seen();
      input.values.push(
        Math.max(EVENT_TIMING_MIN_MS, quantile([...inputs, ...Array.from({ length: Math.max(0, KEYS - inputs.length) }, () => 0)], 0.98)),
      );
      await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });

      for (let up = 0; up < PAGES_UP; up += 1) await goUp(page);
      nodesUp.values.push(await countNodes(page));
      heapUp.values.push(await heapOf(session));
      await probe.close();

      const cold = await openProbe(await browser(), { server, user });
      await cold.page.addInitScript(watchForMessage, newest);
      await cold.page.goto(`/c/${chatId}`, { waitUntil: "commit" });
      direct.values.push(await shownAfterClick(cold.page));
      await cold.close();
    }
    return [opened, nodes, heap, input, direct, nodesUp, heapUp];
  },
};

/** Goes to the start of what is loaded and waits until more stands there. */
async function goUp(page: Page): Promise<void> {
  const turns = page.getByRole("log", { name: "Conversation" }).getByRole("article");
  const before = await turns.first().getAttribute("data-message");
  await turns.first().evaluate((turn) => turn.closest("[role=log]")?.parentElement?.scrollTo({ top: 0 }));
  await page.waitForFunction((id) => document.querySelector("[role=log] article")?.getAttribute("data-message") !== id, before);
  await page.waitForLoadState("networkidle");
}
