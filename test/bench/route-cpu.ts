import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type BenchServer, startBenchServer } from "../../scripts/lib/bench/bench-server.ts";
import type { Build } from "../../scripts/lib/build/build.ts";
import { busySamples, openProfiler } from "./cpu-profile.ts";
import { type Figure, quantile } from "./figure.ts";
import { readAll, runJob, send } from "./load/turn-client.ts";
import { makeChats, makeUsers, type SeededChat } from "./seed.ts";

const INTERVAL_US = 200;
const REQUESTS = 100;
const WARM_UP = 60;
/** Long enough for what a request leaves behind to be counted with it. */
const PAUSE_MS = 4;
const TARGET_MS = 5;

type Route = { name: string; target: number | null; ask: (chat: SeededChat) => Promise<void> };

/** CPU of the Worker's isolate for each request of a route, in milliseconds, p99; the objects' work for it is counted with it. */
export async function measureRoutes(build: Build, runs: number): Promise<Figure[]> {
  const server = await startBenchServer(build, { inspect: true });
  try {
    const [chat] = await makeChats(server, await makeUsers(server, 1));
    if (!chat || server.inspectorPort === null) throw new Error("There is nothing to profile.");
    const profiler = await openProfiler(server.inspectorPort, { intervalUs: INTERVAL_US });
    const figures: Figure[] = [];
    for (const { name, ask, target } of routesOf(server, chat)) {
      for (let n = 0; n < WARM_UP; n += 1) await ask(chat);
      const p50: Figure = { name: `${name}: CPU p50`, unit: "ms", values: [], target: null, isTime: true };
      const p99: Figure = { name: `${name}: CPU p99`, unit: "ms", values: [], target, isTime: true };
      for (let run = 0; run < runs; run += 1) {
        await profiler.start();
        const starts: number[] = [];
        for (let n = 0; n <= REQUESTS; n += 1) {
          starts.push(Number(process.hrtime.bigint() / 1000n));
          await ask(chat);
          await wait(PAUSE_MS);
        }
        const busy = busySamples(await profiler.stop(), 2 * INTERVAL_US);
        const costs = starts.slice(0, -1).map((from, n) => {
          const until = starts[n + 1] ?? from;
          return busy.reduce((sum, { at, us }) => (at >= from && at < until ? sum + us : sum), 0) / 1000;
        });
        p50.values.push(quantile(costs, 0.5));
        p99.values.push(quantile(costs, 0.99));
      }
      figures.push(p50, p99);
    }
    profiler.close();
    return figures;
  } finally {
    await server.close();
  }
}

function routesOf(server: BenchServer, chat: SeededChat): Route[] {
  const agent = new Agent({ keepAlive: true });
  const headers = { cookie: chat.user.cookie, origin: server.origin };
  const get = (name: string, path: string): Route => ({
    name,
    target: TARGET_MS,
    ask: async () => {
      const response = await send(`${server.origin}${path}`, { agent, headers });
      const body = await readAll(response);
      if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${body.slice(0, 200)}`);
    },
  });
  let { parentId } = chat;
  return [
    get("GET /", "/"),
    get("GET session", "/api/auth/session"),
    get("GET models", "/api/models"),
    get("GET chats", "/api/chats?view=all"),
    get("GET a chat", `/api/chat/${chat.chatId}`),
    get("GET its messages", `/api/chat/${chat.chatId}/messages`),
    {
      // Several requests and two objects; none of them can be singled out.
      name: "a whole turn, from sending to the last event",
      target: null,
      ask: async () => {
        const ask = { kind: "chat" as const, origin: server.origin, cookie: chat.user.cookie, chatId: chat.chatId, parentId };
        const [run] = await runJob({ startAfterMs: 0, turns: 1, content: `say Answer ${randomUUID()}.`, ask }, agent);
        if (!run || run.error !== null) throw new Error(`A turn failed: ${run?.error}`);
        parentId = run.lastId ?? parentId;
      },
    },
  ];
}
