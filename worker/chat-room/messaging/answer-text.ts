import { MessageError } from "#shared/entities/message.ts";
import { withoutPrivate } from "#shared/knowledge-citations.ts";
import { configOf, type Env } from "#worker/env.ts";
import { madeArtifacts } from "#worker/mail/made-artifacts.ts";
import { toAppText } from "#worker/messaging/format.ts";
import { splitText } from "#worker/messaging/split-text.ts";
import { citationsOf } from "#worker/turn/path.ts";
import type { StoredCall } from "#worker/turn/round.ts";
import type { MessageRow } from "../messages/message-row.ts";

/** Messages that one answer is sent as; the rest is read in the chat. */
const PARTS = 10;

/** What an answer says in the app, in as many messages as it takes; one that failed or broke off says so. */
export function answerText(
  env: Env,
  { chatId, reply, calls, note }: { chatId: string; reply: MessageRow; calls: readonly StoredCall[]; note: string | null },
): string[] {
  const { origin } = configOf(env);
  const place = origin === undefined ? "" : `\n${origin}/c/${chatId}`;
  const content = reply.content.trim() === "" ? "" : toAppText(reply.content, withoutPrivate(citationsOf(reply)));
  const made = madeArtifacts(calls).map(({ id, title }) => (origin === undefined ? title : `${title}: ${origin}/artifacts/${id}`));
  const text = [content, ...made, note === null ? "" : `_${note}_`, endOf(reply)].filter((part) => part !== "").join("\n\n");
  const parts = splitText(text || "(This answer is empty.)");
  return parts.length <= PARTS ? parts : [...parts.slice(0, PARTS), `The rest of this answer is in the chat.${place}`];
}

function endOf({ status, error }: MessageRow): string {
  if (status === "done") return "";
  if (status === "stopped") return "_This answer was stopped._";
  if (status === "interrupted") return "_This answer broke off. Write “go on” to have the rest._";
  const failure = error === null ? null : MessageError.parse(JSON.parse(error));
  return `I could not answer this: ${failure?.message ?? "something went wrong. Send it again in a moment."}`;
}
