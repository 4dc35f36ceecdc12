import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** A fact about its person, which every model gets along with their messages. */
export const Memory = z.object({
  id: Id,
  text: z.string(),
  /** Where it comes from: a chat, its person's own hand, or an imported list. */
  origin: z.enum(["chat", "user", "import"]),
  /** The chat that it was saved in, null where that is gone or there is none. */
  chat: z.nullable(z.object({ id: Id, title: z.string() })),
  /** The answer in which it was saved. */
  message_id: z.nullable(Id),
  created_at: Timestamp,
  /** When a model last got it, null for never. */
  used_at: z.nullable(Timestamp),
  /** False where it is left out of what goes along, as newer ones take the room. */
  is_sent: z.boolean(),
  /** Why no model gets it any more, null for a fact that holds. */
  ended: z.nullable(z.enum(["forgotten", "replaced"])),
  /** True where it said something else before, or took another's place. */
  has_history: z.boolean(),
  /** True where others may have written it: what acts outside asks while it goes along. Changing it, to the same words too, makes it the caller's own. */
  is_untrusted: z.boolean(),
});
export type Memory = z.infer<typeof Memory>;

/** What a fact said before, or which other one it took the place of. */
export const MemoryVersion = z.object({ id: Id, text: z.string(), at: Timestamp, why: z.enum(["edited", "replaced"]) });
export type MemoryVersion = z.infer<typeof MemoryVersion>;

/** How far a list of facts is that is being imported: those that were added, were there already, or could not be kept. */
export const MemoryImport = z.object({
  id: Id,
  /** `failed` for one that did not come to its end: what it counts was kept. */
  state: z.enum(["running", "done", "failed"]),
  total: z.number(),
  added: z.number(),
  duplicate: z.number(),
  failed: z.number(),
  at: Timestamp,
});
export type MemoryImport = z.infer<typeof MemoryImport>;
