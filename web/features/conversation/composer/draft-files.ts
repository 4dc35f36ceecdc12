import { useCallback, useSyncExternalStore } from "react";
import { Attachment } from "#shared/entities/attachment.ts";
import * as z from "zod/mini";
import { onOwnerChange, storedForOwner } from "#web/lib/own-storage.ts";
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

/** What of a draft's files outlives the page: those that have arrived. */
type SavedFiles = { chatId: string; files: Attachment[] };

const NOTHING: SavedFiles = { chatId: "", files: [] };
const draftsByKey = new Map<string, DraftFiles>();
const { notify, subscribe } = createListeners();

/** How attachments are kept in this browser. */
export const attachmentList = z.array(Attachment);

function store(key: string) {
  return storedForOwner("files", key, z.looseObject({ chatId: z.string(), files: attachmentList }), NOTHING);
}

/** The files at a chat's composer; `NEW_CHAT` is that of the chat that does not exist yet. */
export function readDraftFiles(key: string): DraftFiles {
  const known = draftsByKey.get(key);
  if (known) return known;
  const saved = store(key).read();
  const draft = { chatId: saved.chatId || (key === NEW_CHAT ? crypto.randomUUID() : key), files: saved.files.map(toReadyFile) };
  draftsByKey.set(key, draft);
  return draft;
}

onOwnerChange({
  adopt() {
    for (const [key, { files }] of draftsByKey) if (files.length === 0) draftsByKey.delete(key);
    notify();
  },
  forget() {
    draftsByKey.clear();
    notify();
  },
});

/** A file that has arrived, as a draft holds it. */
export function toReadyFile(attachment: Attachment): DraftFile {
  const { id, name, size } = attachment;
  return { id, name, size, kind: "ready", attachment };
}

/** Changes the files at a composer, and keeps those that have arrived for the next page. */
export function writeDraftFiles(key: string, change: (files: readonly DraftFile[]) => readonly DraftFile[]): void {
  const draft = readDraftFiles(key);
  const next = { ...draft, files: change(draft.files) };
  draftsByKey.set(key, next);
  const ready = readyAttachments(next);
  if (ready.length === 0) store(key).remove();
  else store(key).write({ chatId: next.chatId, files: ready });
  notify();
}

/** Empties a composer of its files; those of the chat to come will belong to another one. */
export function clearDraftFiles(key: string): void {
  writeDraftFiles(key, () => []);
  draftsByKey.delete(key);
}

/** Puts files that had arrived back to a composer, under the chat they belong to. */
export function restoreDraftFiles(key: string, { chatId, files }: SavedFiles): void {
  draftsByKey.set(key, { chatId, files: [] });
  writeDraftFiles(key, () => files.map(toReadyFile));
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
