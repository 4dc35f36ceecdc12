import { Agent } from "node:http";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { addPeople, makeUsers } from "./seed.ts";

const PEOPLE = 100_000;
const REQUESTS = 200;
/** Beginnings of addresses, of names that every seventh has, of later names, and of nobody's. */
const SEARCHES = ["person4", "person99", "hanna", "len", "vries", "ribeiro 4", "zh", "nobody"];

/** The administrators' list of 100,000 users: its pages from the top down, and what a search finds. */
export const bench: Bench = {
  id: "C12",
  title: "Administrators' list of 100,000 users",
  async measure({ serve, runs }) {
    const server = await serve();
    const [admin] = await makeUsers(server, 1);
    if (!admin) throw new Error("No user was made.");
    await server.whileStopped((persistTo) => addPeople(persistTo, { adminId: admin.id, count: PEOPLE }));
    const agent = new Agent({ keepAlive: true });

    async function ask(path: string): Promise<{ ms: number; text: string }> {
      const start = performance.now();
      const response = await send(`${server.origin}${path}`, { agent, headers: { cookie: admin?.cookie ?? "" } });
      const text = await readAll(response);
      if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 200)}`);
      return { ms: performance.now() - start, text };
    }

    /** Milliseconds for each page, from the top down; the first ones are left out. */
    async function readPages(): Promise<number[]> {
      const times: number[] = [];
      let cursor = "";
      for (let n = 0; n < REQUESTS; n += 1) {
        const { ms, text } = await ask(`/api/admin/users?${cursor}`);
        times.push(ms);
        cursor = `cursor=${encodeURIComponent(/"nextCursor":"([^"]+)"/.exec(text)?.[1] ?? "")}`;
      }
      return times.slice(REQUESTS / 10);
    }

    async function search(): Promise<number[]> {
      const times: number[] = [];
      for (let n = 0; n < REQUESTS; n += 1) {
        const q = SEARCHES[n % SEARCHES.length] ?? "";
        times.push((await ask(`/api/admin/users?q=${encodeURIComponent(q)}`)).ms);
      }
      return times.slice(REQUESTS / 10);
    }

    const time = (name: string, target: number | null): Figure => ({ name, unit: "ms", values: [], target, isTime: true });
    const p50 = time("a page, p50", null);
    const p99 = time("a page, p99", 20);
    const search50 = time("a search, p50", null);
    const search99 = time("a search, p99", 20);
    const first = time("the first line, with its counts", 200);
    for (let run = 0; run < runs; run += 1) {
      const pages = await readPages();
      p50.values.push(quantile(pages, 0.5));
      p99.values.push(quantile(pages, 0.99));
      const searches = await search();
      search50.values.push(quantile(searches, 0.5));
      search99.values.push(quantile(searches, 0.99));
      first.values.push((await ask("/api/admin/overview")).ms);
    }
    agent.destroy();
    return [p50, p99, search50, search99, first];
  },
};
