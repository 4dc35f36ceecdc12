import type * as z from "zod/mini";
import type { Todo, TodoStatus } from "#shared/entities/todo.ts";
import type { ToolCall, ToolImage, ToolPart, ToolSource } from "#shared/entities/tool-call.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";
import type { Complete, CompletionReader, CompletionRequest } from "#worker/platform/clients/aggregator.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { ConnectedTool } from "./connected/connected-tool.ts";
import type { Letter, RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import type { OutsideRuns } from "./outside/outside-runs.ts";

/** A call is given up after this many milliseconds, and the model learns so. */
export const TOOL_TIMEOUT_MS = 30_000;

/** What a call of the aggregator made by a tool is charged by: prices are US dollars per token, null where unknown. */
export type CallModel = Pick<
  TurnModel,
  "requestedId" | "aggregatorId" | "contextLength" | "maxOutput" | "promptPrice" | "completionPrice" | "assumedPrice" | "fees"
>;

/** The chat's todo list as tools change it; what is not there answers null. */
export type TodoList = {
  list(): Todo[];
  add(todo: { text: string; status: TodoStatus; order_index: number | null }): Todo;
  update(id: string, change: Partial<Pick<Todo, "text" | "status" | "order_index">>): Todo | null;
  remove(id: string): Todo | null;
  /** True where an item is untrusted text for the turn's reader. */
  holdsUntrusted(): boolean;
};

/** The chat's mails as tools read and write them. */
export type ChatMails = {
  /** Where the chat is written to; null where the deployment takes no mail. */
  address(): Promise<string | null>;
  /** A page, newest first, of each the beginning of its text; `before` is the place of the page before's last one. */
  list(page: { before: number | null; limit: number }): { mails: RoomMail[]; next: number | null };
  find(id: string): RoomMail | null;
  /** A file of the chat, as this person may have it. */
  findFile(id: string, userId: string): RoomFile | null;
  /** True where mail of this chat has reached this address, as far as anyone knows. */
  hasWrittenTo(address: string): boolean;
  /** True where mail of this chat came back from this address. */
  isSuppressed(address: string): boolean;
  /** Keeps a letter that is not to be sent yet. */
  keepDraft(letter: Letter): void;
  /** Sends a letter, once however often it is asked for. */
  send(letter: Letter): Promise<Outcome<RoomMail>>;
  /** Waits for an answer to a mail until then, in epoch milliseconds; with null no longer. */
  remind(request: { mailId: string; userId: string; by: number | null; note: string }): Promise<Outcome<null>>;
};

/** The chat's files as tools add to them. */
export type ChatFiles = {
  /** Whose quota they take from. */
  ownerId(): string;
  /** A file by its id. */
  find(id: string): RoomFile | null;
  /** Adds a stored file for good, for this person alone until they send it; one of its id is there once. */
  add(userId: string, file: RoomFile): Promise<void>;
};

/** A turn's sessions with the servers that its person connected, one each. */
export type Connections = {
  call(tool: ConnectedTool, input: Record<string, unknown>, context: ToolContext): Promise<ToolResult>;
  close(): Promise<void>;
};

/** What a chat lends the tools of its turns: what one of them needs of the chat is added here, and handed on as this one value. */
export type ToolHost = {
  env: Env;
  /** All tools that there are. */
  tools: readonly Tool[];
  complete: Complete;
  openConnections(env: Env, userId: string): Promise<Connections>;
  /** The todo list as this person's turn reads and changes it; `trustedFor` says for whom what it writes is no untrusted text. */
  todos(by: { readerId: string; trustedFor: string | null }): TodoList;
  mails: () => ChatMails;
  files: () => ChatFiles;
  /** What goes on outside after the call that began it. */
  runs: OutsideRuns;
  isOffRecord(): boolean;
  now: () => number;
};

/** Which call something is done for. */
export type CallPlace = { callId: string; replyId: string; reader: Reader };

/** What a tool may use while it runs. */
export type ToolContext = {
  env: Env;
  chatId: string;
  replyId: string;
  callId: string;
  /** Whose turn it is, and who pays. */
  reader: Reader;
  /** The model that called the tool. */
  model: TurnModel;
  /** The id of the model that wrote the call: the one that was routed to, where one was. */
  writerId: string;
  /** Aborts when the turn is stopped or the call has taken too long. */
  signal: AbortSignal;
  /** The chat's todo list. */
  todos: TodoList;
  /** Whether the model had read untrusted text when it made the call, or has by now. */
  hasUntrustedText: boolean;
  /** The chat's mails. */
  mails: ChatMails;
  /** What goes on outside after the call. */
  runs: OutsideRuns;
  /** The chat's files. */
  files: ChatFiles;
  /** The turn's sessions, opened as they are needed. */
  connections(): Promise<Connections>;
  /** Whether the chat is off the record by now: a call may have waited for days. */
  isOffRecord(): boolean;
  /** The chat's knowledge entries that the turn's reader could use when it began. */
  knowledgeIds: readonly string[];
  /** Notes a source and answers its number in the reply's citations; the same address gets the same number. */
  cite(source: { url: string; title: string | null }): number;
  /** Shows a sub-answer or step to the readers, or more of its text (`text` is added to what it had). */
  part(change: Partial<ToolPart> & Pick<ToolPart, "id">): void;
  /** Streams a completion that the turn's reader pays for; each is one ledger entry. The call's own end ends it too. */
  complete(request: Omit<CompletionRequest, "model" | "sessionId">, model: CallModel, reader: CompletionReader): Promise<void>;
  /** Notes what a provider was paid for this call, in US dollars. */
  charge(dollars: number): void;
  /** Does a step of this call's work once, whatever lives the object has: a later one gets what it brought, which must be JSON. */
  once<T>(step: string, result: z.ZodMiniType<T>, work: () => Promise<T>): Promise<T>;
  /** What a private tool has given models in this chat by the reader's own calls. */
  outputsOf(tool: string): string[];
  /** The reply's calls that have ended, in order. */
  earlier(): ToolCall[];
};

/**
 * What a call ends with: what the model gets, and what readers see besides. A failure goes to the model and ends no turn. `isUntrusted`
 * where it holds untrusted text though its tool reads nothing outside.
 */
export type ToolResult = { sources?: ToolSource[]; isUntrusted?: boolean } & (
  | { ok: true; output: string; images?: ToolImage[] }
  | { ok: false; error: string }
);

/** What a turn's model has read when it makes a call: whether untrusted text, and which addresses of the web it was given. */
export type Reading = { hasUntrustedText: boolean; knowsAddress(url: string): boolean };

/** A tool that models may call. */
export type Tool<Input extends z.ZodMiniType = z.ZodMiniType> = {
  /** The specification's id, at most 64 characters of `A-Z a-z 0-9 _ -`. */
  id: string;
  /** What the model reads about it. */
  description: string;
  input: Input;
  /** Its input as JSON schema, where that is not made of `input`. */
  schema?: Record<string, unknown>;
  /** Whose it is, where it is not the product's own. */
  source?: string;
  /** US dollars that one call costs at most besides what it asks models for. */
  dollars: number;
  /** True where it acts outside the product, and so asks first. */
  actsOutside: boolean;
  /** True where its answer, or why it failed, holds what others wrote: from then on what acts outside asks, whatever is always allowed. */
  readsOutside: boolean;
  /** True where guests have nothing that it could be about. */
  isForAccounts?: boolean;
  /** Milliseconds that a call may take, where the usual limit is too short. */
  timeoutMs?: number;
  /** False where this deployment lacks what it needs, e.g. a key: models then don't hear of it. Always true unless given. */
  isSetUp?(env: Env): boolean;
  /** True where a call of this input asks first all the same, e.g. where others' text may have asked for it: then 'always' does not hold. */
  asksFirst?(input: z.output<Input>, reading: Reading): boolean;
  /** True where a call of this input changes what other people read: it asks first once its model has read what others wrote. */
  affectsOthers?(input: z.output<Input>, place: { env: Env; userId: string; chatId: string }): Promise<boolean>;
  /** False where 'always' does not hold for a call of this input, as it reaches somebody new: then it asks all the same. */
  isCovered?(input: z.output<Input>, mails: ChatMails): boolean;
  /** Why a call of this input cannot be made as things stand, in words for models and people; nobody is asked about such a one. */
  problem?(input: z.output<Input>, place: { env: Env; userId: string }): Promise<string | null>;
  /** Keeps what waits for a decision, so it is there whatever that is. */
  keepDraft?(input: z.output<Input>, place: CallPlace, mails: ChatMails): void;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult>;
};

/** True for a tool that guests do not get: it acts outside, or is about what accounts alone have. */
export function isForAccounts({ actsOutside, isForAccounts: isOfAccounts = false }: Tool): boolean {
  return actsOutside || isOfAccounts;
}
