import { useState } from "react";
import { useLocation } from "react-router";
import { startEmailSignIn, startGoogleSignIn } from "#shared/contracts/account/auth.ts";
import type { User } from "#shared/entities/user.ts";
import { address, call, endOldSession } from "#web/lib/api.ts";
import { isEphemeralBrowser } from "#web/lib/storage.ts";
import { Button } from "#web/ui/button.tsx";
import { carriedInvite, isInvitedToTeam, keepInvite } from "./arrived-invite.ts";
import { CodeStep } from "./code-step.tsx";
import { onSignedIn } from "./enter-and-leave.ts";
import { addressToSignIn } from "./sign-in-as.ts";
import { applyStoragePreference } from "./keep-as-asked.ts";
import { KeepNothing } from "./keep-nothing.tsx";
import { InviteField } from "./invite-field.tsx";
import { useSession } from "./use-session.ts";
import { useMutation } from "@tanstack/react-query";
import { focusOnMount } from "#web/ui/focus.ts";
import { TextField } from "#web/ui/text-field.tsx";
import { MailboxHint } from "./mailbox-hint.tsx";

type LoginFormProps = {
  /** Where Google's way leads back to: a path of this site. */
  returnUrl: string;
  /** Why the last try failed that left this page: with Google, or by a mail's link. */
  failure: string | null;
  /** The form stands on the page that one returns to, which then shows a failure as well. */
  isOnPage?: boolean;
  /** The address that Google left to be proven by a code; empty for none. */
  toConfirm?: string;
  onDone: (user: User) => void;
};

/** Both ways to sign in: Google where it is set up, and a mailed code. */
export function LoginForm({ returnUrl, failure, isOnPage = false, toConfirm = "", onDone }: LoginFormProps) {
  const { features } = useSession();
  const { search, state } = useLocation();
  const [email, setEmail] = useState(() => toConfirm || addressToSignIn(state));
  const [invite, setInvite] = useState(() => carriedInvite({ search, returnUrl }));
  const [sent, setSent] = useState<{ isLinkOnly: boolean } | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [keepsNothing, setKeepsNothing] = useState(isEphemeralBrowser);
  const [problem, setProblem] = useState<string | null>(null);

  const goTo = (next: typeof sent) => {
    // Else a popover around the form takes the focus of what goes, after the next step's field has taken it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setSent(next);
  };

  const goToGoogle = async () => {
    setLeaving(true);
    setProblem(null);
    try {
      await endOldSession();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "");
      setLeaving(false);
      return;
    }
    // Who comes back to prove the address first finds it as it was.
    await applyStoragePreference(keepsNothing);
    const query = {
      returnUrl,
      ...(invite.trim() && { invite: invite.trim() }),
      ...(isOnPage && { failure: "page" }),
      ...(keepsNothing && { keeps_nothing: "1" }),
    } as const;
    window.location.assign(address(startGoogleSignIn, { query }));
  };

  if (sent) {
    return (
      <CodeStep
        email={email}
        returnUrl={returnUrl}
        invite={invite.trim()}
        isLinkOnly={sent.isLinkOnly}
        keepsNothing={keepsNothing}
        joinsGoogle={toConfirm !== ""}
        onInvite={setInvite}
        onBack={() => goTo(null)}
        onVerified={async (user) => {
          keepInvite("");
          await onSignedIn(user);
          onDone(user);
        }}
      />
    );
  }
  return (
    <div>
      {(problem ?? failure) && (
        <p role="alert" className="mb-16 rounded-8 bg-danger-soft px-12 py-8 text-13 text-danger">
          {problem ?? failure}
        </p>
      )}
      {features?.signUpByInvite && !isInvitedToTeam(returnUrl) && <InviteField invite={invite} onInvite={setInvite} className="mb-20" />}
      {features?.google && toConfirm === "" && (
        <>
          <Button variant="outline" size="touch" busy={leaving} className="w-full" onClick={() => void goToGoogle()}>
            <GoogleMark />
            Continue with Google
          </Button>
          <div aria-hidden className="mt-20 mb-14 flex items-center gap-12 text-13 text-ink3">
            <span className="h-1 flex-1 bg-line" />
            or
            <span className="h-1 flex-1 bg-line" />
          </div>
        </>
      )}
      <EmailStep
        email={email}
        onEmail={setEmail}
        returnUrl={returnUrl}
        invite={invite.trim()}
        joinsGoogle={toConfirm !== ""}
        onSent={goTo}
      />
      <KeepNothing keepsNothing={keepsNothing} onChange={setKeepsNothing} className="mt-16" />
    </div>
  );
}

/** Google's mark, in the colours its sign-in rules ask for. */
function GoogleMark() {
  return (
    <svg aria-hidden viewBox="0 0 48 48" className="size-18">
      <path fill="#4285F4" d="M45.1 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.8c-.5 2.7-2.1 5.1-4.4 6.6v5.5h7.1c4.2-3.8 6.6-9.5 6.6-16.1z" />
      <path
        fill="#34A853"
        d="M24 46c5.9 0 10.9-2 14.6-5.4l-7.1-5.5c-2 1.3-4.5 2.1-7.5 2.1-5.7 0-10.6-3.9-12.3-9.1H4.3v5.7C8 41.1 15.4 46 24 46z"
      />
      <path fill="#FBBC05" d="M11.7 28.1a13.3 13.3 0 0 1 0-8.3v-5.7H4.3a22 22 0 0 0 0 19.7l7.4-5.7z" />
      <path
        fill="#EA4335"
        d="M24 10.7c3.2 0 6.1 1.1 8.4 3.3l6.3-6.3C34.9 4.1 29.9 2 24 2 15.4 2 8 6.9 4.3 14.1l7.4 5.7c1.7-5.2 6.6-9.1 12.3-9.1z"
      />
    </svg>
  );
}

type EmailStepProps = {
  email: string;
  onEmail: (email: string) => void;
  returnUrl: string;
  /** The code of an invite, empty for none. */
  invite: string;
  /** The mail is to join the Google account that one continued with. */
  joinsGoogle: boolean;
  /** `isLinkOnly` where the mail has no code. */
  onSent: (sent: { isLinkOnly: boolean }) => void;
};

/** Asks for the address and has a code mailed to it. */
function EmailStep({ email, onEmail, returnUrl, invite, joinsGoogle, onSent }: EmailStepProps) {
  const carried = { ...(invite && { invite }), ...(joinsGoogle && { joins_google: true }) };
  const send = useMutation({
    mutationFn: (to: string) => call(startEmailSignIn, { body: { email: to, returnUrl, ...carried } }),
    onSuccess: ({ link_only: isLinkOnly }) => onSent({ isLinkOnly }),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!send.isPending) send.mutate(email);
      }}
    >
      <TextField
        label="Email"
        type="email"
        name="email"
        size="touch"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        ref={focusOnMount}
        value={email}
        error={send.error?.message}
        onChange={(event) => {
          onEmail(event.target.value);
          if (send.isError) send.reset();
        }}
      />
      <Button type="submit" variant="primary" size="touch" className="mt-14 w-full" busy={send.isPending}>
        Send code
      </Button>
      <p className="mt-12 text-13 text-ink3">We mail you a 6-digit code. No password needed.</p>
      <MailboxHint />
    </form>
  );
}
