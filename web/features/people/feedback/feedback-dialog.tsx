import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "react-router";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { FEEDBACK_CLOSE_DELAY_MS, FEEDBACK_LENGTH, FEEDBACK_SUCCESS_DELAY_MS } from "#shared/limits.ts";
import { isBlank } from "#shared/shown-text.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Link } from "#web/ui/link.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { feedbackFailure, useSendFeedback } from "./use-send-feedback.ts";

type FeedbackDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** A message to the people who run this deployment. */
export default function FeedbackDialog({ open, onOpenChange }: FeedbackDialogProps) {
  const { isGuest, features, failure } = useSession();
  const isSupported = features?.feedback !== false && failure?.code !== "DATABASE_NOT_CONFIGURED";
  const { pathname, search } = useLocation();
  const form = useFeedback({ onClose: () => onOpenChange(false) });
  const field = useRef<HTMLTextAreaElement>(null);
  const reset = useEffectEvent(form.reset);
  useEffect(() => {
    if (!open) reset();
  }, [open]);

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Send feedback"
      subtitle="What works, what does not, what is missing."
      initialFocus={field}
    >
      {form.isThanked ? (
        <output className="block py-24 text-center font-serif text-18 text-ink">Thank you. We read every message.</output>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          <label htmlFor="feedback" className="sr-only">
            Feedback
          </label>
          <textarea
            ref={field}
            id="feedback"
            rows={6}
            maxLength={FEEDBACK_LENGTH}
            value={form.message}
            disabled={isGuest || !isSupported}
            aria-invalid={form.error !== null || undefined}
            aria-describedby="feedback-note"
            onChange={(event) => form.setMessage(event.target.value)}
            className={`${fieldClass} block resize-none py-8 text-14 disabled:opacity-45`}
          />
          <div id="feedback-note" className="mt-6 min-h-20 text-13">
            {!isSupported ? (
              <p role="alert" className="text-danger">
                Feedback is not supported in this deployment
              </p>
            ) : isGuest ? (
              <p className="text-ink2">
                Please login to submit feedback{" "}
                <Link to={loginUrl(pathname + search)} replace className="text-accent underline underline-offset-2">
                  Login
                </Link>
              </p>
            ) : (
              form.error !== null && (
                <p role="alert" className="text-danger">
                  {form.error}
                </p>
              )
            )}
          </div>
          <div className="mt-12 flex justify-end gap-8">
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button type="submit" variant="primary" busy={form.isSubmitting} disabled={isGuest || !isSupported || isBlank(form.message)}>
              Send
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** The feedback form: after the server took a message, thanks show 1.2 s later and the form closes 2.5 s after that. */
function useFeedback({ onClose }: { onClose: () => void }) {
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
