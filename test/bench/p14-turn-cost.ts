import * as z from "zod";
import { inRoot } from "../../scripts/lib/paths.ts";
import { bin, runCommand } from "../../scripts/lib/run-command.ts";
import type { Bench } from "./figure.ts";

const Counted = z.object({
  rowsWritten: z.number(),
  rowsRead: z.number(),
  objectRequests: z.number(),
  calls: z.array(z.string()),
  statements: z.array(z.string()),
});

/** Dollars for a million of each, and the parts of a turn that are not counted here. */
const PRICES = { workerRequest: 0.3, objectRequest: 0.15, rowWritten: 1, rowRead: 0.001 };
const WORKER_REQUESTS = 1;
const CPU = 0.18;
/** Ten seconds of 128 MB at $12.50 for a million GB-seconds. */
const DURATION = 10 * 0.128 * 12.5;

/** What a ten-second reply costs, counted by test/worker/turn-cost.test.ts. */
export const bench: Bench = {
  id: "P14",
  title: "Cost of a turn: 10 s, one reader, second turn",
  async measure({ runs }) {
    // At once, as rows are counted and not time.
    const counted = await Promise.all(Array.from({ length: runs }, (_, run) => countTurn(run)));
    const dollars = counted.map(
      ({ rowsWritten, rowsRead, objectRequests }) =>
        WORKER_REQUESTS * PRICES.workerRequest +
        CPU +
        DURATION +
        objectRequests * PRICES.objectRequest +
        rowsWritten * PRICES.rowWritten +
        rowsRead * PRICES.rowRead,
    );
    return [
      { name: "rows written", unit: "rows", values: counted.map(({ rowsWritten }) => rowsWritten), target: 30, notes: counted },
      { name: "rows read", unit: "rows", values: counted.map(({ rowsRead }) => rowsRead), target: 300 },
      { name: "requests of objects", unit: "requests", values: counted.map(({ objectRequests }) => objectRequests), target: 4 },
      { name: "a million turns, models aside", unit: "$", values: dollars, target: 50 },
    ];
  },
};

async function countTurn(run: number): Promise<z.infer<typeof Counted>> {
  const args = ["run", "--silent=false", "--project", "worker-alone", "test/worker/turn-cost.test.ts"];
  const env = { NO_COLOR: "1", TEST_CACHE_DIR: inRoot("node_modules", `.vite-bench-${run}`) };
  const { output } = await runCommand(bin("vitest"), args, { quiet: true, env });
  const line = /turn-cost (\{.*\})/.exec(output)?.[1];
  if (line === undefined) throw new Error(`The cost of a turn was not counted:\n${output}`);
  return Counted.parse(JSON.parse(line));
}
