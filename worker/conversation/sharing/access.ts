import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { teamRefusal } from "#worker/people/teams/teams.ts";
import { findUserByEmail } from "#worker/people/users/users.ts";
import {
  deleteShares,
  deleteTeamShare,
  deleteUserShare,
  hasTeamShare,
  hasUserShare,
  leave,
  listMemberships,
  listOwnTeamIds,
  type Membership,
  acceptInvitation,
  upsertTeamShare,
  upsertUserShare,
} from "./queries.ts";
import type { AccessChange } from "#worker/conversation/room/rpc.ts";

export type { Membership } from "./queries.ts";

type Place = { chatId: string; ownerId: string; userId: string };

const DONE = { ok: true, value: null } as const;

/**
 * Every way in which anybody but its owner reaches a chat, and the owner's teams that it is shared with, as the relational database has it:
 * the truth that a room's list is made of.
 */
export async function readMemberships(
  env: Env,
  chat: { chatId: string; ownerId: string },
): Promise<{ memberships: Membership[]; ownTeamIds: string[] }> {
  const db = openDatabase(env.DB);
  const [memberships, ownTeamIds] = await Promise.all([listMemberships(db, chat), listOwnTeamIds(db, chat)]);
  return { memberships, ownTeamIds };
}

/** Forgets who a deleted chat was shared with. */
export function forgetShares(env: Env, chatId: string): Promise<void> {
  return deleteShares(openDatabase(env.DB), chatId);
}

/** Writes a change that its room has allowed `userId` to make. */
export async function storeAccessChange(env: Env, { chatId, ownerId, userId }: Place, change: AccessChange): Promise<Outcome<null>> {
  const db = openDatabase(env.DB);
  switch (change.kind) {
    case "share":
      return share(env, { chatId, ownerId, userId }, change.input);
    case "unshare": {
      const remove = change.of === "user" ? deleteUserShare : deleteTeamShare;
      return (await remove(db, chatId, change.shareId)) ? DONE : { ok: false, code: "NOT_FOUND" };
    }
    case "leave":
      if (userId === ownerId) return { ok: false, code: "INVALID_INPUT", message: "This chat is yours: delete it, or keep it." };
      await leave(db, chatId, userId);
      return DONE;
    case "admit":
      await acceptInvitation(db, chatId, { email: change.email, userId });
      return DONE;
  }
}

async function share(env: Env, { chatId, ownerId, userId }: Place, input: ShareInput): Promise<Outcome<null>> {
  const db = openDatabase(env.DB);
  const { permissionLevel: level } = input;
  if (input.type === "team") {
    // Who may share the chat changes any share of it; only a team of one's own is let in.
    const refusal = await teamRefusal(db, input.teamId, userId);
    if (refusal && !(await hasTeamShare(db, chatId, input.teamId))) return { ok: false, code: refusal.code, message: refusal.message };
    await upsertTeamShare(db, { chatId, level, sharedBy: userId, teamId: input.teamId });
    return DONE;
  }
  const { email, invite = false } = input;
  const person = await findUserByEmail(db, email);
  if (person?.id === ownerId) return { ok: false, code: "INVALID_INPUT", message: "This chat belongs to that address." };
  if (!person && !invite && !(await hasUserShare(db, chatId, email))) return { ok: false, code: "USER_NOT_FOUND" };
  await upsertUserShare(db, { chatId, level, sharedBy: userId, email, userId: person?.id ?? null });
  return DONE;
}
