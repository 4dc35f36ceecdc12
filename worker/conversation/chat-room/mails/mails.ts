import type { SenderDecision } from "#shared/contracts/chat/mails.ts";
import { STILL_READING } from "#worker/library/attachments/readers/extraction.ts";
import { readAgain } from "#worker/library/attachments/readers/read-parts.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { answerMail } from "#worker/mail/outbound/answer.ts";
import type { Admission, MailSender, ReadMail, RoomMail, Taken } from "#worker/mail/chat-address/room-mail.ts";
import { requestMailReading } from "#worker/mail/inbound/read-mail.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import { NOT_FOUND } from "../access/access.ts";
import { readChat, storedTurn, ownerOf } from "../chat.ts";
import { updateFile } from "../messages/attachments.ts";
import { findMessage } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import { waitingItems } from "../queue/queue-items.ts";
import type { ChatUpdate } from "#worker/conversation/room/rpc.ts";
import { noteStored } from "#worker/conversation/chat-room/messages/stored-files.ts";
import { queueMailTurn, storeReadMail } from "./store-read-mail.ts";
import { findMail, updateMail, waitingFrom } from "./mail-rows.ts";
import { deleteSources, dropExpired, nextQuarantineEnd, sweepSources } from "./quarantine.ts";
import { admitMail, storeAdmittedMail } from "./admit-mail.ts";
import { deleteSenderRule, setSenderRule } from "./sender-rules.ts";

/** A mail that was not read by then is read again, in milliseconds. */
const READ_AGAIN_MS = 60_000;
/** How often to look for a reply whose end was not reported, as when the object died. */
const LOOK_AGAIN_MS = 5 * 60_000;

/** How often it is looked whether a mail's files were read, and how long its turn waits for them. */
const FILES_AGAIN_MS = 500;
const FILES_PATIENCE_MS = 30_000;

/** Work of a room's mails that is done later. */
export type MailWork = "mail.read" | "mail.begin" | "mail.answer" | "mail.quarantine" | "mail.sources";
/** The row of later work that stands for all mails of the chat. */
const ALL = "all";
/** How long after a mail came in it is looked whether sources are left that no mail names. */
const SWEEP_MS = 24 * 60 * 60_000;

type Deps = {
  env: Env;
  storage: DurableObjectStorage;
  due: Pick<DueWork<MailWork>, "schedule" | "cancel" | "has">;
  /** Notifies the readers' tabs. */
  notify(news: ChatUpdate): void;
  /** Notifies them that something happened to the chat's mails that makes it unread. */
  notifyNotable(): void;
  notifyStored(): Promise<void>;
  /** Sends what waits. */
  advance(): void;
};

/** The mails of one chat. */
export type Mails = {
  /** Whether a mail of this sender may come in now; asked before its source is stored. */
  admit(sender: MailSender, perHour: number): Promise<Admission>;
  /** Notes a mail whose source is stored. */
  take(mail: Omit<RoomMail, "state">, how: { sender: MailSender; perHour: number }): Promise<Taken>;
  /** A mail that is still to be read, null where there is nothing to do. */
  toRead(id: string): RoomMail | null;
  /** Keeps what was read of a mail; one that the chat takes begins a turn. */
  keepRead(id: string, read: ReadMail): Promise<void>;
  /** Allows or blocks the sender of a mail, for someone who may. */
  decide(reader: Reader, id: string, decision: SenderDecision): Promise<Outcome<RoomMail>>;
  /** A turn that a mail began has settled. */
  settled(mailId: string): Promise<void>;
  /** What is done later, by its kind: answers when it is due again. */
  work: Record<MailWork, (mailId: string) => Promise<number | null>>;
};

/** The mails of one room. */
export function createMails({ env, storage, due, notify, notifyNotable, notifyStored, advance }: Deps): Mails {
  const { sql } = storage;

  async function read(mailId: string): Promise<number | null> {
    if (!isCreated(sql) || findMail(sql, mailId)?.is_read !== false) return null;
    await requestMailReading(env, { chatId: readChat(sql).id, mailId });
    return Date.now() + READ_AGAIN_MS;
  }

  /** Begins a mail's turn once its files were read. */
  async function begin(mailId: string): Promise<number | null> {
    const mail = isCreated(sql) ? findMail(sql, mailId) : null;
    if (mail?.state !== "received" || !mail.is_read || mail.turn_id !== null) return null;
    const { id: chatId } = readChat(sql);
    const files = await Promise.all(mail.attachments.map((file) => readAgain(env.FILES, chatId, file)));
    if (!isCreated(sql)) return null;
    storage.transactionSync(() => {
      updateMail(sql, mailId, { attachments: files });
      for (const file of files) updateFile(sql, file);
    });
    const isPending = files.some(({ unread }) => unread === STILL_READING);
    if (isPending && Date.now() < Date.parse(mail.created_at) + FILES_PATIENCE_MS) return Date.now() + FILES_AGAIN_MS;
    await due.schedule("mail.answer", mailId, Date.now() + LOOK_AGAIN_MS);
    storage.transactionSync(() => queueMailTurn(sql, mailId));
    notify({ type: "queue.changed" });
    notify({ type: "mails.changed" });
    advance();
    return null;
  }

  /** Hands a finished reply over to be mailed; a reply that failed answers nothing. */
  async function answer(mailId: string): Promise<number | null> {
    const mail = isCreated(sql) ? findMail(sql, mailId) : null;
    if (!mail || mail.turn_id === null) return null;
    const question = findMessage(sql, mail.turn_id);
    if (!question) return waitingItems(sql).some((item) => item.mailId === mailId) ? Date.now() + LOOK_AGAIN_MS : null;
    const replyId = question.reply_id;
    if (replyId === null) return null;
    if (storedTurn(sql)?.replyId === replyId) return Date.now() + LOOK_AGAIN_MS;
    if (mail.reply_id === null) updateMail(sql, mailId, { reply_id: replyId });
    if (findMessage(sql, replyId)?.status === "done") await answerMail(env, { chatId: readChat(sql).id, mailId, replyId });
    return null;
  }

  /** Lets those mails go that nobody wanted in time. */
  async function endQuarantine(): Promise<number | null> {
    if (!isCreated(sql)) return null;
    if (storage.transactionSync(() => dropExpired(sql, Date.now()))) {
      await due.schedule("mail.sources", ALL, Date.now());
      await notifyStored();
      notify({ type: "mails.changed" });
    }
    return nextQuarantineEnd(sql);
  }

  async function sweep(): Promise<number | null> {
    return isCreated(sql) && (await sweepSources(env, sql)) ? Date.now() + SWEEP_MS : null;
  }

  async function readSoon(mailIds: readonly string[]): Promise<void> {
    for (const mailId of mailIds) await due.schedule("mail.read", mailId, Date.now() + READ_AGAIN_MS);
  }

  return {
    async admit(sender, perHour) {
      // Should this life end before the mail has its row, its source is found by the sweep.
      if (!due.has("mail.sources", ALL)) await due.schedule("mail.sources", ALL, Date.now() + SWEEP_MS);
      const admitted = admitMail(sql, sender, perHour);
      return typeof admitted === "string" ? admitted : "taken";
    },
    async take(mail, { sender, perHour }) {
      const taken = storage.transactionSync(() => storeAdmittedMail(sql, { mail, sender, perHour }));
      if (taken.kind !== "taken") return taken;
      await readSoon([mail.id]);
      await notifyStored();
      if (findMail(sql, mail.id)?.state === "quarantined") {
        if (!due.has("mail.quarantine", ALL)) await due.schedule("mail.quarantine", ALL, nextQuarantineEnd(sql) ?? Date.now());
        notifyNotable();
      } else notify({ type: "mails.changed" });
      return taken;
    },
    toRead(id) {
      const mail = findMail(sql, id);
      return mail && !mail.is_read ? mail : null;
    },
    async keepRead(id, found) {
      const outcome = storage.transactionSync(() => storeReadMail(sql, id, found));
      due.cancel("mail.read", id);
      if (outcome === "returned") return notifyNotable();
      notify({ type: "mails.changed" });
      if (!outcome) return;
      await due.schedule("mail.begin", id, Date.now() + FILES_AGAIN_MS);
      await notifyStored();
      if ((await begin(id)) === null) due.cancel("mail.begin", id);
    },
    async decide({ userId }, mailId, decision) {
      const decided = storage.transactionSync(() => decideSender(sql, { userId, mailId, decision }));
      if (!decided.ok) return decided;
      const { taken, unwanted } = decided.value;
      const ids = taken.map(({ id }) => id);
      await readSoon(ids);
      // Of one that was read already there is nothing more to read.
      for (const id of ids) if ((await read(id)) === null) await begin(id);
      if (unwanted.length > 0) {
        // What cannot be deleted now is swept.
        await due.schedule("mail.sources", ALL, Date.now() + SWEEP_MS);
        await deleteSources(env, sql, unwanted).catch((cause: unknown) => log.warn("sources of blocked mails are swept later", { cause }));
        await notifyStored();
      }
      notify({ type: "mails.changed" });
      const mail = findMail(sql, mailId);
      return mail ? { ok: true, value: mail } : NOT_FOUND;
    },
    settled: (mailId) => due.schedule("mail.answer", mailId, Date.now()),
    work: { "mail.read": read, "mail.begin": begin, "mail.answer": answer, "mail.quarantine": endQuarantine, "mail.sources": sweep },
  };
}

type Decided = { userId: string; mailId: string; decision: SenderDecision };

/** What a decision changed: mails that the chat takes by it, and sources that are nobody's any more. */
type Consequence = { taken: RoomMail[]; unwanted: string[] };

const FOR_OWNER = "Only the owner of this chat lets mail in: they pay for its answer.";

/** Decides about the sender of a mail: whoever may block one, its payer alone lets it in. Call it in a transaction. */
function decideSender(sql: SqlStorage, { userId, mailId, decision }: Decided): Outcome<Consequence> {
  const mail = findMail(sql, mailId);
  if (mail?.direction !== "in") return { ok: false, code: "NOT_FOUND" };
  if (decision !== "block" && userId !== ownerOf(sql)) return { ok: false, code: "FORBIDDEN", message: FOR_OWNER };
  const address = mail.from_addr;
  const waiting = waitingFrom(sql, address);
  if (decision === "block") {
    setSenderRule(sql, address, { rule: "blocked", userId });
    for (const { id } of waiting) updateMail(sql, id, { state: "blocked", raw_object: null, raw_size: 0 });
    if (waiting.length > 0) noteStored(sql);
    return { ok: true, value: { taken: [], unwanted: waiting.flatMap(({ raw_object: source }) => source ?? []) } };
  }
  const isWaiting = mail.state === "quarantined" || mail.state === "blocked";
  if (decision === "allow_once" || decision === "allow_with_data") {
    if (mail.state === "blocked") deleteSenderRule(sql, address);
    if (isWaiting && decision === "allow_with_data") updateMail(sql, mailId, { with_data_of: userId });
    return { ok: true, value: { taken: take(sql, isWaiting ? [mail] : []), unwanted: [] } };
  }
  // Anybody can write in another's name: a name that is not proven is allowed once at most.
  if (mail.authentication?.result !== "pass") {
    return { ok: false, code: "INVALID_INPUT", message: "This mail is not proven to be from its sender. Allow it once instead." };
  }
  setSenderRule(sql, address, { rule: "allowed", userId });
  const proven = waiting.filter(({ id, authentication }) => id !== mailId && authentication?.result === "pass");
  return { ok: true, value: { taken: take(sql, isWaiting ? [mail, ...proven] : proven), unwanted: [] } };
}

/** What a quarantined mail carries was not kept: it is read again. Of one that was blocked only its text is left. */
function take(sql: SqlStorage, mails: RoomMail[]): RoomMail[] {
  return mails.map((mail) => {
    const change =
      mail.raw_object === null
        ? ({ state: "received", text_body: mail.text_body || mail.subject || NO_TEXT, note: TEXT_ALONE } as const)
        : ({ state: "received", is_read: false, note: null } as const);
    updateMail(sql, mail.id, change);
    return { ...mail, ...change };
  });
}

const NO_TEXT = "(This mail has no text.)";
const TEXT_ALONE = "Its sender was blocked before, so that its source and files were deleted: this is its text alone.";
