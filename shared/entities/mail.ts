import * as z from "zod/mini";
import { Attachment } from "./attachment.ts";
import { Id, Timestamp } from "./ids.ts";

/**
 * Of one that came in: `received` is part of the chat, `quarantined` waits for a word about its sender, `blocked` was refused by one.
 * Of one that goes out: `draft` is not sent, `queued` is on its way, `sent`, `failed` was never taken, `bounced` and `complained` came back.
 */
export const MailState = z.enum(["received", "quarantined", "blocked", "draft", "queued", "sent", "failed", "bounced", "complained"]);
export type MailState = z.infer<typeof MailState>;

/** Whether a mail is from where it says: `pass` by aligned DKIM or DMARC of its From domain, `none` where nothing was said about it. */
export const MailAuthentication = z.object({
  result: z.enum(["pass", "fail", "none"]),
  by: z.nullable(z.enum(["dmarc", "dkim"])),
});
export type MailAuthentication = z.infer<typeof MailAuthentication>;

/** One mail of a chat. Addresses are in lower case. */
export const Mail = z.object({
  id: Id,
  chat_id: Id,
  direction: z.enum(["in", "out"]),
  state: MailState,
  /** The address that wrote it: of one that goes out the chat's own. */
  from_addr: z.string(),
  /** The name beside it; empty where there is none. */
  from_name: z.string(),
  to_addr: z.array(z.string()),
  cc_addr: z.array(z.string()),
  subject: z.string(),
  /** What was written, as plain text; in a list its beginning alone. */
  text_body: z.string(),
  /** True where `text_body` is only the beginning. */
  is_cut: z.boolean(),
  /** What it quotes of earlier mails, folded away; null without any, and in a list. */
  quoted_body: z.nullable(z.string()),
  /** Null for one that goes out. */
  authentication: z.nullable(MailAuthentication),
  attachments: z.array(Attachment),
  /** Its Message-ID without angle brackets; null for a draft. */
  message_id: z.nullable(z.string()),
  in_reply_to: z.nullable(z.string()),
  /** The message of the chat that it became, or that it was sent for. */
  turn_id: z.nullable(Id),
  /** True where its source can be downloaded; its bytes. */
  has_raw: z.boolean(),
  raw_size: z.number(),
  /** Why it is in this state, as a sentence: what could not be read, why it came back. */
  note: z.nullable(z.string()),
  created_at: Timestamp,
});
export type Mail = z.infer<typeof Mail>;

/** What became of a mail that came in, once its turn has ended: when it was answered by mail, and what the turn cost in US dollars. */
export const MailOutcome = z.object({ answered_at: z.nullable(Timestamp), cost: z.nullable(z.number()) });
export type MailOutcome = z.infer<typeof MailOutcome>;

/** What a chat's message shows of the mail that it came as. */
export const MessageMail = z.object({
  id: Id,
  /** Null for readers who see no addresses. */
  from_addr: z.nullable(z.string()),
  from_name: z.string(),
  subject: z.string(),
  authentication: MailAuthentication,
  /** What it quotes of earlier mails; null without any. */
  quoted: z.nullable(z.string()),
  /** What there is to know about the turn that it began, as a sentence. */
  note: z.nullable(z.string()),
});
export type MessageMail = z.infer<typeof MessageMail>;

/** The mail that an answer went out as. */
export const AnswerMail = z.object({
  id: Id,
  state: MailState,
  /** Null for readers who see no addresses. */
  to: z.nullable(z.array(z.string())),
  /** Why it was not sent or came back; null as well for those. */
  note: z.nullable(z.string()),
  /** Whether it waits for the reader's own word, or for another's; absent where it waits for nobody's. */
  waits_for: z.optional(z.enum(["you", "other"])),
  at: Timestamp,
});
export type AnswerMail = z.infer<typeof AnswerMail>;
