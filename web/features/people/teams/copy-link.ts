import { copyText } from "#web/lib/copy-text.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** Copies an invitation's link and says how that went; true where it is on the clipboard. */
export async function copyInvitationLink(url: string): Promise<boolean> {
  const isCopied = await copyText(url);
  if (isCopied) toast({ title: "Invitation link copied to clipboard", tone: "success" });
  else toast({ title: "Failed to copy link", tone: "danger" });
  return isCopied;
}
