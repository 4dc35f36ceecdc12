import type { Knowledge, KnowledgeArtifact, KnowledgeFile, KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { CONTENT_PREVIEW_LENGTH, KNOWLEDGE_ARTIFACTS_SHOWN } from "#shared/limits.ts";
import type { FileRow, KnowledgeRow, ListedKnowledge } from "./queries.ts";

/** A file as its readers see it: not where it lies. */
export function toFile({
  object_key: _key,
  copied_from: _from,
  reading: _reading,
  reading_since: _since,
  google_drive_resource_key: _resourceKey,
  characters: _characters,
  ...file
}: FileRow): KnowledgeFile {
  return file;
}

type EntryContents<A> = { files: readonly FileRow[]; artifacts: readonly A[] };

/** An entry as a list shows it: of its reader's artifacts the first ones. */
export function toSummary(
  { entry: { beginning, is_untrusted: _foreign, ...entry }, files_count }: ListedKnowledge,
  { files, artifacts }: EntryContents<Pick<KnowledgeArtifact, "artifact_id" | "title">>,
): KnowledgeSummary {
  return {
    ...entry,
    preview: beginning,
    user_context_files: files.map(toFile),
    artifacts: artifacts.slice(0, KNOWLEDGE_ARTIFACTS_SHOWN).map(({ artifact_id, title }) => ({ artifact_id, title })),
    files_count,
    artifacts_count: artifacts.length,
  };
}

/** An entry with all that it holds. */
export function toKnowledge(
  { beginning: _beginning, is_untrusted: _foreign, ...entry }: KnowledgeRow,
  { files, artifacts }: EntryContents<KnowledgeArtifact>,
): Knowledge {
  return { ...entry, user_context_files: files.map(toFile), artifacts: [...artifacts] };
}

export function excerptOf(text: string): string {
  const characters = Array.from(text.slice(0, BEGINNING_READ).replaceAll(/\s+/g, " ").trim());
  if (characters.length <= CONTENT_PREVIEW_LENGTH) return characters.join("");
  return `${characters.slice(0, CONTENT_PREVIEW_LENGTH).join("").trimEnd()}…`;
}

/** White space at the beginning is not worth more. */
const BEGINNING_READ = 10_000;
