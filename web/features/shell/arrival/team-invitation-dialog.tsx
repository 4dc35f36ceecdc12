import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type Arrival, arrivalQueryParameters } from "#shared/sign-in/arrivals.ts";
import { acceptTeamInvitation, getTeamInvitation } from "#shared/contracts/account/teams.ts";
import { TEAM_WELCOME_MS } from "#shared/limits.ts";
import SignOutDialog from "#web/features/conversation/sign-out/sign-out-dialog.tsx";
import { unsentAtSignOut } from "#web/features/conversation/sign-out/lost-at-sign-out.ts";
import { ArrivalSignIn, signInPath } from "#web/features/people/arrival/arrival-sign-in.tsx";
import { dismissArrival } from "#web/features/people/arrival/link-store.ts";
import { type Place, leave } from "#web/features/people/session/enter-and-leave.ts";
import { signInAs } from "#web/features/people/session/sign-in-as.ts";
import { refreshSession, useSession } from "#web/features/people/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { InvitationView } from "#web/features/people/teams/invitation-view.tsx";
import { invitationState } from "#web/features/people/teams/invitation-state.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

type TeamInvitationDialogProps = { token: string; waiting: readonly Arrival[]; open: boolean };

/** What an invitation's link opens, on any page and for anyone. */
export function TeamInvitationDialog({ token, waiting, open }: TeamInvitationDialogProps) {
  const session = useSession();
  const navigate = useNavigate();
  const queryKey = keys.teamInvitation(token, session.user?.id ?? null);
  const asked = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getTeamInvitation, { params: { token } }, { signal }),
    // Whoever has the address sees more: asked once it is known who looks.
    enabled: session.status !== "loading",
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const accept = useMutation({
    mutationFn: () => call(acceptTeamInvitation, { params: { token }, body: {} }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: keys.teams }),
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      // Decided, or somebody else's by now: the dialog says what it is.
      if (error.status === 401 || error.code === "TEAM_INVITATION_MISMATCH") void refreshSession();
      if (error.code === "TEAM_INVITATION_CLOSED") void queryClient.invalidateQueries({ queryKey });
    },
  });
  // Signing out asks to sign in with another address, which leads back to the invitation.
  const place = { to: signInPath("/", arrivalQueryParameters(waiting)), along: signInAs(asked.data?.invitation.email ?? "") };
  const signOut = useSignOut(place);
  const [losing, setLosing] = useState(false);
  const state = invitationState({
    invitation: asked.data?.invitation,
    error: asked.data ? null : asked.error,
    session,
    joined: accept.data?.team,
  });
  const isWelcome = state.kind === "welcome";
  const close = () => {
    dismissArrival(token);
    if (isWelcome) void navigate("/");
  };
  const onWelcomed = useEffectEvent(close);
  useEffect(() => {
    if (!isWelcome || !open) return undefined;
    const timer = setTimeout(() => onWelcomed(), TEAM_WELCOME_MS);
    return () => clearTimeout(timer);
  }, [isWelcome, open]);

  // Else the first button has the focus, and draws its ring, before anything was read.
  const content = useRef<HTMLDivElement>(null);
  const notNow = (
    <Button variant="quiet" onClick={close}>
      Not now
    </Button>
  );
  const footer = () => {
    switch (state.kind) {
      case "welcome":
        return <p className="mr-auto py-8 text-13 text-ink2">Taking you home…</p>;
      case "signIn":
        return (
          <>
            {notNow}
            <ArrivalSignIn waiting={waiting} email={state.invitation.email} />
          </>
        );
      case "mismatch":
        return (
          <>
            {notNow}
            <Button
              variant="primary"
              busy={signOut.isPending || signOut.isSuccess}
              onClick={() => (unsentAtSignOut() === null ? signOut.mutate() : setLosing(true))}
            >
              Sign out
            </Button>
          </>
        );
      case "open":
        return (
          <div className="flex w-full flex-wrap items-center justify-end gap-8">
            {!accept.isError && <p className="min-w-200 flex-1 text-12 text-ink2">You join as a member and can leave at any time.</p>}
            <div className="flex gap-8">
              {notNow}
              <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
                Accept
              </Button>
            </div>
          </div>
        );
      case "failed":
        return (
          <>
            <Button variant="quiet" onClick={close}>
              Close
            </Button>
            {state.notice === "Failed to load invitation" && (
              <TryAgain size="md" variant="primary" busy={asked.isFetching} onClick={() => void asked.refetch()} />
            )}
          </>
        );
      default:
        return <Button onClick={close}>Close</Button>;
    }
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title="Team Invitation" initialFocus={content} footer={footer()}>
      <div ref={content} tabIndex={-1} className="outline-none">
        <InvitationView state={state} failure={accept.error} />
      </div>
      <SignOutDialog open={losing} onOpenChange={setLosing} place={place} />
    </Dialog>
  );
}

function useSignOut(place: Place) {
  return useMutation({
    mutationFn: () => leave({ everywhere: false, ...place }),
    onError: (error) => toast({ title: "Failed to sign out", description: error.message, tone: "danger" }),
  });
}
