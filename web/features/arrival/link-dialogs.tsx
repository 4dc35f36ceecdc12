import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { readShareArrivals, SHARED_KINDS, SHARE_PARAMETERS } from "#shared/share-links.ts";
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
    </>
  );
}

/** Reads what the address brings along, once: a reload, the history and a copied address do not have it any more. */
function useArrivals(): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const query = new URLSearchParams(search);
    const shares = readShareArrivals(query);
    if (shares.length === 0) return;
    for (const kind of SHARED_KINDS) query.delete(SHARE_PARAMETERS[kind]);
    addShareArrivals(shares);
    void navigate({ pathname, search: query.toString(), hash }, { replace: true, state });
  }, [pathname, search, hash, state, navigate]);
}
