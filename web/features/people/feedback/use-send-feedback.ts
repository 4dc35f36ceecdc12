import { mutationOptions, useMutation } from "@tanstack/react-query";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { call, ApiError } from "#web/lib/api.ts";

/** A message to the operator; without a network it fails at once, and the form keeps the text. */
export const sendingFeedback = mutationOptions({
  networkMode: "always",
  mutationFn: (message: string) => call(sendFeedback, { body: { message } }),
});

/** Sends a message to the operator. */
export function useSendFeedback() {
  return useMutation(sendingFeedback);
}

/** Refusals whose own text says all. */
const PLAIN = new Set(["FEEDBACK_NOT_SUPPORTED", "FEEDBACK_SIGN_IN"]);

/** What a message to the operator that was not taken says under its form. */
export function feedbackFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return "Error submitting feedback: Something went wrong. Try again.";
  return PLAIN.has(error.code) ? error.message : `Error submitting feedback: ${error.message}`;
}
