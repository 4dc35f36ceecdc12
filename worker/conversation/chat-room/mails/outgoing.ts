/** The mails that a chat sends: each is stored first, and goes out once whatever restarts. */
import { MAILS_OUT_PER_HOUR } from "#shared/limits.ts";
import { hasMailKeys, sendOutgoing } from "#worker/platform/clients/mailer.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { answerRecipients } from "#worker/mail/outbound/answer-recipients.ts";
import type { Letter, RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { replySubject } from "#worker/platform/letters/subject.ts";
import { withoutPrivate } from "#shared/knowledge-citations.ts";
import { PERSONALIZED_NAME } from "#shared/library/personas.ts";
import type { MailState } from "#shared/entities/mail.ts";
import { sourceOf } from "#worker/conversation/tools/tool-sources.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";
import { NOT_FOUND } from "../access/access.ts";
import { ownerOf, readChat } from "../chat.ts";
import { findMessage, messagesUpTo } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import { findCall, readCalls } from "../messages/tool-rounds.ts";
import { findMail, insertMail, updateMail } from "./mail-rows.ts";
import { isWritingMember } from "./admit-mail.ts";
import { noteWrittenTo } from "./sender-rules.ts";
import { maySend } from "./mail-rights.ts";
import { isWrittenBy } from "./mail-sources.ts";
import {
  claimOutgoing,
  countSince,
  findAnswer,
  findOutgoing,
  setNeedsApproval,
  queueOutgoing,
  releaseOutgoing,
  shareAnswer,
  suppressedHere,
  suppressHere,
} from "./outgoing-rows.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

const HOUR_MS = 3_600_000;
/** When a mail is looked after by the alarm, where the life that sends it does not end it: longer than a service is waited for. */
const GUARD_MS = 60_000;
/** Milliseconds until a mail that was not taken is tried again, by tries. */
const AGAIN_MS = [60_000, 5 * 60_000, 15 * 60_000, HOUR_MS, 3 * HOUR_MS];
/** The service forgets keys after a day (email.md, C). */
const KEY_LIFETIME_MS = 20 * HOUR_MS;

const UNSURE = "It may or may not have been sent: the mail service did not answer. It was not sent again.";
const BUSY = "The mail service could not take it for hours.";
const NOT_THEIRS = "This mail was written for somebody else in this chat: only they can send it.";
const AWAITS_APPROVAL = "It was written with data that is one person's own and goes to others, so it goes out by that person's word alone.";
/** What stands below an answer whose other receivers wait. */
const TO_YOU_ALONE =
  "*This went to you alone, as it was written with data of your own. The others get it once you say so, under 'Waiting for you'.*";
const NOT_WANTED = "It was decided not to send it.";
const TOO_MANY = `This chat has sent ${MAILS_OUT_PER_HOUR} mails within an hour, so this one was not sent.`;

const NOTES = { draft: AWAITS_APPROVAL, failed: TOO_MANY, queued: null } as const;

type Deps = {
  env: Env;
  storage: DurableObjectStorage;
  /** Notifies the readers' tabs; what is notable makes the chat unread. */
  notify(isNotable: boolean): void;
  schedule(mailId: string, at: number): Promise<void>;
  cancel(mailId: string): void;
  waitUntil(work: Promise<unknown>): void;
};

const composing = loadOnce(() => import("#worker/mail/outbound/compose.ts"));
const artifacts = loadOnce(() => import("#worker/mail/outbound/made-artifacts.ts"));

/** The mails on their way from one chat. */
export class Outgoing {
  readonly #deps: Deps;
  readonly #sql: SqlStorage;
  /** What this instance of the object is passing on now. */
  readonly #sending = new Map<string, Promise<number | null>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sql = deps.storage.sql;
  }

  /** Answers a mail by the reply that it caused, once; whom nobody may answer is not. */
  async answer({ mailId, replyId }: { mailId: string; replyId: string }): Promise<void> {
    const mail = findMail(this.#sql, mailId);
    const reply = findMessage(this.#sql, replyId);
    if (mail?.direction !== "in" || reply?.status !== "done" || reply.content.trim() === "" || findAnswer(this.#sql, mailId)) return;
    const userId = mail.sender_id !== null && isWritingMember(this.#sql, mail.sender_id) ? mail.sender_id : ownerOf(this.#sql);
    const recipients = await answerRecipients(this.#deps.env, {
      mail,
      userId,
      suppressedHere: (addresses) => suppressedHere(this.#sql, addresses),
    });
    if (!recipients || !isCreated(this.#sql) || findAnswer(this.#sql, mailId)) return;
    const letter: Letter = {
      id: crypto.randomUUID(),
      userId,
      replyId,
      ...recipients.all,
      subject: replySubject(mail.subject),
      text: reply.content,
      files: [],
      parent: mail,
    };
    const isTheirs = isWrittenBy(mail, userId);
    const needsApproval = recipients.others.to.length > 0 && (mail.with_data_of !== null || usedOwn(this.#sql, reply, { isTheirs }));
    // Whoever wrote the mail reads what is theirs at once, at an address that is still theirs; the others wait.
    const isSplit = needsApproval && isTheirs && !namesOf(recipients.others).includes(mail.from_addr);
    const first = isSplit ? { ...letter, to: [mail.from_addr], cc: [], text: `${letter.text}\n\n${TO_YOU_ALONE}` } : letter;
    const state = needsApproval && !isSplit ? "draft" : this.#isFull() ? "failed" : "queued";
    this.#deps.storage.transactionSync(() => {
      insertMail(this.#sql, { ...newOutgoing(first, state), note: NOTES[state] });
      queueOutgoing(this.#sql, { mailId: first.id, answersId: mailId, now: state === "queued" ? Date.now() : 0 });
      if (!needsApproval) return;
      if (!isSplit) return setNeedsApproval(this.#sql, first.id, true);
      const shared = { ...letter, id: crypto.randomUUID(), ...recipients.others };
      insertMail(this.#sql, { ...newOutgoing(shared, "draft"), note: AWAITS_APPROVAL });
      queueOutgoing(this.#sql, { mailId: shared.id, answersId: null, now: 0 });
      shareAnswer(this.#sql, shared.id, mailId);
      setNeedsApproval(this.#sql, shared.id, true);
    });
    this.#deps.notify(needsApproval || state !== "queued");
    if (state === "queued") this.#deps.waitUntil(this.#start(first.id));
  }

  /** Keeps a letter that is not to be sent yet; one that is on its way or gone stays as it is. */
  keepDraft(letter: Letter): void {
    const before = findMail(this.#sql, letter.id);
    if (before && before.state !== "draft") return;
    if (before) updateMail(this.#sql, letter.id, newOutgoing(letter, "draft"));
    else insertMail(this.#sql, newOutgoing(letter, "draft"));
    this.#deps.notify(false);
  }

  /** Sends a letter; answers the mail as it then stands, queued where the service is busy. */
  async send(letter: Letter): Promise<Outcome<RoomMail>> {
    const before = findMail(this.#sql, letter.id);
    if (before && before.state !== "draft") return { ok: true, value: before };
    if (this.#isFull()) return { ok: false, code: "RATE_LIMITED", message: TOO_MANY };
    this.#deps.storage.transactionSync(() => {
      if (before) updateMail(this.#sql, letter.id, newOutgoing(letter, "queued"));
      else insertMail(this.#sql, newOutgoing(letter, "queued"));
      queueOutgoing(this.#sql, { mailId: letter.id, answersId: null, now: Date.now() });
      noteWrittenTo(this.#sql, [...letter.to, ...letter.cc], letter.userId);
    });
    this.#deps.notify(false);
    const mail = await this.#start(letter.id);
    return mail ? { ok: true, value: mail } : NOT_FOUND;
  }

  /** Sends a draft, or what failed once more, for whoever may; an answer that waits for their word rests where it is not wanted. */
  async resend(mailId: string, userId: string, isWanted: boolean): Promise<Outcome<RoomMail>> {
    const mail = findMail(this.#sql, mailId);
    if (mail?.direction !== "out") return NOT_FOUND;
    if (mail.state !== "failed" && mail.state !== "draft") {
      await this.#sending.get(mailId);
      return { ok: true, value: findMail(this.#sql, mailId) ?? mail };
    }
    if (!maySend(this.#sql, mail, userId)) return { ok: false, code: "FORBIDDEN", message: NOT_THEIRS };
    if (!isWanted) return { ok: true, value: this.#rest(mail) };
    const isWaiting = mail.reply_id !== null && findCall(this.#sql, mail.reply_id, mailId)?.status === "waiting";
    if (isWaiting) return { ok: false, code: "CONFLICT", message: "This mail waits for an approval in the chat." };
    if (this.#isFull()) return { ok: false, code: "RATE_LIMITED", message: TOO_MANY };
    const answersId = findOutgoing(this.#sql, mailId)?.answers_id ?? null;
    this.#deps.storage.transactionSync(() => {
      updateMail(this.#sql, mailId, { state: "queued", note: null });
      queueOutgoing(this.#sql, { mailId, answersId, now: Date.now() });
      if (answersId === null) noteWrittenTo(this.#sql, [...mail.to_addr, ...mail.cc_addr], userId);
    });
    this.#deps.notify(false);
    const sent = await this.#start(mailId);
    return sent ? { ok: true, value: sent } : NOT_FOUND;
  }

  /** Goes on with a mail when its time has come; answers when it is due again, null where it is over. */
  attempt(mailId: string): Promise<number | null> {
    const running = this.#sending.get(mailId) ?? this.#attemptOnce(mailId).finally(() => this.#sending.delete(mailId));
    this.#sending.set(mailId, running);
    return running;
  }

  /** Notes the end of a mail's way; it is not due again. */
  #settle(mailId: string, change: Partial<RoomMail>, providerId: string | null = null): null {
    this.#deps.storage.transactionSync(() => {
      updateMail(this.#sql, mailId, change);
      releaseOutgoing(this.#sql, mailId, providerId);
    });
    this.#deps.notify(change.state === "failed");
    return null;
  }

  async #attemptOnce(mailId: string): Promise<number | null> {
    const row = findOutgoing(this.#sql, mailId);
    const mail = findMail(this.#sql, mailId);
    if (!row || mail?.state !== "queued") return null;
    const isLate = row.first_tried_at !== null && Date.now() - row.first_tried_at > KEY_LIFETIME_MS;
    // An earlier life handed it over and did not hear what became of it.
    if (row.is_claimed === 1 && (isLate || !hasMailKeys(this.#deps.env))) return this.#fail(mailId, UNSURE);
    const answersId = row.answers_id ?? row.shares_answer_to;
    const answered = answersId === null ? null : findMail(this.#sql, answersId);
    const reply = mail.reply_id === null || answersId === null ? null : findMessage(this.#sql, mail.reply_id);
    const citations = reply ? withoutPrivate(citationsOf(reply)) : [];
    const [{ composeMail }, { madeArtifacts }] = await Promise.all([composing(), artifacts()]);
    const made = reply ? madeArtifacts(readCalls(this.#sql, [reply.id]).get(reply.id) ?? []) : [];
    const composed = await composeMail(this.#deps.env, { chatId: readChat(this.#sql).id, mail, answered, citations, made });
    if (!isCreated(this.#sql)) return null;
    if (typeof composed === "string") return this.#fail(mailId, composed);
    const [gone] = suppressedHere(this.#sql, [...mail.to_addr, ...mail.cc_addr]);
    if (gone !== undefined) return this.#fail(mailId, `Mail to ${gone} came back before, so nothing more is sent there.`);
    claimOutgoing(this.#sql, mailId, Date.now());
    const sent = await sendOutgoing(this.#deps.env, composed);
    if (!isCreated(this.#sql)) return null;
    const { email: from } = composed.from;
    if (sent.ok) {
      const change = { state: "sent", from_addr: from, message_id: sent.messageId, note: null } as const;
      return this.#settle(mailId, change, sent.providerId);
    }
    log.warn("a chat's mail was not taken", { kind: sent.kind, code: sent.code, cause: sent.cause });
    const again = AGAIN_MS[row.tries];
    if (sent.kind === "refused") {
      if (sent.code === "E_RECIPIENT_SUPPRESSED" && mail.to_addr.length + mail.cc_addr.length === 1)
        for (const address of mail.to_addr) suppressHere(this.#sql, address, "bounced");
      return this.#fail(mailId, `The mail service refused it (${sent.code}).`);
    }
    if (sent.kind === "unsure" && (!hasMailKeys(this.#deps.env) || again === undefined)) return this.#fail(mailId, UNSURE);
    if (again === undefined) return this.#fail(mailId, BUSY);
    // What may have been sent stays claimed, so no instance without keys sends it again.
    if (sent.kind === "later") releaseOutgoing(this.#sql, mailId, null);
    return Date.now() + again;
  }

  /** Sends it now, with the alarm behind it. */
  async #start(mailId: string): Promise<RoomMail | null> {
    await this.#deps.schedule(mailId, Date.now() + GUARD_MS);
    try {
      const again = await this.attempt(mailId);
      if (!isCreated(this.#sql)) return null;
      if (again === null) this.#deps.cancel(mailId);
      else await this.#deps.schedule(mailId, again);
    } catch (cause) {
      // The alarm comes for it.
      log.error("a chat's mail could not be handed over", { cause });
    }
    return isCreated(this.#sql) ? findMail(this.#sql, mailId) : null;
  }

  /** Lets an answer wait for nobody's word any more; any other mail stays as it is. */
  #rest(mail: RoomMail): RoomMail {
    if (findOutgoing(this.#sql, mail.id)?.needs_approval !== 1) return mail;
    this.#deps.storage.transactionSync(() => {
      setNeedsApproval(this.#sql, mail.id, false);
      updateMail(this.#sql, mail.id, { note: NOT_WANTED });
    });
    this.#deps.notify(false);
    return { ...mail, note: NOT_WANTED };
  }

  #fail(mailId: string, note: string): null {
    return this.#settle(mailId, { state: "failed", note });
  }

  #isFull(): boolean {
    return countSince(this.#sql, Date.now() - HOUR_MS) >= MAILS_OUT_PER_HOUR;
  }
}

function namesOf({ to, cc }: Pick<Letter, "to" | "cc">): string[] {
  return [...to, ...cc];
}

/**
 * True for a reply that was written with what is its payer's alone: their memory or knowledge, or what a tool brought that uses theirs; in a
 * turn of their own also what stands so before it, which went along.
 */
function usedOwn(sql: SqlStorage, reply: MessageRow, { isTheirs }: { isTheirs: boolean }): boolean {
  const rows = isTheirs ? messagesUpTo(sql, reply.id, Number.MAX_SAFE_INTEGER) : [reply];
  const calls = [
    ...readCalls(
      sql,
      rows.map(({ id }) => id),
    ).values(),
  ].flat();
  return (
    rows.some(({ memory, knowledge, persona }) => memory !== null || knowledge !== null || persona === PERSONALIZED_NAME) ||
    calls.some(({ tool, output }) => output !== null && sourceOf(tool) !== null)
  );
}

/** Characters of a text that are kept of a mail that goes out: more than one has room for. */
const TEXT_LENGTH = 250_000;

/** The letter as the chat's table of mails has it. Its sender's address is filled in as it goes out. */
function newOutgoing({ id, userId, replyId, to, cc, subject, text, files, parent }: Letter, state: MailState): RoomMail {
  return {
    id,
    delivery_key: null,
    direction: "out",
    state,
    from_addr: "",
    from_name: "",
    to_addr: to,
    cc_addr: cc,
    reply_to_addr: [],
    subject,
    text_body: text.slice(0, TEXT_LENGTH).toWellFormed(),
    quoted_body: null,
    authentication: null,
    attachments: files,
    message_id: null,
    in_reply_to: parent?.message_id ?? null,
    reference_ids: parent ? [...parent.reference_ids, ...(parent.message_id === null ? [] : [parent.message_id])] : [],
    is_automatic: false,
    sender_id: userId,
    with_data_of: null,
    raw_object: null,
    raw_size: 0,
    is_read: true,
    turn_id: null,
    reply_id: replyId,
    note: null,
    created_at: new Date().toISOString(),
  };
}
