import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { endSession, listSessions, type OwnSession } from "#shared/contracts/account/sessions.ts";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { call } from "#web/lib/api.ts";
import { shortDate } from "#web/lib/format.ts";
import { watched } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

/** The browsers that are signed in to the person's account. */
function useOwnSessions() {
  return useQuery({ queryKey: keys.ownSessions, queryFn: ({ signal }) => call(listSessions, {}, { signal }), ...watched });
}

/** Signs one of them out. */
function useEndSession(onEnded: () => void) {
  return useMutation({
    mutationFn: (id: string) => call(endSession, { params: { id } }),
    onSuccess: onEnded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.ownSessions }),
  });
}

/** The browsers that are signed in: which they are, since when, and how to sign one out from here. */
export default function OwnSessionsPane() {
  const { data, isError, refetch } = useOwnSessions();
  const [ending, setEnding] = useState<OwnSession | null>(null);
  const end = useEndSession(() => {
    toast({ title: "The browser was signed out.", tone: "success" });
    setEnding(null);
  });
  return (
    <SubPane title="Signed-in browsers" about="Sign out whatever is not yours, or no longer with you. Then change who can read your mail.">
      {isError ? (
        <div className="flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2">
          <p>Your browsers could not be loaded.</p>
          <TryAgain onClick={() => void refetch()} />
        </div>
      ) : data === undefined ? (
        <RowSkeletons label="Loading your browsers" rows={2} className="h-52" />
      ) : (
        <ul aria-label="Signed-in browsers" className="border-t border-line">
          {data.sessions.map((session) => (
            <li key={session.id} className="flex min-h-52 flex-wrap items-center gap-8 border-b border-line py-6">
              <div className="min-w-160 flex-1">
                <p className="text-14 text-ink">{session.name}</p>
                <p className="text-13 text-ink2">{timesOf(session)}</p>
              </div>
              {!session.is_this && (
                <Button
                  size="sm"
                  variant="quiet"
                  aria-label={`Sign out ${session.name}`}
                  onClick={() => {
                    end.reset();
                    setEnding(session);
                  }}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={ending !== null}
        onOpenChange={(open) => !open && setEnding(null)}
        title="Sign this browser out?"
        confirm="Sign out"
        busy={end.isPending}
        onConfirm={() => ending !== null && end.mutate(ending.id)}
      >
        {ending?.name} is signed out at once. What was typed there and not sent stays in it for you.
        {end.isError && <span className="mt-8 block text-danger">{end.error.message}</span>}
      </ConfirmDialog>
    </SubPane>
  );
}

/** `This browser, since 9 November`, or when another was used last. */
function timesOf({ is_this: isThis, created_at: since, last_seen_at: seen, keeps_nothing: keepsNothing }: OwnSession): string {
  const used = isThis ? "This browser" : `Used last on ${shortDate(seen)}`;
  return `${used}, signed in on ${shortDate(since)}${keepsNothing ? ", keeps nothing" : ""}`;
}
