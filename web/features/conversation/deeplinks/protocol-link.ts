import { useNavigate } from "react-router";
import { isUuid } from "#shared/uuid.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { DEEPLINK_LENGTH, deeplinkPath, readDeeplink } from "./deeplink.ts";

/** The parameter in which the browser passes a link that other programs opened (the manifest's `protocol_handlers`). */
export const PROTOCOL_PARAMETER = "link";

const SCHEME = "web+polylogue:";

/** Where `web+polylogue:new?text=…`, with the parameters of a deeplink, or `web+polylogue:c/ID` leads; null for anything else. Nothing is sent by it. */
export function readProtocolLink(link: string): string | null {
  if (link.length > DEEPLINK_LENGTH || !link.toLowerCase().startsWith(SCHEME)) return null;
  // Some programs write any scheme as if it named a host.
  const [place = "", ...rest] = link.slice(SCHEME.length).replace(/^\/\//, "").split("?");
  const path = place.replace(/\/$/, "");
  if (path === "new") return newChatPath(new URLSearchParams(rest.join("?")));
  const [, chatId] = /^c\/([^/]+)$/.exec(path) ?? [];
  return chatId !== undefined && isUuid(chatId) && rest.length === 0 ? `/c/${chatId}` : null;
}

function newChatPath(query: URLSearchParams): string {
  const text = query.get("text");
  if (text !== null && !query.has("prompt")) query.set("prompt", text);
  const link = readDeeplink(query);
  return link === null ? "/new" : deeplinkPath(link);
}

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
