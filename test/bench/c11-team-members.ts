import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import * as z from "zod";
import type { BenchServer, BenchUser } from "../../scripts/lib/bench/bench-server.ts";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { makeUsers } from "./seed.ts";

const FEW = 100;
const MANY = 2_000;
/** Requests under way at once while chats are made. */
const AT_ONCE = 12;
const TEAMS = 20;
const PAGES = 600;
/** Answered by the Worker alone, without a database or an object: what the local runtime adds to any call. */
const EMPTY_CALL = "/api/nothing";
const PAUSE_MS = 25;
const PATIENCE_MS = 120_000;

const Invited = z.object({ invitation: z.object({ token: z.string() }) });
const Me = z.object({ user: z.object({ email: z.string() }) });
const Made = z.object({ team: z.object({ id: z.string() }) });
const Count = z.object({ count: z.number() });

/** How long it takes until every room of a team's chats knows of a member who came or went, and the list of who is in many teams. */
export const bench: Bench = {
  id: "C11",
  title: "A team's members come and go",
  async measure({ serve, runs }) {
    const server = await serve();
    const time = (name: string, target: number | null): Figure => ({ name, unit: "ms", values: [], target, isTime: true });
    const figures: Figure[] = [];
    for (const chats of [FEW, MANY]) {
      const added = time(`${chats} shared chats: added, until the last one is listed`, chats === FEW ? 1_000 : 30_000);
      const answered = time(`${chats} shared chats: removed, until the answer`, 1_000);
      const removed = time(`${chats} shared chats: removed, until the last one is gone`, chats === FEW ? 1_000 : 30_000);
      const [admin, member] = await makeUsers(server, 2);
      if (!admin || !member) throw new Error("No users were made.");
      const agent = new Agent({ keepAlive: true });
      const api = apiOf(server, agent);
      const teamId = await makeTeam(api, admin);
      await makeTeamChats(api, admin, { teamId, count: chats });
      for (let run = 0; run < runs; run += 1) {
        added.values.push(await timed(() => join(api, { admin, member, teamId }).then(() => listed(api, member, chats))));
        const start = performance.now();
        await api(admin, "DELETE", `/api/teams/${teamId}/members?userId=${member.id}`);
        answered.values.push(performance.now() - start);
        await listed(api, member, 0);
        removed.values.push(performance.now() - start);
      }
      agent.destroy();
      figures.push(added, answered, removed);
    }
    return [...figures, ...(await measureLists(server, runs, time))];
  },
};

/**
 * A page of the list of who is in twenty teams with fifty chats in each, of all workspaces and of one. Here every room and hub shares one
 * isolate and its collector's pauses, so beside the slowest pages stands how far they lie above the slowest empty calls of the same loop.
 */
async function measureLists(server: BenchServer, runs: number, time: (name: string, target: number | null) => Figure): Promise<Figure[]> {
  const [user] = await makeUsers(server, 1);
  if (!user) throw new Error("No user was made.");
  const agent = new Agent({ keepAlive: true });
  const api = apiOf(server, agent);
  const teamIds: string[] = [];
  for (let n = 0; n < TEAMS; n += 1) teamIds.push(await makeTeam(api, user));
  for (const teamId of teamIds) await makeTeamChats(api, user, { teamId, count: 50 });
  await listed(api, user, TEAMS * 50);
  const empty = { p50: time("an empty call between these pages, p50", null), p99: time("an empty call between these pages, p99", null) };
  const views = [
    { name: `in ${TEAMS} teams: a page of the list`, path: "/api/chats?view=all" },
    { name: "a page of one of these workspaces", path: `/api/chats?view=all&workspace=${teamIds[0]}` },
  ].map(({ name, path }) => ({
    path,
    p50: time(`${name}, p50`, null),
    p95: time(`${name}, p95`, 5),
    p99: time(`${name}, p99`, 5),
    above: time(`${name}, p99 above an empty call's`, 5),
  }));
  for (let run = 0; run < runs; run += 1) {
    const [emptyTimes = [], ...pageTimes] = await readInTurn(server, {
      agent,
      user,
      paths: [EMPTY_CALL, ...views.map(({ path }) => path)],
    });
    const floor = quantile(emptyTimes, 0.99);
    empty.p50.values.push(quantile(emptyTimes, 0.5));
    empty.p99.values.push(floor);
    for (const [n, { p50, p95, p99, above }] of views.entries()) {
      const times = pageTimes[n] ?? [];
      p50.values.push(quantile(times, 0.5));
      p95.values.push(quantile(times, 0.95));
      p99.values.push(quantile(times, 0.99));
      above.values.push(quantile(times, 0.99) - floor);
    }
  }
  agent.destroy();
  return [...views.flatMap(({ p50, p95, p99, above }) => [p50, p95, p99, above]), empty.p50, empty.p99];
}

/** Milliseconds for each call of each path, the paths in turn; the first ones are left out. */
async function readInTurn(
  server: BenchServer,
  { agent, user, paths }: { agent: Agent; user: BenchUser; paths: string[] },
): Promise<number[][]> {
  const times: number[][] = paths.map(() => []);
  for (let n = 0; n < PAGES; n += 1) {
    for (const [at, path] of paths.entries()) {
      const start = performance.now();
      await readAll(await send(`${server.direct}${path}`, { agent, headers: { cookie: user.cookie } }));
      times[at]?.push(performance.now() - start);
    }
  }
  return times.map((all) => all.slice(PAGES / 10));
}

type Api = (user: BenchUser, method: string, path: string, body?: unknown) => Promise<unknown>;

function apiOf(server: BenchServer, agent: Agent): Api {
  return async (user, method, path, body) => {
    const headers = { cookie: user.cookie, origin: server.direct };
    const response = await send(`${server.direct}${path}`, {
      agent,
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await readAll(response);
    if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function makeTeam(api: Api, admin: BenchUser): Promise<string> {
  return Made.parse(await api(admin, "POST", "/api/teams", { name: "Bench" })).team.id;
}

/** Chats that were begun in a team's workspace. */
async function makeTeamChats(api: Api, owner: BenchUser, { teamId, count }: { teamId: string; count: number }): Promise<void> {
  let left = count;
  const makeOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await api(owner, "POST", "/api/chats", { id: randomUUID(), title: `Chat ${left}`, team_id: teamId });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeOn));
}

async function join(api: Api, { admin, member, teamId }: { admin: BenchUser; member: BenchUser; teamId: string }): Promise<void> {
  const { email } = Me.parse(await api(member, "GET", "/api/user")).user;
  const { token } = Invited.parse(await api(admin, "POST", "/api/teams/invitations/send", { teamId, email })).invitation;
  await api(member, "POST", `/api/teams/invitations/${token}`, {});
}

/** Waits until a person's list has so many chats. */
async function listed(api: Api, user: BenchUser, count: number): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
    if (Count.parse(await api(user, "GET", "/api/chats/count?view=all")).count === count) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`The list never had ${count} chats.`);
}
