import type { Env } from "../env.ts";

/** A mail that came in, and the chat's reply to it. */
export type AnsweredMail = { chatId: string; mailId: string; replyId: string };

/**
 * Called once the turn that a mail began has settled; again where it throws, or where the object ended meanwhile, so a repeat must
 * send nothing twice.
 */
export async function answerMail(_env: Env, _answered: AnsweredMail): Promise<void> {}
