/** The messaging app in one room: what comes in begins turns, and their answers and questions go out. */
import { QUEUE_LENGTH, ATTACHMENTS_PER_MESSAGE, MESSAGE_LENGTH } from "#shared/limits.ts";
import { fieldsOf, toolName } from "#worker/conversation/approvals/describe-call.ts";
import { readAnswer } from "#worker/mail/inbound/read-answer.ts";
import { STILL_READING } from "#worker/library/attachments/readers/extraction.ts";
import { readAgain } from "#worker/library/attachments/readers/read-parts.ts";
import { BUTTONS_TEXT_LENGTH, showTyping } from "#worker/platform/clients/whatsapp/send.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { linkOf, mayAnswer } from "#worker/people/messaging-number/messaging-number.ts";
import { levelOf, refuse } from "../access/access.ts";
import { readChat, storedTurn } from "../chat.ts";
import { addFile, updateFile } from "../messages/attachments.ts";
import { findMessage } from "../messages/messages.ts";
import { noteStored } from "../messages/stored-files.ts";
import { isCreated } from "../migrations.ts";
import { appendItems, rewriteItem, removeItem, waitingItems } from "../queue/queue-items.ts";
import { readState } from "../queue/queue-state.ts";
import { readCalls, waitingCalls } from "../messages/tool-rounds.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { MessageError } from "#shared/entities/message.ts";
import { withoutPrivate } from "#shared/knowledge-citations.ts";
import {
  deleteIncoming,
  findByMessageId,
  findIncoming,
  hasAlbumParts,
  insertIncoming,
  hasLaterMessages,
  noteDelayNotified,
  readItem,
  rewriteIncoming,
  setIncoming,
  type Incoming,
  readingIds,
} from "./incoming-rows.ts";
import { noteStatus } from "./note-status.ts";
import {
  approvalQuestionId,
  deleteUnsent,
  failUnsent,
  findApprovalQuestion,
  findSentMessage,
  insertOutgoing,
  hasParkedMessages,
  type OutRow,
  unparkMessages,
} from "./outgoing-rows.ts";
import type { Messaging, MessagingDeps } from "./messaging-deps.ts";
import type { MessagingAnswer, MessagingInput, TakenMessage } from "#worker/conversation/room/messaging.ts";
import { sendOutgoingMessages, UNLINKED } from "./send-outgoing.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import type { MessagingApp } from "#worker/conversation/features.ts";
import { madeArtifacts } from "#worker/mail/outbound/made-artifacts.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";
import type { StoredCall } from "#worker/conversation/turn/round.ts";

/** How often it is looked whether a message's files were read, and how long its turn waits for them, in milliseconds. */
const FILES_AGAIN_MS = 500;
const FILES_PATIENCE_MS = 30_000;
/** How often to look for a reply whose end was not reported, as when the object died. */
const LOOK_AGAIN_MS = 60_000;
/** The same while it waits for a word, which may take days. */
const WAITING_MS = 6 * 3_600_000;
/** When a writer is notified that the answer takes a while. */
const LATE_MS = 2 * 60_000;
/** The app shows that an answer is being written for 25 s; a long research is not shown so for ever. */
const TYPING_MS = 20_000;
const TYPING_MAX_MS = 15 * 60_000;
/** When what goes out is looked after by the alarm, should this life not end it. */
const GUARD_MS = 45_000;

const LIVE: ReadonlySet<string> = new Set(["accepted", "streaming", "waiting"]);
const SHOWN: ReadonlySet<string> = new Set(["sent", "delivered", "read"]);

const LATE = "Your message has arrived, but I cannot answer right now. I go on trying.";
const TAKEN_OUT = "This message was taken out of the queue and is not answered.";

/** The messaging app in one room. */
export class RoomMessaging implements Messaging {
  readonly #deps: MessagingDeps;
  readonly #app: MessagingApp;
  readonly #sql: SqlStorage;
  #sending: Promise<number | null> | null = null;
  #isMore = false;

  constructor(deps: MessagingDeps, app: MessagingApp) {
    this.#deps = deps;
    this.#app = app;
    this.#sql = deps.storage.sql;
  }

  async call(input: MessagingInput): Promise<MessagingAnswer> {
    switch (input.kind) {
      case "take":
        return this.#take(input.message);
      case "rewrite":
        return this.#rewrite(input);
      case "answer":
        return this.#answerCall(input);
      case "press":
        return this.#decide({
          token: input.token,
          userId: input.userId,
          answer: { kind: input.isApproved ? "approve" : "discard" },
          identity: input.identity,
        });
      case "status":
        if (!(await noteStatus({ ...this.#deps, app: this.#app }, input.status))) return { kind: "done" };
        if (this.#sending) this.#isMore = true;
        else await this.#send();
        return { kind: "done" };
      case "flush":
        return this.#flush(input.userId);
      case "unlinked":
        if (failUnsent(this.#sql, input.userId, UNLINKED)) this.#deps.notify(true);
        return { kind: "done" };
    }
  }

  async due(work: string): Promise<number | null> {
    const [kind = "", id = ""] = work.split(":");
    if (!isCreated(this.#sql)) return null;
    if (kind === "out") return this.#sendAll();
    if (kind === "begin") return this.#begin(id);
    return kind === "typing" ? this.#typing(id) : this.#answer(id);
  }

  settled(id: string): Promise<void> {
    return this.#deps.schedule(`answer:${id}`, Date.now());
  }

  /** Asks for a word about each call that waits, by buttons. */
  async ask(callId: string, { token, userId }: { token: string; userId: string }): Promise<void> {
    const found = waitingCalls(this.#sql).find(({ call }) => call.id === callId);
    if (!found) return;
    const { tool, input } = toToolCall(found.call);
    const fields = fieldsOf(this.#deps.tools, { tool, input }).map(({ label, value }) => `*${label}:* ${value}`);
    const before = `I want to use *${toolName(tool)}*. Nothing happens until you approve it.`;
    const fullText = [before, ...fields].join("\n\n");
    const isShort = fullText.length <= BUTTONS_TEXT_LENGTH;
    const out = { replyId: null, userId, context: null };
    this.#deps.storage.transactionSync(() => {
      if (!isShort) {
        for (const [index, text] of this.#app.splitText(fullText).entries())
          insertOutgoing(this.#sql, { ...out, id: `${approvalQuestionId(callId)}.${index}`, body: { type: "text", text } });
      }
      const text = isShort ? fullText : `Use *${toolName(tool)}* with exactly this?`;
      insertOutgoing(this.#sql, { ...out, id: approvalQuestionId(callId), body: { type: "ask", text, callId, token } });
    });
    await this.#send();
  }

  async #take(message: TakenMessage): Promise<MessagingAnswer> {
    const { id, messageId, userId, files } = message;
    if (findByMessageId(this.#sql, messageId)) return { kind: "repeat" };
    if (refuse(levelOf(this.#sql, userId), "send")) return { kind: "refused" };
    if (waitingItems(this.#sql).length >= QUEUE_LENGTH) return { kind: "full" };
    const hasWaitingCall = waitingCalls(this.#sql).length > 0;
    const album = openAlbum(this.#sql, message);
    if (!album) await this.#beginAlbums();
    if (!isCreated(this.#sql)) return { kind: "gone" };
    this.#deps.storage.transactionSync(() => {
      if (album) joinAlbum(this.#sql, album, message);
      else insertIncoming(this.#sql, message, Date.now());
      for (const file of files) addFile(this.#sql, userId, file);
      if (files.length > 0) noteStored(this.#sql);
    });
    await this.#deps.schedule(`begin:${album?.id ?? id}`, Date.now() + (isPicture(message) ? ALBUM_MS : FILES_AGAIN_MS));
    if (files.length > 0) await this.#deps.notifyStored();
    if (isCreated(this.#sql) && !isPicture(message)) await this.#beginNow(id);
    return { kind: hasWaitingCall ? "waits" : "taken" };
  }

  /** What comes after pictures stands after them, and they wait for no others. */
  async #beginAlbums(): Promise<void> {
    for (const { id } of waitingAlbums(this.#sql)) await this.#beginNow(id);
  }

  async #beginNow(id: string): Promise<void> {
    if ((await this.#begin(id)) === null) this.#deps.cancel(`begin:${id}`);
  }

  /** Lets a message wait its turn once its files were read. */
  async #begin(id: string): Promise<number | null> {
    const incoming = findIncoming(this.#sql, id);
    const item = incoming?.state === "reading" ? readItem(this.#sql, id) : null;
    if (!incoming || !item) return null;
    const { id: chatId } = readChat(this.#sql);
    const files = await Promise.all(item.files.map((file) => readAgain(this.#deps.env.FILES, chatId, file)));
    if (!isCreated(this.#sql) || findIncoming(this.#sql, id)?.state !== "reading") return null;
    // Another picture may have come to it meanwhile.
    if (readItem(this.#sql, id)?.files.length !== files.length) return Date.now() + FILES_AGAIN_MS;
    const isPending = files.some(({ unread }) => unread === STILL_READING);
    if (isPending && Date.now() < incoming.takenAt + FILES_PATIENCE_MS) return Date.now() + FILES_AGAIN_MS;
    await this.#deps.schedule(`answer:${id}`, Date.now() + LOOK_AGAIN_MS);
    await this.#deps.schedule(`typing:${id}`, Date.now() + TYPING_MS);
    this.#deps.storage.transactionSync(() => {
      for (const file of files) updateFile(this.#sql, file);
      const { content, displayName, messaging } = readItem(this.#sql, id) ?? item;
      const waiting = {
        id,
        requestId: id,
        authorId: incoming.userId,
        authorName: displayName,
        ip: null,
        content,
        settings: {},
        once: {},
        attachments: files.map((file) => file.id),
        chain: null,
        mailId: null,
        messaging,
        createdAt: new Date().toISOString(),
      };
      appendItems(this.#sql, [waiting], id);
      setIncoming(this.#sql, id, "begun");
    });
    this.#deps.notifyQueue();
    this.#deps.advance();
    return null;
  }

  /** Hands the answer to a message over once it has settled, whatever it became. */
  async #answer(id: string): Promise<number | null> {
    const incoming = findIncoming(this.#sql, id);
    if (incoming?.state !== "begun") return null;
    if (!this.#mayRead(incoming.userId)) {
      setIncoming(this.#sql, id, "answered");
      return null;
    }
    const question = findMessage(this.#sql, id);
    if (!question) return this.#patience(id);
    const { reply_id: replyId } = question;
    const reply = replyId === null ? null : findMessage(this.#sql, replyId);
    if (!reply) return null;
    if (storedTurn(this.#sql)?.replyId === reply.id || LIVE.has(reply.status)) {
      if (waitingCalls(this.#sql).length === 0) return Date.now() + LOOK_AGAIN_MS;
      // A life that ended while it asked may not have.
      await this.#deps.askAgain();
      return Date.now() + WAITING_MS;
    }
    const calls = readCalls(this.#sql, [reply.id]).get(reply.id) ?? [];
    const parts = answerText(
      { env: this.#deps.env, app: this.#app },
      { chatId: readChat(this.#sql).id, reply, calls, note: noteOf(question) },
    );
    const context = hasLaterMessages(this.#sql, incoming) ? incoming.messageId : null;
    this.#deps.storage.transactionSync(() => {
      for (const [index, text] of parts.entries()) {
        const body = { type: "text" as const, text };
        insertOutgoing(this.#sql, {
          id: `${reply.id}.${index}`,
          replyId: reply.id,
          userId: incoming.userId,
          context: index === 0 ? context : null,
          body,
        });
      }
      setIncoming(this.#sql, id, "answered");
    });
    this.#deps.cancel(`typing:${id}`);
    await this.#send();
    return null;
  }

  /** A message that waits its turn; its writer is notified once where that takes long and nothing is under way. */
  async #patience(id: string): Promise<number | null> {
    const incoming = findIncoming(this.#sql, id);
    if (!incoming) return null;
    const out = { replyId: null, userId: incoming.userId, context: incoming.messageId };
    if (!waitingItems(this.#sql).some((item) => item.id === id)) {
      this.#deps.storage.transactionSync(() => {
        setIncoming(this.#sql, id, "answered");
        insertOutgoing(this.#sql, { ...out, id: `gone.${id}`, body: { type: "text", text: TAKEN_OUT } });
      });
      await this.#send();
      return null;
    }
    const isPaused = readState(this.#sql).paused !== null;
    const isLate = isPaused || Date.now() > incoming.takenAt + LATE_MS;
    if (!incoming.isDelayNotified && storedTurn(this.#sql) === null && isLate) {
      this.#deps.storage.transactionSync(() => {
        noteDelayNotified(this.#sql, id);
        insertOutgoing(this.#sql, { ...out, id: `late.${id}`, body: { type: "text", text: isPaused ? this.#pausedText() : LATE } });
      });
      await this.#send();
    }
    return Date.now() + LOOK_AGAIN_MS;
  }

  #pausedText(): string {
    const { origin } = configOf(this.#deps.env);
    const place = origin === undefined ? "" : `\n${origin}/c/${readChat(this.#sql).id}`;
    return `The queue of this chat is paused, so your message waits. Let it go on in the chat.${place}`;
  }

  /** Shows that an answer is being written, as long as one is. */
  async #typing(id: string): Promise<number | null> {
    const incoming = findIncoming(this.#sql, id);
    const turn = storedTurn(this.#sql);
    if (incoming?.state !== "begun" || !turn || Date.now() > incoming.takenAt + TYPING_MAX_MS) return null;
    const isOwn = turn.request.kind === "send" && turn.request.id === id;
    if (isOwn && waitingCalls(this.#sql).length > 0) return null;
    if (isOwn) await showTyping(this.#deps.env, incoming.messageId);
    return Date.now() + TYPING_MS;
  }

  /** Sends what is to go out, with the alarm behind it. */
  async #send(): Promise<void> {
    await this.#deps.schedule("out", Date.now() + GUARD_MS);
    const again = await this.#sendAll();
    if (!isCreated(this.#sql)) return;
    if (again === null) this.#deps.cancel("out");
    else await this.#deps.schedule("out", again);
  }

  /** Two at once are one, which looks once more for what came meanwhile. */
  #sendAll(): Promise<number | null> {
    if (this.#sending) {
      this.#isMore = true;
      return this.#sending;
    }
    this.#sending = this.#drain().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #drain(): Promise<number | null> {
    let again: number | null;
    do {
      this.#isMore = false;
      again = await sendOutgoingMessages({ ...this.#deps, app: this.#app });
    } while (this.#isMore);
    return again;
  }

  /** A text that answers a question about a call, or is nothing but a yes or no while one waits. */
  async #answerCall(input: Extract<MessagingInput, { kind: "answer" }>): Promise<MessagingAnswer> {
    const { userId, name, text, about, identity, at } = input;
    const asked = about === null ? null : findSentMessage(this.#sql, about);
    const isAbout = asked?.body.type === "ask" && asked.userId === userId;
    const row = isAbout ? asked : this.#onlyAsk(asked?.id ?? about, at);
    const decision = row?.userId === userId ? readAnswer(text, name) : null;
    if (row?.body.type !== "ask" || !decision || (!isAbout && decision.kind === "change")) return { kind: "none" };
    return this.#decide({ token: row.body.token, userId, answer: decision, identity });
  }

  /** The one question that a word without a sign of what it is about can be meant for: it was on the phone before the word. */
  #onlyAsk(about: string | null, at: number): OutRow | null {
    const [only, ...others] = waitingCalls(this.#sql);
    const row = only && others.length === 0 ? findApprovalQuestion(this.#sql, only.call.id) : null;
    if (!row || !SHOWN.has(row.state) || row.triedAt === null || row.triedAt > at) return null;
    // What answers another message is about that one; a long question has its parts before it.
    return about === null || about.startsWith(`${row.id}.`) ? row : null;
  }

  async #decide(input: Parameters<MessagingDeps["answerApproval"]>[0]): Promise<MessagingAnswer> {
    const turn = storedTurn(this.#sql);
    const outcome = await this.#deps.answerApproval(input);
    if (outcome.kind === "unknown") return { kind: "gone" };
    if (outcome.kind === "stale") return outcome;
    if (outcome.kind === "done" && turn?.request.kind === "send") await this.#deps.schedule(`typing:${turn.request.id}`, Date.now());
    return { kind: outcome.kind === "repeat" ? "repeat" : "done" };
  }

  #rewrite({ userId, messageId, text }: Extract<MessagingInput, { kind: "rewrite" }>): MessagingAnswer {
    const incoming = findByMessageId(this.#sql, messageId);
    if (incoming?.userId !== userId) return { kind: "gone" };
    const { id } = incoming;
    const item = readItem(this.#sql, id);
    const isWaiting = waitingItems(this.#sql).some((one) => one.id === id) && !findMessage(this.#sql, id);
    if ((!item && !isWaiting) || this.#deps.isBeingSent(id) || hasAlbumParts(this.#sql, incoming)) return { kind: "none" };
    this.#deps.storage.transactionSync(() => {
      if (text === null) {
        if (isWaiting) removeItem(this.#sql, id);
        deleteIncoming(this.#sql, id);
      } else if (isWaiting) rewriteItem(this.#sql, id, text);
      else if (item) rewriteIncoming(this.#sql, id, { ...item, content: text });
    });
    this.#deps.notifyQueue();
    return { kind: "done" };
  }

  /** Lets go out what waited for somebody who has written. */
  async #flush(userId: string): Promise<MessagingAnswer> {
    const db = openDatabase(this.#deps.env.DB);
    const place = { userId, chatId: readChat(this.#sql).id };
    if (this.#mayRead(userId)) {
      const link = await linkOf(db, userId);
      if (!link || !mayAnswer(link) || !isCreated(this.#sql)) return { kind: "none" };
      await this.#deps.schedule("out", Date.now() + GUARD_MS);
      this.#deps.storage.transactionSync(() => unparkMessages(this.#sql, userId));
    } else if (deleteUnsent(this.#sql, userId)) this.#deps.notify(false);
    await this.#app.noteFlushed(db, place);
    if (!isCreated(this.#sql)) return { kind: "gone" };
    await this.#send();
    // The app may not have taken it after all, before it was noted that nothing waits.
    if (isCreated(this.#sql) && hasParkedMessages(this.#sql, userId)) await this.#app.noteWaiting(db, place);
    return { kind: "done" };
  }

  #mayRead(userId: string): boolean {
    return refuse(levelOf(this.#sql, userId), "read") === null;
  }
}

/** What there is to know about a message's turn. */
function noteOf({ messaging }: MessageRow): string | null {
  return messaging === null ? null : MessageMessaging.parse(JSON.parse(messaging)).note;
}

/** Messages that one answer is sent as; the rest is read in the chat. */
const PARTS = 10;

/** What an answer says in the app, in as many messages as it takes; one that failed or broke off says so. */
function answerText(
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

/** Pictures that somebody sends at once come as a message each: those that follow within moments are one message of the chat. So long one waits for others, in milliseconds, from the last one on. */
const ALBUM_MS = 2_000;

type Picture = Pick<TakenMessage, "messaging" | "files">;

/** True for what may be one of several pictures; what somebody handed on stands by itself. */
function isPicture({ messaging, files }: Picture): boolean {
  return messaging.kind === "picture" && !messaging.is_forwarded && files.length > 0;
}

/** The writer's pictures that still wait for others and have room for these; null where none do. */
function openAlbum(sql: SqlStorage, message: TakenMessage): Incoming | null {
  const last = waitingAlbums(sql).at(-1);
  const item = last && readItem(sql, last.id);
  if (!last || !item || !isPicture(message) || last.userId !== message.userId) return null;
  return item.files.length + message.files.length <= ATTACHMENTS_PER_MESSAGE ? last : null;
}

/** The pictures that still wait for others, in the order in which they came. */
function waitingAlbums(sql: SqlStorage): Incoming[] {
  return readingIds(sql).flatMap((id) => {
    const item = readItem(sql, id);
    const incoming = item && isPicture(item) ? findIncoming(sql, id) : null;
    return incoming ? [incoming] : [];
  });
}

/** Adds a picture to those before it: it has no turn of its own. Call it in a transaction. */
function joinAlbum(sql: SqlStorage, album: Incoming, message: TakenMessage): void {
  const item = readItem(sql, album.id);
  if (!item) return;
  insertIncoming(sql, message, album.takenAt);
  setIncoming(sql, message.id, "answered");
  const content = [item.content, message.content].filter((text) => text !== "").join("\n\n");
  const note = item.messaging.note ?? message.messaging.note;
  rewriteIncoming(sql, album.id, {
    ...item,
    content: content.slice(0, MESSAGE_LENGTH).toWellFormed(),
    files: [...item.files, ...message.files],
    messaging: { ...item.messaging, note },
  });
}
