import type { Page } from "@playwright/test";
import { enter } from "./fixtures/api.ts";
import { composer } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test.use({ serviceWorkers: "allow" });

/** Waits until the service worker has the page, with all that it keeps. */
async function installed(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
}

test("without a network the application starts from what was kept", async ({ page, context, allowConsole }) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|WebSocket|could not be loaded/);
  await enter(page);
  await page.goto("/");
  await installed(page);
  await context.setOffline(true);
  await page.reload();
  await expect(composer(page)).toBeEditable();
});
