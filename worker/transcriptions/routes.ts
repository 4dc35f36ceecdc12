import type { Hono } from "hono";
import { transcribe } from "#shared/contracts/transcriptions.ts";
import { release } from "../clients/read-whole.ts";
import type { AppContext } from "../env.ts";
import { answerOnce } from "../http/idempotency.ts";
import { serve } from "../http/serve.ts";
import { takePlace } from "./recording-places.ts";
import { announcedLength, receiveRecording, transcribeRecording } from "./transcribe-recording.ts";

/** Mounts the transcribing of speech. */
export function transcriptionRoutes(app: Hono<AppContext>): void {
  serve(app, transcribe, async ({ c, caller }) => {
    const leave = await takePlace(announcedLength(c.env, c.req.raw));
    try {
      const recording = await receiveRecording(c.req.raw);
      const request = { c, endpoint: { ...transcribe, repeat: "key" as const }, caller, params: null, body: { id: recording.id } };
      try {
        return await answerOnce(request, () => transcribeRecording(c.env, caller, recording));
      } finally {
        release(recording.bytes);
      }
    } finally {
      leave();
    }
  });
}
