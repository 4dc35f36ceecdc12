import * as z from "zod/mini";
import { Id, Timestamp } from "../ids.ts";

/** What a key may be allowed to do, in the order in which people are asked. */
export const API_SCOPES = ["chats", "ask", "artifacts", "prompts", "memory", "models"] as const;

export const ApiScope = z.enum(API_SCOPES);
export type ApiScope = z.infer<typeof ApiScope>;

/** A key that other programs reach an account with. */
export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  /** Its last four characters. */
  hint: z.string(),
  scopes: z.array(ApiScope),
  /** What its answers may cost in a calendar month of UTC, in dollars; null where nothing bounds it but the credits. */
  budget: z.nullable(z.number()),
  /** What they cost this month, in dollars. */
  spent: z.number(),
  created_at: Timestamp,
  /** Null until it was used. */
  last_used_at: z.nullable(Timestamp),
});
export type ApiKey = z.infer<typeof ApiKey>;
