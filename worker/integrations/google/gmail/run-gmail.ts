/** What the tools of a person's Gmail do. */
import { gmailAddress } from "#shared/knowledge-citations.ts";
import {
  createDraft,
  findThreads,
  type GmailPlace,
  type GmailMessage,
  readMessage,
  readThread,
  sendMail,
} from "#worker/platform/clients/google/gmail.ts";
import type { GoogleAnswer } from "#worker/platform/clients/google/ask.ts";
import type { Env } from "#worker/platform/env.ts";
import { googleAccess } from "#worker/integrations/google/access.ts";
import { storeMailAttachments } from "#worker/integrations/google/store-mail-attachments.ts";
import { composeLetter } from "#worker/integrations/google/letter.ts";
import type { GoogleNeed } from "#worker/integrations/google/scopes.ts";
import { show, subjectOf, summarize } from "#worker/integrations/google/shown-mail.ts";
import { MISSING, withGoogle } from "#worker/integrations/google/with-access.ts";
import { plainAddress } from "#worker/mail/outbound/reply-recipients.ts";
import type { ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
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
