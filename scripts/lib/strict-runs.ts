import type { StrictOptions } from "#test/support/strict/options.ts";

/** The Worker's tests of which `npm test` tries the strict platform, as they lean on it most; `npm run test:strict` tries all. */
export const STRICT_SAMPLE = ["jobs", "live", "storage"].map((name) => `test/worker/${name}.test.ts`);

/** What the strict platform itself does. */
export const STRICT_ALONE = "test/worker/strict-platform.test.ts";

/** All at once, little enough that most of what a test asks succeeds the first time. */
const OPTIONS: StrictOptions = { d1Ms: 3, objectMs: 2, r2Ms: 3, isUneven: true, evict: 0.02, twice: 0.5 };

const SAMPLE_SEED = 20_261_128;

/** The journeys that a browser makes on it. */
export const STRICT_JOURNEYS = [
  "first-minutes",
  "come-back",
  "queue",
  "approvals",
  "attachments",
  "inbox",
  "mail-journey",
  "schedules",
  "search",
  "sharing",
].map((name) => `test/e2e/${name}.test.ts`);

/** What a browser's journey goes through: it comes again by itself, so what it follows ends too. */
const JOURNEY_OPTIONS: StrictOptions = { d1Ms: 20, objectMs: 5, r2Ms: 20, isUneven: true, evict: 0.02, evictFollowed: true, twice: 0.5 };

/** True in `npm run test:strict`. */
export function asksForAll(): boolean {
  return Boolean(process.env["STRICT_SEED"]);
}

/** The variable STRICT of the Worker's tests. */
export function strictVariable(): string {
  return JSON.stringify({ ...OPTIONS, seed: Number(process.env["STRICT_SEED"] ?? SAMPLE_SEED) });
}

/** The same of a server that browsers ask. */
export function journeyVariable(seed: number): string {
  return JSON.stringify({ ...JOURNEY_OPTIONS, seed });
}
