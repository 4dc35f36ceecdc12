import * as z from "zod/mini";
import { SUMMARY_MESSAGES } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const SummaryMessage = z.object({ role: z.enum(["user", "assistant"]), content: z.string() });
export type SummaryMessage = z.infer<typeof SummaryMessage>;

export const generateChatSummary = endpoint("POST", "/api/generate-chat-summary", {
  summary: "Summarize a conversation; charged and limited as a message is. Of a long one the middle is left out",
  access: "user",
  repeat: "key",
  body: z.object({
    /** In reading order. */
    messages: z.array(SummaryMessage).check(z.minLength(1, "There is nothing to summarize yet."), z.maxLength(SUMMARY_MESSAGES)),
  }),
  response: z.object({ summary: z.string() }),
});
