import type { MarkedText } from "#shared/contracts/search.ts";
import { artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";

/** Characters of a passage that a link carries. */
const LENGTH = 90;

/** Where an artifact opens at a passage of its text. */
export function passagePath(id: string, passage: string): string {
  return passage === "" ? artifactPath(id) : `${artifactPath(id)}?passage=${encodeURIComponent(passage)}`;
}

/** What follows from the first match of a snippet on, to the end of its line; empty where nothing of the text matched. */
export function passageOf({ text, ranges }: MarkedText): string {
  const first = ranges[0];
  if (!first) return "";
  const line = text.slice(first.start).split("\n", 1)[0] ?? "";
  const complete = line.replace(/ …$/, "");
  if (complete.length <= LENGTH) return complete.trim().toWellFormed();
  const end = complete.lastIndexOf(" ", LENGTH);
  return complete.slice(0, end > 0 ? end : LENGTH).toWellFormed();
}
