import { type Browser, chromium } from "@playwright/test";
import type { BenchContext } from "#test/bench/figure.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { findBrowser } from "../browser.ts";
import { buildProduct } from "../build/build.ts";

/** Builds, and starts server and browser for the benches that ask; `close` ends what was started. */
export async function openBenchContext(runs: number, { isFull }: { isFull: boolean }): Promise<BenchContext & { close(): Promise<void> }> {
  const build = await buildProduct();
  let server: Promise<BenchServer> | undefined;
  let browser: Promise<Browser> | undefined;
  return {
    build,
    runs,
    isFull,
    serve: () => (server ??= startBenchServer(build)),
    browser: () => (browser ??= startBrowser()),
    close: async () => {
      await (await browser)?.close();
      await (await server)?.close();
    },
  };
}

async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findBrowser(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}
