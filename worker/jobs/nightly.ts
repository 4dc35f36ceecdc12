import { purgeUnusedUploads } from "../attachments/purge-uploads.ts";
import { enqueueGuestPurges } from "../auth/guest-purge.ts";
import { deleteEnded } from "../auth/sessions.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";

/** What the nightly cron does: ended sessions and codes go, uploads that no message took go, unused guests are queued for deletion. */
export async function runNightly(env: Env): Promise<void> {
  await deleteEnded(openDatabase(env.DB), new Date().toISOString());
  await purgeUnusedUploads(env);
  await enqueueGuestPurges(env);
}
