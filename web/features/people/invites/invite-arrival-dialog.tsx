import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, Clock, PartyPopper, Ticket } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { APP_NAME } from "#shared/app.ts";
import type { Arrival } from "#shared/sign-in/arrivals.ts";
import { previewInvite, redeemInvite } from "#shared/contracts/account/invites.ts";
import type { InvitePreview } from "#shared/entities/invite.ts";
import { describePlan } from "#shared/plan-descriptions.ts";
import { PLANS, planOf } from "#shared/plans.ts";
import { ArrivalSignIn } from "#web/features/people/arrival/arrival-sign-in.tsx";
import { dismissArrival } from "#web/features/people/arrival/link-store.ts";
import { keepInvite } from "#web/features/people/session/arrived-invite.ts";
import { refreshSession, useSession } from "#web/features/people/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { formatDollars } from "./invite-labels.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

type InviteArrivalDialogProps = { code: string; waiting: readonly Arrival[]; open: boolean };

/** What an invite's link opens: what it brings, the way to sign up by it, and for an account its redeeming. */
export function InviteArrivalDialog({ code, waiting, open }: InviteArrivalDialogProps) {
  const { user, status } = useSession();
  const isUser = status === "user";
  const readerId = isUser ? (user?.id ?? null) : null;
  const asked = useQuery({
    queryKey: keys.invite(code, readerId),
    queryFn: ({ signal }) => call(previewInvite, { params: { code } }, { signal }),
    // Whoever used it sees more: asked once it is known who looks.
    enabled: status !== "loading",
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const redeem = useMutation({
    mutationFn: () => call(redeemInvite, { params: { code }, body: {} }),
    onSuccess: () => {
      void refreshSession();
      void queryClient.invalidateQueries({ queryKey: keys.teams });
      void queryClient.invalidateQueries({ queryKey: keys.invites });
    },
  });
  // Also for whoever closes this and signs in by another way.
  useEffect(() => {
    if (!isUser) keepInvite(code);
  }, [isUser, code]);
  const content = useRef<HTMLDivElement>(null);
  const invite = redeem.data?.invite ?? asked.data?.invite ?? null;
  const close = () => dismissArrival(code);
  const isForNewcomers = invite !== null && planOf(invite) === "none" && invite.team_name === null;
  const mayRedeem = isUser && invite?.used === null && !isForNewcomers;
  const failure = redeem.error ?? (invite ? null : asked.error);

  const footer = () => {
    if (invite && !isUser) {
      return (
        <>
          <Button variant="quiet" onClick={close}>
            Not now
          </Button>
          <ArrivalSignIn waiting={waiting} label="Sign up" />
        </>
      );
    }
    if (mayRedeem && !isSpent(failure)) {
      return (
        <>
          <Button variant="quiet" onClick={close}>
            Not now
          </Button>
          <Button variant="primary" busy={redeem.isPending} onClick={() => redeem.mutate()}>
            Redeem
          </Button>
        </>
      );
    }
    const canRetry = asked.isError && !isSpent(asked.error);
    return (
      <>
        <Button onClick={close}>Close</Button>
        {canRetry && <TryAgain size="md" variant="primary" busy={asked.isFetching} onClick={() => void asked.refetch()} />}
      </>
    );
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title="Invite" initialFocus={content} footer={footer()}>
      <div ref={content} tabIndex={-1} className="outline-none">
        {failure && (
          <Notice tone="danger" icon={CircleAlert}>
            {failureText(failure, isUser)}
          </Notice>
        )}
        {!invite && !failure && (
          <div aria-busy className="space-y-12">
            <Skeleton className="h-16 w-240" />
            <Skeleton className="h-12 w-160" />
          </div>
        )}
        {invite && !isSpent(failure) && (
          <InviteContents
            invite={invite}
            isUser={isUser}
            isForNewcomers={isForNewcomers}
            isRedeemed={redeem.isSuccess}
            credits={user?.credits}
          />
        )}
      </div>
    </Dialog>
  );
}

type InviteContentsProps = {
  invite: InvitePreview;
  isUser: boolean;
  isForNewcomers: boolean;
  /** Redeemed just now, by an account that was there before. */
  isRedeemed: boolean;
  credits: number | undefined;
};

function InviteContents({ invite, isUser, isForNewcomers, isRedeemed, credits }: InviteContentsProps) {
  switch (invite.used) {
    case "refused":
      return (
        <Notice icon={CircleAlert}>
          You have used this invite. An administrator did not approve its plan; your account and its credits stay.
        </Notice>
      );
    case "active":
    case "waits":
      return (
        <>
          <Notice tone="accent" icon={PartyPopper}>
            <strong className="font-semibold">{isRedeemed ? "The invite is redeemed." : `Welcome to ${APP_NAME}!`}</strong>
          </Notice>
          <Gifts
            invite={invite}
            credits={credits === undefined ? null : `${formatDollars(Math.round(credits * 100) / 100)} of credits in your account`}
          />
          {invite.used === "waits" && <AwaitsApproval />}
        </>
      );
    case null:
      if (isUser && isForNewcomers) {
        return <Notice icon={Ticket}>This invite opens a new account, and you have one already. Pass its link on to somebody else.</Notice>;
      }
      return (
        <>
          <p className="text-14 text-ink">
            {isUser ? "This invite gives your account:" : `You are invited to ${APP_NAME}. Your new account begins with:`}
          </p>
          <Gifts invite={invite} credits={invite.credits > 0 ? `${formatDollars(invite.credits)} of credits` : null} />
          {!invite.auto_activate && planOf(invite) !== "none" && <AwaitsApproval />}
        </>
      );
  }
}

function Gifts({ invite, credits }: { invite: InvitePreview; credits: string | null }) {
  const plan = planOf(invite);
  return (
    <ul className="mt-12 space-y-8 text-14 text-ink">
      {plan !== "none" && (
        <li>
          <span className="font-medium">{PLANS[plan].name}</span>
          <span className="block text-13 text-ink2">{describePlan(plan)}</span>
        </li>
      )}
      {invite.team_name !== null && <li>A place in the team {invite.team_name}</li>}
      {credits !== null && <li>{credits}</li>}
    </ul>
  );
}

function AwaitsApproval() {
  return (
    <Notice tone="signal" icon={Clock}>
      The plan waits until an administrator approves it.
    </Notice>
  );
}

/** True where the code itself is no use any more. */
function isSpent(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === "INVITE_INVALID" || error.code === "INVITE_FOR_NEWCOMERS");
}

function failureText(error: Error, isUser: boolean): string {
  if (!(error instanceof ApiError) || error.status === 0) return `${error.message} Try again in a moment.`;
  if (error.code === "RATE_LIMITED") return "Too many codes were tried from here. Try again in an hour.";
  if (error.code === "INVITE_INVALID" && !isUser) return `${error.message} Ask whoever sent it for another.`;
  return error.message;
}

const tones = {
  neutral: "bg-s3 text-ink",
  accent: "bg-accent-soft text-accent-soft-ink",
  signal: "bg-signal-soft text-signal-ink",
  danger: "bg-danger-soft text-danger",
} as const;

function Notice({ tone = "neutral", icon: Icon, children }: { tone?: keyof typeof tones; icon: typeof Ticket; children: ReactNode }) {
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={cx("mt-16 flex gap-10 rounded-8 px-12 py-10 text-14 first:mt-0", tones[tone])}
    >
      <Icon aria-hidden className="mt-2 size-16 shrink-0" />
      <p className="min-w-0 [overflow-wrap:anywhere]">{children}</p>
    </div>
  );
}
