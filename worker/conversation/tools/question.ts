import * as z from "zod/mini";

/** A question that a tool hands on to models; `about` says to the calling model what it must hold. */
export function questionField(about: string) {
  return z.string().check(z.trim(), z.minLength(1), z.maxLength(20_000), z.describe(about));
}

/** Said of a question to models outside the chat. */
export const STANDALONE_QUESTION = "The whole question with all it needs: who answers it sees nothing else of the chat.";
/** Said of a question that an earlier step already had. */
export const SAME_QUESTION = "The question, as the draft got it.";
