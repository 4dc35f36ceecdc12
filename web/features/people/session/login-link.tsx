import { useState } from "react";
import { useLocation } from "react-router";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { loginUrl } from "./login-url.ts";
import { clearAuthError, useAuthError } from "./auth-error.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Link } from "#web/ui/link.tsx";
import { useEver } from "#web/lib/use-ever.ts";

const LoginPopover = lazyPart(async () => (await import("./login-popover.tsx")).default);

/** The way to sign in: a page on phones and without a plain click, a small form beside the link on desktop. */
export function LoginLink() {
  const { pathname, search } = useLocation();
  const isMobile = useIsMobile();
  const authError = useAuthError();
  const [anchor, setAnchor] = useState<HTMLAnchorElement | null>(null);
  const [open, setOpen] = useState(false);
  const shown = open || authError !== null;
  const used = useEver(shown);
  return (
    <>
      <Link
        ref={setAnchor}
        to={loginUrl(pathname + search)}
        aria-haspopup={isMobile ? undefined : "dialog"}
        aria-expanded={isMobile ? undefined : shown}
        className="inline-flex h-32 shrink-0 items-center rounded-8 px-12 text-13 font-medium text-accent hover:bg-s3 touch:h-44 touch:text-15"
        onClick={(event) => {
          if (isMobile || event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(!shown);
        }}
      >
        Login
      </Link>
      {used && (
        <LoginPopover
          anchor={anchor}
          open={shown}
          error={authError}
          onOpenChange={(next) => {
            setOpen(next);
            if (!next) clearAuthError();
          }}
        />
      )}
    </>
  );
}
