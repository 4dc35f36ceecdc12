import { abandonCopyJob } from "#worker/conversation/chats/transfer-chat.ts";
import { accountExportJob, expireExportJob } from "#worker/account/account-export/job.ts";
import { alertJob } from "#worker/people/alerts/alerts.ts";
import { answerStrangerJob } from "#worker/integrations/messaging/answer-stranger.ts";
import { closeSessionsJob } from "#worker/people/sessions/sign-out.ts";
import { copyFileJob } from "#worker/library/knowledge/copy-entry.ts";
import { deleteManyJob } from "#worker/conversation/chats/delete-many.ts";
import { dropUnopenedJob } from "#worker/mail/inbound/delete-unused-chat.ts";
import { embedFactsJob } from "#worker/library/memories/embed-facts-job.ts";
import { eraseAccountJob } from "#worker/account/account-deletion/erase-account.ts";
import { fetchDriveFileJob } from "#worker/integrations/google/drive/knowledge/fetch-file.ts";
import { followFolderJob } from "#worker/integrations/google/drive/knowledge/follow-folder.ts";
import { giveAuditedCreditsJob } from "#worker/doors/admin/account-actions.ts";
import { giveCreditsJob, settleInviteJob } from "#worker/people/invites/redeem.ts";
import { handleMessagesJob } from "#worker/integrations/messaging/handle-messages.ts";
import { importMemoriesJob } from "#worker/library/memories/import-memories.ts";
import { importStepJob } from "#worker/account/imports/import-job.ts";
import { indexArtifactJob } from "#worker/library/knowledge/index-artifact.ts";
import { indexEntryJob } from "#worker/library/knowledge/index-entry-job.ts";
import { jobOf, mailReturnedJob } from "#worker/mail/bounces/sending-event.ts";
import { keepPersonalizationJob } from "#worker/library/personas/personalization-job.ts";
import { listDriveJob, readDriveJob } from "#worker/integrations/google/drive/jobs.ts";
import { mergeGuestJob } from "#worker/people/auth/merge-guest.ts";
import { nightJob } from "./night.ts";
import { noteSettingsChangeJob } from "#worker/people/hub/stub.ts";
import { noteStatusJob } from "#worker/integrations/messaging/note-status.ts";
import { notifyReadersJob } from "#worker/library/artifacts/notify.ts";
import { purgeArtifactJob } from "#worker/library/artifacts/artifacts.ts";
import { purgeChatJob } from "#worker/conversation/chats/delete-chat.ts";
import { purgeGuestJob } from "#worker/people/auth/guest-purge.ts";
import { purgeKnowledgeJob } from "#worker/library/knowledge/purge-entry.ts";
import { pushJob } from "#worker/mail/push/push-job.ts";
import { readKnowledgeJob } from "#worker/library/knowledge/read-file.ts";
import { readMailJob } from "#worker/mail/inbound/read-mail.ts";
import { readScanJob } from "#worker/library/knowledge/read-scan.ts";
import { readUploadJob } from "#worker/library/attachments/read-upload.ts";
import { reconcileJob } from "#worker/account/reconcile/reconcile.ts";
import { recordResetsJob } from "#worker/people/invites/monthly-resets.ts";
import { refreshDriveFilesJob } from "#worker/integrations/google/drive/knowledge/refresh.ts";
import { refreshPageJob, refreshTeamJob } from "#worker/people/teams/refresh-chats.ts";
import { reindexJob } from "#worker/conversation/search/reindex.ts";
import { reportDayJob } from "#worker/conversation/usage/days.ts";
import { sweepDriveJob } from "#worker/integrations/google/drive/forget-drive.ts";
import { takeInvitationsJob } from "#worker/conversation/sharing/invitations.ts";
import { tidyArtifactJob } from "#worker/library/artifacts/thin-versions.ts";
import type { Env } from "#worker/platform/env.ts";
import { runBatch } from "#worker/platform/jobs/queue.ts";

/** Every kind of work that a queue carries out. */
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

/** Runs a batch of any of the queues. */
export function runJobs(batch: MessageBatch, env: Env): Promise<void> {
  return runBatch(batch, env, { jobs: JOBS, jobOf });
}
