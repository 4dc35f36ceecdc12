import { defineConfig } from "@playwright/test";
import base from "../../playwright.config.ts";

/** Run by `npm run screens`, which says of which widths and themes pictures are taken. */
export default defineConfig({
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
    ...(process.env["SCREENS_WIDTHS"] ?? "").split(",").map((width) => ({
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
