import { useCallback, useSyncExternalStore } from "react";
import type { Attachment } from "#shared/entities/attachment.ts";
import * as shape from "#web/lib/shape.ts";
import { holdOwn, ownStored } from "#web/lib/own-storage.ts";
import { createListeners } from "#web/lib/store.ts";
import { NEW_CHAT } from "./drafts.ts";

/** A file at the composer. `progress` is the part that has arrived, 0 to 1; what cannot be tried again has no use for its button. */
export type DraftFile = { id: string; name: string; size: number } & (
  | { kind: "uploading"; progress: number }
  | { kind: "failed"; message: string; canRetry: boolean }
  | { kind: "ready"; attachment: Attachment }
);

/** What is attached to a draft. Files belong to a chat before their message does: `chatId` is that chat, or the id the next one will get. */
export type DraftFiles = { chatId: string; files: readonly DraftFile[] };

const readyFile = shape.record<Attachment>({
  id: shape.text,
  name: shape.text,
  type: shape.text,
  size: shape.number,
  kind: shape.oneOf("image", "pdf", "text", "document", "spreadsheet", "audio"),
  url: shape.text,
  unread: shape.nullable(shape.text),
  isGone: shape.optional(shape.flag),
});

/** What of a draft's files outlives the page: those that have arrived. */
type KeptFiles = { chatId: string; files: Attachment[] };

const NOTHING: KeptFiles = { chatId: "", files: [] };
const held = new Map<string, DraftFiles>();
const { notify, subscribe } = createListeners();

/** How attachments are kept in this browser. */
export const attachmentList = shape.listOf(readyFile);

function store(key: string) {
  return ownStored("files", key, shape.record<KeptFiles>({ chatId: shape.text, files: attachmentList }), NOTHING);
}

/** The files at a chat's composer; `NEW_CHAT` is that of the chat that does not exist yet. */
export function readDraftFiles(key: string): DraftFiles {
  const known = held.get(key);
  if (known) return known;
  const kept = store(key).read();
  const draft = { chatId: kept.chatId || (key === NEW_CHAT ? crypto.randomUUID() : key), files: kept.files.map(arrived) };
  held.set(key, draft);
  return draft;
}

holdOwn({
  adopt() {
    for (const [key, { files }] of held) if (files.length === 0) held.delete(key);
    notify();
  },
  forget() {
    held.clear();
    notify();
  },
});

/** A file that has arrived, as a draft holds it. */
export function arrived(attachment: Attachment): DraftFile {
  const { id, name, size } = attachment;
  return { id, name, size, kind: "ready", attachment };
}

/** Changes the files at a composer, and keeps those that have arrived for the next page. */
export function writeDraftFiles(key: string, change: (files: readonly DraftFile[]) => readonly DraftFile[]): void {
  const draft = readDraftFiles(key);
  const next = { ...draft, files: change(draft.files) };
  held.set(key, next);
  const ready = readyAttachments(next);
  if (ready.length === 0) store(key).remove();
  else store(key).write({ chatId: next.chatId, files: ready });
  notify();
}

/** Empties a composer of its files; those of the chat to come will belong to another one. */
export function clearDraftFiles(key: string): void {
  writeDraftFiles(key, () => []);
  held.delete(key);
}

/** Puts files that had arrived back to a composer, under the chat they belong to. */
export function restoreDraftFiles(key: string, { chatId, files }: KeptFiles): void {
  held.set(key, { chatId, files: [] });
  writeDraftFiles(key, () => files.map(arrived));
}

/** The files of a draft that have arrived, in order. */
export function readyAttachments({ files }: DraftFiles): Attachment[] {
  return files.flatMap((file) => (file.kind === "ready" ? [file.attachment] : []));
}

/** The files at a composer, kept current. */
export function useDraftFiles(key: string): DraftFiles {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => readDraftFiles(key), [key]),
  );
}
