import { useLocation } from "react-router";
import PopoverPopup from "#web/ui/menu/popover-popup.tsx";
import { LoginForm } from "./login-form.tsx";
import { newcomerText } from "./newcomer-text.ts";
import { useSession } from "./use-session.ts";
import { wayBack } from "./login-url.ts";

type LoginPopoverProps = {
  anchor: HTMLAnchorElement | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The text of a failed Google sign-in. */
  error: string | null;
};

/** Signing in without leaving the page: what is typed and open stays. */
export default function LoginPopover({ anchor, open, onOpenChange, error }: LoginPopoverProps) {
  const { pathname, search } = useLocation();
  const { features } = useSession();
  const returnUrl = wayBack(pathname + search);
  return (
    <PopoverPopup open={open} onOpenChange={onOpenChange} anchor={anchor} label="Login" side="bottom" align="end" className="w-320">
      <h2 className="font-serif text-21">Sign in</h2>
      <p className="mt-4 mb-16 text-13 text-ink2">{newcomerText(features, returnUrl)}</p>
      <LoginForm returnUrl={returnUrl} failure={error} isOnPage onDone={() => onOpenChange(false)} />
    </PopoverPopup>
  );
}
