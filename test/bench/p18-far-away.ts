import * as z from "zod";
import { inRoot } from "../../scripts/lib/paths.ts";
import { bin, runCommand } from "../../scripts/lib/run-command.ts";
import type { Bench, Figure } from "./figure.ts";

/** How far away what is far is, in milliseconds there and back. */
const FAR_MS = 250;

/** The most that a path may take with this far away, in milliseconds; how many round trips it waits for is held by test/worker/round-trips.test.ts. */
const MOST_MS: Record<string, Record<string, number>> = {
  D1: { document: 50, session: 300, "later message": 50, "sign-in": 850 },
  objects: { document: 50, "later message": 550 },
  both: { document: 50 },
};

const Trips = z.object({
  name: z.string(),
  what: z.string(),
  d1: z.number(),
  objects: z.number(),
  ms: z.number(),
  calls: z.array(z.string()),
});
type Trips = z.infer<typeof Trips>;

/** What a path waits for where the database, the objects or both are far away. */
export const bench: Bench = {
  id: "P18",
  title: `Paths with D1, the objects or both ${FAR_MS} ms away`,
  async measure({ runs }) {
    const measured: Trips[] = [];
    // One after the other: times are measured.
    for (let run = 0; run < runs; run += 1) measured.push(...(await measureTrips()));
    return Object.entries(Object.groupBy(measured, ({ name, what }) => `${what} far: ${name}`)).flatMap(([name, all = []]) =>
      toFigures(name, all),
    );
  },
};

function toFigures(name: string, all: Trips[]): Figure[] {
  const [first] = all;
  const most = (first && MOST_MS[first.what]?.[first.name]) ?? null;
  const counted = { D1: ({ d1 }: Trips) => d1, objects: ({ objects }: Trips) => objects };
  const countOf = first?.what === "D1" || first?.what === "objects" ? counted[first.what] : null;
  return [
    { name, unit: "ms", values: all.map(({ ms }) => ms), target: most, isTime: true, notes: all },
    ...(countOf ? [{ name: `${name}, round trips`, unit: "requests" as const, values: all.map(countOf), target: null }] : []),
  ];
}

async function measureTrips(): Promise<Trips[]> {
  const args = ["run", "--silent=false", "--project", "worker-alone", "test/worker/round-trips.test.ts", "-t", "from far away"];
  const env = { NO_COLOR: "1", TEST_FAR_MS: String(FAR_MS), TEST_CACHE_DIR: inRoot("node_modules", ".vite-bench-far") };
  const { output } = await runCommand(bin("vitest"), args, { quiet: true, env });
  const lines = [...output.matchAll(/^far (\{.*\})$/gm)].map(([, line = ""]) => Trips.parse(JSON.parse(line)));
  if (lines.length === 0) throw new Error(`Nothing was measured from far away:\n${output}`);
  return lines;
}
