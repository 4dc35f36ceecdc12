import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test";
import * as z from "zod";
import type { BenchServer, BenchUser } from "../../scripts/lib/bench/bench-server.ts";

/** A frame that took longer than this, in milliseconds, is one that people see. */
export const SLOW_FRAME_MS = 50;

/** What the page itself saw: times in milliseconds of its own clock. */
export const Seen = z.object({
  ready: z.number().nullable(),
  /** When the composer with its pickers had taken over from the one that the document brings. */
  composerReady: z.number().nullable(),
  contentfulPaint: z.number(),
  longTasks: z.array(z.object({ at: z.number(), ms: z.number() })),
  frames: z.array(z.object({ at: z.number(), ms: z.number() })),
  inputs: z.array(z.number()),
});
export type Seen = z.infer<typeof Seen>;

/** A page that measures itself, in a context with a cold cache. */
export type Probe = {
  page: Page;
  session: CDPSession;
  /** What was seen since the page was loaded. */
  seen(): Promise<Seen>;
  /** Begins to note every frame; returns what ends it and says what was seen from then on. */
  watchFrames(): Promise<() => Promise<Seen>>;
  close(): Promise<void>;
};

type Options = { server: BenchServer; user?: BenchUser; slowdown?: number };

/** Opens a blank page that will observe itself, `slowdown` times slower than the processor. */
export async function openProbe(browser: Browser, { server, user, slowdown = 1 }: Options): Promise<Probe> {
  const context = await browser.newContext({ baseURL: server.origin, viewport: { width: 1280, height: 800 } });
  if (user) await addCookie(context, server.origin, user.cookie);
  const page = await context.newPage();
  await page.addInitScript(observe);
  const session = await context.newCDPSession(page);
  if (slowdown > 1) await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const seen = async () => Seen.parse(await page.evaluate("__seen"));
  return {
    page,
    session,
    seen,
    async watchFrames() {
      const from = z.number().parse(await page.evaluate("__watchFrames()"));
      return async () => {
        const { frames, longTasks, ...rest } = await seen();
        return { ...rest, frames: frames.filter(({ at }) => at > from), longTasks: longTasks.filter(({ at }) => at > from) };
      };
    },
    close: () => context.close(),
  };
}

async function addCookie(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const at = cookie.indexOf("=");
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url, httpOnly: true, sameSite: "Lax" }]);
}

/** Runs in the page, before anything of its own: notes what it sees of itself as `__seen`. */
export function observe(): void {
  const seen: { -readonly [K in keyof Seen]: Seen[K] } = {
    ready: null,
    composerReady: null,
    contentfulPaint: 0,
    longTasks: [],
    frames: [],
    inputs: [],
  };
  Object.assign(window, {
    __seen: seen,
    __watchFrames() {
      let last = performance.now();
      const next = (at: number) => {
        seen.frames.push({ at, ms: at - last });
        last = at;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
      return last;
    },
  });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.longTasks.push({ at: startTime, ms: duration });
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.contentfulPaint = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === "keydown") seen.inputs.push(duration);
  }).observe(Object.assign({ type: "event", buffered: true }, { durationThreshold: 16 }));
  const look = () => {
    const field = document.querySelector("textarea[aria-label='Message'], [role='textbox'][aria-label='Message']");
    if (field instanceof HTMLElement && !field.matches(":disabled") && field.getClientRects().length > 0) {
      seen.ready ??= performance.now();
      if (!field.closest("#early")) seen.composerReady = performance.now();
    }
    if (seen.composerReady === null) requestAnimationFrame(look);
  };
  look();
}
