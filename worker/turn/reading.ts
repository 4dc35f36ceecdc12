import { isPrivateTool } from "#shared/private-tools.ts";
import { isMemoryTool } from "#shared/memory-tools.ts";
import { categoryOf } from "../tools/categories.ts";
import type { Reading } from "../tools/tool.ts";
import type { Section } from "./contribution.ts";
import type { PathRow } from "./path.ts";
import type { StoredCall, StoredRound } from "./round.ts";

/** What a turn begins with: whether it holds what is its person's own, and what they wrote themselves. */
export type Beginning = { hasPrivateText: boolean; ownWords: readonly string[] };

type PromptHistory = { rounds: ReadonlyMap<string, StoredRound[]>; sections: readonly Section[]; userId: string };

/** What a path shows its turn's model of its person. */
export function readBeginning(path: readonly PathRow[], { rounds, sections, userId }: PromptHistory): Beginning {
  return {
    hasPrivateText:
      sections.some(({ kind }) => kind === "knowledge" || kind === "passages") ||
      path.some((row) => row.mail !== null || (rounds.get(row.id) ?? []).some(({ calls }) => calls.some(hasBroughtPrivateText))),
    ownWords: path.flatMap((row) => (row.role === "user" && row.author_id === userId && row.mail === null ? [row.content] : [])),
  };
}

type Now = { calls: readonly StoredCall[]; citations: readonly { url: string }[] };

/**
 * What a model knows after these calls of its turn. An address that its person wrote, or that a search found, was there before anything
 * private was read: whoever asks for it reveals nothing by it.
 */
export function readingAt({ hasPrivateText, ownWords }: Beginning, { calls, citations }: Now): Reading {
  const found = calls.filter(({ tool }) => categoryOf(tool)?.id === "search").flatMap(({ sources }) => sources);
  const known = new Set([...citations, ...found].map(({ url }) => bare(url)));
  return {
    hasPrivateText: hasPrivateText || calls.some(hasBroughtPrivateText),
    knowsAddress: (url) => known.has(bare(url)) || ownWords.some((words) => words.includes(bare(url))),
  };
}

/** True for a call that has shown its model the person's mail, files or knowledge. */
function hasBroughtPrivateText({ status, tool }: Pick<StoredCall, "status" | "tool">): boolean {
  return status === "done" && ((isPrivateTool(tool) && !isMemoryTool(tool)) || categoryOf(tool)?.id === "email");
}

/** An address as people write it too. */
function bare(url: string): string {
  return url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}
