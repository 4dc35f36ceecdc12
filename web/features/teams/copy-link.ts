import { toast } from "#web/ui/toast/toast.tsx";

/** Copies an invitation's link and says how that went; true where it is on the clipboard. */
export async function copyInvitationLink(url: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(url);
    toast({ title: "Invitation link copied to clipboard", tone: "success" });
    return true;
  } catch {
    // Absent on insecure origins, refused without focus or permission: both are reported, neither is an error.
    toast({ title: "Failed to copy link", tone: "danger" });
    return false;
  }
}
