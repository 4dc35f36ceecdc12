import * as z from "zod/mini";
import { canSendMail, mailFilesBytes } from "#worker/platform/clients/mailer.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { isOwnAddress } from "#worker/mail/outbound/answer-recipients.ts";
import { plainAddress } from "#worker/mail/outbound/reply-recipients.ts";
import type { Letter } from "#worker/mail/chat-address/room-mail.ts";
import { cleanSubject } from "#worker/platform/letters/subject.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import type { CallPlace, ChatMails, Tool } from "./tool.ts";

/** People whom one mail goes to, and files that it carries. */
const RECIPIENTS = 20;
const FILES = 10;
const BODY_LENGTH = 100_000;

const Addresses = z.array(z.string().check(z.maxLength(320))).check(z.maxLength(RECIPIENTS));

const Input = z.object({
  to: Addresses.check(z.minLength(1), z.describe("Mail addresses, one an entry.")),
  cc: z.optional(Addresses.check(z.describe("Who gets a copy."))),
  subject: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  body: z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(BODY_LENGTH), z.describe("The letter as markdown, with greeting and closing.")),
  attachments: z.optional(
    z.array(z.string()).check(z.maxLength(FILES), z.describe("Ids of files of this chat, as listEmails tells them.")),
  ),
  reply_to: z.optional(z.string().check(z.describe("The id of the mail of this chat that it answers, so that it comes in that thread."))),
});
type Input = z.infer<typeof Input>;

/** Sends a mail from the chat's address, once a person approved it. */
export const sendEmail: Tool<typeof Input> = {
  id: "sendEmail",
  description:
    "Sends an email from this chat's own address, in the user's name; answers come into this chat. The user sees, edits and approves it first. To answer the mail that this turn began with, just answer: that goes out by itself.",
  input: Input,
  dollars: 0,
  actsOutside: true,
  readsOutside: false,
  isSetUp: (env) => configOf(env).mail.domain !== undefined && canSendMail(env),
  isCovered: ({ to, cc = [] }, mails) => [...to, ...cc].every((given) => mails.hasWrittenTo(toAddress(given) ?? "")),
  keepDraft: (input, place, mails) => mails.keepDraft(toLetter(input, place, mails)),
  async run(input, { env, callId, replyId, reader, mails }) {
    const letter = toLetter(input, { callId, replyId, reader }, mails);
    const problem = await problemOf(env, { input, letter, mails });
    if (problem !== null) return { ok: false, error: problem };
    const sent = await mails.send(letter);
    if (!sent.ok) return { ok: false, error: sent.message ?? "It could not be sent." };
    const { id, state, to_addr: to, cc_addr: cc, note } = sent.value;
    if (state === "failed") return { ok: false, error: `It could not be sent. ${note ?? ""}`.trim() };
    const statusText = state === "queued" ? "The mail service is busy: it goes out by itself as soon as it can." : "Sent.";
    return { ok: true, output: JSON.stringify({ result: statusText, email_id: id, to, ...(cc.length > 0 && { cc }) }) };
  },
};

/** The letter of a call: the same call's is always the same one. */
function toLetter({ to, cc = [], subject, body, attachments = [], reply_to: parentId }: Input, place: CallPlace, mails: ChatMails): Letter {
  const first = [...new Set(to.flatMap((given) => toAddress(given) ?? given.trim()))];
  const copies = [...new Set(cc.flatMap((given) => toAddress(given) ?? given.trim()))].filter((address) => !first.includes(address));
  const parent = parentId === undefined ? null : mails.find(parentId);
  return {
    id: place.callId,
    userId: place.reader.userId,
    replyId: place.replyId,
    to: first,
    cc: copies,
    subject: cleanSubject(subject),
    text: body,
    files: attachments.flatMap((id) => mails.findFile(id, place.reader.userId) ?? []),
    parent: parent?.state === "received" || parent?.state === "sent" ? parent : null,
  };
}

type Checked = { input: Input; letter: Letter; mails: ChatMails };

/** Why a letter cannot go out, in words for the model; null where it can. */
async function problemOf(env: Env, { input, letter, mails }: Checked): Promise<string | null> {
  const all = [...letter.to, ...letter.cc];
  const broken = all.find((address) => plainAddress(address) === null);
  if (broken !== undefined) return `${JSON.stringify(broken)} is no mail address.`;
  const own = all.find((address) => isOwnAddress(env, address));
  if (own !== undefined) return `${own} is an address of this product: chats do not write to each other.`;
  const suppressed = await suppressedAmong(openDatabase(env.DB), all);
  const suppressedAddress = all.find((address) => suppressed.has(address) || mails.isSuppressed(address));
  if (suppressedAddress !== undefined)
    return `Mail to ${suppressedAddress} came back or was complained about, so nothing more is sent there.`;
  if (letter.files.length < (input.attachments ?? []).length) return "One of the attachments is no file of this chat.";
  const room = mailFilesBytes(env);
  if (letter.files.reduce((sum, { size }) => sum + size, 0) > room)
    return `The attachments are too large: at most ${room / 1_048_576} MB together.`;
  return input.reply_to !== undefined && letter.parent === null ? "This chat has no mail with the id in reply_to." : null;
}

/** The address alone, in lower case, of `Name <address>` too; null where there is none. */
function toAddress(given: string): string | null {
  return plainAddress(/<([^<>]*)>\s*$/.exec(given)?.[1] ?? given);
}
