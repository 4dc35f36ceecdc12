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
import { sourceOf } from "#worker/conversation/tools/tool-sources.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";
import { NOT_FOUND } from "../access/access.ts";
import { ownerOf, readChat } from "../chat.ts";
import { findMessage, pathTo } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import { findCall, readCalls } from "../messages/tool-rounds.ts";
import { findMail, insertMail, updateMail } from "./mail-rows.ts";
import { isOwnPerson } from "./take-mail.ts";
import { newOutgoing } from "./new-outgoing.ts";
import { noteWrittenTo } from "./senders.ts";
import { maySend } from "./may-send.ts";
import { isFrom } from "./own-sources.ts";
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

/** The mails on their way from one chat. */
export type Outgoing = {
  /** Answers a mail by the reply that it caused, once; whom nobody may answer is not. */
  answer(answered: { mailId: string; replyId: string }): Promise<void>;
  /** Keeps a letter that is not to be sent yet; one that is on its way or gone stays as it is. */
  keepDraft(letter: Letter): void;
  /** Sends a letter; answers the mail as it then stands, queued where the service is busy. */
  send(letter: Letter): Promise<Outcome<RoomMail>>;
  /** Sends a draft, or what failed once more, for whoever may; an answer that waits for their word rests where it is not wanted. */
  resend(mailId: string, userId: string, isWanted: boolean): Promise<Outcome<RoomMail>>;
  /** Goes on with a mail when its time has come; answers when it is due again, null where it is over. */
  attempt(mailId: string): Promise<number | null>;
};

const composing = loadOnce(() => import("#worker/mail/outbound/compose.ts"));
const artifacts = loadOnce(() => import("#worker/mail/outbound/made-artifacts.ts"));

/** The outgoing mails of one room. */
export function createOutgoing({ env, storage, notify, schedule, cancel, waitUntil }: Deps): Outgoing {
  const { sql } = storage;
  /** What this instance of the object is passing on now. */
  const sending = new Map<string, Promise<number | null>>();

  function settle(mailId: string, change: Partial<RoomMail>, providerId: string | null = null): void {
    storage.transactionSync(() => {
      updateMail(sql, mailId, change);
      releaseOutgoing(sql, mailId, providerId);
    });
    notify(change.state === "failed");
  }

  const fail = (mailId: string, note: string) => settle(mailId, { state: "failed", note });

  function attempt(mailId: string): Promise<number | null> {
    const running = sending.get(mailId) ?? attemptOnce(mailId).finally(() => sending.delete(mailId));
    sending.set(mailId, running);
    return running;
  }

  async function attemptOnce(mailId: string): Promise<number | null> {
    const row = findOutgoing(sql, mailId);
    const mail = findMail(sql, mailId);
    if (!row || mail?.state !== "queued") return null;
    const isLate = row.first_tried_at !== null && Date.now() - row.first_tried_at > KEY_LIFETIME_MS;
    // An earlier life handed it over and did not hear what became of it.
    if (row.is_claimed === 1 && (isLate || !hasMailKeys(env))) return end(() => fail(mailId, UNSURE));
    const answersId = row.answers_id ?? row.shares_answer_to;
    const answered = answersId === null ? null : findMail(sql, answersId);
    const reply = mail.reply_id === null || answersId === null ? null : findMessage(sql, mail.reply_id);
    const citations = reply ? withoutPrivate(citationsOf(reply)) : [];
    const [{ composeMail }, { madeArtifacts }] = await Promise.all([composing(), artifacts()]);
    const made = reply ? madeArtifacts(readCalls(sql, [reply.id]).get(reply.id) ?? []) : [];
    const composed = await composeMail(env, { chatId: readChat(sql).id, mail, answered, citations, made });
    if (!isCreated(sql)) return null;
    if (typeof composed === "string") return end(() => fail(mailId, composed));
    const [gone] = suppressedHere(sql, [...mail.to_addr, ...mail.cc_addr]);
    if (gone !== undefined) return end(() => fail(mailId, `Mail to ${gone} came back before, so nothing more is sent there.`));
    claimOutgoing(sql, mailId, Date.now());
    const sent = await sendOutgoing(env, composed);
    if (!isCreated(sql)) return null;
    const { email: from } = composed.from;
    if (sent.ok) {
      const change = { state: "sent", from_addr: from, message_id: sent.messageId, note: null } as const;
      return end(() => settle(mailId, change, sent.providerId));
    }
    log.warn("a chat's mail was not taken", { kind: sent.kind, code: sent.code, cause: sent.cause });
    const again = AGAIN_MS[row.tries];
    if (sent.kind === "refused") {
      if (sent.code === "E_RECIPIENT_SUPPRESSED" && mail.to_addr.length + mail.cc_addr.length === 1)
        for (const address of mail.to_addr) suppressHere(sql, address, "bounced");
      return end(() => fail(mailId, `The mail service refused it (${sent.code}).`));
    }
    if (sent.kind === "unsure" && (!hasMailKeys(env) || again === undefined)) return end(() => fail(mailId, UNSURE));
    if (again === undefined) return end(() => fail(mailId, BUSY));
    // What may have been sent stays claimed, so no instance without keys sends it again.
    if (sent.kind === "later") releaseOutgoing(sql, mailId, null);
    return Date.now() + again;
  }

  function end(done: () => void): null {
    done();
    return null;
  }

  /** Sends it now, with the alarm behind it. */
  async function start(mailId: string): Promise<RoomMail | null> {
    await schedule(mailId, Date.now() + GUARD_MS);
    try {
      const again = await attempt(mailId);
      if (!isCreated(sql)) return null;
      if (again === null) cancel(mailId);
      else await schedule(mailId, again);
    } catch (cause) {
      // The alarm comes for it.
      log.error("a chat's mail could not be handed over", { cause });
    }
    return isCreated(sql) ? findMail(sql, mailId) : null;
  }

  /** Lets an answer wait for nobody's word any more; any other mail stays as it is. */
  function rest(mail: RoomMail): RoomMail {
    if (findOutgoing(sql, mail.id)?.needs_approval !== 1) return mail;
    storage.transactionSync(() => {
      setNeedsApproval(sql, mail.id, false);
      updateMail(sql, mail.id, { note: NOT_WANTED });
    });
    notify(false);
    return { ...mail, note: NOT_WANTED };
  }

  const isFull = () => countSince(sql, Date.now() - HOUR_MS) >= MAILS_OUT_PER_HOUR;

  return {
    attempt,
    async answer({ mailId, replyId }) {
      const mail = findMail(sql, mailId);
      const reply = findMessage(sql, replyId);
      if (mail?.direction !== "in" || reply?.status !== "done" || reply.content.trim() === "" || findAnswer(sql, mailId)) return;
      const userId = mail.sender_id !== null && isOwnPerson(sql, mail.sender_id) ? mail.sender_id : ownerOf(sql);
      const recipients = await answerRecipients(env, { mail, userId, suppressedHere: (addresses) => suppressedHere(sql, addresses) });
      if (!recipients || !isCreated(sql) || findAnswer(sql, mailId)) return;
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
      const isTheirs = isFrom(mail, userId);
      const needsApproval = recipients.others.to.length > 0 && (mail.with_data_of !== null || usedOwn(sql, reply, { isTheirs }));
      // Whoever wrote the mail reads what is theirs at once, at an address that is still theirs; the others wait.
      const isSplit = needsApproval && isTheirs && !namesOf(recipients.others).includes(mail.from_addr);
      const first = isSplit ? { ...letter, to: [mail.from_addr], cc: [], text: `${letter.text}\n\n${TO_YOU_ALONE}` } : letter;
      const state = needsApproval && !isSplit ? "draft" : isFull() ? "failed" : "queued";
      storage.transactionSync(() => {
        insertMail(sql, { ...newOutgoing(first, state), note: NOTES[state] });
        queueOutgoing(sql, { mailId: first.id, answersId: mailId, now: state === "queued" ? Date.now() : 0 });
        if (!needsApproval) return;
        if (!isSplit) return setNeedsApproval(sql, first.id, true);
        const shared = { ...letter, id: crypto.randomUUID(), ...recipients.others };
        insertMail(sql, { ...newOutgoing(shared, "draft"), note: AWAITS_APPROVAL });
        queueOutgoing(sql, { mailId: shared.id, answersId: null, now: 0 });
        shareAnswer(sql, shared.id, mailId);
        setNeedsApproval(sql, shared.id, true);
      });
      notify(needsApproval || state !== "queued");
      if (state === "queued") waitUntil(start(first.id));
    },
    keepDraft(letter) {
      const before = findMail(sql, letter.id);
      if (before && before.state !== "draft") return;
      if (before) updateMail(sql, letter.id, newOutgoing(letter, "draft"));
      else insertMail(sql, newOutgoing(letter, "draft"));
      notify(false);
    },
    async send(letter) {
      const before = findMail(sql, letter.id);
      if (before && before.state !== "draft") return { ok: true, value: before };
      if (isFull()) return { ok: false, code: "RATE_LIMITED", message: TOO_MANY };
      storage.transactionSync(() => {
        if (before) updateMail(sql, letter.id, newOutgoing(letter, "queued"));
        else insertMail(sql, newOutgoing(letter, "queued"));
        queueOutgoing(sql, { mailId: letter.id, answersId: null, now: Date.now() });
        noteWrittenTo(sql, [...letter.to, ...letter.cc], letter.userId);
      });
      notify(false);
      const mail = await start(letter.id);
      return mail ? { ok: true, value: mail } : NOT_FOUND;
    },
    async resend(mailId, userId, isWanted) {
      const mail = findMail(sql, mailId);
      if (mail?.direction !== "out") return NOT_FOUND;
      if (mail.state !== "failed" && mail.state !== "draft") {
        await sending.get(mailId);
        return { ok: true, value: findMail(sql, mailId) ?? mail };
      }
      if (!maySend(sql, mail, userId)) return { ok: false, code: "FORBIDDEN", message: NOT_THEIRS };
      if (!isWanted) return { ok: true, value: rest(mail) };
      const isWaiting = mail.reply_id !== null && findCall(sql, mail.reply_id, mailId)?.status === "waiting";
      if (isWaiting) return { ok: false, code: "CONFLICT", message: "This mail waits for an approval in the chat." };
      if (isFull()) return { ok: false, code: "RATE_LIMITED", message: TOO_MANY };
      const answersId = findOutgoing(sql, mailId)?.answers_id ?? null;
      storage.transactionSync(() => {
        updateMail(sql, mailId, { state: "queued", note: null });
        queueOutgoing(sql, { mailId, answersId, now: Date.now() });
        if (answersId === null) noteWrittenTo(sql, [...mail.to_addr, ...mail.cc_addr], userId);
      });
      notify(false);
      const sent = await start(mailId);
      return sent ? { ok: true, value: sent } : NOT_FOUND;
    },
  };
}

function namesOf({ to, cc }: Pick<Letter, "to" | "cc">): string[] {
  return [...to, ...cc];
}

/**
 * True for a reply that was written with what is its payer's alone: their memory or knowledge, or what a tool brought that uses theirs; in a
 * turn of their own also what stands so before it, which went along.
 */
function usedOwn(sql: SqlStorage, reply: MessageRow, { isTheirs }: { isTheirs: boolean }): boolean {
  const rows = isTheirs ? pathTo(sql, reply.id, Number.MAX_SAFE_INTEGER) : [reply];
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
