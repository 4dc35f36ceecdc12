import { useMutation } from "@tanstack/react-query";
import { type Dispatch, useEffect, useEffectEvent, useRef } from "react";
import { startAdditionalEmail, verifyAdditionalEmail } from "#shared/contracts/account/additional-emails.ts";
import { ADDITIONAL_EMAIL_RESET_MS, CODE_LENGTH, CODE_MIN_LENGTH } from "#shared/limits.ts";
import { MailboxHint } from "#web/features/session/mailbox-hint.tsx";
import { refreshSession, setSessionUser } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import type { EmailFlow, EmailFlowEvent } from "./email-flow.ts";

type StepProps = { flow: EmailFlow; dispatch: Dispatch<EmailFlowEvent> };

/** Adds an address: it is entered, then proven by the code that was mailed to it. */
export function AddEmail({ flow, dispatch }: StepProps) {
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
