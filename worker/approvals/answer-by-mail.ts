/** A mail at the address of one question: its sender's answer decides that call, once. */
import { roomOf } from "../chat-room/stub.ts";
import type { AnswerOutcome } from "../chat-room/rpc.ts";
import { sendMail } from "../clients/mailer.ts";
import { type Database, openDatabase } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
import { countIfFree, hourly } from "../http/rate-limit.ts";
import type { Envelope } from "../mail/envelope.ts";
import { createMailMeter } from "../mail/mail-meter.ts";
import { hashText, type OpenedSource } from "../mail/mail-source.ts";
import { senderAccount } from "../mail/sender-account.ts";
import { mayBeProven, type SenderProof, startProof } from "../mail/sender-proof.ts";
import { suppressedAmong } from "../suppressions/suppressions.ts";
import type { ApprovalPlace } from "./approval-address.ts";
import { staleAnswer } from "./approval-mail.ts";
import { readAnswer } from "./read-answer.ts";
import { loadOnce } from "../load-once.ts";

/** An answer is a few words; more is a signature's pictures, in bytes. */
const ANSWER_BYTES = 5 * 1024 * 1024;

const UNKNOWN = "There is no such address.";
const UNPROVEN = "Only a mail that is proven, by DKIM or DMARC, to be from the person who was asked counts here.";
const TOO_LARGE = "This answer is too large: write only what is to be done, without files.";
const UNREADABLE = "This answer cannot be read. Write ok, no, or what to change.";

type Answered = { place: ApprovalPlace; source: OpenedSource; envelope: Envelope; rawSize: number };

/** Takes an answer in; answers why it is refused, null where it was taken. Throws where its sender should try again. */
export async function takeApprovalAnswer(env: Env, db: Database, { place, source, envelope, rawSize }: Answered): Promise<string | null> {
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
  const answer = readAnswer(await ownWords(bytes, envelope.subject), person.display_name);
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
  if (!(await countIfFree(env, `approval-answers:${userId}`, hourly(limits.mailsPerHour)))) return;
  await sendMail(env, { to, ...staleAnswer(outcome) }, origin ?? `https://${mail.domain ?? "localhost"}`);
}

async function readAll({ read, reader }: OpenedSource, follow: SenderProof["follow"]): Promise<ArrayBuffer | string> {
  const meter = createMailMeter();
  const pieces: Uint8Array[] = [];
  const keep = async (piece: Uint8Array) => {
    pieces.push(piece);
    const reason = meter.feed(piece);
    if (reason === null) await follow(piece);
    return reason;
  };
  for (const piece of read) {
    const reason = await keep(piece);
    if (reason !== null) return reason;
  }
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(pieces.map((piece) => piece.slice())).arrayBuffer();
    const reason = await keep(value);
    if (reason === null) continue;
    await reader.cancel().catch(() => undefined);
    return reason;
  }
}

const parsing = loadOnce(() => import("../mail/parse-source.ts"));

async function ownWords(bytes: ArrayBuffer, subject: string): Promise<string> {
  const { parseSource } = await parsing();
  try {
    const { text, isQuoteOnly } = await parseSource(bytes, { subject, isWhole: false });
    return isQuoteOnly ? "" : text;
  } catch {
    // What is no mail has no words.
    return "";
  }
}
