import type { Browser } from "@playwright/test";
import * as z from "zod";
import { observe, Seen } from "./page-probe.ts";

const Answer = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
});
const Lifecycle = z.object({ loaderId: z.string(), name: z.string() });
const Navigated = z.object({ loaderId: z.string() });
const Evaluated = z.object({ result: z.object({ value: z.string() }) });

/** What a load may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Loads a page with a cold cache, `slowdown` times slower than the processor, and reports what it saw of itself until its network was at
 * rest. Playwright's own pages keep the inspector's Runtime and Network on: for these the browser notes where each error, request and
 * import came from, and parses React a second time to know the lines (docs/benchmark.md).
 */
export async function loadBare(browser: Browser, { url, slowdown }: { url: string; slowdown: number }): Promise<Seen> {
  const root = await browser.newBrowserCDPSession();
  const { browserContextId } = await root.send("Target.createBrowserContext");
  const { targetId } = await root.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: false });
  const waiting = new Map<number, (result: unknown) => void>();
  const idle = new Set<string>();
  root.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, method, params, result } = Answer.parse(JSON.parse(message));
    if (id !== undefined) waiting.get(id)?.(result);
    if (method !== "Page.lifecycleEvent") return;
    const { loaderId, name } = Lifecycle.parse(params);
    if (name === "networkIdle") idle.add(loaderId);
  });
  const send = async (method: string, params: object = {}) => {
    const id = waiting.size + 1;
    const answer = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    await root.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) });
    return answer;
  };
  await send("Page.enable");
  await send("Page.setLifecycleEventsEnabled", { enabled: true });
  await send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
  await send("Page.addScriptToEvaluateOnNewDocument", { source: `(${observe.toString()})()` });
  if (slowdown > 1) await send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const { loaderId } = Navigated.parse(await send("Page.navigate", { url }));
  const end = performance.now() + PATIENCE_MS;
  while (!idle.has(loaderId)) {
    if (performance.now() > end) throw new Error(`${url} did not come to rest.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { result } = Evaluated.parse(await send("Runtime.evaluate", { expression: "JSON.stringify(__seen)", returnByValue: true }));
  await root.send("Target.disposeBrowserContext", { browserContextId });
  await root.detach();
  return Seen.parse(JSON.parse(result.value));
}
