import type { Env } from "#worker/platform/env.ts";
import { MEDIA_FOLDER } from "./media.ts";

/** An image of the web is kept for so many milliseconds; who looks at it later has it fetched again. */
const IMAGE_RETENTION_MS = 30 * 24 * 60 * 60_000;
/** Images in one list, and deleted at once (R2's limit). */
const PAGE = 1_000;

/** Deletes those of a page of the images of the web that were fetched a month ago; answers where to go on, null at their end. */
export async function purgeMedia({ FILES: files }: Pick<Env, "FILES">, after: string, now: number = Date.now()): Promise<string | null> {
  const { objects, truncated } = await files.list({ prefix: MEDIA_FOLDER, limit: PAGE, ...(after !== "" && { startAfter: after }) });
  const old = objects.filter(({ uploaded }) => uploaded.getTime() <= now - IMAGE_RETENTION_MS).map(({ key }) => key);
  if (old.length > 0) await files.delete(old);
  return truncated ? (objects.at(-1)?.key ?? null) : null;
}
