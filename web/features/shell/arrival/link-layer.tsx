import { useLocation } from "react-router";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useLinkDialog } from "#web/features/people/arrival/link-store.ts";
import { isSigningIn } from "./signing-in.ts";
import { useEver } from "#web/lib/use-ever.ts";

const LinkDialogs = lazyPart(async () => (await import("./link-dialogs.tsx")).default);

const SHARES = /[?&]share_(?:system_prompt|template_message|context)=/;
const INVITE = /[?&](?:team_)?invite=/;
const DEEPLINK = /[?&](?:model|prompt|template|knowledge|persona|auto_settings|link|shared)=/;

/** Brings the code of links where an address has something to read, or somebody asks for a dialog about them. */
export function LinkLayer() {
  const { pathname, search } = useLocation();
  const hasLinkParameters = SHARES.test(search) || INVITE.test(search) || (pathname === "/new" && DEEPLINK.test(search));
  const isAsked = useLinkDialog() !== null;
  const isWanted = isAsked || (hasLinkParameters && !isSigningIn(pathname));
  const used = useEver(isWanted);
  return used ? <LinkDialogs /> : null;
}
