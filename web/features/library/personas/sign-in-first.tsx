import { SignInLink } from "#web/features/people/session/sign-in-link.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import type { PersonasDialogState } from "./personas-store.ts";

/** Says to a guest why personas ask to sign in. */
export default function SignInFirst({ open, onOpenChange }: PersonasDialogState) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign in to use personas"
      footer={<SignInLink onFollow={() => onOpenChange(false)} />}
    >
      <p className="text-14 text-ink2">
        A persona is the standing instruction a chat begins with. Yours are kept with your account, so that every chat and device has them.
      </p>
      <p className="mt-8 text-14 text-ink2">You come back to where you are, with what you have typed.</p>
    </Dialog>
  );
}
