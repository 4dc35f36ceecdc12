import type { Hono } from "hono";
import { transcribe } from "#shared/contracts/chat/transcriptions.ts";
import { release } from "#worker/platform/clients/read-all-bytes.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { withReservedMemory } from "#worker/platform/http/body-memory.ts";
import { answerOnce } from "#worker/people/callers/idempotency.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { announcedLength, receiveRecording, transcribeOnce } from "./transcribe-recording.ts";

/** Mounts the transcribing of speech. */
export function transcriptionRoutes(app: Hono<AppContext>): void {
  serve(app, transcribe, async ({ c, caller }) => {
    const work = async () => {
      const recording = await receiveRecording(c.req.raw);
      const request = { c, endpoint: { ...transcribe, repeat: "key" as const }, caller, params: null, body: { id: recording.id } };
      const transcribed = () => transcribeOnce(c.env, caller, recording);
      try {
        return await (c.req.header("idempotency-key") === undefined ? transcribed() : answerOnce(request, transcribed));
      } finally {
        release(recording.bytes);
      }
    };
    return withReservedMemory(announcedLength(c.env, c.req.raw), work, busy);
  });
}

function busy(): AppError {
  const message = "Too many recordings are being transcribed right now. Try again in a moment.";
  return new AppError("TRANSCRIPTION_FAILED", { message, headers: { "retry-after": "5" } });
}
