import { ApiError } from "#web/lib/api.ts";

/** Refusals whose own text says all. */
const PLAIN = new Set(["FEEDBACK_NOT_SUPPORTED", "FEEDBACK_SIGN_IN"]);

/** What a message to the operator that was not taken says under its form. */
export function feedbackFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return "Error submitting feedback: Something went wrong. Try again.";
  return PLAIN.has(error.code) ? error.message : `Error submitting feedback: ${error.message}`;
}
