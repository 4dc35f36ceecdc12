import { randomToken } from "../auth/random.ts";
import type { Env } from "../env.ts";
import { MEDIA_FOLDER } from "./media.ts";

/** An image of the web is kept for so many milliseconds; who looks at it later has it fetched again. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** Images in one list, and deleted at once (R2's limit); so many lists a night. */
const PAGE = 1_000;
const PAGES = 200;

/** Deletes the images of the web that were fetched a month ago. Begins anywhere among them, so each has its night however many there are. */
export async function purgeMedia({ FILES: files }: Pick<Env, "FILES">, now: number = Date.now()): Promise<void> {
  const start = `${MEDIA_FOLDER}${randomToken()}`;
  let isFromStart = false;
  let page = await files.list({ prefix: MEDIA_FOLDER, startAfter: start, limit: PAGE });
  for (let pages = 1; pages <= PAGES; pages += 1) {
    const { objects } = page;
    const old = objects.filter(({ uploaded }) => uploaded.getTime() <= now - KEPT_MS).map(({ key }) => key);
    if (old.length > 0) await files.delete(old);
    const isRound = isFromStart && (objects.at(-1)?.key ?? start) >= start;
    if (isRound || (isFromStart && !page.truncated)) return;
    const cursor = page.truncated ? { cursor: page.cursor } : {};
    isFromStart ||= !page.truncated;
    page = await files.list({ prefix: MEDIA_FOLDER, limit: PAGE, ...cursor });
  }
}
