import { useMutation, useQuery } from "@tanstack/react-query";
import { type Dispatch, type ReactNode, useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import {
  checkEmailAuthentication,
  deleteAdditionalEmail,
  startAdditionalEmail,
  verifyAdditionalEmail,
} from "#shared/contracts/account/additional-emails.ts";
import type { User } from "#shared/entities/user.ts";
import { ADDITIONAL_EMAIL_RESET_MS, ADDITIONAL_EMAILS_MAX, CODE_LENGTH, CODE_MIN_LENGTH } from "#shared/limits.ts";
import { refreshSession, setSessionUser } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { type EmailFlow, type EmailFlowEvent, FIRST_STEP, nextStep } from "./email-flow.ts";
import { keys } from "#web/lib/query.ts";
import { MailboxHint } from "#web/features/people/session/mailbox-hint.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

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

/** Says what the domain of the account's own address lacks to distinguish its mails from forged ones; nothing where it lacks nothing. */
function AuthenticationNotice({ email }: { email: string }) {
  const check = useQuery({
    queryKey: keys.emailAuthentication(email),
    queryFn: () => call(checkEmailAuthentication, { body: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = check.error?.message ?? (check.data && !check.data.hasAuthentication ? check.data.error : null);
  if (failure) {
    return (
      <div role="alert" className="mb-16 flex flex-wrap items-center gap-12 rounded-8 bg-danger-soft px-12 py-8 text-13 text-danger">
        <p className="min-w-200 flex-1">
          <strong className="block font-medium">Failed to verify email authentication</strong>
          {failure}
        </p>
        <TryAgain busy={check.isFetching} onClick={() => void check.refetch()} />
      </div>
    );
  }
  if (!check.data || check.data.hasAuthentication) return null;
  return (
    <div role="note" className="mb-16 rounded-8 bg-signal-soft px-12 py-8 text-13 text-ink">
      <p className="font-medium">To avoid spoofing, you need to set up email DKIM or DMARC</p>
      <p className="mt-2">
        {`${check.data.domain} has neither that we know of, so mails that claim to be yours can't be trusted. Check your email for setup instructions.`}
      </p>
    </div>
  );
}

type StepProps = { flow: EmailFlow; dispatch: Dispatch<EmailFlowEvent> };

/** Adds an address: it is entered, then proven by the code that was mailed to it. */
function AddEmail({ flow, dispatch }: StepProps) {
  const start = useMutation({
    mutationFn: (email: string) => call(startAdditionalEmail, { body: { email } }),
    onSuccess: () => {
      toast({ title: "Verification code sent to your email.", tone: "success" });
      dispatch({ type: "mailed" });
      void refreshSession();
    },
    onError: (error) => toast({ title: "Failed to send code", description: error.message, tone: "danger" }),
  });
  if (flow.step === "verify") return <VerifyStep flow={flow} dispatch={dispatch} />;
  const canStart = flow.email.includes("@");
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart && !start.isPending) start.mutate(flow.email);
      }}
    >
      <TextField
        label="Add an address"
        name="email"
        type="email"
        autoComplete="email"
        placeholder="you@example.com"
        className="min-w-200 flex-1"
        value={flow.email}
        onChange={(event) => dispatch({ type: "typed", email: event.target.value })}
      />
      <Button type="submit" variant="primary" busy={start.isPending} disabled={!canStart}>
        Send code
      </Button>
    </form>
  );
}

function VerifyStep({ flow, dispatch }: { flow: Extract<EmailFlow, { step: "verify" }>; dispatch: StepProps["dispatch"] }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const verify = useMutation({
    mutationFn: (code: string) => call(verifyAdditionalEmail, { body: { code } }),
    onSuccess: ({ user }) => {
      setSessionUser(user);
      dispatch({ type: "proven" });
    },
    onError: (error) => {
      toast({ title: "Verification failed", description: error.message, tone: "danger" });
      field.current?.select();
    },
  });
  const reset = useEffectEvent(() => dispatch({ type: "back" }));
  useEffect(() => {
    if (!flow.isProven) return undefined;
    const timer = setTimeout(reset, ADDITIONAL_EMAIL_RESET_MS);
    return () => clearTimeout(timer);
  }, [flow.isProven]);
  const submit = (code: string) => {
    if (!verify.isPending) verify.mutate(code);
  };
  const canVerify = flow.code.length >= CODE_MIN_LENGTH && !flow.isProven;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (canVerify) submit(flow.code);
      }}
    >
      <p className="text-14 text-ink2">
        We mailed a code to <strong className="font-medium break-all text-ink">{flow.email.trim()}</strong>. It is good for 10 minutes.
      </p>
      <div className="mt-12 flex flex-wrap items-end gap-8">
        <TextField
          ref={field}
          label="Verification code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="6-digit code"
          className="min-w-160 flex-1 tabular-nums"
          value={flow.code}
          readOnly={flow.isProven}
          onChange={(event) => {
            const code = event.target.value.replaceAll(/\D/g, "").slice(0, CODE_LENGTH);
            dispatch({ type: "code_typed", code });
            if (code.length === CODE_LENGTH && code !== flow.code) submit(code);
          }}
        />
        <Button onClick={() => dispatch({ type: "back" })}>Back</Button>
        <Button type="submit" variant="primary" busy={verify.isPending} disabled={!canVerify}>
          Verify
        </Button>
      </div>
      <output className="mt-8 block min-h-20 text-13 text-accent">{flow.isProven && "Email verified successfully!"}</output>
      {!flow.isProven && <MailboxHint />}
    </form>
  );
}
