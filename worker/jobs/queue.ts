import * as z from "zod/mini";
import { accountExportJob, expireExportJob } from "../account-export/job.ts";
import { eraseAccountJob } from "../account-deletion/erase-account.ts";
import { giveAuditedCreditsJob } from "../admin/acts.ts";
import { alertJob } from "../alerts/alerts.ts";
import { purgeArtifactJob } from "../artifacts/artifacts.ts";
import { notifyReadersJob } from "../artifacts/notify.ts";
import { tidyArtifactJob } from "../artifacts/tidy.ts";
import { readUploadJob } from "../attachments/read-upload.ts";
import { purgeGuestJob } from "../auth/guest-purge.ts";
import { mergeGuestJob } from "../auth/merge-guest.ts";
import { closeSessionsJob } from "../auth/sign-out.ts";
import { purgeChatJob } from "../chats/delete-chat.ts";
import { deleteManyJob } from "../chats/delete-many.ts";
import { abandonCopyJob } from "../chats/transfer-chat.ts";
import { sweepDriveJob } from "../drive/forget.ts";
import { listDriveJob, readDriveJob } from "../drive/jobs.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { dropFailure, keepDead, keepFailure } from "./failed-jobs.ts";
import type { QueueName } from "./job.ts";
import { nightJob } from "./nightly.ts";
import { importStepJob } from "../imports/import-job.ts";
import { giveCreditsJob, settleInviteJob } from "../invites/redeem.ts";
import { recordResetsJob } from "../invites/resets.ts";
import { embedFactsJob } from "../memories/embed-facts-job.ts";
import { importMemoriesJob } from "../memories/import-memories.ts";
import { dropUnopenedJob } from "../mail/drop-unopened.ts";
import { copyFileJob } from "../knowledge/copy-entry.ts";
import { fetchDriveFileJob } from "../knowledge/drive/fetch-file.ts";
import { followFolderJob } from "../knowledge/drive/follow-folder.ts";
import { refreshDriveFilesJob } from "../knowledge/drive/refresh.ts";
import { indexArtifactJob } from "../knowledge/index-artifact.ts";
import { indexEntryJob } from "../knowledge/index-entry-job.ts";
import { purgeKnowledgeJob } from "../knowledge/purge-entry.ts";
import { readKnowledgeJob } from "../knowledge/read-file.ts";
import { readScanJob } from "../knowledge/read-scan.ts";
import { keepPersonalizationJob } from "../memories/personalization-job.ts";
import { readMailJob } from "../mail/read-mail.ts";
import { answerStrangerJob } from "../messaging/answer-stranger.ts";
import { handleMessagesJob } from "../messaging/handle-messages.ts";
import { noteStatusJob } from "../messaging/note-status.ts";
import { pushJob } from "../push/push-job.ts";
import { reconcileJob } from "../reconcile/reconcile.ts";
import { jobOf, mailReturnedJob } from "../returns/sending-event.ts";
import { reportDayJob } from "../usage/days.ts";
import { reindexJob } from "../search/reindex.ts";
import { takeInvitationsJob } from "../sharing/invitations.ts";
import { refreshPageJob, refreshTeamJob } from "../teams/refresh-chats.ts";
import { noteSettingsChangeJob } from "../user-hub/stub.ts";

const JOBS = [
  abandonCopyJob,
  accountExportJob,
  alertJob,
  expireExportJob,
  answerStrangerJob,
  closeSessionsJob,
  copyFileJob,
  deleteManyJob,
  dropUnopenedJob,
  embedFactsJob,
  eraseAccountJob,
  giveAuditedCreditsJob,
  giveCreditsJob,
  handleMessagesJob,
  importMemoriesJob,
  importStepJob,
  listDriveJob,
  nightJob,
  readDriveJob,
  sweepDriveJob,
  fetchDriveFileJob,
  followFolderJob,
  refreshDriveFilesJob,
  keepPersonalizationJob,
  mailReturnedJob,
  mergeGuestJob,
  indexArtifactJob,
  indexEntryJob,
  purgeArtifactJob,
  purgeChatJob,
  purgeGuestJob,
  purgeKnowledgeJob,
  pushJob,
  readKnowledgeJob,
  readMailJob,
  readScanJob,
  readUploadJob,
  reconcileJob,
  recordResetsJob,
  refreshPageJob,
  refreshTeamJob,
  reindexJob,
  reportDayJob,
  settleInviteJob,
  takeInvitationsJob,
  noteSettingsChangeJob,
  noteStatusJob,
  notifyReadersJob,
  tidyArtifactJob,
];

const Message = z.object({ kind: z.string() });

/** A queue by its name's end, as a second copy's begins otherwise (scripts/lib/deploy/copy.ts). */
const NAME = /-(jobs|reads|bulk)(-dead)?$/;
const QUEUES = { jobs: "JOBS", reads: "READS", bulk: "BULK" } as const;

/** The deployment in which bulk work asks for more: whatever that is, nobody waits for it either. */
const inBulk = new WeakMap<Env, Env>();

function bulkOf(env: Env): Env {
  const known = inBulk.get(env) ?? { ...env, JOBS: env.BULK, READS: env.BULK };
  inBulk.set(env, known);
  return known;
}

/** Runs a batch of jobs, each settled by itself: a failed one comes again, the others do not. Every job may come more than once. */
export async function runJobs(batch: MessageBatch, env: Env): Promise<void> {
  const { queue, isDead } = queueOf(batch);
  const messages = batch.messages.map((message) => ({
    body: jobOf(message.body),
    attempts: message.attempts,
    ack: () => message.ack(),
    retry: () => message.retry(),
  }));
  if (isDead) return keepDead(messages, env, queue);
  const deployment = queue === "BULK" ? bulkOf(env) : env;
  for (const message of messages) {
    const { data } = Message.safeParse(message.body);
    try {
      // One of another build's may find that build again.
      const known = JOBS.find(({ kind }) => kind === data?.kind);
      if (!known) throw new Error("This build knows no such job");
      await known.receive(deployment, message.body, message.attempts);
      if (message.attempts > 1) await dropFailure(env, message.body);
      message.ack();
    } catch (cause) {
      // The queue tries again, as often as wrangler.jsonc says, and then hands this one alone to its dead-letter queue.
      await keepFailure(env, message, { queue, cause });
      log.error("job failed", { kind: data?.kind, attempt: message.attempts, cause });
      message.retry();
    }
  }
}

function queueOf({ queue }: MessageBatch): { queue: QueueName; isDead: boolean } {
  const [, name, dead] = NAME.exec(queue) ?? [];
  return { queue: name === "reads" || name === "bulk" ? QUEUES[name] : QUEUES.jobs, isDead: dead !== undefined };
}
