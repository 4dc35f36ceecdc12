import * as z from "zod/mini";
import { REMINDER_NOTE_LENGTH } from "#shared/limits.ts";
import { canSendMail } from "#worker/platform/clients/mailer.ts";
import { configOf } from "#worker/platform/env.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({
  email_id: z.string().check(z.describe("The id of a mail that this chat sent.")),
  by: z.nullable(
    z.string().check(z.describe("Until when an answer is waited for, as ISO 8601 with its offset; null calls a reminder off.")),
  ),
  note: z.optional(z.string().check(z.maxLength(REMINDER_NOTE_LENGTH), z.describe("What the follow-up should say."))),
});

/** Lets the chat draft a follow-up where nobody answers a mail in time. */
export const remindIfUnanswered: Tool<typeof Input> = {
  id: "remindIfUnanswered",
  description:
    "Waits for an answer to a mail that this chat sent. If none came in by then, the chat drafts a follow-up and asks the user whether to send it; an answer before that ends it.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  isSetUp: (env) => configOf(env).mail.domain !== undefined && canSendMail(env),
  async run({ email_id: mailId, by, note = "" }, { reader, mails }) {
    const at = by === null ? null : Date.parse(by);
    if (at !== null && Number.isNaN(at)) return { ok: false, error: "`by` is no time as ISO 8601 has it." };
    const set = await mails.remind({ mailId, userId: reader.userId, by: at, note });
    if (!set.ok) return { ok: false, error: set.message ?? "This chat has sent no mail with this id." };
    return {
      ok: true,
      output: at === null ? "The reminder is called off." : `An answer is waited for until ${new Date(at).toISOString()}.`,
    };
  },
};
