import { SignInLink } from "#web/features/people/session/sign-in-link.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import type { PromptsDialogProps } from "./pane.ts";

/** Says to a guest why prompts ask to sign in. */
export default function SignInFirst({ open, onOpenChange }: PromptsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign in to use prompts"
      footer={<SignInLink onFollow={() => onOpenChange(false)} />}
    >
      <p className="text-14 text-ink2">
        A prompt is what you ask again and again, with blanks to fill in. Yours are kept with your account, so that every chat and device
        has them.
      </p>
      <p className="mt-8 text-14 text-ink2">You come back to where you are, with what you have typed.</p>
    </Dialog>
  );
}
