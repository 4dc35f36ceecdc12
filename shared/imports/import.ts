import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { Id, Timestamp } from "#shared/entities/ids.ts";

/** Whose exports can be imported, by the names that people know. */
export const IMPORT_SOURCES = { chatgpt: "ChatGPT", claude: "Claude", polylogue: APP_NAME } as const;

export const ImportSource = z.enum(["chatgpt", "claude", "polylogue"]);
export type ImportSource = z.infer<typeof ImportSource>;

/** `ready` waits for its person's word, `reading` looks for what there is, `importing` brings it. */
export const ImportState = z.enum(["uploading", "ready", "reading", "importing", "done", "failed", "cancelled"]);
export type ImportState = z.infer<typeof ImportState>;

/** What an import counts, in the order of a report. */
export const IMPORT_KINDS = [
  "chat",
  "message",
  "branch",
  "file",
  "mail",
  "artifact",
  "persona",
  "prompt",
  "knowledge",
  "memory",
  "folder",
  "setting",
  "project",
] as const;

export const ImportKind = z.enum(IMPORT_KINDS);
export type ImportKind = z.infer<typeof ImportKind>;

/** How many came, were here already from an earlier import, and did not come. */
export const ImportCount = z.object({ came: z.number(), here: z.number(), failed: z.number() });
export type ImportCount = z.infer<typeof ImportCount>;

export const ImportCounts = z.partialRecord(ImportKind, ImportCount);
export type ImportCounts = z.infer<typeof ImportCounts>;

/** Something that did not come, or came otherwise than it was, and why. */
export const ImportNote = z.object({ kind: ImportKind, title: z.string(), reason: z.string() });
export type ImportNote = z.infer<typeof ImportNote>;

/** An import from its upload to its report. */
export const Import = z.object({
  id: Id,
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  state: ImportState,
  /** Null before the file was recognised. */
  source: z.nullable(ImportSource),
  /** Each part of the upload has so many bytes, but the last. */
  part_bytes: z.number(),
  /** Numbers of the parts that are here, from 1. */
  parts: z.array(z.number()),
  /** How many items there are to bring, null before they were counted, and how many are done. */
  items: z.nullable(z.number()),
  done: z.number(),
  counts: ImportCounts,
  /** The first notes, and how many there are. */
  notes: z.array(ImportNote),
  note_count: z.number(),
  /** Why it failed, and whether it can go on where it was. */
  error: z.nullable(z.string()),
  can_retry: z.boolean(),
  created_at: Timestamp,
  ended_at: z.nullable(Timestamp),
});
export type Import = z.infer<typeof Import>;

/** True while an import is being worked on or waits for its person. */
export function isUnderWay({ state }: Pick<Import, "state">): boolean {
  return state === "uploading" || state === "ready" || state === "reading" || state === "importing";
}
