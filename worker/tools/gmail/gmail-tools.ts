/** The tools of a person's own Gmail. What they do is loaded when a model calls one: it is no part of the Worker's start. */
import * as z from "zod/mini";
import { configOf, type Env } from "../../env.ts";
import { loadOnce } from "../../load-once.ts";
import type { Tool } from "../tool.ts";

const RECIPIENTS = 50;
const BODY_LENGTH = 100_000;
const FOUND = 10;
const FOUND_MAX = 25;
const FILES = 5;
/** Saving files waits for their reading besides Gmail's answers, in milliseconds. */
const READ_MS = 90_000;

const running = loadOnce(() => import("./run-gmail.ts"));

const COMMON = {
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  isForAccounts: true,
  isSetUp: (env: Env) => configOf(env).google.features.includes("gmail"),
} as const;

const Id = z.string().check(z.regex(/^[\w-]{1,100}$/, "That is no id of Gmail's."));

const SearchInput = z.object({
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

/** Finds conversations in the person's Gmail. */
export const gmailSearch: Tool<typeof SearchInput> = {
  ...COMMON,
  id: "gmailSearch",
  description:
    "Searches the user's own Gmail and lists conversations, newest first, each with its subject, people and beginning. gmailRead shows one whole.",
  input: SearchInput,
  run: async (input, context) => (await running()).search({ ...input, limit: input.limit ?? FOUND }, context),
};

const ReadInput = z.object({
  thread_id: z.optional(Id.check(z.describe("The conversation, as gmailSearch tells it."))),
  message_id: z.optional(Id.check(z.describe("One message of it alone."))),
  save_attachments: z.optional(
    z
      .array(z.string().check(z.maxLength(200)))
      .check(z.maxLength(FILES), z.describe("Ids of attachments of it that are to become files of this chat; their text is shown.")),
  ),
});
export type ReadInput = z.infer<typeof ReadInput>;

/** Reads a conversation or a message of the person's Gmail, and brings attachments into the chat. */
export const gmailRead: Tool<typeof ReadInput> = {
  ...COMMON,
  id: "gmailRead",
  description:
    "Reads a conversation of the user's own Gmail, or one message of it, with the names of its attachments; it can save these as files of this chat.",
  input: ReadInput,
  timeoutMs: READ_MS,
  run: async (input, context) => (await running()).read(input, context),
};

const Addresses = z.array(z.string().check(z.maxLength(320))).check(z.maxLength(RECIPIENTS));

const LETTER = {
  cc: z.optional(Addresses.check(z.describe("Who gets a copy."))),
  bcc: z.optional(Addresses.check(z.describe("Who gets a copy that the others do not see."))),
  subject: z.optional(z.string().check(z.trim(), z.maxLength(200), z.describe("Leave it out for an answer: it keeps its conversation's."))),
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

const DraftInput = z.object({ to: Addresses.check(z.describe("Mail addresses, one an entry.")), ...LETTER });
export type DraftInput = z.infer<typeof DraftInput>;

/** Keeps a draft in the person's Gmail; nobody gets it. */
export const gmailDraft: Tool<typeof DraftInput> = {
  ...COMMON,
  // It holds nothing that others wrote.
  readsOutside: false,
  id: "gmailDraft",
  description:
    "Keeps a draft in the user's own Gmail, which nobody gets; an answer stands in its conversation. Use it where the user asks for a draft.",
  input: DraftInput,
  problem: async (input) => (await running()).addressProblem(input),
  run: async (input, context) => (await running()).draft(input, context),
};

const SendInput = z.object({
  to: Addresses.check(z.minLength(1, "A mail needs somebody to go to."), z.describe("Mail addresses, one an entry.")),
  ...LETTER,
  draft_id: z.optional(Id.check(z.describe("The draft of gmailDraft that this takes the place of; say all of the letter here too."))),
});
export type SendInput = z.infer<typeof SendInput>;

/** Sends a mail from the person's own address, once they approved it. */
export const gmailSend: Tool<typeof SendInput> = {
  ...COMMON,
  readsOutside: false,
  actsOutside: true,
  id: "gmailSend",
  description:
    "Sends a mail from the user's own Gmail address; an answer goes into its conversation. The user sees, edits and approves it first. sendEmail writes from this chat's address instead.",
  input: SendInput,
  // It goes out in their own name: each one is theirs to read before.
  asksFirst: () => true,
  problem: async (input, place) => (await running()).sendProblem(input, place),
  run: async (input, context) => (await running()).send(input, context),
};
