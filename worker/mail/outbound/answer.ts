import { roomOf } from "#worker/mail/chat-address/room.ts";
import type { Env } from "#worker/platform/env.ts";

/** A mail that came in, and the chat's reply to it. */
export type AnsweredMail = { chatId: string; mailId: string; replyId: string };

/**
 * Called once the turn that a mail began has settled; again where it throws, or where the object ended meanwhile: the room answers a
 * mail once.
 */
export async function answerMail(env: Env, { chatId, ...answered }: AnsweredMail): Promise<void> {
  await roomOf(env, chatId).answerMail(answered);
}
