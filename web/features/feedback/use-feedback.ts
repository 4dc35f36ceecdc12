import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { FEEDBACK_CLOSE_DELAY_MS, FEEDBACK_SUCCESS_DELAY_MS } from "#shared/limits.ts";
import { isBlank } from "#shared/shown-text.ts";
import { call } from "#web/lib/api.ts";
import { feedbackFailure } from "./feedback-failure.ts";

type State = { kind: "idle" } | { kind: "submitting" } | { kind: "sent" } | { kind: "thanked" } | { kind: "error"; message: string };

/** The feedback form: after the server took a message, thanks show 1.2 s later and the form closes 2.5 s after that. */
export function useFeedback({ onClose }: { onClose: () => void }) {
  const [message, setMessage] = useState("");
  const [state, setState] = useState<State>({ kind: "idle" });
  const close = useEffectEvent(onClose);

  useEffect(() => {
    if (state.kind !== "sent" && state.kind !== "thanked") return;
    const timer =
      state.kind === "sent"
        ? setTimeout(() => setState({ kind: "thanked" }), FEEDBACK_SUCCESS_DELAY_MS)
        : setTimeout(() => close(), FEEDBACK_CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const reset = useCallback(() => {
    setState((before) => {
      if (before.kind === "thanked" || before.kind === "sent") setMessage("");
      return before.kind === "submitting" ? before : { kind: "idle" };
    });
  }, []);
  const submit = () => {
    if (isBlank(message) || state.kind === "submitting" || state.kind === "sent") return;
    setState({ kind: "submitting" });
    call(sendFeedback, { body: { message } }).then(
      () => setState({ kind: "sent" }),
      (error: unknown) => setState({ kind: "error", message: feedbackFailure(error) }),
    );
  };
  return {
    message,
    setMessage,
    submit,
    reset,
    state: state.kind === "sent" ? "submitting" : state.kind,
    error: state.kind === "error" ? state.message : null,
  } as const;
}
