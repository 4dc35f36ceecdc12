import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { Knowledge, KnowledgeArtifact, KnowledgeFile, KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { KNOWLEDGE_PROBLEMS } from "#shared/library/knowledge-problems.ts";
import { ATTACHMENT_NAME_LENGTH, CONTENT_NAME_LENGTH, KNOWLEDGE_LENGTH } from "#shared/limits.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const KnowledgeParams = z.object({ id: Id });
const FileParams = z.object({ id: Id, fileId: Id });
const ArtifactParams = z.object({ id: Id, artifactId: Id });
/** Any text: an address of another form gets an error that says so. */
const FileAddress = z.object({ id: z.string(), fileId: z.string() });

// At U+0000 the functions of SQL that read text stop.
const withoutNull = z.overwrite<string>((text) => text.replaceAll("\u0000", ""));

export const KnowledgeName = z
  .string()
  .check(asName, z.minLength(1, KNOWLEDGE_PROBLEMS.noName), z.maxLength(CONTENT_NAME_LENGTH, KNOWLEDGE_PROBLEMS.longName));

/** The text of a knowledge entry, trimmed; it may be empty. */
export const KnowledgeText = z.string().check(withoutNull, z.trim(), z.maxLength(KNOWLEDGE_LENGTH, KNOWLEDGE_PROBLEMS.longText));

export const listKnowledge = endpoint("GET", "/api/user-contexts", {
  summary: "The caller's knowledge by name, then that of their teams, each with the first of its files and artifacts",
  access: "account",
  response: z.object({ contexts: z.array(KnowledgeSummary) }),
});

export const createKnowledge = endpoint("POST", "/api/user-contexts", {
  summary:
    "Create a knowledge entry, a team's where `team_id` does, with an artifact that the caller may read where `artifact_id` does; the client may choose its id. Files are added to it then",
  access: "account",
  repeat: "key",
  body: z.object({
    id: z.optional(Id),
    name: KnowledgeName,
    text_content: z.optional(KnowledgeText),
    team_id: z.optional(z.nullable(Id)),
    artifact_id: z.optional(Id),
  }),
  response: z.object({ context: Knowledge }),
  status: 201,
});

export const getKnowledge = endpoint("GET", "/api/user-contexts/:id", {
  summary: "One knowledge entry with its text, its files and artifacts",
  access: "account",
  params: KnowledgeParams,
  response: z.object({ context: Knowledge }),
});

export const updateKnowledge = endpoint("PATCH", "/api/user-contexts/:id", {
  summary: "Change a knowledge entry of one's own, or with `team_id` whose it is",
  access: "account",
  params: KnowledgeParams,
  body: z.partial(z.object({ name: KnowledgeName, text_content: KnowledgeText, team_id: z.nullable(Id) })),
  response: z.object({ context: Knowledge }),
});

export const deleteKnowledge = endpoint("DELETE", "/api/user-contexts/:id", {
  summary: "Delete a knowledge entry with its files and all that was read of them",
  access: "account",
  params: KnowledgeParams,
  response: Ok,
});

export const putKnowledgeFile = endpoint("PUT", "/api/user-contexts/:id/files/:fileId", {
  summary: "Add a file as the raw body, at most 50 MB, to a knowledge entry of one's own. It is read then, which `sync_status` says",
  access: "account",
  params: FileParams,
  query: z.object({
    /** The file's own name with its extension; it is shown, and only its extension is part of a path. */
    name: z.string().check(z.minLength(1, "The file has no name."), z.maxLength(ATTACHMENT_NAME_LENGTH, "That file name is too long.")),
  }),
  response: z.object({ file: KnowledgeFile }),
  status: 201,
});

export const getKnowledgeFile = endpoint("GET", "/api/user-contexts/:id/files/:fileId", {
  summary: "A file of a knowledge entry that the caller may use: pictures and PDFs to show, all others to download",
  access: "account",
  params: FileAddress,
});

export const deleteKnowledgeFile = endpoint("DELETE", "/api/user-contexts/:id/files/:fileId", {
  summary: "Remove a file from a knowledge entry of one's own, with all that was read of it",
  access: "account",
  params: FileParams,
  response: Ok,
});

export const readKnowledgeFile = endpoint("POST", "/api/user-contexts/:id/files/:fileId/read", {
  summary: "Read a file again that could not be read",
  access: "account",
  repeat: "same",
  params: FileParams,
  response: z.object({ file: KnowledgeFile }),
  status: 202,
});

export const readKnowledgeScan = endpoint("POST", "/api/user-contexts/:id/files/:fileId/read-scan", {
  summary: "Have a scanned PDF read as pictures, at most at the price of its `scan_pages`; any other file stays as it is",
  access: "account",
  repeat: "same",
  params: FileParams,
  response: z.object({ file: KnowledgeFile }),
  status: 202,
});

export const addKnowledgeArtifact = endpoint("PUT", "/api/user-contexts/:id/artifacts/:artifactId", {
  summary:
    "Add an artifact that the caller may read to a knowledge entry of their own; each reader finds in it what they may read themselves",
  access: "account",
  params: ArtifactParams,
  response: z.object({ artifact: KnowledgeArtifact }),
});

export const removeKnowledgeArtifact = endpoint("DELETE", "/api/user-contexts/:id/artifacts/:artifactId", {
  summary: "Take an artifact out of a knowledge entry of one's own; the artifact itself stays",
  access: "account",
  params: ArtifactParams,
  response: Ok,
});
