/** A mail at the address of one question: its sender's answer decides that call, once. */
import { cleanSubject } from "#worker/platform/letters/subject.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import { roomOf, type AnswerOutcome } from "#worker/mail/chat-address/room.ts";
import { sendMail } from "#worker/platform/clients/mailer.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { countIfAllowed, hourly } from "#worker/platform/http/rate-limit.ts";
import type { Envelope } from "./envelope.ts";
import { createMailMeter } from "./mail-meter.ts";
import { hashText, type OpenedSource } from "./mail-source.ts";
import { senderAccount } from "./sender-account.ts";
import { mayBeProven, type SenderProof, startProof } from "./sender-proof.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import type { ApprovalPlace } from "#worker/mail/chat-address/approval-address.ts";
import { readAnswer } from "./read-answer.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** An answer is a few words; more is a signature's pictures, in bytes. */
const ANSWER_BYTES = 5 * 1024 * 1024;

const UNKNOWN = "There is no such address.";
const UNPROVEN = "Only a mail that is proven, by DKIM or DMARC, to be from the person who was asked counts here.";
const TOO_LARGE = "This answer is too large: write only what is to be done, without files.";
const UNREADABLE = "This answer cannot be read. Write ok, no, or what to change.";
const TITLE_LENGTH = 100;

type Answered = { place: ApprovalPlace; source: OpenedSource; envelope: Envelope; rawSize: number };

/** Takes an answer in; answers why it is refused, null where it was taken. Throws where its sender should try again. */
export async function handleApprovalAnswer(env: Env, db: Database, { place, source, envelope, rawSize }: Answered): Promise<string | null> {
  // A machine's answer is nobody's word; whoever wrote it away from their desk learns nothing by a bounce.
  if (envelope.isAutomatic) return null;
  if (!mayBeProven(envelope)) return UNPROVEN;
  const person = await senderAccount(db, envelope.from.address);
  if (!person) return UNPROVEN;
  const userId = person.id;
  if (rawSize > ANSWER_BYTES) return TOO_LARGE;
  const room = roomOf(env, place.chatId);
  // Anybody can write to an address that looks like one: its body is held and verified for a question that was asked alone.
  if (!(await room.hasAsked({ token: place.token, userId }))) return UNKNOWN;
  const proof = await startProof(env, envelope);
  const bytes = await readAll(source, proof.follow);
  if (typeof bytes === "string") return bytes;
  if ((await proof.conclude()).result !== "pass") return UNPROVEN;
  const answer = readAnswer(await readAnswerText(bytes, envelope.subject), person.display_name);
  if (answer === null) return UNREADABLE;
  const identity = await hashText(envelope.identity);
  const outcome: AnswerOutcome = await room.answerApproval({ token: place.token, userId, answer, identity });
  if (outcome.kind === "unknown") return UNKNOWN;
  if (outcome.kind === "stale") await notifyStale(env, { to: envelope.from.address, userId, outcome });
  return null;
}

/** Notifies whoever answers late, at the address that is proven to have asked. */
async function notifyStale(
  env: Env,
  { to, userId, outcome }: { to: string; userId: string; outcome: Extract<AnswerOutcome, { kind: "stale" }> },
): Promise<void> {
  const { limits, origin, mail } = configOf(env);
  if ((await suppressedAmong(openDatabase(env.DB), [to])).size > 0) return;
  if (!(await countIfAllowed(env, `approval-answers:${userId}`, hourly(limits.mailsPerHour)))) return;
  await sendMail(env, { to, ...staleAnswer(outcome) }, origin ?? `https://${mail.domain ?? "localhost"}`);
}

/** The paragraphs to whoever answered what cannot be decided any more, and why. */
function staleAnswer({ title, reason }: { title: string; reason: string }): { subject: string; text: string; html: string } {
  const shown = title.slice(0, TITLE_LENGTH) || "New Chat";
  const paragraphs = [`Your answer about the chat \u2018${shown}\u2019 was not used. ${reason}`, "Nothing was changed by it."];
  return {
    subject: cleanSubject(`Your answer came too late: \u2018${shown}\u2019`),
    text: `${paragraphs.join("\n\n")}\n`,
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join(""),
  };
}

async function readAll({ read, reader }: OpenedSource, follow: SenderProof["follow"]): Promise<ArrayBuffer | string> {
  const meter = createMailMeter();
  const chunks: Uint8Array[] = [];
  const keep = async (chunk: Uint8Array) => {
    chunks.push(chunk);
    const reason = meter.feed(chunk);
    if (reason === null) await follow(chunk);
    return reason;
  };
  for (const chunk of read) {
    const reason = await keep(chunk);
    if (reason !== null) return reason;
  }
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(chunks.map((chunk) => chunk.slice())).arrayBuffer();
    const reason = await keep(value);
    if (reason === null) continue;
    await reader.cancel().catch(() => undefined);
    return reason;
  }
}

const parsing = loadOnce(() => import("./parse-source.ts"));

async function readAnswerText(bytes: ArrayBuffer, subject: string): Promise<string> {
  const { parseSource } = await parsing();
  try {
    const { text, isQuoteOnly } = await parseSource(bytes, { subject, isComplete: false });
    return isQuoteOnly ? "" : text;
  } catch {
    // What is no mail has no words.
    return "";
  }
}
