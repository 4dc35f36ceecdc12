import { Ban, CheckCheck, CircleAlert, ClockAlert, Link2Off, type LucideIcon, PartyPopper, UserRoundX } from "lucide-react";
import type { ReactNode } from "react";
import type { TeamInvitation } from "#shared/entities/team.ts";
import { counted, weekdayAndDate } from "#web/lib/format.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { cx } from "#web/ui/cx.ts";
import { Monogram } from "#web/ui/monogram.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { acceptFailure, type InvitationState } from "./invitation-state.ts";
import { remaining } from "./team-labels.ts";

type InvitationViewProps = {
  state: InvitationState;
  /** Why accepting failed. */
  failure: Error | null;
};

const CLOSED_ICONS = { expired: ClockAlert, cancelled: Ban, accepted: CheckCheck } as const;

/** What an invitation says, and what became of it. */
export function InvitationView({ state, failure }: InvitationViewProps) {
  switch (state.kind) {
    case "loading":
      return <Loading />;
    case "failed":
      return (
        <>
          <Notice tone="danger" icon={CircleAlert}>
            {state.notice}
          </Notice>
          <Detail>{state.detail}</Detail>
        </>
      );
    case "unknown":
      return (
        <>
          <TeamLine name="Unknown team" tile="?" note="No invitation has this link" />
          <Notice tone="danger" icon={Link2Off}>
            This invitation link is not valid.
          </Notice>
        </>
      );
    case "closed":
      return (
        <>
          <Invited invitation={state.invitation} />
          <Notice icon={CLOSED_ICONS[state.status]}>{state.notice}</Notice>
          {state.detail && <Detail>{state.detail}</Detail>}
        </>
      );
    case "signIn":
      return (
        <>
          <Invited invitation={state.invitation} />
          <Facts>
            <Fact name="Sent to">{state.invitation.email}</Fact>
            <Fact name="Expires">{remaining(state.invitation.expires_at) ?? "now"}</Fact>
          </Facts>
          <Detail>Sign in with this address to accept. You come back here.</Detail>
        </>
      );
    case "mismatch":
      return (
        <>
          <Invited invitation={state.invitation} />
          <Notice tone="signal" icon={UserRoundX}>
            This invitation is for <strong className="font-semibold">{state.invitation.email}</strong>. You are signed in as{" "}
            <strong className="font-semibold">{state.ownEmail}</strong>.
          </Notice>
          <Detail>Sign out and sign in with the invited address. The invitation opens again by itself.</Detail>
        </>
      );
    case "open":
      return failure ? (
        <>
          <Invited invitation={state.invitation} />
          <Notice tone="danger" icon={CircleAlert}>
            {acceptFailure(failure).notice}
          </Notice>
          <Detail>{acceptFailure(failure).detail}</Detail>
        </>
      ) : (
        <Open invitation={state.invitation} />
      );
    case "welcome":
      return (
        <>
          <TeamLine name={state.team.name} note={`${counted(state.team.memberCount, "member")}, you among them`} />
          <Notice tone="accent" icon={PartyPopper}>
            <strong className="font-semibold">Welcome to the team!</strong>
          </Notice>
        </>
      );
  }
}

/** What the invited address sees: all there is to know before it joins. */
function Open({ invitation: { teams: team, inviter, email, expires_at: until } }: { invitation: TeamInvitation }) {
  const left = remaining(until);
  return (
    <>
      <TeamLine name={team.name} note={team.memberCount === null ? null : counted(team.memberCount, "member")} />
      {team.description && <p className="mt-16 text-14 break-words whitespace-pre-line text-ink2">{team.description}</p>}
      <Facts>
        {inviter.display_name && (
          <Fact name="Invited by">
            <span className="flex flex-wrap items-center gap-x-8">
              <Avatar name={inviter.display_name} className="size-20! text-[8px]!" />
              <span className="min-w-0 truncate">{inviter.display_name}</span>
              {inviter.email && <span className="min-w-0 truncate text-ink2">{inviter.email}</span>}
            </span>
          </Fact>
        )}
        <Fact name="Sent to">{email}</Fact>
        <Fact name="Expires">{left === null ? "now" : `${weekdayAndDate(new Date(until))}, ${left}`}</Fact>
      </Facts>
    </>
  );
}

function Invited({ invitation: { teams: team, inviter } }: { invitation: TeamInvitation }) {
  return <TeamLine name={team.name} note={inviter.display_name ? `Invited by ${inviter.display_name}` : null} />;
}

function TeamLine({ name, tile = name, note }: { name: string; tile?: string; note: string | null }) {
  return (
    <div className="flex items-center gap-12">
      <Monogram name={tile} size={40} />
      <div className="min-w-0">
        <p className="text-15 leading-22! font-medium break-words text-ink">{name}</p>
        {note && <p className="text-13 break-words text-ink2">{note}</p>}
      </div>
    </div>
  );
}

const tones = {
  neutral: "bg-s3 text-ink",
  accent: "bg-accent-soft text-accent-soft-ink",
  signal: "bg-signal-soft text-signal-ink",
  danger: "bg-danger-soft text-danger",
} as const;

function Notice({ tone = "neutral", icon: Icon, children }: { tone?: keyof typeof tones; icon: LucideIcon; children: ReactNode }) {
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

function Detail({ children }: { children: string }) {
  return <p className="mt-12 text-13 break-words text-ink2">{children}</p>;
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="mt-16 grid grid-cols-[88px_minmax(0,1fr)] gap-y-6 text-14">{children}</dl>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-13 text-ink2">{name}</dt>
      <dd className="min-w-0 break-words text-ink">{children}</dd>
    </>
  );
}

function Loading() {
  return (
    <div aria-busy className="flex items-center gap-12">
      <Skeleton className="size-40 rounded-8" />
      <span className="space-y-6">
        <Skeleton className="h-14 w-160" />
        <Skeleton className="h-12 w-120" />
      </span>
    </div>
  );
}
