import { readKnowledgeAddress } from "#shared/knowledge-citations.ts";
import { sentFiles } from "#worker/library/attachments/room-file.ts";
import type { Section } from "#worker/library/contribution.ts";
import type { PathRow } from "./path.ts";

/** True where a part of a system prompt is another's than the reader's. */
export function holdUntrusted(sections: readonly Section[]): boolean {
  return sections.some(({ isUntrusted }) => isUntrusted);
}

/**
 * True where a prompt holds what neither this person nor a model that read nothing else wrote: what was written into its system prompt by
 * others, messages that are not trusted for them, and files (what somebody said themselves is none).
 */
export function holdsUntrustedText(
  path: readonly PathRow[],
  { sections, userId }: { sections: readonly Section[]; userId: string },
): boolean {
  return (
    holdUntrusted(sections) ||
    path.some(
      ({ trusted_for: trustedFor, attachments }) =>
        trustedFor !== userId || sentFiles(attachments).some(({ isMissing, kind }) => !isMissing && kind !== "audio"),
    )
  );
}

/** True for a citation of what a tool or a model has read; whose words the knowledge is that a turn began with, its sections say. */
export function isUntrustedCitation({ url }: { url: string }): boolean {
  return url !== "" && readKnowledgeAddress(url) === null;
}
