import type { Bench, Figure } from "./figure.ts";
import { loadBare } from "./bare-page.ts";
import { SLOW_FRAME_MS } from "./page-probe.ts";

/** How much slower than the processor, and when people may type at the latest, in milliseconds. */
const PACES = [
  { slowdown: 1, ready: 250, blocking: null },
  { slowdown: 4, ready: 600, blocking: 50 },
];

/**
 * From the address to a composer that can be typed in, with a cold cache: what is typed is kept from then on
 * (test/e2e/first-minutes.test.ts), and the code takes it over when it has come.
 */
export const bench: Bench = {
  id: "P2",
  title: "Ready to type, cold cache",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const url = `${server.origin}/`;
    // The browser's own start is not the page's.
    await loadBare(await browser(), { url, slowdown: 1 });
    const figures: Figure[] = [];
    for (const { slowdown, ready, blocking } of PACES) {
      const shared = { unit: "ms" as const, isTime: true };
      const readyAt: Figure = { ...shared, name: `x${slowdown} composer ready`, values: [], target: ready };
      const blocked: Figure = { ...shared, name: `x${slowdown} total blocking time`, values: [], target: blocking };
      const painted: Figure = { ...shared, name: `x${slowdown} largest contentful paint`, values: [], target: null };
      const taken: Figure = { ...shared, name: `x${slowdown} its pickers and Send beside it`, values: [], target: null };
      for (let run = 0; run < runs; run += 1) {
        const seen = await loadBare(await browser(), { url, slowdown });
        readyAt.values.push(seen.ready ?? Number.NaN);
        taken.values.push(seen.composerReady ?? Number.NaN);
        painted.values.push(seen.contentfulPaint);
        blocked.values.push(seen.longTasks.reduce((sum, { ms }) => sum + ms - SLOW_FRAME_MS, 0));
        (blocked.notes ??= []).push(seen.longTasks);
      }
      figures.push(readyAt, taken, blocked, painted);
    }
    return figures;
  },
};
