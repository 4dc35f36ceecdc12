import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { carryToLogin, loginUrl } from "#web/features/people/session/login-url.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { type Deeplink, FILLED_IN, carriedPath, readDeeplink } from "./deeplink.ts";
import { fillComposer, followDeeplink } from "./follow-deeplink.ts";

/** Follows the link that opened the new chat's page, once it is known who is here; a visitor's again when they have signed in. */
export function useDeeplink(): { take: (query: URLSearchParams) => boolean } {
  const { user, status, isCurrent } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const waiting = useRef<{ link: Deeplink; followedAs: "nobody" | "visitor" } | null>(null);

  useEffect(() => {
    const pending = waiting.current;
    // The login page leads back to the link, which is taken again then.
    const isElsewhere = pathname.startsWith("/auth") || readDeeplink(new URLSearchParams(search)) !== null;
    if (!pending || !isCurrent || status === "loading" || isElsewhere) return;
    if (status === "user") {
      waiting.current = null;
      carryToLogin(null);
    } else if (pending.followedAs === "visitor") {
      // A chat was begun with it: what it set up is over.
      if (pathname.startsWith("/c/")) {
        waiting.current = null;
        carryToLogin(null);
      }
      return;
    } else {
      pending.followedAs = "visitor";
      carryToLogin(carriedPath(pending.link));
    }
    void followDeeplink(pending.link, { user, onSignIn: () => void navigate(loginUrl("/new")) });
  });

  return {
    take(query) {
      const link = readDeeplink(query);
      if (link === null) return false;
      waiting.current = { link, followedAs: "nobody" };
      if (link.prompt !== null) fillComposer(link.prompt, { isFilledIn: query.has(FILLED_IN) });
      return true;
    },
  };
}
