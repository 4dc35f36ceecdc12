import { countNodes, heapOf } from "./chat-page.ts";
import type { Bench, Figure } from "./figure.ts";
import { promptFor } from "./p6-wire-bytes.ts";
import { openProbe } from "./page-probe.ts";
import { watchAnswer } from "./watch-answer.ts";

const MB = 1024 * 1024;
/** Twenty seconds: far faster than any model writes. */
const CHARACTERS_PER_SECOND = MB / 20;

/** What a tab holds once an answer of 1 MB has streamed into it, and once its chat is left. */
export const bench: Bench = {
  id: "C3",
  title: "Memory of the tab after an answer of 1 MB",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const heap = { unit: "MB" as const, target: null };
    const before: Figure = { ...heap, name: "heap at home, before", values: [] };
    const after: Figure = { ...heap, name: "heap after 1 MB", values: [] };
    const left: Figure = { ...heap, name: "heap once the chat is left", values: [] };
    const nodes: Figure = { name: "nodes after 1 MB", unit: "nodes", values: [], target: null };
    for (let run = 0; run < runs; run += 1) {
      const probe = await openProbe(await browser(), { server });
      const { page, session } = probe;
      await page.goto("/", { waitUntil: "load" });
      await page.waitForLoadState("networkidle");
      before.values.push(await heapOf(session));
      await watchAnswer(probe, { prompt: promptFor(MB, CHARACTERS_PER_SECOND) });
      nodes.values.push(await countNodes(page));
      after.values.push(await heapOf(session));
      await page.getByRole("link", { name: "New Chat" }).first().click();
      await page.waitForFunction(() => document.querySelector("[role=log]") === null);
      await page.waitForLoadState("networkidle");
      left.values.push(await heapOf(session));
      await probe.close();
    }
    return [before, after, left, nodes];
  },
};
