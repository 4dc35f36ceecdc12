import { lazyPart } from "#web/ui/lazy-part.tsx";
import { closeInvites, useInvitesOpen } from "./invites-store.ts";
import { useEver } from "#web/lib/use-ever.ts";

const InvitesDialog = lazyPart(async () => (await import("./invites-dialog.tsx")).default);

/** The person's invites, for whoever opens them from the page; their code comes with the first use. */
export function InvitesLayer() {
  const open = useInvitesOpen();
  const used = useEver(open);
  return used ? <InvitesDialog open={open} onOpenChange={(next) => !next && closeInvites()} /> : null;
}
