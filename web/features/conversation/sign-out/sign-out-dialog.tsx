import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { type Place, leave } from "#web/features/people/session/enter-and-leave.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { unsentAtSignOut } from "./lost-at-sign-out.ts";

type SignOutDialogProps = { open: boolean; onOpenChange: (open: boolean) => void; place?: Place };

/** Asks whoever signs out while something of theirs is here alone. */
export default function SignOutDialog({ open, onOpenChange, place }: SignOutDialogProps) {
  const lost = useSyncExternalStore(outbox.subscribe, unsentAtSignOut);
  const signOut = useMutation({
    // Without a network most of all.
    networkMode: "always",
    mutationFn: () => leave({ everywhere: false, ...place }),
    onError: (error) => {
      onOpenChange(false);
      toast({ tone: "danger", title: "Failed to sign out", description: error.message });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign out?"
      confirm="Sign out"
      busy={signOut.isPending || signOut.isSuccess}
      onConfirm={() => signOut.mutate()}
    >
      {lost}
    </ConfirmDialog>
  );
}
