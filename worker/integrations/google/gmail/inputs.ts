/** What the tools of Gmail take. */
import * as z from "zod/mini";

const RECIPIENTS = 50;
const BODY_LENGTH = 100_000;
const FOUND_MAX = 25;
const FILES = 5;

/** Conversations that a search lists unless more or fewer are asked for. */
export const FOUND = 10;

const Id = z.string().check(z.regex(/^[\w-]{1,100}$/, "That is no id of Gmail's."));

export const SearchInput = z.object({
  query: z
    .string()
    .check(
      z.trim(),
      z.maxLength(500),
      z.describe(
        "As in Gmail's own search: words, from:, to:, subject:, has:attachment, is:unread, in:sent, after:2026/01/31, newer_than:7d.",
      ),
    ),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(FOUND_MAX), z.describe(`How many conversations, ${FOUND} unless given.`))),
  page: z.optional(z.string().check(z.maxLength(200), z.describe("`next` of the page before, for older ones."))),
});
export type SearchInput = z.infer<typeof SearchInput>;

export const ReadInput = z.object({
  thread_id: z.optional(Id.check(z.describe("The conversation, as gmailSearch tells it."))),
  message_id: z.optional(Id.check(z.describe("One message of it alone."))),
  save_attachments: z.optional(
    z
      .array(z.string().check(z.maxLength(200)))
      .check(z.maxLength(FILES), z.describe("Ids of attachments of it that are to become files of this chat; their text is shown.")),
  ),
});
export type ReadInput = z.infer<typeof ReadInput>;

const Addresses = z.array(z.string().check(z.maxLength(320))).check(z.maxLength(RECIPIENTS));

const LETTER = {
  cc: z.optional(Addresses.check(z.describe("Who gets a copy."))),
  bcc: z.optional(Addresses.check(z.describe("Who gets a copy that the others do not see."))),
  subject: z.optional(
    z
      .string()
      .check(z.trim(), z.maxLength(200), z.describe("Of an answer: that of its conversation, so that the user sees what it answers.")),
  ),
  body: z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(BODY_LENGTH),
      z.describe("The letter as markdown, with greeting and closing, without what it answers."),
    ),
  reply_to: z.optional(Id.check(z.describe("The message_id that it answers, so that it comes in that conversation."))),
};

export const DraftInput = z.object({ to: Addresses.check(z.describe("Mail addresses, one an entry.")), ...LETTER });
export type DraftInput = z.infer<typeof DraftInput>;

export const SendInput = z.object({
  to: Addresses.check(z.minLength(1, "A mail needs somebody to go to."), z.describe("Mail addresses, one an entry.")),
  ...LETTER,
  draft_id: z.optional(
    Id.check(z.describe("The draft of gmailDraft, made in this chat, that this takes the place of; say all of the letter here too.")),
  ),
});
export type SendInput = z.infer<typeof SendInput>;
