import { useSyncExternalStore } from "react";
import type { Attachment } from "#shared/entities/attachment.ts";
import { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { MessageSettings } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { attachmentList } from "#web/features/conversation/composer/draft-files.ts";
import * as z from "zod/mini";
import { stored, storedKeys } from "#web/lib/storage.ts";
import { createListeners } from "#web/lib/store.ts";

/** `sending` is on its way or was when the page closed; `queued` waits for the connection; `failed` waits for the person. */
export type SendState = { kind: "sending" } | { kind: "queued" } | { kind: "failed"; code: string; message: string };

/** A message that the server does not have yet. */
export type PendingSend = {
  id: string;
  chatId: string;
  content: string;
  /** What it is sent with. */
  settings: MessageSettings;
  /** What of it holds for this message alone, whatever the chat has. */
  once?: ChatSettingsChange | undefined;
  /** The files it carries, which the server has already. */
  attachments?: Attachment[] | undefined;
  /** The account it was written in; null for a guest's or a visitor's. */
  ownerId: string | null;
  /** What it answers; absent until a first try, after which it stays, so the same id says the same. */
  parentId?: string | null | undefined;
  /** The last message of the chat that its writer saw, or what stood before it in the line; absent where nothing was shown. */
  follows?: string | null | undefined;
  /** True for the first message of a chat that does not exist yet. */
  isFirst: boolean;
  /** The team in whose workspace that chat begins, and the folder it goes into. */
  teamId?: string | undefined;
  folderId?: string | undefined;
  /** The text that a request carried whose answer never came: the server may have it. */
  tried?: string | undefined;
  /** The message that this one is another version of: it had arrived, and was rewritten here before that was known. */
  corrects?: string | undefined;
  /** The tab where it is being rewritten, and until when its word counts: neither it nor what follows is sent meanwhile. */
  indexed?: { by: string; until: number } | undefined;
  state: SendState;
};

const fields = {
  id: z.string(),
  chatId: z.string(),
  content: z.string(),
  attachments: z.optional(attachmentList),
  ownerId: z.nullable(z.string()),
  parentId: z.optional(z.nullable(z.string())),
  follows: z.optional(z.nullable(z.string())),
  isFirst: z.boolean(),
  teamId: z.optional(z.string()),
  folderId: z.optional(z.string()),
  tried: z.optional(z.string()),
  corrects: z.optional(z.string()),
  indexed: z.optional(z.looseObject({ by: z.string(), until: z.number() })),
  state: z.union([
    z.looseObject({ kind: z.enum(["sending", "queued"]) }),
    z.looseObject({ kind: z.enum(["failed"]), code: z.string(), message: z.string() }),
  ]),
};
const settings = z.extend(ChatSettingsChange, { model_id: z.string() });
const pendingSend = z.looseObject({ ...fields, settings, once: z.optional(ChatSettingsChange) });

/** Each message is an entry of its own, as tabs write at once: in one list of all, what another has just added would be lost. */
const PREFIX = "outbox:";
const entry = z.nullable(z.looseObject({ order: z.number(), send: pendingSend }));
const entryAt = (key: string) => stored<{ order: number; send: PendingSend } | null>(key, entry, null);
/** Places in the line, in milliseconds of the clock or just above the one before. */
const orders = new Map<string, number>();

function readStored(): PendingSend[] {
  const entries = storedKeys(PREFIX).flatMap((key) => entryAt(key).read() ?? []);
  for (const { order, send } of entries) orders.set(send.id, order);
  const line = entries.toSorted((a, b) => a.order - b.order || (a.send.id < b.send.id ? -1 : 1));
  return line.map(({ send }) => send);
}

function write(send: PendingSend): boolean {
  const order = orders.get(send.id) ?? Math.max(Date.now(), 1 + Math.max(0, ...orders.values()));
  orders.set(send.id, order);
  return entryAt(PREFIX + send.id).write({ order, send });
}

let sends: PendingSend[] = readStored();
/** False while this browser did not keep the last change: then what this page remembers counts, beside what only others hold. */
let isFullyStored = true;
const known = new Set(sends.map((send) => send.id));
const byChat = new Map<string, PendingSend[]>();
const { notify, subscribe } = createListeners();
const elsewhere = createListeners();
const NONE: PendingSend[] = [];

/** As all tabs have left it. */
function current(): PendingSend[] {
  return isFullyStored ? readStored() : [...readStored().filter((send) => !known.has(send.id)), ...sends];
}

function show(next: PendingSend[]): void {
  sends = next;
  byChat.clear();
  for (const send of next) known.add(send.id);
  notify();
}

function commit(change: (all: PendingSend[]) => PendingSend[]): void {
  const before = current();
  const next = change(before);
  const changed = isFullyStored ? next.filter((send) => !before.includes(send)) : next;
  const unwritten = changed.filter((send) => !write(send));
  const removedIds = before.filter(({ id }) => next.every((send) => send.id !== id)).map(({ id }) => id);
  for (const id of removedIds) entryAt(PREFIX + id).remove();
  // Now that there may be room.
  const unstored = unwritten.filter((send) => !write(send));
  // What cannot be read again would be lost with the next look at it.
  const storedIds = new Set(readStored().map(({ id }) => id));
  isFullyStored = unstored.length === 0 && next.every(({ id }) => storedIds.has(id));
  show(next);
}

/** Messages on their way, kept in this browser for all of its tabs until the server has them, so closing the page loses none. */
export const outbox = {
  all: (): PendingSend[] => sends,
  /** When a message was written, in milliseconds of the clock. */
  writtenAt: (id: string): number => orders.get(id) ?? 0,
  get: (id: string): PendingSend | undefined => sends.find((send) => send.id === id),
  ofChat(chatId: string): PendingSend[] {
    const indexed = byChat.get(chatId);
    if (indexed) return indexed;
    const found = sends.filter((send) => send.chatId === chatId);
    const list = found.length === 0 ? NONE : found;
    byChat.set(chatId, list);
    return list;
  },
  add: (send: PendingSend): void => commit((all) => [...all, send]),
  update: (id: string, change: Partial<PendingSend>): void =>
    commit((all) => all.map((send) => (send.id === id ? { ...send, ...change } : send))),
  /** Puts one message in another's place. */
  replace(id: string, by: PendingSend): void {
    orders.set(by.id, orders.get(id) ?? 0);
    commit((all) => all.map((send) => (send.id === id ? by : send)));
  },
  remove: (id: string): void => commit((all) => all.filter((send) => send.id !== id)),
  /** Takes over what other tabs have changed. */
  reread: (): void => show(current()),
  subscribe,
  /** Calls back when another tab has changed something; returns how to stop. */
  onElsewhere: (listener: () => void): (() => void) => elsewhere.subscribe(listener),
};

if (typeof addEventListener === "function") {
  addEventListener("storage", ({ key }) => {
    if (key !== null && !key.startsWith(PREFIX)) return;
    outbox.reread();
    elsewhere.notify();
  });
}

/** The chat's messages that the server does not have yet, oldest first. */
export function useOutbox(chatId: string | null): PendingSend[] {
  return useSyncExternalStore(outbox.subscribe, () => (chatId === null ? NONE : outbox.ofChat(chatId)));
}
