import { useSyncExternalStore } from "react";
import type { Attachment } from "#shared/entities/attachment.ts";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { MessageSettings } from "#web/features/chat-settings/picked-settings.ts";
import { attachmentList } from "#web/features/composer/draft-files.ts";
import * as shape from "#web/lib/shape.ts";
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
  held?: { by: string; until: number } | undefined;
  state: SendState;
};

const fields = {
  id: shape.text,
  chatId: shape.text,
  content: shape.text,
  attachments: shape.optional(attachmentList),
  ownerId: shape.nullable(shape.text),
  parentId: shape.optional(shape.nullable(shape.text)),
  follows: shape.optional(shape.nullable(shape.text)),
  isFirst: shape.flag,
  teamId: shape.optional(shape.text),
  folderId: shape.optional(shape.text),
  tried: shape.optional(shape.text),
  corrects: shape.optional(shape.text),
  held: shape.optional(shape.record({ by: shape.text, until: shape.number })),
  state: shape.either(
    shape.record({ kind: shape.oneOf("sending", "queued") }),
    shape.record({ kind: shape.oneOf("failed"), code: shape.text, message: shape.text }),
  ),
};
/** Whatever settings there are: naming them takes their schema, which the first screen would load with all of zod. */
const setting = shape.either(shape.flag, shape.either(shape.nullable(shape.text), shape.listOf(shape.text)));
const someSettings = shape.valuesOf<ChatSettingsChange>(setting);
const settings = shape.both(someSettings, shape.record({ model_id: shape.text }));
const pendingSend = shape.record<PendingSend>({ ...fields, settings, once: shape.optional(someSettings) });

/** As earlier versions kept it, whose messages are still sent. */
type EarlierSend = Omit<PendingSend, "settings" | "once"> & { modelId: string; toolCategories?: string[] | undefined };
const earlierSend = shape.record<EarlierSend>({
  ...fields,
  modelId: shape.text,
  toolCategories: shape.optional(shape.listOf(shape.text)),
});

/** Each message is an entry of its own, as tabs write at once: in one list of all, what another has just added would be lost. */
const PREFIX = "outbox:";
const entry = shape.nullable(shape.record({ order: shape.number, send: shape.either(pendingSend, earlierSend) }));
const entryAt = (key: string) => stored<{ order: number; send: PendingSend | EarlierSend } | null>(key, entry, null);
/** Places in the line, in milliseconds of the clock or just above the one before. */
const orders = new Map<string, number>();

/** The one list that earlier versions kept, or still keep in another tab. */
const EARLIER = "outbox";
const earlierList = stored<(PendingSend | EarlierSend)[]>(EARLIER, shape.listOf(shape.either(pendingSend, earlierSend)), []);

function upgrade(send: PendingSend | EarlierSend): PendingSend {
  if ("settings" in send) return send;
  const { modelId, toolCategories, ...rest } = send;
  return { ...rest, settings: { model_id: modelId, ...(toolCategories && { tool_categories: toolCategories }) } };
}

function readKept(): PendingSend[] {
  const entries = storedKeys(PREFIX).flatMap((key) => entryAt(key).read() ?? []);
  for (const { order, send } of entries) orders.set(send.id, order);
  const line = entries.toSorted((a, b) => a.order - b.order || (a.send.id < b.send.id ? -1 : 1));
  return line.map(({ send }) => upgrade(send));
}

function write(send: PendingSend): boolean {
  const order = orders.get(send.id) ?? Math.max(Date.now(), 1 + Math.max(0, ...orders.values()));
  orders.set(send.id, order);
  return entryAt(PREFIX + send.id).write({ order, send });
}

/** False while some of that list found no room beside the rest. */
let isSplit = true;

/** Makes entries of what an earlier version kept, first in the line; what there is no room for stays where it is. */
function splitEarlierList(): PendingSend[] {
  const earlier = earlierList.read().map(upgrade);
  if (earlier.length === 0) return [];
  earlierList.remove();
  for (const [index, { id }] of earlier.entries()) orders.set(id, index);
  const left = earlier.filter((send) => !write(send));
  isSplit = left.length === 0;
  if (!isSplit) earlierList.write(left);
  return left;
}

/** Takes out of that list what has an entry by now, or has gone. */
function shortenEarlierList(settled: ReadonlySet<string>): void {
  const rest = earlierList.read().filter(({ id }) => !settled.has(id));
  isSplit = rest.length === 0;
  if (isSplit) earlierList.remove();
  else earlierList.write(rest);
}

const unsplit = splitEarlierList();
let sends: PendingSend[] = [...unsplit, ...readKept()];
/** False while this browser did not keep the last change: then what this page remembers counts, beside what only others hold. */
let isKept = unsplit.length === 0;
const known = new Set(sends.map((send) => send.id));
const byChat = new Map<string, PendingSend[]>();
const { notify, subscribe } = createListeners();
const elsewhere = createListeners();
const NONE: PendingSend[] = [];

/** As all tabs have left it. */
function current(): PendingSend[] {
  return isKept ? readKept() : [...readKept().filter((send) => !known.has(send.id)), ...sends];
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
  const changed = isKept ? next.filter((send) => !before.includes(send)) : next;
  const unwritten = changed.filter((send) => !write(send));
  const gone = before.filter(({ id }) => next.every((send) => send.id !== id)).map(({ id }) => id);
  for (const id of gone) entryAt(PREFIX + id).remove();
  // Now that there may be room.
  const unkept = unwritten.filter((send) => !write(send));
  // What cannot be read again would be lost with the next look at it.
  const kept = new Set(readKept().map(({ id }) => id));
  isKept = unkept.length === 0 && next.every(({ id }) => kept.has(id));
  if (!isSplit) shortenEarlierList(new Set([...kept, ...gone]));
  show(next);
}

/** Messages on their way, kept in this browser for all of its tabs until the server has them, so closing the page loses none. */
export const outbox = {
  all: (): PendingSend[] => sends,
  /** When a message was written, in milliseconds of the clock. */
  writtenAt: (id: string): number => orders.get(id) ?? 0,
  get: (id: string): PendingSend | undefined => sends.find((send) => send.id === id),
  ofChat(chatId: string): PendingSend[] {
    const held = byChat.get(chatId);
    if (held) return held;
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
    if (key !== null && key !== EARLIER && !key.startsWith(PREFIX)) return;
    // Where there is no room, every tab would only put it back.
    if (key === EARLIER && (!isSplit || splitEarlierList().length > 0)) return;
    outbox.reread();
    elsewhere.notify();
  });
}

/** The chat's messages that the server does not have yet, oldest first. */
export function useOutbox(chatId: string | null): PendingSend[] {
  return useSyncExternalStore(outbox.subscribe, () => (chatId === null ? NONE : outbox.ofChat(chatId)));
}
