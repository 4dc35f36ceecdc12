import { useMutation } from "@tanstack/react-query";
import { startEmailSignIn } from "#shared/contracts/account/auth.ts";
import { call } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { focusOnMount } from "#web/ui/focus-on-mount.ts";
import { TextField } from "#web/ui/text-field.tsx";
import { MailboxHint } from "./mailbox-hint.tsx";

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
export function EmailStep({ email, onEmail, returnUrl, invite, joinsGoogle, onSent }: EmailStepProps) {
  const carried = { ...(invite && { invite }), ...(joinsGoogle && { joins_google: true }) };
  const send = useMutation({
    mutationFn: (address: string) => call(startEmailSignIn, { body: { email: address, returnUrl, ...carried } }),
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
