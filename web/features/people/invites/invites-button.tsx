import { TicketPlus } from "lucide-react";
import { IconButton } from "#web/ui/icon-button.tsx";
import { openInvites } from "./invites-store.ts";

/** Opens the invites from the sidebar; on phones the person's menu does. */
export function InvitesButton({ className }: { className?: string }) {
  return <IconButton label="Invites" icon={TicketPlus} className={className} onClick={openInvites} />;
}
