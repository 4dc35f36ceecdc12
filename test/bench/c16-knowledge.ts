import * as z from "zod";
import { inRoot } from "../../scripts/lib/paths.ts";
import { bin, runCommand } from "../../scripts/lib/run-command.ts";
import type { Bench, Figure } from "./figure.ts";

/** Documents, questions, and pages of one long document beside them. */
const SIZE = "100 200 2000";
const PATIENCE_MS = 15 * 60_000;

const Counted = z.object({ words: z.number(), fused: z.number(), median: z.number(), p99: z.number() });

/** How much of what is asked is found among the first eight passages, and how soon, by test/worker/knowledge-recall.test.ts in the Worker's own runtime. */
export const bench: Bench = {
  id: "C16",
  topic: "knowledge",
  title: "200 questions over 100 documents and 2,000 pages",
  async measure() {
    const args = [
      "run",
      "--silent=false",
      `--testTimeout=${PATIENCE_MS}`,
      "--project",
      "worker-alone",
      "test/worker/knowledge-recall.test.ts",
    ];
    const env = { NO_COLOR: "1", TEST_KNOWLEDGE: SIZE, TEST_CACHE_DIR: inRoot("node_modules", ".vite-bench-knowledge") };
    const { output } = await runCommand(bin("vitest"), args, { quiet: true, env });
    const line = /knowledge-recall (\{.*\})/.exec(output)?.[1];
    if (line === undefined) throw new Error(`Nothing was found:\n${output}`);
    const { words, fused, median, p99 } = Counted.parse(JSON.parse(line));
    const share = (name: string, value: number, target: number): Figure => ({
      name,
      unit: "%",
      values: [value],
      target,
      isLowerBetter: false,
    });
    return [
      share("found among eight, by words", words, 60),
      share("found among eight, by words and meaning", fused, 75),
      { name: "time to the passages, median", unit: "ms", values: [median], target: 150, isTime: true },
      { name: "time to the passages, p99", unit: "ms", values: [p99], target: 300, isTime: true },
    ];
  },
};
