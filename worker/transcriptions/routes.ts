import type { Hono } from "hono";
import { transcribe } from "#shared/contracts/chat/transcriptions.ts";
import { release } from "../clients/read-whole.ts";
import type { AppContext } from "../env.ts";
import { AppError } from "../app-error.ts";
import { takePlace } from "../http/body-places.ts";
import { answerOnce } from "../http/idempotency.ts";
import { serve } from "../http/serve.ts";
import { announcedLength, receiveRecording, transcribeOnce } from "./transcribe-recording.ts";

/** Mounts the transcribing of speech. */
export function transcriptionRoutes(app: Hono<AppContext>): void {
  serve(app, transcribe, async ({ c, caller }) => {
    const leave = await takePlace(announcedLength(c.env, c.req.raw), busy);
    try {
      const recording = await receiveRecording(c.req.raw);
      const request = { c, endpoint: { ...transcribe, repeat: "key" as const }, caller, params: null, body: { id: recording.id } };
      const transcribed = () => transcribeOnce(c.env, caller, recording);
      try {
        return await (c.req.header("idempotency-key") === undefined ? transcribed() : answerOnce(request, transcribed));
      } finally {
        release(recording.bytes);
      }
    } finally {
      leave();
    }
  });
}

function busy(): AppError {
  const message = "Too many recordings are being transcribed right now. Try again in a moment.";
  return new AppError("TRANSCRIPTION_FAILED", { message, headers: { "retry-after": "5" } });
}
