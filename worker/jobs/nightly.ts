import * as z from "zod/mini";
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
import { enqueueDriveRefreshes } from "../knowledge/drive/refresh.ts";
import { purgeNeverCame } from "../knowledge/take-up.ts";
import { purgeMedia } from "../media/purge-media.ts";
import { deletePastNumberCodes } from "../messaging-setup/past-codes.ts";
import { forgetOldMessages } from "../messaging/conversations.ts";
import { enqueueReconciles } from "../reconcile/reconcile.ts";
import { forgetOldCounts } from "../security/counts.ts";
import { forgetLostFailures } from "./failed-jobs.ts";
import { enqueue, enqueueAll, type Job, job } from "./job.ts";
import { claimPage, forgetNights, releasePage } from "./queries.ts";

/** Does a piece of a step after the place that the one before it came to, "" at first; answers how far it came, null once all is done. */
type Act = (env: Env, after: string) => Promise<string | null>;

/** A step without a place: what is done is not found again. */
const more =
  (act: (env: Env) => Promise<boolean>): Act =>
  async (env) =>
    (await act(env)) ? "more" : null;

const now = () => ago(0);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** A message lives at most 15 minutes in a Worker: whatever claimed a page before that has ended, in milliseconds. */
const CLAIM_MS = 20 * 60_000;
/** Longer than a queue keeps a message of a night, in milliseconds. */
const NIGHT_KEPT_MS = 30 * 24 * 60 * 60_000;

/** What is done each night, by name. */
export const STEPS: Record<string, Act> = {
  sessions: more((env) => deleteEnded(openDatabase(env.DB), now())),
  codes: more((env) => deletePastCodes(openDatabase(env.DB), now())),
  "number codes": more((env) => deletePastNumberCodes(openDatabase(env.DB), now())),
  "alert links": more((env) => deletePastLinks(openDatabase(env.DB), now())),
  uploads: purgeUnusedUploads,
  "knowledge uploads": more(purgeNeverCame),
  "drive files": enqueueDriveRefreshes,
  exports: more(purgeExports),
  imports: more(purgeForgottenImports),
  media: purgeMedia,
  guests: enqueueGuestPurges,
  lists: enqueueReconciles,
  messages: more((env) => forgetOldMessages(openDatabase(env.DB))),
  deletions: more(resumeDeletions),
  "left to teams": more(purgeLeft),
  "failed jobs": more(forgetLostFailures),
  nights: more((env) => forgetNights(openDatabase(env.DB), ago(NIGHT_KEPT_MS))),
  "security events": async (env) => {
    await forgetOldCounts(env);
    return null;
  },
  credentials: sealAnew,
};

const Step = z.object({ night: z.string(), step: z.string(), page: z.number(), after: z.string() });
type Step = z.infer<typeof Step>;

/**
 * Does a piece of a step and queues the next one, so that however much there is to do takes more messages and none takes longer. A message that
 * failed does its piece again, as what it did is not found, or is done once more without harm; one that merely came twice does nothing, as
 * from there on all would be done twice.
 */
export const nightJob: Job<Step> = job(
  "night.step",
  Step,
  async (env, { night, step, page, after }, attempt) => {
    const act = STEPS[step];
    // One of another build's may find that build again.
    if (!act) throw new Error("This build knows no such step");
    const db = openDatabase(env.DB);
    const claim = { mayRepeat: attempt > 1, now: now(), lost: ago(CLAIM_MS) };
    if (!(await claimPage(db, { night, step, page }, claim))) return;
    try {
      const next = await act(env, after);
      if (next !== null) await enqueue(env, nightJob, { night, step, page: page + 1, after: next });
    } catch (cause) {
      // A stuck job that somebody has tried again comes with a first attempt.
      await releasePage(db, { night, step, page });
      throw cause;
    }
  },
  "BULK",
);

/** What the nightly cron does: ended sessions and codes, uploads that no message took and old images of the web go, unused guests are queued for deletion, and lists for being compared with their rooms; what an older key sealed is sealed anew. Each step is a job of its own: what fails of one is tried again, and keeps none of the others from its night. */
export async function beginNight(env: Env, at: Date): Promise<void> {
  const night = at.toISOString();
  const steps = Object.keys(STEPS).map((step) => ({ night, step, page: 0, after: "" }));
  await enqueueAll(env, nightJob, steps);
}
