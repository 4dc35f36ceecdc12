import * as z from "zod";
import { type Probe, type Seen, SLOW_FRAME_MS } from "./page-probe.ts";

/** How a page fared while an answer streamed in and was finished. */
export type Watched = {
  longTasks: Seen["longTasks"];
  frames: Seen["frames"];
  slowShare: number;
  worstFrame: number;
  /** Milliseconds of work on the page's thread. */
  work: number;
  length: number;
};

/** Asks in a new chat and watches the page from the first text of the answer to its end. */
export async function watchAnswer({ page, session, watchFrames }: Probe, prompt: string): Promise<Watched> {
  await page.goto("/", { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  await session.send("Performance.enable");
  const composer = page.getByRole("textbox", { name: "Message", exact: true });
  await composer.fill("say ready");
  await composer.press("Enter");
  const answer = page.getByRole("log", { name: "Conversation" }).getByRole("article").last();
  const regenerate = answer.getByRole("button", { name: "Regenerate", exact: true });
  await regenerate.waitFor();
  await page.waitForLoadState("networkidle");
  await composer.fill(prompt);
  await composer.press("Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.waitForFunction(() => (document.querySelector("[role=log] article:last-of-type")?.textContent?.length ?? 0) > 40);
  const before = await workOf(session);
  const seen = await watchFrames();
  await regenerate.waitFor({ timeout: 120_000 });
  // The answer is rendered once more as a finished one.
  await page.waitForLoadState("networkidle");
  const work = (await workOf(session)) - before;
  const { longTasks, frames } = await seen();
  const length = (await answer.innerText()).length;
  return {
    longTasks,
    frames: frames.filter(({ ms }) => ms > SLOW_FRAME_MS),
    slowShare: (100 * frames.filter(({ ms }) => ms > SLOW_FRAME_MS).length) / frames.length,
    worstFrame: Math.max(...frames.map(({ ms }) => ms)),
    work,
    length,
  };
}

const Metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

async function workOf(session: Probe["session"]): Promise<number> {
  const { metrics } = Metrics.parse(await session.send("Performance.getMetrics"));
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}
