import { writeFile } from "node:fs/promises";
import { test as base, expect } from "@playwright/test";
import { openDoorway } from "./doorway.ts";
import { startBidi } from "./driver/bidi.ts";
import type { Engine } from "./driver/driver.ts";
import { startWebKit } from "./driver/webkit.ts";
import { Tab } from "./tab.ts";

export type Browser = "firefox" | "webkit" | "chromium";

export type Options = { driven: Browser };

type Fixtures = {
  width: number;
  /** Takes console lines that a journey provokes on purpose out of the guard. */
  allowConsole: (line: RegExp) => void;
  allowed: RegExp[];
  /** A window of a browser that nobody used before. */
  newTab: () => Promise<Tab>;
  tab: Tab;
};

async function start(browser: Browser): Promise<Engine> {
  const path = (name: string) => process.env[name] ?? "";
  if (browser === "firefox") return startBidi("firefox", path("E2E_FIREFOX"));
  if (browser === "chromium") return startBidi("chrome", path("E2E_BROWSER"));
  return startWebKit({ driver: path("E2E_WEBKIT_DRIVER"), display: path("E2E_DISPLAY") });
}

/** What a page says in WebKit that is left while it loads something, and in Firefox that is left while its socket opens. */
const LEFT =
  /could not be loaded: (?:Load failed|The server cannot be reached)|connection to ws:\S+ was interrupted while the page was loading|can’t establish a connection to the server at ws:/;

/** Playwright's runner without its browsers: a journey has windows of the project's own browser, and fails on any console error. */
export const test = base.extend<Fixtures, Options & { engine: Engine }>({
  driven: ["firefox", { option: true, scope: "worker" }],
  engine: [
    async ({ driven }, use) => {
      const engine = await start(driven);
      await use(engine);
      await engine.close();
    },
    { scope: "worker" },
  ],
  width: [1280, { option: true }],
  allowed: async ({}, use) => use([]),
  allowConsole: async ({ allowed }, use) => use((line) => void allowed.push(line)),
  newTab: async ({ engine, width, allowed }, use, info) => {
    const tabs: Tab[] = [];
    await use(async () => {
      const doorway = await openDoorway(new URL(process.env["E2E_URL"] ?? ""));
      const tab = new Tab(await engine.open(), doorway);
      tabs.push(tab);
      await tab.driver.resize(width, width < 768 ? 844 : 900);
      return tab;
    });
    const hasFailed = info.status !== info.expectedStatus;
    const problems: string[] = [];
    for (const [index, tab] of tabs.entries()) {
      if (hasFailed) {
        const picture = await tab.driver.screenshot().catch(() => null);
        if (picture) await writeFile(info.outputPath(`window-${index}.png`), picture);
      }
      // What was said since the last look at the page.
      await tab.evaluate(() => true).catch(() => undefined);
      problems.push(...tab.driver.errors());
      await tab.close();
    }
    const unexpected = problems.filter((problem) => !LEFT.test(problem) && !allowed.some((pattern) => pattern.test(problem)));
    expect(unexpected, "errors in the browser's console").toEqual([]);
  },
  tab: async ({ newTab }, use) => use(await newTab()),
});

/** What a person does, on a large window and on one as narrow as a phone. */
export function journey(title: string, run: Parameters<typeof test>[2]): void {
  for (const width of [1280, 390]) {
    test.describe(`at ${width} px`, () => {
      test.use({ width });
      test(title, run);
    });
  }
}

export { expect };
