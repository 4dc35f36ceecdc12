import type { ImportSource } from "#shared/imports/import.ts";
import type { Archive } from "./archive.ts";
import { chatgpt } from "./chatgpt/chatgpt.ts";
import { claude } from "./claude/claude.ts";
import { polylogue } from "./polylogue/polylogue.ts";
import type { Source } from "./source.ts";

/** Every kind of export that can be imported, in the order in which they are asked whether a file is theirs. */
const SOURCES: readonly Source[] = [polylogue, chatgpt, claude];

/** Whose export a file is; null for none that is known. */
export async function recognize(archive: Archive): Promise<Source | null> {
  for (const source of SOURCES) if (await source.recognize(archive)) return source;
  return null;
}

/** The source of this name. Throws for one that this build does not know. */
export function sourceOf(id: ImportSource | null): Source {
  const source = SOURCES.find((known) => known.id === id);
  if (!source) throw new Error("This build knows no such export.");
  return source;
}
