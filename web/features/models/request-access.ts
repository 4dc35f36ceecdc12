import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { feedbackFailure } from "#web/features/feedback/feedback-failure.ts";
import { call } from "#web/lib/api.ts";
import { dispatchAccess } from "./access-store.ts";

/** Asks the operator for a Pro model (spec 7: feedback 'I want access to' and its id). */
export async function requestAccess(modelId: string): Promise<void> {
  dispatchAccess({ type: "request", modelId, request: { kind: "submitting" } });
  try {
    await call(sendFeedback, { body: { message: `I want access to ${modelId}` } });
    dispatchAccess({ type: "request", modelId, request: { kind: "submitted" } });
  } catch (error) {
    dispatchAccess({ type: "request", modelId, request: { kind: "failed", reason: feedbackFailure(error) } });
  }
}
