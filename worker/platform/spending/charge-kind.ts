import * as z from "zod/mini";

/** What was paid for: a reply's last call to its model (which ends its reservation), an earlier round of it, what a tool of it asked for, or a chat's own needs. */
export const ChargeKind = z.enum([
  "reply",
  "round",
  "tool",
  "title",
  "summary",
  "compaction",
  "transcription",
  "embedding",
  "scan",
  "question",
  "personalization",
  "completion",
]);
export type ChargeKind = z.infer<typeof ChargeKind>;
