import { Agent } from "node:http";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { addListedChats, makeChats, makeUsers } from "./seed.ts";

const CHATS = 20_000;
const REQUESTS = 200;

/** The inbox of 20,000 chats, over the API: its pages from the top down, its count, and marks on all of it. */
export const bench: Bench = {
  id: "C8",
  title: "Inbox of 20,000 chats, by the API",
  async measure({ serve, runs }) {
    const server = await serve();
    const [chat] = await makeChats(server, await makeUsers(server, 1));
    if (!chat) throw new Error("No chat was made.");
    const { user, chatId } = chat;
    await server.whileStopped((persistTo) => addListedChats(persistTo, { chatId, count: CHATS }));
    const agent = new Agent({ keepAlive: true });
    const headers = { cookie: user.cookie, origin: server.origin };

    async function ask(path: string, body?: unknown): Promise<{ ms: number; text: string }> {
      const start = performance.now();
      const options = { agent, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await send(`${server.origin}${path}`, options);
      const text = await readAll(response);
      if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 200)}`);
      return { ms: performance.now() - start, text };
    }

    /** Milliseconds for each page, beginning again after the last one; the first ones are left out. */
    async function readPages(view: string): Promise<number[]> {
      const times: number[] = [];
      let cursor = "";
      for (let n = 0; n < REQUESTS; n += 1) {
        const { ms, text } = await ask(`/api/chats?view=${view}${cursor}`);
        times.push(ms);
        const next = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
        cursor = next === undefined ? "" : `&cursor=${encodeURIComponent(next)}`;
      }
      return times.slice(REQUESTS / 10);
    }

    const time = (name: string, target: number | null): Figure => ({ name, unit: "ms", values: [], target, isTime: true });
    const p50 = time("a page of the inbox, p50", null);
    const p99 = time("a page of the inbox, p99", 5);
    const all99 = time("a page of all chats, p99", 5);
    const count = time("counting all chats", null);
    const mark = time("marking all as read", 1_000);
    const undo = time("taking that back", 1_000);
    for (let run = 0; run < runs; run += 1) {
      const times = await readPages("inbox");
      p50.values.push(quantile(times, 0.5));
      p99.values.push(quantile(times, 0.99));
      all99.values.push(quantile(await readPages("all"), 0.99));
      count.values.push((await ask("/api/chats/count?view=all")).ms);
      const marked = await ask("/api/chats/bulk", { filter: { view: "all" }, action: "read" });
      mark.values.push(marked.ms);
      undo.values.push((await ask("/api/chats/bulk", { undo: /"undo_token":"([^"]+)"/.exec(marked.text)?.[1] })).ms);
    }
    agent.destroy();
    return [p50, p99, all99, count, mark, undo];
  },
};
