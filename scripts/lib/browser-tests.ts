import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Own, startBrowserServer } from "./browser-server.ts";
import { findFirefox, findWebKit } from "./browser.ts";
import { inRoot } from "./paths.ts";
import { isGoneReader } from "./serve.ts";
import { playwrightCounts, runSteps, single, sum, type Counts } from "./steps.ts";

/** Tests begin where 1.0.0 left off: what is served over its state is this version (test/e2e/stored-state.test.ts). */
const STATE_OF_1_0 = inRoot("test", "support", "states", "release-1-0-0.tar.gz");

/** What a run has of its own, beside its server's: a name, and which errors in the Worker's log are meant. */
type Run = Own & { name?: string; isMeant?: (error: string) => boolean };

/** The other browsers make their journeys where these are named, and where nothing is. */
const areJourneysAsked = (args: string[]) =>
  args.length === 0 || args.some((arg) => /test\/browsers|=(firefox|webkit|chromium)$/.test(arg));

/** Where the other browsers are, as Playwright's configuration knows it, and the names of those that are not to be had. */
export async function findOthers(): Promise<{ env: Record<string, string>; missing: string[] }> {
  const [firefox, webkit] = [await findFirefox(), await findWebKit()];
  return {
    env: { ...(firefox && { E2E_FIREFOX: firefox }), ...(webkit && { E2E_WEBKIT_DRIVER: webkit.driver, E2E_DISPLAY: webkit.display }) },
    missing: [...(firefox ? [] : ["Firefox"]), ...(webkit ? [] : ["WebKit"])],
  };
}

/** Runs the browser's tests against a production build with state, port and simulators of their own. */
export async function runBrowserTests(args: string[], env: Record<string, string> = {}, run: Run = {}): Promise<Counts> {
  const others = areJourneysAsked(args) ? await findOthers() : { env: {}, missing: [] };
  const errors: string[] = [];
  const server = await startBrowserServer(
    (log) => {
      if (log.level === "error" && !isGoneReader(log) && !run.isMeant?.(log.message)) errors.push(log.message);
    },
    { ...(!run.release && { state: STATE_OF_1_0 }), ...run },
  );
  const allowedErrors = join(server.stateDir, "allowed-errors");
  try {
    const counts = await runSteps([
      {
        name: run.name ?? "browser tests",
        program: "playwright",
        args: ["test", ...args],
        env: {
          ...server.env,
          ...others.env,
          // Whoever names files has all of their tests.
          E2E_FURTHER: args.length > 0 ? "1" : "",
          E2E_CHROMIUM_JOURNEYS: args.includes("--project=chromium") ? "1" : "",
          ...env,
          E2E_ALLOWED_WORKER_ERRORS: allowedErrors,
        },
        count: playwrightCounts,
      },
    ]);
    return { ...sum(counts, checkWorkerLog(errors, allowedErrors)), missing: others.missing };
  } finally {
    await server.close();
  }
}

function checkWorkerLog(errors: string[], allowedFile: string): Counts {
  const allowed = existsSync(allowedFile)
    ? readFileSync(allowedFile, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((source) => new RegExp(source))
    : [];
  const unexpected = errors.filter((error) => !allowed.some((pattern) => pattern.test(error)));
  for (const error of unexpected) process.stdout.write(`worker error: ${error}\n`);
  process.stdout.write(`${unexpected.length === 0 ? "ok" : "FAILED"}: the Worker's log holds no unexpected error\n`);
  return single(unexpected.length === 0);
}
