import * as z from "zod/mini";
import { Id, Timestamp } from "../ids.ts";

/** What an export of a whole account calls itself in its `account.json`; the version grows with every change that an older reader would not understand. */
export const ACCOUNT_FORMAT = "polylogue-account";
export const ACCOUNT_VERSION = 1;

/** How long a finished export can be downloaded, in milliseconds. */
export const EXPORT_LIFETIME_MS = 24 * 60 * 60_000;
/** Exports of one person in a day of UTC. */
export const EXPORTS_PER_DAY = 3;

/** An export of everything that a person has, while it is made and as long as it can be downloaded. */
export const AccountExport = z.object({
  id: Id,
  state: z.enum(["running", "ready", "failed"]),
  /** Of so many things so many are in it. */
  done: z.number(),
  total: z.number(),
  /** Bytes of the ZIP so far. */
  size: z.number(),
  /** How much could not be included; the file lists it. */
  left_out: z.number(),
  /** Why it failed. */
  problem: z.nullable(z.string()),
  created_at: Timestamp,
  /** When a finished one is deleted. */
  expires_at: z.nullable(Timestamp),
});
export type AccountExport = z.infer<typeof AccountExport>;
