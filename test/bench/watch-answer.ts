import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { type Probe, type Seen, SLOW_FRAME_MS } from "./page-probe.ts";

/** How a page fared while an answer streamed in. */
export type Watched = {
  longTasks: Seen["longTasks"];
  slowFrames: Seen["frames"];
  slowShare: number;
  worstFrame: number;
  /** Milliseconds of work on the page's thread. */
  work: number;
};

/** How often the end is looked for, in milliseconds: seldom, as looking is work of the page too. */
const LOOK_MS = 250;

/** Asks in a chat that has one turn and watches the page from the first text of the answer: to its end, and for each of `spans` milliseconds. */
export async function watchAnswer(
  { page, session, watchFrames }: Probe,
  { prompt, spans = [] }: { prompt: string; spans?: number[] },
): Promise<{ whole: Watched; parts: Watched[] }> {
  await page.goto("/", { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  await session.send("Performance.enable");
  const composer = page.getByRole("textbox", { name: "Message", exact: true });
  await composer.fill("say ready");
  await composer.press("Enter");
  await page.getByRole("button", { name: "Regenerate", exact: true }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await composer.fill(prompt);
  await composer.press("Enter");
  await page.waitForFunction(() => (document.querySelector("[role=log] article:last-of-type")?.textContent?.length ?? 0) > 40);
  const before = await workOf(session);
  const begunAt = performance.now();
  const stop = await watchFrames();
  const sofar = async () => toWatched(await stop(), (await workOf(session)) - before);
  const parts: Watched[] = [];
  for (const span of spans) {
    await wait(begunAt + span - performance.now());
    parts.push(await sofar());
  }
  await page.waitForFunction(() => document.querySelector("[role=log]")?.getAttribute("aria-busy") === "false", undefined, {
    polling: LOOK_MS,
    timeout: 120_000,
  });
  // The answer is rendered once more as a finished one.
  await page.waitForLoadState("networkidle");
  return { whole: await sofar(), parts };
}

function toWatched({ frames, longTasks }: Seen, work: number): Watched {
  const slowFrames = frames.filter(({ ms }) => ms > SLOW_FRAME_MS);
  return {
    longTasks,
    slowFrames,
    slowShare: (100 * slowFrames.length) / frames.length,
    worstFrame: Math.max(...frames.map(({ ms }) => ms)),
    work,
  };
}

const Metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

async function workOf(session: Probe["session"]): Promise<number> {
  const { metrics } = Metrics.parse(await session.send("Performance.getMetrics"));
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}
