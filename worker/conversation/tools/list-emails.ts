import * as z from "zod/mini";
import { configOf } from "#worker/platform/env.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import type { Tool } from "./tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

const PAGE = 10;
const PAGE_MAX = 30;
/** Characters of a text in a list, and of one mail alone. */
const BEGINNING = 600;
const FULL_MAIL_LENGTH = 40_000;

const Input = z.object({
  id: z.optional(z.string().check(z.describe("The id of one mail, to read all of it."))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(PAGE_MAX), z.describe(`How many, ${PAGE} unless given.`))),
  before: z.optional(z.int().check(z.describe("`next` of the page before, for older ones."))),
});

/** Shows the model the chat's mails, in and out. */
export const listEmails: Tool<typeof Input> = {
  id: "listEmails",
  description:
    "Lists the mails of this chat, newest first: those that came in at its address and those that it sent, with drafts. With `id` it shows one mail whole.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  isSetUp: (env) => configOf(env).mail.domain !== undefined,
  async run({ id, limit = PAGE, before = null }, { mails }) {
    if (id !== undefined) {
      const mail = mails.find(id);
      if (!mail || !isShown(mail)) return { ok: false, error: "This chat has no mail with this id. Without `id` the mails are listed." };
      return {
        ok: true,
        output: quoteUntrusted(
          JSON.stringify({ email: shown(mail, FULL_MAIL_LENGTH), quoted: mail.quoted_body?.slice(0, FULL_MAIL_LENGTH) ?? null }),
        ),
      };
    }
    const address = await mails.address();
    const page = mails.list({ before, limit });
    const emails = page.mails.filter(isShown).map((mail) => shown(mail, BEGINNING));
    return { ok: true, output: quoteUntrusted(JSON.stringify({ address, emails, next: page.next })) };
  },
};

/** What strangers sent is nobody's to read before someone lets it in. */
function isShown({ state }: RoomMail): boolean {
  return state !== "quarantined" && state !== "blocked";
}

function shown(mail: RoomMail, length: number) {
  const { text_body: text } = mail;
  return {
    id: mail.id,
    direction: mail.direction,
    state: mail.state,
    from: mail.direction === "in" ? [mail.from_name, `<${mail.from_addr}>`].filter(Boolean).join(" ") : "this chat",
    to: mail.to_addr,
    ...(mail.cc_addr.length > 0 && { cc: mail.cc_addr }),
    subject: mail.subject,
    date: mail.created_at,
    text: text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`,
    ...(mail.attachments.length > 0 && { attachments: mail.attachments.map(({ id, name, size }) => ({ id, name, bytes: size })) }),
    ...(mail.note !== null && { note: mail.note }),
  };
}
