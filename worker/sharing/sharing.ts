import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import type { Shares } from "#shared/entities/share.ts";
import { can } from "#shared/permissions.ts";
import { roomOf } from "../chat-room/stub.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { unwrap } from "../app-error.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { findUser } from "../users/users.ts";
import { admitInvitation, mailInvitation } from "./invitations.ts";
import { listTeamShares, listUserShares } from "./queries.ts";

/** Shares one person may set in an hour: each reveals whether an address has an account. */
const SHARES_PER_HOUR = 200;

type Place = { caller: Caller; chatId: string };

/** Who reaches a chat, for its members; a viewer sees neither other people's addresses nor who is only invited. Throws NOT_FOUND. */
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
