/** Rules of artifacts that both sides follow. */
import { plainName } from "./shown-text.ts";
import { ARTIFACT_BYTES, ARTIFACT_PREVIEW_LENGTH } from "./limits.ts";
import type { ArtifactLevel } from "./entities/artifact.ts";

export const UNTITLED_ARTIFACT = "Untitled Artifact";

/** The endings of files that can be uploaded as artifacts. */
export const MARKDOWN_ENDINGS = [".md", ".markdown", ".mdx", ".txt"] as const;

export const ARTIFACT_PROBLEMS = {
  type: `Invalid file type. Allowed: ${MARKDOWN_ENDINGS.join(", ")}`,
  large: "File too large. Maximum file size is 1MB",
  long: "An artifact can have at most 1 MB of text.",
} as const;

/** Why a file cannot be uploaded as an artifact, in the specification's words; null where it can. `size` is in bytes. */
export function uploadProblem({ name, size }: { name: string; size: number }): string | null {
  const lower = name.toLowerCase();
  if (!MARKDOWN_ENDINGS.some((ending) => lower.endsWith(ending))) return ARTIFACT_PROBLEMS.type;
  return size > ARTIFACT_BYTES ? ARTIFACT_PROBLEMS.large : null;
}

/** A text's size in bytes of UTF-8; a lone half of a pair counts as what it is replaced by. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const point = text.codePointAt(index) ?? 0;
    if (point > 0xffff) index += 1;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point > 0xffff ? 4 : 3;
  }
  return bytes;
}

/** A text as artifacts keep it: lines end with a line feed alone, so texts of all systems compare by their lines. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/** The title of an artifact made of a file: its name without its ending. */
export function titleOfFile(name: string): string {
  const title = plainName(name.replace(/\.(?:md|markdown|mdx|txt)$/i, ""));
  return title === "" ? UNTITLED_ARTIFACT : title;
}

/** What a list shows of a text: its beginning in one line, the marks of markdown left out. */
export function previewOf(content: string): string {
  // Marks are taken from a beginning that is long enough to fill the preview.
  const beginning = content.slice(0, ARTIFACT_PREVIEW_LENGTH * 8);
  const plain = beginning
    .split("\n")
    .map((line) => (isRule(line) ? " " : line))
    .join("\n")
    .replaceAll(/^(?:```|~~~).*$/gm, " ")
    .replaceAll(/!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replaceAll(/\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replaceAll(/^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)/gm, "")
    .replaceAll("|", " ")
    // An underscore within a word is a part of it.
    .replaceAll(/[*~`]+|(?<!\w)_+|_+(?!\w)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain.slice(0, ARTIFACT_PREVIEW_LENGTH).toWellFormed();
}

/** A line of a table's or a page's rule: a pattern with two open ends would take the square of its length. */
function isRule(line: string): boolean {
  return line.includes("-") && /^[|:\-\s]*$/.test(line);
}

/** What each level may do: everybody reads; writing is the owner's and the editors'; sharing and deleting the owner's alone. */
export function artifactRights(level: ArtifactLevel): { edit: boolean; share: boolean; delete: boolean } {
  return { edit: level !== "viewer", share: level === "owner", delete: level === "owner" };
}
