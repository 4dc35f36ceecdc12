import * as z from "zod";
import { inRoot } from "../../scripts/lib/paths.ts";
import { bin, runCommand } from "../../scripts/lib/run-command.ts";
import type { Bench } from "./figure.ts";

const Counted = z.object({ cached: z.number(), cold: z.number() });

/** What connected servers add to the time before a model is asked, by test/worker/mcp-cost.test.ts in the Worker's own runtime. */
export const bench: Bench = {
  id: "C18",
  topic: "connections",
  title: "three MCP connections of 20 tools each in a turn",
  async measure() {
    const args = ["run", "--silent=false", "--project", "worker", "test/worker/mcp-cost.test.ts"];
    const env = { NO_COLOR: "1", TEST_CACHE_DIR: inRoot("node_modules", ".vite-bench-connections") };
    const { output } = await runCommand(bin("vitest"), args, { quiet: true, env });
    const line = /mcp-cost (\{.*\})/.exec(output)?.[1];
    if (line === undefined) throw new Error(`Nothing was measured:\n${output}`);
    const { cached, cold } = Counted.parse(JSON.parse(line));
    return [
      { name: "added before the model is asked, lists fresh", unit: "ms", values: [cached], target: 5, isTime: true },
      { name: "added before the model is asked, lists stale and servers silent", unit: "ms", values: [cold], target: null, isTime: true },
    ];
  },
};
