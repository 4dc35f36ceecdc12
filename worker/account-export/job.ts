import * as z from "zod/mini";
import { EXPORT_LIFETIME_MS } from "#shared/entities/library/account-export.ts";
import { deleteFolder } from "../attachments/attachment-keys.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { enqueue, type Job, job } from "../jobs/job.ts";
import { log } from "../log.ts";
import { noteDoneJob } from "../notifications/note-done-job.ts";
import { expireExport } from "./account-export.ts";
import { exportFolder } from "./export-keys.ts";
import { makeStep } from "./make-step.ts";
import { failExport, selectExport } from "./queries.ts";

/** The queue gives a message up after so many attempts (wrangler.jsonc). */
const ATTEMPTS = 4;
/** From this attempt on what cannot be read is left out. */
const LENIENT_FROM = 3;
/** A queue holds a message back for so many seconds at most. */
const DELAY_MAX_SECONDS = 12 * 60 * 60;

const FAILED = "Something went wrong on our side. Nothing of your account was changed.";
/** Where the export is downloaded; whoever is signed out comes there by signing in. */
const PATH = `/auth/login?returnUrl=${encodeURIComponent("/?settings=data")}`;

const Step = z.object({ exportId: z.string(), step: z.number() });
type Step = z.infer<typeof Step>;

/** Makes an export of everything that a person has, a bounded part with each message. */
export const accountExportJob: Job<Step> = job(
  "account.export",
  Step,
  async (env, { exportId, step }, attempt) => {
    const row = await selectExport(openDatabase(env.DB), exportId);
    if (!row) return;
    if (row.step !== step) {
      // This step is kept already; whoever kept it may have ended before it sent the next message.
      if (attempt > 1 && row.step === step + 1) await goOn(env, { exportId, step: row.step, state: row.state, userId: row.user_id });
      return;
    }
    if (row.state !== "running") return;
    try {
      const made = await makeStep(env, row, { isLastTry: attempt >= LENIENT_FROM });
      if (made === "gone") return;
      await goOn(env, { exportId, step: step + 1, state: made === "ready" ? "ready" : "running", userId: row.user_id });
    } catch (cause) {
      if (attempt < ATTEMPTS) throw cause;
      log.error("an export failed", { exportId, step, cause });
      await giveUp(env, { exportId, userId: row.user_id });
    }
  },
  // Its person waits for it.
  "READS",
);

type Stand = { exportId: string; step: number; state: "running" | "ready" | "failed"; userId: string };

/** Sends the next message, or notifies the person. */
async function goOn(env: Env, { exportId, step, state, userId }: Stand): Promise<void> {
  if (state === "running") return enqueue(env, accountExportJob, { exportId, step });
  if (state === "failed") return;
  const said = "It can be downloaded for 24 hours, by you alone: in Settings, under Your data.";
  await noteDoneJob(env, userId, { id: `export:${exportId}`, what: "export", title: "Your export", isOk: true, said, path: PATH });
  await enqueue(env, expireExportJob, { exportId }, { delaySeconds: DELAY_MAX_SECONDS });
}

/** Ends an export that cannot be made, and notifies its person. */
async function giveUp(env: Env, { exportId, userId }: Pick<Stand, "exportId" | "userId">): Promise<void> {
  const now = Date.now();
  const times = { at: new Date(now).toISOString(), over: new Date(now + EXPORT_LIFETIME_MS).toISOString() };
  if (!(await failExport(openDatabase(env.DB), exportId, { problem: FAILED, ...times }))) return;
  await deleteFolder(env.FILES, exportFolder(userId, exportId)).catch((cause: unknown) =>
    log.warn("what is left of a failed export goes with it after its day", { exportId, cause }),
  );
  const said = `${FAILED} You can try again.`;
  await noteDoneJob(env, userId, { id: `export-failed:${exportId}`, what: "export", title: "Your export", isOk: false, said, path: PATH });
}

const Expiring = z.object({ exportId: z.string() });
type Expiring = z.infer<typeof Expiring>;

/** Deletes an export when its time is over. */
export const expireExportJob: Job<Expiring> = job("account.export.expire", Expiring, async (env, { exportId }) => {
  const row = await selectExport(openDatabase(env.DB), exportId);
  if (!row || row.expires_at === null) return;
  const left = Math.ceil((Date.parse(row.expires_at) - Date.now()) / 1_000);
  if (left <= 0) return expireExport(env, { id: exportId, userId: row.user_id });
  await enqueue(env, expireExportJob, { exportId }, { delaySeconds: Math.min(left, DELAY_MAX_SECONDS) });
});
