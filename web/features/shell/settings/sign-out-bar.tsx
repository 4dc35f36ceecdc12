import { useMutation } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";
import SignOutDialog from "#web/features/conversation/sign-out/sign-out-dialog.tsx";
import { unsentAtSignOut } from "#web/features/conversation/sign-out/lost-at-sign-out.ts";
import { leave } from "#web/features/people/session/enter-and-leave.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";

/** The ways out: of this browser, and of all. */
export function SignOutBar() {
  const [asking, setAsking] = useState(false);
  const [losing, setLosing] = useState(false);
  const signOut = useMutation({
    // It is forgotten here without a network too.
    networkMode: "always",
    mutationFn: (everywhere: boolean) => leave({ everywhere }),
    onError: (error) => toast({ tone: "danger", title: "Failed to sign out", description: error.message }),
  });
  return (
    <div className="flex shrink-0 items-center justify-between border-t border-line bg-s2 px-6 py-8 desk:px-10">
      <Button
        variant="quiet"
        className="text-ink"
        busy={(signOut.isPending || signOut.isSuccess) && !signOut.variables}
        onClick={() => (unsentAtSignOut() !== null ? setLosing(true) : signOut.mutate(false))}
      >
        <LogOut aria-hidden className="size-16" />
        Sign out
      </Button>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <SignOutDialog open={losing} onOpenChange={setLosing} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        busy={signOut.isPending || signOut.isSuccess}
        onConfirm={() => signOut.mutate(true, { onError: () => setAsking(false) })}
      >
        Every browser and device where you are signed in is signed out, this one too. Your chats stay; what you typed here and did not send
        goes.
      </ConfirmDialog>
    </div>
  );
}
