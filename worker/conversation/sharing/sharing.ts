import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import type { ChatPerson, Shares } from "#shared/entities/share.ts";
import { can } from "#shared/permissions.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { findUser } from "#worker/people/users/users.ts";
import { mailInvitation } from "#worker/people/invites/invitations.ts";
import { admitInvitation } from "./invitations.ts";
import { listMemberships, listTeamShares, listUserShares, listVeiledShares, selectFaces } from "./queries.ts";

/** Shares one person may set in an hour: each reveals whether an address has an account. */
const SHARES_PER_HOUR = 200;

type Place = { caller: Caller; chatId: string };

/** Who has access to a chat, for its members; a viewer sees neither other people's addresses nor who is only invited. Throws NOT_FOUND. */
export async function readShares(env: Env, db: Database, { caller, chatId }: Place): Promise<Shares> {
  const { row } = unwrap(await roomOf(env, chatId).describe(readerOf(caller)));
  const [owner, people, teams] = await Promise.all([findUser(db, row.user_id), listUserShares(db, chatId), listTeamShares(db, chatId)]);
  const maySee = can(row.permissionLevel, "share");
  const userShares = people
    .map((share) => ({ ...share, pending: share.userId === null }))
    .filter(({ pending }) => maySee || !pending)
    .map((share) => (maySee || share.userId === caller.userId ? share : { ...share, userEmail: "" }));
  const creator = { displayName: owner?.display_name ?? "", email: maySee ? (owner?.email ?? "") : "" };
  return { creator, userShares, teamShares: teams };
}

/** Shares a chat, or changes the level of a share; an invited address without an account is mailed. Throws `AppError`. */
export async function shareChat(env: Env, db: Database, place: Place & { input: ShareInput; origin: string }): Promise<Shares> {
  const { caller, chatId, input, origin } = place;
  await countOrRefuse(env, `shares:${caller.userId}`, hourly(SHARES_PER_HOUR), "RATE_LIMITED");
  const invitation =
    input.type === "user" && input.invite === true
      ? await admitInvitation(env, db, { caller, chatId, email: input.email, inviteId: input.invite_id })
      : null;
  unwrap(await roomOf(env, chatId).changeAccess(caller, { kind: "share", input }));
  if (invitation) await mailInvitation(env, db, { caller, ...invitation, origin, path: `/c/${chatId}`, what: "a chat" });
  return readShares(env, db, { caller, chatId });
}

/** Takes a share back, and its reader's open streams with it. Throws NOT_FOUND, FORBIDDEN. */
export async function removeShare(
  env: Env,
  { caller, chatId, of, shareId }: Place & { of: "user" | "team"; shareId: string },
): Promise<void> {
  unwrap(await roomOf(env, chatId).changeAccess(caller, { kind: "unshare", of, shareId }));
}

/** Lets the caller out of a chat that others share with them. Throws NOT_FOUND; INVALID_INPUT for its owner. */
export async function leaveChat(env: Env, { caller, chatId }: Place): Promise<void> {
  unwrap(await roomOf(env, chatId).changeAccess(caller, { kind: "leave" }));
}

/** People of one chat that are notified; D1 takes 100 values in a query. */
const PEOPLE = 90;

/** Who is in a chat, its owner first, for its members; who comes by a restricted team alone is shown to its admins and themselves. Throws NOT_FOUND. */
export async function readPeople(
  env: Env,
  db: Database,
  { caller, chatId }: { caller: Caller; chatId: string },
): Promise<{ people: ChatPerson[] }> {
  const { row } = unwrap(await roomOf(env, chatId).describe(readerOf(caller)));
  const { userId: readerId } = caller;
  const [members, veiled] = await Promise.all([
    listMemberships(db, { chatId, ownerId: row.user_id }),
    listVeiledShares(db, { chatId, userId: readerId }),
  ]);
  const seen = members.filter(({ userId, via }) => userId === readerId || !veiled.includes(via));
  const ids = [...new Set([row.user_id, ...seen.map(({ userId }) => userId)])].slice(0, PEOPLE);
  const faces = new Map((await selectFaces(db, ids)).map((face) => [face.id, face]));
  return { people: ids.flatMap((id) => faces.get(id) ?? []) };
}
