import { SignInLink } from "#web/features/people/session/sign-in-link.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import type { KnowledgeDialogProps } from "./pane.ts";

/** Says to a guest why knowledge asks to sign in. */
export default function SignInFirst({ open, onOpenChange }: KnowledgeDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign in to use knowledge"
      footer={<SignInLink onFollow={() => onOpenChange(false)} />}
    >
      <p className="text-14 text-ink2">
        Knowledge is what your chats should know: texts and files that answers are drawn from. It is kept with your account.
      </p>
      <p className="mt-8 text-14 text-ink2">You come back to where you are, with what you have typed.</p>
    </Dialog>
  );
}
