import * as z from "zod/mini";
import { ChatSettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";

export const NewChat = z.object({
  ownerId: z.string(),
  title: z.string(),
  settings: z._default(ChatSettings, NO_SETTINGS),
  createdAt: z.string(),
  /** The team in whose workspace it begins, with which the database has it shared already. */
  teamId: z._default(z.nullable(z.string()), null),
});
export type NewChat = z.infer<typeof NewChat>;
