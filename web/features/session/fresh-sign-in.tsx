import { useMutation } from "@tanstack/react-query";
import { startEmailSignIn } from "#shared/contracts/account/auth.ts";
import { CodeStep } from "./code-step.tsx";
import { entered } from "./enter-and-leave.ts";
import { useSession } from "./use-session.ts";
import { call } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";

/** `returnUrl` is where signing in by the mail's link leads back to. */
type FreshSignInProps = { returnUrl: string; onBack: () => void; onFresh: () => void };

/** Has the person sign in again without leaving: by a code to the account's own address. */
export function FreshSignIn({ returnUrl, onBack, onFresh }: FreshSignInProps) {
  const { user } = useSession();
  const email = user?.email ?? "";
  const start = useMutation({ mutationFn: () => call(startEmailSignIn, { body: { email, returnUrl } }) });
  if (start.isSuccess) {
    return (
      <div className="max-w-360">
        <CodeStep
          email={email}
          returnUrl={returnUrl}
          // Who has an account needs none.
          invite=""
          onInvite={() => undefined}
          onBack={() => start.reset()}
          onVerified={async (signedIn) => {
            await entered(signedIn);
            onFresh();
          }}
        />
      </div>
    );
  }
  return (
    <section aria-label="Sign in again">
      <p className="max-w-480 text-14 text-pretty text-ink2">
        For your security, sign in again first: your last sign-in is over 10 minutes ago. We mail a code to{" "}
        <strong className="font-medium break-all text-ink">{email}</strong>.
      </p>
      {start.isError && (
        <p role="alert" className="mt-6 text-13 text-danger">
          {start.error.message}
        </p>
      )}
      <div className="mt-12 flex gap-8">
        <Button onClick={onBack}>Back</Button>
        <Button variant="primary" busy={start.isPending} onClick={() => start.mutate()}>
          Mail me a code
        </Button>
      </div>
    </section>
  );
}
