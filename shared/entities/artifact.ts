import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** What a person may do with an artifact; its owner alone shares and deletes it. */
export const ArtifactLevel = z.enum(["owner", "editor", "viewer"]);
export type ArtifactLevel = z.infer<typeof ArtifactLevel>;

/** A document that outlives the chat it came from, as lists show it. */
export const Artifact = z.object({
  id: Id,
  title: z.string(),
  /** The beginning of its text, markdown stripped. */
  content_preview: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** The caller's own mark. */
  is_pinned: z.boolean(),
  is_owner: z.boolean(),
  permission_level: ArtifactLevel,
  /** Who shared it with the caller; null for their own. */
  shared_by_name: z.nullable(z.string()),
  shared_by_email: z.nullable(z.string()),
  /** True where a team is why the caller sees it. */
  is_team_share: z.boolean(),
  /** True for one of the caller's own that others reach. */
  is_shared: z.boolean(),
  /** Its latest version, counted from 1. */
  version: z.number(),
  /** The text in bytes of UTF-8. */
  size: z.number(),
  /** The version that the caller last looked at; null where they never opened it. */
  seen_version: z.nullable(z.number()),
  /** The last version whose changes the caller reviewed. */
  reviewed_version: z.nullable(z.number()),
});
export type Artifact = z.infer<typeof Artifact>;

const VersionNumber = z.number().check(z.int(), z.minimum(1));
const HUNKS_MAX = 5_000;
/** Places of hunks, in reading order from 0. */
const Hunks = z.array(z.number().check(z.int(), z.minimum(0), z.maximum(HUNKS_MAX))).check(z.maxLength(HUNKS_MAX));

/** How far a review of a change came: the two versions that it compares, the one that its last decision made, and what was decided. */
export const ArtifactReview = z.object({
  version: VersionNumber,
  before: VersionNumber,
  base: VersionNumber,
  accepted: Hunks,
  rejected: Hunks,
  is_done: z.boolean(),
});
export type ArtifactReview = z.infer<typeof ArtifactReview>;

/** An artifact with its text, and with the caller's last review of a change in it. */
export const ArtifactDetails = z.extend(Artifact, { content: z.string(), review: z.nullable(ArtifactReview) });
export type ArtifactDetails = z.infer<typeof ArtifactDetails>;

/** How a version came about: `merge` took two people's changes together, `restore` went back to an earlier one. */
export const VersionKind = z.enum(["create", "edit", "merge", "restore", "model", "review"]);
export type VersionKind = z.infer<typeof VersionKind>;

export const ArtifactVersion = z.object({
  version: z.number(),
  kind: VersionKind,
  created_at: Timestamp,
  /** Who wrote it, or whose turn the model wrote it in; the name is empty for somebody who is gone. */
  author_id: z.nullable(Id),
  author_name: z.string(),
  /** The model that wrote it; null where a person did. */
  model_id: z.nullable(z.string()),
  /** The chat and the answer in which a model wrote it, shown to whoever wrote it alone. */
  chat_id: z.nullable(Id),
  message_id: z.nullable(Id),
  /** The version whose text was restored. */
  restored_from: z.nullable(z.number()),
  /** The text in bytes of UTF-8. */
  size: z.number(),
});
export type ArtifactVersion = z.infer<typeof ArtifactVersion>;

export const ArtifactVersionDetails = z.extend(ArtifactVersion, { content: z.string() });
export type ArtifactVersionDetails = z.infer<typeof ArtifactVersionDetails>;

/** A picture of an artifact; its markdown names `/api/artifacts/{artifact}/files/{id}`. */
export const ArtifactFile = z.object({
  id: Id,
  artifact_id: Id,
  name: z.string(),
  type: z.string(),
  size: z.number(),
  created_at: Timestamp,
});
export type ArtifactFile = z.infer<typeof ArtifactFile>;
