import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { bin, runCommand } from "../../scripts/lib/run-command.ts";
import type { Bench } from "./figure.ts";

const Profile = z.looseObject({
  nodes: z.array(z.looseObject({ id: z.number(), callFrame: z.looseObject({ functionName: z.string() }) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** What the platform has to load and run before the Worker's first request. */
export const bench: Bench = {
  id: "P12",
  title: "Worker: bundle and start-up",
  async measure({ build, runs }) {
    const folder = await mkdtemp(join(tmpdir(), "polylogue-bundle-"));
    try {
      const bundle = join(folder, "worker.bundle");
      const { code, output } = await wrangler(["deploy", "--dry-run", "--outfile", bundle, "--config", build.workerConfig]);
      const size = /gzip: ([\d.]+) (KiB|MiB)/.exec(output);
      if (code !== 0 || !size) throw new Error(`The Worker could not be bundled:\n${output}`);
      const starts: number[] = [];
      for (let run = 0; run < runs; run += 1) starts.push(await measureStart(bundle, join(folder, `${run}.cpuprofile`)));
      return [
        { name: "Worker bundle, gz", unit: "KiB", values: [Number(size[1]) * (size[2] === "MiB" ? 1024 : 1)], target: 1024 },
        { name: "Start-up, CPU", unit: "ms", values: starts, target: 50, isTime: true },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Milliseconds in which the profiler saw the Worker's own code at work. */
async function measureStart(bundle: string, profile: string): Promise<number> {
  const { code, output } = await wrangler(["check", "startup", "--worker", bundle, "--outfile", profile]);
  if (code !== 0) throw new Error(`The Worker's start could not be profiled:\n${output}`);
  const { nodes, samples, timeDeltas } = Profile.parse(JSON.parse(await readFile(profile, "utf8")));
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  return samples.reduce((sum, node, index) => (idle.has(node) ? sum : sum + (timeDeltas[index] ?? 0)), 0) / 1000;
}

function wrangler(args: string[]) {
  return runCommand(bin("wrangler"), args, { quiet: true, env: { CI: "1" } });
}
