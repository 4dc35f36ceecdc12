import { purgeExports } from "../account-export/account-export.ts";
import { purgeLeft, resumeDeletions } from "../account-deletion/resume.ts";
import { deletePastCodes } from "../additional-emails/additional-emails.ts";
import { deletePastLinks } from "../alerts/alerts.ts";
import { purgeUnusedUploads } from "../attachments/purge-uploads.ts";
import { enqueueGuestPurges } from "../auth/guest-purge.ts";
import { deleteEnded } from "../auth/sessions.ts";
import { sealAnew } from "../credentials/seal-anew.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { purgeForgottenImports } from "../imports/imports.ts";
import { log } from "../log.ts";
import { enqueueDriveRefreshes } from "../knowledge/drive/refresh.ts";
import { purgeNeverCame } from "../knowledge/take-up.ts";
import { purgeMedia } from "../media/purge-media.ts";
import { deletePastNumberCodes } from "../messaging-setup/past-codes.ts";
import { forgetOldMessages } from "../messaging/conversations.ts";
import { enqueueReconciles } from "../reconcile/reconcile.ts";
import { forgetOldCounts } from "../security/counts.ts";
import { forgetLostFailures } from "./failed-jobs.ts";

/** A part of what is done each night: a piece of it, after which it says whether there is more. */
type Step = (env: Env) => Promise<boolean | void>;

const STEPS: Record<string, Step> = {
  sessions: (env) => deleteEnded(openDatabase(env.DB), new Date().toISOString()),
  codes: (env) => deletePastCodes(openDatabase(env.DB), new Date().toISOString()),
  "number codes": (env) => deletePastNumberCodes(openDatabase(env.DB), new Date().toISOString()),
  "alert links": (env) => deletePastLinks(openDatabase(env.DB), new Date().toISOString()),
  uploads: purgeUnusedUploads,
  "knowledge uploads": purgeNeverCame,
  "drive files": enqueueDriveRefreshes,
  exports: purgeExports,
  imports: purgeForgottenImports,
  media: (env) => purgeMedia(env),
  guests: enqueueGuestPurges,
  lists: enqueueReconciles,
  messages: (env) => forgetOldMessages(openDatabase(env.DB)),
  deletions: resumeDeletions,
  "left to teams": purgeLeft,
  "failed jobs": forgetLostFailures,
  "security events": forgetOldCounts,
  credentials: sealAnew,
};

/** What the nightly cron does: ended sessions and codes, uploads that no message took and old images of the web go, unused guests are queued for deletion, and lists for being compared with their rooms; what an older key sealed is sealed anew. */
export async function runNightly(env: Env): Promise<void> {
  for (const [name, step] of Object.entries(STEPS)) {
    try {
      while (await step(env));
    } catch (cause) {
      // The other steps have their night all the same, and this one the next.
      log.error("a nightly step failed", { step: name, cause });
    }
  }
}
