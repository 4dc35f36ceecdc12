/** What waits for an administrator. */
import { env } from "cloudflare:workers";
import { createInvite, redeemInvite } from "#shared/contracts/account/invites.ts";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { type Person, signIn } from "./worker.ts";

/** A job that its queue gave up, which does no harm when it comes again; its id. */
export async function stuckJob(at = new Date().toISOString()): Promise<string> {
  const id = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  const payload = JSON.stringify({ userId: crypto.randomUUID(), emails: ["hidden@example.com"] });
  await env.DB.prepare(
    `INSERT INTO failed_jobs (id, queue, kind, payload, attempts, error_name, error_message, failed_at, stuck_at)
     VALUES (?, 'JOBS', 'invitations.take', ?, 6, 'Error', 'The bucket is away', ?, ?)`,
  )
    .bind(id, payload, at, at)
    .run();
  return id;
}

/** Something that somebody wrote to the operator; its id. */
export async function newFeedback(person?: Person, message = "More models, please"): Promise<string> {
  const sender = person ?? (await signIn());
  await sender.take(sendFeedback, { body: { message } });
  const id = await env.DB.prepare("SELECT id FROM feedback WHERE user_id = ? ORDER BY created_at DESC")
    .bind(sender.user.id)
    .first<string>("id");
  return id ?? "";
}

/** Somebody whose team plan waits for approval. */
export async function waitingPerson(administrator: Person): Promise<Person> {
  const { invite } = await administrator.take(createInvite, { body: { team_plan: true, auto_activate: false, initial_credits: 7 } });
  const person = await signIn();
  await person.take(redeemInvite, { params: { code: invite.code }, body: {} });
  return person;
}
