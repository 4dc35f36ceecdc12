import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { EMAIL_LENGTH, FRESH_CRITICAL_MIN } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const NamedTeam = z.object({ id: Id, name: z.string() });

/** What goes with an account, and what keeps it from going. */
export const DeletionPreview = z.object({
  chats: z.number(),
  /** How many of the chats others read, and how many people they are. */
  sharedChats: z.number(),
  readers: z.number(),
  artifacts: z.number(),
  knowledge: z.number(),
  personas: z.number(),
  prompts: z.number(),
  /** Bytes of files. */
  storedBytes: z.number(),
  /** US dollars that are left. */
  credits: z.number(),
  /** Teams that nobody else is in: they go too. */
  loneTeams: z.array(NamedTeam),
  /** Teams that would have no admin: each needs another one first, or is deleted. */
  leaderlessTeams: z.array(NamedTeam),
});
export type DeletionPreview = z.infer<typeof DeletionPreview>;

/** The address of the account that goes, typed. */
export const TypedAddress = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(EMAIL_LENGTH, "That address is too long."));

export const previewDeletion = endpoint("GET", "/api/user/deletion", {
  summary: "What goes with the account, and the teams that need another admin first",
  access: "account",
  response: DeletionPreview,
});

export const deleteAccount = endpoint("DELETE", "/api/user", {
  summary: "Delete the account with all that is its own; names its address, and needs a sign-in of the last 10 minutes",
  access: "account",
  freshMinutes: FRESH_CRITICAL_MIN,
  body: z.object({ email: TypedAddress }),
  response: z.object({ ok: z.literal(true) }),
  status: 202,
});
