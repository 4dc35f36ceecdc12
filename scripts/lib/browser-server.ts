import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { seedAccount } from "#test/support/seed-account.ts";
import { findBrowser, findHeadlessBrowser } from "./browser.ts";
import { type Build, buildProduct } from "./build/build.ts";
import type { Vars } from "./dev-vars.ts";
import type { Release } from "./last-release.ts";
import { startLocalMail, startLocalServices } from "./local-services.ts";
import { freePort } from "./ports.ts";
import { runCommand } from "./run-command.ts";
import { serveBuild, type Served, type WorkerLog } from "./serve.ts";
import { ownSecrets, temporaryFolder } from "./state.ts";

/** A production build that is served with state, port and simulators of its own; `env` is what Playwright's tests know of it. */
export type BrowserServer = {
  env: Record<string, string>;
  stateDir: string;
  served: Served;
  /** Opens a session for an address without a mail; answers the cookie's value. */
  enter(email: string): Promise<string>;
  close(): Promise<void>;
};

/**
 * What a server has of its own: variables; the release that it begins with until a test deploys this one; or an archive of what an earlier
 * release stored (test/support/states).
 */
export type Own = { vars?: Vars | undefined; release?: Release | undefined; state?: string | undefined };

/** Builds and serves the product for a browser that is driven. */
export async function startBrowserServer(onLog: (log: WorkerLog) => void, { vars = {}, release, state }: Own = {}): Promise<BrowserServer> {
  const [browser, wholeBrowser] = [await findHeadlessBrowser(), await findBrowser()];
  const build = await buildProduct();
  const stateDir = await mkdtemp(join(temporaryFolder(), "polylogue-e2e-"));
  if (state !== undefined) await unpack(state, stateDir);
  // What was given to `npm start` is none of the tests' business: no key, no real service.
  const local = await startLocalServices(
    {
      CODES_PER_HOUR_PER_BROWSER: "100000",
      CODES_PER_HOUR_PER_IP: "100000",
      CODES_PER_HOUR_PER_ADDRESS: "100000",
      CHATS_PER_HOUR: "100000",
      SEARCHES_PER_HOUR: "100000",
      ARTIFACTS_PER_HOUR: "100000",
      CHAT_EXPORTS_PER_HOUR: "100000",
      GUEST_MESSAGES_PER_DAY: "100000",
      GUEST_DOLLARS_PER_DAY: "100000",
    },
    { aggregator: { tokensPerSecond: 300, firstTokenMs: 50 }, codegen: { runMs: 500 } },
  );
  const secrets = await ownSecrets(stateDir);
  const port = await freePort();
  const serve = (version: Build | Release) =>
    serveBuild({
      build: version,
      migrations: "migrations" in version ? version.migrations : undefined,
      port,
      stateDir,
      vars: { ...secrets, ...local.vars, ...vars },
      mailboxUrl: local.urls.mailbox,
      phoneUrl: local.urls.whatsapp,
      onLog,
    });
  let served = await serve(release ?? build);
  local.onServed(served.url);
  const mail = await startLocalMail(served.url, local.vars, 0);
  const enter = async (email: string) => seedAccount(await served.database(), { secret: secrets.SESSION_SECRET, email });
  const accounts = await startAnswering(enter);
  const deploy = async (version: string) => {
    await served.close();
    served = await serve(version === "last" && release ? release : build);
    return served.url;
  };
  const deployments = release && (await startAnswering(deploy));
  return {
    env: {
      FORCE_COLOR: "0",
      // The browsers' profiles.
      TMPDIR: stateDir,
      E2E_URL: served.url,
      E2E_BROWSER: browser,
      E2E_WHOLE_BROWSER: wholeBrowser,
      E2E_ACCOUNTS: accounts.url,
      E2E_DEPLOY: deployments?.url ?? "",
      E2E_AGGREGATOR: local.vars["AGGREGATOR_URL"] ?? "",
      E2E_SMTP_PORT: String(mail?.port ?? ""),
      E2E_MCP: local.urls.mcp ?? "",
      E2E_PUSH: local.urls.push ?? "",
      E2E_EXA: local.vars["EXA_URL"] ?? "",
    },
    stateDir,
    get served() {
      return served;
    },
    enter,
    close: async () => {
      accounts.close();
      deployments?.close();
      await mail?.close();
      await served.close();
      await local.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

async function unpack(archive: string, folder: string): Promise<void> {
  const { code, output } = await runCommand("tar", ["-xzf", archive, "-C", folder], { quiet: true });
  if (code !== 0) throw new Error(`${archive} could not be unpacked: ${output}`);
}

/** Lets the browser's tests have what no browser can ask for, accounts without a mail or another version: the text of a POST is answered. */
async function startAnswering(answer: (text: string) => Promise<string>): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    void text(request)
      .then(answer)
      .then(
        (answered) => response.end(answered),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
