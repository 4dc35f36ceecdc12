import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import type { User } from "#shared/entities/user.ts";
import { CODE_LENGTH, CODE_MIN_LENGTH } from "#shared/limits.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { InviteField, lacksInvite } from "./invite-field.tsx";
import { applyStoragePreference } from "./keep-as-asked.ts";
import { MailboxHint } from "./mailbox-hint.tsx";

const COOLDOWN_S = 30;

/** Seconds until a code may be asked for again; counts down from the first render and from every `restart`. */
function useCooldown(): { seconds: number; restart: () => void } {
  const [until, setUntil] = useState(() => Date.now() + COOLDOWN_S * 1_000);
  const [seconds, setSeconds] = useState(COOLDOWN_S);
  useEffect(() => {
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return { seconds, restart: () => setUntil(Date.now() + COOLDOWN_S * 1_000) };
}

type CodeStepProps = {
  email: string;
  returnUrl: string;
  /** The code of an invite, empty for none. */
  invite: string;
  /** The mail has no code. */
  isLinkOnly: boolean;
  /** Whether nothing is to stay on the device; as it is unless given. */
  keepsNothing?: boolean;
  /** The code is to join the Google account that one continued with. */
  joinsGoogle?: boolean;
  onInvite: (invite: string) => void;
  onBack: () => void;
  onVerified: (user: User) => Promise<void>;
};

/** Exchanges the mailed code for a session; the last digit sends it. */
export function CodeStep({ email, isLinkOnly: isFirstLinkOnly, keepsNothing, onInvite, onBack, onVerified, ...asked }: CodeStepProps) {
  const { returnUrl, invite, joinsGoogle = false } = asked;
  const carried = { ...(invite && { invite }), ...(joinsGoogle && { joins_google: true }) };
  const [code, setCode] = useState("");
  const [asksInvite, setAsksInvite] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const cooldown = useCooldown();
  useEffect(() => field.current?.focus(), []);
  const verify = useMutation({
    mutationFn: async (given: string) => {
      const body = { email, code: given, ...carried, ...(keepsNothing !== undefined && { keeps_nothing: keepsNothing }) };
      const { user } = await call(verifyEmailSignIn, { body });
      if (keepsNothing !== undefined) await applyStoragePreference(keepsNothing);
      await onVerified(user);
    },
    onError: (error) => {
      if (!lacksInvite(error)) field.current?.select();
    },
  });
  const again = useMutation({
    mutationFn: () => call(startEmailSignIn, { body: { email, returnUrl, ...carried } }),
    onSuccess: () => {
      setCode("");
      verify.reset();
      cooldown.restart();
      field.current?.focus();
    },
  });
  const isLinkOnly = again.data?.link_only ?? isFirstLinkOnly;
  const isUninvited = lacksInvite(verify.error);
  if (isUninvited && !asksInvite) setAsksInvite(true);
  const submit = (given: string) => {
    if (!verify.isPending && given.length >= CODE_MIN_LENGTH) verify.mutate(given);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(code);
      }}
    >
      {isLinkOnly ? (
        <p role="status" className="mb-16 text-14 text-ink2">
          We mailed a link to <strong className="font-medium break-all text-ink">{email.trim()}</strong>, and no code: too many wrong codes
          were entered for this address today. Sign in by the link within 10 minutes, in any browser.
        </p>
      ) : (
        <>
          <p className="mb-16 text-14 text-ink2">
            We mailed a code to <strong className="font-medium break-all text-ink">{email.trim()}</strong>. It is good for 10 minutes. The
            link in the mail signs in as well, in any browser.
          </p>
          <TextField
            ref={field}
            label="Code"
            name="code"
            size="touch"
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="6 digits"
            className="tabular-nums"
            value={code}
            error={isUninvited ? null : (verify.error?.message ?? again.error?.message)}
            onChange={(event) => {
              const next = event.target.value.replaceAll(/\D/g, "").slice(0, CODE_LENGTH);
              setCode(next);
              if (verify.isError) verify.reset();
              if (next.length === CODE_LENGTH && next !== code) submit(next);
            }}
          />
          {asksInvite && (
            <InviteField
              invite={invite}
              onInvite={(next) => {
                onInvite(next);
                if (verify.isError) verify.reset();
              }}
              error={isUninvited ? withoutInvite(verify.error) : null}
              className="mt-14"
            />
          )}
          <Button
            type="submit"
            variant="primary"
            size="touch"
            className="mt-14 w-full"
            busy={verify.isPending}
            disabled={code.length < CODE_MIN_LENGTH}
          >
            Verify
          </Button>
        </>
      )}
      {isLinkOnly && again.error && (
        <p role="alert" className="mb-16 text-13 text-danger">
          {again.error.message}
        </p>
      )}
      <div className="mt-8 -ml-14 flex items-center justify-between">
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
        <Button
          variant="quiet"
          busy={again.isPending}
          disabled={cooldown.seconds > 0}
          onClick={() => again.mutate()}
          className="-mr-14 tabular-nums"
        >
          {cooldown.seconds > 0 ? `Send again in ${cooldown.seconds} s` : "Send again"}
        </Button>
      </div>
      <MailboxHint />
    </form>
  );
}

/** What proved the address holds on, but where somebody else was first with the invite. */
function withoutInvite(error: Error | null): string {
  const isCodeStillValid = error instanceof ApiError && error.code === "INVITE_REQUIRED";
  return `${error?.message ?? ""}${isCodeStillValid ? " The code of the mail still holds." : " Ask for a new code by mail."}`;
}
