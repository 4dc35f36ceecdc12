import { useState } from "react";
import { useLocation } from "react-router";
import { startGoogleSignIn } from "#shared/contracts/account/auth.ts";
import type { User } from "#shared/entities/user.ts";
import { address } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { carriedInvite, isInvitedToTeam, keepInvite } from "./arrived-invite.ts";
import { CodeStep } from "./code-step.tsx";
import { EmailStep } from "./email-step.tsx";
import { entered } from "./enter-and-leave.ts";
import { GoogleMark } from "./google-mark.tsx";
import { InviteField } from "./invite-field.tsx";
import { useSession } from "./use-session.ts";

type LoginFormProps = {
  /** Where Google's way leads back to: a path of this site. */
  returnUrl: string;
  /** Why the last try failed that left this page: with Google, or by a mail's link. */
  failure: string | null;
  /** The form stands on the page that one returns to, which then tells a failure as well. */
  isOnPage?: boolean;
  onDone: (user: User) => void;
};

/** Both ways to sign in: Google where it is set up, and a mailed code. */
export function LoginForm({ returnUrl, failure, isOnPage = false, onDone }: LoginFormProps) {
  const { features } = useSession();
  const { search } = useLocation();
  const [email, setEmail] = useState("");
  const [invite, setInvite] = useState(() => carriedInvite({ search, returnUrl }));
  const [sent, setSent] = useState(false);
  const [leaving, setLeaving] = useState(false);

  const goTo = (step: "email" | "code") => {
    // Else a popover around the form takes the focus of what goes, after the next step's field has taken it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setSent(step === "code");
  };

  if (sent) {
    return (
      <CodeStep
        email={email}
        returnUrl={returnUrl}
        invite={invite.trim()}
        onInvite={setInvite}
        onBack={() => goTo("email")}
        onVerified={async (user) => {
          keepInvite("");
          await entered(user);
          onDone(user);
        }}
      />
    );
  }
  return (
    <div>
      {failure && (
        <p role="alert" className="mb-16 rounded-8 bg-danger-soft px-12 py-8 text-13 text-danger">
          {failure}
        </p>
      )}
      {features?.signUpByInvite && !isInvitedToTeam(returnUrl) && <InviteField invite={invite} onInvite={setInvite} className="mb-20" />}
      {features?.google && (
        <>
          <Button
            variant="outline"
            size="touch"
            busy={leaving}
            className="w-full"
            onClick={() => {
              setLeaving(true);
              window.location.assign(
                address(startGoogleSignIn, {
                  query: { returnUrl, ...(invite.trim() && { invite: invite.trim() }), ...(isOnPage && { failure: "page" }) },
                }),
              );
            }}
          >
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
      <EmailStep email={email} onEmail={setEmail} returnUrl={returnUrl} invite={invite.trim()} onSent={() => goTo("code")} />
    </div>
  );
}
