import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import type { BenchContext } from "#test/bench/figure.ts";
import { findBrowser } from "./browser.ts";
import { buildProduct } from "./build.ts";
import { startLocalServices } from "./local-services.ts";
import { freePort } from "./ports.ts";
import { serveBuild } from "./serve.ts";
import { sessionSecret } from "./state.ts";

const RUNS = 5;

/** Builds, and starts server and browser for the benches that ask; `close` ends what was started. */
export async function openBenchContext(): Promise<BenchContext & { close(): Promise<void> }> {
  const build = await buildProduct();
  const closers: (() => Promise<void>)[] = [];
  let origin: Promise<string> | undefined;
  let browser: Promise<Browser> | undefined;

  async function startServer(): Promise<string> {
    const stateDir = await mkdtemp(join(tmpdir(), "polylogue-bench-"));
    const local = await startLocalServices(
      {
        GUEST_MESSAGES_PER_DAY: "1000000",
        CODES_PER_HOUR_PER_ADDRESS: "1000000",
        CODES_PER_HOUR_PER_IP: "1000000",
        ENVIRONMENT: "production",
      },
      { tokensPerSecond: 0, firstTokenMs: 0 },
    );
    const served = await serveBuild({
      build,
      port: await freePort(),
      stateDir,
      vars: { SESSION_SECRET: await sessionSecret(stateDir), ...local.vars },
      mailboxUrl: local.mailboxUrl,
      onLog: ({ level, message }) => void (level === "error" && process.stderr.write(`worker error: ${message}\n`)),
    });
    closers.push(served.close, local.close, () => rm(stateDir, { recursive: true, force: true }));
    return served.url;
  }

  async function startBrowser(): Promise<Browser> {
    const started = await chromium.launch({
      executablePath: await findBrowser(),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
    closers.push(() => started.close());
    return started;
  }

  return {
    build,
    runs: RUNS,
    serve: () => (origin ??= startServer()),
    browser: () => (browser ??= startBrowser()),
    close: async () => {
      for (const close of closers.toReversed()) await close();
    },
  };
}
