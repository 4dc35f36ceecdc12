/** A chat's mail as the mail service takes it. The same mail is composed alike each time, or its key would be refused. */
import { APP_NAME } from "#shared/app.ts";
import type { Citation } from "#shared/entities/message.ts";
import { toBase64 } from "#worker/platform/clients/data-url.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import type { OutgoingMail } from "#worker/platform/clients/mailer.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { findUser } from "#worker/people/users/users.ts";
import { chatAddress } from "#worker/mail/chat-address/address.ts";
import { isOwnAddress } from "./answer-recipients.ts";
import { isPlainName } from "#worker/platform/letters/letter.ts";
import { mailArtifacts, type MadeArtifact } from "./made-artifacts.ts";
import { mailBody } from "./body/mail-body.ts";
import { cleanSubject } from "#worker/platform/letters/subject.ts";
import { threadHeaders } from "./thread-headers.ts";
import { plainAddress } from "./reply-recipients.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";

/** A mail that goes out, the one that it answers by itself, the sources that its text marks, and the artifacts that it made. */
export type Composing = {
  chatId: string;
  mail: RoomMail;
  answered: RoomMail | null;
  citations: readonly Citation[];
  made: readonly MadeArtifact[];
};

/** Composes a mail; a sentence where that cannot be. */
export async function composeMail(env: Env, { chatId, mail, answered, citations, made }: Composing): Promise<OutgoingMail | string> {
  const db = openDatabase(env.DB);
  const [address, user] = await Promise.all([chatAddress(env, db, chatId), mail.sender_id === null ? null : findUser(db, mail.sender_id)]);
  if (address === null) return "This chat has no address to send from.";
  if (!user) return "The account that it was to be sent for is gone.";
  const all = [...mail.to_addr, ...mail.cc_addr];
  const refused = all.find((one) => plainAddress(one) === null || isOwnAddress(env, one));
  if (all.length === 0 || refused !== undefined) return `${refused ?? "Nobody"} cannot be written to.`;
  const suppressed = await suppressedAmong(db, all);
  if (suppressed.size > 0) return `Mail to ${[...suppressed].join(", ")} came back or was complained about, so nothing more is sent there.`;
  const files = await Promise.all(mail.attachments.map((file) => readFile(env, chatId, file)));
  if (files.includes(null)) return "A file that it carries is gone.";
  const artifacts = await mailArtifacts(env, { userId: user.id, made });
  const person = isPlainName(user.display_name) ? user.display_name.trim() : null;
  const { text, html } = mailBody({
    markdown: [mail.text_body, artifacts.links].filter((part) => part !== "").join("\n\n"),
    citations,
    signature: answered && `Sent by ${APP_NAME}${person === null ? "" : ` for ${person}`}. Answers to this address go on in the chat.`,
    original: answered && { from: nameOf(answered), at: answered.created_at, text: answered.text_body },
  });
  return {
    from: { name: person === null ? APP_NAME : `${person} via ${APP_NAME}`, email: address },
    to: mail.to_addr,
    cc: mail.cc_addr,
    replyTo: address,
    subject: cleanSubject(mail.subject),
    text,
    html,
    headers: {
      ...threadHeaders({ messageId: mail.in_reply_to, references: mail.reference_ids }),
      "Auto-Submitted": answered ? "auto-replied" : "auto-generated",
    },
    files: [...files.filter((file) => file !== null), ...artifacts.files],
    key: mail.id,
  };
}

function nameOf({ from_name: name, from_addr: address }: RoomMail): string {
  return name === "" ? address : `${name} <${address}>`;
}

async function readFile(env: Env, chatId: string, { id, objectId, name, type }: RoomMail["attachments"][number]) {
  const stored = await env.FILES.get(fileKey({ chatId, id, objectId }));
  return stored && { filename: name, type, content: toBase64(await stored.bytes()) };
}
