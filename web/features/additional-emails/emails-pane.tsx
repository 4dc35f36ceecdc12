import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useReducer, useState } from "react";
import { deleteAdditionalEmail } from "#shared/contracts/account/additional-emails.ts";
import type { User } from "#shared/entities/user.ts";
import { ADDITIONAL_EMAILS_MAX } from "#shared/limits.ts";
import { setSessionUser } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { AddEmail } from "./add-email.tsx";
import { AuthenticationNotice } from "./authentication-notice.tsx";
import { FIRST_STEP, nextStep } from "./email-flow.ts";

/** The addresses whose mail is taken as the person's own: the account's, those added to it, and how to add one. */
export function EmailsPane({ user }: { user: User }) {
  const [flow, dispatch] = useReducer(nextStep, FIRST_STEP);
  const [removing, setRemoving] = useState<string | null>(null);
  const remove = useMutation({
    mutationFn: (email: string) => call(deleteAdditionalEmail, { body: { email } }),
    onSuccess: ({ user: changed }) => setSessionUser(changed),
    onError: (error) => toast({ title: "Failed to delete email", description: error.message, tone: "danger" }),
    onSettled: () => setRemoving(null),
  });
  const verified = user.additional_emails.filter(({ verified_at: at }) => at !== null);
  // The one that is being proven stands in the form.
  const awaited = user.additional_emails.filter(
    ({ email, verified_at: at }) => at === null && !(flow.step === "verify" && flow.email.trim().toLowerCase() === email),
  );
  const isFull = verified.length >= ADDITIONAL_EMAILS_MAX;
  return (
    <div>
      {user.email !== null && <AuthenticationNotice email={user.email} />}
      <ul aria-label="Your addresses" className="border-t border-line">
        <Row email={user.email ?? ""}>
          <Badge>Signs you in</Badge>
        </Row>
        {verified.map(({ email }) => (
          <Row key={email} email={email}>
            <Badge tone="accent">Verified</Badge>
            <Button size="sm" variant="quiet" aria-label={`Remove ${email}`} onClick={() => setRemoving(email)}>
              Remove
            </Button>
          </Row>
        ))}
        {awaited.map(({ email }) => (
          <Row key={email} email={email}>
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Enter the code for ${email}`}
              onClick={() => dispatch({ type: "awaited", email })}
            >
              Enter code
            </Button>
            <Button size="sm" variant="quiet" aria-label={`Remove ${email}`} onClick={() => remove.mutate(email)}>
              Remove
            </Button>
          </Row>
        ))}
      </ul>
      <div className="mt-20">
        {isFull && flow.step === "enter" ? (
          <p className="text-13 text-ink2">{`An account can have ${ADDITIONAL_EMAILS_MAX} additional addresses. Remove one to add another.`}</p>
        ) : (
          <AddEmail flow={flow} dispatch={dispatch} />
        )}
      </div>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title="Remove this address?"
        confirm="Remove"
        busy={remove.isPending}
        onConfirm={() => removing !== null && remove.mutate(removing)}
      >
        Mail from <strong className="font-medium break-all text-ink">{removing}</strong> will no longer be taken as yours.
      </ConfirmDialog>
    </div>
  );
}

function Row({ email, children }: { email: string; children: ReactNode }) {
  return (
    <li className="flex min-h-43 flex-wrap items-center gap-8 border-b border-line py-4 max-[767px]:min-h-52">
      <span className="min-w-160 flex-1 text-14 break-all text-ink">{email}</span>
      {children}
    </li>
  );
}
