import { useLocation } from "react-router";
import { type Arrival, arrivalQueryParameters } from "#shared/sign-in/arrivals.ts";
import { safeReturnUrl } from "#shared/sign-in/return-url.ts";
import { wayBack } from "#web/features/people/session/login-url.ts";
import { signInAs } from "#web/features/people/session/sign-in-as.ts";
import { Link } from "#web/ui/link.tsx";
import { clearArrivals } from "./link-store.ts";

/** To the login page and back to here, with everything that is still to be looked at. */
export function ArrivalSignIn({ waiting, label = "Sign in", email }: { waiting: readonly Arrival[]; label?: string; email?: string }) {
  const { pathname, search } = useLocation();
  return (
    <Link
      state={email === undefined ? undefined : signInAs(email)}
      to={signInPath(wayBack(pathname + search), arrivalQueryParameters(waiting))}
      onClick={(event) => !event.metaKey && !event.ctrlKey && clearArrivals()}
      className="inline-flex h-36 items-center rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44 touch:text-14"
    >
      {label}
    </Link>
  );
}

/** The login page with the way back to a page of ours, and what to look at there. */
export function signInPath(page: string, parameters: readonly [name: string, value: string][], origin = window.location.origin): string {
  const url = new URL(safeReturnUrl(page, origin), origin);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return `/auth/?returnUrl=${encodeURIComponent(url.pathname + url.search)}`;
}
