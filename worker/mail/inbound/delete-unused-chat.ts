import * as z from "zod/mini";
import { deleteClaim } from "#worker/people/owned-chats/owned-chats.ts";
import { roomOf } from "#worker/mail/chat-address/room.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { job } from "#worker/platform/jobs/job.ts";
import { rawMailKey } from "#worker/mail/chat-address/room-mail.ts";

/** Longer than a mail takes to come in, in seconds. */
export const UNOPENED_S = 60 * 60;

const Opened = z.object({ chatId: z.string(), rawObject: z.string() });

/** Takes back a chat that was opened for a mail which then was not taken, and the mail's source; one that has a mail stays. */
export async function deleteUnusedMailChat(env: Env, { chatId, rawObject }: z.infer<typeof Opened>): Promise<void> {
  if (!(await roomOf(env, chatId).dropEmpty())) return;
  await env.FILES.delete(rawMailKey(chatId, rawObject));
  await deleteClaim(openDatabase(env.DB), chatId);
}

/** The same later, where a Worker ended before it could. */
export const dropUnopenedJob = job("mail.unopened", Opened, deleteUnusedMailChat);
