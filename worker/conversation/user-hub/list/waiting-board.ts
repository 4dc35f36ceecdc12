/** What waits for the user's own word, as the rooms report it, and what became of it. */
import type { LiveEvent } from "#shared/live-events.ts";
import type { ChatReport } from "#worker/conversation/room/rpc.ts";
import { currentCursor, findStored } from "./chat-list.ts";
import { storeDecidedCalls, listDecidedCalls } from "./decided-calls.ts";
import { countWaiting, listWaiting, putWaiting, putWaitingMails } from "./waiting-rows.ts";
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
    list: (page) => listWaiting(sql, page),
    decided: (page) => listDecidedCalls(sql, page),
    event,
  };
}
