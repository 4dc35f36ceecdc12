import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";
import { Citation } from "./message.ts";

/** A message as a public page has it: its words, the model that answered and what it cites; nothing of the person. */
export const PublicMessage = z.object({
  id: Id,
  role: z.enum(["user", "assistant"]),
  /** Markdown. */
  content: z.string(),
  model_id: z.nullable(z.string()),
  citations: z.array(Citation),
  created_at: Timestamp,
});
export type PublicMessage = z.infer<typeof PublicMessage>;

/** A page of a published chat, from its beginning. */
export const PublicChat = z.object({
  id: Id,
  title: z.string(),
  /** Who published it. */
  publishedBy: z.string(),
  publishedAt: Timestamp,
  messages: z.array(PublicMessage),
  /** Of all pages. */
  messageCount: z.number(),
  /** UTF-16 units of all pages' messages. */
  length: z.number(),
  page: z.number(),
  pages: z.number(),
});
export type PublicChat = z.infer<typeof PublicChat>;
