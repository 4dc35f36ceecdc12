import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProduct } from "./build.ts";
import { findBrowser } from "./browser.ts";
import { startLocalServices } from "./local-services.ts";
import { freePort } from "./ports.ts";
import { serveBuild } from "./serve.ts";
import { sessionSecret } from "./state.ts";
import { type Counts, playwrightCounts, runSteps } from "./steps.ts";

/** Runs the browser's tests against a production build with state, port and simulators of their own. */
export async function runBrowserTests(args: string[]): Promise<Counts> {
  const [browser, build] = [await findBrowser(), await buildProduct()];
  const stateDir = await mkdtemp(join(tmpdir(), "polylogue-e2e-"));
  const workerLog = join(stateDir, "worker.log");
  // What was given to `npm start` is none of the tests' business: no key, no real service.
  const local = await startLocalServices(
    { CODES_PER_HOUR_PER_ADDRESS: "100000", CODES_PER_HOUR_PER_IP: "100000", GUEST_MESSAGES_PER_DAY: "100000" },
    { tokensPerSecond: 300, firstTokenMs: 50 },
  );
  const served = await serveBuild({
    build,
    port: await freePort(),
    stateDir,
    vars: { SESSION_SECRET: await sessionSecret(stateDir), ...local.vars },
    mailboxUrl: local.mailboxUrl,
    onLog: ({ level, message }) => void (level === "error" && appendFile(workerLog, `${message.replaceAll("\n", "\\n")}\n`)),
  });
  try {
    return await runSteps([
      {
        name: "browser tests",
        program: "playwright",
        args: ["test", ...args],
        env: { E2E_URL: served.url, E2E_BROWSER: browser, E2E_WORKER_LOG: workerLog, E2E_AGGREGATOR: local.vars["AGGREGATOR_URL"] ?? "" },
        count: playwrightCounts,
      },
    ]);
  } finally {
    await served.close();
    await local.close();
    await rm(stateDir, { recursive: true, force: true });
  }
}
