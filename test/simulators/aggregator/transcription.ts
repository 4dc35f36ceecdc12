import * as z from "zod";
import { sendJson, untilDisconnected, type Exchange } from "../simulator.ts";
import { parseFault, type FaultDirective } from "./directives.ts";
import { isStatusFault } from "./faults.ts";
import { findModel } from "./models/catalogue.ts";
import type { AggregatorState } from "./state.ts";
import { type ErrorAnswer, invalidRequest, modelNotFound, statusFault } from "./status-faults.ts";

const MAX_BYTES = 25 * 1024 * 1024;
/** Bytes of sound a second: what browsers record, about. */
const BYTES_PER_SECOND = 16_000;
const DOLLARS_PER_SECOND = 0.0001;
const FORMATS = ["flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm"];

const JsonRequest = z.looseObject({ model: z.string(), input_audio: z.looseObject({ data: z.base64(), format: z.string() }) });

type Asked = { model: string; bytes: Buffer; format: string };

/** `POST /audio/transcriptions`, JSON or a form with `file` and `model`: says how much sound arrived, or what stands in it (README). */
export async function answerTranscription(state: AggregatorState, exchange: Exchange): Promise<void> {
  const { response, disconnected } = exchange;
  const asked = await readAsked(exchange);
  if (asked === null) return sendError(exchange, invalidRequest("A recording and a model are needed."));
  const problem = problemOf(asked);
  if (problem) return sendError(exchange, problem);
  const spoken = asked.bytes.toString("utf8");
  const fault = faultIn(spoken);
  if (fault !== null && state.faultHolds(`transcription\n${spoken}`, fault.times)) {
    if (fault.name === "hang") return untilDisconnected(disconnected);
    if (isStatusFault(fault.name)) return sendError(exchange, statusFault(fault.name, { model: asked.model, prompt: "" }));
    return void response.socket?.destroy();
  }
  const seconds = Math.max(1, Math.round(asked.bytes.length / BYTES_PER_SECOND));
  const cost = spoken.includes("no-cost") ? {} : { cost: Number((seconds * DOLLARS_PER_SECOND).toFixed(6)) };
  sendJson(response, 200, {
    text:
      /^say (.*)$/m.exec(spoken)?.[1] ??
      `This is the demo's transcription of a recording of ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    ...(!spoken.includes("no-usage") && { usage: { seconds, ...cost } }),
  });
}

async function readAsked({ record, body }: Exchange): Promise<Asked | null> {
  const type = record.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) {
    const parsed = JsonRequest.safeParse(record.body);
    if (!parsed.success) return null;
    const { model, input_audio } = parsed.data;
    return { model, bytes: Buffer.from(input_audio.data, "base64"), format: input_audio.format };
  }
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData().catch(() => null);
  const [file, model] = [form?.get("file"), form?.get("model")];
  if (!(file instanceof File) || typeof model !== "string") return null;
  return { model, bytes: Buffer.from(await file.arrayBuffer()), format: file.name.split(".").at(-1) ?? "" };
}

function problemOf({ model, bytes, format }: Asked): ErrorAnswer | null {
  if (!findModel(model)) return modelNotFound([model]);
  if (!FORMATS.includes(format)) return invalidRequest(`Invalid file format. Supported formats: ${FORMATS.join(", ")}`);
  if (bytes.length > MAX_BYTES) return statusFault("413", { model, prompt: "" });
  return bytes.length === 0 ? invalidRequest("The audio file is empty.") : null;
}

function faultIn(spoken: string): FaultDirective | null {
  const named = /^fault (.*)$/m.exec(spoken)?.[1];
  return named === undefined ? null : parseFault(named);
}

function sendError({ response }: Exchange, { status, body, headers }: ErrorAnswer): void {
  sendJson(response, status, body, headers);
}
