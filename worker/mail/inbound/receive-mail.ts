/** A mail at the Worker's door (Email Routing's catch-all): stored, noted in its chat and only then accepted. */
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { handleApprovalAnswer } from "./approval-answer.ts";
import { parseApprovalAddress } from "#worker/mail/chat-address/approval-address.ts";
import { findByMailToken, claimChat } from "#worker/people/owned-chats/owned-chats.ts";
import { roomOf } from "#worker/mail/chat-address/room.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { countIfAllowed, countOrRefuse, hourly, refuseIfFull } from "#worker/platform/http/rate-limit.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { log } from "#worker/platform/log.ts";
import { toolPreferences } from "#worker/people/tool-settings/tool-settings.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { isBlocked, toLocationHint, type UserRow } from "#worker/people/users/users.ts";
import { deleteUnusedMailChat, dropUnopenedJob, UNOPENED_S } from "./delete-unused-chat.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import type { MailAuthentication } from "#shared/entities/mail.ts";
import { CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import { NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { NEW_CHAT } from "#worker/mail/chat-address/address.ts";
import { type Envelope, readEnvelope } from "./envelope.ts";
import { hashText, openSource, storeSource } from "./mail-source.ts";
import { requestMailReading } from "./read-mail.ts";
import { senderAccount } from "./sender-account.ts";
import { mayBeProven, noteUnproven, startProof } from "./sender-proof.ts";
import { type MailSender, rawMailKey, type RoomMail, type Taken } from "#worker/mail/chat-address/room-mail.ts";

/** The platform's limit of one mail, in bytes. */
export const MAIL_BYTES = 25 * 1024 * 1024;

const UNKNOWN = "There is no such address.";
const TOO_LARGE = "This mail is larger than 25 MiB.";
const UNPROVEN = "New chats are opened for mail that is proven to be from an account's address. Write to a chat's own address instead.";
const UNADDRESSED = "Only a mail that names this address in To or Cc counts here.";
const BROKEN = "This mail's header cannot be read.";
const OWN = "This address takes no mail from another chat.";
const SENT_ON = "This chat stands in neither To nor Cc, as in a blind copy: somebody else than its writer may have sent it here.";
const CHANGED =
  "This mail may have been changed on its way: a field stands in it twice, or its signature leaves room for further text or another date, subject or Message-ID.";
/** The answer to the sender's server where it should try again. */
const LATER = "The chat takes no more mail for now";

type Incoming = Pick<ForwardableEmailMessage, "from" | "to" | "raw" | "rawSize" | "setReject">;

/** Takes a mail in, or refuses it for good with a reason. Throws where its sender should try again. */
export async function receiveMail(message: Incoming, env: Env): Promise<void> {
  const reason = await takeIn(message, env);
  if (reason !== null) message.setReject(reason);
}

async function takeIn({ from, to, raw, rawSize }: Incoming, env: Env): Promise<string | null> {
  const db = openDatabase(env.DB);
  const localPart = localPartOf(env, to);
  const question = localPart === null ? null : parseApprovalAddress(localPart);
  const chat = question !== null || localPart === null || localPart === NEW_CHAT ? null : await findByMailToken(db, localPart);
  if (localPart !== NEW_CHAT && chat === null && question === null) return UNKNOWN;
  if (rawSize > MAIL_BYTES) return TOO_LARGE;
  const source = await openSource(raw);
  const envelope = source && readEnvelope(source.header, from);
  if (!source || !envelope) return BROKEN;
  if (typeof envelope === "string") return envelope;
  if (isOwnDomain(env, envelope.from.address)) return OWN;
  if (!mayBeProven(envelope)) noteUnproven(envelope);
  // Anybody can send a proven mail on to somebody else, just as it is.
  const doubt = doubtAbout(envelope, (address) => localPartOf(env, address) === localPart);
  if (!chat && doubt !== null) return doubt === CHANGED ? CHANGED : UNADDRESSED;
  if (question) return handleApprovalAnswer(env, db, { place: question, source, envelope, rawSize });
  // Whose mail it would be: that it is theirs is known once all of it came.
  const [claimed, isRefused] = await Promise.all([
    mayBeProven(envelope) && doubt === null ? senderAccount(db, envelope.from.address) : null,
    chat !== null && isBlocked(db, chat.user_id),
  ]);
  // It would be stored, and most of it answered, at the owner's cost.
  if (isRefused) throw new Error(LATER);
  const chatId = chat?.id ?? (claimed === null ? null : await chatOfMail(claimed.id, envelope));
  if (chatId === null) return UNPROVEN;

  const room = roomOf(env, chatId);
  const perHour = configOf(env).limits.mailsPerHour;
  const asked = await room.admitMail(toSender(envelope, { person: claimed, isProven: mayBeProven(envelope) && doubt === null }), perHour);
  // A mail to the general address may have opened its chat before.
  const opening = !chat && claimed && asked === "gone" ? { chatId, person: claimed, envelope } : null;
  if (asked !== "taken" && !opening) return refusalOf(asked);
  // In a chat those are counted with its strangers' mails.
  const forged = opening && { key: `mail-forged:${opening.person.id}`, take: hourly(perHour) };
  if (forged) await refuseIfFull(env, forged.key, forged.take, "RATE_LIMITED");

  const rawObject = crypto.randomUUID();
  const key = rawMailKey(chatId, rawObject);
  const ownerId = chat?.user_id ?? claimed?.id ?? "";
  return withinStorage(env, { ownerId, userId: ownerId, id: rawObject, bytes: rawSize }, async () => {
    // Should this life end before the mail has its row, nothing of it is left.
    if (opening) await enqueue(env, dropUnopenedJob, { chatId, rawObject }, { delaySeconds: UNOPENED_S });
    const proof = await startProof(env, envelope);
    const stored = await storeSource(env.FILES, { key, size: rawSize, follow: proof.follow }, source);
    if (!stored.ok) return stored.reason;
    const authentication = await orDropped(env, key, proof.conclude());
    const isProven = authentication.result === "pass" && doubt === null;
    const person = isProven ? claimed : null;
    if (!chat && !person) {
      await env.FILES.delete(key);
      // It was stored and verified for nothing, and anybody can send the next.
      if (forged) await countIfAllowed(env, forged.key, forged.take);
      return UNPROVEN;
    }
    if (opening) await orDropped(env, key, countOrRefuse(env, `mail-chats:${opening.person.id}`, hourly(perHour), "RATE_LIMITED"));
    const sender = toSender(envelope, { person, isProven });
    const note = authentication.result === "pass" ? doubt : null;
    const mail = toRoomMail(envelope, { rawObject, rawSize, senderId: sender.id, authentication, note });
    const deliveryKey = await hashText(`${envelope.identity}\n${stored.bodyHash}`);
    const take = () => room.takeMail({ ...mail, delivery_key: deliveryKey }, { sender, perHour });
    const taken = opening ? await openAndTake(env, db, opening, { rawObject, take }) : await take();
    if (taken.kind !== "taken") {
      await env.FILES.delete(key);
      return taken.kind === "repeat" ? null : refusalOf(taken.kind);
    }
    // The room sees to it as well: that is quicker than the room alone.
    await requestMailReading(env, { chatId, mailId: mail.id }).catch((cause: unknown) => log.warn("a mail is read later", { cause }));
    return null;
  });
}

function toSender({ from }: Envelope, { person, isProven }: { person: UserRow | null; isProven: boolean }): MailSender {
  return { id: person?.id ?? null, name: person?.display_name ?? null, address: from.address, isProven };
}

/** Rejects as `work` does, and nothing of the mail is left in storage then. */
async function orDropped<T>(env: Env, key: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    await env.FILES.delete(key);
    throw cause;
  }
}

/** Null where the mail was taken. Throws where its sender should try again. */
function refusalOf(kind: "later" | "blocked" | "gone"): string {
  if (kind === "later") throw new Error(LATER);
  return kind === "blocked" ? "This chat takes no mail from this sender." : UNKNOWN;
}

/** Why a proven mail need not be what its writer sent, and sent here; null where it is. */
function doubtAbout({ to, cc, isUnaltered }: Envelope, isHere: (address: string) => boolean): string | null {
  if (![...to, ...cc].some(isHere)) return SENT_ON;
  return isUnaltered ? null : CHANGED;
}

/** The part before the `@`, as a chat's address has it: in lower case, without what follows a plus; null for another domain. */
function localPartOf(env: Env, to: string): string | null {
  const at = to.lastIndexOf("@");
  const { domain } = configOf(env).mail;
  if (domain === undefined || to.slice(at + 1).toLowerCase() !== domain) return null;
  return to.slice(0, at).toLowerCase().split("+", 1)[0] ?? "";
}

function isOwnDomain(env: Env, address: string): boolean {
  return address.endsWith(`@${configOf(env).mail.domain ?? ""}`);
}

/** The chat that a mail to the general address opens: the same one however often it is delivered. */
function chatOfMail(userId: string, { identity }: Envelope): Promise<string> {
  return uuidOfName(`mail-chat/${userId}/${identity}`);
}

type Opening = { chatId: string; person: UserRow; envelope: Envelope };

/** Opens a chat once its first mail's source is stored: a quiet one, which is on nobody's list before it has the mail. */
async function openAndTake(
  env: Env,
  db: Database,
  { chatId, person, envelope }: Opening,
  { rawObject, take }: { rawObject: string; take: () => Promise<Taken> },
): Promise<Taken> {
  const { defaultCategories } = await toolPreferences(db, person.id);
  const title = envelope.subject.replace(/^(?:(?:re|fwd?|aw|wg|tr|rv)\s*:\s*)+/i, "").slice(0, CHAT_TITLE_LENGTH);
  const creation = { id: chatId, caller: toCaller("", person), title, settings: { ...NO_SETTINGS, tool_categories: defaultCategories } };
  try {
    const { chat } = await claimChat(db, creation);
    await roomOf(env, chatId, toLocationHint(person)).createChat(chatId, chat, { isQuiet: true });
    return await take();
  } catch (cause) {
    await deleteUnusedMailChat(env, { chatId, rawObject }).catch((failure: unknown) =>
      log.warn("an empty chat is dropped later", { cause: failure }),
    );
    throw cause;
  }
}

type Arrived = {
  rawObject: string;
  rawSize: number;
  senderId: string | null;
  authentication: MailAuthentication;
  note: string | null;
};

function toRoomMail(envelope: Envelope, { rawObject, rawSize, senderId, authentication, note }: Arrived) {
  return {
    id: crypto.randomUUID(),
    direction: "in",
    from_addr: envelope.from.address,
    from_name: envelope.from.name,
    to_addr: envelope.to,
    cc_addr: envelope.cc,
    reply_to_addr: envelope.replyTo,
    subject: envelope.subject,
    text_body: "",
    quoted_body: null,
    authentication,
    attachments: [],
    message_id: envelope.messageId,
    in_reply_to: envelope.inReplyTo,
    reference_ids: envelope.references,
    is_automatic: envelope.isAutomatic,
    sender_id: senderId,
    with_data_of: null,
    raw_object: rawObject,
    raw_size: rawSize,
    is_read: false,
    turn_id: null,
    reply_id: null,
    note,
    created_at: new Date().toISOString(),
  } satisfies Omit<RoomMail, "state" | "delivery_key">;
}
