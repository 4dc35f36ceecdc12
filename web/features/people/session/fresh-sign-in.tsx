import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { startEmailSignIn, startGoogleSignIn } from "#shared/contracts/account/auth.ts";
import { SIGNED_IN_CHANNEL } from "#shared/sign-in/signed-in-channel.ts";
import { address, call } from "#web/lib/api.ts";
import * as z from "zod/mini";
import { useStore } from "#web/lib/store.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { CodeStep } from "./code-step.tsx";
import { onSignedIn } from "./enter-and-leave.ts";
import { pendingProof, isStillHere } from "./prove-again.ts";
import { useSession } from "./use-session.ts";

const ProofMessage = z.looseObject({ failure: z.nullable(z.string()) });

/** Where something needs a fresh sign-in, has the person prove who they are above all that is open, which then goes on. */
export function FreshSignIn() {
  const waiting = useStore(pendingProof);
  return (
    <Dialog open={waiting !== null} onOpenChange={(open) => !open && waiting?.answer(false)} title="Sign in again" width={440}>
      {waiting && <Proof onDone={waiting.answer} />}
    </Dialog>
  );
}

function Proof({ onDone }: { onDone: (isProven: boolean) => void }) {
  const { user, features } = useSession();
  const email = user?.email ?? "";
  const returnUrl = window.location.pathname + window.location.search;
  const start = useMutation({ mutationFn: () => call(startEmailSignIn, { body: { email, returnUrl } }) });
  const [failure, setFailure] = useState<string | null>(null);
  const onProofMessage = useEffectEvent(async ({ data }: MessageEvent<unknown>) => {
    const parsed = ProofMessage.safeParse(data);
    if (!parsed.success) return;
    setFailure(parsed.data.failure);
    if (parsed.data.failure !== null) return;
    onDone(await isStillHere(user?.id));
  });
  useEffect(() => {
    // A window of Google's tells of itself here, and a page that the mail's link has opened.
    const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
    channel.addEventListener("message", (event) => void onProofMessage(event));
    return () => channel.close();
  }, []);
  const cancel = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // It stands above dialogs that it is no part of, which would close as well.
    event.stopImmediatePropagation();
    onDone(false);
  });
  useEffect(() => {
    window.addEventListener("keydown", cancel, true);
    return () => window.removeEventListener("keydown", cancel, true);
  }, []);
  const askGoogle = () => {
    const opened = window.open(address(startGoogleSignIn, { query: { again: "1" } }), "_blank", "popup,width=480,height=640");
    setFailure(opened === null ? "This browser opens no window for Google. Allow it, or take the mailed code." : null);
  };
  if (start.isSuccess) {
    return (
      <CodeStep
        email={email}
        returnUrl={returnUrl}
        // Who has an account needs none.
        invite=""
        isLinkOnly={start.data.link_only}
        onInvite={() => undefined}
        onBack={() => start.reset()}
        onVerified={async (signedIn) => {
          await onSignedIn(signedIn);
          onDone(true);
        }}
      />
    );
  }
  const problem = start.error?.message ?? failure;
  return (
    <>
      <p className="text-14 text-pretty text-ink2">
        For your security, show that it is still you: your last sign-in was a while ago. What you were doing goes on afterwards.
      </p>
      <p className="mt-8 text-14 text-pretty text-ink2">
        We mail a code to <strong className="font-medium break-all text-ink">{email}</strong>.
      </p>
      {problem !== null && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {problem}
        </p>
      )}
      <div className="mt-16 flex flex-wrap gap-8">
        <Button variant="primary" busy={start.isPending} onClick={() => start.mutate()}>
          Mail me a code
        </Button>
        {features?.google && <Button onClick={askGoogle}>Sign in with Google</Button>}
        <Button variant="quiet" onClick={() => onDone(false)}>
          Cancel
        </Button>
      </div>
    </>
  );
}
