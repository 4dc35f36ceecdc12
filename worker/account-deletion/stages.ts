/**
 * What goes, in the order in which it goes: who still needs something of an account to know what else is its own comes first. Each part
 * does a bounded piece and may come again: what it deleted it does not find any more.
 */
import { isUuid } from "#shared/uuid.ts";
import { exportFolder } from "../account-export/export-keys.ts";
import { eraseOwnArtifacts } from "../artifacts/erase-own.ts";
import { deleteFolder } from "../attachments/attachment-keys.ts";
import { forgetDrive } from "../drive/forget.ts";
import { disconnectAnyway } from "../google/connection.ts";
import { cancelImport, listImports } from "../imports/imports.ts";
import { folderOfImports } from "../imports/keys.ts";
import { eraseEntries } from "../knowledge/purge-entry.ts";
import { dissolveLoneTeams, leaveTeams } from "../teams/depart.ts";
import { reportDay } from "../usage/days.ts";
import { hubOf } from "../user-hub/stub.ts";
import { dropPicture } from "../users/pictures.ts";
import { inEach, type Place, takeUpFailing } from "./failing.ts";
import { selectOwnChats, selectUnshared } from "./queries.ts";
import { finishRows, leaveToTeams } from "./rows.ts";
import { eraseSharedChats } from "./shared-chats.ts";

/** Chats, rooms of others and library items of one part: each takes a handful of the 1,000 requests that a message may make. */
const CHATS = 20;
const ROOMS = 60;
const ITEMS = 20;
const DAY_MS = 24 * 60 * 60_000;

/** Does a piece, and answers how far it is by now; null once it is through. */
type Stage = (place: Place) => Promise<string | null>;

/** The stages by name, in their order. */
export const STAGES = {
  shared: async ({ env, db, deletion: { user_id: userId } }) => ((await eraseSharedChats(env, db, userId)) ? "more" : null),

  grants: async ({ env, db, deletion: { user_id: userId } }) => {
    await disconnectAnyway({ env, db, userId });
    // Parts of a file that is coming in are no object yet, which a folder could be emptied of.
    for (const { id } of await listImports(db, userId)) await cancelImport(env, db, { userId, id });
    // A Drive whose connection is gone already may have left its index.
    await forgetDrive({ env, userId });
    return null;
  },

  chats: async (place) => {
    const { user_id: userId, after } = place.deletion;
    const ids = await selectOwnChats(place.db, userId, { after, limit: CHATS });
    await inEach(place, "chats", ids);
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
    await inEach(place, "others", ids.filter(isUuid));
    return ids.length === ROOMS ? (ids.at(-1) ?? null) : null;
  },

  artifacts: async ({ env, db, deletion: { user_id: userId } }) => ((await eraseOwnArtifacts(env, db, userId, ITEMS)) ? "more" : null),

  knowledge: async ({ env, db, deletion: { user_id: userId } }) => {
    const ids = await selectUnshared(db, userId, ITEMS);
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
    await takeUpFailing(place);
    await hubOf(place.env, userId).purge();
    return null;
  },
} satisfies Record<string, Stage>;

/** Where a deletion begins, and begins again for its second pass. */
export const FIRST_STAGE = "shared";

const ORDER = Object.entries<Stage>(STAGES);

/** Does a piece of a deletion and answers where it is then; null once the last stage is through. */
export async function doPiece(place: Place): Promise<{ stage: string; after: string } | null> {
  const { stage: name, after: before } = place.deletion;
  const at = Math.max(
    0,
    ORDER.findIndex(([known]) => known === name),
  );
  const [stage, act] = ORDER[at] ?? [FIRST_STAGE, STAGES.shared];
  const after = await act({ ...place, deletion: { ...place.deletion, after: before } });
  if (after !== null) return { stage, after };
  const next = ORDER[at + 1]?.[0];
  return next === undefined ? null : { stage: next, after: "" };
}
