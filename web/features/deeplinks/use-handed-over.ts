import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { loginUrl } from "#web/features/session/login-url.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { PROTOCOL_PARAMETER, readProtocolLink } from "./protocol-link.ts";
import { openShared } from "./take-shared.ts";

/** The parameter that names what the service worker keeps of something shared. */
const SHARED_PARAMETER = "shared";

/** Every parameter by which the system hands something over to the installed application. */
export const HANDED_OVER = [PROTOCOL_PARAMETER, SHARED_PARAMETER] as const;

/** Follows what the system handed over to the new chat's page: a link of the application's own scheme, or something shared. */
export function useHandedOver(): { take: (query: URLSearchParams) => boolean } {
  const { status, isCurrent } = useSession();
  const navigate = useNavigate();
  const waiting = useRef<string | null>(null);

  // Once it is known who is here: only accounts attach files.
  useEffect(() => {
    const sharedId = waiting.current;
    if (sharedId === null || !isCurrent || status === "loading") return;
    waiting.current = null;
    const onSignIn = () => void navigate(loginUrl(`/new?${SHARED_PARAMETER}=${sharedId}`));
    void openShared(sharedId, { hasAccount: status === "user", onSignIn });
  });

  return {
    take(query) {
      const link = query.get(PROTOCOL_PARAMETER);
      const shared = query.get(SHARED_PARAMETER);
      if (link !== null) {
        const path = readProtocolLink(link);
        if (path === null) toast({ title: "This link leads nowhere here", tone: "warning" });
        else void navigate(path, { replace: true });
        return path === null;
      }
      if (shared !== null) waiting.current = shared;
      return shared !== null;
    },
  };
}
