import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { openFollowers } from "./load/live-followers.ts";
import { type TurnRun, now, readAll, runJob, send } from "./load/turn-client.ts";
import { addTeam, makeChats, makeUsers } from "./seed.ts";

const FOLLOWERS = 500;
const TURNS = 5;
const DEADLINE_MS = 30_000;

/** One busy chat that 500 people look at, each over a socket of their own: how soon all hear of a message and of its answer's end. */
export const bench: Bench = {
  id: "C9",
  title: "500 sockets following one busy chat",
  async measure({ serve, runs }) {
    const server = await serve();
    const users = await makeUsers(server, FOLLOWERS);
    const [chat] = await makeChats(server, users.slice(0, 1));
    if (!chat) throw new Error("No chat was made.");
    const { user, chatId } = chat;
    const teamId = randomUUID();
    await server.whileStopped((persistTo) => addTeam(persistTo, { teamId, userIds: users.map(({ id }) => id) }));
    const agent = new Agent({ keepAlive: true });
    const headers = { cookie: user.cookie, origin: server.origin };
    const body = JSON.stringify({ type: "team", teamId, permissionLevel: "viewer" });
    const shared = await send(`${server.origin}/api/chat/${chatId}/share`, { agent, headers, body });
    if (shared.statusCode !== 200) throw new Error(`Sharing answered ${shared.statusCode}: ${await readAll(shared)}`);
    const followers = await openFollowers(server.origin, { chatId, cookies: users.map(({ cookie }) => cookie) });

    const time = (name: string, target: number | null): Figure => ({ name, unit: "ms", values: [], target, isTime: true });
    const started50 = time("a message known, p50", null);
    const started99 = time("a message known, p99", 1_000);
    const ended99 = time("an answer's end known, p99", 1_000);
    const missed: Figure = { name: "not notified", unit: "errors", values: [], target: 0 };
    let { parentId } = chat;
    for (let run = 0; run < runs; run += 1) {
      const started: number[] = [];
      const ended: number[] = [];
      // The first one wakes five hundred hubs and is not counted.
      for (let turn = 0; turn <= TURNS; turn += 1) {
        followers.forget();
        const sentAt = now();
        const ask = { kind: "chat" as const, origin: server.origin, cookie: user.cookie, chatId, parentId };
        const [done] = await runJob({ startAfterMs: 0, turns: 1, content: "bytes 4000\nspeed 200", ask }, agent);
        const { lastId, endedAt } = checked(done);
        parentId = lastId;
        await followers.waitFor("reply.ended", DEADLINE_MS);
        if (turn === 0) continue;
        started.push(...followers.receivedAt("reply.started").map((at) => at - sentAt));
        ended.push(...followers.receivedAt("reply.ended").map((at) => Math.max(0, at - endedAt)));
      }
      const times = started.filter((ms) => !Number.isNaN(ms));
      started50.values.push(quantile(times, 0.5));
      started99.values.push(quantile(times, 0.99));
      ended99.values.push(
        quantile(
          ended.filter((ms) => !Number.isNaN(ms)),
          0.99,
        ),
      );
      missed.values.push([...started, ...ended].filter((ms) => Number.isNaN(ms)).length);
    }
    followers.close();
    agent.destroy();
    return [started50, started99, ended99, missed];
  },
};

function checked(run: TurnRun | undefined): { lastId: string; endedAt: number } {
  if (!run?.lastId || run.error !== null) throw new Error(`A turn failed: ${run?.error}`);
  return { lastId: run.lastId, endedAt: run.endedAt };
}
