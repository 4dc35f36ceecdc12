/**
 * What the platform's Email Service reports of mails that went out by its binding. Its events come into the queue of jobs, which the
 * deployment subscribes to them (docs/mail.md), in a form of their own; one names one receiver.
 */
import * as z from "zod/mini";
import { job } from "#worker/platform/jobs/job.ts";
import type { MailReturn } from "#worker/mail/chat-address/room-mail.ts";
import { addressOf, handleBounce } from "./handle-bounce.ts";

const KIND = "mail.returned";
const TYPE = "cf.email.sending.message.";

const KINDS: Record<string, MailReturn["kind"]> = { bounced: "bounced", failed: "bounced", rejected: "bounced", complained: "complained" };

const text = z.optional(z.nullable(z.string()));
const reasoned = z.optional(z.nullable(z.object({ type: text, reason: text, detail: text })));

const Event = z.object({
  type: z.string().check(z.startsWith(TYPE)),
  payload: z.object({
    messageId: z.string(),
    sender: z.string(),
    recipient: z.string(),
    delivery: z.optional(z.nullable(z.object({ smtpResponse: text }))),
    bounce: reasoned,
    failure: reasoned,
    rejection: reasoned,
  }),
});

const Returned = z.object({
  event: z.string(),
  messageId: z.string(),
  sender: z.string(),
  recipient: z.string(),
  isForGood: z.boolean(),
  reason: z.nullable(z.string()),
});

/** A message of the queue as the job that it is: an event becomes one, without the mail's subject; any other stays as it came. */
export function jobOf(body: unknown): unknown {
  const parsed = Event.safeParse(body);
  if (!parsed.success) return body;
  const { type, payload } = parsed.data;
  const { messageId, sender, recipient, bounce, failure, rejection, delivery } = payload;
  const event = type.slice(TYPE.length);
  const isForGood = event === "complained" || bounce?.type === "hard" || rejection?.reason === "suppressed";
  const reason = bounce?.reason ?? delivery?.smtpResponse ?? rejection?.detail ?? rejection?.reason ?? failure?.reason ?? null;
  return { kind: KIND, event, messageId, sender, recipient, isForGood, reason } satisfies z.infer<typeof Returned> & { kind: string };
}

/** Notes that a mail came back at that mail; that one arrived, or is late, is nothing to say. */
export const mailReturnedJob = job(KIND, Returned, async (env, { event, messageId, sender, recipient, isForGood, reason }) => {
  const kind = KINDS[event];
  if (!kind) return;
  const id = messageId.trim().replace(/^<(.*)>$/s, "$1");
  await handleBounce(env, { kind, sender, providerId: id, messageId: id, addresses: [addressOf(recipient)], isForGood, reason });
});
