import { defineConfig } from "@playwright/test";
import base from "../../playwright.config.ts";
import type { Browser, Options } from "../browsers/test.ts";

const widths = (process.env["SCREENS_WIDTHS"] ?? "").split(",").filter(Boolean);
const isBrowser = (name: string): name is Browser => /^(chromium|firefox|webkit)$/.test(name);
const browsers = (process.env["SCREENS_BROWSERS"] ?? "").split(",").filter(isBrowser);

/** Run by `npm run screens`, which says of which widths and themes, or in which browsers, pictures are taken. */
export default defineConfig<object, Options>({
  ...base,
  testDir: ".",
  testMatch: "scenes/*.ts",
  outputDir: "../../.screens/failed",
  // A scene waits for what it shows, and a wrong scene is to say so soon.
  retries: 0,
  use: { ...base.use, screenshot: "off" },
  timeout: 60_000,
  expect: { timeout: 10_000 },
  projects: [
    { name: "seed", testMatch: "seed/seed.ts" },
    ...browsers.map((driven) => ({ name: driven, testMatch: "browsers.ts", dependencies: ["seed"], workers: 1, use: { driven } })),
    ...widths.map((width) => ({
      name: width,
      dependencies: ["seed"],
      use: {
        viewport: { width: Number(width), height: Number(width) < 768 ? 844 : 900 },
        hasTouch: Number(width) < 768,
        isMobile: Number(width) < 768,
      },
    })),
  ],
});
