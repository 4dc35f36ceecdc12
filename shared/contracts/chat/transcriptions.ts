import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const transcribe = endpoint("POST", "/api/transcriptions", {
  summary:
    "The words of a recording, sent as the raw body: WebM, Ogg, MP4 or WAV, at most 25 MB. Charged where the service names its price; the same recording within a day is answered as before",
  access: "account",
  // The recording's own content names it.
  repeat: "id",
  response: z.object({
    /** Empty where no words were heard. */
    text: z.string(),
  }),
});
