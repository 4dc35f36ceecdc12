import * as z from "zod/mini";

/** What an answer's turn looked into of the chat's knowledge before it was asked. */
export const KnowledgeLook = z.object({
  /** All of it, the passages found for the question, or parts of all where it is about the whole. */
  how: z.enum(["whole", "passages", "parts"]),
  documents: z.array(
    z.object({
      context_id: z.string(),
      name: z.string(),
      /** Passages that were given to the model. */
      found: z.number(),
    }),
  ),
  /** What finding the passages cost in US dollars, rewriting the question included; absent where it cost nothing. */
  cost: z.optional(z.number()),
  /** Files that could not be looked into, and why. */
  unread: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type KnowledgeLook = z.infer<typeof KnowledgeLook>;
