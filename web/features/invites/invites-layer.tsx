import { useState } from "react";
import { late } from "#web/ui/late.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { closeInvites, useInvitesOpen } from "./invites-store.ts";

const InvitesDialog = lazyPart(async () => (await late(import("./invites-dialog.tsx"))).default);

/** The person's invites, for whoever opens them from the page; their code comes with the first use. */
export function InvitesLayer() {
  const open = useInvitesOpen();
  const [used, setUsed] = useState(false);
  if (open && !used) setUsed(true);
  return used ? <InvitesDialog open={open} onOpenChange={(next) => !next && closeInvites()} /> : null;
}
