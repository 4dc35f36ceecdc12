/** Speech to text (OpenAI's `POST /audio/transcriptions` as a form). */
import * as z from "zod/mini";
import type { TranscriptionService } from "#worker/platform/config/config.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { egressFetch } from "./egress.ts";
import { readUpTo } from "./read-up-to.ts";
import type { RecordingType } from "./recording-type.ts";

/** Bytes that go out at a time: no more of a form is in memory twice. */
const CHUNK_BYTES = 256 * 1024;

type Fields = Record<string, string>;
type FormFile = { name: string; fileName: string; type: string; bytes: Uint8Array<ArrayBuffer> };

/** A form with one file (RFC 7578) as a stream, as `FormData` would copy the file twice; the names and values are our own, without quotes or breaks. */
function fileForm(fields: Fields, { name, fileName, type, bytes }: FormFile): { body: ReadableStream; type: string } {
  const boundary = `form-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const texts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`;
  const head = encoder.encode(texts.join("") + file);
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  let at = -1;
  const chunks = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < 0) controller.enqueue(head);
      else if (at < bytes.byteLength) controller.enqueue(bytes.subarray(at, at + CHUNK_BYTES));
      else {
        controller.enqueue(tail);
        controller.close();
      }
      at = at < 0 ? 0 : at + CHUNK_BYTES;
    },
  });
  // With a stated length, which services want; where it breaks off, the request it belongs to says so.
  const { readable: body, writable } = new FixedLengthStream(head.byteLength + bytes.byteLength + tail.byteLength);
  chunks.pipeTo(writable).catch(() => undefined);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** Milliseconds: below what a repeat of the same request waits before it counts the first as lost. */
const TIMEOUT_MS = 55_000;
/** An answer's bytes: the words of 25 MB of speech are far fewer. */
const MAX_BYTES = 2 * 1024 * 1024;
/** No recording costs more, in US dollars. */
const HIGHEST_COST = 100;

/** A longer recording than this many seconds does not fit the limit of bytes. */
const LONGEST_S = 24 * 60 * 60;

/** The words, what they cost in US dollars and how many seconds were transcribed; null where the service doesn't say. */
export type Transcript = { text: string; dollars: number | null; seconds: number | null };

const Answer = z.object({
  text: z.string(),
  usage: z.nullish(z.object({ cost: z.nullish(z.number()), seconds: z.nullish(z.number()) })),
});

/** The service's own name for what was wrong. */
const Refused = z.object({ error: z.object({ code: z.union([z.number(), z.string().check(z.regex(/^[A-Za-z]\w{0,59}$/))]) }) });

/** Asks for a recording's words. Throws TRANSCRIPTION_FAILED, or RECORDING_TYPE where the service cannot read it. */
export async function transcribeSpeech(
  { url, key, model }: TranscriptionService,
  { bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: RecordingType },
): Promise<Transcript> {
  const fields = { model, response_format: "json" };
  // Services know the format by the name.
  const form = fileForm(fields, { name: "file", fileName: `recording.${type.extension}`, type: type.type, bytes });
  const { response, text } = await send(`${url}/audio/transcriptions`, key, form);
  if (!response.ok) throw refusal(response.status, text);
  const answer = Answer.safeParse(parse(text));
  if (!answer.success) {
    log.warn("a transcription could not be read", { status: response.status });
    throw new AppError("TRANSCRIPTION_FAILED");
  }
  const { cost, seconds } = answer.data.usage ?? {};
  return { text: answer.data.text.trim(), dollars: within(cost, HIGHEST_COST), seconds: within(seconds, LONGEST_S) };
}

function within(value: number | null | undefined, highest: number): number | null {
  return value != null && value >= 0 && value <= highest ? value : null;
}

type Form = ReturnType<typeof fileForm>;

async function send(url: string, key: string | undefined, { body, type }: Form): Promise<{ response: Response; text: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { authorization: `Bearer ${key ?? "none"}`, "content-type": type };
  try {
    const response = await egressFetch(url, { method: "POST", headers, body, signal });
    const bytes = response.body && (await readUpTo(response.body, MAX_BYTES));
    return { response, text: bytes ? new TextDecoder().decode(bytes) : "" };
  } catch (cause) {
    const message = "The transcription service did not answer in time. Try again.";
    throw new AppError("TRANSCRIPTION_FAILED", { cause, ...(signal.aborted && { message }) });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A key or a bill is the operator's to put right, a recording its speaker's. */
function refusal(status: number, text: string): AppError {
  // The service's sentences may repeat what was said or who has the key.
  const refused = Refused.safeParse(parse(text));
  const detail = { status, code: refused.success ? refused.data.error.code : null };
  if (status === 401 || status === 402 || status === 403 || status === 404) {
    log.error("the transcription service refuses this deployment: check its key, model and credit", detail);
    return new AppError("TRANSCRIPTION_FAILED", { message: "Transcribing is not available right now." });
  }
  log.warn("a recording was not transcribed", detail);
  if (status === 413) return new AppError("RECORDING_TOO_LARGE");
  if (status === 400 || status === 415 || status === 422) {
    return new AppError("RECORDING_TYPE", { message: "The transcription service could not read this recording." });
  }
  if (status === 429) {
    return new AppError("TRANSCRIPTION_FAILED", { message: "The transcription service is busy. Try again in a moment." });
  }
  return new AppError("TRANSCRIPTION_FAILED");
}
