/** What waits for the user's own word, as the rooms report it, and what became of it. */
import type { LiveEvent } from "#shared/live-events.ts";
import type { DecidedCall } from "#shared/entities/waiting-call.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { ChatReport } from "#worker/conversation/room/rpc.ts";
import { currentCursor, findStored } from "./chat-list.ts";
import { countWaiting, readWaitingPage, putWaiting, putWaitingMails, type StoredCallRow } from "./waiting-items.ts";
import type { DecidedPage, WaitingPage } from "#worker/conversation/hub/rpc.ts";

type PageInput = { cursor?: string | undefined; limit: number };

export type WaitingBoard = {
  /** Takes what waits in one chat in place of what waited there; answers whether other calls wait than before. */
  put(chatId: string, report: Pick<ChatReport, "waiting" | "decided" | "mails" | "answers">): boolean;
  /** Forgets what waits in a chat that is gone from the list. */
  drop(chatId: string): void;
  /** A page of what waits, and of what was decided. */
  list(page: PageInput): WaitingPage;
  decided(page: PageInput): DecidedPage;
  /** How many things wait, as the tabs get it. */
  event(): LiveEvent;
};

/** The board of one user; `tell` notifies their tabs. */
export function createWaitingBoard(sql: SqlStorage, notify: (event: LiveEvent) => void): WaitingBoard {
  const event = (): LiveEvent => ({ type: "approvals.changed", cursor: String(currentCursor(sql)), count: countWaiting(sql) });
  return {
    put(chatId, { waiting = [], decided = [], mails, answers = [] }) {
      const { isChanged, noLongerWaiting } = putWaiting(sql, chatId, waiting);
      storeDecidedCalls(sql, { gone: noLongerWaiting, decided });
      const isMailChanged = mails !== undefined && putWaitingMails(sql, chatId, [...mails, ...answers]);
      if (isChanged || isMailChanged) notify(event());
      return isChanged;
    },
    drop(chatId) {
      if (findStored(sql, chatId) !== null) return;
      const { isChanged } = putWaiting(sql, chatId, []);
      if (putWaitingMails(sql, chatId, []) || isChanged) notify(event());
    },
    list: (page) => readWaitingPage(sql, page),
    decided: (page) => listDecidedCalls(sql, page),
    event,
  };
}

/** So many of the calls that waited for the user's own word are kept with what became of them. */
const DECIDED_MAX = 200;

type Row = { call_id: string; chat_id: string; reply_id: string; at: string; call: string; chat: string };

/** Keeps the calls that no longer wait: as their room says that they were decided, else as they waited. */
function storeDecidedCalls(sql: SqlStorage, { gone, decided }: { gone: readonly StoredCallRow[]; decided: readonly ToolCall[] }): void {
  if (gone.length === 0) return;
  const at = new Date().toISOString();
  for (const { call_id: id, chat_id: chatId, reply_id: replyId, call } of gone) {
    const decision = decided.find((one) => one.id === id);
    sql.exec(
      "INSERT INTO decided_calls (call_id, chat_id, reply_id, at, call) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      id,
      chatId,
      replyId,
      at,
      decision ? JSON.stringify(decision) : call,
    );
  }
  sql.exec(
    "DELETE FROM decided_calls WHERE call_id IN (SELECT call_id FROM decided_calls ORDER BY at DESC, call_id DESC LIMIT -1 OFFSET ?)",
    DECIDED_MAX,
  );
}

/** A page of them, newest first. */
function listDecidedCalls(sql: SqlStorage, { cursor = "9999~", limit }: { cursor?: string | undefined; limit: number }): DecidedPage {
  const [at, id] = cursor.split("~");
  const rows = sql
    .exec<Row>(
      `SELECT d.call_id, d.chat_id, d.reply_id, d.at, d.call, c.row AS chat FROM decided_calls d
         JOIN chats c ON c.id = d.chat_id AND c.deleted = 0
       WHERE (d.at, d.call_id) < (?, ?) ORDER BY d.at DESC, d.call_id DESC LIMIT ?`,
      at ?? "",
      id ?? "",
      limit + 1,
    )
    .toArray();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { decided: page.map(toDecidedCall), nextCursor: last ? `${last.at}~${last.call_id}` : null };
}

/** Both texts are the hub's own writing of what a room reported. */
function toDecidedCall({ chat_id: chatId, reply_id: replyId, at, call: stored, chat }: Row): DecidedCall {
  const call: DecidedCall["call"] = JSON.parse(stored);
  const { title }: { title: string } = JSON.parse(chat);
  return { chat: { id: chatId, title }, message_id: replyId, call, decided_at: at };
}
