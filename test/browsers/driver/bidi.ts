import puppeteer, { type Browser } from "puppeteer-core";
import { until } from "../../support/until.ts";
import { DRAG_STEPS, type Driver, type Engine } from "./driver.ts";

/** Firefox as people have it: automation opens no connection ahead of a request, and a page of https, as ours is, none for a link under the mouse. */
const PREFERENCES = {
  "intl.accept_languages": "en-US",
  "network.http.speculative-parallel-limit": 20,
  "network.predictor.enabled": false,
};

/** Firefox, or Chromium to compare it with, over WebDriver BiDi; each window has cookies and storage of its own. */
export async function startBidi(browser: "firefox" | "chrome", executablePath: string): Promise<Engine> {
  const running = await puppeteer.launch({
    browser,
    executablePath,
    protocol: "webDriverBiDi",
    defaultViewport: null,
    args: browser === "chrome" ? ["--no-sandbox", "--disable-gpu"] : [],
    extraPrefsFirefox: PREFERENCES,
  });
  return { open: () => openWindow(running), close: () => running.close() };
}

async function openWindow(running: Browser): Promise<Driver> {
  const context = await running.createBrowserContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => errors.push(`uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`));
  const { keyboard, mouse } = page;
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: "domcontentloaded" })),
    evaluate: async (expression) => String(await page.evaluate(expression)),
    show: () => page.bringToFront(),
    move: (x, y) => mouse.move(x, y),
    click: (x, y) => mouse.click(x, y),
    drag: async (from, to) => {
      await mouse.move(from.x, from.y);
      await mouse.down();
      await mouse.move(to.x, to.y, { steps: DRAG_STEPS });
      await mouse.up();
    },
    wheel: async (x, y, by) => {
      await mouse.move(x, y);
      await mouse.wheel({ deltaY: by });
    },
    press: async (keys) => {
      for (const key of keys) await keyboard.down(key);
      for (const key of keys.toReversed()) await keyboard.up(key);
    },
    type: (text) => keyboard.type(text),
    upload: async (selector, paths) => {
      const field = await page.$(selector);
      if (!field) throw new Error(`No file field is found by ${selector}.`);
      await (await field.toElement("input")).uploadFile(...paths);
    },
    resize: async (width, height) => {
      // Firefox 140 sets the size and knows nothing of the screen's orientation, which is sent along.
      await page.setViewport({ width, height }).catch((error: unknown) => {
        if (!/unknown command/.test(String(error))) throw error;
      });
      await until("the window's size", () => page.evaluate(`innerWidth === ${width} && innerHeight === ${height}`));
    },
    screenshot: async () => Buffer.from(await page.screenshot()),
    errors: () => errors,
    close: () => context.close(),
  };
}
