/** The tools of a person's own Gmail. What they do is loaded when a model calls one: it is no part of the Worker's start. */
import { configOf, type Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { DraftInput, FOUND, ReadInput, SearchInput, SendInput } from "./inputs.ts";

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

export const gmailSearch: Tool<typeof SearchInput> = {
  ...COMMON,
  id: "gmailSearch",
  description:
    "Searches the user's own Gmail and lists conversations, newest first, each with its subject, people and beginning. gmailRead shows one whole.",
  input: SearchInput,
  run: async (input, context) => (await running()).search({ ...input, limit: input.limit ?? FOUND }, context),
};

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
