import type { Bench, Figure } from "./figure.ts";
import { promptFor } from "./p6-wire-bytes.ts";
import { openProbe } from "./page-probe.ts";
import { watchAnswer } from "./watch-answer.ts";

const KB = 1024;
const CHARACTERS_PER_SECOND = 4_000;
const CASES = [
  { slowdown: 1, tasks: 0, slowShare: null },
  { slowdown: 4, tasks: 2, slowShare: 3 },
];
/** Three times the text may take this many times the work. */
const LINEAR = 3.3;

/** An answer of much markdown at 4,000 characters a second, as the browser fares with it. */
export const bench: Bench = {
  id: "P7",
  title: "Rendering 32 and 96 KB at 4,000 characters a second",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const figures: Figure[] = [];
    for (const { slowdown, tasks, slowShare } of CASES) {
      const work: Record<number, number[]> = {};
      for (const size of [32, 96]) {
        const name = `${size} KB, x${slowdown}`;
        const long: Figure = { name: `${name}, tasks > 50 ms`, unit: "tasks", values: [], target: tasks, isTime: true, notes: [] };
        const slow: Figure = { name: `${name}, frames > 50 ms`, unit: "%", values: [], target: slowShare, isTime: true, notes: [] };
        for (let run = 0; run < runs; run += 1) {
          const probe = await openProbe(await browser(), { server, slowdown });
          const watched = await watchAnswer(probe, promptFor(size * KB, CHARACTERS_PER_SECOND));
          await probe.close();
          long.values.push(watched.longTasks.length);
          long.notes?.push(watched.longTasks);
          slow.values.push(watched.slowShare);
          slow.notes?.push(watched.frames);
          (work[size] ??= []).push(watched.work);
        }
        figures.push(long, slow);
      }
      const growth = work[96]?.map((large, run) => large / (work[32]?.[run] ?? Number.NaN)) ?? [];
      figures.push({
        name: `work of 96 KB against 32 KB, x${slowdown} (linear: 3)`,
        unit: "x",
        values: growth,
        target: LINEAR,
        isTime: true,
      });
    }
    return figures;
  },
};
