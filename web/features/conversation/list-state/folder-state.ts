import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";
import { createStore, useStore } from "#web/lib/store.ts";

const storedRowCount = stored("folder-rows", z.number(), 0);
const rows = createStore(storedRowCount.read());

/** How many rows the folders take in the list, as far as this browser knows: their place is kept until they come. */
export function useFolderRowCount(): number {
  const known = useStore(rows);
  return useFoldersFailure() === null ? known : 0;
}

const failure = createStore<string | null>(null);

/** Why the folders could not be read; null where they were, or may still be. */
export function useFoldersFailure(): string | null {
  return useStore(failure);
}

/** Notes that the folders could not be read, and why: until they are, chats stand in one list. */
export function noteFoldersFailure(reason: string | null): void {
  failure.set(reason);
}

/** Notes how many rows the folders take. */
export function setFolderRowCount(count: number): void {
  if (count !== rows.get()) storedRowCount.write(count);
  rows.set(count);
}

const storedOpenIds = stored<string[]>("folders-open", z.array(z.string()), []);
const open = createStore<ReadonlySet<string>>(new Set(storedOpenIds.read()));

/** The folders that show what is in them, on this device. */
export function useOpenFolders(): ReadonlySet<string> {
  return useStore(open);
}

/** Shows what is in folders, or hides it. */
export function setFolderOpen(ids: readonly string[], isOpen: boolean): void {
  const next = new Set(open.get());
  for (const id of ids) {
    if (isOpen) next.add(id);
    else next.delete(id);
  }
  storedOpenIds.write([...next]);
  open.set(next);
}

let viewed: string | null = null;

/** Notes the folder that was opened last: coming back from it, the focus goes to its row. */
export function setLastViewedFolder(id: string | null): void {
  viewed = id;
}

/** The folder that was opened last, once. */
export function consumeLastViewedFolder(): string | null {
  const id = viewed;
  viewed = null;
  return id;
}

/** A name being written in the tree: a new folder's, or another one for a folder. */
export type Naming = { kind: "new"; parentId: string | null } | { kind: "rename"; id: string };

const naming = createStore<Naming | null>(null);

/** What is being named in the tree. */
export function useNaming(): Naming | null {
  return useStore(naming);
}

/** Begins or ends naming a folder. */
export function setNaming(next: Naming | null): void {
  if (next?.kind === "new" && next.parentId !== null) setFolderOpen([next.parentId], true);
  naming.set(next);
}
