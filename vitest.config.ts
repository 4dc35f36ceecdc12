import { cp } from "node:fs/promises";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import type { V4QueueConsumerOptions, V4WorkerOptions } from "miniflare";
import { defineConfig } from "vitest/config";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { boundedPdf } from "./scripts/lib/build/bounded-pdf.ts";
import { inRoot } from "./scripts/lib/paths.ts";
import { copyPdfAssets } from "./scripts/lib/build/pdf-assets.ts";
import { smallMailauth } from "./scripts/lib/build/small-mailauth.ts";
import { temporaryFolder } from "./scripts/lib/state.ts";
import { LOCAL_VARS } from "./scripts/lib/local-vars.ts";
import { servicesOf } from "./test/simulators/registry.ts";
import { asksForAll, STRICT_ALONE, STRICT_SAMPLE, strictVariable } from "./scripts/lib/strict-runs.ts";

// Where the local runtimes keep what the tests store.
process.env["TMPDIR"] = temporaryFolder();

const PACKAGES = [
  "zod",
  "zod/mini",
  "hono",
  "hono/cookie",
  "openai",
  "jose",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "katex",
  "libphonenumber-js/max",
  "mailauth/lib/arc",
  "mailauth/lib/dkim/dkim-verifier",
  "mailauth/lib/dmarc",
  "mdast-util-from-markdown",
  "mdast-util-gfm",
  "micromark-extension-gfm",
  "postal-mime",
];

/** What mailauth asks the platform for: left to it, and not looked for among the packages. */
const PLATFORM_MODULES = ["buffer", "crypto", "dns", "https", "net", "stream"].map((name) => `node:${name}`);

/** The static files that tests meet: a page, and what PDF.js asks for. */
const ASSETS = inRoot("node_modules/.test-assets");
let laid: Promise<void> | null = null;

async function layAssets(): Promise<void> {
  await cp(inRoot("test/support/assets"), ASSETS, { recursive: true });
  await copyPdfAssets(ASSETS);
}

/** Jobs that begin in the very moment in which a test sent them were seen to meet its request here: "I/O on behalf of a different request". A batch of one would begin at once. */
function consumersWithPause(consumers: unknown): V4WorkerOptions["queueConsumers"] {
  const all: Record<string, V4QueueConsumerOptions> = { ...Object(consumers) };
  const paused = ["polylogue-jobs", "polylogue-bulk"].map(
    (name) => [name, { ...all[name], maxBatchSize: 10, maxBatchTimeout: 0.1 }] as const,
  );
  return { ...all, ...Object.fromEntries(paused) };
}

const workerOn = (main: string, own: Record<string, string> = {}) =>
  cloudflareTest(async ({ inject }) => {
    const services = servicesOf<string>(inject("simulators"));
    await (laid ??= layAssets());
    process.env["WRANGLER_LOG"] ??= "error";
    // Not by `wrangler.configPath`: that would mix the developer's .dev.vars into the tests.
    const { bindings: _bindings, ...configured } = readWorkerOptions(inRoot("wrangler.jsonc")).workerOptions;
    return {
      main,
      miniflare: {
        ...configured,
        queueConsumers: consumersWithPause(configured.queueConsumers),
        assets: { directory: ASSETS, binding: "ASSETS" },
        bindings: {
          ...LOCAL_VARS,
          ...Object.assign({}, ...services.map(({ service, value }) => ({ ...service.vars(value), ...service.inTests?.vars }))),
          ...inject("canaries"),
          // Every test comes from one address, so the limits that are not under test are out of reach.
          GUEST_MESSAGES_PER_DAY: "100000",
          GUEST_DOLLARS_PER_DAY: "100000",
          CODES_PER_HOUR_PER_BROWSER: "100000",
          CODES_PER_HOUR_PER_IP: "100000",
          CODES_PER_HOUR_PER_ADDRESS: "100000",
          CHATS_PER_HOUR: "1000",
          SEARCHES_PER_HOUR: "1000",
          ARTIFACTS_PER_HOUR: "1000",
          CHAT_EXPORTS_PER_HOUR: "1000",
          TEST_MIGRATIONS: await readD1Migrations(inRoot("migrations")),
          // The benchmark asks for more readers than a test needs (test/bench/c10-fan-out.ts).
          TEST_READERS: process.env["TEST_READERS"] ?? "1 10 40",
          // The benchmark measures with what is far this many milliseconds away (test/bench/p18-far-away.ts).
          TEST_FAR_MS: process.env["TEST_FAR_MS"] ?? "0",
          TEST_KNOWLEDGE: process.env["TEST_KNOWLEDGE"] ?? "20 40 0",
          ...Object.fromEntries(services.map(({ name, value }) => [`${name.toUpperCase()}_SIMULATOR`, value])),
          ...own,
        },
      },
    };
  });

/** Files that count what one runtime does from its start, or change what it holds: each gets a runtime of its own. */
const ALONE = ["fan-out-cost", "knowledge-recall", "long-chats", "models-shared", "round-trips", "search-tools", "turn-cost"].map(
  (name) => `test/worker/${name}.test.ts`,
);

const WORKER = inRoot("worker", "index.ts");

/** Half of what a runtime is sent would be maps to the sources of packages, which no failure of ours needs. A map is heeded with changed code alone. */
const withoutPackageMaps = {
  name: "without-package-maps",
  enforce: "post" as const,
  transform: (code: string, id: string) =>
    /\/node_modules\/|\/readers\/pdfjs\.ts$/.test(id) ? { code: `${code}\n`, map: { mappings: "" as const } } : null,
};

const plugins = [workerOn(WORKER), boundedPdf(), withoutPackageMaps];

const STRICT_WORKER = inRoot("test", "support", "strict", "worker.ts");
/** Tests that call the Worker's handlers themselves have the strict ones too. */
const strictWorker = {
  name: "strict-worker",
  enforce: "pre" as const,
  resolveId: (source: string) => (source === "#worker/index.ts" ? STRICT_WORKER : null),
};

/** Given by `npm run test:long`: the seed of a run that tries all there is. */
const longSeed = process.env["LONG_SEED"] ? Number(process.env["LONG_SEED"]) : null;
const provide = { longSeed };

const workerTest = {
  provide,
  // Bundled once into few modules, so that each runtime doesn't fetch hundreds.
  deps: {
    optimizer: {
      ssr: { enabled: true, include: PACKAGES, exclude: PLATFORM_MODULES, rolldownOptions: { plugins: [smallMailauth()] } },
    },
  },
  globalSetup: ["test/support/start-simulators.ts"],
  setupFiles: ["test/support/migrate-database.ts", "test/support/load-modules.ts"],
};

export default defineConfig({
  test: {
    reporters: ["default"],
    // The Worker logs every failure that a test provokes; only a failed test's lines tell anything.
    silent: "passed-only",
    // A limit against hanging, far above what the slowest machine needs.
    testTimeout: longSeed === null ? 60_000 : 4 * 60 * 60_000,
    // A third of the Worker's tests is waiting: on two cores, one file at a time leaves much of both idle, and three are no faster.
    maxWorkers: "100%",
    // With it a runtime that starts late is sent every module so far in one message, which comes near the 32 MB that workerd takes, and a first run is no faster.
    fsModuleCache: false,
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          // Pure modules: a fresh process for each file would take longer than the tests.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          include: [
            "test/{shared,web,simulators,scripts,long/shared,long/web,long/scripts}/**/*.test.{ts,tsx}",
            "test/architecture.test.ts",
          ],
          provide,
        },
      },
      {
        plugins,
        // Users and chats of their own keep the other files apart, and a runtime for each would take longer than its tests.
        test: {
          ...workerTest,
          name: "worker",
          isolate: false,
          include: ["test/{worker,long/worker}/**/*.test.ts"],
          exclude: [...ALONE, STRICT_ALONE],
        },
      },
      {
        plugins,
        // Of its own, as what is bundled once must not be bundled twice at a time; runs of the benchmark name theirs.
        cacheDir: process.env["TEST_CACHE_DIR"] ?? inRoot("node_modules/.vite-alone"),
        test: { ...workerTest, name: "worker-alone", include: ALONE },
      },
      {
        // The Worker's tests on a platform that promises no more than the real one: a sample, or all in `npm run test:strict`.
        plugins: [strictWorker, workerOn(STRICT_WORKER, { STRICT: strictVariable() }), boundedPdf(), withoutPackageMaps],
        cacheDir: inRoot("node_modules/.vite-strict"),
        test: {
          ...workerTest,
          name: "strict",
          isolate: false,
          setupFiles: [...workerTest.setupFiles, "test/support/strict/setup.ts"],
          include: asksForAll() ? ["test/worker/**/*.test.ts"] : [STRICT_ALONE, ...STRICT_SAMPLE],
          exclude: ALONE,
          // What it draws may hit a test where nothing asks again: a fault of the product fails with the next draws too. Named as tried again.
          retry: asksForAll() ? 1 : 0,
        },
      },
    ],
  },
});
