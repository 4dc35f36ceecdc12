import { InfiniteQueryObserver } from "@tanstack/react-query";
import { vi } from "vitest";
import type { LiveEvent } from "#shared/live-events.ts";
import type { Message } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import { NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { encodeReplyEvent } from "#shared/reply-events.ts";
import { memoryStorage } from "#test/support/memory-storage.ts";
import { id } from "#test/web/message-factory.ts";
import { locks } from "./locks.ts";
import { type Answer, type RoomEvent, SimulatedRoom } from "./simulated-room.ts";

/** A tab's own memory: modules of its own, loaded for it. */
async function loadModules() {
  vi.resetModules();
  const { outbox } = await import("#web/features/conversation/sending/outbox.ts");
  const { sendQueued, retry } = await import("#web/features/conversation/sending/send-queued.ts");
  const { deliver, lastShownId, confirmStored: settleArrived } = await import("#web/features/conversation/sending/send-message.ts");
  const { isLineWaiting } = await import("#web/features/conversation/sending/message-owner.ts");
  const { messagesQuery } = await import("#web/features/conversation/messages/use-messages.ts");
  const { pathOf } = await import("#web/features/conversation/messages/message-pages.ts");
  const { applyLiveEvent } = await import("#web/features/conversation/chat/apply-live-event.ts");
  const { emitLive, onLive, forgetCursor, stopHearing } = await import("#web/lib/live.ts");
  const { connection } = await import("#web/lib/connection.ts");
  const { followWhileShown } = await import("#web/features/conversation/replies/reply-streams.ts");
  const { keys, queryClient } = await import("#web/lib/query.ts");
  // Loaded with the first use: as long as these are this tab's own.
  await import("#web/features/conversation/replies/reply-stream.ts");
  await import("#web/features/conversation/sending/wait-instead.ts");
  return {
    outbox,
    sendQueued,
    retry,
    deliver,
    lastShown: lastShownId,
    settleArrived,
    isLineWaiting,
    messagesQuery,
    pathOf,
    applyLiveEvent,
    emitLive,
    onLive,
    forgetCursor,
    stopHearing,
    connection,
    holdStream: followWhileShown,
    keys,
    queryClient,
  };
}

type Modules = Awaited<ReturnType<typeof loadModules>>;

/** What one page of the browser does, as its person moves in it. */
export class SimulatedTab {
  shown: string | null = null;
  isConnected = true;
  readonly inbox: LiveEvent[] = [];
  /** What this tab has shown of each chat so far, by message. */
  readonly seen = new Set<string>();
  private cursor = 0;
  private leave = () => {};
  private pendingStream: { replyId: string; release: () => void } | null = null;

  private readonly page: Modules;
  private readonly browser: SimulatedBrowser;

  constructor(page: Modules, browser: SimulatedBrowser) {
    this.page = page;
    this.browser = browser;
    page.onLive((event) => page.applyLiveEvent(event, this.shown));
  }

  /** The path of the shown chat as it stands on screen; null while nothing is. */
  path(): Message[] | null {
    if (this.shown === null) return null;
    const pages = this.page.queryClient.getQueryData<Parameters<Modules["pathOf"]>[0]>(this.page.keys.messages(this.shown));
    return pages ? this.page.pathOf(pages) : null;
  }

  open(chatId: string): void {
    this.close();
    this.shown = chatId;
    const options = this.page.messagesQuery(chatId);
    const observer = new InfiniteQueryObserver(this.page.queryClient, options);
    this.leave = observer.subscribe(() => this.look());
    this.look();
    void this.page.sendQueued();
  }

  close(): void {
    this.leave();
    this.leave = () => {};
    this.pendingStream?.release();
    this.pendingStream = null;
    this.shown = null;
  }

  /** What rendering does: what stands there is seen, a live reply is followed, and what arrived after all is no longer pending. */
  look(): void {
    const path = this.path();
    if (path === null || this.shown === null) return;
    for (const { id: messageId } of path) this.seen.add(messageId);
    const last = path.at(-1);
    const replyId = last && isLive(last.status) ? last.id : null;
    if (this.pendingStream && this.pendingStream.replyId !== replyId) {
      this.pendingStream.release();
      this.pendingStream = null;
    }
    if (replyId !== null && this.pendingStream === null)
      this.pendingStream = { replyId, release: this.page.holdStream(this.shown, replyId, () => {}) };
    for (const send of this.page.outbox.ofChat(this.shown)) {
      const stored = path.find((message) => message.id === send.id);
      if (!stored || send.state.kind === "sending") continue;
      this.page.settleArrived(send, stored);
      void this.page.sendQueued();
    }
  }

  /** Writes a message and presses Send, where the composer would send it at once. Answers its id. */
  send(content: string): string | null {
    const { outbox, deliver, connection, isLineWaiting, lastShown, sendQueued } = this.page;
    const path = this.path();
    const chatId = this.shown;
    if (chatId === null || path === null) return null;
    const last = path.at(-1);
    const isBusy = (last && isLive(last.status)) || outbox.ofChat(chatId).some(({ state }) => state.kind === "sending");
    if (isBusy) return null;
    const isAtOnce = connection().kind === "online" && !isLineWaiting(chatId);
    const send = {
      id: this.browser.newId(),
      chatId,
      content,
      settings: { model_id: "auto" },
      ownerId: "me",
      isFirst: false,
      follows: lastShown(chatId),
      state: { kind: isAtOnce ? ("sending" as const) : ("queued" as const) },
    };
    this.browser.press(send.id, this);
    outbox.add(send);
    if (!isAtOnce) void sendQueued();
    else
      void deliver(send).then((outcome) => {
        if (outcome.kind !== "refused") return;
        // Back to the composer.
        outbox.remove(send.id);
        this.browser.returned.push({ id: send.id, code: outcome.code });
      });
    return send.id;
  }

  /** Presses Send or Retry at the first message of the shown chat that was not sent. */
  press(): void {
    const failed = this.shown === null ? undefined : this.page.outbox.ofChat(this.shown).find(({ state }) => state.kind === "failed");
    if (!failed || this.path() === null) return;
    this.browser.press(failed.id, this);
    void this.page.retry(failed);
  }

  /** Takes what has come over its socket. */
  hear(): void {
    for (const event of this.inbox.splice(0)) {
      this.cursor = Math.max(this.cursor, Number(event.cursor));
      this.page.emitLive(event);
    }
  }

  disconnect(): void {
    if (!this.isConnected) return;
    this.isConnected = false;
    this.inbox.length = 0;
    this.page.stopHearing();
  }

  connect(hasReset: boolean): void {
    if (this.isConnected || !this.browser.isOnline) return;
    this.isConnected = true;
    this.inbox.push(...this.browser.missedSince(this.cursor, hasReset));
  }

  pending() {
    return this.page.outbox.all();
  }

  isAsking(): boolean {
    return this.page.queryClient.isFetching() > 0;
  }

  isOnline(): boolean {
    return this.page.connection().kind === "online";
  }

  /** As after loading it anew, with nothing left of what was before. */
  begin(): void {
    this.close();
    for (const { id: sendId } of this.page.outbox.all()) this.page.outbox.remove(sendId);
    this.page.queryClient.clear();
    this.page.queryClient.setQueryData(this.page.keys.session, { user: { id: "me", anonymous: false }, features: {} });
    this.page.forgetCursor();
    this.cursor = 0;
    this.seen.clear();
    this.inbox.length = 0;
    this.isConnected = false;
    this.connect(false);
    this.hear();
  }
}

type Source = { replyId: string; emit: (data: string, id: string) => void };

/** A person's tabs, the store and the network that they share, and the server behind it. */
export class SimulatedBrowser {
  readonly tabs: SimulatedTab[] = [];
  rooms: SimulatedRoom[] = [];
  /** Messages that went back to their composer. */
  returned: { id: string; code: string }[] = [];
  /** By message: what its writer had seen when it was last asked to go out. */
  presses = new Map<string, ReadonlySet<string>>();
  written: string[] = [];
  /** Messages that were left to the queue, where everybody sees them wait. */
  queued = new Set<string>();
  isOnline = true;
  private numbers = 1_000;
  private cursor = 0;
  private sources: Source[] = [];
  private answers: (() => void)[] = [];
  private readonly targets: EventTarget[] = [];

  newId = (): string => id((this.numbers += 1));

  async openTabs(count: number): Promise<void> {
    vi.stubGlobal("localStorage", memoryStorage());
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => this.fetch(url, init));
    vi.stubGlobal("EventSource", this.eventSource());
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run));
    vi.stubGlobal("navigator", { onLine: true, locks: locks() });
    for (let opened = 0; opened < count; opened += 1) {
      const target = new EventTarget();
      this.targets.push(target);
      vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
      this.tabs.push(new SimulatedTab(await loadModules(), this));
    }
  }

  /** Everything anew: chats that no tab knows, and nothing under way. */
  async begin(chats: number): Promise<void> {
    this.setOnline(true);
    this.rooms = Array.from(
      { length: chats },
      () => new SimulatedRoom(this.newId(), { newId: this.newId, report: (room, news) => this.report(room, news) }),
    );
    this.returned = [];
    this.presses = new Map();
    this.written = [];
    this.queued = new Set();
    this.sources = [];
    for (const tab of this.tabs) tab.begin();
    await this.settle();
  }

  press(messageId: string, tab: SimulatedTab): void {
    if (!this.presses.has(messageId)) this.written.push(messageId);
    this.presses.set(messageId, new Set(tab.seen));
  }

  missedSince(cursor: number, reset: boolean): LiveEvent[] {
    const rows = reset ? [] : this.rooms.filter(({ changedAt }) => changedAt > cursor).map((room) => this.row(room));
    return [...rows, { type: "hello", cursor: String(this.cursor), reset, version: "" }];
  }

  setOnline(isOnline: boolean): void {
    this.isOnline = isOnline;
    // Lines break off with the network, and come again with it.
    for (const tab of this.tabs)
      if (isOnline) tab.connect(false);
      else tab.disconnect();
    if (isOnline) for (const target of this.targets) target.dispatchEvent(new Event("online"));
  }

  /** Lets everything that is under way come to its end. */
  async settle(): Promise<void> {
    for (let quiet = 0, rounds = 0; quiet < 3; rounds += 1) {
      if (rounds > 60) throw new Error("The tabs do not come to rest.");
      const releases = this.answers.splice(0);
      for (const release of releases) release();
      for (const tab of this.tabs) tab.hear();
      // Each sees what another one changed in the store.
      for (const target of this.targets) target.dispatchEvent(Object.assign(new Event("storage"), { key: "outbox:" }));
      await vi.advanceTimersByTimeAsync(1_500);
      for (const tab of this.tabs) tab.look();
      quiet = releases.length === 0 && this.answers.length === 0 && this.tabs.every((tab) => !tab.isAsking()) ? quiet + 1 : 0;
    }
  }

  private report(room: SimulatedRoom, news: RoomEvent[]): void {
    this.cursor += 1;
    room.changedAt = this.cursor;
    const cursor = String(this.cursor);
    for (const tab of this.tabs) if (tab.isConnected) tab.inbox.push(this.row(room), ...news.map((one) => ({ ...one, cursor })));
    for (const one of news) if (one.type === "reply.ended") this.end(room, one.reply_id);
  }

  private row(room: SimulatedRoom): LiveEvent {
    const chat = {
      id: room.id,
      title: "A chat",
      lastMessageAt: new Date(room.changedAt).toISOString(),
      isStreaming: room.running !== null,
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { type: "chat.changed", cursor: String(room.changedAt), chat } as unknown as LiveEvent;
  }

  private end(room: SimulatedRoom, replyId: string): void {
    const reply = room.messages.get(replyId);
    if (!reply) return;
    for (const source of this.sources.filter((one) => one.replyId === replyId)) {
      source.emit(encodeReplyEvent({ type: "text", text: reply.content }), "0.1");
      source.emit(
        encodeReplyEvent({
          type: "settled",
          message_id: replyId,
          status: reply.status,
          text: reply.content.length,
          model_id: reply.model_id,
          reasoning_ms: null,
          citations: [],
          cost: null,
          usage: null,
          finish_reason: "stop",
          error: null,
        }),
        "0.2",
      );
    }
  }

  /** The server takes a request in the moment that it is made; its answer comes when the tabs are let settle. */
  private fetch(url: string, init?: RequestInit): Promise<Response> {
    if (!this.isOnline) return Promise.reject(new TypeError("There is no network."));
    const { status, body } = this.serve(url, init);
    const isAccepted = typeof body === "object" && body !== null && "replyId" in body;
    const response = () =>
      isAccepted
        ? new Response(`data: ${JSON.stringify(body)}\n\n`, { status, headers: { "content-type": "text/event-stream" } })
        : Response.json(body, { status });
    return new Promise((resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("It is not wanted any more.", "AbortError")));
      this.answers.push(() => resolve(response()));
    });
  }

  private serve(url: string, init?: RequestInit): Answer {
    const room = this.rooms.find((one) => url.includes(one.id));
    if (url.includes("/session")) return { status: 200, body: { user: { id: "me", anonymous: false }, features: {} } };
    if (!room) return { status: 404, body: { code: "NOT_FOUND", error: "Not found." } };
    const given: { id: string; content: string; parent_id: string; after_id?: string } =
      typeof init?.body === "string" ? JSON.parse(init.body) : {};
    if (init?.method === "POST" && url.endsWith("/queue")) {
      this.queued.add(given.id);
      return room.enqueue({ id: given.id, content: given.content, afterId: given.after_id });
    }
    if (init?.method === "POST") return room.send({ id: given.id, content: given.content, parentId: given.parent_id });
    if (url.includes("/messages")) return { status: 200, body: { messages: room.path(), nextCursor: null } };
    return { status: 200, body: { chat: { ...NO_SETTINGS, id: room.id } } };
  }

  private eventSource() {
    const open = (source: Source) => {
      this.sources.push(source);
      const room = this.rooms.find(({ messages }) => messages.has(source.replyId));
      if (room && room.running !== source.replyId) setTimeout(() => this.end(room, source.replyId));
    };
    const shut = (source: Source) => {
      this.sources = this.sources.filter((one) => one !== source);
    };
    return class extends EventTarget {
      static readonly CLOSED = 2;
      readonly readyState = 1;
      readonly #source: Source;

      constructor(url: string) {
        super();
        const emit = (data: string, lastEventId: string) => this.dispatchEvent(Object.assign(new Event("message"), { data, lastEventId }));
        this.#source = { replyId: /replies\/([^?]+)/.exec(url)?.[1] ?? "", emit };
        open(this.#source);
      }

      close() {
        shut(this.#source);
      }
    };
  }
}
