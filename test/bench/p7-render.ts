import type { Bench, Figure } from "./figure.ts";
import { promptFor } from "./p6-wire-bytes.ts";
import { openProbe } from "./page-probe.ts";
import { type Watched, watchAnswer } from "./watch-answer.ts";

const KB = 1024;
const REPLY_KB = 96;
const PART = 32;
const CHARACTERS_PER_SECOND = 4_000;
const CASES = [
  { slowdown: 1, tasks: 0, slowShare: null },
  { slowdown: 4, tasks: 2, slowShare: 3 },
];
/** Three times the text may take this many times the work. */
const LINEAR = 3.3;

/** An answer of much markdown at 4,000 characters a second, as the browser fares with its first third and with all of it. */
export const bench: Bench = {
  id: "P7",
  title: "Rendering 32 and 96 KB at 4,000 characters a second",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const figures: Figure[] = [];
    for (const { slowdown, tasks, slowShare } of CASES) {
      const thirds: Watched[] = [];
      const wholes: Watched[] = [];
      for (let run = 0; run < runs; run += 1) {
        const probe = await openProbe(await browser(), { server, slowdown });
        const prompt = promptFor(REPLY_KB * KB, CHARACTERS_PER_SECOND);
        const { whole, parts } = await watchAnswer(probe, { prompt, spans: [(1000 * PART * KB) / CHARACTERS_PER_SECOND] });
        await probe.close();
        thirds.push(...parts);
        wholes.push(whole);
      }
      for (const [size, watched] of [[PART, thirds] as const, [REPLY_KB, wholes] as const]) {
        const name = `${size} KB, x${slowdown}`;
        figures.push(
          {
            name: `${name}, tasks > 50 ms`,
            unit: "tasks",
            values: watched.map(({ longTasks }) => longTasks.length),
            target: tasks,
            isTime: true,
            notes: watched.map(({ longTasks }) => longTasks),
          },
          {
            name: `${name}, frames > 50 ms`,
            unit: "%",
            values: watched.map((each) => each.slowShare),
            target: slowShare,
            isTime: true,
            notes: watched.map(({ slowFrames }) => slowFrames),
          },
        );
      }
      figures.push({
        name: `work of ${REPLY_KB} KB against ${PART} KB, x${slowdown} (linear: 3)`,
        unit: "x",
        values: wholes.map(({ work }, run) => work / (thirds[run]?.work ?? Number.NaN)),
        target: LINEAR,
        isTime: true,
        notes: wholes.map(({ work }) => ({ workMs: work })),
      });
    }
    return figures;
  },
};
