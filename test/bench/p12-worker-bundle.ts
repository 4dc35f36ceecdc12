import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bin, runCommand } from "../../scripts/lib/run-command.ts";
import { filesAtStart, gzippedKib } from "./build-manifest.ts";
import { busySamples, CpuProfile } from "./cpu-profile.ts";
import type { Bench } from "./figure.ts";
import { measureRoutes } from "./route-cpu.ts";

/** What the platform has to load and run before the Worker's first request, and what each request then costs. */
export const bench: Bench = {
  id: "P12",
  title: "Worker: bundle, start-up and CPU per route",
  async measure({ build, runs }) {
    const folder = await mkdtemp(join(tmpdir(), "polylogue-bundle-"));
    try {
      const bundle = join(folder, "worker.bundle");
      const { code, output } = await wrangler(["deploy", "--dry-run", "--outfile", bundle, "--config", build.workerConfig]);
      const size = /gzip: ([\d.]+) (KiB|MiB)/.exec(output);
      if (code !== 0 || !size) throw new Error(`The Worker could not be bundled:\n${output}`);
      const starts: number[] = [];
      for (let run = 0; run < runs; run += 1) starts.push(await measureStart(bundle, join(folder, `${run}.cpuprofile`)));
      const worker = dirname(build.workerConfig);
      return [
        { name: "evaluated at start, gz", unit: "KiB", values: [await gzippedKib(worker, await filesAtStart(worker))], target: 450 },
        { name: "bundle, gz", unit: "KiB", values: [Number(size[1]) * (size[2] === "MiB" ? 1024 : 1)], target: 3072 },
        { name: "start-up, CPU", unit: "ms", values: starts, target: 70, isTime: true },
        ...(await measureRoutes(build, runs)),
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
  const busy = busySamples(CpuProfile.parse(JSON.parse(await readFile(profile, "utf8"))));
  return busy.reduce((sum, { us }) => sum + us, 0) / 1000;
}

function wrangler(args: string[]) {
  return runCommand(bin("wrangler"), args, { quiet: true, env: { CI: "1" } });
}
