import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ARRIVAL_PARAMETERS, readArrivals } from "#shared/sign-in/arrivals.ts";
import { DEEPLINK_PARAMETERS, FILLED_IN } from "#web/features/conversation/deeplinks/deeplink.ts";
import { DeeplinkBuilder } from "#web/features/conversation/deeplinks/deeplink-builder.tsx";
import { DeeplinkDocs } from "#web/features/conversation/deeplinks/deeplink-docs.tsx";
import { PROTOCOL_PARAMETER, useProtocolLink } from "#web/features/conversation/deeplinks/protocol-link.ts";
import { SharedFilesDialog } from "#web/features/conversation/deeplinks/shared-files-dialog.tsx";
import { useDeeplink } from "#web/features/conversation/deeplinks/use-deeplink.ts";
import { InviteArrivalDialog } from "#web/features/people/invites/invite-arrival-dialog.tsx";
import { ShareLinkDialog } from "#web/features/library/share-links/share-link-dialog.tsx";
import { SharedImport } from "#web/features/library/share-links/shared-import.tsx";
import { TeamInvitationDialog } from "#web/features/shell/arrival/team-invitation-dialog.tsx";
import { isSigningIn } from "./signing-in.ts";
import { addArrivals, closeLinkDialog, useArrivals, useLinkDialog } from "#web/features/people/arrival/link-store.ts";

/** The dialogs about links, and what reads an address that brings something along. */
export default function LinkDialogs() {
  const open = useLinkDialog();
  const [{ shown, opening }, setShown] = useState({ shown: open, opening: 0 });
  // Each opening begins again: a link that was made is shown once.
  if (open !== null && open !== shown) setShown({ shown: open, opening: opening + 1 });
  const onOpenChange = (next: boolean) => !next && closeLinkDialog();
  useReadArrivals();
  return (
    <>
      <ArrivalDialog />
      <SharedFilesDialog />
      {shown?.dialog === "share" && (
        <ShareLinkDialog key={opening} item={shown.item} open={open?.dialog === "share"} onOpenChange={onOpenChange} />
      )}
      {shown?.dialog === "builder" && <DeeplinkBuilder open={open?.dialog === "builder"} onOpenChange={onOpenChange} />}
      {shown?.dialog === "docs" && <DeeplinkDocs open={open?.dialog === "docs"} onOpenChange={onOpenChange} />}
    </>
  );
}

/** What links brought along, one dialog after the other. */
function ArrivalDialog() {
  const waiting = useArrivals();
  const [first = null] = waiting;
  // Counted, so a link which is followed once more starts over.
  const [shown, setShown] = useState({ arrival: first, count: 0 });
  if (first !== null && first !== shown.arrival) setShown({ arrival: first, count: shown.count + 1 });
  const { arrival, count } = shown;
  if (arrival === null) return null;
  const open = first !== null;
  if (arrival.kind === "invite") return <InviteArrivalDialog key={count} code={arrival.token} waiting={waiting} open={open} />;
  if (arrival.kind === "team") return <TeamInvitationDialog key={count} token={arrival.token} waiting={waiting} open={open} />;
  return <SharedImport key={count} arrival={arrival} waiting={waiting} open={open} />;
}

/** Reads what the address brings along, once: a reload, the history and a copied address do not have it any more. */
function useReadArrivals(): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const deeplink = useDeeplink();
  const protocolLink = useProtocolLink();
  const read = useEffectEvent((path: string, given: string) => {
    if (isSigningIn(path)) return;
    const query = new URLSearchParams(given);
    const arrivals = readArrivals(query);
    const isProtocolLink = path === "/new" && protocolLink.take(query);
    const isDeeplink = path === "/new" && deeplink.take(query);
    if (arrivals.length === 0 && !isDeeplink && !isProtocolLink) return;
    for (const name of ARRIVAL_PARAMETERS) query.delete(name);
    if (isDeeplink) for (const name of [...DEEPLINK_PARAMETERS, FILLED_IN]) query.delete(name);
    if (isProtocolLink) query.delete(PROTOCOL_PARAMETER);
    addArrivals(arrivals);
    void navigate({ pathname: path, search: query.toString(), hash }, { replace: true, state });
  });
  useEffect(() => read(pathname, search), [pathname, search]);
}
