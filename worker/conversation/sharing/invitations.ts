import * as z from "zod/mini";
import { can } from "#shared/permissions.ts";
import { acceptArtifactInvitations } from "#worker/library/artifacts/sharing/accept-invitations.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { admitAddress, type Invitation, type Inviting } from "#worker/people/invites/invitations.ts";
import { listInvitedChats } from "./queries.ts";

/** Rooms asked at once; a Worker has six connections. */
const ROOMS_AT_ONCE = 6;

/** A person and the addresses they have proven. */
const Proven = z.object({ userId: z.string(), emails: z.array(z.string()) });
type Proven = z.infer<typeof Proven>;

/**
 * The mail to an address without an account, null for one that has an account; counts it. Only who may share the chat learns anything.
 * Throws `AppError`: INVITE_REQUIRED where such an address could not sign up, NOT_FOUND for an invite that is not the caller's or was used.
 */
export async function admitInvitation(
  env: Env,
  db: Database,
  { chatId, ...input }: Inviting & { chatId: string },
): Promise<Invitation | null> {
  const { row } = unwrap(await roomOf(env, chatId).describe(readerOf(input.caller)));
  if (!can(row.permissionLevel, "share")) throw new AppError("FORBIDDEN");
  return admitAddress(env, db, input);
}

/** Lets a person in to the chats that an address they have proven is invited to: an address's proof is the invitation's key. */
export async function acceptChatInvitations(env: Env, { userId, emails }: Proven): Promise<void> {
  const db = openDatabase(env.DB);
  await Promise.all([acceptArtifactInvitations(db, { userId, emails }), takeChatInvitations(env, db, { userId, emails })]);
}

async function takeChatInvitations(env: Env, db: Database, { userId, emails }: Proven): Promise<void> {
  for (const email of new Set(emails)) {
    const chatIds = await listInvitedChats(db, email);
    for (let next = 0; next < chatIds.length; next += ROOMS_AT_ONCE) {
      const batch = chatIds.slice(next, next + ROOMS_AT_ONCE);
      await Promise.all(batch.map((chatId) => roomOf(env, chatId).changeAccess({ userId }, { kind: "admit", email })));
    }
  }
}

/** Goes on with letting a person in where that failed as they signed in. */
export const takeInvitationsJob = job("invitations.take", Proven, acceptChatInvitations);

/** As a person signs in: what they are invited to is theirs at once, or by a job where a room cannot be reached just now. */
export async function acceptOrQueueInvitations(env: Env, invited: Proven): Promise<void> {
  try {
    await acceptChatInvitations(env, invited);
  } catch (cause) {
    // Nobody is kept from signing in by a room; the job goes on where this stopped.
    log.error("invitations were not all taken at once", { userId: invited.userId, cause });
    await enqueue(env, takeInvitationsJob, invited);
  }
}
