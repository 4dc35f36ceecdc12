import * as z from "zod";
import { inRoot } from "../../scripts/lib/paths.ts";
import { bin, runCommand } from "../../scripts/lib/run-command.ts";
import type { Bench, Figure } from "./figure.ts";

const READERS = "1 10 100 1000";
/** A thousand hubs are created for it. */
const PATIENCE_MS = 15 * 60_000;

const Counted = z.array(
  z.object({ readers: z.number(), rowsWritten: z.number(), rowsRead: z.number(), objectRequests: z.number(), roomRows: z.number() }),
);

/** What one message with its answer costs as a shared chat's readers grow, counted by test/worker/fan-out-cost.test.ts: once, as rows do not vary. */
export const bench: Bench = {
  id: "C10",
  title: "Cost of a message as its readers grow",
  async measure() {
    const args = ["run", "--silent=false", `--testTimeout=${PATIENCE_MS}`, "--project", "worker-alone", "test/worker/fan-out-cost.test.ts"];
    const env = { NO_COLOR: "1", TEST_READERS: READERS, TEST_CACHE_DIR: inRoot("node_modules", ".vite-bench-fan-out") };
    const { output } = await runCommand(bin("vitest"), args, { quiet: true, env });
    const line = /fan-out-cost (\[.*\])/.exec(output)?.[1];
    if (line === undefined) throw new Error(`The cost of a message was not counted:\n${output}`);
    return Counted.parse(JSON.parse(line)).flatMap(({ readers, rowsWritten, rowsRead, objectRequests, roomRows }): Figure[] => [
      { name: `${readers} readers, rows written`, unit: "rows", values: [rowsWritten], target: 24 + 6 * readers },
      { name: `${readers} readers, of these in the room`, unit: "rows", values: [roomRows], target: 24 },
      { name: `${readers} readers, rows read`, unit: "rows", values: [rowsRead], target: 160 + 60 * readers },
      { name: `${readers} readers, requests of objects`, unit: "requests", values: [objectRequests], target: 5 + 2 * readers },
    ]);
  },
};
