import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import type { Page } from "@playwright/test";
import * as z from "zod";
import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import type { BenchServer, BenchUser } from "../../scripts/lib/bench/bench-server.ts";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { openProbe, SLOW_FRAME_MS } from "./page-probe.ts";
import { addArtifacts, makeUsers } from "./seed.ts";

const ARTIFACTS = 5_000;
const REQUESTS = 100;
const SAVES = 20;
/** Characters of the long text, just below the limit of a megabyte. */
const LENGTH = 1_000_000;
const KEYS = 60;
const SLOWDOWN = 4;
/** The browser reports no inputs that took less, in milliseconds. */
const EVENT_TIMING_MIN_MS = 16;

const Made = z.object({ id: z.string() });
const Saved = z.object({ version: z.number() });

/** Artifacts at their limits: a list of 5,000, and a text of a megabyte opened, saved, and typed in at a quarter of the speed. */
export const bench: Bench = {
  id: "C19",
  title: `${ARTIFACTS.toLocaleString("en")} artifacts, and one of 1 MB`,
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const [user] = await makeUsers(server, 1);
    if (!user) throw new Error("No user was made.");
    await server.whileStopped((persistTo) => addArtifacts(persistTo, { userId: user.id, count: ARTIFACTS }));
    const text = markdownOfLength(LENGTH);
    const { id } = Made.parse(
      await change(server, user, { method: "POST", path: "/api/artifacts", body: { title: "Long", content: text } }),
    );
    let version = 1;

    const time = (name: string, target: number | null): Figure => ({ name, unit: "ms", values: [], target, isTime: true });
    const pages = time("list: a page by the API, p95", 20);
    const listed = time("list: from the address to the first row, cold cache", 1_000);
    const opened = time("1 MB: from the address to the text, cold cache", 1_500);
    const saved = time("1 MB: a save, p50", 150);
    const sent: Figure = { name: "1 MB: bytes that a save sends", unit: "KiB", values: [], target: null };
    const input = time("1 MB, x4, typing: input to paint, p98", 50);
    const slow: Figure = { name: "1 MB, x4, typing: frames above 50 ms", unit: "%", values: [], target: 3, isTime: true };
    for (let run = 0; run < runs; run += 1) {
      pages.values.push(quantile(await readPages(server, user), 0.95));

      const list = await openProbe(await browser(), { server, user });
      listed.values.push(await timeTo(list.page, "/artifacts", "main a[href^='/artifacts/']"));
      await list.close();

      const times: number[] = [];
      for (let n = 0; n < SAVES; n += 1) {
        const body = { content: `${text.slice(0, -10)}${run} ${n}`, base_version: version };
        const start = performance.now();
        ({ version } = Saved.parse(await change(server, user, { method: "PUT", path: `/api/artifacts/${id}/content`, body })));
        times.push(performance.now() - start);
        if (n === 0) sent.values.push(Buffer.byteLength(JSON.stringify(body)) / 1024);
      }
      saved.values.push(quantile(times, 0.5));

      const probe = await openProbe(await browser(), { server, user });
      const { page, session } = probe;
      opened.values.push(await timeTo(page, `/artifacts/${id}`, "[aria-label=Preview] .markdown-run"));
      await page.getByRole("button", { name: "Editor", exact: true }).click();
      const source = page.getByRole("textbox", { name: "Artifact text" });
      await source.click();
      await page.waitForLoadState("networkidle");
      await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
      const end = await probe.watchFrames();
      await source.pressSequentially("lanterns and bridges ".repeat(KEYS / 20), { delay: 40, timeout: 120_000 });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))));
      const { frames, inputs } = await end();
      slow.values.push((100 * frames.filter(({ ms }) => ms > SLOW_FRAME_MS).length) / Math.max(1, frames.length));
      const unreported = Array.from({ length: Math.max(0, KEYS - inputs.length) }, () => 0);
      input.values.push(Math.max(EVENT_TIMING_MIN_MS, quantile([...inputs, ...unreported], 0.98)));
      await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
      await page
        .getByRole("status")
        .filter({ hasText: /^Saved$/ })
        .waitFor();
      await probe.close();
      // It was saved while it was typed in, too.
      const now = await fetch(`${server.origin}/api/artifacts/${id}`, { headers: { cookie: user.cookie } });
      ({ version } = z.object({ artifact: Saved }).parse(await now.json()).artifact);
    }
    return [pages, listed, opened, saved, sent, input, slow];
  },
};

/** Milliseconds for each page, from the top down; the first ones are left out. */
async function readPages(server: BenchServer, user: BenchUser): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let cursor = "";
  for (let n = 0; n < REQUESTS; n += 1) {
    const start = performance.now();
    const response = await send(`${server.origin}/api/artifacts?${cursor}`, { agent, headers: { cookie: user.cookie } });
    const answer = await readAll(response);
    if (response.statusCode !== 200) throw new Error(`The list answered ${response.statusCode}: ${answer.slice(0, 200)}`);
    times.push(performance.now() - start);
    cursor = `cursor=${encodeURIComponent(/"nextCursor":"([^"]+)"/.exec(answer)?.[1] ?? "")}`;
    if (cursor === "cursor=") cursor = "";
  }
  agent.destroy();
  return times.slice(REQUESTS / 10);
}

/** Milliseconds by the page's own clock until something stands there. */
async function timeTo(page: Page, path: string, selector: string): Promise<number> {
  await page.goto(path, { waitUntil: "commit" });
  const at = await page.waitForFunction((wanted) => (document.querySelector(wanted) ? performance.now() : false), selector);
  return z.number().parse(await at.jsonValue());
}

type Change = { method: "POST" | "PUT"; path: string; body: unknown };

async function change(server: BenchServer, user: BenchUser, { method, path, body }: Change): Promise<unknown> {
  const response = await fetch(`${server.origin}${path}`, {
    method,
    headers: { cookie: user.cookie, origin: server.origin, "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
  return response.json();
}
