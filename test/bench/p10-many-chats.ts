import { Agent } from "node:http";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { openProbe } from "./page-probe.ts";
import { addListedChats, makeChats, makeUsers } from "./seed.ts";

const CHATS = 10_000;
const REQUESTS = 400;
const SCROLL_MS = 3_000;

/** A list of 10,000 chats: its pages, and the sidebar that scrolls through them. */
export const bench: Bench = {
  id: "P10",
  title: "Sidebar of 10,000 chats",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const [chat] = await makeChats(server, await makeUsers(server, 1));
    if (!chat) throw new Error("No chat was made.");
    const { user, chatId } = chat;
    await server.whileStopped((persistTo) => addListedChats(persistTo, { chatId, count: CHATS }));
    const p50: Figure = { name: "a page of the list, p50", unit: "ms", values: [], target: null, isTime: true };
    const p99: Figure = { name: "a page of the list, p99", unit: "ms", values: [], target: 5, isTime: true };
    const entry: Figure = { name: "the same through the local platform's entry, p99", unit: "ms", values: [], target: null, isTime: true };
    const rows: Figure = { name: "rows in the document, at most", unit: "nodes", values: [], target: 60 };
    const speed: Figure = { name: "scrolling", unit: "frames/s", values: [], target: 58, isLowerBetter: false, isTime: true, notes: [] };
    const agent = new Agent({ keepAlive: true });
    for (let run = 0; run < runs; run += 1) {
      const options = { agent, headers: { cookie: user.cookie } };
      const times = await readPages(`${server.direct}/api/chats`, options);
      entry.values.push(quantile(await readPages(`${server.origin}/api/chats`, options), 0.99));
      p50.values.push(quantile(times, 0.5));
      p99.values.push(quantile(times, 0.99));
      const probe = await openProbe(await browser(), { server, user });
      await probe.page.goto("/");
      await probe.page.getByRole("navigation", { name: "Chats" }).locator("a[href^='/c/']").first().waitFor();
      await probe.page.waitForLoadState("networkidle");
      const stop = await probe.watchFrames();
      const most = await probe.page.evaluate(scrollOn, SCROLL_MS);
      const { frames } = await stop();
      rows.values.push(most);
      speed.values.push((1000 * frames.length) / frames.reduce((sum, { ms }) => sum + ms, 0));
      speed.notes?.push(frames.filter(({ ms }) => ms > 20));
      await probe.close();
    }
    agent.destroy();
    return [p50, p99, entry, rows, speed];
  },
};

/** Milliseconds for each page, one after the other from the newest down, the first ones left out. */
async function readPages(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<number[]> {
  const times: number[] = [];
  let cursor = "";
  for (let n = 0; n < REQUESTS; n += 1) {
    const start = performance.now();
    const response = await send(`${url}?view=all${cursor}`, options);
    const body = await readAll(response);
    times.push(performance.now() - start);
    if (response.statusCode !== 200) throw new Error(`The list answered ${response.statusCode}: ${body.slice(0, 200)}`);
    const next = /"nextCursor":"([^"]+)"/.exec(body)?.[1];
    cursor = next === undefined ? "" : `&cursor=${encodeURIComponent(next)}`;
  }
  return times.slice(REQUESTS / 10);
}

/** In the page: scrolls the list a little with each frame; answers the most rows that stood there at once. */
async function scrollOn(ms: number): Promise<number> {
  const rows = () => document.querySelectorAll("nav[aria-label='Chats'] a[href^='/c/']").length;
  const scroller = document.querySelector("nav[aria-label='Chats'] ul")?.closest(".overflow-y-auto");
  if (!scroller) throw new Error("The list does not scroll.");
  let most = rows();
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    scroller.scrollTop += 40;
    most = Math.max(most, rows());
  }
  return most;
}
