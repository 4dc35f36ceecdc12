/** What a chat's room can be asked about who has it; the object is conversation/chat-room. */
import * as z from "zod/mini";
import type { Env } from "#worker/platform/env.ts";
import type { JobKind } from "#worker/platform/jobs/job.ts";
import type { NewChat } from "./new-chat.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";

/** A chat's room, as far as it is about who has it. */
export interface PersonRoom extends Rpc.DurableObjectBranded {
  /** Founds an empty chat; one that exists stays as it is. A quiet one is on nobody's list before its first message. */
  createChat(id: string, chat: NewChat, how?: { isQuiet?: boolean }): Promise<boolean>;
  /** Moves a guest's chat and authorship to the account that the guest signed in to. */
  transfer(from: string, to: { userId: string; displayName: string }): Promise<void>;
  /** Takes over who has access to the chat by now, e.g. as a team's members changed. */
  refreshAccess(): Promise<void>;
  /** Stops the turn and forgets everything; the tombstone in D1 keeps the id from being created again, unless it is `free`. Answers whose chat it was. */
  purge(input?: { free: boolean }): Promise<string[]>;
}

export function roomOf(env: Env, chatId: string): DurableObjectStub<PersonRoom> {
  return stubOf<PersonRoom>(env.CHAT_ROOM, chatId);
}

const Purge = z.object({
  chatId: z.string(),
  userIds: z.array(z.string()),
  /** It goes with its owner's account. */
  why: z.optional(z.literal("account")),
});
export type Purge = z.infer<typeof Purge>;

/** Empties a deleted chat's room and takes it off the lists of those who reached it. */
export const PURGE_CHAT: JobKind<Purge> = { kind: "chat.purge", queue: "JOBS", payload: Purge };
