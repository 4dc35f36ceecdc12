import { purgeGuest } from "../auth/guest-purge.ts";
import { mergeGuest } from "../auth/merge-guest.ts";
import { purgeChat } from "../chats/delete-chat.ts";
import { abandonCopy } from "../chats/hand-over.ts";
import { deleteMany } from "../chats/delete-many.ts";
import { readUpload } from "../attachments/read-upload.ts";
import type { Env, Job, ReadJob } from "../env.ts";
import { log } from "../log.ts";
import { reindex } from "../search/reindex.ts";
import { takeInvitations } from "../sharing/invitations.ts";

/** Runs a batch of jobs, each settled by itself: a failed one comes again, the others do not. Every job may come more than once. */
export async function runJobs(batch: MessageBatch<Job | ReadJob>, env: Env): Promise<void> {
  for (const message of batch.messages) {
    try {
      await runJob(message.body, env, message.attempts);
      message.ack();
    } catch (cause) {
      // The queue tries again, as often as wrangler.jsonc says, and then gives up on this one alone.
      log.error("job failed", { kind: message.body.kind, attempt: message.attempts, cause });
      message.retry();
    }
  }
}

async function runJob(job: Job | ReadJob, env: Env, attempts: number): Promise<void> {
  switch (job.kind) {
    case "file.read":
      return readUpload(env, job, attempts);
    case "guest.purge":
      return purgeGuest(env, job.userId);
    case "invitations.take":
      return takeInvitations(env, job);
    case "guest.merge":
      return mergeGuest(env, job);
    case "chat.purge":
      return purgeChat(env, job);
    case "copy.abandon":
      return abandonCopy(env, job);
    case "chats.delete":
      return deleteMany(env, job);
    case "reindex":
      return reindex(env, job);
  }
}
