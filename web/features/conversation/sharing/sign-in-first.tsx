import { SignInLink } from "#web/features/people/session/sign-in-link.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

const TEXTS = {
  share: {
    title: "Sign in to share this chat",
    why: "The people you share with see whose chat it is and who wrote what, and you can take it back. That needs an account of your own.",
  },
  publish: {
    title: "Sign in to publish this chat",
    why: "A public page names who published it, and you can take it down again. That needs an account of your own.",
  },
} as const;

export type SignInFirstProps = { what: keyof typeof TEXTS; open: boolean; onOpenChange: (open: boolean) => void };

/** Says to a guest why what they pressed asks to sign in, before it does. */
export default function SignInFirst({ what, open, onOpenChange }: SignInFirstProps) {
  const { title, why } = TEXTS[what];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} footer={<SignInLink onFollow={() => onOpenChange(false)} />}>
      <p className="text-14 text-ink2">{why}</p>
      <p className="mt-8 text-14 text-ink2">You come back to this chat, which stays yours with what you have typed.</p>
    </Dialog>
  );
}
