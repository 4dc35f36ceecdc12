import { useRef, type RefObject } from "react";
import { APP_NAME } from "#shared/app.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { describeRequiredPlans } from "#shared/plan-descriptions.ts";
import { InviteCodeForm } from "#web/features/people/invites/invite-code-form.tsx";
import { SignInLink } from "#web/features/people/session/sign-in-link.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { closeAccess, useAccess } from "./access-store.ts";
import { useMutation, useMutationState } from "@tanstack/react-query";
import { feedbackFailure, sendingFeedback } from "#web/features/people/feedback/use-send-feedback.ts";

const onOpenChange = (open: boolean) => !open && closeAccess();

/** The two dialogs that stand between a person and a model: the plan it needs, or signing in. */
export default function AccessDialogs() {
  const { open, model } = useAccess();
  const { isGuest } = useSession();
  // Not the code's field, which would open a phone's keyboard.
  const asks = useRef<HTMLButtonElement>(null);
  const request = useRequestModel(model?.id ?? "");
  if (!model) return null;
  const name = nameWithoutVendor(model.name);
  return (
    <>
      <Dialog
        open={open === "pro"}
        onOpenChange={onOpenChange}
        title="Pro Model Access Required"
        initialFocus={asks}
        footer={isGuest ? <SignInLink onFollow={closeAccess} /> : <RequestButton ref={asks} request={request} />}
      >
        <p className="text-14 text-ink2">
          <strong className="font-semibold text-ink">{name}</strong> is a Pro-only model on {APP_NAME}. {describeRequiredPlans("proModels")}
        </p>
        <p className="mt-8 text-14 text-ink2">
          {isGuest ? "Please login to submit feedback" : "Tell us that you want it, and we'll let you know when you can use it."}
        </p>
        {!isGuest && <InviteCodeForm onOpen={closeAccess} />}
        {request.error !== null && (
          <p role="alert" className="mt-12 text-13 text-danger">
            {request.error}
          </p>
        )}
      </Dialog>
      <Dialog
        open={open === "sign_in"}
        onOpenChange={onOpenChange}
        title={`Sign in to use ${name}`}
        footer={<SignInLink onFollow={closeAccess} />}
      >
        <p className="text-14 text-ink2">
          This model is for signed-in users. Your chats and what you have typed stay with you; or pick a lighter model and go on as a guest.
        </p>
      </Dialog>
    </>
  );
}

type RequestButtonProps = { ref: RefObject<HTMLButtonElement | null>; request: ReturnType<typeof useRequestModel> };

function RequestButton({ ref, request: { status, send } }: RequestButtonProps) {
  if (status === "success") {
    return <output className="block py-8 text-13 text-accent">Thanks! We'll keep you updated</output>;
  }
  const isSubmitting = status === "pending";
  return (
    <Button ref={ref} variant="primary" aria-disabled={isSubmitting} onClick={() => !isSubmitting && send()}>
      {isSubmitting ? "Submitting..." : "I want this model"}
    </Button>
  );
}

/** Asks the operator for a Pro model (feedback 'I want access to' and its id), and how far that is; each model has a request of its own. */
function useRequestModel(modelId: string) {
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
