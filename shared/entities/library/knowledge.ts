import * as z from "zod/mini";
import { Id, Timestamp } from "../ids.ts";

/** How far the reading of a file is: `pending` from when it is added, then `synced` or `error`. */
export const SyncStatus = z.enum(["pending", "synced", "error"]);
export type SyncStatus = z.infer<typeof SyncStatus>;

export const KnowledgeFile = z.object({
  id: Id,
  /** This deployment's own address of it, which asks who reads it each time. */
  file_url: z.string(),
  file_name: z.string(),
  file_type: z.string(),
  /** Bytes. */
  file_size: z.number(),
  created_at: Timestamp,
  file_source: z.enum(["google_drive", "upload"]),
  google_drive_file_id: z.nullable(z.string()),
  google_drive_folder_id: z.nullable(z.string()),
  google_drive_mime_type: z.nullable(z.string()),
  google_drive_modified_time: z.nullable(z.string()),
  sync_status: SyncStatus,
  context_id: Id,
  user_id: Id,
  /** False while its bytes are on their way, by an upload or an import. */
  is_stored: z.boolean(),
  /** Pages that were read; null for what has none. */
  pages: z.nullable(z.number()),
  /** Why nothing was read, or nothing more; null where all of it was. */
  unread: z.nullable(z.string()),
  /** Pages of a scan, which hold no text: so many are paid for where they are read as pictures. */
  scan_pages: z.nullable(z.number()),
});
export type KnowledgeFile = z.infer<typeof KnowledgeFile>;

/** An artifact that belongs to a knowledge entry and that its reader may read. */
export const KnowledgeArtifact = z.object({
  artifact_id: Id,
  title: z.string(),
  /** Its text; where the artifacts of an entry take more than 10 MB together, of the last ones the beginning. */
  content: z.string(),
  is_complete: z.boolean(),
  /** Its beginning without markup. */
  preview: z.string(),
  /** `pending` while its text of now is still being read. */
  sync_status: z.enum(["pending", "synced"]),
});
export type KnowledgeArtifact = z.infer<typeof KnowledgeArtifact>;

/** A knowledge entry as lists have it: the first of its files and artifacts, and how many there are. */
export const KnowledgeSummary = z.object({
  id: Id,
  name: z.string(),
  /** The first 100 characters of its text, on one line, and an ellipsis where there is more. */
  preview: z.string(),
  /** Null for a personal one. */
  team_id: z.nullable(Id),
  user_id: Id,
  user_context_files: z.array(KnowledgeFile),
  artifacts: z.array(z.pick(KnowledgeArtifact, { artifact_id: true, title: true })),
  files_count: z.number(),
  artifacts_count: z.number(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type KnowledgeSummary = z.infer<typeof KnowledgeSummary>;

/** A knowledge entry with all that it holds. */
export const Knowledge = z.extend(z.omit(KnowledgeSummary, { preview: true, files_count: true, artifacts_count: true, artifacts: true }), {
  text_content: z.string(),
  artifacts: z.array(KnowledgeArtifact),
});
export type Knowledge = z.infer<typeof Knowledge>;

/** A knowledge entry as everybody sees it who has its link: of its files the names, types and sizes. */
export const SharedKnowledge = z.object({
  name: z.string(),
  textContent: z.string(),
  /** When it was made. */
  createdAt: Timestamp,
  filesCount: z.number(),
  files: z.array(z.pick(KnowledgeFile, { file_name: true, file_type: true, file_size: true })),
});
export type SharedKnowledge = z.infer<typeof SharedKnowledge>;
