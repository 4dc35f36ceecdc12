import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { readShareArrivals, SHARED_KINDS, SHARE_PARAMETERS } from "#shared/share-links.ts";
import { DEEPLINK_PARAMETERS } from "#web/features/deeplinks/deeplink.ts";
import { DeeplinkBuilder } from "#web/features/deeplinks/deeplink-builder.tsx";
import { DeeplinkDocs } from "#web/features/deeplinks/deeplink-docs.tsx";
import { useDeeplink } from "#web/features/deeplinks/use-deeplink.ts";
import { ShareLinkDialog } from "#web/features/share-links/share-link-dialog.tsx";
import { SharedImport } from "#web/features/share-links/shared-import.tsx";
import { addShareArrivals, closeLinkDialog, useLinkDialog } from "./link-store.ts";

/** The dialogs about links, and what reads an address that brings something along. */
export default function LinkDialogs() {
  const open = useLinkDialog();
  const [shown, setShown] = useState(open);
  if (open !== null && open !== shown) setShown(open);
  const onOpenChange = (next: boolean) => !next && closeLinkDialog();
  useArrivals();
  return (
    <>
      <SharedImport />
      {shown?.dialog === "share" && (
        <ShareLinkDialog key={shown.item.id} item={shown.item} open={open?.dialog === "share"} onOpenChange={onOpenChange} />
      )}
      {shown?.dialog === "builder" && <DeeplinkBuilder open={open?.dialog === "builder"} onOpenChange={onOpenChange} />}
      {shown?.dialog === "docs" && <DeeplinkDocs open={open?.dialog === "docs"} onOpenChange={onOpenChange} />}
    </>
  );
}

/** Reads what the address brings along, once: a reload, the history and a copied address do not have it any more. */
function useArrivals(): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const deeplink = useDeeplink();
  const read = useEffectEvent((path: string, given: string) => {
    const query = new URLSearchParams(given);
    const shares = readShareArrivals(query);
    const isDeeplink = path === "/new" && deeplink.take(query);
    if (shares.length === 0 && !isDeeplink) return;
    for (const kind of SHARED_KINDS) query.delete(SHARE_PARAMETERS[kind]);
    if (isDeeplink) for (const name of DEEPLINK_PARAMETERS) query.delete(name);
    addShareArrivals(shares);
    void navigate({ pathname: path, search: query.toString(), hash }, { replace: true, state });
  });
  useEffect(() => read(pathname, search), [pathname, search]);
}
