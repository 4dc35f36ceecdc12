import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { findBrowser } from "./browser.ts";
import { buildProduct } from "./build/build.ts";
import { startLocalMail, startLocalServices } from "./local-services.ts";
import { freePort } from "./ports.ts";
import { isGoneReader, serveBuild, type Served } from "./serve.ts";
import { ownSecrets, temporaryFolder } from "./state.ts";
import { playwrightCounts, runSteps, single, sum, type Counts } from "./steps.ts";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { seedAccount } from "#test/support/seed-account.ts";

/** Runs the browser's tests against a production build with state, port and simulators of their own. */
export async function runBrowserTests(args: string[]): Promise<Counts> {
  const browser = await findBrowser();
  const build = await buildProduct();
  const stateDir = await mkdtemp(join(temporaryFolder(), "polylogue-e2e-"));
  const errors: string[] = [];
  const allowedErrors = join(stateDir, "allowed-errors");
  // What was given to `npm start` is none of the tests' business: no key, no real service.
  const local = await startLocalServices(
    { CODES_PER_HOUR_PER_BROWSER: "100000", CODES_PER_HOUR_PER_IP: "100000", GUEST_MESSAGES_PER_DAY: "100000" },
    { tokensPerSecond: 300, firstTokenMs: 50 },
    { runMs: 500 },
  );
  const secrets = await ownSecrets(stateDir);
  const served = await serveBuild({
    build,
    port: await freePort(),
    stateDir,
    vars: { ...secrets, ...local.vars },
    mailboxUrl: local.mailboxUrl,
    phoneUrl: local.whatsappUrl,
    onLog: (log) => {
      if (log.level === "error" && !isGoneReader(log)) errors.push(log.message);
    },
  });
  local.tellPhones(served.url);
  const mail = await startLocalMail(served.url, local.vars, 0);
  const accounts = await startAccountServer(served, secrets.SESSION_SECRET);
  try {
    const counts = await runSteps([
      {
        name: "browser tests",
        program: "playwright",
        args: ["test", ...args],
        env: {
          FORCE_COLOR: "0",
          // The browsers' profiles.
          TMPDIR: stateDir,
          E2E_URL: served.url,
          E2E_BROWSER: browser,
          E2E_ACCOUNTS: accounts.url,
          E2E_AGGREGATOR: local.vars["AGGREGATOR_URL"] ?? "",
          E2E_SMTP_PORT: String(mail?.port ?? ""),
          E2E_MCP: local.mcpUrl ?? "",
          E2E_PUSH: local.pushUrl ?? "",
          E2E_EXA: local.vars["EXA_URL"] ?? "",
          E2E_ALLOWED_WORKER_ERRORS: allowedErrors,
        },
        count: playwrightCounts,
      },
    ]);
    return sum(counts, checkWorkerLog(errors, allowedErrors));
  } finally {
    accounts.close();
    await mail?.close();
    await served.close();
    await local.close();
    await rm(stateDir, { recursive: true, force: true });
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

/** Lets the browser's tests have accounts without a mail: a POST of an address is answered with the value of a session's cookie. */
async function startAccountServer(served: Served, secret: string): Promise<{ url: string; close(): void }> {
  const database = await served.database();
  const server = createServer((request, response) => {
    void text(request)
      .then((email) => seedAccount(database, { secret, email }))
      .then(
        (cookie) => response.end(cookie),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
