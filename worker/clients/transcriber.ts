import type { Env } from "../env.ts";
import { DEFAULT_URL } from "./aggregator.ts";

/** Where speech is turned into text; `url` has no slash at its end. */
export type TranscriptionService = { url: string; key: string | undefined; model: string };

/**
 * The service of this deployment: one of its own, else the aggregator, which is known to transcribe where it is OpenRouter
 * or a model for it is named; null where there is none. A key goes to the server that it was given for, and to no other.
 */
export function transcriptionService(env: Env): TranscriptionService | null {
  if (env.TRANSCRIPTION_URL) {
    return { url: env.TRANSCRIPTION_URL, key: env.TRANSCRIPTION_API_KEY, model: env.TRANSCRIPTION_MODEL ?? "whisper-1" };
  }
  const isOpenRouter = !env.AGGREGATOR_URL && Boolean(env.OPENROUTER_API_KEY);
  if (!isOpenRouter && !env.TRANSCRIPTION_MODEL) return null;
  return { url: env.AGGREGATOR_URL ?? DEFAULT_URL, key: env.OPENROUTER_API_KEY, model: env.TRANSCRIPTION_MODEL ?? "openai/whisper-1" };
}
