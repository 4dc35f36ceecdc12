import * as z from "zod/mini";
import { ARTIFACT_PROBLEMS, bytesOf } from "../artifacts.ts";
import { Artifact, ArtifactDetails, ArtifactFile, ArtifactReview, ArtifactVersion, ArtifactVersionDetails } from "../entities/artifact.ts";
import { ArtifactFilter, ArtifactSort } from "../entities/library/artifact-list.ts";
import { Id } from "../entities/ids.ts";
import { Shares } from "../entities/share.ts";
import { WorkspaceId } from "../entities/workspace.ts";
import {
  ARTIFACT_BODY_LENGTH,
  ARTIFACT_BYTES,
  ARTIFACT_TITLE_LENGTH,
  ARTIFACTS_PAGE,
  ARTIFACTS_PAGE_MAX,
  ATTACHMENT_NAME_LENGTH,
  SEARCH_QUERY_LENGTH,
} from "../limits.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { pageSize } from "#shared/contracts/chat/chats.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "./endpoint.ts";
import { ShareInput } from "#shared/contracts/chat/sharing.ts";

const ArtifactParams = z.object({ id: Id });
const Version = z.number().check(z.int(), z.minimum(1));
const Title = z.string().check(asName, z.maxLength(ARTIFACT_TITLE_LENGTH, "That title is too long."));
const Content = z.string().check(
  z.maxLength(ARTIFACT_BYTES, ARTIFACT_PROBLEMS.long),
  z.refine((text) => bytesOf(text) <= ARTIFACT_BYTES, ARTIFACT_PROBLEMS.long),
);

export const listArtifacts = endpoint("GET", "/api/artifacts", {
  summary: "The artifacts that the caller may read, of a workspace, in pages; `q` looks for words in their titles",
  access: "account",
  query: z.object({
    cursor: z.optional(z.string().check(z.maxLength(600))),
    limit: pageSize(ARTIFACTS_PAGE, ARTIFACTS_PAGE_MAX),
    workspace: z._default(WorkspaceId, "all"),
    filter: z._default(ArtifactFilter, "all"),
    sort: z._default(ArtifactSort, "updated"),
    q: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_QUERY_LENGTH, "That search is too long.")), ""),
  }),
  response: z.object({ artifacts: z.array(Artifact), nextCursor: z.nullable(z.string()) }),
});

export const createArtifact = endpoint("POST", "/api/artifacts", {
  summary: "Create an artifact; an empty title is 'Untitled Artifact', and the client may choose its id",
  access: "account",
  repeat: "key",
  bodyLength: ARTIFACT_BODY_LENGTH,
  body: z.object({ id: z.optional(Id), title: z._default(Title, ""), content: z._default(Content, "") }),
  response: z.object({ id: Id, artifact: Artifact }),
  status: 201,
});

export const uploadMarkdown = endpoint("POST", "/api/artifacts/upload-markdown", {
  summary: "Create an artifact of a markdown file: .md, .markdown, .mdx or .txt, 1 MB at most. Whose it is, the session says alone",
  access: "account",
  repeat: "key",
  bodyLength: ARTIFACT_BODY_LENGTH,
  body: z.object({
    filename: z.string().check(z.minLength(1, "The file has no name."), z.maxLength(ATTACHMENT_NAME_LENGTH, "That file name is too long.")),
    content: z.string(),
    userId: z.optional(z.unknown()),
    isAuthenticated: z.optional(z.unknown()),
  }),
  response: z.object({ artifact: z.object({ id: Id, title: z.string() }), error: z.null() }),
  status: 201,
});

export const getArtifact = endpoint("GET", "/api/artifacts/:id", {
  summary: "One artifact with its text",
  access: "account",
  params: ArtifactParams,
  response: z.object({ artifact: ArtifactDetails }),
});

export const updateArtifact = endpoint("PATCH", "/api/artifacts/:id", {
  summary:
    "Rename an artifact, or set the caller's own marks: the pin, up to which version they reviewed its changes, and how far the review of one came",
  access: "account",
  params: ArtifactParams,
  body: z.partial(z.object({ title: Title, is_pinned: z.boolean(), reviewed_version: Version, review: ArtifactReview })),
  response: z.object({ artifact: Artifact }),
});

/** What a save is answered with where it could not be taken together with what came first: the text as it is now. */
export const ArtifactConflict = z.object({
  error: z.string(),
  code: z.literal("ARTIFACT_CONFLICT"),
  current: ArtifactVersionDetails,
});
export type ArtifactConflict = z.infer<typeof ArtifactConflict>;

export const putArtifactContent = endpoint("PUT", "/api/artifacts/:id/content", {
  summary:
    "Save the text, begun from `base_version`. Where others saved since, changes that don't touch are taken together, and `content` answers the text that came of it; else 409 with `current`",
  access: "account",
  params: ArtifactParams,
  bodyLength: ARTIFACT_BODY_LENGTH,
  body: z.object({
    content: Content,
    base_version: Version,
    /** Where hunks of a model's change were rejected: it is a version of its own at once. */
    is_review: z.optional(z.boolean()),
  }),
  response: z.object({
    version: z.number(),
    updated_at: z.string(),
    /** The text where it is not what was sent, as others' changes came in; else null. */
    content: z.nullable(z.string()),
  }),
});

export const listArtifactVersions = endpoint("GET", "/api/artifacts/:id/versions", {
  summary: "An artifact's versions, newest first: a hundred whole, and of older ones the last of each day",
  access: "account",
  params: ArtifactParams,
  query: z.object({
    before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
    limit: pageSize(ARTIFACTS_PAGE, ARTIFACTS_PAGE_MAX),
  }),
  response: z.object({ versions: z.array(ArtifactVersion), nextBefore: z.nullable(z.number()) }),
});

export const getArtifactVersion = endpoint("GET", "/api/artifacts/:id/versions/:version", {
  summary: "One version with its text; with `nearest` the last one kept up to it where it is not kept itself, or else the first",
  access: "account",
  params: z.extend(ArtifactParams, { version: z.coerce.number().check(z.int(), z.minimum(1)) }),
  query: z.object({ nearest: z.optional(z.literal("true")) }),
  response: z.object({ version: ArtifactVersionDetails }),
});

export const restoreArtifact = endpoint("POST", "/api/artifacts/:id/restore", {
  summary: "Give an artifact the text of an earlier version, as a further version; nothing changes where it has that text",
  access: "account",
  repeat: "same",
  params: ArtifactParams,
  body: z.object({ version: Version }),
  response: z.object({ artifact: ArtifactDetails }),
});

export const deleteArtifact = endpoint("DELETE", "/api/artifacts/:id", {
  summary: "Delete an artifact with all its versions and files; its owner's alone",
  access: "account",
  params: ArtifactParams,
  response: Ok,
});

export const openedArtifact = endpoint("POST", "/api/artifacts/:id/opened", {
  summary: "Note which version the caller looked at last; reading the artifact tells the one of before",
  access: "account",
  repeat: "same",
  params: ArtifactParams,
  body: z.object({ version: Version }),
  response: Ok,
});

export const listArtifactShares = endpoint("GET", "/api/artifacts/:id/shares", {
  summary: "Who reaches an artifact; its readers see it, and addresses only its owner",
  access: "account",
  params: ArtifactParams,
  response: Shares,
});

export const shareArtifact = endpoint("POST", "/api/artifacts/:id/share", {
  summary: "Share an artifact with a person or a team, or change the level of a share; its owner's alone. Answers who reaches it now",
  access: "account",
  repeat: "key",
  params: ArtifactParams,
  body: ShareInput,
  response: Shares,
});

const ShareParams = z.extend(ArtifactParams, { shareId: Id });

export const removeArtifactShare = endpoint("DELETE", "/api/artifacts/:id/shares/:shareId", {
  summary: "Take a person's share back; they may give up their own",
  access: "account",
  params: ShareParams,
  response: Ok,
});

export const removeArtifactTeamShare = endpoint("DELETE", "/api/artifacts/:id/team-shares/:shareId", {
  summary: "Take a team's share back",
  access: "account",
  params: ShareParams,
  response: Ok,
});

const FileParams = z.extend(ArtifactParams, { fileId: Id });

export const putArtifactFile = endpoint("PUT", "/api/artifacts/:id/files/:fileId", {
  summary: "Upload a picture of an artifact as the raw body: PNG, JPEG, GIF or WebP, 5 MB at most, told by its content",
  access: "account",
  params: FileParams,
  query: z.object({
    name: z.string().check(z.minLength(1, "The file has no name."), z.maxLength(ATTACHMENT_NAME_LENGTH, "That file name is too long.")),
  }),
  response: z.object({ file: ArtifactFile }),
  status: 201,
});

export const getArtifactFile = endpoint("GET", "/api/artifacts/:id/files/:fileId", {
  summary: "A picture of an artifact",
  access: "account",
  params: FileParams,
});
