import { useState } from "react";
import { endLinkedSignIn, type LinkedSignIn, listLinkedSignIns } from "#shared/contracts/account/linked-sign-ins.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { longDate } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "#web/lib/api.ts";
import { watched } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

/** The Google accounts that open this one: which they are, since when, and how to end one. */
export default function LinkedPane() {
  const { user } = useSession();
  const { data, isError, refetch } = useLinkedSignIns();
  const [ending, setEnding] = useState<LinkedSignIn | null>(null);
  const end = useEndLinkedSignIn(() => {
    toast({ title: "The sign-in was ended.", description: "Your other browsers are signed out.", tone: "success" });
    setEnding(null);
  });
  const name = ending?.email ?? "This Google account";
  return (
    <SubPane
      title="Linked sign-ins"
      about="Each of these Google accounts opens this account. One is added when you first sign in with it, and a mail tells you."
    >
      {isError ? (
        <div className="flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2">
          <p>Your linked sign-ins could not be loaded.</p>
          <TryAgain onClick={() => void refetch()} />
        </div>
      ) : data === undefined ? (
        <RowSkeletons label="Loading your linked sign-ins" rows={1} className="h-52" />
      ) : data.linked.length === 0 ? (
        <p className="text-14 text-ink2">No Google account opens this one. You sign in by a mailed code.</p>
      ) : (
        <ul aria-label="Linked sign-ins" className="border-t border-line">
          {data.linked.map((linked) => (
            <li key={linked.id} className="flex min-h-52 flex-wrap items-center gap-8 border-b border-line py-6">
              <div className="min-w-160 flex-1">
                <p className="text-14 break-all text-ink">{linked.email ?? "A Google account"}</p>
                <p className="text-13 text-ink2">Google, since {longDate(linked.linked_at)}</p>
              </div>
              <Button
                size="sm"
                variant="quiet"
                aria-label={`End the sign-in of ${linked.email ?? "a Google account"}`}
                onClick={() => {
                  end.reset();
                  setEnding(linked);
                }}
              >
                End
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={ending !== null}
        onOpenChange={(open) => !open && setEnding(null)}
        title="End this sign-in?"
        confirm="End"
        busy={end.isPending}
        onConfirm={() => ending !== null && end.mutate(ending.id)}
      >
        <strong className="font-medium break-all text-ink">{name}</strong> will no longer open this account, and your other browsers are
        signed out. You sign in by a code that is mailed to <span className="break-all">{user?.email}</span>.
        {end.isError && <span className="mt-8 block text-danger">{end.error.message}</span>}
      </ConfirmDialog>
    </SubPane>
  );
}

/** The outside sign-ins that open the person's account. */
function useLinkedSignIns() {
  return useQuery({ queryKey: keys.linkedSignIns, queryFn: ({ signal }) => call(listLinkedSignIns, {}, { signal }), ...watched });
}

/** Ends one of them. */
function useEndLinkedSignIn(onEnded: () => void) {
  return useMutation({
    mutationFn: (id: string) => call(endLinkedSignIn, { params: { id } }),
    onSuccess: onEnded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.linkedSignIns }),
  });
}
