import * as z from "zod/mini";
import { roomOf } from "#worker/people/room/room.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, enqueueAll, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { askWithRetry } from "#worker/platform/durable-objects.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import {
  deleteDissolved,
  deleteTeamShares,
  selectDissolved,
  selectNewestTeamChats,
  selectTeamChats,
  selectTeamChatsAmong,
} from "./queries.ts";

/** Rooms asked at once; a Worker has six connections. */
const ROOMS_AT_ONCE = 6;
/** Rooms that a membership change asks before it is answered. */
const AT_ONCE = 100;
/** Rooms of one job, and jobs of one batch. */
const PAGE = 100;
const PAGES = 50;
/** The jobs find the change made, even where it takes a moment, in seconds; a change that takes longer, in milliseconds, asks for them again. */
const DELAY = 2;
const SLOW_MS = 1_000;

const Team = z.object({ teamId: z.string(), after: z._default(z.string(), "") });
const Page = z.object({ teamId: z.string(), after: z.string(), until: z.string() });

/**
 * Makes a change of who is in a team, and lets the rooms of its chats take it over: those that the people concerned have open and
 * the newest before this resolves, all of them by jobs. These are queued before, so no change stays without them, and once more
 * after a change that was slow, which the first ones may have come before.
 */
export async function changeMembership<T>(
  env: Env,
  { teamId, userIds }: { teamId: string; userIds: readonly string[] },
  change: () => Promise<T>,
): Promise<T> {
  await enqueue(env, refreshTeamJob, { teamId, after: "" }, { delaySeconds: DELAY });
  const since = Date.now();
  const changed = await change();
  if (Date.now() - since > SLOW_MS) await enqueue(env, refreshTeamJob, { teamId, after: "" });
  try {
    await refreshFirst(env, { teamId, userIds });
  } catch (cause) {
    log.warn("rooms of a team were not all notified at once, jobs do it", { teamId, cause });
  }
  return changed;
}

async function refreshFirst(env: Env, { teamId, userIds }: { teamId: string; userIds: readonly string[] }): Promise<void> {
  const db = openDatabase(env.DB);
  const newest = selectNewestTeamChats(db, teamId, AT_ONCE);
  const open: string[] = [];
  await inBatches(userIds, async (userId) => void open.push(...(await hubOf(env, userId).openChats())));
  const openHere = open.length > 0 ? await selectTeamChatsAmong(db, teamId, [...new Set(open)].slice(0, AT_ONCE)) : [];
  await refreshAll(env, [...new Set([...openHere, ...(await newest)])]);
}

async function refreshAll(env: Env, chatIds: readonly string[]): Promise<void> {
  await inBatches(chatIds, (chatId) => roomOf(env, chatId).refreshAccess());
}

/** One that fails keeps none of the others from being notified; the first failure is thrown once all were tried. */
async function inBatches<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (let next = 0; next < all.length; next += ROOMS_AT_ONCE) {
    const tried = await Promise.allSettled(all.slice(next, next + ROOMS_AT_ONCE).map((one) => askWithRetry(() => act(one))));
    failures.push(...tried.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}

/** Lets all rooms of a team's chats take over who is in it, a page of chats a job. */
export const refreshTeamJob = job("teams.refresh", Team, async (env, { teamId, after }) => {
  const db = openDatabase(env.DB);
  const chatIds = await selectTeamChats(db, { teamId, after, limit: PAGE * PAGES });
  const starts = [after, ...chatIds.filter((_, index) => index % PAGE === PAGE - 1)];
  const pages = starts.map((start, index) => ({ teamId, after: start, until: starts[index + 1] ?? chatIds.at(-1) ?? start }));
  const full = pages.filter(({ after: start, until }) => start !== until);
  if (full.length > 0) await enqueueAll(env, refreshPageJob, full);
  else await deleteDissolved(db, teamId);
  const last = chatIds.at(-1);
  if (chatIds.length === PAGE * PAGES && last !== undefined) await enqueue(env, refreshTeamJob, { teamId, after: last });
});

/** Lets some rooms take over who is in a team; the last one of a deleted team's takes the rest of it along. */
export const refreshPageJob = job("teams.refresh-page", Page, async (env, { teamId, after, until }) => {
  const db = openDatabase(env.DB);
  const chatIds = await selectTeamChats(db, { teamId, after, until, limit: PAGE });
  await refreshAll(env, chatIds);
  if (!(await selectDissolved(db, teamId))) return;
  if (chatIds.length > 0) await deleteTeamShares(db, teamId, chatIds);
  await deleteDissolved(db, teamId);
});
