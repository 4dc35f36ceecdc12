import { base64url } from "jose";
import { RECORDING_BYTES } from "#shared/limits.ts";
import { readAllBytes } from "#worker/platform/clients/read-all-bytes.ts";
import { recordingType, type RecordingType } from "#worker/platform/clients/recording-type.ts";
import { transcribeSpeech, type Transcript } from "#worker/platform/clients/transcription.ts";
import type { TranscriptionService } from "#worker/platform/config/config.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import { configOf, type Caller, type Env } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { runOnce } from "#worker/people/callers/idempotency.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import * as z from "zod/mini";

/** What the composer has browsers record: 32 kbit/s. */
const BYTES_PER_SECOND = 4_000;
/** The densest uncompressed sound that is recorded: two channels of 32 bits, 48,000 times a second. */
const WAV_RATE_MAX = 384_000;
const WAV_HEADER_BYTES = 36;
/** Where a WAV file says how its sound is kept, as all that is recorded says it at once, and what it says of sound that is not compressed. */
const WAV = { format: 12, tag: 20, channels: 22, perSecond: 24, rate: 28, block: 32, bits: 34 };
const FORMAT = 0x20_74_6d_66;
const UNCOMPRESSED = new Set([1, 3]);

/** About how many seconds a recording lasts, by its bytes. */
function secondsOf({ bytes, type }: { bytes: Uint8Array; type: RecordingType }): number {
  return bytes.byteLength / (type.extension === "wav" ? wavRate(bytes) : BYTES_PER_SECOND);
}

/** Uncompressed sound says how much of it a second takes. What doesn't add up, and what is denser than sound can be, is not believed: it may last as long as other recordings of its size. */
function wavRate(bytes: Uint8Array): number {
  if (bytes.byteLength < WAV_HEADER_BYTES) return BYTES_PER_SECOND;
  const head = new DataView(bytes.buffer, bytes.byteOffset);
  const rate = head.getUint32(WAV.rate, true);
  const block = head.getUint16(WAV.block, true);
  const isSound =
    head.getUint32(WAV.format, true) === FORMAT &&
    UNCOMPRESSED.has(head.getUint16(WAV.tag, true)) &&
    block * 8 === head.getUint16(WAV.channels, true) * head.getUint16(WAV.bits, true) &&
    rate === block * head.getUint32(WAV.perSecond, true);
  return isSound && rate >= BYTES_PER_SECOND && rate <= WAV_RATE_MAX ? rate : BYTES_PER_SECOND;
}

/** A recording; its id is made of its content. */
export type Recording = { id: string; bytes: Uint8Array<ArrayBuffer>; type: RecordingType };

/** How many bytes a recording has at most, by what its request says. Throws TRANSCRIPTION_OFF and RECORDING_TOO_LARGE. */
export function announcedLength(env: Env, { headers }: Request): number {
  serviceOf(env);
  const announced = lengthOf(headers);
  if (announced > RECORDING_BYTES) throw new AppError("RECORDING_TOO_LARGE");
  return announced || RECORDING_BYTES;
}

/** Reads a recording off a request. Throws RECORDING_TOO_LARGE, RECORDING_TYPE and, where the body broke off, UPLOAD_BROKEN. */
export async function receiveRecording({ body, headers }: Request): Promise<Recording> {
  const bytes = body ? await read(body, lengthOf(headers)) : new Uint8Array();
  if (bytes === null) throw new AppError("RECORDING_TOO_LARGE");
  const type = recordingType(bytes);
  if (type === null) throw new AppError("RECORDING_TYPE");
  return readRecording(bytes, type);
}

/** A recording of a known kind, by its content. */
export async function readRecording(bytes: Uint8Array<ArrayBuffer>, type: RecordingType): Promise<Recording> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return { id: base64url.encode(new Uint8Array(digest)), bytes, type };
}

const TranscribedText = z.object({ text: z.string() });
type TranscribedText = z.infer<typeof TranscribedText>;

/** The words of a recording, asked for once a day for one person, whatever key its request carries. Throws as `transcribeRecording` does. */
export async function transcribeOnce(env: Env, caller: Caller, recording: Recording): Promise<TranscribedText> {
  const claim = { key: `transcription ${recording.id}`, hash: recording.id };
  const once = await runOnce(
    () => hubOf(env, caller.userId),
    claim,
    () => transcribeRecording(env, caller, recording),
  );
  return once.isNew ? once.answer : TranscribedText.parse(JSON.parse(once.kept));
}

/** The words of a recording, paid by who asks and limited as a message is. Throws `AppError`: of limits and credits, else as the service fails. */
async function transcribeRecording(env: Env, { userId }: Caller, recording: Recording): Promise<TranscribedText> {
  const service = serviceOf(env);
  const hub = hubOf(env, userId);
  // Each time that the service is asked is paid: where an answer is no longer kept, it has to be asked again.
  const callId = `transcription:${crypto.randomUUID()}`;
  const priceOf = (seconds: number): number => (Math.ceil(seconds) / 60) * service.price;
  unwrap(await hub.reserve({ replyId: callId, amountMicros: toMicros(priceOf(secondsOf(recording))) }));
  let transcript: Transcript | null = null;
  try {
    transcript = await transcribeSpeech(service, recording);
    return { text: transcript.text };
  } finally {
    const dollars = transcript && (transcript.dollars ?? priceOf(transcript.seconds ?? secondsOf(recording)));
    await charge(hub, { callId, modelId: service.model, dollars });
  }
}

type Paid = { callId: string; modelId: string; dollars: number | null };

async function charge(hub: ReturnType<typeof hubOf>, { callId, modelId, dollars }: Paid): Promise<void> {
  const entry =
    dollars === null
      ? null
      : { callId, replyId: "", chatId: "", what: "transcription" as const, modelId, amountMicros: toMicros(dollars), isHouse: false };
  try {
    await hub.charge(entry, callId);
  } catch (cause) {
    // The words are there; what was reserved for them lapses by itself.
    log.error("a transcription was not charged", { cause });
  }
}

function lengthOf(headers: Headers): number {
  return Number(headers.get("content-length") ?? 0);
}

async function read(body: ReadableStream<Uint8Array>, expected: number): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await readAllBytes(body, { limit: RECORDING_BYTES, expected });
  } catch (cause) {
    throw new AppError("UPLOAD_BROKEN", { cause });
  }
}

function serviceOf(env: Env): TranscriptionService {
  const service = configOf(env).transcription;
  if (!service) throw new AppError("TRANSCRIPTION_OFF");
  return service;
}
