import type { Page } from "@playwright/test";
import { composer } from "./fixtures/chat.ts";
import { enter } from "./fixtures/api.ts";
import { expect, furtherTest, test } from "./fixtures/test.ts";

const TRANSCRIPT = /This is the demo's transcription of a recording of \d+ seconds?\./;

/** A browser without speech recognition, or with one that fails as Chromium's does without its maker's keys. */
async function recognition(page: Page, kind: "none" | "failing"): Promise<void> {
  await page.addInitScript((wanted) => {
    class Recognition {
      onerror: ((event: unknown) => void) | null = null;
      start() {
        setTimeout(() => this.onerror?.({ error: "network" }));
      }
      stop() {}
      abort() {}
    }
    const found = wanted === "failing" ? Recognition : undefined;
    Object.assign(window, { SpeechRecognition: found, webkitSpeechRecognition: found });
  }, kind);
}

/** How loud the meter showed the microphone to be in a second, which has one of its beeps: the highest bar, 0 to 1. */
function loudness(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let highest = 0;
    for (const end = performance.now() + 1_000; performance.now() < end;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const bars = [...document.querySelectorAll("[data-level] span")];
      highest = Math.max(highest, ...bars.map((bar) => new DOMMatrix(getComputedStyle(bar).transform).d));
    }
    return highest;
  });
}

test("a recording is transcribed at the cursor, kept when that fails and over a reload, and never sent", async ({ page, allowConsole }) => {
  allowConsole(/api\/transcriptions/);
  await recognition(page, "none");
  await page.context().grantPermissions(["microphone"]);
  await enter(page);
  await page.goto("/");
  const button = page.getByRole("button", { name: "Voice input" });
  await composer(page).fill("Dear reader");
  await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 4));
  await button.click();
  await expect(page.getByText("Recording", { exact: true })).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/0:0[1-9]/);
  await expect.poll(() => loudness(page)).toBeGreaterThan(0.2);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(composer(page)).toHaveValue(new RegExp(`^Dear ${TRANSCRIPT.source} reader$`));
  await expect(page.getByRole("button", { name: "Done" })).toHaveCount(0);

  await button.click();
  await expect(page.getByText("Recording", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(composer(page)).toHaveValue(new RegExp(`^Dear ${TRANSCRIPT.source} reader$`));

  await page.route("**/api/transcriptions", (route) => route.abort());
  await composer(page).fill("Kept:");
  await button.click();
  await expect(page.getByRole("timer")).toHaveText(/0:0[1-9]/);
  await button.click();
  await expect(page.getByText("The server cannot be reached. The recording is kept.")).toBeVisible();
  await page.unroute("**/api/transcriptions");
  await page.reload();
  await expect(page.getByText("A recording is not transcribed yet.")).toBeVisible();
  await page.getByRole("button", { name: "Transcribe" }).click();
  await expect(composer(page)).toHaveValue(new RegExp(`^Kept: ${TRANSCRIPT.source}$`));
  await page.reload();
  await expect(button).toBeEnabled();
  await expect(page.getByText("A recording is not transcribed yet.")).toHaveCount(0);
  await expect(page).toHaveURL("/");
});

furtherTest(
  "recordings of two tabs at one draft are each kept, and each offered once no tab has them",
  async ({ page, context, allowConsole }) => {
    allowConsole(/api\/transcriptions/);
    await recognition(page, "none");
    await context.grantPermissions(["microphone"]);
    await enter(page);
    await page.goto("/");
    await context.route("**/api/transcriptions", (route) => route.abort());
    const other = await context.newPage();
    await recognition(other, "none");
    await other.goto("/");
    for (const tab of [page, other]) {
      await tab.getByRole("button", { name: "Voice input" }).click();
      await expect(tab.getByRole("timer")).toHaveText(/0:0[1-9]/);
      await tab.getByRole("button", { name: "Done" }).click();
      await expect(tab.getByText("The server cannot be reached. The recording is kept.")).toHaveCount(1);
    }
    await context.unroute("**/api/transcriptions");
    // The other tab has its own still: only the one that was left is offered again.
    await page.reload();
    const offered = page.getByText("A recording is not transcribed yet.");
    await expect(offered).toHaveCount(1);
    await other.close();
    await page.reload();
    await expect(offered).toHaveCount(2);
    await page.getByRole("button", { name: "Transcribe" }).first().click();
    await expect(composer(page)).toHaveValue(TRANSCRIPT);
    await expect(offered).toHaveCount(1);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.reload();
    await expect(page.getByRole("button", { name: "Voice input" })).toBeEnabled();
    await expect(offered).toHaveCount(0);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("recording")))).toEqual([]);
  },
);

furtherTest("where the browser's own service fails a recording takes over, and a refused microphone is explained", async ({ page }) => {
  await recognition(page, "failing");
  await page.goto("/");
  const button = page.getByRole("button", { name: "Voice input" });
  await button.click();
  await expect(page.getByText("Speech could not be recognised")).toBeVisible();

  await enter(page);
  await page.context().grantPermissions(["microphone"]);
  await page.goto("/");
  await button.click();
  await expect(page.getByText("Recording", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(composer(page)).toHaveValue(TRANSCRIPT);

  await page.context().clearPermissions();
  await button.click();
  await expect(page.getByText("The microphone is blocked")).toBeVisible();
  await expect(button).toBeEnabled();
});

furtherTest("a guest without speech recognition is asked to sign in", async ({ page }) => {
  await recognition(page, "none");
  await page.goto("/");
  await page.getByRole("button", { name: "Voice input" }).click();
  await expect(page.getByRole("alert")).toContainText("Sign in required to record.");
});
