import { countNodes, heapOf, openFromList, shownAfterClick } from "./chat-page.ts";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { openProbe, SLOW_FRAME_MS } from "./page-probe.ts";
import { makeLongChat } from "./seed.ts";

const MESSAGES = 5_000;
/** Turns of the wheel, upwards: as much as a reader does who looks for something. */
const TURNS = 80;
const TURN_PX = 400;
const TURN_MS = 50;

/** A chat of 5,000 messages and 5 MB: opened from the list, and read upwards with the wheel while older messages come. */
export const bench: Bench = {
  id: "C2",
  title: "A chat of 5,000 messages, 5 MB, opened and scrolled",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const { user, chatId, parentId: newest } = await makeLongChat(server, MESSAGES);
    const opened: Figure = { name: "from the click to the newest message", unit: "ms", isTime: true, values: [], target: 200 };
    const nodes: Figure = { name: "nodes when opened", unit: "nodes", values: [], target: 3_000 };
    const frames: Figure = { name: "scrolling: frames, p95", unit: "ms", isTime: true, values: [], target: null };
    const slow: Figure = { name: `scrolling: frames > ${SLOW_FRAME_MS} ms`, unit: "%", isTime: true, values: [], target: null };
    const turns: Figure = { name: "messages on the page after scrolling", unit: "nodes", isLowerBetter: false, values: [], target: null };
    const nodesUp: Figure = { name: "nodes after scrolling", unit: "nodes", values: [], target: null };
    const heapUp: Figure = { name: "heap after scrolling", unit: "MB", values: [], target: null };
    for (let run = 0; run < runs; run += 1) {
      const probe = await openProbe(await browser(), { server, user });
      const { page, session } = probe;
      await openFromList(page, { chatId, newest });
      opened.values.push(await shownAfterClick(page));
      await page.waitForLoadState("networkidle");
      nodes.values.push(await countNodes(page));

      await page.mouse.move(700, 400);
      const stop = await probe.watchFrames();
      for (let turn = 0; turn < TURNS; turn += 1) {
        await page.mouse.wheel(0, -TURN_PX);
        await page.waitForTimeout(TURN_MS);
      }
      const seen = (await stop()).frames.map(({ ms }) => ms);
      await page.waitForLoadState("networkidle");
      frames.values.push(quantile(seen, 0.95));
      slow.values.push((100 * seen.filter((ms) => ms > SLOW_FRAME_MS).length) / seen.length);
      turns.values.push(await page.locator("[role=log] article").count());
      nodesUp.values.push(await countNodes(page));
      heapUp.values.push(await heapOf(session));
      await probe.close();
    }
    return [opened, nodes, frames, slow, turns, nodesUp, heapUp];
  },
};
