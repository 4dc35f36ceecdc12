/** Which chats the user looks at, over all tabs: what they get meanwhile is read, and in shared ones others see who is here. */
import { ATTENTION_REPEAT_MS } from "#shared/live-limits.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { TabFrame } from "#shared/tab-frames.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { currentCursor, findStored } from "../list/chat-list.ts";
import { type Attention, attentionOf, isFresh, attachTab, openTabs, tabOf } from "./tabs.ts";
import type { Presence, PresentState } from "#worker/conversation/room/rpc.ts";
import type { AttentionState } from "#worker/conversation/hub/rpc.ts";

/** A longer frame is no tab's: bytes, about. */
const FRAME_LENGTH = 500;
/** So many frames of one tab have an effect in so many milliseconds, more than any hand makes; of others only what the tab shows is kept. */
const FRAMES = 30;
const FRAMES_MS = 10_000;
/** A room does not get the same again before this many milliseconds; typing is, each time. */
const REPORT_INTERVAL_MS = ATTENTION_REPEAT_MS / 2;

type Deps = {
  ctx: DurableObjectState;
  env: Env;
  userId: string;
  /** Marks a chat read. */
  markRead(chatId: string): void;
};

export type AttentionKeeper = {
  /** Takes what a tab says over its socket; what is no frame of ours is passed over. */
  receiveFrame(socket: WebSocket, message: string | ArrayBuffer): Promise<void>;
  /** The same for someone without a socket, by session. */
  look(who: { sessionId: string; displayName: string }, what: AttentionState): Promise<void>;
  /** A socket's tab is gone. */
  leave(socket: WebSocket): Promise<void>;
  /** True while some tab of the user shows this chat and is looked at. */
  isAttended(chatId: string): boolean;
  /** True while some tab of the user is looked at, whatever it shows. */
  isHere(): boolean;
  /** The chats that the user's tabs show. */
  shown(): string[];
  /** Says to a chat's room that the user is there, where it may not know: the chat was shared while a tab showed it. */
  meet(chatId: string): Promise<void>;
  /** Shows the tabs of a chat who is there. */
  show(chatId: string, presence: Presence): void;
};

/** Keeps the attention of one user's tabs. */
export function createAttention({ ctx, env, userId, markRead }: Deps): AttentionKeeper {
  const { sql } = ctx.storage;
  /** Of sessions without a socket. */
  const asked = new Map<string, Attention>();
  /** Chats whose rooms count the user as present. */
  const reported = new Map<string, { isTyping: boolean; at: number }>();
  const paces = new WeakMap<WebSocket, { since: number; frames: number }>();
  const closedSockets = new WeakSet<WebSocket>();

  function all(): Attention[] {
    const tabs = openTabs(ctx).flatMap((tab) => (closedSockets.has(tab.socket) ? [] : (attentionOf(ctx, tab) ?? [])));
    return [...tabs, ...[...asked.values()].filter(({ at }) => isFresh(at))];
  }

  function stateIn(chatId: string): PresentState {
    const here = all().filter((attention) => attention.chatId === chatId && attention.visible);
    return { isHere: here.length > 0, isTyping: here.some(({ typing }) => typing) };
  }

  /**
   * Reports to a shared chat's room how the user stands to it, unless that was just done. `wasHere` says that the tab looked at it
   * before, which a hub that slept knows from the tab alone; `isNew`, that the tab has yet to learn who is there.
   */
  async function announce(chatId: string, displayName: string, { wasHere, isNew }: { wasHere: boolean; isNew: boolean }): Promise<void> {
    if (findStored(sql, chatId)?.is_shared !== 1) return;
    const state = stateIn(chatId);
    const before = reported.get(chatId);
    if (!state.isHere && !wasHere && !before) return;
    const isSame = before?.isTyping === state.isTyping && before.at > Date.now() - REPORT_INTERVAL_MS;
    if (state.isHere && isSame && !isNew && !state.isTyping) return;
    if (state.isHere) reported.set(chatId, { isTyping: state.isTyping, at: Date.now() });
    else reported.delete(chatId);
    const presence = await attend(chatId, displayName, state);
    if (presence && state.isHere) show(chatId, presence);
  }

  /** Nobody's presence is worth a failure: a room that was not reached hears again when the tab next says that it is there. */
  async function attend(chatId: string, displayName: string, state: PresentState): Promise<Presence | null> {
    try {
      const outcome: Outcome<Presence> = await roomOf(env, chatId).attend({ userId, displayName }, state);
      return outcome.ok ? outcome.value : null;
    } catch (cause) {
      log.warn("a room was not notified of who is there", { cause });
      return null;
    }
  }

  function see({ chatId, visible, opened }: AttentionState): void {
    const stored = chatId !== null && visible ? findStored(sql, chatId) : null;
    if (stored && stored.is_read === 0 && (stored.is_marked_unread === 0 || opened)) markRead(stored.id);
  }

  async function change(before: Attention | null, now: AttentionState, displayName: string): Promise<void> {
    see(now);
    const left = before?.chatId ?? null;
    const wasHere = before?.visible === true;
    const isNew = left !== now.chatId;
    if (left !== null && isNew) await announce(left, displayName, { wasHere, isNew: false });
    if (now.chatId !== null) await announce(now.chatId, displayName, { wasHere: wasHere && !isNew, isNew });
  }

  function isTooFast(socket: WebSocket): boolean {
    const now = Date.now();
    const pace = paces.get(socket);
    if (!pace || pace.since <= now - FRAMES_MS) {
      paces.set(socket, { since: now, frames: 1 });
      return false;
    }
    pace.frames += 1;
    return pace.frames > FRAMES;
  }

  function show(chatId: string, { people, count }: Presence): void {
    const event: LiveEvent = { type: "presence.changed", cursor: String(currentCursor(sql)), chat_id: chatId, people, count };
    const frame = JSON.stringify(event);
    for (const { socket, tab } of openTabs(ctx)) if (tab.attention?.chatId === chatId) socket.send(frame);
  }

  return {
    async receiveFrame(socket, message) {
      const frame = readFrame(message);
      const hasEffect = !isTooFast(socket);
      const tab = frame && tabOf(socket);
      if (!frame || !tab) return;
      const { chat_id: chatId, visible, typing, opened } = frame;
      attachTab(socket, { ...tab, attention: { chatId, visible, typing, at: Date.now() } });
      if (hasEffect) await change(tab.attention, { chatId, visible, typing, opened }, tab.displayName);
    },
    async look({ sessionId, displayName }, what) {
      const before = asked.get(sessionId) ?? null;
      const { chatId, visible, typing } = what;
      asked.set(sessionId, { chatId, visible, typing, at: Date.now() });
      for (const [id, { at }] of asked) if (!isFresh(at)) asked.delete(id);
      await change(before, what, displayName);
    },
    async leave(socket) {
      closedSockets.add(socket);
      const tab = tabOf(socket);
      if (!tab?.attention?.chatId) return;
      await announce(tab.attention.chatId, tab.displayName, { wasHere: tab.attention.visible, isNew: false });
    },
    async meet(chatId) {
      if (reported.has(chatId)) return;
      const tab = openTabs(ctx).find(({ tab: { attention } }) => attention?.chatId === chatId && attention.visible)?.tab;
      if (tab) await announce(chatId, tab.displayName, { wasHere: false, isNew: true });
    },
    shown: () => all().flatMap(({ chatId }) => (chatId === null ? [] : [chatId])),
    isAttended: (chatId) => stateIn(chatId).isHere,
    isHere: () => all().some(({ visible }) => visible),
    show,
  };
}

function readFrame(message: string | ArrayBuffer) {
  if (typeof message !== "string" || message.length > FRAME_LENGTH) return null;
  try {
    return TabFrame.safeParse(JSON.parse(message)).data ?? null;
  } catch {
    return null;
  }
}
