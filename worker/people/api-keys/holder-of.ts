import type { Context } from "hono";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { networkOf } from "#worker/platform/requests/network-of.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { findHolder, type KeyHolder } from "./api-keys.ts";

/** Keys that nobody has, from one network in an hour. */
const WRONG_KEYS_PER_HOUR = 60;

/** Who holds the key that a request brings as its bearer token; null without one that somebody has. Throws ACCOUNT_BLOCKED and RATE_LIMITED. */
export async function keyHolderOf(c: Context<AppContext>): Promise<KeyHolder | null> {
  const [, secret] = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "") ?? [];
  if (secret === undefined) return null;
  const holder = await findHolder(openDatabase(c.env.DB), secret);
  if (holder) return holder;
  noteEvent(c, "wrong-key", null);
  const network = networkOf(c.req.header("cf-connecting-ip") ?? "local");
  await countOrRefuse(c.env, `mcp-wrong:${network}`, hourly(WRONG_KEYS_PER_HOUR), "RATE_LIMITED");
  return null;
}
