import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** A persona: a system prompt of one's own, or one that a team shares. */
export const Persona = z.object({
  id: Id,
  name: z.string(),
  /** Of the personalized persona the part that its person writes. */
  content: z.string(),
  /** The section that memory keeps, from its marker on; null where there is none, and of every other persona. */
  personalization: z.nullable(z.string()),
  is_personalized: z.boolean(),
  /** The one of their own that its person's chats begin with. */
  is_default: z.boolean(),
  /** Null for a personal one. */
  team_id: z.nullable(Id),
  user_id: Id,
  /** Counts its changes, from 1. */
  version: z.number(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Persona = z.infer<typeof Persona>;

export const PersonaVersion = z.object({
  version: z.number(),
  name: z.string(),
  content: z.string(),
  personalization: z.nullable(z.string()),
  created_at: Timestamp,
});
export type PersonaVersion = z.infer<typeof PersonaVersion>;
