import { useLocation } from "react-router";
import { Link } from "#web/ui/link.tsx";
import { loginUrl } from "./login-url.ts";

/** A dialog's way to the login page and back to where it was opened. */
export function SignInLink({ onFollow }: { onFollow: () => void }) {
  const { pathname, search } = useLocation();
  return (
    <Link
      to={loginUrl(pathname + search)}
      onClick={onFollow}
      className="inline-flex h-36 items-center rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44 touch:text-14"
    >
      Sign in
    </Link>
  );
}
