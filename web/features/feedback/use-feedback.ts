import { useEffect, useEffectEvent, useState } from "react";
import { FEEDBACK_CLOSE_DELAY_MS, FEEDBACK_SUCCESS_DELAY_MS } from "#shared/limits.ts";
import { isBlank } from "#shared/shown-text.ts";
import { feedbackFailure } from "./feedback-failure.ts";
import { useSendFeedback } from "./use-send-feedback.ts";

/** The feedback form: after the server took a message, thanks show 1.2 s later and the form closes 2.5 s after that. */
export function useFeedback({ onClose }: { onClose: () => void }) {
  const [message, setMessage] = useState("");
  const [isThanked, setIsThanked] = useState(false);
  const { status, error, mutate, reset: forget } = useSendFeedback();
  const close = useEffectEvent(onClose);
  const isSent = status === "success";

  useEffect(() => {
    if (!isSent) return;
    const timer = isThanked
      ? setTimeout(() => close(), FEEDBACK_CLOSE_DELAY_MS)
      : setTimeout(() => setIsThanked(true), FEEDBACK_SUCCESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isSent, isThanked]);

  const reset = () => {
    if (status === "pending") return;
    if (isSent) setMessage("");
    setIsThanked(false);
    forget();
  };
  const submit = () => {
    if (!isBlank(message) && status !== "pending" && !isSent) mutate(message);
  };
  return {
    message,
    setMessage,
    submit,
    reset,
    isThanked,
    isSubmitting: status === "pending" || isSent,
    error: error && feedbackFailure(error),
  };
}
