/** What the tools of a person's Gmail do. */
import { base64url } from "jose";
import { decodeWords } from "postal-mime";
import { gmailAddress } from "#shared/knowledge-citations.ts";
import {
  createDraft,
  findThreads,
  type GmailPlace,
  type GmailMessage,
  readMessage,
  readThread,
  sendMail,
  headerOf,
  type RawMail,
  readHeaders,
} from "#worker/platform/clients/google/gmail.ts";
import type { GoogleAnswer } from "#worker/platform/clients/google/ask.ts";
import type { Env } from "#worker/platform/env.ts";
import { googleAccess, type GoogleAccess, noteGoogleRefusal } from "#worker/integrations/google/access.ts";
import { storeMailAttachments } from "#worker/integrations/google/store-mail-attachments.ts";
import type { GoogleNeed } from "#worker/integrations/google/scopes.ts";
import { show, subjectOf, summarize } from "#worker/integrations/google/shown-mail.ts";
import { plainAddress } from "#worker/mail/outbound/reply-recipients.ts";
import type { ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import { mailBody } from "#worker/mail/outbound/body/mail-body.ts";
import { composeMime } from "#worker/mail/outbound/mime.ts";
import { cleanSubject, replySubject } from "#worker/platform/letters/subject.ts";
import { messageIdsIn, threadHeaders } from "#worker/mail/outbound/thread-headers.ts";
import { GoogleError } from "#worker/platform/clients/google.ts";
import type { DraftInput, ReadInput, SearchInput, SendInput } from "./inputs.ts";

/** Characters of all that one reading returns, and of one message at least. */
const ALL_LENGTH = 60_000;
const LEAST_LENGTH = 2_000;
/** The newest messages of a conversation. */
const MESSAGES = 30;

export async function search({ query, limit, page }: SearchInput & { limit: number }, context: ToolContext): Promise<ToolResult> {
  const found = await asPerson(context, "gmail", async (place) => {
    const list = await findThreads(place, { q: query, limit, page });
    if (!list.ok) return list;
    const threads = await Promise.all(list.value.ids.map((id) => readThread(place, id, "metadata")));
    // One that went meanwhile is no reason to return none.
    const failed = threads.find((thread) => !thread.ok && thread.kind !== "gone");
    if (failed && !failed.ok) return failed;
    return { ok: true, value: { next: list.value.next, threads: threads.flatMap((thread) => (thread.ok ? [thread.value] : [])) } };
  });
  if (!found.ok) return { ok: false, error: found.message };
  const { threads, next } = found.value;
  // They are cited once they are read: of what is only found, others in a shared chat learn nothing.
  const listed = threads.map(summarize);
  const sources = listed.map(({ thread_id: id, subject }) => ({ url: gmailAddress(id), title: subject, error: null }));
  return { ok: true, output: quoteUntrusted(JSON.stringify({ conversations: listed, next })), sources };
}

/** Shows a conversation or one message, and keeps its attachments in the chat where that is asked for. */
export async function read(input: ReadInput, context: ToolContext): Promise<ToolResult> {
  const { thread_id: threadId, message_id: messageId, save_attachments: wanted = [] } = input;
  if (threadId === undefined && messageId === undefined)
    return { ok: false, error: "Say thread_id or message_id, as gmailSearch tells them." };
  const found = await asPerson(context, "gmail", async (place) => {
    const messages = await messagesOf(place, input);
    if (!messages.ok) return messages;
    const storedFiles = wanted.length === 0 ? null : await storeMailAttachments(place, { messages: messages.value, ids: wanted }, context);
    return { ok: true, value: { messages: messages.value, kept: storedFiles } };
  });
  if (!found.ok) return { ok: false, error: found.message };
  const { messages, kept: storedFiles } = found.value;
  const length = Math.max(LEAST_LENGTH, Math.floor(ALL_LENGTH / Math.min(messages.length || 1, MESSAGES)));
  const shown = messages.slice(-MESSAGES).map((message, at) => show(message, { length, hasEarlier: at > 0 }));
  const id = messages[0]?.threadId ?? "";
  const subject = subjectOf(messages);
  const thread = {
    source: context.cite({ url: gmailAddress(id), title: subject }),
    thread_id: id,
    subject,
    messages: shown,
    ...(messages.length > MESSAGES && { left_out: `${messages.length - MESSAGES} earlier messages` }),
    ...(storedFiles !== null && { files: storedFiles.texts }),
  };
  const output = [quoteUntrusted(JSON.stringify(thread)), ...(storedFiles?.notes ?? [])].join("\n\n");
  return { ok: true, output, sources: [{ url: gmailAddress(id), title: subject, error: null }, ...(storedFiles?.sources ?? [])] };
}

export async function draft(input: DraftInput, context: ToolContext): Promise<ToolResult> {
  const problem = addressProblem(input);
  if (problem !== null) return { ok: false, error: problem };
  const storedFiles = await asPerson(context, "compose", async (place, email) => {
    const letter = await composeLetter(place, email, withPlainAddresses(input));
    if (!letter.ok) return letter;
    const { subject: _, ...message } = letter.value;
    const made = await createDraft(place, message);
    return made.ok ? { ok: true, value: made.value.id } : made;
  });
  if (!storedFiles.ok) return { ok: false, error: storedFiles.message };
  const answer = { result: "The draft is kept in Gmail. Nobody has got it.", draft_id: storedFiles.value, to: input.to };
  return { ok: true, output: JSON.stringify(answer) };
}

const UNCERTAIN = "Whether it was sent is not known, so do not send it again: its person can look in Gmail's 'Sent'.";

const LEFT = "Sent. The draft of draft_id was not made in this chat, so it was left as it is.";

export async function send(input: SendInput, context: ToolContext): Promise<ToolResult> {
  const problem = addressProblem(input);
  if (problem !== null) return { ok: false, error: problem };
  const draftId = ownDraft(input, context);
  const sent = await asPerson(context, "compose", async (place, email) => {
    const letter = await composeLetter(place, email, withPlainAddresses(input));
    if (!letter.ok) return letter;
    const { subject, ...message } = letter.value;
    // A stop of the turn comes too late for it: what Gmail has taken must be known here.
    const answer = await sendMail({ ...place, signal: new AbortController().signal }, message, draftId);
    return answer.ok ? { ok: true, value: { ...answer.value, subject } } : answer;
  });
  if (!sent.ok) return { ok: false, error: sent.isUncertain ? `${sent.message} ${UNCERTAIN}` : sent.message };
  const { id, threadId, subject } = sent.value;
  return {
    ok: true,
    output: JSON.stringify({ result: draftId === input.draft_id ? "Sent." : LEFT, message_id: id, thread_id: threadId, to: input.to }),
    sources: [{ url: gmailAddress(threadId), title: subject, error: null }],
  };
}

/** Why a mail cannot be addressed so, in words for models and people; null where it can. */
export function addressProblem({ to, cc = [], bcc = [] }: Pick<DraftInput, "to" | "cc" | "bcc">): string | null {
  const broken = [...to, ...cc, ...bcc].find((given) => toAddress(given) === null);
  return broken === undefined ? null : `${JSON.stringify(broken)} is no mail address.`;
}

/** Why a mail cannot be sent as things stand; nobody is asked about such a one. */
export async function sendProblem(input: SendInput, { env, userId }: { env: Env; userId: string }): Promise<string | null> {
  const problem = addressProblem(input);
  if (problem !== null) return problem;
  if (input.reply_to === undefined && (input.subject ?? "") === "") return "A mail that answers none needs a subject.";
  return (await googleAccess(env, userId, "compose")) ? null : MISSING.compose;
}

/** The draft that a mail takes the place of, where gmailDraft made it in this chat: any other is its person's own writing. */
function ownDraft({ draft_id: id }: SendInput, { outputsOf }: ToolContext): string | undefined {
  const isOwn = id !== undefined && outputsOf("gmailDraft").some((output) => output.includes(`"draft_id":${JSON.stringify(id)}`));
  return isOwn ? id : undefined;
}

async function messagesOf(
  place: GmailPlace,
  { thread_id: threadId, message_id: messageId }: ReadInput,
): Promise<GoogleAnswer<GmailMessage[]>> {
  if (messageId !== undefined) {
    const message = await readMessage(place, messageId);
    return message.ok ? { ok: true, value: [message.value] } : message;
  }
  const thread = await readThread(place, threadId ?? "", "full");
  return thread.ok ? { ok: true, value: thread.value.messages ?? [] } : thread;
}

type Asking<T> = (place: GmailPlace, email: string) => Promise<GoogleAnswer<T>>;

function asPerson<T>({ env, reader, signal }: ToolContext, need: GoogleNeed, ask: Asking<T>): Promise<GoogleAnswer<T>> {
  return withGoogle({ env, userId: reader.userId, need }, ({ token, email }) => ask({ env, token, signal }, email));
}

/** The address alone, in lower case, of `Name <address>` too; null where there is none. */
function toAddress(given: string): string | null {
  return plainAddress(/<([^<>]*)>\s*$/.exec(given)?.[1] ?? given);
}

function withPlainAddresses<T extends Pick<DraftInput, "to" | "cc" | "bcc">>(letter: T): T {
  const plain = (given: string[] | undefined) => [...new Set((given ?? []).flatMap((one) => toAddress(one) ?? []))];
  return { ...letter, to: plain(letter.to), cc: plain(letter.cc), bcc: plain(letter.bcc) };
}

/** What a call says of a mail. */
type GmailLetter = {
  to: string[];
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  subject?: string | undefined;
  body: string;
  /** The id of the message that it answers. */
  reply_to?: string | undefined;
};

const NO_THREAD = { headers: {}, subject: "", threadId: null };

/** Composes a mail; one that answers another stands in its thread, unless its subject says that it is about something else. */
async function composeLetter(place: GmailPlace, from: string, letter: GmailLetter): Promise<GoogleAnswer<RawMail & { subject: string }>> {
  const answered = letter.reply_to === undefined ? ({ ok: true, value: NO_THREAD } as const) : await threadOf(place, letter.reply_to);
  if (!answered.ok) return answered;
  const { headers, subject: asked, threadId } = answered.value;
  const own = cleanSubject(letter.subject ?? "");
  const isOfThread = threadId !== null && (own === "" || replySubject(own) === replySubject(asked));
  const subject = isOfThread ? replySubject(asked) : own;
  const { to, cc = [], bcc = [], body } = letter;
  const mime = composeMime({ from, to, cc, bcc, subject, thread: headers, body: mailBody({ markdown: body }) });
  return { ok: true, value: { raw: base64url.encode(mime), subject, ...(isOfThread && { threadId }) } };
}

async function threadOf(place: GmailPlace, id: string) {
  const found = await readHeaders(place, id);
  if (!found.ok) return found.kind === "gone" ? { ...found, message: "Gmail has no message with the id in reply_to." } : found;
  const [messageId = null] = messageIdsIn(headerOf(found.value, "Message-ID"));
  const references = messageIdsIn(headerOf(found.value, "References"));
  const subject = decodeWords(headerOf(found.value, "Subject"));
  return { ok: true, value: { headers: threadHeaders({ messageId, references }), subject, threadId: found.value.threadId } } as const;
}

const SETTINGS = "Its person can connect it in the settings, under Tools.";

/** What a model gets where nothing opens what it asks for. */
const MISSING: Record<GoogleNeed, string> = {
  gmail: `Gmail is not connected, or reading mail was not granted. ${SETTINGS}`,
  compose: `Gmail is not connected, or writing mail was not granted. ${SETTINGS}`,
  drive: `Google Drive is not connected, or reading files was not granted. ${SETTINGS}`,
};

type AskWithAccess<T> = (access: GoogleAccess) => Promise<GoogleAnswer<T>>;

/** Asks Google as a person; a token that is refused is renewed once, and where that does not help the connection is over. */
async function withGoogle<T>(
  { env, userId, need }: { env: Env; userId: string; need: GoogleNeed },
  ask: AskWithAccess<T>,
): Promise<GoogleAnswer<T>> {
  const missing = { ok: false, kind: "scope", message: MISSING[need] } as const;
  try {
    const access = await googleAccess(env, userId, need);
    if (!access) return missing;
    const answer = await ask(access);
    if (answer.ok || answer.kind !== "refused") return answer;
    const renewed = await googleAccess(env, userId, need, access.token);
    if (!renewed) return missing;
    const again = await ask(renewed);
    if (!again.ok && again.kind === "refused") await noteGoogleRefusal(env, userId, renewed.token);
    return again;
  } catch (cause) {
    if (!(cause instanceof GoogleError)) throw cause;
    return { ok: false, kind: "busy", message: "Google cannot be reached right now." };
  }
}
