/**
 * What goes, in the order in which it goes: who still needs something of an account to know what else is its own comes first. Each part
 * does a bounded step and may come again: what it deleted it does not find any more.
 */
import { isUuid } from "#shared/uuid.ts";
import { exportFolder } from "#worker/account/account-export/export-keys.ts";
import { eraseOwnArtifacts } from "#worker/library/artifacts/erase-own.ts";
import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";
import { forgetDrive } from "#worker/integrations/google/drive/forget-drive.ts";
import { disconnectWithoutRevoking } from "#worker/integrations/google/connection.ts";
import { cancelImport, listImports } from "#worker/account/imports/imports.ts";
import { folderOfImports } from "#worker/account/imports/keys.ts";
import { eraseEntries } from "#worker/library/knowledge/purge-entry.ts";
import { dissolveLoneTeams, leaveTeams } from "#worker/people/teams/depart.ts";
import { reportDay } from "#worker/conversation/usage/days.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { dropPicture } from "#worker/people/profile/pictures.ts";
import { deleteFailing, type Deletion, insertFailing, selectOwnChats, selectTeamlessKnowledge } from "./queries.ts";
import { finishRows, leaveToTeams } from "./rows.ts";
import { eraseSharedChats } from "./shared-chats.ts";
import { eraseChat } from "#worker/conversation/chats/delete-chat.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";

/** What fails again and again: one room that answers nothing must not keep all the rest of an account. */

/** A step is tried so often before it goes on without what fails in it. */
const ATTEMPTS = 3;
/** With more than this, it is no room that fails: the deletion waits. */
const FAILING_MAX = 200;
const AT_ONCE = 6;

type Place = { env: Env; db: Database; deletion: Deletion; attempt: number };

const CHAT_ERASERS = {
  /** A chat of the person's own goes. */
  chats: ({ env, db, deletion }: Place, chatId: string) => eraseChat(env, db, { ownerId: deletion.user_id, chatId }),
  /** What they wrote in somebody else's stays, without them. */
  others: async ({ env, deletion: { user_id: userId, addresses } }: Place, chatId: string) => {
    await roomOf(env, chatId).forgetPerson({ userId, addresses });
  },
} as const;

/** Does its part in each of these chats; what fails again and again is noted for the end. */
async function eraseInChats(place: Place, part: keyof typeof CHAT_ERASERS, chatIds: readonly string[]): Promise<void> {
  const { db, deletion, attempt } = place;
  const failed: { id: string; cause: unknown }[] = [];
  for (let next = 0; next < chatIds.length; next += AT_ONCE) {
    const these = chatIds.slice(next, next + AT_ONCE);
    const results = await Promise.allSettled(these.map((id) => CHAT_ERASERS[part](place, id)));
    results.forEach((result, index) => {
      const id = these[index];
      if (result.status === "rejected" && id !== undefined) failed.push({ id, cause: result.reason });
    });
  }
  const [first] = failed;
  if (!first) return;
  if (attempt < ATTEMPTS || deletion.failing.length + failed.length > FAILING_MAX) throw first.cause;
  log.error("a deletion goes on without some rooms", { part, count: failed.length, cause: first.cause });
  await insertFailing(
    db,
    deletion.user_id,
    failed.map(({ id }) => `${part} ${id}`),
  );
}

/** Takes up what failed. Throws while any of it still does: the job is seen by administrators, and comes again. */
async function retryFailingChats(place: Place): Promise<void> {
  const { db, deletion } = place;
  const failures: unknown[] = [];
  for (const name of deletion.failing) {
    const [part, chatId = ""] = name.split(" ");
    try {
      await CHAT_ERASERS[part === "chats" ? "chats" : "others"](place, chatId);
      await deleteFailing(db, deletion.user_id, name);
    } catch (cause) {
      failures.push(cause);
    }
  }
  if (failures.length > 0) throw new Error(`${failures.length} rooms could not be emptied of a deleted account.`, { cause: failures[0] });
}

/** Chats, rooms of others and library items of one part: each takes a handful of the 1,000 requests that a message may make. */
const CHATS = 20;
const ROOMS = 60;
const ITEMS = 20;
const DAY_MS = 24 * 60 * 60_000;

/** Does a step, and answers how far it is by now; null once it is through. */
type Stage = (place: Place) => Promise<string | null>;

export const STAGES = {
  shared: async ({ env, db, deletion: { user_id: userId } }) => ((await eraseSharedChats(env, db, userId)) ? "more" : null),

  grants: async ({ env, db, deletion: { user_id: userId } }) => {
    await disconnectWithoutRevoking({ env, db, userId });
    // Parts of a file that is coming in are no object yet, which a folder could be emptied of.
    for (const { id } of await listImports(db, userId)) await cancelImport(env, db, { userId, id });
    // A Drive whose connection is gone already may have left its index.
    await forgetDrive({ env, userId });
    return null;
  },

  chats: async (place) => {
    const { user_id: userId, after } = place.deletion;
    const ids = await selectOwnChats(place.db, userId, { after, limit: CHATS });
    await eraseInChats(place, "chats", ids);
    return ids.length === CHATS ? (ids.at(-1) ?? null) : null;
  },

  teams: async ({ env, db, deletion: { user_id: userId } }) => {
    // What their last days cost their teams is not reported before the day is over, and there is nobody to ask then.
    const now = Date.now();
    for (const at of [now - DAY_MS, now]) await reportDay(env, db, { userId, day: new Date(at).toISOString().slice(0, 10) });
    await dissolveLoneTeams(env, db, userId);
    await leaveToTeams(db, userId);
    await leaveTeams(env, db, userId);
    return null;
  },

  /** Every chat that was ever on their list, or that they paid for: what they wrote there stays, without them. */
  others: async (place) => {
    const { user_id: userId, after } = place.deletion;
    const ids = await hubOf(place.env, userId).listedIds({ after, limit: ROOMS, all: true });
    await eraseInChats(place, "others", ids.filter(isUuid));
    return ids.length === ROOMS ? (ids.at(-1) ?? null) : null;
  },

  artifacts: async ({ env, db, deletion: { user_id: userId } }) => ((await eraseOwnArtifacts(env, db, userId, ITEMS)) ? "more" : null),

  knowledge: async ({ env, db, deletion: { user_id: userId } }) => {
    const ids = await selectTeamlessKnowledge(db, userId, ITEMS);
    await eraseEntries(env, db, ids);
    return ids.length === ITEMS ? "more" : null;
  },

  hub: async ({ env, deletion: { user_id: userId, picture } }) => {
    await hubOf(env, userId).purge();
    await dropPicture(env, picture);
    await deleteFolder(env.FILES, exportFolder(userId));
    await deleteFolder(env.FILES, folderOfImports(userId));
    return null;
  },

  rows: async ({ db, deletion: { user_id: userId } }) => ((await finishRows(db, userId)) ? "more" : null),

  /** What failed, once all else is gone in both passes; what it brought to the hub goes too. */
  again: async (place) => {
    const { failing, pass, user_id: userId } = place.deletion;
    if (failing.length === 0 || pass === 1) return null;
    await retryFailingChats(place);
    await hubOf(place.env, userId).purge();
    return null;
  },
} satisfies Record<string, Stage>;

/** Where a deletion begins, and begins again for its second pass. */
export const FIRST_STAGE = "shared";

const ORDER = Object.entries<Stage>(STAGES);

/** Does a step of a deletion and answers where it is then; null once the last stage is through. */
export async function runDeletionStep(place: Place): Promise<{ stage: string; after: string } | null> {
  const { stage: name, after: before } = place.deletion;
  const at = Math.max(
    0,
    ORDER.findIndex(([known]) => known === name),
  );
  const [stage, runStage] = ORDER[at] ?? [FIRST_STAGE, STAGES.shared];
  const after = await runStage({ ...place, deletion: { ...place.deletion, after: before } });
  if (after !== null) return { stage, after };
  const next = ORDER[at + 1]?.[0];
  return next === undefined ? null : { stage: next, after: "" };
}
