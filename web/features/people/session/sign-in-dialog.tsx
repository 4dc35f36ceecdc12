import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { SignInLink } from "./sign-in-link.tsx";

/** `what` a guest wants to do, as it stands after 'Sign in to', and `why` that needs an account. */
type SignInDialogProps = { open: boolean; onClose: () => void; what: string; why: string };

/** Says to a guest why what they pressed asks to sign in, before it does. */
export function SignInDialog({ open, onClose, what, why }: SignInDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={`Sign in to ${what}`} footer={<SignInLink onFollow={onClose} />}>
      <p className="text-14 text-ink2">{why}</p>
      <p className="mt-8 text-14 text-ink2">You come back to where you are, with what you have typed.</p>
    </Dialog>
  );
}
