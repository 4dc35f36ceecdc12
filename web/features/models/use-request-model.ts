import { useMutation, useMutationState } from "@tanstack/react-query";
import { feedbackFailure } from "#web/features/feedback/feedback-failure.ts";
import { sendingFeedback } from "#web/features/feedback/use-send-feedback.ts";

/** Asks the operator for a Pro model (spec 7: feedback 'I want access to' and its id), and how far that is; each model has a request of its own. */
export function useRequestModel(modelId: string) {
  const mutationKey = ["model-request", modelId];
  const { mutate } = useMutation({ ...sendingFeedback, mutationKey, gcTime: Infinity });
  // From the cache, as the dialog may have closed since it was asked.
  const latest = useMutationState({ filters: { mutationKey }, select: ({ state: { status, error } }) => ({ status, error }) }).at(-1);
  return {
    status: latest?.status ?? "idle",
    error: latest?.error ? feedbackFailure(latest.error) : null,
    send: () => mutate(`I want access to ${modelId}`),
  };
}
