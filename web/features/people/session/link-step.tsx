import { useMutation } from "@tanstack/react-query";
import { signInByLink } from "#shared/contracts/account/auth.ts";
import type { User } from "#shared/entities/user.ts";
import { addressInToken } from "#shared/sign-in/sign-in-link.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { isEphemeralBrowser } from "#web/lib/storage.ts";
import { Button } from "#web/ui/button.tsx";
import { focusOnMount } from "#web/ui/focus.ts";
import { useState } from "react";
import { applyStoragePreference } from "./keep-as-asked.ts";
import { KeepNothing } from "./keep-nothing.tsx";
import { InviteField, lacksInvite } from "./invite-field.tsx";
import { onSignedIn } from "./enter-and-leave.ts";

type LinkStepProps = {
  token: string;
  /** The link is of a mail that was asked for to join Google. */
  joinsGoogle: boolean;
  /** The code of the invite that the mail's link carries, empty for none. */
  invite: string;
  onDone: (user: User) => void;
  /** The link is no longer valid, in the server's words. */
  onSpent: (message: string) => void;
};

/** Signs in by the link of a mail, once a person presses the button: scanners open links too, and must not use them up. */
export function LinkStep({ token, joinsGoogle, invite: carried, onDone, onSpent }: LinkStepProps) {
  const email = addressInToken(token);
  const [invite, setInvite] = useState(carried);
  const [keepsNothing, setKeepsNothing] = useState(isEphemeralBrowser);
  const signIn = useMutation({
    mutationFn: async () => {
      const body = { token, ...(invite && { invite }), keeps_nothing: keepsNothing, ...(joinsGoogle && { joins_google: true }) };
      const { user } = await call(signInByLink, { body });
      await applyStoragePreference(keepsNothing);
      await onSignedIn(user);
      onDone(user);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 400) onSpent(error.message);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!signIn.isPending) signIn.mutate();
      }}
    >
      <p className="mb-16 text-14 text-ink2">
        {email === null ? (
          "This link signs you in here."
        ) : (
          <>
            This link signs you in here as <strong className="font-medium break-all text-ink">{email}</strong>.
          </>
        )}
        {joinsGoogle && " From then on, the Google account that you continued with in this browser signs you in as well."}
      </p>
      {signIn.error && (
        <p role="alert" className="mb-16 rounded-8 bg-danger-soft px-12 py-8 text-13 text-danger">
          {signIn.error.message}
        </p>
      )}
      {(lacksInvite(signIn.error) || invite !== carried) && <InviteField invite={invite} onInvite={setInvite} className="mb-16" />}
      <Button ref={focusOnMount} type="submit" variant="primary" size="touch" className="w-full" busy={signIn.isPending}>
        Sign in
      </Button>
      <KeepNothing keepsNothing={keepsNothing} onChange={setKeepsNothing} className="mt-16" />
    </form>
  );
}
