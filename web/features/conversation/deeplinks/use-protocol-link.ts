import { useNavigate } from "react-router";
import { toast } from "#web/ui/toast/toast.tsx";
import { PROTOCOL_PARAMETER, readProtocolLink } from "./protocol-link.ts";

/** Follows a link of the application's own scheme that the system opened on the new chat's page. */
export function useProtocolLink(): { take: (query: URLSearchParams) => boolean } {
  const navigate = useNavigate();
  return {
    take(query) {
      const link = query.get(PROTOCOL_PARAMETER);
      if (link === null) return false;
      const path = readProtocolLink(link);
      if (path === null) toast({ title: "This link leads nowhere here", tone: "warning" });
      else void navigate(path, { replace: true });
      return path === null;
    },
  };
}
