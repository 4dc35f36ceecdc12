import type { ReasoningDetail } from "../clients/prompt.ts";

/** The fields that arrive in pieces; all others come whole (openrouter.md, 2, rule 5). */
const PIECES = ["text", "summary", "data"] as const;

/** Adds a chunk's details: pieces with the same index and type are one detail, in the order of their first piece. */
export function mergeReasoningDetails(details: ReasoningDetail[], added: ReasoningDetail[]): ReasoningDetail[] {
  const merged = details.map((detail) => ({ ...detail }));
  for (const piece of added) {
    const same = merged.find((detail) => detail.type === piece.type && detail.index !== undefined && detail.index === piece.index);
    if (!same) {
      merged.push({ ...piece });
      continue;
    }
    for (const [key, value] of Object.entries(piece)) {
      const held = same[key];
      const isPiece = PIECES.some((name) => name === key);
      same[key] = isPiece && typeof held === "string" && typeof value === "string" ? held + value : (value ?? held);
    }
  }
  return merged;
}
