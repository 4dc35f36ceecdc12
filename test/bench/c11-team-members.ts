import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import * as z from "zod";
import type { BenchServer, BenchUser } from "../../scripts/lib/bench-server.ts";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { makeUsers } from "./seed.ts";

const FEW = 100;
const MANY = 2_000;
/** Requests under way at once while chats are made. */
const AT_ONCE = 12;
const TEAMS = 20;
const PAGES = 200;
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

/** A page of the list of who is in twenty teams with a chat a piece in each, of all workspaces and of one. */
async function measureLists(server: BenchServer, runs: number, time: (name: string, target: number | null) => Figure): Promise<Figure[]> {
  const views = [
    {
      query: "",
      p50: time(`in ${TEAMS} teams: a page of the list, p50`, null),
      p99: time(`in ${TEAMS} teams: a page of the list, p99`, 5),
    },
    {
      query: "workspace",
      p50: time("a page of one of these workspaces, p50", null),
      p99: time("a page of one of these workspaces, p99", 5),
    },
  ];
  const [user] = await makeUsers(server, 1);
  if (!user) throw new Error("No user was made.");
  const agent = new Agent({ keepAlive: true });
  const api = apiOf(server, agent);
  const teamIds: string[] = [];
  for (let n = 0; n < TEAMS; n += 1) teamIds.push(await makeTeam(api, user));
  for (const teamId of teamIds) await makeTeamChats(api, user, { teamId, count: 50 });
  await listed(api, user, TEAMS * 50);
  for (let run = 0; run < runs; run += 1) {
    for (const { query, p50, p99 } of views) {
      const times = await readPages(api, user, query && `&${query}=${teamIds[0]}`);
      p50.values.push(quantile(times, 0.5));
      p99.values.push(quantile(times, 0.99));
    }
  }
  agent.destroy();
  return views.flatMap(({ p50, p99 }) => [p50, p99]);
}

async function readPages(api: Api, user: BenchUser, query: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < PAGES; n += 1) times.push(await timed(() => api(user, "GET", `/api/chats?view=all${query}`)));
  return times.slice(PAGES / 10);
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
