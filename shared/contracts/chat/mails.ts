import * as z from "zod/mini";
import { Id, Timestamp } from "#shared/entities/ids.ts";
import { Mail, MailOutcome } from "#shared/entities/mail.ts";
import { MAILS_PAGE, MAILS_PAGE_MAX, REMINDER_NOTE_LENGTH } from "#shared/limits.ts";
import { ChatParams, pageCursor, pageSize } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const MailParams = z.object({ id: Id, mailId: Id });

/** A mail's place in its chat. */
const MAILS_CURSOR = /^\d{1,15}$/;

/** Where a chat is written to; null where this deployment takes no mail. */
const Address = z.nullable(z.string());

export const listMails = endpoint("GET", "/api/chat/:id/emails", {
  summary: "A page of the chat's mails, newest first, in and out, and the chat's own address",
  access: "account",
  action: "mail",
  params: ChatParams,
  query: z.object({ cursor: pageCursor(MAILS_CURSOR), limit: pageSize(MAILS_PAGE, MAILS_PAGE_MAX) }),
  response: z.object({ address: Address, emails: z.array(Mail), nextCursor: z.nullable(z.string()) }),
});

export const renewMailAddress = endpoint("POST", "/api/chat/:id/emails/address", {
  summary: "Give the chat a new address; mail to the old one is refused from then on",
  access: "account",
  action: "mail",
  repeat: "key",
  params: ChatParams,
  body: z.object({}),
  response: z.object({ address: Address }),
});

export const getMail = endpoint("GET", "/api/chat/:id/emails/:mailId", {
  summary: "One mail of the chat with its whole text and what it quotes",
  access: "account",
  action: "mail",
  params: MailParams,
  response: z.object({
    email: Mail,
    /** When somebody is reminded unless it is answered; null for no time. */
    reminder: z.nullable(z.object({ by: Timestamp, note: z.string() })),
    /** Null for one that began no turn, or whose turn still runs. */
    outcome: z.nullable(MailOutcome),
    /** True for a draft, or what failed, that the caller may send: it goes out in their name, or answers by itself. */
    can_send: z.boolean(),
    /** True for the chat's owner, who pays for the answers to what is let in. */
    can_let_in: z.boolean(),
  }),
});

export const getRawMail = endpoint("GET", "/api/chat/:id/emails/:mailId/raw", {
  summary: "The source of a mail as it came in, to download",
  access: "account",
  action: "mail",
  params: MailParams,
});

/**
 * What is said about the sender of a mail in quarantine. Its answer uses nothing that is its payer's alone (memory, artifacts, knowledge,
 * what they connected) but with `allow_with_data`, which lets in this mail alone, and then waits for the payer's word.
 */
export const SenderDecision = z.enum(["allow_once", "allow_with_data", "allow_always", "block"]);
export type SenderDecision = z.infer<typeof SenderDecision>;

export const decideSender = endpoint("POST", "/api/chat/:id/emails/:mailId/sender", {
  summary:
    "Take a mail out of quarantine, this once, this once with the owner's data, or with all later mail of its proven sender: the owner's to say. Or block the sender in this chat",
  access: "account",
  action: "mail",
  repeat: "same",
  params: MailParams,
  body: z.object({ decision: SenderDecision }),
  response: z.object({ email: Mail }),
});

export const sendMail = endpoint("POST", "/api/chat/:id/emails/:mailId/send", {
  summary: "Send a draft of one's own, or once more a mail that could not be sent; one that is on its way or gone stays as it is",
  access: "account",
  action: "mail",
  repeat: "same",
  params: MailParams,
  body: z.object({}),
  response: z.object({ email: Mail }),
});

export const discardMail = endpoint("POST", "/api/chat/:id/emails/:mailId/discard", {
  summary: "Don't send an answer that waits for the caller's word; it stays as a draft",
  access: "account",
  action: "mail",
  repeat: "same",
  params: MailParams,
  body: z.object({}),
  response: z.object({ email: Mail }),
});

export const remindOfMail = endpoint("POST", "/api/chat/:id/emails/:mailId/reminder", {
  summary: "Have a follow-up drafted, and be asked about it, where nobody answers a sent mail by then; null calls it off",
  access: "account",
  action: "mail",
  repeat: "same",
  params: MailParams,
  body: z.object({
    by: z.nullable(Timestamp),
    note: z._default(z.string().check(z.maxLength(REMINDER_NOTE_LENGTH, "That note is too long.")), ""),
  }),
  response: z.object({ by: z.nullable(Timestamp) }),
});
