import { mutationOptions, useMutation } from "@tanstack/react-query";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { call } from "#web/lib/api.ts";

/** A message to the operator; without a network it fails at once, and the form keeps the text. */
export const sendingFeedback = mutationOptions({
  networkMode: "always",
  mutationFn: (message: string) => call(sendFeedback, { body: { message } }),
});

/** Sends a message to the operator. */
export function useSendFeedback() {
  return useMutation(sendingFeedback);
}
