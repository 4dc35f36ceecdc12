import type { Bench, Figure } from "./figure.ts";
import { openProbe, SLOW_FRAME_MS } from "./page-probe.ts";
import { watchAnswer } from "./watch-answer.ts";

/** About 20,000 characters a second: what counts is the block's length at the end, not how long it took. */
const SPEED = "speed 4500";
const CASES = [
  { name: "one paragraph of 100 KB", prompt: `paragraph ${100 * 1024}` },
  { name: "one block of 2,000 lines of code", prompt: "lines 2000" },
];

/** A single block that keeps growing, where rendering block by block is of no help. */
export const bench: Bench = {
  id: "P8",
  title: "One long block",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const figures: Figure[] = [];
    for (const { name, prompt } of CASES) {
      const worst: Figure = { name: `${name}, worst frame`, unit: "ms", values: [], target: SLOW_FRAME_MS, isTime: true, notes: [] };
      for (let run = 0; run < runs; run += 1) {
        const probe = await openProbe(await browser(), { server });
        const { whole } = await watchAnswer(probe, { prompt: `${prompt}\n${SPEED}` });
        await probe.close();
        worst.values.push(whole.worstFrame);
        worst.notes?.push(whole);
      }
      figures.push(worst);
    }
    return figures;
  },
};
