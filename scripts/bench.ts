import { mkdir, readdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import type { Bench } from "#test/bench/figure.ts";
import { openBenchContext } from "./lib/bench-context.ts";
import { benchTable, isMet } from "./lib/bench-table.ts";
import { inRoot } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";

await runMain(async () => {
  const asked = process.argv.slice(2).map((name) => name.toUpperCase());
  const known = await benches();
  const unknown = asked.filter((id) => !known.some((bench) => bench.id === id));
  if (unknown.length > 0) throw new Error(`There is no figure ${unknown.join(", ")}; there are ${known.map(({ id }) => id).join(", ")}.`);
  // What already runs would share the processors with what is measured.
  const isBusy = (loadavg()[0] ?? 0) > cpus().length;
  const context = await openBenchContext();
  const raw = [];
  let isAllMet = true;
  try {
    for (const { id, title, measure } of known.filter((bench) => asked.length === 0 || asked.includes(bench.id))) {
      const figures = await measure(context);
      process.stdout.write(`\n${id} ${title}\n${benchTable(figures, isBusy)}\n`);
      isAllMet &&= figures.every((figure) => isMet(figure, isBusy) !== false);
      raw.push({ id, title, figures });
    }
  } finally {
    await context.close();
  }
  const at = new Date().toISOString();
  await mkdir(inRoot(".bench"), { recursive: true });
  const file = join(".bench", `${at.replaceAll(":", "-")}.json`);
  await writeFile(
    inRoot(file),
    JSON.stringify({ at, version: context.build.version, isBusy, cpus: cpus().map(({ model }) => model), raw }, null, 2),
  );
  process.stdout.write(`\n${isBusy ? "The machine was too busy to compare times. " : ""}All numbers: ${file}\n`);
  process.exit(isAllMet ? 0 : 1);
});

/** The bench files, in the figures' order. */
async function benches(): Promise<Bench[]> {
  const files = (await readdir(inRoot("test", "bench"))).filter((name) => /^[pr]\d+-.*\.ts$/.test(name));
  const modules = await Promise.all(files.map(async (name): Promise<{ bench: Bench }> => import(inRoot("test", "bench", name))));
  return modules.map(({ bench }) => bench).toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}
