import { MessageError } from "#shared/entities/message.ts";
import { withoutPrivate } from "#shared/knowledge-citations.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { madeArtifacts } from "#worker/mail/outbound/made-artifacts.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";
import type { StoredCall } from "#worker/conversation/turn/round.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import type { MessagingApp } from "#worker/conversation/features.ts";

/** Messages that one answer is sent as; the rest is read in the chat. */
const PARTS = 10;

/** What an answer says in the app, in as many messages as it takes; one that failed or broke off says so. */
export function answerText(
  { env, app }: { env: Env; app: Pick<MessagingApp, "splitText" | "toAppText"> },
  { chatId, reply, calls, note }: { chatId: string; reply: MessageRow; calls: readonly StoredCall[]; note: string | null },
): string[] {
  const { origin } = configOf(env);
  const place = origin === undefined ? "" : `\n${origin}/c/${chatId}`;
  const content = reply.content.trim() === "" ? "" : app.toAppText(reply.content, withoutPrivate(citationsOf(reply)));
  const made = madeArtifacts(calls).map(({ id, title }) => (origin === undefined ? title : `${title}: ${origin}/artifacts/${id}`));
  const text = [content, ...made, note === null ? "" : `_${note}_`, endOf(reply)].filter((part) => part !== "").join("\n\n");
  const parts = app.splitText(text || "(This answer is empty.)");
  return parts.length <= PARTS ? parts : [...parts.slice(0, PARTS), `The rest of this answer is in the chat.${place}`];
}

function endOf({ status, error }: MessageRow): string {
  if (status === "done") return "";
  if (status === "stopped") return "_This answer was stopped._";
  if (status === "interrupted") return "_This answer broke off. Write “go on” to have the rest._";
  const failure = error === null ? null : MessageError.parse(JSON.parse(error));
  return `I could not answer this: ${failure?.message ?? "something went wrong. Send it again in a moment."}`;
}
