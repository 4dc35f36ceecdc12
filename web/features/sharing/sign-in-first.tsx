import { SignInLink } from "#web/features/session/sign-in-link.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

const TEXTS = {
  share: {
    title: "Sign in to share this chat",
    why: "Whom you share with sees whose chat it is and who wrote what, and you can take it back: for that it belongs to an account.",
  },
  publish: {
    title: "Sign in to publish this chat",
    why: "A public page names who published it, and they alone can take it away again: for that the chat belongs to an account.",
  },
} as const;

export type SignInFirstProps = { what: keyof typeof TEXTS; open: boolean; onOpenChange: (open: boolean) => void };

/** Tells a guest why what they pressed asks to sign in, before it does. */
export default function SignInFirst({ what, open, onOpenChange }: SignInFirstProps) {
  const { title, why } = TEXTS[what];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} footer={<SignInLink onFollow={() => onOpenChange(false)} />}>
      <p className="text-14 text-ink2">{why}</p>
      <p className="mt-8 text-14 text-ink2">You come back to this chat, which stays yours with what you have typed.</p>
    </Dialog>
  );
}
