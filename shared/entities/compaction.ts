import * as z from "zod/mini";

/** What a model reads in place of a path's earlier messages, which themselves stay as they are. */
export const Compaction = z.object({
  /** `failed` where no summary could be made: the model then read the latest messages alone. */
  status: z.enum(["running", "done", "failed"]),
  /** How many messages, from the first one on, it stands for. */
  messages: z.number(),
  /** Markdown; null while there is none. */
  summary: z.nullable(z.string()),
});
export type Compaction = z.infer<typeof Compaction>;
