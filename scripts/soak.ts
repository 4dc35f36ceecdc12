import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Figure, median, quantile } from "#test/bench/figure.ts";
import { measureCuts } from "#test/bench/r1-resume.ts";
import { buildProduct } from "./lib/build/build.ts";
import { inRoot } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";
import { type Fate, killOnce } from "./lib/bench/soak-round.ts";
import { startSoakServer } from "./lib/bench/soak-server.ts";

const KILLS = 50;
const USERS = 4;
const VISIBLE_WITHIN_MS = 5_000;
/** No round begins later than this, in milliseconds: what is missing then is reported as missing. */
const LONGEST_MS = 8.5 * 60_000;

await runMain(async () => {
  const kills = Number(process.argv.find((arg) => arg.startsWith("--kills="))?.slice("--kills=".length) ?? KILLS);
  const build = await buildProduct();
  const began = performance.now();
  const server = await startSoakServer(build);
  const fates: Fate[] = [];
  const restarts: number[] = [];
  let cuts: Figure[] = [];
  try {
    process.stderr.write("cutting readers off ...\n");
    // What is lost is judged here; how fast a reader comes back is the benchmark's business, on a machine at rest.
    cuts = (await measureCuts(server)).filter(({ isTime }) => !isTime);
    for (let kill = 1; kill <= kills && performance.now() - began < LONGEST_MS; kill += 1) {
      // The cookies' tokens end after five minutes; what they stand for is not under test here.
      const users = await Promise.all(Array.from({ length: USERS }, () => server.newUser()));
      const round = await killOnce(server, users);
      restarts.push(round.restartMs);
      fates.push(...round.fates);
      process.stderr.write(`kill ${kill} of ${kills}: ${round.fates.map(({ state, ended }) => `${state} -> ${ended}`).join(", ")}\n`);
    }
  } finally {
    await server.close();
  }
  const at = new Date().toISOString();
  await mkdir(inRoot(".bench"), { recursive: true });
  const file = join(".bench", `soak-${at.replaceAll(":", "-")}.json`);
  await writeFile(inRoot(file), JSON.stringify({ at, version: build.version, cuts, restarts, fates }, null, 2));
  const rows = [...judgeCuts(cuts), ...judge({ kills, fates, restarts })];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => String(row[column] ?? "").length)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  process.stdout.write(`\n${table.join("\n")}\n\nAll numbers: ${file}\n`);
  process.exit(rows.some((row) => row[3] === "NOT MET") ? 1 : 0);
});

type Row = [string, string | number, string, string];

function judgeCuts(cuts: Figure[]): Row[] {
  const rows = cuts.map(({ name, unit, values: [value = Number.NaN], target }): Row => {
    return [name, `${value.toFixed(0)} ${unit}`, `<= ${target} ${unit}`, value <= (target ?? Infinity) ? "met" : "NOT MET"];
  });
  return [["readers cut off at 1,000 random bytes", "", "target", ""], ...rows];
}

function judge({ kills, fates, restarts }: { kills: number; fates: Fate[]; restarts: number[] }): Row[] {
  const accepted = fates.filter(({ wasAccepted }) => wasAccepted);
  const count = (of: Fate[], matches: (fate: Fate) => boolean) => of.filter(matches).length;
  const atMost = (name: string, value: number, most: number, unit = ""): Row => [
    name,
    `${Number.isInteger(value) ? value : value.toFixed(0)}${unit}`,
    `<= ${most}${unit}`,
    value <= most ? "met" : "NOT MET",
  ];
  const row = (name: string, value: string | number): Row => [name, value, "", ""];
  const visible = accepted.map(({ visibleMs }) => visibleMs);
  return [
    ["after kill -9 in mid-reply", "", "target", ""],
    ["kills", restarts.length, `>= ${kills}`, restarts.length >= kills ? "met" : "NOT MET"],
    row("messages sent, of them accepted", `${fates.length}, ${accepted.length}`),
    atMost(
      "user messages lost",
      count(accepted, ({ isUserMessageThere }) => !isUserMessageThere),
      0,
    ),
    atMost(
      "replies without a visible state",
      count(accepted, ({ state }) => state === "nothing"),
      0,
    ),
    atMost(
      `states seen later than ${VISIBLE_WITHIN_MS / 1000} s after the restart`,
      count(accepted, ({ visibleMs }) => visibleMs > VISIBLE_WITHIN_MS),
      0,
    ),
    atMost(
      "texts shorter than the last checkpoint",
      count(accepted, ({ kept, due }) => kept < due),
      0,
    ),
    atMost(
      "texts with wrong bytes after the restart",
      count(accepted, ({ isKeptTextRight }) => !isKeptTextRight),
      0,
    ),
    atMost(
      "replies that never settled",
      count(accepted, ({ ended }) => ["accepted", "streaming", "waiting", "nothing"].includes(ended)),
      0,
    ),
    atMost(
      "ends that differ between reader, store and model",
      count(accepted, ({ isEndRight }) => !isEndRight),
      0,
    ),
    row(
      "at the first look: kept as interrupted",
      count(accepted, ({ state }) => state === "interrupted"),
    ),
    row(
      "at the first look: begun again",
      count(accepted, ({ state }) => state === "streaming" || state === "accepted"),
    ),
    row(
      "at the first look: done",
      count(accepted, ({ state }) => state === "done"),
    ),
    row("state seen after, median and longest", `${median(visible).toFixed(0)} ms, ${Math.max(...visible).toFixed(0)} ms`),
    row(
      "characters beyond the kept text, p95",
      quantile(
        accepted.map(({ seen, kept }) => Math.max(0, seen - kept)),
        0.95,
      ),
    ),
    row("restart of the server, median and longest", `${median(restarts).toFixed(0)} ms, ${Math.max(...restarts).toFixed(0)} ms`),
  ];
}
