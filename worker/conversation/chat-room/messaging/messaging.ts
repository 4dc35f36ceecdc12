/** The messaging app in one room: what comes in begins turns, and their answers and questions go out. */
import { QUEUE_LENGTH } from "#shared/limits.ts";
import { fieldsOf, toolName } from "#worker/conversation/approvals/describe-call.ts";
import { readAnswer } from "#worker/mail/inbound/read-answer.ts";
import { STILL_READING } from "#worker/library/attachments/readers/extraction.ts";
import { readAgain } from "#worker/library/attachments/readers/read-parts.ts";
import { BUTTONS_TEXT_LENGTH, showTyping } from "#worker/platform/clients/whatsapp/send.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf } from "#worker/platform/env.ts";
import { linkOf, mayAnswer } from "#worker/people/messaging-number/messaging-number.ts";
import { levelOf, refuse } from "../access/access.ts";
import { readChat, storedTurn } from "../chat.ts";
import { addFile, updateFile } from "../messages/attachments.ts";
import { findMessage } from "../messages/messages.ts";
import { noteStored } from "../messages/stored-files.ts";
import { isCreated } from "../migrations.ts";
import { appendItems, rewriteItem, takeItem, waitingItems } from "../queue/queue-items.ts";
import { readState } from "../queue/queue-state.ts";
import { readCalls, waitingCalls } from "../messages/tool-rounds.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { ALBUM_MS, isPicture, joinAlbum, openAlbum, waitingAlbums } from "./album.ts";
import { answerText } from "./answer-text.ts";
import {
  deleteIncoming,
  findByMessageId,
  findIncoming,
  hasJoined,
  insertIncoming,
  isFollowed,
  noteDelayNotified,
  readItem,
  rewriteIncoming,
  setIncoming,
} from "./in-rows.ts";
import { noteStatus } from "./note-status.ts";
import {
  askId,
  deleteUnsent,
  failUnsent,
  findAsk,
  findSent,
  insertOut,
  hasParkedMessages,
  type OutRow,
  unparkMessages,
} from "./out-rows.ts";
import type { Messaging, MessagingDeps } from "./parts.ts";
import type { MessagingAnswer, MessagingInput, TakenMessage } from "#worker/conversation/room/messaging.ts";
import { sendOutgoingMessages, UNLINKED } from "./send-outgoing.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import type { MessagingApp } from "#worker/conversation/features.ts";

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
export function createMessaging(deps: MessagingDeps, app: MessagingApp): Messaging {
  const { env, storage, tools, schedule, cancel, notify, advance } = deps;
  const { sql } = storage;
  let sending: Promise<number | null> | null = null;
  let isMore = false;

  async function take(message: TakenMessage): Promise<MessagingAnswer> {
    const { id, messageId, userId, files } = message;
    if (findByMessageId(sql, messageId)) return { kind: "repeat" };
    if (refuse(levelOf(sql, userId), "send")) return { kind: "refused" };
    if (waitingItems(sql).length >= QUEUE_LENGTH) return { kind: "full" };
    const hasWaitingCall = waitingCalls(sql).length > 0;
    const album = openAlbum(sql, message);
    if (!album) await beginAlbums();
    if (!isCreated(sql)) return { kind: "gone" };
    storage.transactionSync(() => {
      if (album) joinAlbum(sql, album, message);
      else insertIncoming(sql, message, Date.now());
      for (const file of files) addFile(sql, userId, file);
      if (files.length > 0) noteStored(sql);
    });
    await schedule(`begin:${album?.id ?? id}`, Date.now() + (isPicture(message) ? ALBUM_MS : FILES_AGAIN_MS));
    if (files.length > 0) await deps.notifyStored();
    if (isCreated(sql) && !isPicture(message)) await beginNow(id);
    return { kind: hasWaitingCall ? "waits" : "taken" };
  }

  /** What comes after pictures stands after them, and they wait for no others. */
  async function beginAlbums(): Promise<void> {
    for (const { id } of waitingAlbums(sql)) await beginNow(id);
  }

  async function beginNow(id: string): Promise<void> {
    if ((await begin(id)) === null) cancel(`begin:${id}`);
  }

  /** Lets a message wait its turn once its files were read. */
  async function begin(id: string): Promise<number | null> {
    const incoming = findIncoming(sql, id);
    const item = incoming?.state === "reading" ? readItem(sql, id) : null;
    if (!incoming || !item) return null;
    const { id: chatId } = readChat(sql);
    const files = await Promise.all(item.files.map((file) => readAgain(env.FILES, chatId, file)));
    if (!isCreated(sql) || findIncoming(sql, id)?.state !== "reading") return null;
    // Another picture may have come to it meanwhile.
    if (readItem(sql, id)?.files.length !== files.length) return Date.now() + FILES_AGAIN_MS;
    const isPending = files.some(({ unread }) => unread === STILL_READING);
    if (isPending && Date.now() < incoming.takenAt + FILES_PATIENCE_MS) return Date.now() + FILES_AGAIN_MS;
    await schedule(`answer:${id}`, Date.now() + LOOK_AGAIN_MS);
    await schedule(`typing:${id}`, Date.now() + TYPING_MS);
    storage.transactionSync(() => {
      for (const file of files) updateFile(sql, file);
      const { content, displayName, messaging } = readItem(sql, id) ?? item;
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
      appendItems(sql, [waiting], id);
      setIncoming(sql, id, "begun");
    });
    deps.notifyQueue();
    advance();
    return null;
  }

  /** Hands the answer to a message over once it has settled, whatever it became. */
  async function answer(id: string): Promise<number | null> {
    const incoming = findIncoming(sql, id);
    if (incoming?.state !== "begun") return null;
    if (!mayRead(incoming.userId)) {
      setIncoming(sql, id, "answered");
      return null;
    }
    const question = findMessage(sql, id);
    if (!question) return patience(id);
    const { reply_id: replyId } = question;
    const reply = replyId === null ? null : findMessage(sql, replyId);
    if (!reply) return null;
    if (storedTurn(sql)?.replyId === reply.id || LIVE.has(reply.status)) {
      if (waitingCalls(sql).length === 0) return Date.now() + LOOK_AGAIN_MS;
      // A life that ended while it asked may not have.
      await deps.askAgain();
      return Date.now() + WAITING_MS;
    }
    const calls = readCalls(sql, [reply.id]).get(reply.id) ?? [];
    const parts = answerText({ env, app }, { chatId: readChat(sql).id, reply, calls, note: noteOf(question) });
    const context = isFollowed(sql, incoming) ? incoming.messageId : null;
    storage.transactionSync(() => {
      for (const [index, text] of parts.entries()) {
        const body = { type: "text" as const, text };
        insertOut(sql, {
          id: `${reply.id}.${index}`,
          replyId: reply.id,
          userId: incoming.userId,
          context: index === 0 ? context : null,
          body,
        });
      }
      setIncoming(sql, id, "answered");
    });
    cancel(`typing:${id}`);
    await send();
    return null;
  }

  /** A message that waits its turn; its writer is notified once where that takes long and nothing is under way. */
  async function patience(id: string): Promise<number | null> {
    const incoming = findIncoming(sql, id);
    if (!incoming) return null;
    const out = { replyId: null, userId: incoming.userId, context: incoming.messageId };
    if (!waitingItems(sql).some((item) => item.id === id)) {
      storage.transactionSync(() => {
        setIncoming(sql, id, "answered");
        insertOut(sql, { ...out, id: `gone.${id}`, body: { type: "text", text: TAKEN_OUT } });
      });
      await send();
      return null;
    }
    const isPaused = readState(sql).paused !== null;
    const isLate = isPaused || Date.now() > incoming.takenAt + LATE_MS;
    if (!incoming.isDelayNotified && storedTurn(sql) === null && isLate) {
      storage.transactionSync(() => {
        noteDelayNotified(sql, id);
        insertOut(sql, { ...out, id: `late.${id}`, body: { type: "text", text: isPaused ? pausedText() : LATE } });
      });
      await send();
    }
    return Date.now() + LOOK_AGAIN_MS;
  }

  function pausedText(): string {
    const { origin } = configOf(env);
    const place = origin === undefined ? "" : `\n${origin}/c/${readChat(sql).id}`;
    return `The queue of this chat is paused, so your message waits. Let it go on in the chat.${place}`;
  }

  /** Shows that an answer is being written, as long as one is. */
  async function typing(id: string): Promise<number | null> {
    const incoming = findIncoming(sql, id);
    const turn = storedTurn(sql);
    if (incoming?.state !== "begun" || !turn || Date.now() > incoming.takenAt + TYPING_MAX_MS) return null;
    const isOwn = turn.request.kind === "send" && turn.request.id === id;
    if (isOwn && waitingCalls(sql).length > 0) return null;
    if (isOwn) await showTyping(env, incoming.messageId);
    return Date.now() + TYPING_MS;
  }

  /** Sends what is to go out, with the alarm behind it. */
  async function send(): Promise<void> {
    await schedule("out", Date.now() + GUARD_MS);
    const again = await sendAll();
    if (!isCreated(sql)) return;
    if (again === null) cancel("out");
    else await schedule("out", again);
  }

  /** Two at once are one, which looks once more for what came meanwhile. */
  function sendAll(): Promise<number | null> {
    if (sending) {
      isMore = true;
      return sending;
    }
    sending = drain().finally(() => {
      sending = null;
    });
    return sending;
  }

  async function drain(): Promise<number | null> {
    let again: number | null;
    do {
      isMore = false;
      again = await sendOutgoingMessages({ env, storage, app, notify });
    } while (isMore);
    return again;
  }

  /** Asks for a word about each call that waits, by buttons. */
  async function ask(callId: string, { token, userId }: { token: string; userId: string }): Promise<void> {
    const found = waitingCalls(sql).find(({ call }) => call.id === callId);
    if (!found) return;
    const { tool, input } = toToolCall(found.call);
    const fields = fieldsOf(tools, { tool, input }).map(({ label, value }) => `*${label}:* ${value}`);
    const before = `I want to use *${toolName(tool)}*. Nothing happens until you approve it.`;
    const fullText = [before, ...fields].join("\n\n");
    const isShort = fullText.length <= BUTTONS_TEXT_LENGTH;
    const out = { replyId: null, userId, context: null };
    storage.transactionSync(() => {
      if (!isShort) {
        for (const [index, text] of app.splitText(fullText).entries())
          insertOut(sql, { ...out, id: `${askId(callId)}.${index}`, body: { type: "text", text } });
      }
      const text = isShort ? fullText : `Use *${toolName(tool)}* with exactly this?`;
      insertOut(sql, { ...out, id: askId(callId), body: { type: "ask", text, callId, token } });
    });
    await send();
  }

  /** A text that answers a question about a call, or is nothing but a yes or no while one waits. */
  async function answerCall(input: Extract<MessagingInput, { kind: "answer" }>): Promise<MessagingAnswer> {
    const { userId, name, text, about, identity, at } = input;
    const asked = about === null ? null : findSent(sql, about);
    const isAbout = asked?.body.type === "ask" && asked.userId === userId;
    const row = isAbout ? asked : onlyAsk(asked?.id ?? about, at);
    const decision = row?.userId === userId ? readAnswer(text, name) : null;
    if (row?.body.type !== "ask" || !decision || (!isAbout && decision.kind === "change")) return { kind: "none" };
    return decide({ token: row.body.token, userId, answer: decision, identity });
  }

  /** The one question that a word without a sign of what it is about can be meant for: it was on the phone before the word. */
  function onlyAsk(about: string | null, at: number): OutRow | null {
    const [only, ...others] = waitingCalls(sql);
    const row = only && others.length === 0 ? findAsk(sql, only.call.id) : null;
    if (!row || !SHOWN.has(row.state) || row.triedAt === null || row.triedAt > at) return null;
    // What answers another message is about that one; a long question has its parts before it.
    return about === null || about.startsWith(`${row.id}.`) ? row : null;
  }

  async function decide(input: Parameters<MessagingDeps["answerApproval"]>[0]): Promise<MessagingAnswer> {
    const turn = storedTurn(sql);
    const outcome = await deps.answerApproval(input);
    if (outcome.kind === "unknown") return { kind: "gone" };
    if (outcome.kind === "stale") return outcome;
    if (outcome.kind === "done" && turn?.request.kind === "send") await schedule(`typing:${turn.request.id}`, Date.now());
    return { kind: outcome.kind === "repeat" ? "repeat" : "done" };
  }

  function rewrite({ userId, messageId, text }: Extract<MessagingInput, { kind: "rewrite" }>): MessagingAnswer {
    const incoming = findByMessageId(sql, messageId);
    if (incoming?.userId !== userId) return { kind: "gone" };
    const { id } = incoming;
    const item = readItem(sql, id);
    const isWaiting = waitingItems(sql).some((one) => one.id === id) && !findMessage(sql, id);
    if ((!item && !isWaiting) || deps.isBeingSent(id) || hasJoined(sql, incoming)) return { kind: "none" };
    storage.transactionSync(() => {
      if (text === null) {
        if (isWaiting) takeItem(sql, id);
        deleteIncoming(sql, id);
      } else if (isWaiting) rewriteItem(sql, id, text);
      else if (item) rewriteIncoming(sql, id, { ...item, content: text });
    });
    deps.notifyQueue();
    return { kind: "done" };
  }

  /** Lets go out what waited for somebody who has written. */
  async function flush(userId: string): Promise<MessagingAnswer> {
    const db = openDatabase(env.DB);
    const place = { userId, chatId: readChat(sql).id };
    if (mayRead(userId)) {
      const link = await linkOf(db, userId);
      if (!link || !mayAnswer(link) || !isCreated(sql)) return { kind: "none" };
      await schedule("out", Date.now() + GUARD_MS);
      storage.transactionSync(() => unparkMessages(sql, userId));
    } else if (deleteUnsent(sql, userId)) notify(false);
    await app.noteFlushed(db, place);
    if (!isCreated(sql)) return { kind: "gone" };
    await send();
    // The app may not have taken it after all, before it was noted that nothing waits.
    if (isCreated(sql) && hasParkedMessages(sql, userId)) await app.noteWaiting(db, place);
    return { kind: "done" };
  }

  const mayRead = (userId: string) => refuse(levelOf(sql, userId), "read") === null;

  return {
    async call(input) {
      switch (input.kind) {
        case "take":
          return take(input.message);
        case "rewrite":
          return rewrite(input);
        case "answer":
          return answerCall(input);
        case "press":
          return decide({
            token: input.token,
            userId: input.userId,
            answer: { kind: input.isApproved ? "approve" : "discard" },
            identity: input.identity,
          });
        case "status":
          if (!(await noteStatus({ ...deps, app }, input.status))) return { kind: "done" };
          if (sending) isMore = true;
          else await send();
          return { kind: "done" };
        case "flush":
          return flush(input.userId);
        case "unlinked":
          if (failUnsent(sql, input.userId, UNLINKED)) notify(true);
          return { kind: "done" };
      }
    },
    ask,
    settled: (id) => schedule(`answer:${id}`, Date.now()),
    async due(work) {
      const [kind = "", id = ""] = work.split(":");
      if (!isCreated(sql)) return null;
      if (kind === "out") return sendAll();
      if (kind === "begin") return begin(id);
      return kind === "typing" ? typing(id) : answer(id);
    },
  };
}

/** What there is to know about a message's turn. */
function noteOf({ messaging }: MessageRow): string | null {
  return messaging === null ? null : MessageMessaging.parse(JSON.parse(messaging)).note;
}
