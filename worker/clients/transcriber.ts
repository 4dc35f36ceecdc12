import type { Env } from "../env.ts";
import { DEFAULT_URL } from "./aggregator.ts";

/** OpenAI's price of Whisper, in US dollars a minute, which others' are near. */
const USUAL_PRICE = 0.006;

/** Where speech is turned into text; `url` has no slash at its end, and `price`, US dollars a minute, holds where the service tells none. */
export type TranscriptionService = { url: string; key: string | undefined; model: string; price: number };

/**
 * The service of this deployment: one of its own, else the aggregator, which is known to transcribe where it is OpenRouter
 * or a model for it is named; null where there is none. A key goes to the server that it was given for, and to no other.
 */
export function transcriptionService(env: Env): TranscriptionService | null {
  const price = priceOf(env);
  if (env.TRANSCRIPTION_URL) {
    return { url: env.TRANSCRIPTION_URL, key: env.TRANSCRIPTION_API_KEY, model: env.TRANSCRIPTION_MODEL ?? "whisper-1", price };
  }
  const isOpenRouter = !env.AGGREGATOR_URL && Boolean(env.OPENROUTER_API_KEY);
  if (!isOpenRouter && !env.TRANSCRIPTION_MODEL) return null;
  return {
    url: env.AGGREGATOR_URL ?? DEFAULT_URL,
    key: env.OPENROUTER_API_KEY,
    model: env.TRANSCRIPTION_MODEL ?? "openai/whisper-1",
    price,
  };
}

function priceOf({ TRANSCRIPTION_PRICE: given }: Env): number {
  const price = Number(given ?? "");
  return given && Number.isFinite(price) && price >= 0 ? price : USUAL_PRICE;
}
