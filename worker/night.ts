import { purgeExports } from "#worker/account/account-export/account-export.ts";
import { purgeOrphanedContent, resumeDeletions } from "#worker/account/account-deletion/resume.ts";
import { purgeForgottenImports } from "#worker/account/imports/imports.ts";
import { enqueueReconciles } from "#worker/account/reconcile/reconcile.ts";
import { deletePastNumberCodes } from "#worker/integrations/messaging-setup/expired-codes.ts";
import { forgetOldMessages } from "#worker/integrations/messaging/conversations.ts";
import { purgeUnusedUploads } from "#worker/library/attachments/purge-uploads.ts";
import { enqueueDriveRefreshes } from "#worker/integrations/google/drive/knowledge/refresh.ts";
import { purgeMissingUploads } from "#worker/library/knowledge/resume-lost.ts";
import { purgeMedia } from "#worker/library/media/purge-media.ts";
import { deleteExpiredCodes } from "#worker/people/additional-emails/additional-emails.ts";
import { enqueueGuestPurges } from "#worker/people/auth/guest-purge.ts";
import { deleteEnded } from "#worker/people/sessions/sessions.ts";
import { forgetOldCounts } from "#worker/platform/security/counts.ts";
import { deleteExpiredLinks } from "#worker/people/alerts/alerts.ts";
import { sealAnew } from "#worker/platform/credentials/seal-anew.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { forgetLostFailures } from "#worker/platform/jobs/failed-jobs.ts";
import { enqueueNight, forgetOldNights, nightJobOf, type NightStep } from "#worker/platform/jobs/nightly.ts";

/** A step without a place: what is done is not found again. */
const more =
  (act: (env: Env) => Promise<boolean>): NightStep =>
  async (env) =>
    (await act(env)) ? "more" : null;

const now = () => new Date().toISOString();

/**
 * What is done each night, by name: ended sessions and codes, uploads that no message took and old images of the web go, unused guests are
 * queued for deletion, and lists for being compared with their rooms; what an older key sealed is sealed anew.
 */
export const STEPS: Record<string, NightStep> = {
  sessions: more((env) => deleteEnded(openDatabase(env.DB), now())),
  codes: more((env) => deleteExpiredCodes(openDatabase(env.DB), now())),
  "number codes": more((env) => deletePastNumberCodes(openDatabase(env.DB), now())),
  "alert links": more((env) => deleteExpiredLinks(openDatabase(env.DB), now())),
  uploads: purgeUnusedUploads,
  "knowledge uploads": more(purgeMissingUploads),
  "drive files": enqueueDriveRefreshes,
  exports: more(purgeExports),
  imports: more(purgeForgottenImports),
  media: purgeMedia,
  guests: enqueueGuestPurges,
  lists: enqueueReconciles,
  messages: more((env) => forgetOldMessages(openDatabase(env.DB))),
  deletions: more(resumeDeletions),
  "left to teams": more(purgeOrphanedContent),
  "failed jobs": more(forgetLostFailures),
  nights: more(forgetOldNights),
  "security events": async (env) => {
    await forgetOldCounts(env);
    return null;
  },
  credentials: sealAnew,
};

export const nightJob = nightJobOf(STEPS);

/** What the nightly cron does. */
export async function beginNight(env: Env, at: Date): Promise<void> {
  await enqueueNight(env, at, { job: nightJob, steps: Object.keys(STEPS) });
}
