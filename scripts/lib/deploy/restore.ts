/** Sets a copy's database back by the platform's Time Travel: wrangler's own command takes the name in wrangler.jsonc for its id. */
import * as z from "zod";
import type { Copy } from "./copy.ts";
import type { Platform } from "./platform.ts";
import { findDatabase } from "./resources.ts";

/** A time, as against a bookmark, which has no such date in front. */
const TIME = /^\d{4}-\d{2}-\d{2}T/;

/** The bookmark by which a copy's database comes back to what it is now. */
export async function bookmarkOfNow(platform: Platform, copy: Copy): Promise<string> {
  const { bookmark } = await platform.ask(`${await pathOf(platform, copy)}/bookmark`, z.object({ bookmark: z.string() }));
  return bookmark;
}

/** Sets a copy's database back to a time (ISO 8601) or a bookmark; returns the bookmarks of that moment and of the one `before` this. */
export async function restoreDatabase(platform: Platform, copy: Copy, moment: string): Promise<{ bookmark: string; before: string }> {
  const isTime = TIME.test(moment);
  if (isTime && Number.isNaN(Date.parse(moment))) throw new Error(`"${moment}" is no time: write it as 2026-11-22T03:00:00Z.`);
  const path = await pathOf(platform, copy);
  const at = isTime ? `?timestamp=${encodeURIComponent(new Date(moment).toISOString())}` : "";
  const bookmark = isTime ? (await platform.ask(`${path}/bookmark${at}`, z.object({ bookmark: z.string() }))).bookmark : moment;
  const Restored = z.object({ bookmark: z.string(), previous_bookmark: z.string() });
  const restored = await platform.ask(`${path}/restore?bookmark=${encodeURIComponent(bookmark)}`, Restored, { method: "POST", body: {} });
  return { bookmark: restored.bookmark, before: restored.previous_bookmark };
}

async function pathOf(platform: Platform, copy: Copy): Promise<string> {
  const id = await findDatabase(platform, copy);
  if (id === null) throw new Error(`This account has no ${copy.database}: \`${copy.command}\` makes it.`);
  return `d1/database/${id}/time_travel`;
}
