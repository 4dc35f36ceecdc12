import { mkdir, readdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Bench } from "#test/bench/figure.ts";
import { waitForCalm } from "./lib/bench/bench-calm.ts";
import { openBenchContext } from "./lib/bench/bench-context.ts";
import { benchTable, isMet, type Measured } from "./lib/bench/bench-table.ts";
import { inRoot } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";

const RUNS = 5;
/** What stands for the whole product, in about 15 minutes; other figures are asked for by name, all by `all`. */
const STANDARD = ["P1", "P2", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P12", "P14", "P16"];

/** Figures that go by a word as well. */
const NAMES: Record<string, string> = { mail: "R4", knowledge: "C16", artifacts: "C19" };

await runMain(async () => {
  const args = process.argv.slice(2);
  const runs = Number(args.find((arg) => arg.startsWith("--runs="))?.slice("--runs=".length) ?? RUNS);
  const asked = args.filter((arg) => !arg.startsWith("--")).map((name) => NAMES[name] ?? name.toUpperCase());
  const known = await benches();
  const unknown = asked.filter((name) => !known.some((bench) => isMeant(bench, name)));
  if (unknown.length > 0) throw new Error(`There is no figure ${unknown.join(", ")}; there are ${known.map(({ id }) => id).join(", ")}.`);
  const context = await openBenchContext(runs, { isFull: args.includes("--full") });
  const measured: (Measured & { seconds: number; loops: number[]; busyShare: number })[] = [];
  try {
    for (const { id, title, measure } of known.filter((bench) =>
      (asked.length === 0 ? STANDARD : asked).some((name) => isMeant(bench, name)),
    )) {
      const { isBusy, loops, busyShare } = await waitForCalm();
      process.stderr.write(`${id} ${title} ...${isBusy ? " (the machine is busy: its times will not be compared)" : ""}\n`);
      const start = performance.now();
      const outcome = await measure(context).then(
        (figures) => ({ figures, failure: null }),
        (error: unknown) => ({ figures: [], failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
      const seconds = (performance.now() - start) / 1000;
      if (outcome.failure !== null) process.stderr.write(`${outcome.failure}\n`);
      measured.push({ id, title, isBusy, loops, busyShare, seconds, ...outcome, failure: outcome.failure?.split("\n")[0] ?? null });
    }
  } finally {
    await context.close();
  }
  const at = new Date().toISOString();
  await mkdir(inRoot(".bench"), { recursive: true });
  const file = join(".bench", `bench-${at.replaceAll(":", "-")}.json`);
  const machine = cpus().map(({ model }) => model);
  await writeFile(inRoot(file), JSON.stringify({ at, version: context.build.version, machine, runs, measured }, null, 2));
  const busy = measured.filter((bench) => bench.isBusy).map(({ id }) => id);
  const loop = Math.min(...measured.flatMap(({ loops }) => loops)).toFixed(1);
  const seconds = measured.reduce((sum, bench) => sum + bench.seconds, 0).toFixed(0);
  process.stdout.write(
    `\n${benchTable(measured)}\n\n${runs} runs in ${seconds} s on ${machine.length} processors (${machine[0] ?? "unknown"}; a loop of fixed work took ${loop} ms).\n${
      busy.length > 0 ? `The machine was too busy to compare the times of ${busy.join(", ")}.\n` : ""
    }All numbers: ${file}\n`,
  );
  const isAllMet = measured.every(
    ({ figures, failure, isBusy }) => failure === null && figures.every((figure) => isMet(figure, isBusy) !== false),
  );
  process.exit(isAllMet ? 0 : 1);
});

/** Whether a name means this figure: its id, the letter of its group, or all of them. */
function isMeant({ id, topic }: Bench, name: string): boolean {
  return name === id || name === topic || name === "ALL" || (name.length === 1 && id.startsWith(name));
}

/** The bench files, in the figures' order. */
async function benches(): Promise<Bench[]> {
  const files = (await readdir(inRoot("test", "bench"))).filter((name) => /^[cpr]\d+-.*\.ts$/.test(name));
  const modules = await Promise.all(files.map(async (name): Promise<{ bench: Bench }> => import(inRoot("test", "bench", name))));
  return modules.map(({ bench }) => bench).toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}
