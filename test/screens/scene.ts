import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, type Route, test } from "@playwright/test";
import { hasSettled } from "../e2e/fixtures/axe.ts";
import { folder, type Place, placeFile, type Who, type World } from "./world.ts";

type Options = {
  /** Whose browser it is: the one with a long life here unless told. */
  as?: Who | "guest";
  /** What the pictures show beyond the window's end, too. */
  isFullPage?: boolean;
  /** That it waits is what is shown; any other scene has failed where something still loads. */
  isLoading?: boolean;
};

const LOADED_MS = 15_000;
const softly = expect.configure({ soft: true });

/** One screen in one state: how it is opened. Its pictures are taken at each width, in each theme. */
export function scene(
  name: string,
  open: (page: Page, world: World) => Promise<void>,
  { as = "owner", isFullPage = false, isLoading = false }: Options = {},
): void {
  test(name, async ({ browser }, { project }) => {
    const { sessions, world } = readPlace();
    const themes = (process.env["SCREENS_THEMES"] ?? "").split(",").map((theme) => (theme === "dark" ? "dark" : "light"));
    const context = await browser.newContext({
      reducedMotion: "reduce",
      colorScheme: themes[0] ?? "light",
      ...(as !== "guest" && { storageState: sessions[as] }),
    });
    const page = await context.newPage();
    await open(page, world);
    // Whatever fails is asked for again, with pauses, before that is told.
    await softly.poll(() => page.evaluate(isReady, isLoading), { timeout: LOADED_MS, message: "nothing loads any more" }).toBe(true);
    mkdirSync(folder(), { recursive: true });
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await expect.poll(() => page.evaluate(hasSettled)).toBe(true);
      await page.screenshot({ path: join(folder(), `${name}-${project.name}-${theme}.png`), fullPage: isFullPage, animations: "disabled" });
    }
    softly(await page.evaluate(widthBeyond), "pixels that the page is wider than its window").toBe(0);
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });
}

function readPlace(): Place {
  return JSON.parse(readFileSync(placeFile(), "utf8"));
}

function widthBeyond(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** Whether the page is there, and for a while nothing came in the place of what stands in for it; nothing is left to come unless it may be. */
async function isReady(mayLoad: boolean): Promise<boolean> {
  const countBars = () => document.querySelectorAll("span[aria-hidden].block.rounded-6.bg-s3").length;
  const begun = countBars();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const isHere = document.querySelector<HTMLElement>("main, [role=main]")?.innerText.trim() || document.querySelector("h1") !== null;
    if (!isHere || countBars() !== (mayLoad ? begun : 0)) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

type Requests = string | RegExp;

/** These requests are never answered, so the page stays as it is while it waits. */
export async function hold(page: Page, requests: Requests): Promise<void> {
  await page.route(requests, () => new Promise<void>(() => {}));
}

/** These requests are answered as a server does that is broken. */
export async function fail(page: Page, requests: Requests): Promise<void> {
  await page.route(requests, (route) => route.fulfill({ status: 500, json: { error: "Something went wrong.", code: "INTERNAL" } }));
}

/** These requests meet no network. */
export async function cutOff(page: Page, requests: Requests): Promise<void> {
  await page.route(requests, (route) => route.abort("internetdisconnected"));
}

/** What the server answers to these requests is changed on its way. */
export async function change(page: Page, requests: Requests, how: (body: Record<string, unknown>) => unknown): Promise<void> {
  await page.route(requests, async (route: Route) => {
    const response = await route.fetch().catch(() => null);
    if (response) return route.fulfill({ response, json: how(await response.json()) });
    // What found no way is asked for once more; a page that has gone to another address asks no more.
    return route.abort().catch(() => {});
  });
}
