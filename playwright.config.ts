import { defineConfig } from "@playwright/test";
import type { Browser, Options } from "./test/browsers/test.ts";

/** Off for Playwright, whose list another one would replace (test/scripts/browser-features.test.ts). */
const PLAYWRIGHT_OFF = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];
/** The address bar's pop-ups: two pages in each window, which cost most of what opening one does. */
const POPUPS = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

/** No page of a test lives long enough for the optimising compilers to repay their work. */
const NO_OPTIMISING = "--js-flags=--no-turbofan --no-maglev";
/** As Chrome has them from 152 on. */
const ALLOWLISTS = "--enable-features=ConnectionAllowlists,OverrideConnectionAllowlistOriginTrial";
/** One process draws every page of a worker: a new one for each would compile the whole application again. */
const ONE_PROCESS = "--renderer-process-limit=1";
const SPARE_PROCESS = "SpareRendererForSitePerProcess";
const FLAGS = [NO_OPTIMISING, ONE_PROCESS, ALLOWLISTS, "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
/** Notifications and a microphone, here one that beeps, take a whole browser. */
const IN_WHOLE_BROWSER = /(push|recording)\.test\.ts$/;

/** The journeys that every browser makes: `npm run e2e -- --project=firefox`, or `webkit`; Chromium makes them on request. */
const journeys = (browser: Browser, isThere: boolean) =>
  isThere ? [{ name: browser, testDir: "test/browsers", workers: 1, use: { driven: browser } }] : [];

/** What `npm run test:long` alone has: its server goes from one release to another. */
const LONG_ALONE = Boolean(process.env["E2E_DEPLOY"]);

/** Started by `npm run e2e`, which serves the build and names its address and the browsers. */
export default defineConfig<object, Options>({
  testDir: LONG_ALONE ? "test/long/browser" : "test/e2e",
  testMatch: "**/*.test.ts",
  outputDir: "test-results",
  forbidOnly: true,
  // As many as the cores that a small machine has: one more is hardly faster, and lets deadlines and frames pass.
  workers: 2,
  fullyParallel: false,
  // What passes only then is named at the end of the run, and fails it where it is more than a few (scripts/lib/steps.ts).
  retries: 1,
  // Deadlines, not waits: generous, as a busy machine is no defect.
  timeout: 240_000,
  expect: { timeout: 40_000 },
  reporter: [["line"]],
  // At the end the slowest files are named: they are the first to be merged, or to go to `npm run test:long`.
  reportSlowTests: { max: 12, threshold: 40_000 },
  use: {
    baseURL: process.env["E2E_URL"],
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    screenshot: "only-on-failure",
    // Emptied between tests, but for what the browser made of our scripts.
    reuseContext: true,
    // What only moves takes a tenth of a run; first-minutes and phone see it move.
    contextOptions: { reducedMotion: "reduce" },
    // Pages work without one, and its files would come in between routes that hold a request; its own tests allow it.
    serviceWorkers: "block",
    launchOptions: {
      executablePath: process.env["E2E_BROWSER"],
      args: [...FLAGS, `--disable-features=${[...PLAYWRIGHT_OFF, ...POPUPS, SPARE_PROCESS].join(",")}`],
    },
  },
  projects: [
    // The longest, and one browser each.
    ...journeys("firefox", Boolean(process.env["E2E_FIREFOX"])),
    ...journeys("webkit", Boolean(process.env["E2E_WEBKIT_DRIVER"])),
    ...journeys("chromium", Boolean(process.env["E2E_CHROMIUM_JOURNEYS"])),
    // First, as whoever is done with them helps with the others.
    {
      name: "whole browser",
      testMatch: IN_WHOLE_BROWSER,
      use: { launchOptions: { executablePath: process.env["E2E_WHOLE_BROWSER"], args: [...FLAGS, "--use-fake-device-for-media-stream"] } },
    },
    { name: "desktop", testIgnore: IN_WHOLE_BROWSER },
  ],
});
